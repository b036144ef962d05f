"""The looks of the sixth set: pieces of the fifth set and of `printed_sixth_pieces`, drawn by another seed."""

import printed_sixth_pieces
from printed_fifth_designs import Drawing
from printed_fourth import Design

SIXTH = Drawing(
    6,
    "draw",
    {"typst": 6, "weasyprint": 6, "chromium": 9, "latex": 9, "libreoffice": 8},
    {
        "typst": printed_sixth_pieces.TYPST,
        "weasyprint": printed_sixth_pieces.CSS,
        "chromium": printed_sixth_pieces.CSS,
        "latex": printed_sixth_pieces.LATEX,
    },
    printed_sixth_pieces.LATEX_AFTER,
    # Else a paragraph of the text's size: nobody could tell that it is a heading.
    "h4{font-weight:700}",
    tables=(
        "Table Grid",
        "Light Grid Accent 1",
        "Medium Shading 1 Accent 1",
        "Light Shading",
        "Medium List 1 Accent 3",
        "Medium Grid 3 Accent 1",
        "Light List Accent 5",
        "Medium Shading 2 Accent 5",
        "Normal Table",
    ),
    fonts=(
        "Carlito",
        "Caladea",
        "Liberation Serif",
        "Liberation Sans",
        "DejaVu Sans",
        "Gentium",
        "Noto Serif",
        "Liberation Sans Narrow",
    ),
    pages=(
        ([21.59, 27.94], 2.54, 1),
        ([21, 29.7], 2.5, 1),
        ([21, 29.7], 1.3, 2),
        ([21.59, 35.56], 2.8, 1),
        ([29.7, 21], 2, 1),
        ([21, 29.7], 2, 1),
        ([17.6, 25], 2, 1),
        ([21.59, 27.94], 3.2, 1),
    ),
    headings=(
        [[16, True, "365F91"], [13, True, "4F81BD"], [11, True, "4F81BD"], [11, False, "4F81BD"]],
        [[20, False, "0F4761"], [16, False, "0F4761"], [14, False, "0F4761"], [12, False, "595959"]],
        [[14, True, "000000"], [12, True, "000000"], [10.5, True, "000000"], [10.5, True, "808080"]],
        [[24, True, "1F3864"], [14, True, "C55A11"], [12, True, "1F3864"], [10.5, True, "C55A11"]],
        [[18, True, "000000"], [14, False, "000000"], [12, True, "000000"], [12, False, "000000"]],
        [[26, False, "538135"], [18, False, "538135"], [13, True, "538135"], [11, True, "538135"]],
        [[15, True, "000000"], [13, True, "444444"], [11.5, True, "444444"], [11, False, "888888"]],
        [[20, True, "C00000"], [13, True, "000000"], [11, True, "C00000"], [11, False, "C00000"]],
    ),
)
BREAKING = (
    r"header-includes=\usepackage{etoolbox,ragged2e}\AtBeginEnvironment{longtable}"
    r"{\scriptsize\def\raggedright{\RaggedRight\leavevmode\nobreak\hspace{0pt}}}"
)
"""Small print and breaks keep long words in their cells. Pandoc's options are split at spaces."""
_PANDOC = (
    Design(
        "pandoc-draw1",
        "--pdf-engine=pdflatex -V documentclass=report -V fontsize=12pt -V geometry:margin=2.8cm -V fontfamily=charter "
        f"--top-level-division=chapter -V {BREAKING}",
        code_columns=60,
    ),
    Design(
        "pandoc-draw2",
        "--pdf-engine=pdflatex -V documentclass=memoir -V fontsize=10pt -V papersize=a4 -V classoption=article "
        f"-V fontfamily=mathpazo -N --highlight-style=tango -V {BREAKING}",
        code_columns=60,
    ),
    Design(
        "pandoc-draw3",
        "--pdf-engine=weasyprint -V mainfont=Caladea -V fontsize=11pt -V margin-top=2cm "
        "-V margin-left=2.2cm -V margin-right=2.2cm -V maxwidth=100%",
        code_columns=60,
    ),
)
DESIGNS = (*SIXTH.designs(), *_PANDOC)
