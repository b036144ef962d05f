from pincite.model.document import BlockKind
from support.pdf_read import blocks, shown
from support.pdf_tagged import read
from support.tagged_pdfs import Show, Tag, lines, row, tag


def test_lines_of_a_paragraph_are_joined_and_each_has_its_box() -> None:
    (block,) = blocks(found := read([lines("P", "One line", "and another", y=700)]))
    assert found.text == "One line and another\n"
    assert block.box_starts == (0, 9)
    upper, lower = block.boxes
    assert 71 < upper.x0 < 74 and 792 - 712 < upper.y0 < upper.y1 <= 792 - 697 < lower.y1 <= 792 - 683


def test_headings_keep_their_levels_and_empty_ones_are_dropped() -> None:
    found = read([
        lines("H1", "One", y=700),
        tag("H2"),
        lines("H2", "Two", y=650),
        lines("H6", "Six", y=600),
        lines("Title", "Book", y=560),
    ])  # fmt: skip
    assert [(block.level, block.title) for block in blocks(found)] == [(1, "One"), (2, "Two"), (6, "Six"), (1, "Book")]


def test_a_text_that_is_tagged_as_a_heading_is_a_paragraph() -> None:
    found = read([lines("H1", "One", y=700), lines("H2", *["a line of a paragraph that goes on and on"] * 8, y=650)])
    assert [block.kind for block in blocks(found)] == [BlockKind.HEADING, BlockKind.PARAGRAPH]


def test_a_heading_without_a_number_is_as_deep_as_its_sections() -> None:
    inner = tag("Sect", lines("H", "Inner", y=600), lines("P", "text here", y=580))
    found = read([tag("Sect", lines("H", "Outer", y=700), inner), lines("H", "Top", y=500)])
    assert [block.level for block in blocks(found) if block.level] == [1, 2, 1]


def test_lists_keep_labels_and_nesting() -> None:
    def item(label: str, text: str, y: float, *more: Tag) -> Tag:
        return tag("LI", tag("Lbl", Show(label, 72, y)), tag("LBody", tag("P", Show(text, 90, y)), *more))

    nested = tag("L", item("(a)", "inner", 640))
    found = read(
        [tag("L", item("\u2022", "bullet", 700), item("2.1", "numbered", 680), item("3.", "third", 660, nested))]
    )
    assert shown(found) == [("list", "- bullet\n- 2.1 numbered\n3. third\n  - (a) inner")]
    assert [round(box.x0, -1) for box in blocks(found)[0].boxes] == [70, 70, 70, 70]


def test_a_bullet_that_is_part_of_the_text_is_none_of_it() -> None:
    found = read([tag("L", tag("LI", tag("LBody", Show("- dash", 72, 700))), tag("LI", Show("b) letter", 72, 680)))])
    assert shown(found) == [("list", "- dash\n- b) letter")]


def test_a_list_goes_round_the_table_in_it() -> None:
    table = tag("Table", row("a", "b", y=680), row("c", "d", y=660))
    items = [tag("LI", tag("LBody", Show("first", 72, 700), table)), tag("LI", tag("LBody", Show("second", 72, 640)))]
    assert [kind for kind, _ in shown(read([tag("L", *items, Show("loose", 72, 620))]))] == ["list", "table", "list"]


def test_contents_are_kept_apart_and_lose_their_dots() -> None:
    def entry(text: str, y: float) -> Tag:
        return tag("TOCI", tag("Reference", Show(text, 72, y)))

    inner = tag("TOC", entry("1.1 Inner . . . . . . . . . 7", 660))
    found = read([tag("TOC", entry("1 One ........................ 5", 700), entry("2 Two ____ 6", 680), inner)])
    assert shown(found) == [("contents", "1 One 5\n2 Two 6\n1.1 Inner 7")]


def test_figures_say_what_they_show() -> None:
    figure = tag("Figure", Show("label", 72, 500), Alt="(A  chart)")
    found = read([tag("P", Show("Text around", 72, 700), figure, Show("a chart.", 72, 686))])
    assert shown(found) == [("paragraph", "Text around a chart."), ("figure", "![A chart]"), ("figure", "label")]


