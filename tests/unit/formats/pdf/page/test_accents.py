# ruff: noqa: RUF001 - signs that look like letters are what this file is about
import time

import numpy as np
import pytest

from pincite.formats.pdf.page.accents import FILLER, join_accents
from support.pdf_read import read
from support.pdfs import Text, prose


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


def test_letters_printed_over_each_other_take_no_long_time() -> None:
    """Each accent is tried on some of them only."""
    text = "x" * 20_000 + "¯" * 200
    started = time.process_time()
    assert joined(text, [0.0] * len(text)) == text
    assert time.process_time() - started < 2


def test_a_word_with_an_accent_drawn_apart_is_whole() -> None:
    found = read([*prose(), Text("Ver", y=200), Text("¨", x=88.4, y=200), Text("offnung", x=87.3, y=200)])
    assert found.text.endswith("Veröffnung\n")


def test_an_accent_at_the_end_of_its_line_leaves_no_gap_in_the_word_where_it_is_stored() -> None:
    """The gaps are those that pdfium makes where it moves the accent away."""
    accents = [Text("¨", x=151.1, y=200), Text("¨", x=92.6, y=200)]
    words = [Text("Anw", y=200), Text("u", x=150, y=200), *accents, Text("alte", x=91.5, y=200.1)]
    found = read([*prose(), *words])
    assert found.text.endswith("Anwälte ü\n")
