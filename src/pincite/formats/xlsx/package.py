"""The parts of an XLSX or ODS package other than cells: sheets, number formats, properties."""

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO

from lxml import etree

from pincite.formats.ooxml.package import Element
from pincite.formats.xlsx.number_formats import BUILTIN
from pincite.formats.xlsx.unseen import ANY, unseen_styles

_CHUNK_BYTES = 1 << 20
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
"""Elements of `docProps/core.xml` and `meta.xml` → names of properties."""


_WORKBOOK_RELATIONS = "_rels/workbook.xml.rels"
_MACRO_SHEET = re.compile(rb"http://schemas\.microsoft\.com/office/2006/relationships/xl(?:Intl)?Macrosheet")
_CHART_SHEET = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/chartsheet"


@dataclass(frozen=True, slots=True)
class Package:
    """A workbook's package.

    Attributes:
        archive: The open zip file.
        sheets: Name of each sheet → its part.
        formats: The number format of each cell style.
        unseen: Number of each invisible cell style → the reason.
        from_1904: True if dates count from 1904.
        properties: The document properties.
    """

    archive: zipfile.ZipFile
    sheets: Mapping[str, str] = field(default_factory=dict[str, str])
    formats: tuple[str, ...] = ()
    unseen: Mapping[str, str] = field(default_factory=dict[str, str])
    from_1904: bool = False
    properties: Mapping[str, str] = field(default_factory=dict[str, str])

    def size(self, part: str) -> int:
        """Return the size of a part in bytes, by the archive's directory; 0 if it is missing."""
        with suppress(KeyError):
            return self.archive.getinfo(part).file_size
        return 0

    def chunks(self, part: str) -> Iterator[bytes]:
        """Yield a part in chunks of 1 MB."""
        with self.archive.open(part) as file:
            while chunk := file.read(_CHUNK_BYTES):
                yield chunk

    def open(self, part: str) -> IO[bytes]:
        """Open a part as a stream."""
        return self.archive.open(part)


def open_package(file: IO[bytes]) -> Package | None:
    """Open a package; return None for a file that is not one (XLS).

    Damaged parts are left out, as calamine reads the cells.
    """
    try:
        archive = zipfile.ZipFile(file)
    except zipfile.BadZipFile:
        return None
    workbook = _main_part(archive)
    root = parse(archive, workbook) if workbook else None
    targets = relations(archive, workbook) if workbook else {}
    sheets: dict[str, str] = {}
    for sheet in root.iter(f"{ANY}sheet") if root is not None else ():
        key = next((value for name, value in sheet.attrib.items() if name.endswith("}id")), "")
        if key in targets:
            sheets[sheet.get("name", "") or ""] = targets[key][0]
    settings = root.find(f"{ANY}workbookPr") if root is not None else None
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


def without_macro_sheets(data: bytes, package: Package) -> bytes:
    """Return a workbook that declares its macro sheets as charts: calamine lists those, and refuses the others."""
    parts = [part for part in package.archive.namelist() if part.endswith(_WORKBOOK_RELATIONS)]
    with suppress(*DAMAGED):
        if any(_MACRO_SHEET.search(package.archive.read(part)) for part in parts):
            copy = io.BytesIO()
            with zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as archive:
                for part in package.archive.namelist():
                    written = package.archive.read(part)
                    archive.writestr(part, _MACRO_SHEET.sub(_CHART_SHEET, written) if part in parts else written)
            return copy.getvalue()
    return data


def parse(archive: zipfile.ZipFile, part: str) -> Element | None:
    """Return the root element of a part; None if it is missing or damaged."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        return etree.fromstring(archive.read(part), parser)
    except DAMAGED:
        return None


DAMAGED = (KeyError, ValueError, RuntimeError, EOFError, OSError, SyntaxError, zipfile.error, zlib.error)
"""Exceptions of `zipfile`, `zlib` and lxml for missing, damaged, encrypted or unsupported parts."""


def relations(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str, bool]]:
    """Return a part's relations: id → target, kind (last word of the type), whether it is external."""
    folder, name = posixpath.split(part)
    root = parse(archive, posixpath.join(folder, "_rels", f"{name}.rels"))
    by_id: dict[str, tuple[str, str, bool]] = {}
    for relation in root if root is not None else ():
        target = relation.get("Target", "") or ""
        # Targets outside the package are URLs, the others paths relative to the part's folder.
        is_external = relation.get("TargetMode") == "External"
        if not is_external:
            target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
        by_id[relation.get("Id", "") or ""] = (target, posixpath.basename(relation.get("Type", "") or ""), is_external)
    return by_id


def of_kind(relations: Mapping[str, tuple[str, str, bool]], kind: str) -> list[str]:
    """Return the parts that relations of a kind (`comments`) lead to."""
    return [target for target, of, is_external in relations.values() if of == kind and not is_external]


def _main_part(archive: zipfile.ZipFile) -> str:
    kinds = relations(archive, "").values()
    return next((target for target, kind, _ in kinds if kind == "officeDocument"), "")


def _formats(root: Element | None) -> tuple[str, ...]:
    if root is None:
        return ()
    codes = dict(BUILTIN)
    for code in root.iter(f"{ANY}numFmt"):
        with suppress(ValueError):
            codes[int(code.get("numFmtId", "") or "")] = code.get("formatCode", "") or ""
    styles = root.find(f"{ANY}cellXfs")
    return tuple(_code(codes, style.get("numFmtId", "0")) for style in styles) if styles is not None else ()


def _code(codes: Mapping[int, str], number: str | None) -> str:
    try:
        return codes.get(int(number or 0), "")
    except ValueError:
        return ""


def _read_properties(archive: zipfile.ZipFile) -> dict[str, str]:
    properties: dict[str, str] = {}
    for part in ("docProps/core.xml", "meta.xml"):
        root = parse(archive, part)
        for element in root.iter() if root is not None else ():
            name = _PROPERTIES.get(str(element.tag).rpartition("}")[2])
            text = (element.text or "").strip()
            if name and text:
                properties.setdefault(name, text)
    return properties
