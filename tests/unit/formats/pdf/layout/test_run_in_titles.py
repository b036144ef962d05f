from pincite.formats.pdf.layout.run_in_titles import MAX_TITLE_WORDS, split_run_in_title
from pincite.formats.pdf.page.words import Line, line_of
from support.typed_pages import typed


def with_bold(text: str, first: int, last: int) -> list[Line]:
    """Lines whose words from `first` up to `last` of the first line are bold."""
    line, *others = typed(text)
    words = [word._replace(bold=first <= number < last) for number, word in enumerate(line.words)]
    return [line_of(words), *others]


def test_a_title_ends_with_its_bold_words() -> None:
    lines = with_bold("5.1. Scope of this. It is text\nof two lines", 1, 4)
    title, rest = split_run_in_title(lines)
    assert title is not None and title.text == "5.1. Scope of this."
    assert [line.text for line in rest] == ["It is text", "of two lines"]
    assert rest[0].x0 > title.x1


def test_a_title_may_fill_its_line() -> None:
    title, rest = split_run_in_title(with_bold("5.1. Scope of this.\nText below it", 0, 4))
    assert title is not None and [line.text for line in rest] == ["Text below it"]


def test_a_heading_of_its_own_is_not_split() -> None:
    lines = with_bold("5.1. Scope of this.", 0, 4)
    assert split_run_in_title(lines) == (None, lines)


def test_a_long_sentence_in_bold_is_no_title() -> None:
    text = "5.1 " + "Word " * MAX_TITLE_WORDS + "end. Text"
    lines = with_bold(text, 0, MAX_TITLE_WORDS + 2)
    assert split_run_in_title(lines) == (None, lines)
