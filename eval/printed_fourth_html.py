"""A source of the fourth set as HTML: the design's CSS does all but the numbers of headings and the marks of notes."""

import html
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from printed_sources import Block, Cell, Source
from printed_styles import text_columns

if TYPE_CHECKING:
    from printed_fourth import Design

_BASE = """
*{box-sizing:border-box} body{margin:0} table{border-collapse:collapse;margin:6pt 0}
td,th{text-align:left;vertical-align:top;padding:2pt 6pt} td.n,th.n{text-align:right} th.s{text-align:center}
td.n{white-space:nowrap} tr{break-inside:avoid} thead{display:table-header-group}
h1,h2,h3,h4,h5,h6,.caption.above{break-after:avoid} figure{margin:8pt 0;break-inside:avoid}
pre{break-inside:avoid;hyphens:manual;text-align:left;white-space:pre-wrap} ol,ul{margin:3pt 0}
"""


def page(source: Source, design: "Design") -> str:
    """Return a source as a page of HTML."""
    right_to_left = " dir=rtl" if source.language in ("ar", "he") else ""
    elements = "".join(_elements(source, design))
    css = f"{_BASE}{design.preamble}"
    if design.flags & {"untitled", "flat"}:
        css = re.sub(r"\bh([1-6])\b", r".h\1", css)
    return (
        f"<!doctype html><html lang={source.language}{right_to_left}>"
        f"<meta charset=utf-8><title>{html.escape(source.name)}</title>"
        f"<style>{css}</style><body>{elements}</body></html>"
    )


def _elements(source: Source, design: "Design") -> Iterator[str]:
    numbers: list[int] = []
    for index, block in enumerate(source.blocks):
        runs = "".join(f"<code>{html.escape(t)}</code>" if mono else html.escape(t) for t, mono in block.runs)
        following = source.blocks[index + 1] if index + 1 < len(source.blocks) else None
        if following is not None and following.kind == "footnote":
            runs += f"<span class=footnote>{html.escape(following.text)}</span>"
        if block.kind == "heading":
            numbers = [*numbers, *[0] * block.level][: block.level]
            numbers[-1] += 1
            number = f"<span class=number>{'.'.join(map(str, numbers))}</span> " if "numbered" in design.flags else ""
            tag = _heading_tag(block, design)
            yield f"<{tag}>{number}{runs}</{tag.partition(' ')[0]}>"
        elif block.kind == "code":
            yield _code(block, design)
        elif block.kind == "table":
            is_simple = all(cell.span == 1 for row in block.rows for cell in row)
            yield _boxes(block) if "divs" in design.flags and is_simple else _table(block, design)
        elif block.kind == "item":
            yield f"<ol><li value={block.label[:-1]}>{runs}</li></ol>" if block.label else f"<ul><li>{runs}</li></ul>"
        elif block.kind == "definition":
            yield f"<dl><dt>{html.escape(block.label)}</dt><dd>{runs}</dd></dl>"
        elif block.kind == "figure":
            yield _figure(block)
        elif block.kind != "footnote":
            element = {"quote": "blockquote", "note": "aside"}.get(block.kind, "p")
            yield f"<{element} class={block.kind}>{runs}</{element}>"


def _heading_tag(block: Block, design: "Design") -> str:
    """Return the element of a heading, with its attributes; a wrong one with the level as its class."""
    if "untitled" in design.flags:
        return f"p class=h{block.level}"
    return f"h2 class=h{block.level}" if "flat" in design.flags else f"h{block.level}"


def _code(block: Block, design: "Design") -> str:
    lines = [_line_of_code(line, design) for line in block.text.split("\n")]
    if "lines" in design.flags:
        lines = [f"<span class=line>{line}</span>" for line in lines]
    return f"<pre>{chr(10).join(lines)}</pre>"


def _line_of_code(line: str, design: "Design") -> str:
    code, sign, comment = line.partition("#")
    # Parted before the signs are escaped: `&#x27;` has no comment.
    if "comments" in design.flags and sign:
        return f"{html.escape(code)}<i>{html.escape(sign + comment)}</i>"
    return html.escape(line)


def _figure(block: Block) -> str:
    labels = block.text.split("\n")
    boxes = "".join(
        f"<rect x={20 + 95 * at} y={12 + 36 * (at % 2)} width=78 height=26 fill=none stroke=#555 />"
        f"<text x={59 + 95 * at} y={29 + 36 * (at % 2)} text-anchor=middle font-size=10>{html.escape(label)}</text>"
        for at, label in enumerate(labels)
    )
    return f"<figure><svg width=420 height=90 viewBox='0 0 420 90'>{boxes}</svg></figure>"


def _table(block: Block, design: "Design") -> str:
    texts = text_columns(block)
    small = len(block.rows[-1]) <= 3 and all(len(cell.text) < 26 for row in block.rows for cell in row)  # noqa: PLR2004
    beside = " class=beside" if small and "beside" in design.flags else ""

    def row(cells: tuple[Cell, ...], tag: str, *, turned: bool = False) -> str:
        parts: list[str] = []
        column = 0
        for cell in cells:
            kind = "s" if cell.span > 1 else "" if column in texts else "n"
            kind += " r" if turned and column else ""
            text = html.escape(cell.text).replace("\n", "<br>")
            parts.append(f"<{tag} class='{kind}' colspan={cell.span}><div>{text}</div></{tag}>")
            column += cell.span
        return f"<tr>{''.join(parts)}</tr>"

    turned = "rotated" in design.flags and len(block.rows[0]) > 3 and block.header_rows == 1  # noqa: PLR2004
    head = "".join(row(cells, "th", turned=turned) for cells in block.rows[: block.header_rows])
    body = "".join(row(cells, "td") for cells in block.rows[block.header_rows :])
    return f"<table{beside}><thead>{head}</thead><tbody>{body}</tbody></table>"


def _boxes(block: Block) -> str:
    """Return a table of boxes, of which no tag says that they are one."""
    texts = text_columns(block)

    def row(cells: tuple[Cell, ...], kind: str) -> str:
        sides = ("" if at in texts else "n" for at in range(len(cells)))
        texts_of = (html.escape(cell.text).replace("\n", "<br>") for cell in cells)
        parts = (f"<div class='td {kind} {side}'>{text}</div>" for side, text in zip(sides, texts_of, strict=True))
        return f"<div class=tr>{''.join(parts)}</div>"

    rows = (row(cells, "head" if at < block.header_rows else "") for at, cells in enumerate(block.rows))
    return f"<div class=table>{''.join(rows)}</div>"
