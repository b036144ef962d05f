"""The grammar of references: `<document>@<revision>#<locator>[:<start>-<end>][~<mark>]`.

`parse` and `str` are inverses, and `parse` accepts only strings that `str` can produce.
"""

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import unquote

from pincite.errors import InvalidInput

REVISION_DIGITS = 8
"""32 bits of SHA-256: a document has few revisions, and a person reads them."""

_RESERVED = re.compile(r"[%@#:\s]")

_LOCATOR = r"h(?:0|[1-9][0-9]*)(?:-[ct][1-9][0-9]*)?"
_REF = re.compile(
    rf"(?P<document>[^@#:\s]+)@(?P<revision>[0-9a-f]{{{REVISION_DIGITS}}})"
    rf"#(?P<locator>{_LOCATOR})(?::(?P<start>0|[1-9][0-9]*)-(?P<end>0|[1-9][0-9]*))?"
    r"(?:~(?P<mark>[0-9a-z]{1,11}))?"
)


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference to a text in one revision of a document.

    Attributes:
        document: The document's name, unescaped.
        revision: 8 hex digits, see `revision`.
        locator: `h3`, `h3-c2` or `h3-t1`.
        span: Characters in the locator's canonical text, or None for all of it.
        mark: What finds the words in another revision (`evidence.marks`); empty without.
    """

    document: str
    revision: str
    locator: str
    span: tuple[int, int] | None = None
    mark: str = ""

    def __str__(self) -> str:
        tail = "" if self.span is None else f":{self.span[0]}-{self.span[1]}"
        mark = self.mark and f"~{self.mark}"
        return f"{escape(self.document)}@{self.revision}#{self.locator}{tail}{mark}"


def escape(name: str) -> str:
    """Percent-encode the grammar's own characters: `% @ # :`, white space, control characters."""
    if name.isprintable() and not _RESERVED.search(name):
        return name
    return "".join(_escaped(character) for character in name)


def _escaped(character: str) -> str:
    if not character.isprintable() or _RESERVED.match(character):
        return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
    return character


def parse(text: str) -> Ref:
    """Parse a reference.

    Raises:
        InvalidInput: The text is not a reference; the message shows the form.
    """
    ref = _read(text)
    if ref is not None:
        return ref
    raise InvalidInput(
        f"Not a reference: {text[:200]!r}. "
        "A reference looks like guide/setup.md@9f31c2aa#h4-c1~2k9d0x7m4qa, as the `ref` of an answer."
    )


def is_reference(text: str) -> bool:
    """Return True if a text is a reference."""
    return _read(text) is not None


def _read(text: str) -> Ref | None:
    match = _REF.fullmatch(text)
    if match is None:
        return None
    try:
        name = unquote(match["document"], errors="surrogatepass")
        span = None if match["start"] is None else (int(match["start"]), int(match["end"]))
    except ValueError:  # the escapes are no UTF-8, or a number has thousands of digits
        return None
    ref = Ref(name, match["revision"], match["locator"], span, match["mark"] or "")
    return ref if str(ref) == text and (span is None or span[0] <= span[1]) else None


def revision(fingerprint: str, stamp: str) -> str:
    """Return a revision: the first hex digits of SHA-256 over everything that locators depend on.

    Args:
        fingerprint: SHA-256 of the document's bytes, in hex.
        stamp: The reader's name and version, the chunking policy's id, and the limits that the document hit.
    """
    digest = hashlib.sha256(f"{fingerprint}\0{stamp}".encode())
    return digest.hexdigest()[:REVISION_DIGITS]
