"""The looks of the eighth set: pieces of the fifth, the sixth and the seventh set alone, drawn by another seed.

Pieces are left out if nobody could tell the truth from their prints: `LACKING`, `tells_levels` and `UNBOLD_FONTS`.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from printed_fifth_designs import FIFTH
from printed_fourth import Design
from printed_seventh_designs import SEVENTH
from printed_sixth_designs import BREAKING, SIXTH

SEED = 8
LACKING = {
    # Italics of the text's size for the third and the fourth level: they look exactly alike.
    "typst": ("sizes = (1.6, 1.2, 1, 1)",),
}
"""By printer, what pieces have that do not show the truth."""
UNBOLD_FONTS = ("Gentium",)
"""Fonts of Word's looks that have no bold type, by which their titles and headers are told."""
LATEX_AFTER = r"""
\makeatletter
\newcommand{\Open}{\if@noskipsec\leavevmode\fi\global\let\CT@do@color\relax}
\AtBeginEnvironment{lstlisting}{\Open}\AtBeginEnvironment{longtable}{\Open}\AtBeginEnvironment{supertabular}{\Open}
\makeatother"""
"""After all pieces: a title that begins a line stays above code and tables, and the ground behind the last row of a
table is not drawn over the names of the next one."""
MAX_TEXT_PT = 10.5
"""The largest text of LibreOffice's looks (`printed_fifth_designs`)."""
SIZE_STEP = 1.04
"""By how much larger type has to be to be told from another."""


def tells_levels(levels: Sequence[Sequence[Any]]) -> bool:
    """Tell if sizes, weights and colours of titles (of LibreOffice) part each level from the others and the text."""
    looks = [*levels, [MAX_TEXT_PT, False, "000000"]]
    return not any(_alike(one, other) for at, one in enumerate(looks) for other in looks[:at])


def _alike(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return one[1:] == other[1:] and max(one[0], other[0]) < SIZE_STEP * min(one[0], other[0])


_OFFICE = (FIFTH, SIXTH, SEVENTH)
_DRAW = random.Random(f"{SEED} pages")  # noqa: S311 - a drawing that can be repeated
EIGHTH = replace(
    # It has all pieces of the sixth set, too.
    SEVENTH,
    seed=SEED,
    name="chance",
    latex=SEVENTH.latex + LATEX_AFTER,
    tables=tuple(dict.fromkeys(table for one in _OFFICE for table in one.tables)),
    fonts=tuple(dict.fromkeys(font for one in _OFFICE for font in one.fonts if font not in UNBOLD_FONTS)),
    pages=_DRAW.sample([page for one in _OFFICE for page in one.pages], SEVENTH.looks["libreoffice"]),
    headings=[levels for one in (FIFTH, SEVENTH) for levels in one.headings if tells_levels(levels)],
    lacking=LACKING,
)
_CLASSES = (
    "scrartcl -V fontsize=11pt -V papersize=a4",
    "extarticle -V fontsize=9pt -V indent=true",
    "report -V fontsize=12pt --top-level-division=chapter",
    "memoir -V fontsize=10pt -V papersize=a4 -V classoption=article",
    "article -V fontsize=11pt -V papersize=letter -V linestretch=1.15",
    "book -V classoption=openany -V classoption=oneside -V fontsize=10pt --top-level-division=chapter",
)
_LATEX_FONTS = ("utopia", "mathptmx", "charter", "mathpazo", "bookman", "newcent")
_MARGINS = ("", " -V geometry:margin=3.4cm", " -V geometry:margin=2.8cm", " -V geometry:margin=2.4cm")
_CHAPTERS = "division=chapter"
_WEB = (
    "Caladea -V fontsize=11pt -V margin-top=2cm -V margin-left=2.2cm -V margin-right=2.2cm",
    "Lato -V fontsize=10pt -V linestretch=1.3 -V margin-top=1.8cm -V margin-left=2.6cm -V margin-right=2.6cm",
)
_WHOLE = "-V maxwidth=100% -V header-includes=<style>pre,tr{break-inside:avoid}</style>"
_CODE_COLUMNS = 52
"""Characters of Courier, which two of the fonts have for code, that fit LaTeX's own margins."""


def _pandoc() -> Iterator[Design]:
    """Yield looks of what the options of pandoc's looks in the sets before say."""
    draw = random.Random(f"{SEED} pandoc")  # noqa: S311 - a drawing that can be repeated
    options = (draw.sample(pieces, 2) for pieces in (_CLASSES, _LATEX_FONTS, _MARGINS))
    for at, (kind, font, margin) in enumerate(zip(*options, strict=True), 1):
        # Without chapters the third and the fourth level look alike: numbers tell them.
        numbers = "" if _CHAPTERS in kind else " -N"
        preamble = f"--pdf-engine=pdflatex -V documentclass={kind} -V fontfamily={font}{margin}{numbers} -V {BREAKING}"
        yield Design(f"pandoc-{EIGHTH.name}{at}", preamble, code_columns=_CODE_COLUMNS)
    web = f"--pdf-engine=weasyprint -V mainfont={draw.choice(_WEB)} {_WHOLE}"
    yield Design(f"pandoc-{EIGHTH.name}3", web, code_columns=_CODE_COLUMNS)


PANDOC = tuple(_pandoc())
DESIGNS = (*EIGHTH.designs(), *PANDOC)
CUT = tuple(design.name for design in DESIGNS if "cut" in design.flags)
