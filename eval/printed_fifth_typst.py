"""Pieces of which the fifth set's looks for Typst are drawn (see `printed_fifth_css`)."""
# ruff: noqa: E501

from printed_fifth_css import Piece

PAGES = (
    Piece('#set page(paper: "a4", margin: (x: 2.4cm, y: 2.6cm))', width_pt=459),
    Piece('#set page(paper: "us-letter", margin: (x: 3.2cm, y: 2.5cm))', width_pt=430),
    Piece(
        '#set page(paper: "us-letter", margin: (x: 1.9cm, y: 2.2cm), columns: 2)\n#let cell-size = 7.4pt',
        width_pt=240,
        columns=2,
    ),
    Piece('#set page(paper: "a5", margin: (x: 1.6cm, y: 1.9cm))\n#let cell-size = 8pt', width_pt=329),
    Piece(
        '#set page(paper: "a4", margin: (left: 2cm, right: 5.8cm, y: 2.2cm))\n#let margin-note(it) = place(right, dx: 4.4cm, box(width: 3.8cm, align(left, text(size: 8pt, hyphenate: false, it))))',
        width_pt=374,
    ),
    Piece('#set page(paper: "a4", flipped: true, margin: (x: 2.5cm, y: 2cm))', width_pt=700),
    Piece(
        "#set page(width: 25.4cm, height: 14.29cm, margin: (x: 1.8cm, y: 1.6cm))\n#let zoom = 1.4\n#let cell-size = 11pt",
        width_pt=618,
    ),
    Piece(
        '#set page(paper: "a4", margin: (x: 1.6cm, y: 2cm), columns: 2)\n#let cell-size = 7pt', width_pt=239, columns=2
    ),
    Piece("#set page(width: 17cm, height: 24cm, margin: (x: 1.8cm, y: 2cm))", width_pt=379),
)
FONTS = (
    Piece('#set text(font: ("Libertinus Serif", "DejaVu Sans"), size: zoom * 10.5pt)'),
    Piece('#set text(font: ("Noto Sans", "DejaVu Sans"), size: zoom * 9pt)'),
    Piece('#set text(font: ("New Computer Modern", "DejaVu Sans"), size: zoom * 10pt)'),
    Piece('#set text(font: ("Liberation Sans", "DejaVu Sans"), size: zoom * 10pt)'),
    Piece('#set text(font: ("Noto Serif", "DejaVu Sans"), size: zoom * 9.5pt)'),
    Piece('#set text(font: ("Liberation Serif", "DejaVu Sans"), size: zoom * 12pt)'),
    Piece('#set text(font: ("DejaVu Sans",), size: zoom * 8.5pt)'),
    Piece('#set text(font: ("FreeSerif", "DejaVu Sans"), size: zoom * 11pt)'),
)
PARAGRAPHS = (
    Piece("#set par(justify: false)"),
    Piece("#set par(justify: true, first-line-indent: 1.5em, spacing: .65em)\n#set text(hyphenate: true)"),
    Piece("#set par(justify: true, leading: .85em, spacing: 1.4em)\n#set text(hyphenate: true)"),
    Piece("#set par(justify: true, spacing: 1em)\n#set text(hyphenate: false)"),
    Piece("#set par(justify: false, leading: .5em, first-line-indent: 1em, spacing: .5em)"),
)
HEADINGS = (
    Piece("#let sizes = (1.9, 1.45, 1.2, 1)\n#let look(level, it) = strong(it)"),
    Piece(
        "#let sizes = (1.4, 1, 1, 1)\n#let look(level, it) = if level < 3 { strong(it) } else if level == 3 { strong(emph(it)) } else { emph(it) }"
    ),
    Piece(
        "#let sizes = (1.7, 1.25, 1.05, 1)\n#let look(level, it) = if level < 4 { text(weight: 400, smallcaps(it)) } else { emph(it) }"
    ),
    Piece('#let sizes = (2, 1.5, 1.2, 1.05)\n#let look(level, it) = text(weight: 400, fill: rgb("005f73"), it)'),
    Piece(
        "#let sizes = (1.6, 1.2, 1, 1)\n#let look(level, it) = if level < 3 { align(center, strong(it)) } else { text(weight: 400, emph(it)) }"
    ),
    Piece(
        "#let sizes = (1.5, 1, 1, 1)\n#let look(level, it) = if level < 3 { strong(upper(it)) } else if level == 3 { text(weight: 400, underline(it)) } else { text(weight: 400, emph(it)) }"
    ),
    Piece(
        '#let sizes = (1.7, 1.3, 1.1, 1)\n#let look(level, it) = text(font: "DejaVu Sans", weight: "bold", size: .9em, it)'
    ),
    Piece(
        '#let sizes = (1.8, 1.3, 1.1, 1)\n#let look(level, it) = if level < 3 { block(width: 100%, stroke: (bottom: .8pt + rgb("9b2226")), inset: (bottom: 3pt), text(fill: rgb("9b2226"), strong(it))) } else { strong(it) }'
    ),
)
NUMBERS = (
    Piece(""),
    Piece('#set heading(numbering: "1.1")'),
    Piece(
        '#set heading(numbering: (..n) => { let n = n.pos(); if n.len() == 2 { numbering("I.", n.at(1)) } else if n.len() == 3 { numbering("A.", n.at(2)) } })'
    ),
    Piece(""),
    Piece(
        "#set heading(numbering: (..n) => { let n = n.pos(); if n.len() == 2 { [Chapter ] + str(n.at(1)) + linebreak() } })"
    ),
    Piece(
        '#set heading(numbering: (..n) => { let n = n.pos(); if n.len() == 2 { [§ ] + str(n.at(1)) } else if n.len() == 3 { numbering("1.1", ..n.slice(1)) } })'
    ),
)
RULES = (
    Piece(
        "#let rules = (stroke: none)\n#let ends = ((table.hline(stroke: 1pt),), (table.hline(stroke: .5pt),), (table.hline(stroke: 1pt),))"
    ),
    Piece(
        '#let rules = (stroke: none, fill: (_, y) => if y == 0 { rgb("c7d7c4") } else if calc.odd(y) { rgb("eef3ed") })'
    ),
    Piece("#let rules = (stroke: .5pt)"),
    Piece("#let rules = (stroke: (x: none, y: .4pt + luma(150)))"),
    Piece("#let rules = (stroke: (x, _) => if x > 0 { (left: .5pt) })"),
    Piece("#let rules = (stroke: none)\n#let ends = ((), (table.hline(stroke: .7pt),), ())"),
    Piece("#let rules = (stroke: none, column-gutter: .8em)"),
    Piece(
        "#let rules = (stroke: none)\n#let ends = ((), (table.hline(stroke: .5pt),), ())\n#let frame(it) = block(stroke: .8pt, it)"
    ),
    Piece(
        '#let rules = (stroke: none, fill: (_, y) => if y == 0 { rgb("264653") })\n#let ends = ((), (), (table.hline(stroke: 1pt + rgb("264653")),))\n#show table.cell.where(y: 0): set text(fill: white)'
    ),
    Piece(
        '#let rules = (stroke: (x: none, y: (dash: "dotted", thickness: .6pt)))\n#let ends = ((), (table.hline(stroke: 1pt),), ())'
    ),
)
CELLS = (
    Piece("#let inset = (x: 6pt, y: 3.5pt)\n#let sides(a) = a\n#show table.cell.where(y: 0): strong"),
    Piece(
        "#let inset = (x: 4pt, y: 2pt)\n#let sides(a) = if a == right { center } else { a }\n#show table.cell.where(y: 0): emph"
    ),
    Piece(
        "#let inset = (x: 5pt, y: 5pt)\n#let sides(a) = a\n#show table.cell.where(y: 0): smallcaps\n#show table.cell.where(x: 0): strong"
    ),
    Piece("#let inset = (x: 4pt, y: 3pt)\n#let sides(a) = a\n#show table.cell.where(y: 0): strong", "rotated"),
    Piece("#let inset = (x: 3pt, y: 1.5pt)\n#let sides(a) = a"),
)
CAPTIONS = (
    Piece("#let legend(it) = par(first-line-indent: 0pt, text(size: .88em, strong(it)))"),
    Piece("#let legend(it) = align(center, text(size: .85em, emph(it)))", "below"),
    Piece("#let legend(it) = par(first-line-indent: 0pt, text(size: .85em, fill: luma(90), it))"),
    Piece("#let legend(it) = align(center, text(size: .9em, smallcaps(it)))"),
    Piece("#let legend(it) = par(first-line-indent: 0pt, text(size: .9em, it))", "below"),
)
CODE = (
    Piece("#show raw: set text(size: 8.5pt)", code_pt=5.12),
    Piece(
        "#show raw: set text(size: 7.5pt)\n#let listing(it) = block(stroke: .5pt + gray, inset: 6pt, width: 100%, breakable: false, it)",
        code_pt=4.52,
        padding_pt=13,
    ),
    Piece(
        '#show raw: set text(size: 8pt)\n#let listing(it) = block(fill: rgb("f1efe9"), inset: 7pt, width: 100%, breakable: false, it)',
        code_pt=4.82,
        padding_pt=14,
    ),
    Piece(
        "#show raw: set text(size: 7.5pt)\n#show raw.where(block: true): it => { show raw.line: l => { box(width: 2em, align(right, text(size: .8em, fill: gray, str(l.number)))); h(.8em); l.body }; it }",
        code_pt=4.52,
        padding_pt=22,
    ),
    Piece(
        '#show raw: set text(font: "Liberation Mono", size: 8.5pt)\n#let listing(it) = block(fill: rgb("22272e"), inset: 8pt, width: 100%, breakable: false, text(fill: rgb("cdd9e5"), it))',
        code_pt=5.1,
        padding_pt=16,
    ),
    Piece(
        '#show raw: set text(font: "Latin Modern Mono", size: 10pt)\n#let listing(it) = block(stroke: (left: 2pt + gray), inset: (left: 8pt, y: 2pt), width: 100%, breakable: false, it)',
        code_pt=5.26,
        padding_pt=10,
    ),
)
LISTS = (
    Piece("#set list(marker: [•])"),
    Piece("#set list(marker: [–], indent: 1em)"),
    Piece("#set list(marker: [▪], body-indent: .8em)\n#set enum(indent: 1.2em)"),
    Piece("#set list(marker: [◦], indent: .6em)\n#set enum(body-indent: 1em)"),
    Piece("#set list(marker: [→])"),
)
HEADS = (
    Piece('#set page(numbering: "1")'),
    Piece(
        "#set page(header: [#set text(size: 8pt); Specification 4711-B #h(1fr) Revision 3], footer: context [#set text(size: 8pt); #h(1fr) Page #counter(page).display() of #counter(page).final().first()])"
    ),
    Piece(""),
    Piece(
        '#set page(header: context { set text(size: 8pt, style: "italic"); let past = query(selector(heading.where(level: 2)).before(here())); let name = if past.len() > 0 { past.last().body } else [Contents]; if calc.odd(here().page()) { name; h(1fr); counter(page).display() } else { counter(page).display(); h(1fr); [A Course of Lectures] } })'
    ),
    Piece(
        '#set page(footer: context [#set text(size: 7pt, fill: luma(110)); Confidential. Not for distribution. #h(1fr) #counter(page).display("1 / 1", both: true)])'
    ),
    Piece(
        '#set page(header: block(width: 100%, stroke: (bottom: .5pt), inset: (bottom: 3pt), text(size: 8pt, smallcaps[Annual Review])), number-align: right, numbering: "1")'
    ),
)
TAGS = ("", "tagged", "", "tagged untitled", "", "tagged", "", "", "")
BEFORE = """
#let cell-size = .88em
#let zoom = 1
#let ends = ((), (), ())
#let frame(it) = it
"""
"""What a piece may set otherwise."""
AFTER = """
#let title(level, it) = block(above: 1.5em, below: .8em, sticky: true, {
  set par(first-line-indent: 0pt, justify: false)
  text(size: sizes.at(calc.min(level, 4) - 1) * 1em, look(level, it)) })
#show heading: set text(weight: "regular", size: 1em / 1)
#show heading: it => title(it.level, {
  if it.numbering != none { counter(heading).display(); h(.5em, weak: true) }
  it.body })
#let tbl(n, aligns, header, ..body) = { set text(size: cell-size); set par(justify: false, first-line-indent: 0pt)
  frame(table(columns: n, align: aligns.map(sides), inset: inset, ..rules, ..ends.at(0),
    table.header(..header, ..ends.at(1)), ..body, ..ends.at(2))) }
"""
"""The functions that the writer calls, of what the pieces set."""
