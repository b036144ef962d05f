"""Right-to-left lines in logical order, of files that have them as they are printed."""

import numpy as np
import pytest

from pincite.formats.pdf.page.right_to_left import fold_presentation_forms, restore_logical_order
from support.pdf_read import read, words
from support.pdfs import Text, prose


def printed(text: str, lefts: list[float] | None = None) -> str:
    """What is made of a line whose characters are printed at some places; from the right without any."""
    x0 = np.array(lefts or [float(100 - n) for n in range(len(text))])
    return restore_logical_order(text, np.array([x0, np.zeros_like(x0), x0 + 1, np.ones_like(x0)]))


@pytest.mark.parametrize("one", ["\u0643\u0627\u0644\u0628", "\u0643\u0644\u0627\u0628"])
def test_lam_comes_before_alef_where_both_are_one_glyph(one: str) -> None:
    assert printed(one, [90, 80, 80, 70]) == "\u0643\u0644\u0627\u0628"


def test_letters_in_boxes_of_their_own_keep_their_order() -> None:
    assert printed("\u0627\u0644\u0628") == "\u0627\u0644\u0628"


def test_a_word_whose_letters_run_to_the_right_is_reversed() -> None:
    assert printed("\u0628\u0639\u0634", [70, 80, 90]) == "\u0634\u0639\u0628"
    assert printed("\u0628\u0639\u0634", [70, 90, 80]) == "\u0628\u0639\u0634"


def test_brackets_are_mirrored_if_only_then_they_are_in_pairs() -> None:
    assert printed("\u05d0 15)\u05d1()4(") == "\u05d0 15(\u05d1)(4)"
    assert printed("\u05d0 (\u05d1) [4]") == "\u05d0 (\u05d1) [4]"
    assert printed("\u05d0) \u05d1 (4)") == "\u05d0) \u05d1 (4)"
    assert printed(")a(\n\u05d0") == ")a(\n\u05d0"


def test_groups_of_digits_of_a_date_are_ordered_as_printed() -> None:
    assert printed("\u05d0 2024/05/12", [99, 98, *range(46, 50), 45, 43, 44, 42, 40, 41]) == "\u05d0 12/05/2024"
    assert printed("\u05d0 12/05", [99, 98, 40, 41, 42, 43, 44]) == "\u05d0 12/05"


def test_shapes_are_folded_to_letters() -> None:
    assert fold_presentation_forms("\ufedb\ufefb a\ufb01") == "\u0643\u0644\u0627 afi"


def test_words_of_a_file_are_in_logical_order() -> None:
    assert [word.text for word in words(Text("BCE", font="A"))] == ["\u0643\u0644\u0627\u0628"]
    assert [word.text for word in words(Text("BDA", font="A"))] == ["\u0643\u0644\u0627\u0628"]


def test_cells_of_a_table_are_in_reading_order() -> None:
    rows = [
        part
        for row in range(4)
        for part in (
            Text("FE DC BA", x=300, y=200 + 14 * row, font="H"),
            Text(f"{row + 1},234", x=80, y=200 + 14 * row),
            Text(f"{row + 2},345", x=180, y=200 + 14 * row),
        )
    ]
    found = read([*prose(), *rows])
    assert found.text.count("\u05d0\u05d1 \u05d2\u05d3 \u05d4\u05d5") == 4
