"""Texts in pieces."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.store.rows import Malformed
from pincite.store.texts import PIECE_CHARS, chunk_texts, indexed_text, joined, pieces

UNIT = "é\ud800𝄞x"
LONG = UNIT * PIECE_CHARS


@given(st.integers(0, 3), st.integers(-3, 3))
def test_the_pieces_of_a_text_are_the_text(count: int, more: int) -> None:
    text = LONG[: max(0, count * PIECE_CHARS + more)]
    made = list(pieces(text))
    assert joined(made) == text and all(1 <= len(joined([piece])) <= PIECE_CHARS for piece in made)


@given(st.lists(st.tuples(st.integers(0, 4 * PIECE_CHARS), st.integers(1, 2 * PIECE_CHARS)), min_size=1, max_size=4))
def test_a_chunk_is_cut_from_the_pieces_it_overlaps(spans: list[tuple[int, int]]) -> None:
    made = list(pieces(LONG))
    borders = {number: (start, min(start + size, len(LONG))) for number, (start, size) in enumerate(spans)}
    rows = [
        (number, *piece)
        for number, (start, end) in borders.items()
        for piece in made[start // PIECE_CHARS : (end - 1) // PIECE_CHARS + 1]
    ]
    assert chunk_texts(rows, borders) == {number: LONG[start:end] for number, (start, end) in borders.items()}


@pytest.mark.parametrize("rows", [[], [(1, 0, "abc", 7)]])
def test_a_piece_that_is_missing_or_damaged_is_never_taken_for_a_text(rows: list[tuple[int, int, str, int]]) -> None:
    with pytest.raises(Malformed):
        chunk_texts(rows, {1: (0, 3)})


def test_the_contents_of_data_urls_are_not_indexed() -> None:
    assert indexed_text("plain \ud800") == "plain \ud800".encode("utf-8", "surrogatepass")
    text = indexed_text(f"a ![x](data:image/png;base64,{'QUJD' * 50}) b")
    assert isinstance(text, str) and "QUJD" not in text and text.startswith("a ")
