"""Values in the form of PostgreSQL's columns."""

import struct

import numpy as np
import pytest

from pincite.model.chunk import Chunk, ChunkKind, Tags
from pincite.model.search import NO_FILTER, Clause, Filter
from pincite.store.postgres import columns
from pincite.store.rows import chunk_key, chunk_place, to_state, to_text


@pytest.mark.parametrize("text", ["", "plain", "é", "a\0b", "\ud800 alone"])
def test_a_text_comes_back_from_its_bytes(text: str) -> None:
    assert to_text(columns.to_bytes(text)) == text


def test_what_is_compared_has_nothing_that_the_database_refuses() -> None:
    assert columns.matchable("h1\0-c1\udfff") == "h1\ufffd-c1\ufffd"
    assert columns.matchable("h1-c1") == "h1-c1"


@pytest.mark.parametrize("state", [(), (0,), (1, 2**80, -(2**70))], ids=["untrusted", "one", "wide"])
def test_a_state_comes_back_whatever_the_size_of_its_numbers(state: tuple[int, ...]) -> None:
    assert to_state(columns.encoded_state(state)) == state


def test_only_the_texts_of_a_chunk_become_bytes() -> None:
    tags = Tags("requirement", normative=True, clause="5.3")
    chunk = Chunk(0, "h1-c1", ChunkKind.TEXT, ("A",), 1, 1, 1, 0, 4, "text", "Title", tags=tags)
    assert columns.encoded_chunk(chunk_key(chunk, b"hash"))[0] == b"Title"
    place = columns.encoded_chunk(chunk_place(chunk))
    assert [value for value in place if isinstance(value, bytes)] == [b"A", b"5.3"]


def test_a_filter_is_one_condition_with_its_arguments() -> None:
    assert columns.conditions(NO_FILTER) == ("", {})
    where = Filter(frozenset({3}), frozenset({ChunkKind.TABLE}), frozenset({"a\0"}), normative=False)
    condition, arguments = columns.conditions(where)
    assert condition.count(" AND ") == 3
    assert arguments == {"documents": [3], "kinds": ["table"], "types": ["a\ufffd"], "normative": 0}


def test_a_clause_passes_what_is_under_it_unless_it_is_exact() -> None:
    _, arguments = columns.conditions(Filter(clauses=(Clause("5.3"), Clause("A", exact=True))))
    assert arguments == {"clauses": [b"\n5.3\n", b"\n5.3.", b"\nA\n"]}


def test_vectors_are_copied_at_half_precision() -> None:
    data = columns.near_rows([(7, 9, np.array([1, -0.5], np.float32))])
    head = b"PGCOPY\n\xff\r\n\0" + bytes(8)
    row = struct.pack(">hiiiqihh", 3, 4, 7, 8, 9, 8, 2, 0) + struct.pack(">ee", 1, -0.5)
    assert data == head + row + struct.pack(">h", -1)


def test_a_question_is_a_literal() -> None:
    assert columns.vector_text(np.array([0.5, -1], np.float32)) == "[0.5,-1.0]"
