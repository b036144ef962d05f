"""How sources are printed: styles, and a source as Typst markup or HTML in a style."""

import html
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markdown_sources import Block, Cell, Source


@dataclass(frozen=True)
class Style:
    """A look.

    Attributes:
        name: Its name; a hash of it tells whether it is frozen.
        rules: Of tables: `booktabs` (three rules), `grid`, `rows` (rules between rows alone), `columns` (between
            columns alone), `header` (one rule below the header), `striped` or `none`.
        columns: Of text, 1 or 2.
        hyphenated: Words are broken at the ends of lines, which are justified.
        heads: Running heads with the title, and feet with the page number.
        tagged: The PDF has a structure tree.
        numbered: Headings have section numbers.
        size: Of the text, in points.
        sans: Without serifs.
        plain_headings: Headings are told by size alone, not by weight.
        shaded: Code stands on a grey ground.
    """

    name: str
    rules: str
    columns: int = 1
    hyphenated: bool = False
    heads: bool = False
    tagged: bool = False
    numbered: bool = False
    size: float = 10
    sans: bool = False
    plain_headings: bool = False
    shaded: bool = False

    @property
    def printer(self) -> str:
        """Name of the printer, with which a style's name begins."""
        return self.name.partition("-")[0]


STYLES = (
    Style("typst-article", "booktabs", hyphenated=True, heads=True),
    Style("typst-paper", "booktabs", columns=2, hyphenated=True, numbered=True, size=9),
    Style("typst-report", "header", heads=True, sans=True, numbered=True, shaded=True),
    Style("typst-manual", "grid", size=11, shaded=True, numbered=True),
    Style("typst-filing", "none", heads=True, hyphenated=True),
    Style("typst-brochure", "striped", sans=True, size=9.5),
    Style("typst-half", "rows", size=10.5, heads=True),
    Style("typst-ledger", "columns", size=9),
    Style("typst-thesis", "booktabs", size=12, heads=True, numbered=True, plain_headings=True),
    Style("typst-magazine", "rows", columns=2, hyphenated=True, heads=True, sans=True, size=9),
    Style("typst-accessible", "grid", tagged=True, heads=True),
    Style("typst-tagged-paper", "booktabs", columns=2, hyphenated=True, tagged=True),
    Style("weasyprint-plain", "none"),
    Style("weasyprint-booktabs", "booktabs", hyphenated=True, heads=True, size=11),
    Style("weasyprint-grid", "grid", sans=True, heads=True, shaded=True),
    Style("weasyprint-rows", "rows", sans=True, size=9),
    Style("weasyprint-striped", "striped", heads=True, numbered=True),
    Style("weasyprint-columns", "header", columns=2, hyphenated=True, heads=True, size=8.5),
    Style("weasyprint-tagged", "rows", tagged=True, sans=True),
    Style("weasyprint-lines", "columns", heads=True, plain_headings=True),
    Style("weasyprint-paper", "booktabs", columns=2, sans=True, size=8),
)
MARGIN_CM = 2.2
"""At each side of the page."""
HEADING_SIZES = (1.8, 1.45, 1.25, 1.1, 1.0, 1.0)
"""Relative to the text, by level."""
PLAIN_HEADING_SIZES = (2.2, 1.75, 1.5, 1.3, 1.3, 1.3)


def markup(source: Source, style: Style) -> str:
    """Return a source as what the style's printer reads."""
    return _typst(source, style) if style.printer == "typst" else _html(source, style)


def _typst(source: Source, style: Style) -> str:
    """Every text is a string literal, so that nothing has to be escaped."""
    font = "DejaVu Sans" if style.sans else "Libertinus Serif"
    sizes = PLAIN_HEADING_SIZES if style.plain_headings else HEADING_SIZES
    weight = "regular" if style.plain_headings else "bold"
    numbering = '"1"' if style.heads else "none"
    page = f"columns: {style.columns}, numbering: {numbering}"
    head = f", header: [{_string(source.name)} #h(1fr) {_string(style.name)}]" if style.heads else ""
    language = f'lang: "{source.language}", hyphenate: {_bool(style.hyphenated)}'
    ground = "fill: luma(240), inset: 4pt, " if style.shaded else ""
    lines = [
        f'#set page(paper: "a4", margin: {MARGIN_CM}cm, {page}{head})',
        f"#set text(font: {json.dumps(font)}, size: {style.size}pt, {language})",
        f"#set par(justify: {_bool(style.hyphenated)})",
        f"#show raw.where(block: true): it => block({ground}width: 100%, breakable: false, it)",
        *(['#set heading(numbering: "1.1")'] if style.numbered else []),
        *(
            f'#show heading.where(level: {level}): set text(size: {style.size * size}pt, weight: "{weight}")'
            for level, size in enumerate(sizes, 1)
        ),
        *(_typst_block(block, style) for block in source.blocks),
    ]
    return "\n\n".join(lines)


def _typst_block(block: Block, style: Style) -> str:
    if block.kind == "heading":
        return f"#heading(level: {block.level}, {json.dumps(block.text, ensure_ascii=False)})"
    if block.kind == "code":
        return f"#raw(block: true, {json.dumps(block.text, ensure_ascii=False)})"
    if block.kind == "table":
        return _typst_table(block, style)
    runs = "".join(f"#raw({json.dumps(t, ensure_ascii=False)})" if mono else _string(t) for t, mono in block.runs)
    if block.kind == "paragraph":
        return runs
    return f"#enum.item({int(block.label[:-1])})[{runs}]" if block.label else f"#list.item[{runs}]"


