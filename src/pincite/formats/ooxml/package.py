"""Packages of Office Open XML (ECMA-376 part 2): parts in a zip file, and their relations."""

import io
import lzma
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.detect.decode import COMPOUND

Element = etree._Element  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - it has no public name

NAMESPACES = {
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "cx": "http://schemas.microsoft.com/office/drawing/2014/chartex",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
}
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/(\w+)")
MAX_PART_BYTES = 200_000_000
"""Maximum size of a part, as in `ZipLimits`."""

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    EOFError,
    RuntimeError,
    OSError,
    ValueError,
)
"""Exceptions that `zipfile` raises for truncated, corrupted, encrypted or unsupported parts."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation from one part to another, or out of the package.

    Attributes:
        kind: The last word of its type (`slide`, `hyperlink`).
        target: Name of the part, without a leading slash; a URL if it is external.
        external: True if the target is outside the package.
    """

    kind: str
    target: str
    external: bool


class Package:
    """The parts of a file, read on demand.

    Raises:
        Unsupported: The bytes are not a zip file.
        InvalidInput: The file is damaged, or protected by a password.
    """

    def __init__(self, data: bytes) -> None:
        if data.startswith(COMPOUND) and "EncryptedPackage".encode("utf-16-le") in data:
            raise InvalidInput("The file is protected by a password. Save a copy without one.")
        if not data.startswith(b"PK"):
            raise Unsupported(
                "The file is not an Office Open XML file (not a zip file). Give it the extension of its format."
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise InvalidInput(f"The file is damaged or truncated: {error}. Fetch or save it again.") from error
        # Names of parts are compared without letter case (ECMA-376 part 2).
        self._names = {name.lower().lstrip("/"): name for name in self._zip.namelist()}

    def __contains__(self, part: str) -> bool:
        return part.lower() in self._names

    def read(self, part: str) -> bytes:
        """Return the bytes of a part.

        Raises:
            InvalidInput: The part is missing, too large or damaged.
        """
        name = self._names.get(part.lower())
        if name is None:
            raise InvalidInput(f"The part {part} is missing.")
        size = self._zip.getinfo(name).file_size  # `zipfile` unpacks no more than this
        if size > MAX_PART_BYTES:
            raise InvalidInput(f"The part {part} is too large: {size:,} bytes, more than {MAX_PART_BYTES:,}.")
        try:
            return self._zip.read(name)
        except _DAMAGE as error:
            raise InvalidInput(f"The part {part} is damaged: {error}.") from error

    def xml(self, part: str, report: Callable[[str], None] | None = None) -> Element:
        """Return the root of an XML part, with strict namespaces replaced by the transitional ones.

        Args:
            part: Its name.
            report: Receives the reason why a part that is not well-formed was not read in full; None to refuse it.

        Raises:
            InvalidInput: The part is missing, damaged or not XML.
        """
        # One set of names for both classes of conformance, replaced before parsing.
        data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", self.read(part))
        try:
            return etree.fromstring(data, _parser())
        except (etree.XMLSyntaxError, ValueError) as error:
            root = None if report is None else _recovered(data)
            if report is None or root is None or not len(root):
                raise InvalidInput(f"The part {part} is damaged: {error}.") from error
            report(f"the part {part} is damaged ({error}): text may be missing")
            return root

    def relations(self, part: str = "") -> dict[str, Relation]:
        """Return the relations of a part (empty: of the package) by id; none if it has none.

        Raises:
            InvalidInput: The relations are damaged.
        """
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{name}.rels")
        if rels not in self:
            return {}
        return {
            element.get("Id", "") or "": _relation(element, folder)
            for element in self.xml(rels)
            if local_name(element) == "Relationship"
        }

    def related(self, part: str, kind: str) -> str | None:
        """Return the target of a part's first relation of this kind, or None."""
        return next((relation.target for relation in self.relations(part).values() if relation.kind == kind), None)


def _parser(*, recovers: bool = False) -> etree.XMLParser:
    # Identifiers are not collected: an `xml:id` that is no XML name would be a syntax error.
    return etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True,
        recover=recovers,
        collect_ids=False,  # pyright: ignore[reportCallIssue] - missing from its stubs
    )  # fmt: skip


def _recovered(data: bytes) -> Element | None:
    """Return the root of what can be read of a part that is not well-formed, if there is any."""
    try:
        return etree.fromstring(data, _parser(recovers=True))
    except (etree.XMLSyntaxError, ValueError):
        return None


def _relation(element: Element, folder: str) -> Relation:
    kind = (element.get("Type") or "").rpartition("/")[2]
    target = element.get("Target") or ""
    if (element.get("TargetMode") or "").lower() == "external":
        return Relation(kind, target, external=True)
    path = unquote(target.partition("#")[0])
    joined = path if path.startswith("/") else posixpath.join(folder, path)
    return Relation(kind, posixpath.normpath(joined).lstrip("/"), external=False)


def local_name(element: Element) -> str:
    """Return an element's tag without its namespace; empty for nodes that are not elements (entities)."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def name(prefixed: str) -> str:
    """Return the qualified name `{namespace}t` of `a:t`."""
    prefix, _, local = prefixed.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def find(element: Element, path: str) -> Element | None:
    """Return the first element at a path of prefixed names, or None."""
    return element.find(path, NAMESPACES)


def find_all(element: Element, path: str) -> list[Element]:
    """Return all elements at a path of prefixed names."""
    return element.findall(path, NAMESPACES)


def children(element: Element) -> Iterator[Element]:
    """Yield the child elements; `mc:AlternateContent` yields its choice's, or else its fall-back's."""
    for child in element:
        if child.tag == ALTERNATE:
            choice = find(child, "mc:Choice")
            selected = choice if choice is not None and len(choice) else find(child, "mc:Fallback")
            if selected is not None:
                yield from children(selected)
        elif isinstance(child.tag, str):
            yield child


ALTERNATE, RELATION = name("mc:AlternateContent"), name("r:id")


def descendants(element: Element) -> Iterator[Element]:
    """Yield all descendants in document order, with `mc:AlternateContent` resolved as in `children`."""
    for child in children(element):
        yield child
        yield from descendants(child)


def whole_number(text: str | None, default: int = 0) -> int:
    """Return an attribute as an integer; the default if it is not one."""
    try:
        return int(text or "")
    except ValueError:
        return default


def flag(element: Element | None, attribute: str) -> bool:
    """Return True if an attribute is set to true."""
    return element is not None and element.get(attribute) in ("1", "true", "on")
