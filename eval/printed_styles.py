"""How sources are printed: styles, and a source as Typst markup or HTML in a style."""

import html
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from printed_looks import Look, look_of
from printed_sources import Block, Cell, Source


@dataclass(frozen=True)
class Style:
    """A look.

    Attributes:
        name: Its name; a hash of it tells whether it is frozen.
        rules: Of tables: `booktabs` (three rules), `grid`, `rows` (rules between rows alone), `columns` (between
            columns alone), `header` (one rule below the header), `striped` or `none`.
        columns: Of text, 1, 2 or 3; three are printed on pages that are wider than high.
        hyphenated: Words are broken at the ends of lines, which are justified.
        heads: Running heads with the title, and feet with the page number.
        tagged: The PDF has a structure tree.
        numbered: Headings have section numbers.
        size: Of the text, in points.
        sans: Without serifs.
        plain_headings: Headings are told by size alone, not by weight.
        shaded: Code stands on a grey ground.
        font: Of the text; empty for the printer's with or without serifs.
        margin_cm: At each side of the page.
        code_columns: Characters of a line of code that fit; 0 for those of `MAX_CODE_COLUMNS`.
        headings: Manner of `printed_looks.LOOKS`; empty for sizes alone.
        code: `numbered` lines, `framed`, `dark`, `small`, or empty.
        centred: Cells of numbers are centred, not set from the right.
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
    font: str = ""
    margin_cm: float = 2.2
    code_columns: int = 0
    headings: str = ""
    code: str = ""
    centred: bool = False

    @property
    def printer(self) -> str:
        """Name of the printer, with which a style's name begins."""
        return self.name.partition("-")[0]

    @property
    def is_landscape(self) -> bool:
        """True if the page is wider than high."""
        return self.columns > 2  # noqa: PLR2004 - three columns of an upright page hold no table


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
HEADING_SIZES = (1.8, 1.45, 1.25, 1.1, 1.0, 1.0)
"""Relative to the text, by level."""
PLAIN_HEADING_SIZES = (2.2, 1.75, 1.5, 1.3, 1.3, 1.3)


def markup(source: Source, style: Style) -> str:
    """Return a source as what the style's printer reads."""
    return _typst(source, style) if style.printer == "typst" else _html(source, style)


def _typst(source: Source, style: Style) -> str:
    """Every text is a string literal, so that nothing has to be escaped."""
    font = style.font or ("DejaVu Sans" if style.sans else "Libertinus Serif")
    sizes = PLAIN_HEADING_SIZES if style.plain_headings else HEADING_SIZES
    weight = "regular" if style.plain_headings else "bold"
    numbering = '"1"' if style.heads else "none"
    page = f"columns: {style.columns}, numbering: {numbering}"
    head = f", header: [{_string(source.name)} #h(1fr) {_string(style.name)}]" if style.heads else ""
    paper = '"a4", flipped: true' if style.is_landscape else '"a4"'
    language = f'lang: "{source.language}", hyphenate: {_bool(style.hyphenated)}'
    ground = "fill: luma(240), inset: 4pt, " if style.shaded else ""
    lines = [
        f"#set page(paper: {paper}, margin: {style.margin_cm}cm, {page}{head})",
        f"#set text(font: {json.dumps(font)}, size: {style.size}pt, {language})",
        f"#set par(justify: {_bool(style.hyphenated)})",
        *_typst_code(style, ground),
        *(['#set heading(numbering: "1.1")'] if style.numbered else []),
        *(
            _typst_look(level, look_of(style.headings, level), style)
            if style.headings
            else f'#show heading.where(level: {level}): set text(size: {style.size * size}pt, weight: "{weight}")'
            for level, size in enumerate(sizes, 1)
        ),
        *(_typst_block(block, style) for block in source.blocks),
    ]
    return "\n\n".join(lines)


