import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.model.chunk import Chunk, ChunkKind, text_hash
from pincite.model.store import FileState
from pincite.store.rows import (
    chunk_key,
    chunk_place,
    from_integer,
    from_text,
    state_columns,
    to_chunk,
    to_states,
    to_text,
)

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


@given(ANY_TEXT)
def test_any_text_comes_back(text: str) -> None:
    assert to_text(from_text(text)) == text


@pytest.mark.parametrize("number", [0, -1, 2**63 - 1, -(2**63), 2**63, -(2**63) - 1, 2**200])
def test_any_integer_comes_back(number: int) -> None:
    assert int(from_integer(number)) == number


@given(st.builds(FileState, *[st.integers()] * 4), ANY_TEXT)
def test_any_file_state_comes_back(state: FileState, name: str) -> None:
    assert to_states([(from_text(name), *state_columns(state))]) == {name: state}


@given(st.lists(st.sampled_from(["", "A", "A > B", " > ", ">", "é", "\udc80"])))
def test_any_heading_path_comes_back(path: list[str]) -> None:
    chunk = Chunk(0, "h1-c1", ChunkKind.TEXT, tuple(path), 1, 1, 1, 0, 1, "x", "")
    context, *_ = chunk_key(chunk)
    row = (7, 8, "a.md", "r", 9, *chunk_place(chunk), context, from_text(chunk.text), text_hash(chunk.text))
    assert to_chunk(row).chunk == chunk
