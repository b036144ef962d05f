"""Lines in a monospaced font are code, as they are set."""

from dataclasses import replace

import pytest

from pincite.formats.pdf.layout.code import parted_by_white
from pincite.formats.pdf.page.words import Line, line_of
from support.pdf_layout import read
from support.pdf_read import shown
from support.pdfs import Content, Filled, Text, column, prose
from support.typed_pages import typed

ADVANCE = 6  # of Courier at 10 points
WIDE = "Words of a paragraph that goes on to its very end with"


def code(*lines: str, y: float = 300, x: float = 72) -> list[Text]:
    return [
        Text(line.lstrip(), x + ADVANCE * (len(line) - len(line.lstrip())), y + 12 * number, 10, "C")
        for number, line in enumerate(lines)
        if line
    ]


def blocks(*content: Content) -> list[str]:
    return [text for kind, text in shown(read(*content)) if kind == "code"]


def test_code_keeps_its_lines_indents_and_blank_lines() -> None:
    lines = ("def f(x):", "    if x:", "        return  1", "", "    return 2 - x")
    assert blocks([*prose(), *code(*lines), *prose(y=500)]) == ["```\n" + "\n".join(lines) + "\n```"]


def test_code_keeps_two_blank_lines() -> None:
    lines = ("import sys", "import csv", "", "", "def f(x):", "    return x")
    assert blocks([*prose(), *code(*lines), *prose(y=500)]) == ["```\n" + "\n".join(lines) + "\n```"]


def test_two_lines_of_code_far_below_each_other_are_two_blocks() -> None:
    lines = [*code("first = 1"), *code("second = 2", y=340)]
    assert blocks([*prose(), *lines, *prose(y=500)]) == ["```\nfirst = 1\n```", "```\nsecond = 2\n```"]


def test_white_that_is_before_an_indented_line_too_is_a_blank_line_and_parts_no_code() -> None:
    """Blank lines of office programs are as high as the type of an empty paragraph is."""
    first = [*code("def f(x):", "    y = x"), *code("    return y", y=340)]
    second = [*code("def g(x):", y=368), *code("    return x", y=380)]
    expected = "```\ndef f(x):\n    y = x\n\n    return y\n\ndef g(x):\n    return x\n```"
    assert blocks([*prose(), *first, *second, *prose(y=500)]) == [expected]


def test_white_of_a_higher_line_behind_an_indented_one_is_a_blank_line() -> None:
    lines = [*code("global:", "  interval: 15s"), *code("scrape:", "  - name: a", y=300 + 12 + 27)]
    expected = "```\nglobal:\n  interval: 15s\n\nscrape:\n  - name: a\n```"
    assert blocks([*prose(), *lines, *prose(y=500)]) == [expected]


def test_arrows_in_another_font_are_a_part_of_code() -> None:
    lines = [*code("first = call(with,"), Text("GG", y=312, font="L"), Text("many, words)", x=90, y=312, font="C")]
    found = blocks([*prose(), *lines, *code("second = 2", y=324), *prose(y=500)])
    assert found == ["```\nfirst = call(with,\n→→ many, words)\nsecond = 2\n```"]


def test_signs_in_another_font_are_a_part_of_code() -> None:
    first = [*code("reach ="), Text("E", x=120, y=300, font="L"), Text("x", x=132, y=300, font="C")]
    found = blocks([*prose(), *first, *code("second = 2", y=312), *prose(y=500)])
    assert found == ["```\nreach = \N{MINUS SIGN} x\nsecond = 2\n```"]


def test_a_comment_in_another_font_is_a_part_of_code() -> None:
    lines = [
        part
        for n, name in enumerate(("first", "second"))
        for part in (
            *code(f"int {name}; /*", y=300 + 12 * n),
            Text("a comment", 162, 300 + 12 * n),
            *code("*/", y=300 + 12 * n, x=216),
        )
    ]
    assert blocks([*prose(), *lines, *prose(y=500)]) == [
        "```\nint first; /*  a comment */\nint second; /* a comment */\n```"
    ]
    # A sentence about the sign is none.
    text = [*code("/*", y=300), Text("begins a comment, and", 96, 300), *code("*/", y=312), Text("ends it.", 96, 312)]
    assert blocks([*prose(), *text, *prose(y=500)]) == []