def _typst_table(block: Block, style: Style) -> str:
    columns = max(sum(cell.span for cell in row) for row in block.rows)
    last = block.header_rows
    rules = {
        "booktabs": "stroke: none",
        "grid": "stroke: 0.5pt",
        "rows": "stroke: (x: none, y: 0.5pt)",
        "columns": "stroke: (x: 0.5pt, y: none)",
        "header": "stroke: none",
        "striped": "stroke: none, fill: (_, y) => if calc.odd(y) { luma(235) }",
        "none": "stroke: none",
    }[style.rules]
    top = "table.hline(stroke: 1pt), " if style.rules == "booktabs" else ""
    below = "table.hline(stroke: 0.6pt), " if style.rules in ("booktabs", "header") else ""
    header = ", ".join(_typst_cell(cell, bold=True) for row in block.rows[:last] for cell in row)
    body = "".join(f"{_typst_cell(cell)}, " for row in block.rows[last:] for cell in row)
    aligned = ", ".join("left" if index in text_columns(block) else "right" for index in range(columns))
    return f"#table(columns: {columns}, align: ({aligned},), {rules}, {top}table.header({header}), {below}{body}{top})"


def text_columns(block: Block) -> set[int]:
    """Return the columns that are set from the left: all with letters in a body cell."""
    body = block.rows[block.header_rows :]
    return {index for row in body for index, cell in enumerate(row) if any(map(str.isalpha, cell.text))}


def _typst_cell(cell: Cell, *, bold: bool = False) -> str:
    text = f"[*{_string(cell.text)}*]" if bold and cell.text else f"[{_string(cell.text)}]"
    return f"table.cell(colspan: {cell.span}, align: center){text}" if cell.span > 1 else text


def _string(text: str) -> str:
    return f"#{json.dumps(text, ensure_ascii=False)}" if text else ""


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _html(source: Source, style: Style) -> str:
    head = f"<meta charset=utf-8><style>{_css(source, style)}</style>"
    elements = "".join(_elements(source.blocks))
    return f"<html lang={source.language}>{head}<body>{elements}</body></html>"


def _css(source: Source, style: Style) -> str:
    sizes = PLAIN_HEADING_SIZES if style.plain_headings else HEADING_SIZES
    rules = {
        "booktabs": "table{border-top:1pt solid;border-bottom:1pt solid} thead{border-bottom:.6pt solid}",
        "grid": "td,th{border:.5pt solid #888}",
        "rows": "tr{border-bottom:.5pt solid #888}",
        "columns": "td+td,th+th{border-left:.5pt solid #888}",
        "header": "thead{border-bottom:.6pt solid}",
        "striped": "tbody tr:nth-child(odd){background:#ebebeb}",
        "none": "",
    }[style.rules]
    font = f"DejaVu {'Sans' if style.sans else 'Serif'}"
    heads = f"font-size:8pt;@top-left{{content:{json.dumps(source.name)}}}@bottom-center{{content:counter(page)}}"
    return "".join((
        f"@page{{size:A4;margin:{MARGIN_CM}cm;{heads if style.heads else ''}}}",
        f"body{{font:{style.size}pt '{font}';columns:{style.columns}}}",
        "body{hyphens:auto;text-align:justify}" if style.hyphenated else "",
        *(f"h{level}{{font-size:{size}em}}" for level, size in enumerate(sizes, 1)),
        "h1,h2,h3,h4,h5,h6{font-weight:normal}" if style.plain_headings else "",
        _section_numbers() if style.numbered else "",
        "table{border-collapse:collapse} td,th{padding:2pt 5pt;text-align:left;vertical-align:top}",
        # In narrow columns tables would run over the text beside them, and rows over the ends of columns.
        f"td,th{{padding:2pt {0.37 if style.sans else 0.45}em}} tr{{break-inside:avoid}}" if style.columns > 1 else "",
        "td.n,th.n{text-align:right} th.s{text-align:center}",
        "pre,code{font-family:'DejaVu Sans Mono';font-size:.9em}",
        "pre{break-inside:avoid;text-align:left;hyphens:manual}",
        "pre{background:#eee;padding:4pt}" if style.shaded else "",
        rules,
    ))  # fmt: skip


def _section_numbers() -> str:
    rules = ["body{counter-reset:h1}"]
    for level in range(1, 7):
        number = " '.' ".join(f"counter(h{upper})" for upper in range(1, level + 1))
        rules.append(f"h{level}{{counter-increment:h{level};counter-reset:h{level + 1}}}")
        rules.append(f"h{level}::before{{content:{number} ' '}}")
    return "".join(rules)


def _elements(blocks: Sequence[Block]) -> Iterable[str]:
    for block in blocks:
        runs = "".join(f"<code>{html.escape(t)}</code>" if mono else html.escape(t) for t, mono in block.runs)
        if block.kind == "heading":
            yield f"<h{block.level}>{runs}</h{block.level}>"
        elif block.kind == "code":
            yield f"<pre>{html.escape(block.text)}</pre>"
        elif block.kind == "table":
            yield _html_table(block)
        elif block.kind == "paragraph":
            yield f"<p>{runs}</p>"
        else:
            yield f"<ol start={block.label[:-1]}><li>{runs}</li></ol>" if block.label else f"<ul><li>{runs}</li></ul>"


def _html_table(block: Block) -> str:
    texts = text_columns(block)

    def row(cells: Sequence[Cell], tag: str) -> str:
        parts: list[str] = []
        column = 0
        for cell in cells:
            kind = "s" if cell.span > 1 else "" if column in texts else "n"
            parts.append(f"<{tag} class='{kind}' colspan={cell.span}>{html.escape(cell.text)}</{tag}>")
            column += cell.span
        return f"<tr>{''.join(parts)}</tr>"

    head = "".join(row(cells, "th") for cells in block.rows[: block.header_rows])
    return f"<table><thead>{head}</thead>{''.join(row(c, 'td') for c in block.rows[block.header_rows :])}</table>"
