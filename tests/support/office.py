"""Office files, made in memory: real ones by the libraries, containers by hand."""

import io
import zipfile
from collections.abc import Mapping
from struct import pack
from typing import Any, Protocol, cast

import openpyxl
from docx import Document
from pptx import Presentation

CONTENT_TYPES = b'<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


def docx(text: str = "The keys are rotated monthly.") -> bytes:
    document = Document()
    document.add_heading("Keys", 1)
    document.add_paragraph(text)
    table = document.add_table(2, 2)
    for number, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = f"cell {number}"
    return _saved(document)


def pptx() -> bytes:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    for shape, text in zip(cast("Any", slide.placeholders), ("Keys", "Rotate them"), strict=True):
        shape.text_frame.text = text
    return _saved(presentation)


def xlsx() -> bytes:
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    assert sheet is not None
    for row in (("name", "quantity"), ("bolt", 3), ("nut", 5)):
        sheet.append(row)
    return _saved(workbook)


def packed(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these members, in their order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data, zipfile.ZIP_STORED if name == "mimetype" else method)
    return buffer.getvalue()


def changed(archive: bytes, members: Mapping[str, bytes]) -> bytes:
    """A zip with these members put in the place of its own, or added."""
    with zipfile.ZipFile(io.BytesIO(archive)) as read:
        return packed({**{name: read.read(name) for name in read.namelist()}, **members})


def ole(*streams: str, embedded: str = "") -> bytes:
    """A compound file whose root holds empty streams of these names; `embedded` lies in a storage below."""
    entries = [("Root Entry", 5, 1)]
    entries += [(name, 2, number + 1) for number, name in enumerate(streams, 1)]
    if embedded:
        entries += [("ObjectPool", 1, 0xFFFFFFFF), (embedded, 2, 0xFFFFFFFF)]
    directory = b""
    for number, (name, kind, following) in enumerate(entries):
        encoded = name.encode("utf-16-le")
        right = following if 0 < number < len(streams) + bool(embedded) else 0xFFFFFFFF
        child = 1 if number == 0 else len(entries) - 1 if name == "ObjectPool" else 0xFFFFFFFF
        directory += encoded.ljust(64, b"\0") + pack("<HBB", len(encoded) + 2, kind, 1)
        directory += pack("<III", 0xFFFFFFFF, right, child) + bytes(48)
    sectors = -(-len(directory) // 512)
    chain = [*range(2, sectors + 1), 0xFFFFFFFE]
    table = pack("<I", 0xFFFFFFFD) + b"".join(pack("<I", number) for number in chain)
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + pack("<HHHHH", 62, 3, 0xFFFE, 9, 6) + bytes(6)
    header += pack("<III", 0, 1, 1) + pack("<III", 0, 4096, 0xFFFFFFFE) + pack("<III", 0, 0xFFFFFFFE, 0)
    header += pack("<I", 0) + b"\xff" * (4 * 108)
    return header + table.ljust(512, b"\xff") + directory.ljust(512 * sectors, b"\0")


class _Saved(Protocol):
    def save(self, stream: io.BytesIO, /) -> object: ...


def _saved(made: _Saved) -> bytes:
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()
