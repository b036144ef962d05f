"""Pieces of which the fifth set's looks for WeasyPrint and Chromium are drawn, in CSS.

Each piece is one way in which real documents differ: `PAGES`, `FONTS` and so on have one of them a line, and a look
takes one of each. The pieces of one tuple set the same properties, those of different tuples do not.
"""
# ruff: noqa: E501

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """A part of a look.

    Attributes:
        css: Its rules.
        flags: What the writers have to know (`printed_fourth.Design`).
        width_pt: Of a page: the width of a line of text.
        columns: Of a page: columns of text.
        code_pt: Of code: what one character takes.
        padding_pt: Of code: what stands at its sides.
    """

    css: str
    flags: str = ""
    width_pt: float = 0
    columns: int = 1
    code_pt: float = 0
    padding_pt: float = 0


PAGES = (
    Piece("@page{size:A4;margin:2.5cm 2.3cm}", width_pt=464),
    Piece("@page{size:letter;margin:1in}", width_pt=468),
    Piece("@page{size:176mm 250mm;margin:2.2cm 2cm}", width_pt=385),
    Piece(
        "@page{size:A4;margin:2cm 2cm 2cm 6.4cm} aside{float:left;clear:left;width:3.7cm;margin:0 0 6pt -4.3cm;text-indent:0}",
        "margin",
        width_pt=357,
    ),
    Piece(
        "@page{size:A4;margin:2cm 1.7cm} body{columns:2;column-gap:20pt} td,th,.td{padding:1.5pt 3pt!important;font-size:7.2pt}",
        width_pt=239,
        columns=2,
    ),
    Piece("@page{size:A5;margin:1.7cm 1.5cm} td,th,.td{padding:1.5pt 3pt!important}", width_pt=334),
    Piece("@page{size:A4 landscape;margin:2.2cm 2.6cm}", width_pt=694),
    Piece(
        "@page{size:letter;margin:2.2cm 1.8cm} body{columns:2;column-gap:16pt;column-rule:.4pt solid #999} td,th,.td{padding:1pt 3pt!important;font-size:7pt}",
        width_pt=246,
        columns=2,
    ),
    Piece(
        "@page{size:25.4cm 14.29cm;margin:1.5cm 1.8cm} body{font-size:14pt!important} h2{break-before:page} pre,code{font-size:10pt!important} td,th,.td{font-size:11pt}",
        width_pt=618,
    ),
    Piece(
        "@page{size:A4 landscape;margin:1.8cm 1.5cm} body{columns:3;column-gap:16pt} td,th,.td{padding:1pt 2pt!important;font-size:6.4pt}",
        width_pt=240,
        columns=3,
    ),
)
FONTS = (
    Piece("body{font:10pt/1.3 'Liberation Serif','DejaVu Sans'}"),
    Piece("body{font:9pt/1.4 'Liberation Sans','DejaVu Sans'}"),
    Piece("body{font:10.5pt/1.45 'Noto Serif','DejaVu Sans'}"),
    Piece("body{font:11pt/1.2 'Latin Modern Roman','DejaVu Sans'}"),
    Piece("body{font:9.5pt/1.5 'Noto Sans','DejaVu Sans'}"),
    Piece("body{font:12pt/1.35 FreeSerif,'DejaVu Sans'}"),
    Piece("body{font:8pt/1.35 'DejaVu Sans'}"),
    Piece("body{font:10pt/1.25 'Liberation Sans Narrow','DejaVu Sans'}"),
    Piece("body{font:8.5pt/1.4 'DejaVu Serif','DejaVu Sans'}"),
)
PARAGRAPHS = (
    Piece("p{margin:0 0 6pt}"),
    Piece("p{margin:0;text-indent:1.5em} p.caption{text-indent:0} body{text-align:justify;hyphens:auto}"),
    Piece("p{margin:0 0 .8em} body{text-align:justify;hyphens:auto}"),
    Piece("p{margin:0;text-indent:1em} p.caption{text-indent:0} body{text-align:justify}"),
    Piece("p{margin:0 0 .5em} body{hyphens:auto}"),
    Piece("p{margin:0 0 1em}"),
)
HEADINGS = (
    Piece("h1{font-size:2em} h2{font-size:1.5em} h3{font-size:1.2em} h4{font-size:1em;margin:.8em 0 .3em}"),
    Piece("h1{font-size:1.35em} h2,h3,h4{font-size:1em} h3{font-style:italic} h4{font-weight:400;font-style:italic}"),
    Piece(
        "h1{font-size:1.7em;font-weight:400} h2,h3{font-variant:small-caps;font-weight:400} h2{font-size:1.3em} h3{font-size:1.1em} h4{font-size:1em;font-weight:400;font-style:italic}"
    ),
    Piece(
        "h1,h2,h3,h4{color:#003a70;font-weight:400} h1{font-size:2.1em} h2{font-size:1.55em} h3{font-size:1.25em} h4{font-size:1.05em}"
    ),
    Piece(
        "h1,h2{text-align:center;text-indent:0} h1{font-size:1.5em;text-transform:uppercase} h2{font-size:1.15em} h3{font-size:1.05em} h4{font-size:1em;font-style:italic}"
    ),
    Piece(
        "h1{font-size:1.5em} h2,h3,h4{font-size:1em} h2{text-transform:uppercase} h3{text-decoration:underline;font-weight:400} h4{font-style:italic;font-weight:400}"
    ),
    Piece(
        "h1,h2,h3,h4{font-family:'DejaVu Sans'} h1{font-size:1.6em} h2{font-size:1.3em} h3{font-size:1.1em} h4{font-size:.95em}"
    ),
    Piece(
        "h1,h2,h3{font-family:'Liberation Serif';color:#7b1113} h1{font-size:2.4em;font-weight:400} h2{font-size:1.6em;font-weight:400;font-style:italic} h3{font-size:1.2em;font-weight:700} h4{font-size:1em;color:#7b1113}"
    ),
    Piece(
        "h1{font-size:1.8em;border-bottom:2.5pt solid #d35400} h2{font-size:1.3em;border-top:.8pt solid #d35400;padding-top:3pt} h3{font-size:1.1em;color:#d35400} h4{font-size:1em}"
    ),
    Piece(
        "h1{font-size:1.5em} h2{font-size:1.2em} h3,h4{font-size:1em;display:inline} h3::before,h4::before{content:'\\A';white-space:pre} h3::after,h4::after{content:'. '} h3+p,h4+p{display:inline} h4{font-style:italic}"
    ),
    Piece(
        "h1{font-size:1.6em;background:#2f4f3f;color:#fff;padding:5pt 8pt} h2{font-size:1.2em;background:#dfe9e2;padding:3pt 8pt} h3{font-size:1.1em;border-left:4pt solid #2f4f3f;padding-left:6pt} h4{font-size:1em;color:#2f4f3f}"
    ),
)
NUMBERS = (
    Piece(""),
    Piece(".number{margin-right:.6em}", "numbered"),
    Piece(
        "body{counter-reset:a b c} h2{counter-increment:a;counter-reset:b c} h2::before{content:counter(a,upper-roman) '. '} h3{counter-increment:b} h3::before{content:counter(b,upper-alpha) '. '}"
    ),
    Piece(""),
    Piece(
        "body{counter-reset:a} h2{counter-increment:a;break-inside:avoid} h2::before{content:'Article ' counter(a);display:block;font-weight:400;font-style:italic;font-size:.9em}"
    ),
    Piece(
        "body{counter-reset:a b} h2{counter-increment:a;counter-reset:b} h2::before{content:'§ ' counter(a) '\\2003'} h3{counter-increment:b} h3::before{content:counter(a) '.' counter(b) '\\2003'}"
    ),
    Piece(""),
    Piece("body{counter-reset:a} h2{counter-increment:a} h2::before{content:counter(a,upper-alpha) '.\\2002'}"),
    Piece(
        "body{counter-reset:a} h2{counter-increment:a;break-inside:avoid} h2::before{content:'Chapter ' counter(a);display:block;font-size:.65em;color:#888}"
    ),
)
RULES = (
    Piece("table{border-top:1pt solid;border-bottom:1pt solid} thead tr:last-child th{border-bottom:.5pt solid}"),
    Piece("tbody tr:nth-child(odd){background:#edf1f7} th{background:#c9d6e8}"),
    Piece("td,th{border:.5pt solid #444}"),
    Piece("tr{border-bottom:.4pt solid #bbb} thead tr:last-child{border-bottom:1pt solid #333}"),
    Piece("td,th{border-left:.5pt solid #777} td:first-child,th:first-child{border-left:0}"),
    Piece("thead tr:last-child th{border-bottom:.7pt solid}"),
    Piece(""),
    Piece("table{border:.8pt solid} thead tr:last-child th{border-bottom:.8pt solid}"),
    Piece("th{background:#3b3f46;color:#fff} tbody tr:nth-child(even){background:#f2f2f2}"),
    Piece("tr+tr td{border-top:.6pt dotted #666} thead th{border-bottom:1pt solid #0a6}"),
    Piece("td,th{border-bottom:.5pt solid #fff} td{background:#f4ecd8} th{background:#e2cf9f}"),
)
CELLS = (
    Piece("table{font-size:.9em} td,th{padding:3pt 6pt}"),
    Piece("table{width:100%} td,th{padding:2pt 5pt} td.n,th.n{text-align:center}"),
    Piece("table{font-size:.85em;width:100%} td,th{padding:1pt 4pt;line-height:1.15}"),
    Piece("table{margin:6pt auto;font-size:.92em} td,th{padding:2.5pt 8pt} th{font-weight:400;font-style:italic}"),
    Piece("table{font-size:.88em} td,th{padding:5pt 7pt} th{text-transform:uppercase;font-size:.85em}"),
    Piece(
        "table{font-size:.9em} td,th{padding:2pt 5pt} th.r{writing-mode:vertical-rl;transform:rotate(180deg);height:7em;text-align:left}",
        "rotated",
    ),
    Piece("table{width:100%;font-size:.86em} td,th{padding:4pt;vertical-align:middle} td:first-child{font-weight:700}"),
    Piece("table{font-size:.9em} td,th{padding:2pt 4pt} th.n{text-align:left} td.n{font-variant-numeric:tabular-nums}"),
)
CAPTIONS = (
    Piece(".caption{font-size:.9em;font-weight:700}"),
    Piece(".caption{font-size:.88em;text-align:center;font-style:italic}", "below"),
    Piece(".caption{font-size:.85em;color:#555}"),
    Piece(".caption{text-align:center;font-variant:small-caps}"),
    Piece(".caption{font-size:.9em}", "below"),
    Piece(".caption{font-size:.9em;font-family:'Liberation Sans';color:#003a70}", "beside"),
)
CODE = (
    Piece("pre,code{font-family:'Liberation Mono';font-size:8.5pt}", code_pt=5.1),
    Piece(
        "pre,code{font-family:'DejaVu Sans Mono';font-size:7.5pt} pre{border:.6pt solid #888;padding:6pt}",
        code_pt=4.52,
        padding_pt=14,
    ),
    Piece(
        "pre,code{font-family:'Liberation Mono';font-size:8pt} pre{background:#efefef;padding:7pt}",
        code_pt=4.8,
        padding_pt=14,
    ),
    Piece("pre,code{font-family:FreeMono;font-size:9pt} pre{margin-left:2.2em}", code_pt=5.4, padding_pt=30),
    Piece(
        "pre,code{font-family:'DejaVu Sans Mono';font-size:7pt} pre{counter-reset:l} .line{counter-increment:l} .line::before{content:counter(l);display:inline-block;width:2em;margin-right:.8em;text-align:right;color:#888}",
        "lines",
        code_pt=4.22,
        padding_pt=26,
    ),
    Piece(
        "pre,code{font-family:'DejaVu Sans Mono';font-size:8pt} pre{background:#1d2330;color:#dfe6f0;padding:8pt} pre i{color:#8fa3bf}",
        "comments",
        code_pt=4.82,
        padding_pt=16,
    ),
    Piece(
        "pre,code{font-family:'Latin Modern Mono';font-size:9.5pt} pre{border-left:2.5pt solid #0a6;padding-left:8pt}",
        code_pt=5,
        padding_pt=12,
    ),
    Piece(
        "pre,code{font-family:'Liberation Mono';font-size:1em} pre{border-top:.5pt solid;border-bottom:.5pt solid;padding:4pt 0;font-size:7.8pt}",
        code_pt=4.7,
    ),
)
LISTS = (
    Piece("ul{list-style-type:disc;padding-left:1.6em} ol{padding-left:2em}"),
    Piece("ul{list-style-type:'–  ';padding-left:1.2em} ol{padding-left:1.7em}"),
    Piece("ul{list-style-type:square;padding-left:2.6em} ol{padding-left:2.6em}"),
    Piece("ul{list-style-type:'→ ';padding-left:1.8em} ol{padding-left:2em;list-style-position:inside}"),
    Piece("ul{list-style-type:circle;padding-left:1.4em} li::marker{color:#c33}"),
    Piece("ul{list-style-type:'✓ ';padding-left:1.5em} ol{padding-left:3em}"),
)
HEADS = (
    Piece("@page{@bottom-center{content:counter(page);font:8pt 'Liberation Sans'}}"),
    Piece(
        "@page{@top-left{content:'Technical Report 2025-07';font:8pt 'Liberation Serif'}@top-right{content:'Version 1.4';font:8pt 'Liberation Serif'}@bottom-right{content:'Page ' counter(page) ' of ' counter(pages);font:8pt 'Liberation Serif'}}"
    ),
    Piece(""),
    Piece(
        "@page:left{@top-left{content:counter(page);font:8pt 'DejaVu Sans'}@top-right{content:'Handbook of Procedures';font:italic 8pt 'DejaVu Serif'}}@page:right{@top-right{content:counter(page);font:8pt 'DejaVu Sans'}@top-left{content:string(section);font:italic 8pt 'DejaVu Serif'}} h2{string-set:section content()}"
    ),
    Piece(
        "@page{@bottom-left{content:'© 2025 Example Ltd. All rights reserved.';font:7pt 'Liberation Sans';color:#777}@bottom-right{content:counter(page) ' / ' counter(pages);font:7pt 'Liberation Sans'}}"
    ),
    Piece(
        "@page{@top-center{content:string(section);font:8pt FreeSerif;border-bottom:.4pt solid}@bottom-center{content:'- ' counter(page) ' -';font:8pt FreeSerif}} h2{string-set:section content()}"
    ),
    Piece(
        "@page{@top-left{content:'ACCOUNT STATEMENT';font:bold 9pt 'Liberation Sans';color:#0a6}@top-right{content:'Sheet ' counter(page);font:8pt 'Liberation Sans'}}"
    ),
)
TAGS = {
    "weasyprint": ("", "", "", "tagged", "tagged untitled", "", "tagged flat", "", "tagged divs"),
    "chromium": ("", "untitled", "", "divs", "flat", "untitled divs"),
}
"""How the tags tell what a block is: `untitled` has headings as paragraphs, `flat` all of one level, `divs` tables of
boxes. Chromium tags all that it prints."""
COMMON = """
svg{max-width:100%;height:auto} aside{font-size:8pt;line-height:1.25;hyphens:manual;text-align:left} .footnote{float:footnote;font-size:8pt;text-indent:0} blockquote{margin:4pt 2em;font-style:italic} dl{margin:3pt 0} dt{font-weight:700}
h1,h2,h3,h4{line-height:1.2;margin:1em 0 .4em;text-indent:0;text-align:left;hyphens:manual} h1,h2,h3{font-weight:700}
h5,h6{font-size:1em;font-weight:400;font-style:italic;margin:.6em 0 .3em} td,th,.td{hyphens:auto} p,blockquote,td{orphans:2;widows:2}
.table{display:table;border-collapse:collapse;margin:6pt 0} .tr{display:table-row} .td{display:table-cell;padding:2pt 6pt;border-bottom:.4pt solid #999;vertical-align:top} .td.n{text-align:right} .td.head{font-weight:700}
"""