def test_items_of_a_list_are_no_code() -> None:
    items = [
        part for n in range(4) for part in (Text("-", y=300 + 12 * n), Text(f"name_{n}()", 84, 300 + 12 * n, font="C"))
    ]
    assert blocks([*prose(), *items, *prose(y=500)]) == []


def test_a_word_of_a_sentence_is_no_code() -> None:
    assert (
        blocks([*prose(), Text("Call", y=300), Text("f(x)", x=100, y=300, font="C"), Text("now.", x=140, y=300)]) == []
    )


def test_a_line_of_a_paragraph_and_an_address_are_no_code() -> None:
    line = [Text("A sentence that goes on with", y=300), Text("a_name_of_code()", y=312, font="C"), Text("x", y=324)]
    assert blocks([*prose(), *line]) == []
    assert blocks([*prose(), *code("https://example.org/a")]) == []
    assert blocks([*prose(), *code("run this", y=400)]) == ["```\nrun this\n```"]


def test_the_cells_of_a_table_are_no_code() -> None:
    rows = [
        part for n in range(2) for part in (Text("A name", y=300 + 14 * n), Text("1,234", 200, 300 + 14 * n, font="C"))
    ]
    assert blocks([*prose(), *rows]) == []


def test_code_beside_a_column_of_text_is_code() -> None:
    left = column(*["words of running text fill it"] * 6, y=300)
    lines = ("first: 1", "second: 2", "third: 3")
    found = blocks([*prose(), *left, *code(*lines, y=300, x=320)])
    assert found == ["```\nfirst: 1\nsecond: 2\nthird: 3\n```"]


def test_a_line_of_code_next_to_another_column_is_code() -> None:
    left = [*column(*["words of running text fill it"] * 12, y=300), *code("run this", y=480)]
    right = column(*["words of the other column run"] * 20, x=320, y=300)
    assert blocks([*prose(), *left, *right]) == ["```\nrun this\n```"]


def test_the_end_of_the_paragraph_above_is_no_code() -> None:
    text = [*column("Words of a paragraph that goes on to its end with", y=300), *code("a_file.name", y=312)]
    assert blocks([*prose(), *text, *code("first: 1", "second: 2", y=332)]) == ["```\nfirst: 1\nsecond: 2\n```"]


def test_the_sign_of_a_sentence_behind_code_is_no_sign_of_the_code() -> None:
    text = [*column("Words of a paragraph that goes on to its end with", y=300), *code("a_file.name", y=312)]
    colon = Text(":", 72 + 11 * ADVANCE, 312)
    found = blocks([*prose(), *text, colon, *code("first: 1", "second: 2", y=336)])
    assert found == ["```\nfirst: 1\nsecond: 2\n```"]


def test_brackets_in_another_font_that_close_within_a_line_are_a_part_of_the_code() -> None:
    call, opening, argument = Text("call", y=300, font="C"), Text("(", 72 + 5 * ADVANCE, 300), "{key, column}"
    inner = Text(argument, 72 + 7 * ADVANCE, 300, font="C")
    closing = Text(")", 72 + (8 + len(argument)) * ADVANCE, 300)
    found = blocks([*prose(), call, opening, inner, closing, *code("second: 2", y=312)])
    assert found == [f"```\ncall ( {argument} )\nsecond: 2\n```"]


def test_a_block_whose_lines_are_all_indented_keeps_that() -> None:
    indented = code("  first: 1", "    second: 2", y=400)
    found = blocks([*prose(), *code("all:", "  zero: 0", y=300), *prose(y=350), *indented])
    assert found[1] == "```\n  first: 1\n    second: 2\n```"
    # Without code at the edge of the text, it is a margin.
    assert blocks([*prose(), *indented]) == ["```\nfirst: 1\n  second: 2\n```"]
    # The print's own indent is none of the code's.
    assert blocks([*prose(), *code("first: 1", "  second: 2", y=400, x=81)]) == ["```\nfirst: 1\n  second: 2\n```"]


def test_code_that_goes_on_from_the_last_page_keeps_the_indent_of_all_its_lines() -> None:
    first = [*prose(), *code("jobs:", "  - name: a", y=650)]
    second = [*code("    port: 1", "    path: b", y=72), *prose(y=200)]
    assert blocks(first, second)[1] == "```\n    port: 1\n    path: b\n```"
    assert blocks([*first, *prose(y=690)], second)[1] == "```\nport: 1\npath: b\n```"
    assert blocks(first, prose(), second)[1] == "```\nport: 1\npath: b\n```"


