"""A source of the fourth set as LaTeX, and as Markdown for pandoc."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from printed_latex import escaped, table_shares
from printed_sources import Block, Cell, Source
from printed_styles import text_columns

if TYPE_CHECKING:
    from printed_fourth import Design

_BASE = r"""
\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}
\usepackage{textcomp,array,xcolor,colortbl,longtable,booktabs,graphicx,listings}
\newcommand{\Top}{}\newcommand{\Below}{}\newcommand{\Row}{}\newcommand{\Bottom}{}\newcommand{\Head}[1]{\textbf{#1}}
\lstset{basicstyle=\ttfamily\small,columns=fullflexible,keepspaces=true,upquote=true,literate={-}{{-}}1}
\setcounter{secnumdepth}{0}\emergencystretch=2em
"""


def latex(source: Source, design: "Design") -> str:
    """Return a source as a LaTeX document; the design's preamble begins with the class."""
    head, _, rest = design.preamble.strip().partition("\n")
    body = "\n\n".join(_blocks(source, design))
    return f"{head}\n{_BASE}\n{rest}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def _blocks(source: Source, design: "Design") -> Iterator[str]:
    names = ("section", "subsection", "subsubsection", "paragraph", "subparagraph", "subparagraph")
    names = ("chapter", *names) if "chapters" in design.flags else names
    for index, block in enumerate(source.blocks):
        following = source.blocks[index + 1] if index + 1 < len(source.blocks) else None
        runs = "".join(rf"\texttt{{{escaped(text)}}}" if mono else escaped(text) for text, mono in block.runs)
        if following is not None and following.kind == "footnote":
            runs += rf"\footnote{{{escaped(following.text)}}}"
        if block.kind == "heading":
            yield rf"\{names[block.level - 1]}{{{escaped(block.text)}}}"
        elif block.kind == "code":
            yield f"\\begin{{lstlisting}}\n{block.text}\n\\end{{lstlisting}}"
        elif block.kind == "table":
            yield "\n".join(_table(block, design))
        elif block.kind != "footnote":
            yield _text_block(block, runs)


def _text_block(block: Block, runs: str) -> str:
    if block.kind == "item":
        label = rf"\item[{block.label}]" if block.label else r"\item"
        return rf"\begin{{itemize}}{label} {runs}\end{{itemize}}"
    if block.kind == "definition":
        return rf"\begin{{description}}\item[{escaped(block.label)}] {runs}\end{{description}}"
    if block.kind == "figure":
        boxes = r"\hspace{1em}".join(rf"\fbox{{\strut {escaped(label)}}}" for label in block.text.split("\n"))
        return rf"\begin{{center}}{boxes}\end{{center}}"
    if block.kind == "quote":
        return rf"\begin{{quote}}{runs}\end{{quote}}"
    if block.kind == "note":
        return rf"\leavevmode\marginpar{{\raggedright\footnotesize {runs}}}\ignorespaces"
    return runs


def _table(block: Block, design: "Design") -> Iterator[str]:
    texts, shares = text_columns(block), table_shares(block)
    between = "|" if "bars" in design.flags else ""
    kinds = [
        rf">{{\ragged{'right' if index in texts else 'left'}\arraybackslash}}p{{{share:.3f}\linewidth}}"
        for index, share in enumerate(shares)
    ]
    header = "\n".join(_row(row, header=True) for row in block.rows[: block.header_rows])
    body = "\n".join(_row(row) + r"\Row" for row in block.rows[block.header_rows :])
    if "short" in design.flags:
        # Columns of text have no longtable.
        yield rf"\tablehead{{\Top {header}\Below}}\tabletail{{\Bottom}}"
        yield rf"\begin{{supertabular}}{{{between}{between.join(kinds)}{between}}}"
        yield f"{body}\n\\end{{supertabular}}"
        return
    yield rf"\begin{{longtable}}{{{between}{between.join(kinds)}{between}}}\Top"
    yield f"{header}\\Below\\endhead\n{body}\\Bottom\n\\end{{longtable}}"


def _row(cells: tuple[Cell, ...], *, header: bool = False) -> str:
    parts: list[str] = []
    for cell in cells:
        lines = r"\newline ".join(escaped(line) for line in cell.text.split("\n"))
        text = rf"\Head{{{lines}}}" if header and cell.text else lines
        parts.append(rf"\multicolumn{{{cell.span}}}{{c}}{{{text}}}" if cell.span > 1 else text)
    return f"{' & '.join(parts)} \\\\"


def markdown(source: Source) -> str:
    """Return a source as Markdown of pandoc."""
    return "\n\n".join(_markdown_blocks(source)) + "\n"


def _markdown_blocks(source: Source) -> Iterator[str]:
    for number, block in enumerate(source.blocks):
        following = source.blocks[number + 1] if number + 1 < len(source.blocks) else None
        runs = "".join(_code_span(text) if mono else _plain(text) for text, mono in block.runs)
        runs = re.sub(r"^(\d+)([.)])", r"\1\\\2", runs)
        if following is not None and following.kind == "footnote":
            runs += f"[^{number}]"
        if block.kind == "heading":
            yield f"{'#' * block.level} {runs}"
        elif block.kind == "table":
            yield _pipe_table(block)
        elif block.kind == "definition":
            yield f"{_plain(block.label)}\n\n:   {runs}\n\n<!-- -->"
        elif block.kind == "footnote":
            yield f"[^{number - 1}]: {runs}"
        else:
            yield {
                "code": f"~~~~~~~~\n{block.text}\n~~~~~~~~",
                "item": f"{block.label or '-'} {runs}\n\n<!-- -->",
                "quote": f"> {runs}",
            }.get(block.kind, runs)


def _pipe_table(block: Block) -> str:
    texts = text_columns(block)
    rows = [
        [part for cell in row for part in (_plain(" ".join(cell.text.split("\n"))), *[""] * (cell.span - 1))]
        for row in block.rows
    ]
    widths = [max(3, *(min(60, len(row[at])) for row in rows if at < len(row))) for at in range(len(rows[-1]))]
    rule = "|".join("-" * width + ("-" if at in texts else ":") for at, width in enumerate(widths))
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], f"|{rule}|", *lines[1:]])


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>#+~^$|!@'\"-])", r"\\\1", text)


def _code_span(text: str) -> str:
    return f"`` {text} ``"
