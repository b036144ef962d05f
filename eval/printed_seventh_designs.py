"""The looks of the seventh set: all pieces of the fifth and the sixth set and some more, drawn by another seed.

Looks whose tables may be cut within a row by the end of a page: `CUT`.
"""

from collections.abc import Mapping, Sequence

import printed_seventh_pieces
import printed_sixth_pieces
from printed_fifth_css import Piece
from printed_fifth_designs import PARTS, Drawing
from printed_fourth import Design
from printed_sixth_designs import BREAKING, SIXTH

Pieces = Mapping[str, Sequence[Piece]]


def _both(sixth: Pieces, own: Pieces) -> Pieces:
    return {part: (*sixth.get(part, ()), *own.get(part, ())) for part in {*sixth, *own}}


_CSS = _both(printed_sixth_pieces.CSS, printed_seventh_pieces.CSS)
SEVENTH = Drawing(
    7,
    "trial",
    {"typst": 7, "weasyprint": 7, "chromium": 8, "latex": 8, "libreoffice": 6},
    {
        "typst": _both(printed_sixth_pieces.TYPST, printed_seventh_pieces.TYPST),
        "weasyprint": _CSS,
        "chromium": _CSS,
        "latex": _both(printed_sixth_pieces.LATEX, printed_seventh_pieces.LATEX),
    },
    printed_sixth_pieces.LATEX_AFTER,
    SIXTH.untitled,
    tables=(
        "Table Grid",
        "Light List",
        "Medium Shading 1",
        "Medium List 2 Accent 1",
        "Light Grid Accent 6",
        "Light Grid Accent 4",
        "Light Shading Accent 6",
        "Medium Grid 1 Accent 2",
        "Normal Table",
    ),
    fonts=("Lato", "Carlito", "Linux Libertine O", "Liberation Sans", "Gentium", "Open Sans", "Noto Serif"),
    pages=(
        ([21, 29.7], 2.2, 1),
        ([21.59, 27.94], 1.6, 1),
        ([21, 29.7], 1.5, 2),
        ([29.7, 21], 2.4, 1),
        ([17.6, 25], 1.8, 1),
        ([21, 29.7], 3.4, 1),
    ),
    headings=(
        *SIXTH.headings,
        [[22, True, "1B4332"], [15, True, "2D6A4F"], [12, True, "40916C"], [11, False, "40916C"]],
        [[17, False, "000000"], [13, True, "000000"], [11.5, True, "606060"], [10.5, True, "000000"]],
        [[20, True, "B5521B"], [15, False, "B5521B"], [12, True, "333333"], [11, False, "B5521B"]],
    ),
    office={
        "whole_rows": (True, True, True, True, True, False),
        "repeated": (True, False),
        "titles": ("", "centred", "ruled", "capitals"),
        "leading": (1.0, 1.15, 1.4),
    },
    parts=(*PARTS, "ROWS"),
)
PANDOC = (
    Design(
        "pandoc-trial1",
        "--pdf-engine=pdflatex -V documentclass=article -V fontsize=11pt -V papersize=letter -V fontfamily=bookman "
        "-V geometry:margin=2.4cm -V linestretch=1.15 --highlight-style=kate",
        code_columns=60,
    ),
    Design(
        "pandoc-trial2",
        "--pdf-engine=pdflatex -V documentclass=book -V classoption=openany -V classoption=oneside -V fontsize=10pt "
        "-V papersize=b5 -V geometry:margin=2cm -V fontfamily=newcent --top-level-division=chapter -N "
        f"-V {BREAKING}",
        code_columns=56,
    ),
    Design(
        "pandoc-trial3",
        "--pdf-engine=weasyprint -V mainfont=Lato -V fontsize=10pt -V linestretch=1.3 -V margin-top=1.8cm "
        "-V margin-left=2.6cm -V margin-right=2.6cm -V maxwidth=100% "
        "-V header-includes=<style>pre{break-inside:avoid}</style>",
        frozenset({"cut"}),
        code_columns=60,
    ),
)
DESIGNS = (*SEVENTH.designs(), *PANDOC)
CUT = tuple(design.name for design in DESIGNS if "cut" in design.flags)
