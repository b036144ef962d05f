import pytest

from pincite.formats.pdf.page.characters import KEPT_BREAK, LONE_BREAK, SOFT_BREAK, SOFT_HYPHEN
from pincite.formats.pdf.page.word_repairs import (
    in_line_order,
    inner_hyphens,
    mark_hyphens,
    restore_word_order,
    with_small_capitals,
)
from pincite.formats.pdf.page.words import Word, page_words
from support.drawn_pdfs import drawn_pdf, text
from support.pdf_layout import read
from support.pdf_rules import opened
from support.pdfs import Text, pdf, prose
from support.typed_pages import word

NUMBER, CHAPTER = word("1", 140, 0, 0), word("Chapter", 72, 0, 2)
NAME, YEAR = word("שנה", 110, 20, 10), word("22", 72, 20, 15)


def word_small_capitals(text: str, x0: float, size: float, y1: float) -> Word:
    width = 0.7 * size * len(text)
    return Word(text, x0, y1 - size, x0 + width, y1, size, "Charter", False, False, 0, 0, len(text) - 1, -1, 0, 0)  # noqa: FBT003


def test_a_capital_and_smaller_ones_behind_it_are_a_word() -> None:
    words = [
        word_small_capitals("A", 100, 10, 200),
        word_small_capitals("PPLICATION", 107.2, 8, 199.55),
        word_small_capitals("L", 170, 10, 200),
    ]
    words.append(word_small_capitals("EVELS,", 177.1, 8, 199.55))
    assert [each.text for each in with_small_capitals(words)] == ["APPLICATION", "LEVELS,"]


@pytest.mark.parametrize(
    "other",
    [
        word_small_capitals("CC", 107.2, 7, 201.5),
        word_small_capitals("TM", 107.2, 7, 196),
        word_small_capitals("PPLICATION", 110, 8, 199.55),
        word_small_capitals("pplication", 107.2, 8, 199.55),
        word_small_capitals("PPLICATION", 107.2, 10, 200),
        word_small_capitals("2", 107.2, 8, 199.55),
    ],
    ids=["below", "above", "apart", "small letters", "as large", "a number"],
)
def test_others_are_not(other: Word) -> None:
    assert with_small_capitals([word_small_capitals("A", 100, 10, 200), other]) == [
        word_small_capitals("A", 100, 10, 200),
        other,
    ]


def test_words_of_small_capitals_alone_have_the_size_of_the_capitals() -> None:
    title = [
        word_small_capitals("T", 90, 8, 199.55),
        word_small_capitals("A", 100, 10, 200),
        word_small_capitals("PPLICATION", 107.2, 8, 199.55),
    ]
    title += [word_small_capitals("IN", 170, 8, 199.55), word_small_capitals("USE?", 100, 8, 211.55)]
    text = [word_small_capitals("IN", 100, 8, 240), word_small_capitals("Use", 120, 8, 240)]
    words = with_small_capitals([*title, *text])
    assert [(each.text, each.size) for each in words] == [
        ("T", 10),
        ("APPLICATION", 10),
        ("IN", 10),
        ("USE?", 10),
        ("IN", 8),
        ("Use", 8),
    ]


def test_words_of_small_capitals_alone_have_the_size_of_a_word_in_capitals_before_them() -> None:
    title = [
        word_small_capitals("6", 60, 10, 200),
        word_small_capitals("SPDX", 75, 10, 200),
        word_small_capitals("DOCUMENT", 106, 8, 199.55),
    ]
    title += [word_small_capitals("SECTION", 100, 8, 211.55)]
    assert [each.size for each in with_small_capitals(title)] == [10, 10, 10, 10]
    raised = [word_small_capitals("SPDX", 75, 10, 200), word_small_capitals("DOCUMENT", 106, 8, 196)]
    assert [each.size for each in with_small_capitals(raised)] == [10, 8]


def first_line(*line: Text) -> str:
    """The text of a line above two paragraphs."""
    return read([*line, *prose(y=110, times=2)]).text.splitlines()[0].lstrip("# ")


@pytest.mark.parametrize("title", ["REPORT OF THE BOARD", "Report of the board", "ACCOUNT"])
@pytest.mark.parametrize("spacing", [3, 6])
def test_letters_with_white_between_them_are_a_word(title: str, spacing: float) -> None:
    assert first_line(Text(title, spacing=spacing, size=14)) == title


@pytest.mark.parametrize("letters", ["R E P O R T", "A B C D E F"])
def test_letters_with_spaces_between_them_are_none(letters: str) -> None:
    assert first_line(Text(letters, size=14)) == letters


