"""What a new revision changes of a document's chunks."""

from dataclasses import replace

import pytest

from pincite.errors import TimeoutExceeded
from pincite.model.chunk import Chunk, ChunkKind, Tags
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument
from pincite.store.differences import compare
from pincite.store.rows import chunk_key, chunk_place


def chunk(ordinal: int, text: str, tags: Tags | None = None) -> Chunk:
    made = Chunk(ordinal, f"h0-c{ordinal}", ChunkKind.TEXT, (), 0, 1, 1, 0, len(text), text, "")
    return made if tags is None else replace(made, tags=tags)


def document(*chunks: Chunk) -> NewDocument:
    hashes = [chunk.text.encode() for chunk in chunks]
    return NewDocument(DocumentRow("a", None, UNTRUSTED, 0, "", ""), "", chunks, hashes)


def stored(*chunks: Chunk) -> list[tuple[object, ...]]:
    return [(10 + n, *chunk_key(one, one.text.encode()), *chunk_place(one)) for n, one in enumerate(chunks)]


def unlimited() -> None:
    """There is time."""


def test_the_same_chunks_change_nothing() -> None:
    found = compare(stored(chunk(0, "a"), chunk(1, "b")), document(chunk(0, "a"), chunk(1, "b")), check=unlimited)
    assert not (found.new or found.moved or found.retagged or found.deleted)


def test_a_chunk_that_moved_keeps_its_id_and_equal_ones_stay_in_order() -> None:
    before = stored(chunk(0, "a"), chunk(1, "a"), chunk(2, "b"))
    found = compare(before, document(chunk(0, "b"), chunk(1, "a"), chunk(2, "a")), check=unlimited)
    assert {columns[-1]: columns[0] for columns in found.moved} == {12: 0, 10: 1, 11: 2}
    assert not found.new and not found.deleted


def test_other_texts_come_and_go() -> None:
    found = compare(stored(chunk(0, "a"), chunk(1, "b")), document(chunk(0, "a"), chunk(1, "c")), check=unlimited)
    assert found.texts == ["c"]
    assert [row[0] for row in found.deleted] == [11]


def test_a_chunk_with_other_tags_is_named() -> None:
    found = compare(stored(chunk(0, "a")), document(chunk(0, "a", Tags("requirement"))), check=unlimited)
    assert found.retagged == [10] and len(found.moved) == 1


def test_columns_are_compared_as_the_store_returns_them() -> None:
    def encode(columns: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(str(value) for value in columns)

    before = [(row[0], *(str(value) for value in row[1:])) for row in stored(chunk(0, "a"))]
    assert not compare(before, document(chunk(0, "a")), check=unlimited, encode=encode).moved


def test_it_ends_when_the_time_is_up() -> None:
    def check() -> None:
        raise TimeoutExceeded("late")

    with pytest.raises(TimeoutExceeded):
        compare([], document(chunk(0, "a")), check=check)