def test_a_page_typed_in_one_font_is_no_code() -> None:
    assert blocks(code("a letter", "typed on a machine", "is text")) == []


def test_aligned_values_in_code_are_no_table() -> None:
    lines = ("one    1,234   2,345", "two    1,000   2,000", "three  1,500   2,500")
    assert [kind for kind, _ in shown(read([*prose(), *code(*lines)]))] == ["paragraph", "code"]


def test_cells_in_a_font_of_code_that_begin_within_its_characters_are_a_table() -> None:
    rows = [("name", "type"), ("nonce", "uint64"), ("gasLimit", "uint64"), ("value", "uint256")]
    cells = [
        Text(text, x, 300 + 12 * n, 10, "C")
        for n, row in enumerate(rows)
        for text, x in zip(row, (72, 147), strict=True)
    ]
    assert [kind for kind, _ in shown(read([*prose(), *cells]))] == ["paragraph", "table"]


def test_a_line_of_code_right_below_a_title_is_code() -> None:
    for title in (Text("Example", y=286, size=15), Text("Example", y=288, font="B")):
        assert blocks([*prose(), title, *code("run this"), *prose(y=340)]) == ["```\nrun this\n```"]


def test_an_address_by_itself_below_a_colon_is_code() -> None:
    address = code("http://www.example.org/ns#", y=330)
    assert blocks([*prose(), Text("It uses the namespace:", y=300), *address, *prose(y=500)]) == [
        "```\nhttp://www.example.org/ns#\n```"
    ]


def test_an_indented_line_goes_on_after_white_of_any_height() -> None:
    lines = [*code("class A:", "    first = 1"), *code("    second = 2", y=300 + 12 + 27)]
    assert blocks([*prose(), *lines, *prose(y=500)]) == ["```\nclass A:\n    first = 1\n\n    second = 2\n```"]


def test_white_that_is_no_whole_number_of_lines_parts_two_blocks() -> None:
    content = [*prose(), *code("first one", "goes on", y=300), *code("second one", y=300 + 12 + 18)]
    assert blocks(content) == ["```\nfirst one\ngoes on\n```", "```\nsecond one\n```"]


def test_lines_at_uneven_distances_are_one_block() -> None:
    heights = (300, 310.5, 322.8, 335.2, 349.4)
    lines = [Text(f"line_{n} = {n}", y=y, font="C") for n, y in enumerate(heights)]
    assert blocks([*prose(), *lines]) == ["```\n" + "\n".join(f"line_{n} = {n}" for n in range(5)) + "\n```"]


def test_a_page_of_code_alone_in_a_typeset_document_is_code() -> None:
    lines = ("first: 1", "second: 2", "third: 3")
    assert blocks([*prose(times=8)], [*code(*lines)]) == ["```\nfirst: 1\nsecond: 2\nthird: 3\n```"]
    assert blocks([*code(*lines)]) == []


def code_code_frames(*lines: str, y: float = 300) -> list[Text]:
    return [Text(line, 72, y + 12 * number, 10, "C") for number, line in enumerate(lines) if line]


@pytest.mark.parametrize("edge", [[Filled(66, 313, 500, 314)], [Filled(66, 296, 500, 312), Filled(66, 316, 500, 340)]])
def test_a_rule_between_two_lines_or_white_between_their_grounds_parts_two_blocks(edge: list[Filled]) -> None:
    colour = [replace(fill, colour="0.9 0.9 0.9") if fill.y1 - fill.y0 > 1 else fill for fill in edge]
    lines = [*code_code_frames("first = 1"), *code_code_frames("second = 2", "third = 3", y=318)]
    expected = ["```\nfirst = 1\n```", "```\nsecond = 2\nthird = 3\n```"]
    assert blocks([*colour, *prose(), *lines, *prose(y=500)]) == expected


@pytest.mark.parametrize(
    "fills", [[Filled(72, 311, 126, 311.5)], [Filled(66, 296, 500, 310), Filled(66, 310, 500, 324)]]
)
def test_underlines_and_grounds_of_single_lines_part_no_code(fills: list[Filled]) -> None:
    colour = [replace(fill, colour="0.9 0.9 0.9") for fill in fills]
    found = blocks([*colour, *prose(), *code_code_frames("first = 1", "second = 2"), *prose(y=500)])
    assert found == ["```\nfirst = 1\nsecond = 2\n```"]


