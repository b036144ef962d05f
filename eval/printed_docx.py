"""A source as DOCX in a style, which LibreOffice prints: paragraph styles, Word's table styles, literal numbers."""

from io import BytesIO

from docx import Document
from docx.document import Document as DocxDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.table import _Cell

from printed_looks import look_of
from printed_sources import Block, Source
from printed_styles import Style, text_columns

TABLE_STYLES = {
    "grid": "Table Grid",
    "none": "Normal Table",
    "dark": "Medium Shading 1 Accent 1",
    "striped": "Light Shading",
    "frame": "Light List",
    "lined": "Light Grid Accent 1",
}
"""Word's table styles by the rules of a style."""
ALIGNMENTS = {
    "left": WD_ALIGN_PARAGRAPH.LEFT,
    "center": WD_ALIGN_PARAGRAPH.CENTER,
    "right": WD_ALIGN_PARAGRAPH.RIGHT,
}
CODE_FONT = "Liberation Mono"


def docx(source: Source, style: Style) -> bytes:
    """Return a source as a DOCX file."""
    document = Document()
    _set_styles(document, style)
    numbers: list[int] = []
    for block in source.blocks:
        if block.kind == "heading":
            numbers = [*numbers, *[0] * block.level][: block.level]
            numbers[-1] += 1
            number = ".".join(map(str, numbers)) + " " if style.numbered else ""
            document.add_heading(f"{number}{block.text}", block.level)
        elif block.kind == "code":
            _add_code(document, block, style)
        elif block.kind == "table":
            _add_table(document, block, style)
        else:
            name = "Normal" if block.kind == "paragraph" else "Normal" if block.label else "List Bullet"
            paragraph = document.add_paragraph(f"{block.label} " if block.label else "", style=name)
            for text, mono in block.runs:
                paragraph.add_run(text).font.name = CODE_FONT if mono else style.font
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def _set_styles(document: DocxDocument, style: Style) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(style.margin_cm)
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = style.font, Pt(style.size)
    if style.heads:
        section.header.paragraphs[0].text = style.name
    for level in range(1, 7):
        look, named = look_of(style.headings, level), document.styles[f"Heading {level}"]
        font = named.font
        fonts = named.element.rPr.rFonts
        for attribute in list(fonts.attrib):
            del fonts.attrib[attribute]
        font.name, font.size = style.font, Pt(style.size * look.size)
        font.bold, font.italic = look.bold, look.italic
        font.all_caps, font.small_caps = look.case == "upper", look.case == "small"
        font.color.rgb = RGBColor.from_string(look.colour.upper() or "000000")
        named.paragraph_format.alignment = ALIGNMENTS[look.align]


def _add_code(document: DocxDocument, block: Block, style: Style) -> None:
    paragraph = document.add_paragraph()
    paragraph.paragraph_format.keep_together = True
    for number, line in enumerate(block.text.split("\n")):
        run = paragraph.add_run(line)
        run.font.name, run.font.size = CODE_FONT, Pt(style.size * (0.8 if style.code == "small" else 0.9))
        if number < block.text.count("\n"):
            run.add_break()
    if style.shaded or style.code == "framed":
        _decorate(paragraph._p.get_or_add_pPr(), shaded=style.shaded)  # noqa: SLF001 - python-docx has no shading


def _decorate(properties: object, *, shaded: bool) -> None:
    if shaded:
        child = OxmlElement("w:shd")
        child.set(qn("w:val"), "clear")
        child.set(qn("w:fill"), "EEEEEE")
    else:
        child = OxmlElement("w:pBdr")
        for side in ("top", "left", "bottom", "right"):
            border = OxmlElement(f"w:{side}")
            border.set(qn("w:val"), "single")
            border.set(qn("w:sz"), "4")
            child.append(border)
    properties.append(child)  # type: ignore[attr-defined]


def _add_table(document: DocxDocument, block: Block, style: Style) -> None:
    columns = max(sum(cell.span for cell in row) for row in block.rows)
    table = document.add_table(len(block.rows), columns, style=TABLE_STYLES[style.rules])
    texts = text_columns(block)
    for number, row in enumerate(block.rows):
        cells, column = table.rows[number].cells, 0
        for cell in row:
            target = cells[column]
            if cell.span > 1:
                target = target.merge(cells[column + cell.span - 1])
            _fill(target, cell.text, bold=number < block.header_rows, left=column in texts and cell.span == 1)
            column += cell.span
    document.add_paragraph()


def _fill(cell: _Cell, text: str, *, bold: bool, left: bool) -> None:
    paragraph = cell.paragraphs[0]
    paragraph.alignment = ALIGNMENTS["left" if left else "right"]
    paragraph.add_run(text).bold = bold or None