def test_notes_quotes_and_code_are_what_they_are() -> None:
    found = read([
        tag("P", Show("Said", 72, 700), tag("Note", Show("1 A note.", 72, 100)), Show("here.", 72, 686)),
        tag("BlockQuote", lines("P", "Quoted words", "go on", y=600)),
        tag("Code", Show("a = 1", 72, 500), Show("b = 2", 72, 486)),
        tag("P", Show("Use", 72, 400), tag("Code", Show("print", 100, 400))),
    ])  # fmt: skip
    assert shown(found) == [
        ("paragraph", "Said here."),
        ("footnote", "1 A note."),
        ("quote", "> Quoted words go on"),
        ("code", "```\na = 1\nb = 2\n```"),
        ("paragraph", "Use print"),
    ]


def test_a_code_block_s_lines_stay_lines() -> None:
    (block,) = blocks(found := read([tag("Code", Show("x", 72, 700), Show("y", 72, 686))]))
    assert [found.text[block.start + start] for start in block.box_starts] == ["x", "y"]
    assert block.kind is BlockKind.CODE


def test_code_in_paragraphs_of_its_own_is_one_block_with_its_indents() -> None:
    found = read([tag("Code", tag("P", Show("if x:", 72, 700), Show("return 1", 96, 686)))])
    ((kind, text),) = shown(found)
    assert kind == "code" and [line.strip() for line in text.split("\n")[1:-1]] == ["if x:", "return 1"]
    assert text.split("\n")[2].startswith("   ")


def test_a_paragraph_in_a_monospaced_font_is_code_and_a_word_of_one_is_not() -> None:
    found = read([
        lines("P", "A paragraph that shows what the", "body text of the page looks like", y=760),
        tag("P", Show("if x:", 72, 700, font="C"), Show("return 1", 100.8, 686, font="C")),
        tag("NonStruct", tag("Span", Show("./run", 72, 650, font="C"))),
        tag("P", Show("Use", 72, 600), tag("NonStruct", Show("ps", 100, 600, font="C")), Show("here.", 120, 600)),
        tag("P", Show("a@example.org", 72, 560, font="C")),
        tag("P", Show("The namespace is:", 72, 520)),
        tag("P", Show("http://example.org/ns#", 72, 480, font="C")),
    ])  # fmt: skip
    assert shown(found)[1:] == [
        ("code", "```\nif x:\n    return 1\n```"),
        ("code", "```\n./run\n```"),
        ("paragraph", "Use ps here."),
        ("paragraph", "a@example.org"),
        ("paragraph", "The namespace is:"),
        ("code", "```\nhttp://example.org/ns#\n```"),
    ]


def test_code_whose_lines_are_elements_of_their_own_is_one_block() -> None:
    body = lines("P", "A paragraph that shows what the", "body text of the page looks like", y=760)

    def line(text: str, y: float) -> Tag:
        return tag("NonStruct", Show(text, 72, y, font="C"))

    block = tag("NonStruct", line("first = 1", 700), line("second = 2", 686), line("last = 3", 658))
    assert shown(read([body, block]))[1:] == [("code", "```\nfirst = 1\nsecond = 2\n\nlast = 3\n```")]
    # White that is no whole number of lines parts two blocks.
    others = tag("NonStruct", line("first = 1", 700), line("second = 2", 686), line("last = 3", 664))
    assert shown(read([body, others]))[1:] == [
        ("code", "```\nfirst = 1\nsecond = 2\n```"),
        ("code", "```\nlast = 3\n```"),
    ]


def test_lines_of_code_that_are_paragraphs_of_their_own_are_one_block() -> None:
    body = lines("P", "A paragraph that shows what the", "body text of the page looks like", y=760)

    def line(text: str, y: float, x: float = 72) -> Tag:
        return tag("P", Show(text, x, y, font="C"))

    # Blank lines are as high as the type of the empty paragraphs is.
    block = [line("{", 700), line("first = 1", 686, 90), line("second = 2", 655, 90), line("}", 641)]
    (_, found) = shown(read([body, *block]))
    assert found[0] == "code" and found[1].split("\n")[1:-1] == ["{", "   first = 1", "", "   second = 2", "}"]
    # Two lines that are far apart are two blocks.
    assert len(shown(read([body, line("first = 1", 700), line("second = 2", 655)]))) == 3
