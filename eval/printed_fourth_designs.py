"""The designs of the fourth set: each in the language of its printer, whose lines are as long as they are."""
# ruff: noqa: E501

from printed_fourth import Design


def _design(
    name: str, flags: str, preamble: str, code_columns: int = 60, columns: int = 1, *, tagged: bool = False
) -> Design:
    return Design(name, preamble, frozenset(flags.split()), code_columns, columns, tagged)


_TYPST = (
    _design(
        "typst-handout",
        "",
        """
#set page(paper: "us-letter", margin: (left: 2cm, right: 6.5cm, y: 2.2cm), numbering: "1")
#set text(font: "EB Garamond", size: 11pt)
#set par(justify: false)
#show heading: set text(weight: "regular", style: "italic")
#show heading.where(level: 1): set text(size: 20pt)
#show heading.where(level: 2): set text(size: 15pt)
#show heading.where(level: 3): set text(size: 12pt)
#show raw: set text(size: 9pt)
#let margin-note(it) = place(right, dx: 5cm, box(width: 4.2cm, align(left, text(size: 8pt, it))))
#let tbl(n, aligns, header, ..body) = { set text(size: 9.5pt)
  table(columns: n, align: aligns, stroke: none, inset: (x: 5pt, y: 3pt), table.hline(stroke: 1pt),
  table.header(..header), table.hline(stroke: .5pt), ..body, table.hline(stroke: 1pt)) }
#let legend(it) = text(size: 9pt, style: "italic", it)
""",
        44,
    ),
    _design(
        "typst-deck",
        "rtl",
        """
#set page(width: 25.4cm, height: 14.29cm, margin: (x: 1.6cm, y: 1.5cm), footer: context {
  set text(size: 9pt, fill: gray)
  let past = query(selector(heading).before(here()))
  if past.len() > 0 { past.last().body }
  h(1fr); counter(page).display() })
#set text(font: ("Lato", "DejaVu Sans"), size: 15pt)
#show heading.where(level: 1): set text(size: 30pt, weight: "black", fill: rgb("004d40"))
#show heading.where(level: 2): it => { pagebreak(weak: true); text(size: 22pt, weight: "bold", fill: rgb("00695c"), it.body); v(6pt) }
#show heading.where(level: 3): set text(size: 17pt, weight: "bold")
#show raw: set text(size: 11pt)
#let listing(it) = block(fill: luma(236), inset: 8pt, radius: 4pt, width: 100%, it)
#let tbl(n, aligns, header, ..body) = { set text(size: 12pt)
  table(columns: n, align: aligns, stroke: (x: none, y: .5pt + luma(180)), inset: 5pt, table.header(..header), ..body) }
#show table.cell.where(y: 0): strong
""",
        60,
    ),
    _design(
        "typst-transactions",
        "below",
        """
#set page(paper: "us-letter", margin: (x: 1.7cm, y: 2.3cm), columns: 2, header: context {
  set text(size: 8pt)
  let past = query(selector(heading.where(level: 2)).before(here()))
  smallcaps(if past.len() > 0 { past.last().body } else [Proceedings]); h(1fr); counter(page).display() })
#set text(font: "New Computer Modern", size: 9.5pt, hyphenate: true)
#set par(justify: true, first-line-indent: 1em, spacing: .65em)
#set heading(numbering: "I.1.a")
#show heading.where(level: 1): it => align(center, text(size: 15pt, weight: "regular", it))
#show heading.where(level: 2): it => align(center, text(size: 10pt, weight: "regular", smallcaps(it)))
#show heading.where(level: 3): it => text(size: 10pt, weight: "regular", style: "italic", it)
#show raw: set text(size: 7.5pt)
#let listing(it) = block(stroke: .4pt, inset: 4pt, width: 100%, breakable: false, it)
#let tbl(n, aligns, header, ..body) = { set text(size: 8pt); set par(justify: false, first-line-indent: 0pt)
  align(center, table(columns: n, align: aligns, stroke: none, inset: (x: 3pt, y: 2pt), table.hline(stroke: .8pt),
  table.header(..header), table.hline(stroke: .4pt), ..body, table.hline(stroke: .8pt))) }
#let legend(it) = align(center, text(size: 8pt, it))
""",
        36,
        2,
    ),
    _design(
        "typst-datasheet",
        "numbered rtl",
        """
#set page(paper: "a4", margin: 1.5cm, columns: 2, footer: [#set text(size: 7pt, fill: rgb("0057b8")); Preliminary data #h(1fr) #context counter(page).display("1 / 1", both: true)])
#set text(font: ("Roboto", "DejaVu Sans"), size: 8.5pt)
#set heading(numbering: "1.1")
#show heading.where(level: 1): it => block(width: 100%, fill: rgb("0057b8"), inset: 6pt, text(fill: white, size: 15pt, it))
#show heading.where(level: 2): it => block(width: 100%, stroke: (bottom: 1pt + rgb("0057b8")), inset: (bottom: 3pt), text(fill: rgb("0057b8"), size: 11pt, it))
#show heading.where(level: 3): set text(fill: rgb("0057b8"), size: 9pt)
#show raw: set text(size: 7pt)
#let listing(it) = block(fill: rgb("eef4fb"), inset: 5pt, width: 100%, it)
#let tbl(n, aligns, header, ..body) = { set text(size: 7.5pt)
  table(columns: n, align: aligns, stroke: none, inset: 3pt, fill: (_, y) => if y == 0 { rgb("0057b8") } else if calc.even(y) { rgb("eef4fb") },
  table.header(..header), ..body) }
#show table.cell.where(y: 0): set text(fill: white)
""",
        40,
        2,
    ),
    _design(
        "typst-hanging",
        "rotated",
        """
#set page(paper: "a4", margin: (left: 4.5cm, right: 2.5cm, y: 2.5cm), numbering: "1", number-align: right)
#set text(font: "Libertinus Serif", size: 10.5pt, hyphenate: true)
#set par(justify: true)
#set heading(numbering: "1.1")
#show heading: it => block(above: 1.4em, below: .8em, { place(dx: -2.6cm, box(width: 2.2cm, align(right, counter(heading).display()))); it.body })
#show heading.where(level: 1): set text(size: 16pt)
#show heading.where(level: 2): set text(size: 13pt)
#show heading.where(level: 3): set text(size: 11pt)
#show raw.line: it => { box(width: 2em, align(right, text(size: 7pt, fill: gray, str(it.number)))); h(1em); it.body }
#let tbl(n, aligns, header, ..body) = table(columns: n, align: aligns, stroke: .4pt, inset: 4pt, table.header(..header), ..body)
#let term(name, it) = par(hanging-indent: 2em)[*#name* --- #it]
""",
        50,
    ),
    _design(
        "typst-plainform",
        "rtl",
        """
#set page(paper: "a4", flipped: true, margin: 2cm)
#set text(font: "DejaVu Sans", size: 9pt)
#show heading: set text(size: 9pt)
#show heading.where(level: 1): it => upper(it)
#show heading.where(level: 2): it => underline(it)
#show heading.where(level: 3): set text(style: "italic")
#show raw: set text(size: 8pt)
#let tbl(n, aligns, header, ..body) = table(columns: n, align: aligns, stroke: none, column-gutter: 1.2em, inset: (x: 0pt, y: 3pt), table.header(..header), ..body)
#show table.cell.where(y: 0): underline
""",
        66,
    ),
)
_WEASYPRINT = (
    _design(
        "weasyprint-novel",
        "beside",
        """
@page{size:A5;margin:1.8cm;@bottom-center{content:counter(page);font:8pt 'EB Garamond'}@footnote{border-top:.4pt solid;padding-top:3pt}}
body{font:10.5pt/1.25 'EB Garamond';text-align:justify;hyphens:auto} p{margin:0;text-indent:1.4em}
.footnote{float:footnote;font-size:8pt;text-indent:0} aside{display:none}
h1{font:400 19pt 'EB Garamond';text-align:center} h2{font:400 13pt 'EB Garamond';font-variant:small-caps;text-align:center;margin:14pt 0 8pt}
h3{font:italic 11pt 'EB Garamond';text-align:center;margin:8pt 0 4pt}
table{font-size:9pt;margin:8pt auto} th{font-weight:400;font-style:italic} .beside{float:right;margin:4pt 0 4pt 14pt}
pre,code{font-family:Inconsolata;font-size:8.5pt} p.caption{text-indent:0;text-align:center;font-size:9pt}
blockquote{margin:6pt 2em;font-size:9.5pt}
""",
        48,
    ),
    _design(
        "weasyprint-policy",
        "numbered",
        """
@page{size:letter;margin:2.6cm 2.2cm;@top-right{content:string(section);font:8pt 'Liberation Sans'}@top-left{content:'Corporate Policy';font:8pt 'Liberation Sans'}@bottom-right{content:'Page ' counter(page) ' of ' counter(pages);font:8pt 'Liberation Sans'}}
h2{string-set:section content()} body{font:10pt 'Liberation Sans'} .footnote{float:footnote;font-size:8pt} aside{display:none}
h1,h2,h3,h4{font-size:10pt;font-weight:bold} h1{font-size:14pt;text-transform:uppercase} h2{text-transform:uppercase} h3{text-decoration:underline}
.number{display:inline-block;width:3.2em}
table{width:100%;border-top:1.5pt solid #333;border-bottom:1.5pt solid #333} tr{border-bottom:.4pt solid #999} th{background:#ddd}
pre,code{font-family:'Liberation Mono';font-size:8.5pt} pre{border-left:3pt solid #999;padding-left:8pt}
dl{margin:4pt 0} dt{float:left;width:9em;font-weight:bold;clear:left} dd{margin:0 0 4pt 10em}
.caption{font-weight:bold;font-size:9pt}
""",
        60,
    ),
    _design(
        "weasyprint-gazetteer",
        "",
        """
@page{size:A4 landscape;margin:1.4cm;@bottom-left{content:'Gazetteer';font:7pt Lato}}
body{font:8.5pt/1.3 Lato;columns:3;column-gap:.8cm;hyphens:auto;text-align:justify;column-rule:.4pt solid #aaa} aside{display:none}
.footnote{display:none} h1{font-size:18pt;font-weight:900;color:#5b2333} h2{font-size:11pt;color:#5b2333;border-bottom:.8pt solid} h3{font-size:9pt;margin:6pt 0 2pt}
table{font-size:7.5pt;width:100%} td,th{padding:1.5pt 3pt;text-align:left;border:.4pt solid #bbb;hyphens:auto;overflow-wrap:anywhere}
td.n{white-space:normal} pre,code{font-family:'DejaVu Sans Mono';font-size:6.5pt} pre{background:#f3f0ea;padding:3pt}
blockquote{border-left:2pt solid #5b2333;margin:4pt 0;padding-left:6pt;font-style:italic} .caption{font-size:7.5pt;font-weight:bold}
""",
        40,
        3,
    ),
    _design(
        "weasyprint-banner",
        "comments rtl",
        """
@page{size:A4;margin:2cm;@bottom-center{content:string(s);font:8pt Roboto}} h2{string-set:s content()}
body{font:10pt 'Roboto','DejaVu Sans'} aside{float:right;clear:right;width:4cm;background:#fdf3d8;font-size:8pt;padding:5pt;margin:2pt 0 4pt 8pt}
.footnote{float:footnote;font-size:8pt} h1,h2{background:#1c3144;color:#fff;padding:4pt 8pt} h1{font-size:20pt} h2{font-size:13pt} h3{font-size:11pt;color:#a33}
tbody tr:nth-child(even){background:#eaf0f4} th{border-bottom:1.4pt solid #1c3144} table{width:100%}
pre{background:#272822;color:#f8f8f2;padding:8pt;border-radius:4pt} pre i{color:#a6a37a} pre,code{font-family:'DejaVu Sans Mono';font-size:8.5pt}
.caption{color:#666;font-size:8.5pt}
""",
        66,
    ),
    _design(
        "weasyprint-accessible",
        "numbered rtl",
        """
@page{size:A4;margin:2.5cm} body{font:12pt/1.5 'DejaVu Sans'} aside{border:1pt solid;padding:4pt;font-size:10pt} .footnote{display:none}
h1{font-size:22pt} h2{font-size:17pt} h3{font-size:14pt} table{font-size:9pt} td,th{border-bottom:.5pt solid}
pre,code{font-family:'DejaVu Sans Mono';font-size:9pt} .caption{font-style:italic}
""",
        60,
        tagged=True,
    ),
)
_CHROMIUM = (
    _design(
        "chromium-readme",
        "rtl",
        """
@page{size:A4;margin:1.5cm} body{font:11pt/1.45 'Liberation Sans','DejaVu Sans'} h1,h2{border-bottom:1px solid #d0d7de;padding-bottom:.3em}
h1{font-size:2em} h2{font-size:1.5em} h3{font-size:1.25em} td,th{border:1px solid #d0d7de;padding:5px 11px} tbody tr:nth-child(even){background:#f6f8fa}
pre{background:#f6f8fa;padding:12px;border-radius:6px} pre,code{font-family:'Liberation Mono';font-size:9pt} code{background:#eff1f3;padding:1px 3px} pre code{padding:0}
blockquote{border-left:.25em solid #d0d7de;color:#59636e;padding:0 1em;margin:0}
""",
        66,
    ),
    _design(
        "chromium-wiki",
        "beside",
        """
@page{size:letter;margin:1.2cm} body{font:10pt/1.5 'Liberation Sans'} h1,h2{font:400 1.8em 'Liberation Serif';border-bottom:1px solid #a2a9b1} h2{font-size:1.5em} h3{font-size:1.15em}
table{border:1px solid #a2a9b1;background:#f8f9fa} th{background:#eaecf0;text-align:center} td,th{border:1px solid #a2a9b1;padding:3px 6px}
table.beside{float:right;margin:0 0 8px 14px} pre,code{font-family:'DejaVu Sans Mono';font-size:8.5pt} pre{border:1px solid #eaecf0;background:#f8f9fa;padding:1em}
.caption{font-weight:bold;text-align:center}
""",
        66,
    ),
    _design(
        "chromium-separate",
        "lines",
        """
@page{size:A4;margin:2cm} body{font:11pt 'DejaVu Serif'} table{border-collapse:separate;border-spacing:2px;border:1px outset gray} td,th{border:1px inset gray}
pre{counter-reset:l;font:8.5pt 'DejaVu Sans Mono'} .line{counter-increment:l} .line::before{content:counter(l);display:inline-block;width:2em;margin-right:1em;text-align:right;color:#999;border-right:1px solid #ccc;padding-right:.4em}
code{font-family:'DejaVu Sans Mono';font-size:.85em} h2::before{content:'\\00a7 '}
""",
        60,
    ),
    _design(
        "chromium-minutes",
        "numbered rotated",
        """
@page{size:A5;margin:1.3cm} body{font:9pt/1.35 Carlito;text-align:left} h1{font-size:13pt;text-align:right;font-weight:400} h2,h3{font-size:9pt;display:inline} h2::before,h3::before{content:'\\A';white-space:pre} h2+p,h3+p{display:inline} h2::after,h3::after{content:'. '}
h2:has(+h3),h1{display:block} h2{font-variant:small-caps} h3{font-style:italic}
th.r{writing-mode:vertical-rl;transform:rotate(180deg);height:7em;text-align:left} tr+tr td{border-top:.5pt dotted #444} th{border-bottom:.8pt solid}
pre,code{font-family:Inconsolata;font-size:8pt} pre{margin-left:2em} .caption{font-size:8pt;color:#444}
""",
        50,
    ),
)
_LATEX = (
    _design(
        "latex-book",
        "chapters",
        r"""
\documentclass[a5paper,10pt,oneside]{memoir}
\usepackage{ebgaramond-or-charter}
\chapterstyle{section}\setsecheadstyle{\centering\scshape\large}\setsubsecheadstyle{\itshape\normalsize}
\setlrmarginsandblock{1.7cm}{1.7cm}{*}\setulmarginsandblock{2cm}{2cm}{*}\checkandfixthelayout\renewcommand{\marginpar}[1]{}\AtBeginEnvironment{longtable}{\footnotesize}
\renewcommand{\Top}{\toprule}\renewcommand{\Below}{\midrule}\renewcommand{\Bottom}{\bottomrule}
\lstset{numbers=left,numberstyle=\tiny,numbersep=5pt,basicstyle=\ttfamily\footnotesize}
""".replace("ebgaramond-or-charter", "charter"),
        44,
    ),
    _design(
        "latex-ctan",
        "bars",
        r"""
\documentclass[letterpaper,11pt]{article}
\usepackage[left=2cm,right=4.4cm,marginparwidth=3.2cm,vmargin=2cm]{geometry}\usepackage{parskip}
\renewcommand{\Top}{\hline\rowcolor[gray]{.88}}\renewcommand{\Below}{\hline}\renewcommand{\Row}{\hline}
\lstset{language=Python,commentstyle=\itshape,backgroundcolor=\color[gray]{.94},frame=single,basicstyle=\ttfamily\footnotesize}
""",
        66,
    ),
    _design(
        "latex-spaced",
        "below",
        r"""
\documentclass[a4paper,11pt]{article}
\usepackage[left=2.5cm,right=5.5cm,marginparwidth=4cm]{geometry}\usepackage{bookman}\linespread{1.5}
\usepackage{titlesec}\renewcommand{\thesection}{\Roman{section}.}\renewcommand{\thesubsection}{\Alph{subsection}.}\setcounter{secnumdepth}{2}
\titleformat{\section}{\centering\large}{\thesection}{.5em}{\MakeUppercase}
\titleformat{\subsection}{\raggedright\normalsize\bfseries}{\thesubsection}{.5em}{}
\titleformat{\subsubsection}[runin]{\itshape}{}{0pt}{}[.]
\renewcommand{\Below}{\hline}\renewcommand{\Head}[1]{\textit{#1}}\AtBeginEnvironment{longtable}{\footnotesize\linespread{1}\selectfont}
\lstset{basicstyle=\ttfamily\footnotesize\linespread{1}\selectfont}
""",
        50,
    ),
    _design(
        "latex-sansreport",
        "chapters",
        r"""
\documentclass[a4paper,10pt]{scrreprt}
\usepackage{helvet}\renewcommand{\familydefault}{\sfdefault}\usepackage[left=2cm,right=4.4cm,marginparwidth=3.2cm,vmargin=2.4cm]{geometry}
\usepackage{scrlayer-scrpage}\automark{section}\clearpairofpagestyles\ohead{\headmark}\ofoot{\pagemark}\setcounter{secnumdepth}{3}
\renewcommand{\Top}{\toprule}\renewcommand{\Below}{\midrule}\renewcommand{\Row}{\midrule[.1pt]}
\lstset{frame=lines,basicstyle=\ttfamily\small}
""",
        60,
    ),
)
_LIBREOFFICE = (
    _design(
        "libreoffice-minutes",
        "numbered",
        """
{"page": [21, 29.7], "margin": 2.4, "font": "Liberation Sans", "size": 10.5, "header": "Minutes - {source}",
 "headings": [[16, true, "000000"], [12, true, "000000"], [10.5, true, "444444"], [10.5, true, "444444"]],
 "table": "Light Grid Accent 3", "shaded": true, "justified": true}
""",
        66,
    ),
    _design(
        "libreoffice-newsletter",
        "",
        """
{"page": [21.59, 27.94], "margin": 1.6, "columns": 2, "font": "Carlito", "size": 10, "header": "Newsletter",
 "headings": [[20, false, "B8451F"], [14, false, "B8451F"], [11, true, "B8451F"], [10, true, "000000"]],
 "table": "Table Grid"}
""",
        36,
        2,
    ),
    _design(
        "libreoffice-formal",
        "",
        """
{"page": [14.8, 21], "margin": 1.5, "font": "Liberation Serif", "size": 10,
 "headings": [[14, true, "000000"], [12, true, "000000"], [10, true, "000000"], [10, true, "000000"]],
 "table": "Medium List 1", "cell_space": 3}
""",
        48,
    ),
)
_PANDOC = (
    _design("pandoc-latex", "", "--pdf-engine=pdflatex", 66),
    _design(
        "pandoc-numbered",
        "",
        "--pdf-engine=pdflatex -N -V geometry:margin=2.2cm -V fontsize=11pt -V classoption=twoside -V documentclass=report --top-level-division=chapter",
        60,
    ),
    _design("pandoc-web", "", "--pdf-engine=weasyprint", 60),
    _design("pandoc-office", "", "--to=docx", 60),
)
DESIGNS = (*_TYPST, *_WEASYPRINT, *_CHROMIUM, *_LATEX, *_LIBREOFFICE, *_PANDOC)
