# pyright: basic
"""Sources of documents in LaTeX, typst and HTML, and their typesetters."""

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from contents import Cell, Style, Table, covered, grid_of, has_rule

ENGINES = ("latex", "typst", "html")
FONTS = {
    "latex": ("lmodern", "mathptmx", "helvet", "palatino", "bookman", "charter"),
    "typst": ("Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono"),
    "html": ("serif", "sans-serif", "Latin Modern Roman", "Latin Modern Sans"),
}


# LaTeX


def latex(blocks: Sequence[str | Table], style: Style) -> str:
    """Return the source of a document."""
    family = r"\sfdefault" if FONTS["latex"][style.font % 6] == "helvet" else r"\rmdefault"
    head = rf"""\documentclass[{style.size}pt]{{article}}
\usepackage[T1]{{fontenc}}\usepackage[utf8]{{inputenc}}\usepackage{{textcomp}}
\usepackage[margin=2.4cm]{{geometry}}\usepackage[table]{{xcolor}}
\usepackage{{booktabs,longtable,multirow,array,{FONTS["latex"][style.font % 6]}}}
\renewcommand{{\arraystretch}}{{{style.padding}}}\linespread{{{style.leading}}}\setlength{{\tabcolsep}}{{{style.spread}pt}}
\renewcommand{{\familydefault}}{{{family}}}
\setlength{{\parindent}}{{0pt}}\setlength{{\parskip}}{{6pt}}
\begin{{document}}"""
    body = [block if isinstance(block, str) else _latex_table(block, style) for block in blocks]
    return head + "\n\n".join(body) + "\n\\end{document}\n"


def _latex_table(table: Table, style: Style) -> str:
    width = (0.92 - 0.05 * table.columns) / max(1, len(table.wide))
    wall = "|" if style.rules in ("grid", "columns") else ""
    kind = {"top": "p", "middle": "m", "bottom": "b"}[style.align]
    kind += rf"{{{width / (1 if len(table.wide) > 1 else 1.6):.2f}\linewidth}}"
    kinds = [
        kind if column in table.wide else ("r" if style.font % 2 else "c") if column in table.numeric else "l"
        for column in range(table.columns)
    ]
    spec = wall + wall.join(kinds) + wall
    rules = ("\\toprule", "\\midrule", "\\bottomrule") if not wall and style.rules != "rows" else ("\\hline",) * 3
    grid, hidden, lines = grid_of(table), covered(table), []
    # Of rows that are set apart LaTeX leaves those together that end in a cell of several lines.
    end = rf" \\[{style.spread / 2:.1f}pt]" if style.font % 3 == 1 else r" \\"
    for row, cells in enumerate(grid):
        parts: list[str] = []
        column = 0
        while column < table.columns:
            cell = cells[column]
            span = cell.columns if cell else 1
            parts.append(_latex_cell(cell, table, style, wall) if cell and (row, column) not in hidden else "")
            column += span
        if has_rule(table, style, row):
            lines.append(rules[0 if row == 0 else 1])
        fill = style.header_fill if row < table.header_rows else style.stripes if row % 2 else 100
        lines.append((rf"\rowcolor[gray]{{{fill / 100}}}" if fill < 100 else "") + " & ".join(parts) + end)
        if style.breaks and row == table.header_rows - 1:
            lines += ["\\endhead"]
    if has_rule(table, style, table.rows):
        lines.append(rules[2])
    name = "longtable" if style.breaks else "tabular"
    return rf"\begin{{{name}}}{{{spec}}}" + "\n" + "\n".join(lines) + "\n" + rf"\end{{{name}}}"


