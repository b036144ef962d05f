"""What an XLSX or ODS package says outside its cells: where the sheets are, number formats, properties."""

import posixpath
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from lxml import etree

from pincite.formats.xlsx.number_formats import BUILTIN
from pincite.formats.xlsx.unseen import unseen_styles

Element = etree._Element  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - it has no public name

_ANY = "{*}"
_CHUNK = 1 << 20
_PROPERTIES = {
    "title": "title",
    "subject": "subject",
    "creator": "author",
    "initial-creator": "author",
    "keywords": "keywords",
    "keyword": "keywords",
    "description": "description",
    "category": "category",
    "lastModifiedBy": "last modified by",
    "created": "created",
    "creation-date": "created",
    "modified": "modified",
    "date": "modified",
    "language": "language",
}
"""Elements of `docProps/core.xml` and `meta.xml`, and what they are called."""


@dataclass(frozen=True, slots=True)
class Package:
    """A workbook's package.

    Attributes:
        archive: The open zip file.
        sheets: A sheet's name → its part.
        formats: The number format of each cell style.
        unseen: Why a cell style draws nothing, by its number.
        from_1904: Whether dates count from 1904.
        properties: Its document properties.
    """

    archive: zipfile.ZipFile
    sheets: Mapping[str, str] = field(default_factory=dict[str, str])
    formats: tuple[str, ...] = ()
    unseen: Mapping[str, str] = field(default_factory=dict[str, str])
    from_1904: bool = False
    properties: Mapping[str, str] = field(default_factory=dict[str, str])

    def size(self, part: str) -> int:
        """Bytes of a part by the archive's directory; 0 where it is not there."""
        with suppress(KeyError):
            return self.archive.getinfo(part).file_size
        return 0

    def chunks(self, part: str) -> Iterator[bytes]:
        """A part in pieces of a MB."""
        with self.archive.open(part) as file:
            while chunk := file.read(_CHUNK):
                yield chunk

    def open(self, part: str) -> IO[bytes]:
        """A part, to be read as a stream."""
        return self.archive.open(part)

    def related(self, part: str, kind: str) -> list[str]:
        """The parts that a part names as related in this way (`comments`)."""
        return [target for target, of, outside in relations(self.archive, part).values() if of == kind and not outside]


def open_package(file: IO[bytes]) -> Package | None:
    """Open a package; None for a file that is none (XLS).

    What cannot be read of it is left out: the cells are read by other means.
    """
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile:
        return None
    workbook = _main_part(archive)
    root = parse(archive, workbook) if workbook else None
    targets = relations(archive, workbook) if workbook else {}
    sheets: dict[str, str] = {}
    for sheet in root.iter(f"{_ANY}sheet") if root is not None else ():
        key = next((value for name, value in sheet.attrib.items() if name.endswith("}id")), "")
        if key in targets:
            sheets[sheet.get("name", "") or ""] = targets[key][0]
    settings = root.find(f"{_ANY}workbookPr") if root is not None else None
    styles = next((target for target, kind, _ in targets.values() if kind == "styles"), "")
    style_root = parse(archive, styles) if styles else None
    formats = _formats(style_root)
    return Package(
        archive,
        sheets,
        formats,
        unseen_styles(style_root, formats) if style_root is not None else {},
        settings is not None and settings.get("date1904") in ("1", "true"),
        _read_properties(archive),
    )


def parse(archive: zipfile.ZipFile, part: str) -> Element | None:
    """A part's root element; None where it is missing or damaged."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        return etree.fromstring(archive.read(part), parser)
    except DAMAGED:
        return None


DAMAGED = (KeyError, ValueError, RuntimeError, EOFError, OSError, SyntaxError, zipfile.error, zlib.error)
"""What `zipfile`, `zlib` and lxml raise for parts that are missing, damaged, encrypted or packed in an odd way."""


def relations(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str, bool]]:
    """A part's relations: id → target, kind (the last word of its type), whether it is outside the package."""
    folder, name = posixpath.split(part)
    root = parse(archive, posixpath.join(folder, "_rels", f"{name}.rels"))
    found: dict[str, tuple[str, str, bool]] = {}
    for relation in root if root is not None else ():
        target = relation.get("Target", "") or ""
        outside = relation.get("TargetMode") == "External"
        if not outside:
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        found[relation.get("Id", "") or ""] = (target, posixpath.basename(relation.get("Type", "") or ""), outside)
    return found


def _main_part(archive: zipfile.ZipFile) -> str:
    kinds = relations(archive, "").values()
    return next((target for target, kind, _ in kinds if kind == "officeDocument"), "")


def _formats(root: Element | None) -> tuple[str, ...]:
    if root is None:
        return ()
    codes = dict(BUILTIN)
    for code in root.iter(f"{_ANY}numFmt"):
        with suppress(ValueError):
            codes[int(code.get("numFmtId", "") or "")] = code.get("formatCode", "") or ""
    styles = root.find(f"{_ANY}cellXfs")
    return tuple(_code(codes, style.get("numFmtId", "0")) for style in styles) if styles is not None else ()


def _code(codes: Mapping[int, str], number: str | None) -> str:
    try:
        return codes.get(int(number or 0), "")
    except ValueError:
        return ""


def _read_properties(archive: zipfile.ZipFile) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in ("docProps/core.xml", "meta.xml"):
        root = parse(archive, part)
        for element in root.iter() if root is not None else ():
            name = _PROPERTIES.get(str(element.tag).rpartition("}")[2])
            text = (element.text or "").strip()
            if name and text:
                found.setdefault(name, text)
    return found
