"""A source of the fourth set as DOCX, which LibreOffice prints: measures, fonts and table styles by the design."""

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor

from printed_sources import Block, Source
from printed_styles import text_columns

if TYPE_CHECKING:
    from printed_fourth import Design

CODE_FONT = "Liberation Mono"
LARGE_TITLES = 2
"""Levels of headings whose manner may be centred, ruled or in capitals."""


def docx(source: Source, design: "Design") -> bytes:
    """Return a source as a DOCX file; the design's preamble is JSON."""
    settings: dict[str, Any] = json.loads(design.preamble)
    document = Document()
    _set_page(document, settings, source)
    _set_titles(document, settings.get("titles", ""))
    numbers: list[int] = []
    for block in source.blocks:
        if block.kind == "heading":
            numbers = [*numbers, *[0] * block.level][: block.level]
            numbers[-1] += 1
            number = ".".join(map(str, numbers)) + "\t" if "numbered" in design.flags else ""
            document.add_heading(f"{number}{block.text}", block.level)
        elif block.kind == "code":
            _add_code(document, block, settings)
        elif block.kind == "table":
            _add_table(document, block, settings)
        else:
            _add_paragraph(document, block, settings)
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def _set_page(document: Any, settings: dict[str, Any], source: Source) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = (Cm(side) for side in settings["page"])
    section.left_margin = section.right_margin = Cm(settings["margin"])
    columns = section._sectPr.xpath("./w:cols")[0]  # noqa: SLF001 - python-docx has no columns
    columns.set(qn("w:num"), str(settings.get("columns", 1)))
    section.header.paragraphs[0].text = settings.get("header", "").format(source=source.name)
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = settings["font"], Pt(settings["size"])
    if settings.get("justified"):
        normal.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.JUSTIFY
    if "leading" in settings:
        normal.paragraph_format.line_spacing = settings["leading"]
    for level, (size, bold, colour) in enumerate(settings["headings"], 1):
        named = document.styles[f"Heading {level}"]
        fonts = named.element.rPr.rFonts
        for attribute in list(fonts.attrib):
            del fonts.attrib[attribute]
        named.font.name, named.font.size, named.font.bold = settings["font"], Pt(size), bold
        named.font.italic = False
        named.font.color.rgb = RGBColor.from_string(colour)
        named.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.LEFT


def _set_titles(document: Any, manner: str) -> None:
    for level in range(1, LARGE_TITLES + 1):
        named = document.styles[f"Heading {level}"]
        if manner == "centred":
            named.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
        elif manner == "capitals":
            named.font.all_caps = True
        elif manner == "ruled":
            borders, below = OxmlElement("w:pBdr"), OxmlElement("w:bottom")
            for name, value in (("val", "single"), ("sz", "6"), ("space", "1"), ("color", "808080")):
                below.set(qn(f"w:{name}"), value)
            borders.append(below)
            named.element.get_or_add_pPr().append(borders)


def _add_paragraph(document: Any, block: Block, settings: dict[str, Any]) -> None:
    names = {"quote": "Intense Quote", "caption": "Caption"}
    bullet = block.kind == "item" and not block.label
    paragraph = document.add_paragraph(style="List Bullet" if bullet else names.get(block.kind, "Normal"))
    if block.label:
        paragraph.add_run(f"{block.label} ").bold = block.kind == "definition" or None
    for text, mono in block.runs:
        paragraph.add_run(text).font.name = CODE_FONT if mono else settings["font"]


def _add_code(document: Any, block: Block, settings: dict[str, Any]) -> None:
    lines = block.text.split("\n")
    for number, line in enumerate(lines):
        paragraph = document.add_paragraph()
        paragraph.alignment = WD_ALIGN_PARAGRAPH.LEFT
        form = paragraph.paragraph_format
        form.space_after, form.space_before = Pt(8 if number == len(lines) - 1 else 0), Pt(0)
        form.line_spacing = 1.0
        form.keep_with_next = number < len(lines) - 1
        run = paragraph.add_run(line)
        run.font.name, run.font.size = CODE_FONT, Pt(settings["size"] * 0.85)
        if settings.get("shaded"):
            shade = OxmlElement("w:shd")
            shade.set(qn("w:val"), "clear")
            shade.set(qn("w:fill"), "EFEFEF")
            paragraph._p.get_or_add_pPr().append(shade)  # noqa: SLF001 - python-docx has no shading


def _add_table(document: Any, block: Block, settings: dict[str, Any]) -> None:
    columns = max(sum(cell.span for cell in row) for row in block.rows)
    texts = text_columns(block)
    count = settings.get("columns", 1)
    room = (settings["page"][0] - 2 * settings["margin"] - 1.3 * (count - 1)) / count
    shares = _shares(block, columns) if "cell_size" in settings else [1 / columns] * columns
    table = document.add_table(len(block.rows), columns, style=settings["table"])
    table.autofit = False
    for grid_column, share in zip(table.columns, shares, strict=True):
        grid_column.width = Cm(room * share)
    for number, row in enumerate(block.rows):
        cells, column = table.rows[number].cells, 0
        marks = ["w:cantSplit"] if settings.get("whole_rows") else []
        marks += ["w:tblHeader"] if settings.get("repeated") and number < block.header_rows else []
        for mark in marks:
            table.rows[number]._tr.get_or_add_trPr().append(OxmlElement(mark))  # noqa: SLF001 - python-docx has none
        for cell in row:
            target = cells[column]
            target.width = Cm(room * shares[column])
            if cell.span > 1:
                target = target.merge(cells[column + cell.span - 1])
            paragraph = target.paragraphs[0]
            is_text = column in texts and cell.span == 1
            paragraph.alignment = WD_ALIGN_PARAGRAPH.LEFT if is_text else WD_ALIGN_PARAGRAPH.RIGHT
            paragraph.paragraph_format.space_after = Pt(settings.get("cell_space", 0))
            run = paragraph.add_run(cell.text)
            run.bold = number < block.header_rows or None
            if "cell_size" in settings:
                run.font.size = Pt(settings["cell_size"])
            column += cell.span
    document.add_paragraph()


def _shares(block: Block, columns: int) -> list[float]:
    """Return widths by which no word is broken, unless the words are wider than the table."""
    weights = [1.0] * columns
    for row in block.rows:
        for at, cell in enumerate(row if len(row) == columns else ()):
            longest = max(map(len, cell.text.split()), default=0)
            # Four letters' room for the margins of a cell.
            weights[at] = max(weights[at], longest + 4, min(len(cell.text), 60) / 3)
    return [weight / sum(weights) for weight in weights]
