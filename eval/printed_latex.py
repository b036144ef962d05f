"""A source as LaTeX in a style: article, titlesec, longtable, booktabs and fancyvrb, as of Debian's texlive."""

import re
from collections.abc import Iterator

from printed_looks import Look, look_of
from printed_sources import Block, Cell, Source
from printed_styles import Style, text_columns

SECTIONS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph")
FONTS = {"": "lmodern", "Times": "mathptmx", "Palatino": "mathpazo", "Charter": "charter", "Helvetica": "helvet"}
"""Packages by the font of a style."""
_ESCAPES = {
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "•": r"\textbullet{}", "€": r"\texteuro{}", "™": r"\texttrademark{}",
}  # fmt: skip
_MORE = "–—‘’“”…•€™"
MIN_SHARE, TEXT_SHARE = 0.08, 0.94
"""Of a table's width: the narrowest column, and all columns less the space between them."""


def is_printable(source: Source) -> bool:
    """Return True if pdfLaTeX has all characters of a source; code must be ASCII."""
    texts = [block.text for block in source.blocks if block.kind != "code"]
    texts += [cell.text for block in source.blocks for row in block.rows for cell in row]
    is_ascii = all(block.text.isascii() for block in source.blocks if block.kind == "code")
    return is_ascii and all(ord(sign) < 0x100 or sign in _MORE for text in texts for sign in text)  # noqa: PLR2004


def latex(source: Source, style: Style) -> str:
    """Return a source as a LaTeX document."""
    columns = "twocolumn" if style.columns > 1 else "onecolumn"
    lines = [
        rf"\documentclass[{columns},{10 if style.size < 11 else 11}pt]{{article}}",  # noqa: PLR2004 - article has 10 to 12
        r"\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{textcomp,array,xcolor,fancyvrb,titlesec}",
        r"\usepackage{longtable,supertabular,booktabs,multicol}",
        rf"\usepackage{{{FONTS[style.font]}}}\renewcommand{{\ttdefault}}{{lmtt}}\usepackage[a4paper,margin={style.margin_cm}cm]{{geometry}}",
        r"\renewcommand{\familydefault}{\sfdefault}" if style.sans else "",
        r"\setcounter{secnumdepth}{" + ("5" if style.numbered else "0") + r"}\raggedbottom\emergencystretch=2em",
        r"\pagestyle{headings}" if style.heads else r"\pagestyle{plain}",
        "" if style.hyphenated else r"\hyphenpenalty=10000\exhyphenpenalty=10000\raggedright",
        *(_section(level, look_of(style.headings, level)) for level in range(1, 6)),
        r"\begin{document}",
        *(_block(block, style) for block in source.blocks),
        r"\end{document}",
    ]
    return "\n\n".join(line for line in lines if line)


def escaped(text: str) -> str:
    """Escape all that LaTeX reads as something else, ligatures among them."""
    parts = (_ESCAPES.get(sign, sign) for sign in text)
    return re.sub(r"([-,?!])(?=[-,`'])", r"\1{}", "".join(parts))


def _section(level: int, look: Look) -> str:
    name = SECTIONS[level - 1]
    format_ = (
        rf"\fontsize{{{10 * look.size:.1f}}}{{{12 * look.size:.1f}}}\selectfont"
        + (r"\bfseries" if look.bold else r"\mdseries")
        + (r"\itshape" if look.italic else r"\scshape" if look.case == "small" else r"\upshape")
        + {"center": r"\centering", "right": r"\raggedleft", "left": r"\raggedright"}[look.align]
        + (rf"\color[HTML]{{{look.colour.upper()}}}" if look.colour else "")
    )
    case = r"\MakeUppercase" if look.case == "upper" else ""
    if look.run_in:
        format_ = format_.replace(r"\raggedright", "")
        return rf"\titleformat{{\{name}}}[runin]{{{format_}}}{{\the{name}}}{{.6em}}{{}}[.]"
    return (
        rf"\titleformat{{\{name}}}[hang]{{{format_}}}{{\the{name}}}{{.6em}}{{{case}}}"
        rf"\titlespacing*{{\{name}}}{{0pt}}{{2ex}}{{1ex}}"
    )


def _block(block: Block, style: Style) -> str:
    if block.kind == "heading":
        return rf"\{SECTIONS[min(block.level, 5) - 1]}{{{escaped(block.text)}}}"
    if block.kind == "code":
        options = {"numbered": "numbers=left,numbersep=6pt", "framed": "frame=single", "small": "fontsize=\\small"}
        return f"\\begin{{Verbatim}}[{options.get(style.code, '')}]\n{block.text}\n\\end{{Verbatim}}"
    if block.kind == "table":
        return "\n".join(_table(block, style))
    runs = "".join(rf"\texttt{{{escaped(text)}}}" if mono else escaped(text) for text, mono in block.runs)
    if block.kind == "paragraph":
        return runs
    label = rf"\item[{block.label}]" if block.label else r"\item"
    return rf"\begin{{itemize}}{label} {runs}\end{{itemize}}"


def _table(block: Block, style: Style) -> Iterator[str]:
    between = "|" if style.rules in ("grid", "columns") else ""
    edge = "|" if style.rules in ("grid", "frame") else ""
    sides = ["right" if index in text_columns(block) else "left" for index in range(len(table_shares(block)))]
    kinds = [
        rf">{{\ragged{side}\arraybackslash}}p{{{share:.3f}\linewidth}}"
        for side, share in zip(sides, table_shares(block), strict=True)
    ]
    row_rule = r"\hline" if style.rules in ("grid", "rows", "lined") else ""
    ends = {"booktabs": (r"\toprule", r"\midrule", r"\bottomrule"), "header": ("", r"\hline", "")}
    top, below, bottom = ends.get(
        style.rules, (r"\hline",) * 3 if style.rules in ("grid", "frame", "rows") else ("",) * 3
    )
    header = "\n".join(_row(row, bold=True) for row in block.rows[: block.header_rows])
    body = "\n".join(f"{_row(row)}{row_rule}" for row in block.rows[block.header_rows :])
    specification = f"{edge}{between.join(kinds)}{edge}"
    if style.columns > 1:
        yield rf"\tablehead{{}}\tabletail{{}}\begin{{supertabular}}{{{specification}}}"
        yield f"{top}{header}{below}\n{body}{bottom}\\end{{supertabular}}"
    else:
        yield rf"\begin{{longtable}}{{{specification}}}"
        yield f"{top}{header}{below}\\endhead\n{body}{bottom}\\end{{longtable}}"


def table_shares(block: Block) -> list[float]:
    """Return the columns' shares of the width: by their longest words, and by how much text they have."""
    columns = max(sum(cell.span for cell in row) for row in block.rows)
    weights = [MIN_SHARE] * columns
    for row in block.rows:
        for index, cell in enumerate(row if len(row) == columns else ()):
            longest = max(map(len, cell.text.split()), default=0)
            weights[index] = max(weights[index], longest / 60 + 0.02, min(len(cell.text), 60) / 100)
    room = TEXT_SHARE - 0.035 * columns
    return [weight * min(1.0, room / sum(weights)) for weight in weights]


def _row(cells: tuple[Cell, ...], *, bold: bool = False) -> str:
    parts: list[str] = []
    for cell in cells:
        text = rf"\textbf{{{escaped(cell.text)}}}" if bold and cell.text else escaped(cell.text)
        parts.append(rf"\multicolumn{{{cell.span}}}{{c}}{{{text}}}" if cell.span > 1 else text)
    return f"{' & '.join(parts)} \\\\"
