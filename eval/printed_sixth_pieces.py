"""Pieces that only the sixth set's looks are drawn from, besides those of the fifth set: by engine and kind of piece.

They are of annual reports, datasheets, standards, theses, pocket manuals and printed web pages.
"""
# ruff: noqa: E501

from printed_fifth_css import Piece
from printed_fifth_latex import NO_NOTES

CSS = {
    "PAGES": (
        Piece("@page{size:8.5in 14in;margin:1in 1.1in}", width_pt=453),
        Piece(
            "@page:left{size:A4;margin:2.2cm 3.4cm 2.4cm 1.9cm}@page:right{size:A4;margin:2.2cm 1.9cm 2.4cm 3.4cm}",
            width_pt=445,
        ),
        Piece("@page{size:A4;margin:2cm} body{margin-left:3.6cm} h1,h2{margin-left:-3.6cm}", width_pt=379),
        Piece(
            "@page{size:A6;margin:1.2cm 1cm} td,th,.td{padding:1pt 2.5pt!important;font-size:6.6pt} body{font-size:8pt!important}",
            width_pt=241,
        ),
    ),
    "HEADINGS": (
        Piece(
            "h1,h2{font-family:'Liberation Serif';font-weight:400;border-bottom:.6pt solid #a2a9b1} h1{font-size:1.9em} h2{font-size:1.5em} h3{font-size:1.2em} h4{font-size:1em}"
        ),
        Piece(
            "h1,h2{text-transform:uppercase;letter-spacing:.08em} h1{font-size:1.4em} h2{font-size:1em;color:#666} h3{font-size:1em} h4{font-size:1em;font-weight:400;text-decoration:underline}"
        ),
        Piece(
            "h1{font-size:2.6em;font-weight:400;color:#00857c;margin-bottom:1em} h2{font-size:1.4em;color:#00857c} h3{font-size:1.05em;color:#00857c} h4{font-size:1em;font-weight:400;color:#00857c}"
        ),
    ),
    "RULES": (
        Piece(
            "td,th{border-bottom:.3pt solid #c8c8c8} td:nth-child(2),th:nth-child(2){background:#e8f0f8} thead tr:last-child th{border-bottom:.8pt solid #234}"
        ),
        Piece(
            "table{border-top:3pt solid #1d5c96;border-bottom:.8pt solid #1d5c96} th{color:#1d5c96} thead tr:last-child th{border-bottom:.8pt solid #1d5c96} tr+tr td{border-top:.3pt solid #b9cfe4}"
        ),
        Piece(
            "table{border:1.3pt solid} td,th{border-left:.4pt solid} thead tr:last-child th{border-bottom:1.3pt solid}"
        ),
        Piece(
            "thead tr:last-child th{border-bottom:.6pt solid} tbody tr:last-child td{border-top:.6pt solid;border-bottom:2.2pt double}"
        ),
    ),
    "CELLS": (
        Piece("table{font-size:.9em;width:100%} td,th{padding:5pt 8pt} th{font-weight:400;color:#666;font-size:.9em}"),
        Piece("table{font-size:.84em} td,th{padding:1.5pt 9pt} th{vertical-align:bottom}"),
    ),
}
TYPST = {
    "PAGES": (
        Piece('#set page(paper: "us-legal", margin: (x: 2.8cm, y: 2.5cm))', width_pt=453),
        Piece('#set page(paper: "a4", margin: (inside: 3.4cm, outside: 1.9cm, y: 2.4cm))', width_pt=445),
        Piece(
            '#set page(paper: "a4", flipped: true, margin: (x: 1.5cm, y: 1.8cm), columns: 3)\n#let cell-size = 6.4pt',
            width_pt=230,
            columns=3,
        ),
        Piece(
            '#set page(paper: "a6", margin: (x: 1cm, y: 1.3cm))\n#let cell-size = 6.6pt\n#let zoom = .8', width_pt=240
        ),
    ),
    "HEADINGS": (
        Piece(
            '#let sizes = (1.8, 1.5, 1.2, 1)\n#let look(level, it) = if level < 3 { block(width: 100%, stroke: (bottom: .5pt + luma(160)), inset: (bottom: 3pt), text(font: "Libertinus Serif", it)) } else { strong(it) }'
        ),
        Piece(
            "#let sizes = (1.4, 1, 1, 1)\n#let look(level, it) = if level == 1 { text(tracking: .08em, strong(upper(it))) } else if level == 2 { text(tracking: .08em, fill: luma(90), upper(it)) } else if level == 3 { strong(it) } else { underline(it) }"
        ),
        Piece(
            '#let sizes = (1.6, 1.2, 1.05, 1)\n#let look(level, it) = if level == 1 { block(width: 100%, fill: rgb("1b3a4b"), inset: 7pt, text(fill: white, strong(it))) } else if level == 2 { block(width: 100%, fill: luma(225), inset: 4pt, strong(it)) } else if level == 3 { strong(it) } else { strong(emph(it)) }'
        ),
    ),
    "RULES": (
        Piece(
            '#let rules = (stroke: none, fill: (x, _) => if x == 1 { rgb("e3eef9") })\n#let ends = ((), (table.hline(stroke: .7pt),), (table.hline(stroke: .7pt),))'
        ),
        Piece(
            '#let rules = (stroke: (x: none, y: .3pt + rgb("b9cfe4")))\n#let ends = ((table.hline(stroke: 2.5pt + rgb("1d5c96")),), (table.hline(stroke: .8pt + rgb("1d5c96")),), (table.hline(stroke: .8pt + rgb("1d5c96")),))'
        ),
        Piece(
            "#let rules = (stroke: (x, _) => if x > 0 { (left: .4pt) })\n#let ends = ((table.hline(stroke: 1.2pt),), (table.hline(stroke: 1.2pt),), (table.hline(stroke: 1.2pt),))"
        ),
    ),
    "CELLS": (
        Piece(
            "#let inset = (x: 8pt, y: 4.5pt)\n#let sides(a) = a\n#show table.cell.where(y: 0): set text(fill: luma(100))"
        ),
    ),
}
LATEX = {
    "PAGES": (
        Piece(
            r"\documentclass[a4paper,9pt,twocolumn]{extarticle}\usepackage[margin=1.7cm,columnsep=16pt]{geometry}\usepackage{supertabular}"
            + NO_NOTES
            + r"\usepackage{ragged2e}\AtBeginEnvironment{supertabular}{\tiny\tabcolsep=2pt\def\raggedright{\RaggedRight\hspace{0pt}}}",
            "short",
            width_pt=241,
            columns=2,
        ),
        Piece(
            r"\documentclass[letterpaper,11pt,openany]{report}\usepackage[left=3.8cm,right=2.5cm,vmargin=2.5cm]{geometry}"
            + NO_NOTES,
            "chapters",
            width_pt=433,
        ),
        Piece(
            r"\documentclass[a4paper,12pt]{article}\usepackage[left=3.2cm,right=2.2cm,vmargin=2.8cm]{geometry}\linespread{1.5}"
            + NO_NOTES
            + r"\AtBeginEnvironment{longtable}{\small\linespread{1}\selectfont}",
            width_pt=442,
        ),
    ),
    "HEADINGS": (
        Piece(
            r"\usepackage{titlesec}\titleformat{\section}{\huge\mdseries}{\thesection}{.6em}{}\titleformat{\subsection}{\Large\mdseries}{\thesubsection}{.6em}{}\titleformat{\subsubsection}{\large\mdseries}{\thesubsubsection}{.6em}{}\titleformat*{\paragraph}{\normalsize\itshape}"
        ),
        Piece(
            r"\usepackage{titlesec}\titleformat{\section}{\large\bfseries\centering}{\thesection}{.6em}{\MakeUppercase}\titleformat*{\subsection}{\normalsize\bfseries\centering}\titleformat*{\subsubsection}{\normalsize\bfseries\itshape}\titleformat*{\paragraph}{\normalsize\itshape}"
        ),
        Piece(
            r"\usepackage{titlesec}\titleformat{\section}{\titlerule\vspace{.7ex}\Large\sffamily\bfseries}{\thesection}{.6em}{}\titleformat*{\subsection}{\large\sffamily\bfseries}\titleformat*{\subsubsection}{\normalsize\sffamily\bfseries}\titleformat*{\paragraph}{\normalsize\sffamily\slshape}"
        ),
    ),
    "RULES": (
        Piece(r"\renewcommand{\Top}{\hline\hline}\renewcommand{\Below}{\hline}\renewcommand{\Bottom}{\hline\hline}"),
        Piece(
            r"\renewcommand{\Top}{\rowcolor[HTML]{DCE6F1}}\renewcommand{\Row}{\arrayrulecolor[gray]{.8}\hline\arrayrulecolor{black}}"
        ),
        Piece(r"\renewcommand{\Top}{\hline}\renewcommand{\Below}{\hline}\renewcommand{\Bottom}{\hline}", "bars"),
    ),
    "CELLS": (Piece(r"\renewcommand{\Head}[1]{\textsf{\bfseries #1}}\renewcommand{\arraystretch}{1.2}"),),
}
LATEX_AFTER = r"""\sloppy\lstset{breaklines=true}\usepackage{etoolbox,ragged2e}
\newcommand{\Narrow}{\hyphenpenalty=50\def\raggedright{\RaggedRight\leavevmode\nobreak\hspace{0pt}}}
\AtBeginEnvironment{longtable}{\Narrow}\AtBeginEnvironment{supertabular}{\Narrow}
\providecommand{\tablehead}[1]{}\providecommand{\tabletail}[1]{}
\renewcommand{\tablehead}[1]{\gdef\TableHead{#1}}\renewcommand{\tabletail}[1]{\gdef\TableTail{#1}}
\ifdefined\supertabular\else\newenvironment{supertabular}[1]{}{}\fi
\renewenvironment{supertabular}[1]{\par\noindent\begin{tabular}{#1}\TableHead}{\TableTail\end{tabular}\par}"""
"""After all pieces: long lines of code wrap, long words of cells break, and tables in columns of text are not cut, as
supertabular sets the last line of some rows over the next one."""
