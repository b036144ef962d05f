from dataclasses import replace

import pytest

from pincite.formats.pdf.layout.run_in_titles import MAX_TITLE_WORDS, split_run_in_title
from pincite.formats.pdf.page.words import Line, Word, line_of
from support.typed_pages import typed, word


def with_bold(text: str, first: int, last: int) -> list[Line]:
    """Lines whose words from `first` up to `last` of the first line are bold."""
    line, *others = typed(text)
    words = [replace(word, bold=first <= number < last) for number, word in enumerate(line.words)]
    return [line_of(words), *others]


def test_a_title_ends_with_its_bold_words() -> None:
    lines = with_bold("5.1. Scope of this. It is text\nof two lines", 1, 4)
    title, rest = split_run_in_title(lines)
    assert [line.text for line in title] == ["5.1. Scope of this."]
    assert [line.text for line in rest] == ["It is text", "of two lines"]
    assert rest[0].x0 > title[0].x1


def test_a_title_behind_a_number_may_be_in_italics() -> None:
    def first(text: str) -> str:
        line, *others = typed(text)
        words = [replace(word, italic=1 <= number < 4) for number, word in enumerate(line.words)]
        title, _ = split_run_in_title([line_of(words), *others])
        return title[0].text if title else ""

    assert first("5.1. Scope of this. It is text\nof two lines") == "5.1. Scope of this."
    assert first("5. Scope of this. It is text\nof two lines") == ""


def test_a_title_may_fill_its_line() -> None:
    title, rest = split_run_in_title(with_bold("5.1. Scope of this.\nText below it", 0, 4))
    assert title and [line.text for line in rest] == ["Text below it"]


def test_a_heading_of_its_own_is_not_split() -> None:
    lines = with_bold("5.1. Scope of this.", 0, 4)
    assert split_run_in_title(lines) == ((), lines)


def test_a_long_sentence_in_bold_is_no_title() -> None:
    text = "5.1 " + "Word " * MAX_TITLE_WORDS + "end. Text"
    lines = with_bold(text, 0, MAX_TITLE_WORDS + 2)
    assert split_run_in_title(lines) == ((), lines)


def paragraph(
    title: str, gap: float, below: float = 0, text: str = "It", *, italic: bool = False
) -> tuple[str | None, int]:
    """What a paragraph with a bold or italic beginning is split into: the title, and the words of the rest."""
    bold = [
        replace(word(part, 50.0 * n, 0, bold=not italic, first=10 * n), italic=italic)
        for n, part in enumerate(title.split())
    ]
    start = bold[-1].x1 + gap
    plain = [word(part, start + 40.0 * n, 0, first=200 + 10 * n) for n, part in enumerate((text, "goes", "on"))]
    head, rest = split_run_in_title([line_of([*bold, *plain]), line_of([word("below", below, 12, first=400)])])
    return head[0].text if head else None, sum(len(line.words) for line in rest)


def test_bold_words_before_more_white_than_a_space_are_a_title() -> None:
    assert paragraph("Method", 40) == ("Method", 4)
    assert paragraph("Method", 3) == (None, 5)


def test_as_much_white_may_be_behind_the_number_of_a_title() -> None:
    title, _ = split_run_in_title(with_bold("1.2.1   Scope of it   It is text\nthat goes on", 0, 4))
    assert [line.text for line in title] == ["1.2.1 Scope of it"]
    assert split_run_in_title(with_bold("Rules   Scope of it   It is text\nthat goes on", 0, 4))[0] == ()


def test_italic_words_before_more_white_than_a_space_are_a_title() -> None:
    assert paragraph("Method", 40, italic=True) == ("Method", 4)
    assert paragraph("Method", 3, italic=True) == (None, 5)


def test_a_term_whose_text_is_at_its_side_and_a_label_are_no_titles() -> None:
    assert paragraph("Method", 40, below=90) == (None, 5)
    assert paragraph("Method:", 40) == (None, 5)
    assert paragraph("Method", 40, text="goes") == (None, 5)


@pytest.mark.parametrize(("text", "title"), [
    ("Scope of this. It is text\nof two lines", "Scope of this."),
    ("1972–1985: Founding firms. It is text\nof two lines", "1972–1985: Founding firms."),
    ("בנק של מחקר. חוק של\nשנה", "בנק של מחקר."),
    ("Scope of this. It is text of more than six words", "Scope of this."),
])  # fmt: skip
def test_bold_words_up_to_a_full_stop_are_a_title_before_a_sentence(text: str, title: str) -> None:
    head, rest = split_run_in_title(with_bold(text, 0, 3))
    assert [line.text for line in head] == [title]
    assert rest[0].x0 > head[0].x1


@pytest.mark.parametrize("text", [
    "Scope of this: It is text\nof two lines",
    "Scope of this. is text\nof two lines",
    "scope of this. It is text\nof two lines",
    "Scope of this. Its value",
    "Lemma 4 (Scope). It is text\nof two lines",
    "Question 16. Is it text\nof two lines",
    "Table 4 Scope. It is text\nof two lines",
])  # fmt: skip
def test_other_bold_words_are_a_part_of_their_sentence(text: str) -> None:
    lines = with_bold(text, 0, 3)
    assert split_run_in_title(lines) == ((), lines)


def test_white_of_exactly_one_em_parts_a_title_from_text_whose_spaces_are_stretched() -> None:
    def split(white: float, space: float) -> bool:
        words, x = list[Word](), 0.0
        for n, text in enumerate(("Method", "It", "goes", "on")):
            words.append(word(text, x, 0, bold=not n, first=10 * n))
            x = words[-1].x1 + (space if n else white)
        return split_run_in_title([line_of(words), line_of([word("below", 0, 12, first=400)])])[0] != ()

    assert split(10, 9.2) and split(10, 3) and split(10, 11)
    assert not split(10, 10) and not split(9.2, 9.2) and not split(10.5, 9.6)


@pytest.mark.parametrize(("title", "text", "expected"), [
    ("Scope of\nthis.", "It is text\nof two lines", ["Scope of", "this."]),
    ("Scope of\nthis.", "of it is text\nof two lines", []),
    ("Scope of\nthis:", "It is text\nof two lines", []),
])  # fmt: skip
def test_bold_words_up_to_a_full_stop_may_have_two_lines(title: str, text: str, expected: list[str]) -> None:
    first, second, *others = typed(f"{title} {text}")
    count = len(title.split()) - len(first.words)
    lines = [
        line_of([replace(word, bold=True) for word in first.words]),
        line_of([replace(word, bold=number < count) for number, word in enumerate(second.words)]),
        *others,
    ]
    head, rest = split_run_in_title(lines)
    assert [line.text for line in head] == expected
    assert " ".join(line.text for line in (*head, *rest)) == " ".join(f"{title} {text}".split())
