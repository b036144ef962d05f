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