def test_letters_at_the_side_of_words_are_none() -> None:
    line = [Text("REPORT", spacing=4), Text("Vote of the board", x=150)]
    assert first_line(*line).startswith("R E P O R T")


@pytest.mark.parametrize("letters", ["ABCDEF", "YNYNYN"])
def test_a_list_of_letters_is_none(letters: str) -> None:
    assert first_line(Text(letters, spacing=4)) == " ".join(letters)


def replaced(content: str, by: str) -> str:
    return f"/Span <</ActualText {by}>> BDC\n{content}EMC\n"


def texts(content: str) -> list[str]:
    with opened(drawn_pdf(content)) as page:
        return [word_small_capitals.text for word_small_capitals in mark_hyphens(page, page_words(page).words)]


HYPHEN = text("-", 72 + 21.2, 700)


@pytest.mark.parametrize(
    ("hyphen", "kind"),
    [
        (replaced(HYPHEN, "<FEFF00AD>"), SOFT_HYPHEN),
        (replaced(HYPHEN, "()"), SOFT_HYPHEN),
        (replaced(HYPHEN, "<EFBBBFC2AD>"), SOFT_HYPHEN),
        (replaced(HYPHEN, "(-)"), KEPT_BREAK),
        (replaced(HYPHEN, "<FEFF002D>"), KEPT_BREAK),
        (HYPHEN, LONE_BREAK),
    ],
)
def test_a_hyphen_at_the_end_of_a_line_is_what_the_file_says(hyphen: str, kind: str) -> None:
    assert texts(text("appli", 72, 700) + hyphen + text("cation", 72, 688)) == [f"appli{kind}", "cation"]


def test_a_word_may_be_broken_before_and_after_one_letter() -> None:
    parts = text("oblig", 72, 700) + text("-", 94.8, 700) + text("a", 72, 688) + text("-", 77.6, 688)
    assert texts(parts + text("tion", 72, 676)) == [f"oblig{LONE_BREAK}", f"a{LONE_BREAK}", "tion"]


def test_a_hyphen_that_is_drawn_with_its_letters_tells_nothing() -> None:
    assert texts(text("well-", 72, 700) + text("known", 72, 688)) == [f"well{SOFT_BREAK}", "known"]


def test_letters_that_are_drawn_one_by_one_tell_nothing() -> None:
    letters = "".join(text(letter, 72 + 6 * index, 700) for index, letter in enumerate("abcd-"))
    assert texts(letters + text("efgh", 72, 688))[0][-1] == SOFT_BREAK


@pytest.mark.parametrize(
    ("content", "kinds"),
    [
        (text("well-known", 72, 700), {"-"}),
        (text("appli", 72, 700) + HYPHEN + text("cation", 96.6, 700), {LONE_BREAK}),
        (text("plain words", 72, 700), set[str]()),
        (text("appli", 72, 700) + text("-cation", 72 + 21.2, 700), set[str]()),
    ],
)
def test_hyphens_within_words_show_how_those_of_words_are_drawn(content: str, kinds: set[str]) -> None:
    with opened(drawn_pdf(content)) as page:
        assert inner_hyphens(page, page_words(page).words) == kinds


def test_a_hyphen_in_another_font_than_the_letters_before_it_tells_nothing() -> None:
    with opened(pdf([Text("code", font="C"), Text("-", x=96), Text("like", y=84)])) as page:
        assert [word_small_capitals.text for word_small_capitals in mark_hyphens(page, page_words(page).words)] == [
            f"code{SOFT_BREAK}",
            "like",
        ]


def test_a_line_that_a_right_to_left_page_has_from_the_right_is_read_from_the_left() -> None:
    assert restore_word_order([NUMBER, CHAPTER, NAME, YEAR]) == [CHAPTER, NUMBER, NAME, YEAR]
    assert restore_word_order([CHAPTER, NUMBER, NAME]) == [CHAPTER, NUMBER, NAME]


def test_a_page_without_right_to_left_letters_is_as_it_is() -> None:
    assert restore_word_order([NUMBER, CHAPTER]) == [NUMBER, CHAPTER]


def test_words_that_tags_have_from_the_left_are_in_the_order_of_their_line() -> None:
    assert in_line_order([CHAPTER, NUMBER, YEAR, NAME]) == [CHAPTER, NUMBER, NAME, YEAR]
    assert in_line_order([NUMBER, CHAPTER]) == [NUMBER, CHAPTER]
