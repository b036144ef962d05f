"""Letters of a letter-spaced title are the words that a reader sees."""

import pytest

from support.pdf_layout import read
from support.pdfs import Text, prose


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
