"""One small Word document for each thing that readers lose, and what must come out."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from pincite.model.document import AsideKind, Block, BlockKind, Document
from support.word import Word, field, item, lvl, p, picture, r, styled, tbl, tc, tr


@dataclass(frozen=True, slots=True)
class Probe:
    """A document that probes for one thing.

    Attributes:
        name: The thing.
        make: Writes the document.
        holds: Whether our document has it.
        shows: Patterns of the Markdown of any reader that has it.
        hides: Patterns that are not in it.
    """

    name: str
    make: Callable[[], Word]
    holds: Callable[[Document], bool]
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()


def blocks(document: Document, kind: BlockKind) -> list[Block]:
    """The blocks of a kind."""
    return [block for section in document.sections for block in section.blocks if block.kind is kind]


def text(document: Document, kind: BlockKind) -> str:
    """The text of the blocks of a kind."""
    return "\n".join(document.text[block.start : block.end] for block in blocks(document, kind))


def cells(document: Document) -> list[tuple[int, int, str, int, int]]:
    """Row, column, text and spans of the cells of the first table."""
    table = blocks(document, BlockKind.TABLE)[0].table
    assert table is not None
    return [(cell.row, cell.column, cell.text, cell.row_span, cell.column_span) for cell in table.cells]


def headings(document: Document) -> list[tuple[int, str]]:
    """Level and title of the headings."""
    return [(block.level, block.title) for block in blocks(document, BlockKind.HEADING)]


def asides(document: Document, kind: AsideKind) -> list[str]:
    """The texts that are kept apart."""
    return [aside.text for aside in document.asides if aside.kind is kind]


def _headings() -> Word:
    word = Word()
    word.made.add_heading("Alpha", 1)
    word.made.add_heading("Beta", 2)
    return word


def _based_on() -> Word:
    word = Word().style("Clause", "Clause", based_on="Heading2").style("Deep", "Deep clause", based_on="Clause")
    return word.add(styled("Deep", "Inherited"))


def _numbered_headings() -> Word:
    levels = lvl(0, "decimal", "%1", '<w:pStyle w:val="H1"/>') + lvl(1, "decimal", "%1.%2", '<w:pStyle w:val="H2"/>')
    word = Word().numbers(91, levels)
    number = '<w:pPr><w:numPr><w:numId w:val="91"/></w:numPr></w:pPr>'
    word.style("H1", "Section", number, "Heading1").style("H2", "Subsection", number, "Heading2")
    return word.add(styled("H1", "One"), styled("H1", "Two"), styled("H2", "Title"))


def _labels() -> Word:
    word = Word().numbers(92, lvl(0, "lowerLetter", "(%1)") + lvl(1, "lowerRoman", "%2."))
    return word.add(item("one", 92), item("two", 92), item("deep", 92, 1), item("three", 92))


def _nesting() -> Word:
    bullets = "".join(lvl(level, "bullet", "•") for level in range(3))
    return Word().numbers(93, bullets).add(item("top", 93), item("middle", 93, 1), item("low", 93, 2))


def _styled_list() -> Word:
    word = Word()
    for name, words in (("List Bullet", "first"), ("List Bullet", "second"), ("List Bullet 2", "below")):
        word.made.add_paragraph(words, style=name)
    return word


def _merged() -> Word:
    word = Word()
    table = word.made.add_table(3, 3)
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{row}{column}"
    for first, last, words in (((0, 0), (0, 1), "wide"), ((1, 2), (2, 2), "tall")):
        merged = table.cell(*first).merge(table.cell(*last))
        merged.text = words
    return word


def _header_row() -> Word:
    return Word().add(tbl(tr("Name", "Size", properties="<w:tblHeader/>"), tr("a", "1"), tr("b", "2")))


def _nested_table() -> Word:
    inner = tbl(tr("N1", "N2"), tr("N3", "N4"))
    return Word().add(tbl(tr("left", tc(p("before") + inner + p())), tr("x", "y")))


def _cell_paragraphs() -> Word:
    return Word().add(tbl(tr(tc(p("one") + p("two")), "other"), tr("x", "y")))


def _links() -> Word:
    word = Word()
    identity = word.link("https://example.org/a")
    word.add(p("See ", inside=f'<w:hyperlink r:id="{identity}">{r("this")}</w:hyperlink>'))
    return word.add(p("and ", inside=field(' HYPERLINK "https://example.org/b" ', r("that"))))


def _changes() -> Word:
    return Word().add(
        p("keep ", inside=f"<w:ins>{r('added')}</w:ins><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>")
    )


def _moves() -> Word:
    return Word().add(
        p("start ", inside=f"<w:moveFrom>{r('wanderer')}</w:moveFrom>"),
        p("goal ", inside=f"<w:moveTo>{r('wanderer')}</w:moveTo>"),
    )


def _controls() -> Word:
    inline = f"<w:sdt><w:sdtContent>{r('within')}</w:sdtContent></w:sdt>"
    block = f"<w:sdt><w:sdtContent>{p('around')}</w:sdtContent></w:sdt>"
    return Word().add(p("text ", inside=inline), block)


def _smart_tag() -> Word:
    return Word().add(p("in ", inside=f"<w:smartTag>{r('Paris')}</w:smartTag>"))


def _text_box() -> Word:
    content = f"<w:txbxContent>{p('boxed words')}</w:txbxContent>"
    shape = f"<w:drawing><wp:inline><wps:wsp><wps:txbx>{content}</wps:txbx></wps:wsp></wp:inline></w:drawing>"
    old = f"<w:pict><v:shape><v:textbox>{content}</v:textbox></v:shape></w:pict>"
    both = f'<mc:AlternateContent><mc:Choice Requires="wps">{shape}</mc:Choice><mc:Fallback>{old}</mc:Fallback>'
    return Word().add(p("host", inside=f"<w:r>{both}</mc:AlternateContent></w:r>"))


def _equation() -> Word:
    above, below = ("<m:r><m:t>a+b</m:t></m:r>", "<m:r><m:t>c</m:t></m:r>")
    fraction = f"<m:oMath><m:f><m:num>{above}</m:num><m:den>{below}</m:den></m:f></m:oMath>"
    return Word().add(p("where ", inside=fraction))


def _breaks() -> Word:
    return Word().add(p("", inside="<w:r><w:t>L1</w:t><w:br/><w:t>L2</w:t><w:tab/><w:t>L3</w:t></w:r>"))


def _hidden() -> Word:
    word = Word().style("Secret", "Secret", "<w:rPr><w:vanish/></w:rPr>")
    return word.add(p("seen ", inside=r("unseen", "<w:vanish/>")), styled("Secret", "ghost"))


def _symbol() -> Word:
    return Word().add(p("done ", inside='<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>'))


def _hyphens() -> Word:
    return Word().add(
        p("", inside="<w:r><w:t>e</w:t><w:noBreakHyphen/><w:t>mail co</w:t><w:softHyphen/><w:t>op</w:t></w:r>")
    )


def _notes() -> Word:
    word = Word()
    for kind, words in (("footnote", "At the foot."), ("endnote", "At the end.")):
        rule = f'<w:{kind} w:id="0" w:type="separator">{p("rule")}</w:{kind}>'
        word.part(f"{kind}s", f'<w:{kind}s>{rule}<w:{kind} w:id="2">{p(words)}</w:{kind}></w:{kind}s>')
    marks = '<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:endnoteReference w:id="2"/></w:r>'
    return word.add(p("Claim", inside=marks))


def _comment() -> Word:
    word = Word()
    paragraph = word.made.add_paragraph("remarkable")
    word.made.add_comment(paragraph.runs, text="Is it?", author="Ada", initials="A")
    return word


def _margins() -> Word:
    word = Word().add("body")
    word.made.sections[0].header.paragraphs[0].text = "Running head"
    word.made.sections[0].footer.paragraphs[0].text = "Running foot"
    return word


def _properties() -> Word:
    word = Word().add("body")
    word.made.core_properties.title = "The Title"
    word.made.core_properties.author = "Ada"
    return word


def _pages() -> Word:
    return Word().add(p("one", inside='<w:r><w:br w:type="page"/><w:lastRenderedPageBreak/><w:t>two</w:t></w:r>'))


def _caption() -> Word:
    return Word().add(styled("Caption", "Table 1: Sizes"), tbl(tr("a", "b"), tr("c", "d")))


def _outline() -> Word:
    return Word().add(p("Direct", '<w:outlineLvl w:val="2"/>'))


PROBES = (
    Probe("heading, built-in", _headings, lambda d: headings(d) == [(1, "Alpha"), (2, "Beta")], ("# Alpha", "## Beta")),
    Probe("heading, inherited", _based_on, lambda d: headings(d) == [(2, "Inherited")], (r"(?m)^## \**Inherited",)),
    Probe("heading, outline level", _outline, lambda d: headings(d) == [(3, "Direct")], (r"(?m)^### \**Direct",)),
    Probe("heading number", _numbered_headings, lambda d: headings(d)[2] == (2, "2.1 Title"), (r"2\.1\W+Title",)),
    Probe(
        "list labels",
        _labels,
        lambda d: text(d, BlockKind.LIST) == "- (a) one\n- (b) two\n  - i. deep\n- (c) three",
        (r"\(b\) two", "i\\. deep", r"\(c\) three"),
    ),
    Probe(
        "list nesting",
        _nesting,
        lambda d: text(d, BlockKind.LIST) == "- top\n  - middle\n    - low",
        (r"(?m)^[-*] +top\n+[ \t]+[-*+] +middle\n+[ \t]{3,}[-*+] +low|^[-*] +top\n+\t[-*+] +middle\n+\t\t[-*+] +low",),
    ),
    Probe(
        "list by style",
        _styled_list,
        lambda d: text(d, BlockKind.LIST) == "- first\n- second\n  - below",
        (r"(?m)^[-*] +first\n+[-*] +second\n+\s*[-*+] +below",),
    ),
    Probe(
        "merged cells",
        _merged,
        lambda d: {(0, 0, "wide", 1, 2), (1, 2, "tall", 2, 1)} <= set(cells(d)) and len(cells(d)) == 7,
        ("wide", "tall"),
        ("(?s)tall.*tall", "(?s)wide.*wide"),
    ),
    Probe(
        "header row",
        _header_row,
        lambda d: (table := blocks(d, BlockKind.TABLE)[0].table) is not None and table.header_rows == 1,
        (r"\| *Name *\| *Size *\|\n\|[ :|-]+\|\n",),
    ),
    Probe(
        "nested table",
        _nested_table,
        lambda d: cells(d)[1] == (0, 1, "before\nN1 | N2\nN3 | N4", 1, 1) and len(blocks(d, BlockKind.TABLE)) == 1,
        (r"N1\W+N2\W+N3\W+N4",),
    ),
    Probe(
        "paragraphs in a cell",
        _cell_paragraphs,
        lambda d: cells(d)[0][2] == "one\ntwo",
        (r"one\W+(?:br\W+)?two",),
    ),
    Probe(
        "links",
        _links,
        lambda d: "See [this](https://example.org/a)" in d.text and "and [that](https://example.org/b)" in d.text,
        (r"\[this\]\(<?https://example.org/a", r"\[that\]\(<?https://example.org/b"),
    ),
    Probe("insertions, deletions", _changes, lambda d: d.text == "keep added\n", ("keep added",), ("gone",)),
    Probe("moves", _moves, lambda d: d.text == "start\n\ngoal wanderer\n", ("goal wanderer",), ("start wanderer",)),
    Probe("content controls", _controls, lambda d: d.text == "text within\n\naround\n", ("text within", "around")),
    Probe("smart tag", _smart_tag, lambda d: d.text == "in Paris\n", ("in Paris",)),
    Probe(
        "text box, once",
        _text_box,
        lambda d: d.text == "host\n\nboxed words\n",
        ("host", "boxed words"),
        ("(?s)boxed.*boxed",),
    ),
    Probe("equation", _equation, lambda d: d.text == "where (a+b)/c\n", (r"\(a\+b\)/c|\\frac\{a\+b\}\{c\}",)),
    Probe(
        "alternative text",
        lambda: Word().add(p("", inside=picture("A red square"))),
        lambda d: text(d, BlockKind.FIGURE) == "![A red square]",
        ("A red square",),
    ),
    Probe("line break, tab", _breaks, lambda d: d.text == "L1\nL2\tL3\n", (r"L1\s*\\?\n\s*L2\s+L3",)),
    Probe(
        "hidden text",
        _hidden,
        lambda d: d.text == "seen\n" and asides(d, AsideKind.HIDDEN) == ["unseen", "ghost"],
        ("seen",),
        ("unseen", "ghost"),
    ),
    Probe("symbol", _symbol, lambda d: d.text == "done ☑\n", ("done [☑☒✓✔]",)),
    Probe(
        "hyphens",
        _hyphens,
        lambda d: d.text == "e-mail coop\n",
        ("e[-\N{NON-BREAKING HYPHEN}]mail co\N{SOFT HYPHEN}?op",),
    ),
    Probe(
        "footnote, endnote",
        _notes,
        lambda d: d.text == "Claim[^1][^i]\n\n[^1]: At the foot.\n\n[^i]: At the end.\n",
        ("At the foot", "At the end"),
        ("rule",),
    ),
    Probe(
        "comment with author",
        _comment,
        lambda d: asides(d, AsideKind.COMMENT) == ["Ada: Is it?"] and d.text == "remarkable\n",
        ("Ada", "Is it"),
    ),
    Probe(
        "header, footer",
        _margins,
        lambda d: (
            [(a.kind.value, a.text) for a in d.asides] == [("header", "Running head"), ("footer", "Running foot")]
        ),
        ("Running head", "Running foot"),
    ),
    Probe(
        "properties",
        _properties,
        lambda d: (d.title, d.properties["author"]) == ("The Title", "Ada"),
        ("The Title", "Ada"),
    ),
    Probe("page marks", _pages, lambda d: blocks(d, BlockKind.PARAGRAPH)[-1].page == 2, ("(?i)page.break|page 2|\f",)),
    Probe(
        "caption",
        _caption,
        lambda d: (table := blocks(d, BlockKind.TABLE)[0].table) is not None and table.caption == "Table 1: Sizes",
        ("Table 1: Sizes",),
    ),
)


def in_markdown(probe: Probe, markdown: str) -> bool:
    """Whether the Markdown of any reader has what is probed for; kinder than `holds`, which knows the blocks."""
    return all(re.search(pattern, markdown) for pattern in probe.shows) and not any(
        re.search(pattern, markdown) for pattern in probe.hides
    )