def test_the_ground_of_a_blank_line_parts_no_code() -> None:
    """LaTeX gives each line a ground of its own, and blank ones, too."""
    fills = [Filled(66, y, 500, y + 12, "0.9 0.9 0.9") for y in (298, 310, 322)]
    found = blocks([*fills, *prose(), *code_code_frames("first = 1", "", "second = 2"), *prose(y=500)])
    assert found == ["```\nfirst = 1\n\nsecond = 2\n```"]


def code_code_in_text(*lines: str, y: float) -> list[Text]:
    return [Text(line, 72, y + 12 * number, 10, "C") for number, line in enumerate(lines)]


def test_a_line_below_one_that_has_room_for_its_first_word_is_code() -> None:
    text = column("Words of a paragraph that fill its line", "and then an example:", y=300)
    assert blocks([*prose(), *text, *code_code_in_text("run this", y=324)]) == ["```\nrun this\n```"]
    full = column(WIDE, WIDE, y=300)
    assert (
        blocks([*prose(), *full, *code_code_in_text("a_name_of_code()", y=324), Text("that is called here.", y=336)])
        == []
    )


@pytest.mark.parametrize("title", [Text("A title", y=288, font="B"), Text("A title of it", y=288, colour="0.5 0 0")])
def test_a_line_below_a_title_is_code(title: Text) -> None:
    assert blocks([*prose(), title, *code_code_in_text("run", y=300), *prose(y=340)]) == ["```\nrun\n```"]


def test_a_line_with_a_number_or_on_a_ground_of_its_own_is_code() -> None:
    number, address = Text("1", 60, 324, 7), code_code_in_text("https://example.org/a", y=324)
    full = column(WIDE, "Words of another line with", y=300)
    assert blocks([*prose(), *full, *address]) == []
    assert blocks([*prose(), *full, number, *address]) == ["```\nhttps://example.org/a\n```"]
    ground = Filled(66, 310, 500, 330, "0.9 0.9 0.9")
    assert blocks([ground, *prose(), *full, *address]) == ["```\nhttps://example.org/a\n```"]
    # The ground of words ends with them.
    words = Filled(70, 312, 202, 328, "0.9 0.9 0.9")
    assert blocks([words, *prose(), *full, *address]) == []


def lines(*heights: float, text: str = "code") -> list[Line]:
    """Lines of one size that end at some heights, in multiples of it."""
    (line,) = typed(text)
    return [
        line_of([replace(word, y0=height * line.size - 1, y1=height * line.size) for word in line.words])
        for height in heights
    ]


def tight(text: str, baseline: float) -> Line:
    """A line in a box of its glyphs."""
    (line,) = typed(text)
    below = 2.0 if "g" in text else 0.0
    return line_of([replace(word, y0=baseline - 6, y1=baseline + below) for word in line.words])


def counts(*runs: list[Line], known: dict[float, float] | None = None) -> list[list[int]]:
    return [[len(part) for part in parts] for parts in parted_by_white(runs, {} if known is None else known)]


def test_white_that_is_no_whole_number_of_lines_parts_two_blocks_of_any_run() -> None:
    assert counts(lines(1, 2.2, 3.4, 5.8), lines(20, 22)) == [[4], [1, 1]]


def test_lines_that_do_not_adjoin_are_parted_by_the_distance_of_those_on_other_pages() -> None:
    known: dict[float, float] = {}
    assert counts(lines(1, 3.5), known=known) == [[2]]
    assert counts(lines(1, 2.2, 3.4), known=known) == [[3]]
    assert counts(lines(1, 3), lines(20, 22.4), known=known) == [[1, 1], [2]]


def test_lines_with_signs_below_the_baseline_are_as_far_apart_as_others() -> None:
    """Boxes of office programs are those of the glyphs."""
    upper = [tight("glibc", 100), tight("Debian", 110), tight("Debug", 120), tight("other", 130)]
    lower = [tight("glibc", 148), tight("Debian", 158)]
    assert counts([*upper, *lower]) == [[4, 2]]
