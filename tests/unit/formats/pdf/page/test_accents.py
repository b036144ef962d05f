import unicodedata
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from pincite.formats.pdf.page import accents
from pincite.formats.pdf.page.accents import FILLER, Indices, added_spaces, join_accents, touched_spaces
from pincite.formats.pdf.page.rectangles import Grid
from support.pdf_layout import read as pdf_layout_read
from support.pdf_read import document, read
from support.pdfs import Text, prose


# ruff: noqa: RUF001 - signs that look like letters are what this file is about
def joined(text: str, lefts: list[float], width: float = 5) -> str:
    """The text of a line whose characters begin at these places."""
    rights = [left if letter == " " else left + width for left, letter in zip(lefts, text, strict=True)]
    boxes = np.array([(left, 10, right, 0) for left, right in zip(lefts, rights, strict=True)])
    return join_accents(text, boxes).replace(FILLER, "|")


@pytest.mark.parametrize(
    ("text", "lefts", "expected"),
    [
        ("n´am", [0, 5, 5, 10], "n|ám"),
        ("a´", [0, 0], "á|"),
        ("ı´", [0, 0], "í|"),
        ("w ¨a", [0, 5, 5, 5], "w||ä"),
        ("w ¨a", [0, 5, 15, 15], "w |ä"),
        ("u x ¨", [0, 5, 10, 15, 0], "ü x  "),
        ("na ˇ c", [5, 10, 15, 0, 0, 15], "na ˇ c"),
        ("na ˇ ci u", [5, 10, 15, 40, 15, 15, 20, 25, 40], "na|||ci ǔ"),
    ],
)
def test_accents_are_on_the_letters_that_are_below_them(text: str, lefts: list[float], expected: str) -> None:
    assert joined(text, lefts) == expected


@pytest.mark.parametrize(("text", "lefts"), [("don´t", [0, 5, 10, 15, 20]), ("x¯", [0, 0]), ("a´", [0, 2])])
def test_other_signs_stay(text: str, lefts: list[float]) -> None:
    assert joined(text, lefts) == text


def test_of_letters_printed_over_each_other_each_accent_is_tried_on_some_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accents, "unicodedata", counted := Mock(wraps=unicodedata))
    text = "x" * 20_000 + "¯" * 200
    assert joined(text, [0.0] * len(text)) == text
    assert 0 < counted.normalize.call_count <= 200 * accents.MAX_NEAR


def test_a_word_with_an_accent_drawn_apart_is_whole() -> None:
    found = read([*prose(), Text("Ver", y=200), Text("¨", x=88.4, y=200), Text("offnung", x=87.3, y=200)])
    assert found.text.endswith("Veröffnung\n")


def test_an_accent_at_the_end_of_its_line_leaves_no_gap_in_the_word_where_it_is_stored() -> None:
    """The gaps are those that pdfium makes where it moves the accent away."""
    accents = [Text("¨", x=151.1, y=200), Text("¨", x=92.6, y=200)]
    words = [Text("Anw", y=200), Text("u", x=150, y=200), *accents, Text("alte", x=91.5, y=200.1)]
    found = read([*prose(), *words])
    assert found.text.endswith("Anwälte ü\n")


def edges(text: str, *cancelled: int) -> Grid:
    """Boxes of characters that are 5 points wide and 10 high, with the letters behind some spaces at those spaces."""
    x0 = np.cumsum([0.0 if number - 1 in cancelled else 5.0 for number in range(len(text))])
    return np.array([x0, np.zeros(len(text)), x0 + 5, np.full(len(text), 10.0)])


def spaces_of(text: str) -> Indices:
    return np.array([number for number, character in enumerate(text) if character == " "], np.int64)


def touched(text: str, boxes: Grid) -> list[int]:
    return touched_spaces(spaces_of(text), boxes)


def added(text: str, *narrow: int, typed: bool) -> list[int]:
    """Spaces within words: those at some indices have no width, and letters 1 point behind them; the others have none
    unless they are typed."""
    x0, y0, x1, y1 = edges(text)
    for space in range(len(text)):
        if text[space] == " " and (space in narrow or not typed):
            x1[space] = x0[space]
            shift = 4.0 if space in narrow else 0.0
            x0[space + 1 :] -= shift
            x1[space + 1 :] -= shift
    return added_spaces(spaces_of(text), np.array([x0, y0, x1, y1]))


def test_a_space_that_no_file_has_is_none_within_a_word_of_one_that_types_its_spaces() -> None:
    assert added("the compan y was founded", 10, typed=True) == [10]
    assert added("the compan y was founded", 10, typed=False) == []


def test_words_of_an_ocr_layer_are_as_the_layer_spells_them(data: Path) -> None:
    for name in ("scanlayer", "ocr1.5"):
        found = document((data / "found/pdf" / f"{name}.pdf").read_bytes()).text
        assert "The Tower company was founded in Zurich" in found
        assert "Shipping container number 138588" in found and "Ramon Bach Pellicer" in found


def test_a_space_between_letters_that_touch_is_none() -> None:
    text = "how ev er a b c d e f g h i j k l m"
    assert touched(text, edges(text, 6)) == [6]


def test_spaces_are_kept_where_many_letters_touch_at_their_sides_or_none_do() -> None:
    text = "how ev er a b"
    assert touched(text, edges(text, 3, 6)) == [] == touched(text, edges(text))


def test_a_space_before_another_line_is_kept() -> None:
    text = "how ev er a b c d e f g h i j k l m"
    boxes = edges(text, 6)
    boxes[1, 7:] += 12
    boxes[3, 7:] += 12
    assert touched(text, boxes) == []


def test_a_space_that_the_next_letters_are_drawn_over_is_none_of_the_text() -> None:
    # In Helvetica at 10 points, the last space begins 58.4 points behind the beginning of the line.
    line = [Text("it may howev ", y=300), Text("er be", x=72 + 58.4, y=300)]
    assert "it may however be" in pdf_layout_read([*prose(), *line, *prose(y=400)]).text
