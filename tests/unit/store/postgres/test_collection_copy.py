"""A copy of a collection, over a database that only answers what a copy asks for; contracts run a real one."""

import dataclasses

import pytest

from pincite.errors import InternalError
from pincite.store.memory import postings
from pincite.store.postgres import collection_copy
from pincite.store.postgres.collection_copy import CollectionCopy, load
from unit.store.postgres.conftest import EAST, Database


def found(copy: CollectionCopy, generation: int) -> dict[str, list[int]]:
    """The chunks of each term."""
    view = copy.view(generation)
    assert view.table is not None
    return {term: view.table.ids[view.table.postings(number)[0]].tolist() for term, number in view.term_ids.items()}


def test_a_copy_has_the_vectors_and_the_lists_of_its_generation() -> None:
    copy = load(Database().reads())
    assert found(copy, 1) == {"run": [1], "dog": [1, 2], "cat": [4]}
    view = copy.view(1)
    assert view.frame is not None and view.frame.similarities(EAST, 1, [1, 2, 4, 9]) == {1: 1.0, 2: 1.0, 4: 1.0}
    assert view.table is not None
    assert view.table.lengths.tolist() == [3, 1, 2] and view.table.documents.tolist() == [10, 10, 20]
    assert view.table.postings(1)[1].tolist() == [2.0]


def test_a_copy_reads_what_changed_since() -> None:
    database = Database()
    copy = load(database.reads())
    database.statements.clear()
    del database.chunks[2]
    database.chunks[6] = (20, [4, 0, 1])
    database.terms["owl"] = 4
    database.logged = [(2, 2), (6, 2)]
    assert copy.catch_up(database.reads(2))
    assert database.statements == ["logged_chunks", "vector_changes", "terms_of_chunks", "terms_after"]
    assert found(copy, 2) == {"run": [1, 6], "dog": [1], "cat": [4], "owl": [6]}
    older = copy.view(1)
    assert older.table is None, "the lists of an earlier generation are not there any more"
    assert older.frame is not None and older.frame.similarities(EAST, 1, [2, 6]) == {2: 1.0}


def test_a_copy_that_is_far_behind_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    database = Database()
    copy = load(database.reads())
    database.logged = [(1, 2), (2, 2)]
    monkeypatch.setattr(collection_copy, "MAX_LOGGED_ROWS", 1)
    assert not copy.catch_up(database.reads(2))
    monkeypatch.undo()
    assert not copy.catch_up(dataclasses.replace(database.reads(9), floor=3)), "the log no longer reaches back to it"
    with monkeypatch.context() as patch:
        patch.setattr(postings, "_COMPACT_MIN_ROWS", 0)
        assert not copy.catch_up(database.reads(2, total=1)), "most of its chunks were deleted"
    assert copy.catch_up(database.reads(2)) and found(copy, 2)["dog"] == [1, 2]


def test_a_collection_whose_terms_are_missing_is_not_copied() -> None:
    with pytest.raises(InternalError, match="3 of 4"):
        load(Database().reads(total=4))


def test_an_empty_collection_has_an_empty_copy() -> None:
    database = Database()
    database.chunks.clear()
    copy = load(database.reads())
    assert found(copy, 1) == {"run": [], "dog": [], "cat": []}