def _typst_code(style: Style, ground: str) -> Iterator[str]:
    ground = {
        "framed": "stroke: 0.5pt, inset: 4pt, ",
        "dark": 'fill: rgb("2b2b2b"), inset: 5pt, ',
    }.get(style.code, ground)
    block = "#show raw.where(block: true): "
    yield f"{block}it => block({ground}width: 100%, breakable: false, it)"
    if style.code == "small":
        yield f"{block}set text(size: 0.85em)"
    elif style.code == "dark":
        yield f"{block}set text(fill: white)"
    elif style.code == "numbered":
        number = "#box(width: 1.6em, align(right, text(fill: luma(120), str(line.number))))#h(0.8em)#line.body"
        yield f"{block}it => {{ show raw.line: line => [{number}]; it }}"


def _typst_look(level: int, look: Look, style: Style) -> str:
    shown = f"#show heading.where(level: {level}): "
    weight, slant = "bold" if look.bold else "regular", "italic" if look.italic else "normal"
    text = (
        f'size: {style.size * look.size}pt, weight: "{weight}", style: "{slant}", fill: rgb("{look.colour or "000"}")'
    )
    rules = [f"{shown}set text({text})", f"{shown}set align({look.align})"]
    if look.case:
        rules.append(f"{shown}it => {{ show text: {'upper' if look.case == 'upper' else 'smallcaps'}; it }}")
    return "\n".join(rules)


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
        "frame": "stroke: (x, y) => (left: if x == 0 { 0.6pt }, right: if x == COLUMNS { 0.6pt }, rest: none)",
        "dark": 'stroke: none, fill: (_, y) => if y < HEADER { rgb("243b53") }',
        "lined": 'stroke: (x: none, y: (paint: luma(170), thickness: 0.4pt, dash: "dotted"))',
        "none": "stroke: none",
    }[style.rules]
    rules = rules.replace("COLUMNS", str(columns - 1)).replace("HEADER", str(last))
    top = {"booktabs": "table.hline(stroke: 1pt), ", "frame": "table.hline(stroke: 0.6pt), "}.get(style.rules, "")
    below = "table.hline(stroke: 0.6pt), " if style.rules in ("booktabs", "header", "frame") else ""
    bottom = top
    white = style.rules == "dark"
    header = ", ".join(_typst_cell(cell, bold=True, white=white) for row in block.rows[:last] for cell in row)
    body = "".join(f"{_typst_cell(cell)}, " for row in block.rows[last:] for cell in row)
    other = "center" if style.centred else "right"
    aligned = ", ".join("left" if index in text_columns(block) else other for index in range(columns))
    return (
        f"#table(columns: {columns}, align: ({aligned},), {rules}, {top}table.header({header}), {below}{body}{bottom})"
    )


def text_columns(block: Block) -> set[int]:
    """Return the columns that are set from the left: all with letters in a body cell."""
    body = block.rows[block.header_rows :]
    return {index for row in body for index, cell in enumerate(row) if any(map(str.isalpha, cell.text))}


def _typst_cell(cell: Cell, *, bold: bool = False, white: bool = False) -> str:
    text = f"[*{_string(cell.text)}*]" if bold and cell.text else f"[{_string(cell.text)}]"
    text = f"text(fill: white){text}" if white else text
    if white:
        return f"table.cell(colspan: {cell.span}{', align: center' if cell.span > 1 else ''}, {text})"
    return f"table.cell(colspan: {cell.span}, align: center){text}" if cell.span > 1 else text


def _string(text: str) -> str:
    return f"#{json.dumps(text, ensure_ascii=False)}" if text else ""


def _bool(value: bool) -> str:
    return "true" if value else "false"


