"""Words that leave their column of a table, right up to the next one's text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest

from pincite.formats.pdf.page.characters import Characters, Run, Style
from pincite.formats.pdf.page.column_starts import part_at_columns
from pincite.formats.pdf.page.rectangles import Grid

STYLE = Style(10.0, "Test", bold=False, italic=False, colour=0, mcid=-1, turns=0, painted=True, face=0, slant=0)
NAME, ACCESS, RESET = 50.0, 80.0, 120.0


@dataclass
class Source:
    """Characters of a page of lines, in a font whose letters are 5 pt wide, and `I` 3 pt."""

    text: str
    edges: Grid

    def objects(self, indices: Sequence[int]) -> list[int]:
        return [7 for _ in indices]


def page(rows: Sequence[Sequence[tuple[float, str]]]) -> tuple[list[Run], Source]:
    text, boxes = "", list[tuple[float, float, float, float]]()
    for number, row in enumerate(rows):
        for (x0, part), (following, _) in zip(row, [*row[1:], (1e3, "")], strict=True):
            left = x0
            for letter in part:
                width = 3 if letter == "I" else 5
                boxes.append((left, 12.0 * number, left + width, 12.0 * number + 10))
                left += width
            text += part
            # As pdfium does, no space where there is no white.
            if following > left + 1:
                text += " "
                boxes.append((left, 12.0 * number, left, 12.0 * number + 10))
    runs = [Run(found.start(), found.end() - 1, STYLE, 1) for found in re.finditer(r"\S+", text)]
    return runs, Source(text, np.array(boxes, np.float64).T)


def texts(rows: Sequence[Sequence[tuple[float, str]]]) -> list[str]:
    runs, source = page(rows)
    return [source.text[run.first : run.last + 1] for run in part_at_columns(runs, cast("Characters", source))]


REGISTER = [
    [(NAME, "OBJEI"), (ACCESS, "RW"), (RESET, "0x39")],
    [(NAME, "MINIM"), (ACCESS, "R"), (RESET, "0x4E")],
    [(NAME, "SYSTE"), (ACCESS, "W"), (RESET, "0x47")],
    [(NAME, "QUARTI"), (ACCESS, "RW"), (RESET, "0x8E")],
    [(NAME, "REVIEWI"), (ACCESS, "R"), (RESET, "0xDA")],
]


def test_a_word_ends_where_the_next_column_of_other_rows_begins() -> None:
    assert texts(REGISTER)[-3:] == ["REVIEWI", "R", "0xDA"]


def test_the_box_of_a_letter_ends_there_too() -> None:
    runs, source = page(REGISTER)
    parted = part_at_columns(runs, cast("Characters", source))
    assert source.edges[2][parted[-3].last] == ACCESS and parted[-2].object == 7


@pytest.mark.parametrize(
    ("row", "whole"),
    [
        pytest.param([(NAME, "REVIEWIR"), (RESET, "0xDA")], "REVIEWIR", id="letter beside the edge"),
        pytest.param([(NAME - 20, "REVIEWRRRRRR"), (RESET, "0xDA")], "REVIEWRRRRRR", id="word that begins elsewhere"),
        pytest.param([(NAME, "REVIEWI"), (ACCESS, "R"), (ACCESS + 8, "and")], "REVIEWIR", id="row without white"),
    ],
)
def test_other_words_are_whole(row: list[tuple[float, str]], whole: str) -> None:
    assert whole in texts([*REGISTER[:4], row])


def test_typewriting_has_letters_below_each_other_and_is_not_parted() -> None:
    rows = [[(NAME, "WORDS"), (ACCESS, "RW"), (RESET, "more")]] * 4
    assert "OBJECTRW" in texts([*rows, [(NAME, "OBJECT"), (ACCESS, "RW"), (RESET, "more")]])
