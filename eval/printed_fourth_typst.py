"""A source of the fourth set as Typst markup: the design's preamble sets the page and defines `tbl` and `listing`."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from printed_sources import Block, Cell, Source
from printed_styles import text_columns

if TYPE_CHECKING:
    from printed_fourth import Design

_BASE = """
#let listing(it) = block(width: 100%, breakable: false, it)
#let tbl(n, aligns, header, ..body) = table(columns: n, align: aligns, table.header(..header), ..body)
#let quotation(it) = block(inset: (x: 1.5em), it)
#let margin-note(it) = none
#let term(name, it) = [/ #name: #it]
#let legend(it) = par(it)
"""


def markup(source: Source, design: "Design") -> str:
    """Return a source as Typst markup; every text is a string literal, so that nothing has to be escaped."""
    direction = "rtl" if source.language in ("ar", "he") else "ltr"
    language = f'#set text(lang: "{source.language}", dir: {direction})'
    return "\n\n".join([_BASE, design.preamble, language, *_blocks(source, design)])


def _blocks(source: Source, design: "Design") -> Iterator[str]:
    for index, block in enumerate(source.blocks):
        following = source.blocks[index + 1] if index + 1 < len(source.blocks) else None
        runs = "".join(f"#raw({_literal(t)})" if mono else _text(t) for t, mono in block.runs)
        if following is not None and following.kind == "footnote":
            runs += f"#footnote[{_text(following.text)}]"
        if block.kind == "heading":
            function = f"title({block.level}" if "untitled" in design.flags else f"heading(level: {block.level}"
            yield f"#{function}, {_literal(block.text)})"
        elif block.kind == "code":
            yield f"#listing(raw(block: true, {_literal(block.text)}))"
        elif block.kind == "table":
            yield _table(block, design)
        elif block.kind == "item":
            yield f"#enum.item({int(block.label[:-1])})[{runs}]" if block.label else f"#list.item[{runs}]"
        elif block.kind == "definition":
            yield f"#term({_literal(block.label)})[{runs}]"
        elif block.kind == "figure":
            boxes = ", ".join(f"box(stroke: .6pt, inset: 5pt)[{_text(label)}]" for label in block.text.split("\n"))
            yield f"#block(breakable: false, stack(dir: ltr, spacing: 1.2em, {boxes}))"
        elif block.kind != "footnote":
            function = {"quote": "#quotation", "note": "#margin-note", "caption": "#legend"}.get(block.kind, "#par")
            yield f"{function}[{runs}]"


def _table(block: Block, design: "Design") -> str:
    columns = max(sum(cell.span for cell in row) for row in block.rows)
    turned = "rotated" in design.flags and columns > 3 and block.header_rows == 1  # noqa: PLR2004
    aligned = ", ".join("left" if index in text_columns(block) else "right" for index in range(columns))
    header = [
        _cell(cell, header=True, turned=turned and at > 0)
        for row in block.rows[: block.header_rows]
        for at, cell in enumerate(row)
    ]
    body = [_cell(cell) for row in block.rows[block.header_rows :] for cell in row]
    return f"#tbl({columns}, ({aligned},), ({', '.join(header)},), {', '.join(body)})"


def _cell(cell: Cell, *, header: bool = False, turned: bool = False) -> str:
    lines = r" \ ".join(_text(line) for line in cell.text.split("\n"))
    text = f"[{lines}]"
    if turned:
        text = f"rotate(-90deg, reflow: true){text}"
    return f"table.cell(colspan: {cell.span}, align: center, {text})" if cell.span > 1 and header else text


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _text(text: str) -> str:
    return f"#{_literal(text)}" if text else ""