def _latex_cell(cell: Cell, table: Table, style: Style, wall: str) -> str:
    text = rf"\textcolor[HTML]{{{cell.colour:06X}}}{{{latex_text(cell.text)}}}"
    if "\n" in cell.text and cell.row < table.header_rows:
        lines = [rf"\textcolor[HTML]{{{cell.colour:06X}}}{{{latex_text(part)}}}" for part in cell.text.split("\n")]
        lines = [rf"\textbf{{{line}}}" if style.bold_header else line for line in lines]
        text = r"\begin{tabular}{@{}l@{}}" + r" \\ ".join(lines) + r"\end{tabular}"
    elif "\n" in cell.text:
        text = r" \newline ".join(
            rf"\textcolor[HTML]{{{cell.colour:06X}}}{{{latex_text(part)}}}" for part in cell.text.split("\n")
        )
    text = rf"\hspace*{{{cell.indent}em}}{text}" if cell.indent else text
    if cell.row < table.header_rows and style.bold_header and "\n" not in cell.text:
        text = rf"\textbf{{{text}}}"
    if cell.rows > 1:
        text = rf"\multirow{{{cell.rows}}}{{*}}{{{text}}}"
    if cell.columns > 1:
        kind = "l" if cell.columns == table.columns else "c"
        text = rf"\multicolumn{{{cell.columns}}}{{{wall}{kind}{wall}}}{{{text}}}"
    return text


def latex_text(text: str) -> str:
    return re.sub(r"([%$&#_])", r"\\\1", text).replace("±", r"$\pm$").replace("–", "--").replace("•", r"\textbullet")


# typst


def typst(blocks: Sequence[str | Table], style: Style) -> str:
    """Return the source of a document."""
    font = FONTS["typst"][style.font % 3]
    head = (
        f'#set page(paper: "a4", margin: 2.2cm)\n#set text(font: "{font}", size: {style.size}pt)\n'
        f"#set par(leading: {0.55 * style.size * style.leading:.1f}pt, justify: {str(style.font % 2 == 0).lower()})\n"
    )
    body = [block if isinstance(block, str) else _typst_table(block, style) for block in blocks]
    return head + "\n\n".join(body)


def _typst_table(table: Table, style: Style) -> str:
    widths = ", ".join("1fr" if column in table.wide else "auto" for column in range(table.columns))
    aligns = ", ".join("right" if c in table.numeric and style.font % 2 else "left" for c in range(table.columns))
    hidden, parts = covered(table), []
    for row, cells in enumerate(grid_of(table)):
        if has_rule(table, style, row):
            parts.append("table.hline(stroke: 0.6pt)")
        for column, cell in enumerate(cells):
            if cell is None:
                parts += [] if (row, column) in hidden else ["[]"]
                continue
            aligned = {"top": "top", "middle": "horizon", "bottom": "bottom"}[style.align]
            text = (
                f"#h({cell.indent}em)" * bool(cell.indent)
                + f'#text(fill: rgb("#{cell.colour:06x}"))[{typst_text(cell.text)}]'
            )
            text = f"*{text}*" if row < table.header_rows and style.bold_header else text
            middle = (
                ", align: horizon"
                if cell.rows > 1
                else ", align: center"
                if 1 < cell.columns < table.columns
                else f", align: {aligned}"
            )
            parts.append(f"table.cell(colspan: {cell.columns}, rowspan: {cell.rows}{middle})[{text}]")
    if has_rule(table, style, table.rows):
        parts.append("table.hline(stroke: 0.6pt)")
    if style.rules in ("grid", "columns"):
        parts += [f"table.vline(x: {x}, stroke: 0.6pt)" for x in range(table.columns + 1)]
    fill = f"(x, y) => if y < {table.header_rows} {{ luma({style.header_fill}%) }}"
    fill += f" else if calc.odd(y) {{ luma({style.stripes}%) }}"
    # Rows no closer than their own lines.
    height = max(2 + 6 * (style.padding - 1), 0.3 * style.size * style.leading)
    inset = f"(x: {style.spread}pt, y: {height:.1f}pt)"
    return (
        f"#table(columns: ({widths}), align: ({aligns}), stroke: none, inset: {inset}, fill: {fill},\n"
        + ",\n".join(parts)
        + ")"
    )


