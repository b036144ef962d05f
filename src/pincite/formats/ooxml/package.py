"""A package of Office Open XML (ECMA-376 part 2): parts in a zip file, and the relations between them."""

import io
import lzma
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from pincite.errors import InvalidInput, Unsupported

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
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PART_BYTES = 200_000_000
"""The largest part that is read."""

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
"""What `zipfile` raises for parts that are cut, overwritten, encrypted or packed in an unknown way."""


@dataclass(frozen=True, slots=True)
class Relation:
    """An arrow from one part to another, or out of the package.

    Attributes:
        kind: The last word of its type (`slide`, `hyperlink`).
        target: Name of the part, without a leading slash; a URL where it is external.
        external: Whether it leads out of the package.
    """

    kind: str
    target: str
    external: bool


class Package:
    """The parts of a file, read when they are asked for.

    Raises:
        Unsupported: The bytes are no zip file.
        InvalidInput: They are a damaged one, or protected by a password.
    """

    def __init__(self, data: bytes) -> None:
        if data.startswith(_COMPOUND) and "EncryptedPackage".encode("utf-16-le") in data:
            raise InvalidInput("The file is protected by a password. Save a copy without one.")
        if not data.startswith(b"PK"):
            raise Unsupported(
                "The file is not an Office Open XML file (not a zip file). Give it the extension of its format."
            )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _DAMAGE as error:
            raise InvalidInput(f"The file is damaged or truncated: {error}. Fetch or save it again.") from error
        self._names = {name.lower().lstrip("/"): name for name in self._zip.namelist()}
        self._parser = etree.XMLParser(
            resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
        )

    def __contains__(self, part: str) -> bool:
        return part.lower() in self._names

    def read(self, part: str) -> bytes:
        """The bytes of a part.

        Raises:
            InvalidInput: It is missing or damaged.
        """
        name = self._names.get(part.lower())
        if name is None:
            raise InvalidInput(f"The part {part} is missing.")
        size = self._zip.getinfo(name).file_size  # no more than this is unpacked, whatever follows
        if size > PART_BYTES:
            raise InvalidInput(f"The part {part} is too large: {size:,} bytes, more than {PART_BYTES:,}.")
        try:
            return self._zip.read(name)
        except _DAMAGE as error:
            raise InvalidInput(f"The part {part} is damaged: {error}.") from error

    def xml(self, part: str) -> Element:
        """The root of an XML part; strict namespaces are given as the transitional ones.

        Raises:
            InvalidInput: It is missing, damaged or no XML.
        """
        data = _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006/\2", self.read(part))
        try:
            return etree.fromstring(data, self._parser)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise InvalidInput(f"The part {part} is damaged: {error}.") from error

    def relations(self, part: str = "") -> dict[str, Relation]:
        """The relations of a part (empty: of the package), by id; none where they are missing.

        Raises:
            InvalidInput: They are damaged.
        """
        folder, name = posixpath.split(part)
        rels = posixpath.join(folder, "_rels", f"{name}.rels")
        if rels not in self:
            return {}
        return {
            found.get("Id", "") or "": _relation(found, folder)
            for found in self.xml(rels)
            if local_name(found) == "Relationship"
        }

    def related(self, part: str, kind: str) -> str | None:
        """The first part that a part relates to in this way."""
        return next((found.target for found in self.relations(part).values() if found.kind == kind), None)


def _relation(found: Element, folder: str) -> Relation:
    kind = (found.get("Type") or "").rpartition("/")[2]
    target = found.get("Target") or ""
    if (found.get("TargetMode") or "").lower() == "external":
        return Relation(kind, target, external=True)
    path = unquote(target.partition("#")[0])
    joined = path if path.startswith("/") else posixpath.join(folder, path)
    return Relation(kind, posixpath.normpath(joined).lstrip("/"), external=False)


def local_name(element: Element) -> str:
    """An element's tag without its namespace; empty for what is no element (an entity)."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def name(prefixed: str) -> str:
    """`a:t` as lxml writes it: `{namespace}t`."""
    prefix, _, local = prefixed.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def find(element: Element, path: str) -> Element | None:
    """The first element of a path of prefixed names."""
    return element.find(path, NAMESPACES)


def find_all(element: Element, path: str) -> list[Element]:
    """All elements of a path of prefixed names."""
    return element.findall(path, NAMESPACES)


def children(element: Element) -> Iterator[Element]:
    """The child elements; in the place of `mc:AlternateContent` those of its choice, else of its fall-back."""
    for child in element:
        if child.tag == _ALTERNATE:
            choice = find(child, "mc:Choice")
            taken = choice if choice is not None and len(choice) else find(child, "mc:Fallback")
            if taken is not None:
                yield from children(taken)
        elif isinstance(child.tag, str):
            yield child


_ALTERNATE = name("mc:AlternateContent")


def descendants(element: Element) -> Iterator[Element]:
    """All elements below, in order, `mc:AlternateContent` as in `children`."""
    for child in children(element):
        yield child
        yield from descendants(child)


def whole_number(text: str | None, default: int = 0) -> int:
    """An attribute as a number; the default where it is none."""
    try:
        return int(text or "")
    except ValueError:
        return default


def flag(element: Element | None, attribute: str) -> bool:
    """Whether an attribute says yes."""
    return element is not None and element.get(attribute) in ("1", "true", "on")
