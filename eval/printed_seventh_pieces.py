"""Pieces that only the seventh set's looks are drawn from, besides those of the sets before: by engine and kind.

They are of datasheets, theses, journals, statistics, price lists and reports. `ROWS` says if the end of a page may cut
a row of a table: one piece in six lets it (LaTeX never does).
"""
# ruff: noqa: E501

from printed_fifth_css import Piece
from printed_fifth_latex import NO_NOTES

CSS = {
    "PAGES": (
        Piece("@page{size:letter;margin:1.6cm 1.5cm}", width_pt=526),
        Piece("@page{size:A4;margin:3cm 4.2cm 3.6cm}", width_pt=357),
        Piece(
            "@page{size:A4;margin:2.4cm 1.8cm} body{columns:2;column-gap:22pt} table,.table,.caption{column-span:all}",
            width_pt=235,
            columns=2,
        ),
        Piece("@page{size:21cm 21cm;margin:2cm 1.8cm}", width_pt=493),
    ),
    "FONTS": (
        Piece("body{font:9.5pt/1.45 Lato,'DejaVu Sans'}"),
        Piece("body{font:10.5pt/1.35 Caladea,'DejaVu Sans'}"),
        Piece("body{font:9.5pt/1.4 'Open Sans','DejaVu Sans'}"),
        Piece("body{font:10.5pt/1.3 'Linux Libertine O','DejaVu Sans'}"),
    ),
    "PARAGRAPHS": (Piece("p{margin:0 0 .35em} body{text-align:justify}"),),
    "HEADINGS": (
        Piece(
            "h1,h2{text-align:right} h1{font-size:1.9em;font-weight:400} h2{font-size:1.35em;font-weight:400} h3{font-size:1.1em} h4{font-size:1em;font-style:italic}"
        ),
        Piece(
            "h1,h2,h3,h4{font-family:Lato} h1{font-size:1.8em;font-weight:900;color:#222} h2{font-size:1.35em;font-weight:900;color:#b5521b} h3{font-size:1.1em;font-weight:700;color:#222} h4{font-size:1em;font-weight:700;font-style:italic;color:#b5521b}"
        ),
        Piece(
            "h1{font-size:1.5em;border-top:2pt solid;border-bottom:2pt solid;padding:5pt 0} h2{font-size:1.2em;border:.8pt solid;padding:3pt 6pt} h3{font-size:1.05em} h4{font-size:1em;font-style:italic;margin-left:1.5em}"
        ),
        Piece(
            "h1{font-size:2.2em;font-weight:400} h2{font-size:1.3em;font-weight:700;color:#444} h3{font-size:1em;text-transform:uppercase;letter-spacing:.06em} h4{font-size:1em;font-weight:700}"
        ),
    ),
    "NUMBERS": (
        Piece(
            "body{counter-reset:a b c} h2{counter-increment:a;counter-reset:b c} h2::before{content:counter(a) '. '} h3{counter-increment:b;counter-reset:c} h3::before{content:counter(a) '.' counter(b) '. '} h4{counter-increment:c} h4::before{content:counter(a) '.' counter(b) '.' counter(c) '. '}"
        ),
        Piece(
            "body{counter-reset:a b} h2{counter-increment:a;counter-reset:b} h2::before{content:counter(a,upper-alpha) '. '} h3{counter-increment:b} h3::before{content:counter(b) '. '}"
        ),
        Piece(
            "body{counter-reset:a} h2{counter-increment:a} h2::before{content:counter(a,decimal-leading-zero) '\\2003';font-weight:400;color:#888}"
        ),
    ),
    "RULES": (
        Piece(
            "th{background:#22313f;color:#fff} td+td,th+th{border-left:.4pt solid #9aa5ae} tbody tr:last-child td{border-bottom:.8pt solid #22313f}"
        ),
        Piece(
            "td:nth-child(even),th:nth-child(even){background:#f0ece2} thead tr:last-child th{border-bottom:.6pt solid #665}"
        ),
        Piece(
            "table{border-collapse:separate!important;border-spacing:7pt 0} td{border-bottom:.3pt solid #888} th{border-bottom:.9pt solid}"
        ),
        Piece(
            "table{border-top:3pt double;border-bottom:3pt double} thead tr:last-child th{border-bottom:.5pt solid} tbody tr:last-child td{font-weight:700;border-top:.5pt solid}"
        ),
        Piece(
            "thead tr:last-child th{border-bottom:.8pt solid} tbody tr:nth-child(4n) td{border-bottom:.3pt solid #777}"
        ),
    ),
    "CELLS": (
        Piece(
            "table{font-size:.88em} td,th{padding:2.5pt 6pt} td:first-child{font-style:italic} td:last-child{font-weight:700}"
        ),
        Piece(
            "table{font-size:.9em} td,th{padding:3pt 6pt} td.n{font-family:'Liberation Mono';font-size:.92em} th{text-align:left}"
        ),
        Piece("table{font-size:.86em;width:100%} td,th{padding:3.5pt 5pt} td:first-child{background:#e9e9e9}"),
    ),
    "CAPTIONS": (
        Piece(".caption{background:#e4e4e4;padding:2pt 5pt;font-weight:700;font-size:.88em;text-indent:0}"),
        Piece(".caption{text-transform:uppercase;font-size:.76em;letter-spacing:.05em}"),
    ),
    "CODE": (
        Piece(
            "pre,code{font-family:Inconsolata,'DejaVu Sans Mono';font-size:9.5pt} pre{background:#fdf6e3;border:.5pt solid #d6c9a0;padding:6pt 8pt}",
            code_pt=4.75,
            padding_pt=18,
        ),
        Piece(
            "pre,code{font-family:'Fira Code';font-size:8pt;font-variant-ligatures:none} pre{border-top:.4pt solid #aaa;border-bottom:.4pt solid #aaa;padding:4pt 1em}",
            code_pt=4.8,
            padding_pt=22,
        ),
    ),
    "LISTS": (
        Piece("ul{list-style-type:'■  ';padding-left:1.4em} ol{padding-left:2.2em} li::marker{color:#b5521b}"),
        Piece("ul{list-style-type:'—  ';padding-left:2.4em} ol{padding-left:2.4em} ol li::marker{font-weight:700}"),
    ),
    "HEADS": (
        Piece(
            "@page{@bottom-left{content:'DOC-4711 | Rev. B | 2026-02-11';font:7.5pt 'Liberation Sans Narrow'}@bottom-right{content:'Page ' counter(page) ' of ' counter(pages);font:7.5pt 'Liberation Sans Narrow'}@top-right{content:'Preliminary';font:bold 8pt 'Liberation Sans Narrow';color:#b00}}"
        ),
        Piece(
            "@page:left{@bottom-left{content:counter(page) '   Statistical Yearbook 2026';font:8pt 'Noto Serif'}}@page:right{@bottom-right{content:'Statistical Yearbook 2026   ' counter(page);font:8pt 'Noto Serif'}}"
        ),
    ),
    "ROWS": (*[Piece("tr,.tr{break-inside:avoid}")] * 5, Piece("tr,.tr{break-inside:auto}", "cut")),
}
TYPST = {
    "PAGES": (
        Piece('#set page(paper: "us-letter", margin: (x: 1.5cm, y: 1.7cm))', width_pt=526),
        Piece('#set page(paper: "iso-b5", margin: (x: 2.1cm, y: 2.3cm))', width_pt=379),
        Piece("#set page(width: 21cm, height: 21cm, margin: (x: 1.8cm, y: 2cm))", width_pt=493),
    ),
    "FONTS": (
        Piece('#set text(font: ("Lato", "DejaVu Sans"), size: zoom * 10pt)'),
        Piece('#set text(font: ("Caladea", "DejaVu Sans"), size: zoom * 10.5pt)'),
        Piece('#set text(font: ("Open Sans", "DejaVu Sans"), size: zoom * 9.5pt)'),
    ),
    "HEADINGS": (
        Piece(
            '#let sizes = (1.7, 1.35, 1.15, 1)\n#let look(level, it) = text(weight: "bold", fill: (rgb("12355b"), rgb("420039"), rgb("d72638"), luma(80)).at(calc.min(level, 4) - 1), it)'
        ),
        Piece(
            "#let sizes = (1.6, 1.25, 1.1, 1)\n#let look(level, it) = if level < 3 { block(width: 100%, stroke: (top: .7pt), inset: (top: 4pt), text(weight: 400, it)) } else if level == 3 { strong(it) } else { emph(it) }"
        ),
        Piece(
            "#let sizes = (1.9, 1.3, 1, 1)\n#let look(level, it) = if level < 3 { align(right, text(weight: 400, it)) } else if level == 3 { text(tracking: .06em, strong(upper(it))) } else { strong(it) }"
        ),
    ),
    "NUMBERS": (
        Piece('#set heading(numbering: "1.1.")'),
        Piece(
            '#set heading(numbering: (..n) => { let n = n.pos(); if n.len() == 2 { numbering("A.", n.at(1)) } else if n.len() == 3 { numbering("1.", n.at(2)) } })'
        ),
    ),
    "RULES": (
        Piece(
            '#let rules = (stroke: (x, _) => if x > 0 { (left: .4pt + luma(160)) }, fill: (_, y) => if y == 0 { rgb("22313f") })\n#let ends = ((), (), (table.hline(stroke: .8pt),))\n#show table.cell.where(y: 0): set text(fill: white)'
        ),
        Piece(
            '#let rules = (stroke: none, fill: (x, _) => if calc.odd(x) { rgb("f0ece2") })\n#let ends = ((), (table.hline(stroke: .6pt),), ())'
        ),
        Piece(
            "#let rules = (stroke: (_, y) => if y > 0 and calc.rem(y, 4) == 0 { (bottom: .3pt + luma(110)) })\n#let ends = ((), (table.hline(stroke: .8pt),), (table.hline(stroke: .8pt),))"
        ),
        Piece("#let rules = (stroke: (x: none, y: .4pt + luma(130)), column-gutter: 7pt)"),
    ),
    "CELLS": (
        Piece(
            "#let inset = (x: 6pt, y: 3pt)\n#let sides(a) = a\n#show table.cell.where(x: 0): emph\n#show table.cell.where(y: 0): strong"
        ),
        Piece("#let inset = (x: 10pt, y: 4pt)\n#let sides(a) = a\n#show table.cell.where(y: 0): smallcaps"),
    ),
    "CAPTIONS": (
        Piece(
            "#let legend(it) = block(width: 100%, fill: luma(228), inset: (x: 5pt, y: 3pt), text(size: .86em, strong(it)))"
        ),
        Piece("#let legend(it) = par(first-line-indent: 0pt, text(size: .76em, tracking: .05em, upper(it)))"),
    ),
    "CODE": (
        Piece(
            '#show raw: set text(font: "Inconsolata", size: 9.5pt)\n#let listing(it) = block(fill: rgb("fdf6e3"), stroke: .5pt + rgb("d6c9a0"), inset: 7pt, width: 100%, breakable: false, it)',
            code_pt=4.75,
            padding_pt=16,
        ),
        Piece(
            '#show raw: set text(font: "Fira Code", size: 8pt, ligatures: false)\n#let listing(it) = block(stroke: (y: .4pt + luma(150)), inset: (x: 1em, y: 4pt), width: 100%, breakable: false, it)',
            code_pt=4.85,
            padding_pt=24,
        ),
    ),
    "LISTS": (
        Piece('#set list(marker: text(fill: rgb("b5521b"), [■]), indent: .4em)'),
        Piece('#set list(marker: [—], body-indent: .8em)\n#set enum(numbering: n => strong(str(n) + "."))'),
    ),
    "HEADS": (
        Piece(
            '#set page(header: [#set text(size: 8pt, fill: rgb("bb0000")); #h(1fr) *Preliminary*], footer: context [#set text(size: 7.5pt); DOC-4711 | Rev. B | 2026-02-11 #h(1fr) Page #counter(page).display() of #counter(page).final().first()])'
        ),
        Piece(
            "#set page(footer: context { set text(size: 8pt); if calc.odd(here().page()) [#h(1fr) Statistical Yearbook 2026 #h(1em) #counter(page).display()] else [#counter(page).display() #h(1em) Statistical Yearbook 2026] })"
        ),
    ),
    "ROWS": (*[Piece("#set table.cell(breakable: false)")] * 5, Piece("", "cut")),
}
LATEX = {
    "PAGES": (
        Piece(r"\documentclass[letterpaper,10pt]{article}\usepackage[margin=.8in]{geometry}" + NO_NOTES, width_pt=497),
        Piece(
            r"\documentclass[b5paper,10pt,openany]{book}\usepackage[margin=2cm]{geometry}" + NO_NOTES,
            "chapters",
            width_pt=385,
        ),
        Piece(
            r"\documentclass[a4paper,10pt,twocolumn]{article}\usepackage[margin=1.8cm,columnsep=20pt]{geometry}\columnseprule=.4pt"
            + NO_NOTES
            + r"\usepackage{ragged2e}\AtBeginEnvironment{supertabular}{\tiny\tabcolsep=2pt\def\raggedright{\RaggedRight\hspace{0pt}}}",
            "short",
            width_pt=236,
            columns=2,
        ),
    ),
    "FONTS": (
        Piece(r"\usepackage{charter}"),
        Piece(r"\usepackage{mathpazo}"),
        Piece(r"\usepackage{bookman}"),
        Piece(r"\usepackage{lmodern}\renewcommand{\familydefault}{\sfdefault}"),
    ),
    "PARAGRAPHS": (Piece(r"\usepackage[skip=4pt,indent=0pt]{parskip}\raggedright"),),
    "HEADINGS": (
        Piece(
            r"\usepackage{titlesec}\titleformat*{\section}{\Large\bfseries\color[HTML]{8C1C13}}\titleformat*{\subsection}{\large\itshape\color[HTML]{8C1C13}}\titleformat*{\subsubsection}{\normalsize\bfseries}\titleformat*{\paragraph}{\normalsize\itshape}"
        ),
        Piece(
            r"\usepackage{titlesec}\titleformat*{\section}{\LARGE\sffamily}\titleformat*{\subsection}{\large\sffamily\bfseries}\titleformat*{\subsubsection}{\normalsize\sffamily\bfseries}\titleformat*{\paragraph}{\normalsize\sffamily\itshape}"
        ),
        Piece(
            r"\usepackage{titlesec}\titleformat{\section}{\large\bfseries}{\thesection}{.8em}{}[{\titlerule[1.2pt]}]\titleformat*{\subsection}{\normalsize\bfseries\scshape}\titleformat*{\subsubsection}{\normalsize\itshape\bfseries}\titleformat{\paragraph}[runin]{\normalsize\itshape}{\theparagraph}{.5em}{}[.]"
        ),
    ),
    "NUMBERS": (
        Piece(
            r"\setcounter{secnumdepth}{2}\renewcommand{\thesection}{\arabic{section}.}\renewcommand{\thesubsection}{\thesection\arabic{subsection}.}"
        ),
    ),
    "RULES": (
        Piece(
            r"\renewcommand{\Top}{\toprule[1.4pt]}\renewcommand{\Below}{\midrule}\renewcommand{\Row}{\addlinespace[2pt]}\renewcommand{\Bottom}{\bottomrule[1.4pt]}"
        ),
        Piece(
            r"\newcount\Count\renewcommand{\Row}{\noalign{\global\advance\Count1 }\ifodd\Count\rowcolor[gray]{.92}\fi}\renewcommand{\Below}{\midrule}\renewcommand{\Top}{\toprule}"
        ),
        Piece(
            r"\renewcommand{\Top}{\arrayrulecolor[HTML]{6AA84F}\hline\rowcolor[HTML]{E2F0D9}}\renewcommand{\Below}{\hline}\renewcommand{\Row}{\hline}",
            "bars",
        ),
    ),
    "CELLS": (Piece(r"\renewcommand{\Head}[1]{\textbf{\textit{#1}}}\renewcommand{\arraystretch}{1.15}"),),
    "CODE": (
        Piece(
            r"\lstset{basicstyle=\ttfamily\footnotesize,frame=leftline,framerule=2pt,rulecolor=\color[gray]{.6},xleftmargin=9pt}",
            code_pt=4.8,
            padding_pt=12,
        ),
        Piece(
            r"\usepackage{courier}\lstset{basicstyle=\ttfamily\footnotesize,frame=tb,backgroundcolor=\color[HTML]{F4F1EA}}",
            code_pt=4.9,
        ),
    ),
    "LISTS": (Piece(r"\usepackage{enumitem}\setlist{leftmargin=1.2em}\renewcommand{\labelitemi}{$\diamond$}"),),
    "HEADS": (
        Piece(
            r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}\fancyfoot[L]{\scriptsize DOC-4711 \textbar{} Rev. B}\fancyfoot[R]{\scriptsize Page \thepage}\renewcommand{\headrulewidth}{0pt}\renewcommand{\footrulewidth}{.4pt}"
        ),
    ),
    "ROWS": (Piece(""),),
}
