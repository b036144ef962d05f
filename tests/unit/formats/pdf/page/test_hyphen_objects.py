"""Hyphens that the file tells apart: by the text that they replace, and by what they are drawn with."""

import pytest

from pincite.formats.pdf.page.characters import KEPT_BREAK, LONE_BREAK, SOFT_BREAK, SOFT_HYPHEN
from pincite.formats.pdf.page.hyphen_objects import inner_hyphens, mark_hyphens
from pincite.formats.pdf.page.words import page_words
from support.drawn_pdfs import drawn_pdf, text
from support.pdf_rules import opened
from support.pdfs import Text, pdf


def replaced(content: str, by: str) -> str:
    return f"/Span <</ActualText {by}>> BDC\n{content}EMC\n"


def texts(content: str) -> list[str]:
    with opened(drawn_pdf(content)) as page:
        return [word.text for word in mark_hyphens(page, page_words(page).words)]


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
        assert [word.text for word in mark_hyphens(page, page_words(page).words)] == [f"code{SOFT_BREAK}", "like"]