def _html(source: Source, style: Style) -> str:
    head = f"<meta charset=utf-8><style>{_css(source, style)}</style>"
    elements = "".join(_elements(source.blocks, numbered=style.code == "numbered"))
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
        "frame": "table{border:.6pt solid} thead{border-bottom:.6pt solid}",
        "dark": "thead th{background:#243b53;color:#fff}",
        "lined": "tr{border-bottom:.4pt dashed #aaa}",
        "none": "",
    }[style.rules]
    font = style.font or f"DejaVu {'Sans' if style.sans else 'Serif'}"
    paper = "A4 landscape" if style.is_landscape else "A4"
    # Chromium prints a single page of one column that is set as columns.
    columns = f";columns:{style.columns}" if style.columns > 1 or style.printer != "chromium" else ""
    heads = f"font-size:8pt;@top-left{{content:{json.dumps(source.name)}}}@bottom-center{{content:counter(page)}}"
    return "".join((
        f"@page{{size:{paper};margin:{style.margin_cm}cm;{heads if style.heads else ''}}}",
        f"body{{font:{style.size}pt '{font}'{columns}}}",
        "body{hyphens:auto;text-align:justify}" if style.hyphenated else "",
        *(f"h{level}{{font-size:{size}em}}" for level, size in enumerate(sizes, 1)),
        "h1,h2,h3,h4,h5,h6{font-weight:normal}" if style.plain_headings else "",
        *(_css_look(level, look_of(style.headings, level)) for level in range(1, 7) if style.headings),
        _section_numbers() if style.numbered else "",
        "table{border-collapse:collapse} td,th{padding:2pt 5pt;text-align:left;vertical-align:top}",
        # In narrow columns tables would run over the text beside them, and rows over the ends of columns.
        f"td,th{{padding:2pt {0.37 if style.sans else 0.45}em}} tr{{break-inside:avoid}}" if style.columns > 1 else "",
        "td.n,th.n{text-align:right} th.s{text-align:center}",
        "pre,code{font-family:'DejaVu Sans Mono';font-size:.9em}",
        "pre{break-inside:avoid;text-align:left;hyphens:manual}",
        "pre{background:#eee;padding:4pt}" if style.shaded else "",
        _CSS_CODE[style.code],
        "td.n,th.n{text-align:center}" if style.centred else "",
        # Typst breaks words that are wider than their cell, too.
        "td:not(.n){overflow-wrap:anywhere} td.n{white-space:nowrap}" if style.headings and style.columns > 1 else "",
        rules,
    ))  # fmt: skip


_CSS_CODE = {
    "": "",
    "numbered": (
        "pre{counter-reset:line} pre span{counter-increment:line}"
        " pre span::before{content:counter(line);display:inline-block;width:1.6em;margin-right:.8em;"
        "text-align:right;color:#888}"
    ),
    "framed": "pre{border:.5pt solid;padding:4pt}",
    "dark": "pre{background:#2b2b2b;color:#fff;padding:5pt}",
    "small": "pre{font-size:.75em}",
}


def _css_look(level: int, look: Look) -> str:
    case = {"upper": "text-transform:uppercase", "small": "font-variant:small-caps", "": ""}[look.case]
    run_in = f"h{level}:has(+p),h{level}+p{{display:inline}} h{level}+p::before{{content:' '}}" if look.run_in else ""
    return (
        f"h{level}{{font-size:{look.size}em;font-weight:{'bold' if look.bold else 'normal'};"
        f"font-style:{'italic' if look.italic else 'normal'};text-align:{look.align};"
        f"color:#{look.colour or '000'};{case}}}{run_in}"
    )


def _section_numbers() -> str:
    rules = ["body{counter-reset:h1}"]
    for level in range(1, 7):
        number = " '.' ".join(f"counter(h{upper})" for upper in range(1, level + 1))
        rules.append(f"h{level}{{counter-increment:h{level};counter-reset:h{level + 1}}}")
        rules.append(f"h{level}::before{{content:{number} ' '}}")
    return "".join(rules)


def _elements(blocks: Sequence[Block], *, numbered: bool) -> Iterable[str]:
    for block in blocks:
        runs = "".join(f"<code>{html.escape(t)}</code>" if mono else html.escape(t) for t, mono in block.runs)
        if block.kind == "heading":
            yield f"<h{block.level}>{runs}</h{block.level}>"
        elif block.kind == "code":
            lines = html.escape(block.text).split("\n")
            code = "\n".join(f"<span>{line}</span>" if numbered else line for line in lines)
            yield f"<pre>{code}</pre>"
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
