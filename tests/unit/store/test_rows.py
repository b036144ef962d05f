import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.model.chunk import Chunk, ChunkKind, PlacedText, Tags, text_hash
from pincite.model.document import Box
from pincite.model.store import State
from pincite.store.rows import (
    StoredBoxes,
    chunk_key,
    chunk_place,
    from_integer,
    from_text,
    state_column,
    to_chunk,
    to_states,
    to_text,
)

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))
LINE = st.text(st.characters(codec=None, exclude_categories=(), exclude_characters="\n"))


@given(ANY_TEXT)
def test_any_text_comes_back(text: str) -> None:
    assert to_text(from_text(text)) == text


@pytest.mark.parametrize("number", [0, -1, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**200])
def test_any_integer_comes_back(number: int) -> None:
    assert int(from_integer(number)) == number


@given(st.dictionaries(ANY_TEXT, st.lists(st.integers()).map(tuple) | st.tuples(*[st.integers(0, 2**62)] * 4)))
def test_any_states_come_back(states: dict[str, State]) -> None:
    assert to_states([(from_text(name), state_column(state)) for name, state in states.items()]) == states


@given(
    st.builds(
        Tags,
        ANY_TEXT.filter(str.isascii),
        st.none() | st.booleans(),
        LINE,
        st.lists(ANY_TEXT).map(tuple),
        st.none() | st.floats(0, 1),
        st.lists(LINE, min_size=2, unique=True).map(tuple) | st.just(()),
        st.lists(ANY_TEXT).map(tuple),
        ANY_TEXT,
    )
)
def test_any_tags_come_back(tags: Tags) -> None:
    chunk = Chunk(0, "h1-t1", ChunkKind.TABLE, (), 1, 1, 1, 0, 1, "x", "", tags=tags)
    row = (7, 8, "a.md", "r", 9, *chunk_place(chunk), "", text_hash("x"))
    assert to_chunk(row, "x").chunk == chunk


@given(st.lists(st.sampled_from(["", "A", "A > B", " > ", ">", "é", "\udc80"])))
def test_any_heading_path_comes_back(path: list[str]) -> None:
    chunk = Chunk(0, "h1-c1", ChunkKind.TEXT, tuple(path), 1, 1, 1, 0, 1, "x", "")
    context, *_ = chunk_key(chunk, b"")
    row = (7, 8, "a.md", "r", 9, *chunk_place(chunk), context, text_hash(chunk.text))
    assert to_chunk(row, chunk.text).chunk == chunk


def test_stored_boxes_are_a_sequence_like_the_tuple_that_was_written() -> None:
    rows = [[1, 0, 5, 1.5, 2, 3, 4.25], [2, 5, 12, 0, 0, 1, 1]]
    written = (PlacedText(1, Box(1.5, 2, 3, 4.25), 0, 5), PlacedText(2, Box(0, 0, 1, 1), 5, 12))
    stored = StoredBoxes(rows)
    assert (tuple(stored), len(stored), stored[1], stored[:1]) == (written, 2, written[1], written[:1])
    assert stored == written and written == stored and stored == StoredBoxes(rows)
    assert hash(stored) == hash(written)
    assert stored != written[:1]
    assert not StoredBoxes([])


def test_a_box_without_all_of_its_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="box"):
        StoredBoxes([[1, 0, 5, 1.5]])
