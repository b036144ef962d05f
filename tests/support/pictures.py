"""Pictures for the tests."""

import io
from collections.abc import Mapping
from typing import Any

from docx import Document
from docx.shared import Inches
from PIL import Image, PngImagePlugin
from pptx import Presentation

from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Box
from pincite.model.recognition import RecognisedPicture

PNG_HEAD = b"\x89PNG\r\n\x1a\n" + bytes(20)
"""The mark of a PNG file, and no picture."""


def picture(
    text: Mapping[str, str] | None = None, kind: str = "PNG", size: tuple[int, int] = (60, 40), **save: Any
) -> bytes:
    """A picture with text of PNG, or what else its format can keep."""
    info = PngImagePlugin.PngInfo()
    for key, value in (text or {}).items():
        info.add_itxt(key, value)
    buffer = io.BytesIO()
    extra = {"pnginfo": info, **save} if kind == "PNG" else save
    Image.effect_noise(size, 50).save(buffer, kind, **extra)
    return buffer.getvalue()


def in_document(*data: bytes, in_cell: bytes = b"") -> bytes:
    """A Word document with pictures between two paragraphs, and one in a cell of a table."""
    document = Document()
    document.add_heading("Keys", 1)
    document.add_paragraph("Before.")
    for picture in data:
        document.add_picture(io.BytesIO(picture), width=Inches(2))
    if in_cell:
        cell = document.add_table(1, 1).cell(0, 0)
        cell.text = "In the cell"
        cell.paragraphs[0].add_run().add_picture(io.BytesIO(in_cell), width=Inches(2))
    document.add_paragraph("After.")
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def in_slides(*data: bytes) -> bytes:
    """A presentation with each picture on a slide of its own."""
    made: Any = Presentation()
    for number, picture in enumerate(data, 1):
        slide = made.slides.add_slide(made.slide_layouts[5])
        slide.shapes.title.text_frame.text = f"Title {number}"
        slide.shapes.add_picture(io.BytesIO(picture), Inches(1), Inches(2))
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def recognised(name: str, *lines: str, problem: str = "") -> RecognisedPicture:
    """A picture whose text was recognised, each line as a paragraph 20 points below the one before."""
    if not lines:
        return RecognisedPicture(name, problem=problem)
    writer = PageWriter(100)
    for number, line in enumerate(lines):
        writer.paragraph(line, boxes=[Box(10, 20 * number, 90, 20 * number + 12)])
    return RecognisedPicture(name, writer.page(), 0.97)
