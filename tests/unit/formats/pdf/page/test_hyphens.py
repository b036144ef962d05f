"""A hyphen at a line's end stays where it belongs to the word."""

import pytest

from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.hyphens import breaks_words, resolve_soft_break
from pincite.formats.pdf.page.words import Word


def words(*texts: str) -> list[Word]:
    return [Word(text, 0, 0, 1, 1, 10, "", False, False, 0, n, n, 0, 0, 0) for n, text in enumerate(texts)]  # noqa: FBT003


def test_a_page_breaks_words_where_it_does_so_often() -> None:
    assert breaks_words(words(*["plain"] * 100, *[f"bro{SOFT_BREAK}"] * 3))
    assert not breaks_words(words(*["plain"] * 100, *[f"well{SOFT_BREAK}"] * 2))
    assert not breaks_words(words(*["plain"] * 1000, *[f"well{SOFT_BREAK}"] * 3))


@pytest.mark.parametrize(
    ("before", "following", "breaks", "joined"),
    [
        ("is well", "defined here", False, "is well-defined here"),
        ("an exam", "ple of", True, "an example of"),
        ("the SEPA", "Lastschrift", True, "the SEPA-Lastschrift"),
        ("state-of", "the-art", True, "state-of-the-art"),
        ("COVID", "19,", True, "COVID-19,"),
        ("short", "and long-term", True, "short- and long-term"),
    ],
)
def test_two_halves_are_joined(before: str, following: str, breaks: bool, joined: str) -> None:
    assert resolve_soft_break(before + SOFT_BREAK, following, breaks=breaks) + following == joined