def typst_text(text: str) -> str:
    return re.sub(r"([$#*_@<>\[\]~/-])", r"\\\1", text).replace("\n", r" \ ")


# HTML


def html(blocks: Sequence[str | Table], style: Style) -> str:
    """Return the source of a document."""
    line, pad = 1.2 * style.leading, 1 + 6 * (style.padding - 1)
    font, side = FONTS["html"][style.font % 4], "right" if style.font % 2 else "center"
    css = (
        f"@page {{ size: A4; margin: 22mm }} body {{ font: {style.size}pt/{line:.2f} '{font}' }}"
        "table { border-collapse: collapse; margin: 8pt 0; font-weight: normal }"
        f"td {{ padding: {pad:.1f}pt {style.spread}pt; vertical-align: {style.align} }} .n {{ text-align: {side} }}"
        "tr.r td { border-top: .6pt solid #000 } tr.b td { border-bottom: .6pt solid #000 } b { font-weight: bold }"
        ".c { text-align: center }"
    )
    if style.rules in ("grid", "columns"):
        css += "td { border-left: .6pt solid #000; border-right: .6pt solid #000 }"
    body = [f"<p>{block}</p>" if isinstance(block, str) else _html_table(block, style) for block in blocks]
    return f"<meta charset=utf-8><style>{css}</style>" + "\n".join(body)


def _html_table(table: Table, style: Style) -> str:
    hidden, rows = covered(table), []
    for row, cells in enumerate(grid_of(table)):
        parts: list[str] = []
        for column, cell in enumerate(cells):
            if cell is None:
                parts += [] if (row, column) in hidden else ["<td></td>"]
                continue
            text = f'<span style="color:#{cell.colour:06x}">{cell.text.replace(chr(10), "<br>")}</span>'
            text = f'<span style="padding-left:{cell.indent}em">{text}</span>' if cell.indent else text
            text = f"<b>{text}</b>" if row < table.header_rows and style.bold_header else text
            name = "c" if 1 < cell.columns < table.columns else "n" if column in table.numeric else ""
            parts.append(f'<td class="{name}" colspan={cell.columns} rowspan={cell.rows}>{text}</td>')
        fill = style.header_fill if row < table.header_rows else style.stripes if row % 2 else 100
        names = ("r " if has_rule(table, style, row) else "") + (
            "b" if row == table.rows - 1 and has_rule(table, style, table.rows) else ""
        )
        rows.append(f'<tr class="{names}" style="background:hsl(0 0% {fill}%)">' + "".join(parts) + "</tr>")
    return "<table>" + "\n".join(rows) + "</table>"


SOURCES = {"latex": latex, "typst": typst, "html": html}
SUFFIXES = {"latex": "tex", "typst": "typ", "html": "html"}


def typeset(engine: str, blocks: Sequence[str | Table], style: Style, out: Path, typesetters: Path) -> bool:
    """Write a document; False if the engine refuses it."""
    source = SOURCES[engine](blocks, style)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"a.{SUFFIXES[engine]}")
        path.write_text(source, "utf-8")
        python = str(typesetters / "bin/python")
        made = "import typst, weasyprint, sys\ntypst.compile(sys.argv[1], output=sys.argv[2])"
        if engine == "html":
            made = "import weasyprint, sys\nweasyprint.HTML(sys.argv[1]).write_pdf(sys.argv[2])"
        command = [python, "-c", made, str(path), str(path.with_suffix(".pdf"))]
        if engine == "latex":
            command = ["pdflatex", "-interaction=batchmode", path.name]
        for _ in range(3 if engine == "latex" and style.breaks else 1):
            subprocess.run(command, cwd=folder, capture_output=True, check=False)  # noqa: S603
        made_pdf = path.with_suffix(".pdf")
        if made_pdf.exists():
            out.write_bytes(made_pdf.read_bytes())
        return made_pdf.exists()
