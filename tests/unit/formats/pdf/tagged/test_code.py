"""Lines of code that programs tag as paragraphs."""

from support.pdf_read import shown
from support.pdf_tagged import read
from support.tagged_pdfs import Show, Tag, lines, tag

BODY = lines("P", "A paragraph that shows what the", "body text of the page looks like", y=760)


def line(text: str, y: float, x: float = 72) -> Tag:
    return tag("P", Show(text, x, y, font="C"))


def test_two_blocks_of_lines_that_are_paragraphs_stay_apart() -> None:
    """Office programs have some white between them, which is no whole number of lines."""
    first = [line("first = 1", 700), line("second = 2", 688)]
    assert shown(read([BODY, *first, line("third = 3", 668), line("last = 4", 656)]))[1:] == [
        ("code", "```\nfirst = 1\nsecond = 2\n```"),
        ("code", "```\nthird = 3\nlast = 4\n```"),
    ]
    assert shown(read([BODY, *first, line("third = 3", 664)]))[1:] == [
        ("code", "```\nfirst = 1\nsecond = 2\n\nthird = 3\n```")
    ]


def test_text_between_lines_of_code_parts_them() -> None:
    text = tag("P", Show("and then", 72, 688))
    found = shown(read([BODY, line("first = 1", 700), text, line("second = 2", 676)]))
    assert [kind for kind, _ in found[1:]] == ["code", "paragraph", "code"]


def test_code_in_an_item_of_a_list_is_a_block() -> None:
    code = tag("Code", tag("P", Show("make all", 90, 680, font="C")), tag("P", Show("make install", 90, 668, font="C")))
    one = tag("NonStruct", tag("Code", Show("run this", 90, 620, font="C")))
    inner = tag("Code", Show("a.txt", 130, 600, font="C"))
    items = [
        tag("LI", tag("Lbl", Show("1.", 72, 700)), tag("LBody", tag("P", Show("Type:", 90, 700)), code)),
        tag("LI", tag("Lbl", Show("2.", 72, 640)), tag("LBody", tag("NonStruct", Show("Then", 90, 640)), one)),
        tag("LI", tag("Lbl", Show("3.", 72, 600)), tag("LBody", Show("Open", 90, 600), inner)),
    ]
    assert shown(read([BODY, tag("L", *items)]))[1:] == [
        ("list", "1. Type:"),
        ("code", "```\nmake all\nmake install\n```"),
        ("list", "2. Then"),
        ("code", "```\nrun this\n```"),
        ("list", "3. Open a.txt"),
    ]


def test_parts_of_a_line_that_a_style_sets_apart_are_one_block() -> None:
    def part(text: str, x: float) -> Tag:
        return tag("NonStruct", Show(text, x, 700, font="C"))

    assert shown(read([BODY, tag("Div", part("x", 72), part("=", 86.4), part("1", 100.8))]))[1:] == [
        ("code", "```\nx = 1\n```")
    ]


def test_lines_of_code_that_are_groups_of_their_own_are_one_block() -> None:
    """As the lines of a difference are, each on its ground."""
    group = [tag("Div", tag("Span", Show(f"+line = {n}", 72, 700 - 12 * n, font="C"))) for n in range(3)]
    assert shown(read([BODY, *group]))[1:] == [("code", "```\n+line = 0\n+line = 1\n+line = 2\n```")]


def test_code_that_goes_on_in_the_next_column_keeps_its_indents() -> None:
    left = lines("P", *["words that fill a column of the page"] * 4, y=760)
    first = [Show("{", 72, 640, font="C"), Show('"a": 1,', 86.4, 628, font="C")]
    rest = [Show('"b": 2', 334.4, 760, font="C"), Show("}", 320, 748, font="C")]
    right = tag("P", *(Show("words of the next column of the page", 320, 700 - 14 * n) for n in range(4)))
    assert shown(read([left, tag("Code", *first, *rest), right]))[1] == (
        "code",
        '```\n{\n  "a": 1,\n  "b": 2\n}\n```',
    )
