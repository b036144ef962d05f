import math
from array import array
from dataclasses import replace

import pytest

from pincite.errors import InternalError
from pincite.model.store import NewDocument
from pincite.store.writing import NOTHING, check_vector, remove_deleted, replace_current


class Recorded:
    """A transaction that notes what it is asked."""

    def __init__(self) -> None:
        self.replaced: list[str] = []
        self.removed: list[str] = []

    def replace(self, document: NewDocument) -> None:
        self.replaced.append(document.row.name)

    def remove(self, key: str) -> None:
        self.removed.append(key)


def document(name: str) -> NewDocument:
    return NewDocument(replace(NOTHING.row, name=name))


def test_a_document_that_has_changed_meanwhile_is_named_and_not_written() -> None:
    writing = Recorded()
    skipped = replace_current(writing, [document("a.md"), document("b.md")], lambda row: row.name == "a.md")
    assert (writing.replaced, skipped) == (["a.md"], ["b.md"])


def test_a_document_that_came_back_meanwhile_stays() -> None:
    writing = Recorded()
    remove_deleted(writing, ["a", "b"], lambda key: key == "b")
    assert writing.removed == ["b"]


def test_a_vector_has_the_length_of_the_others_and_finite_numbers() -> None:
    check_vector(array("f", [1, 2]).tobytes(), 2)
    check_vector(array("f", [1, 2, 3]).tobytes(), 0)  # the first one
    for numbers, dimensions in (([1.0], 2), ([], 0), ([1.0, math.nan], 2), ([math.inf, 0.0], 2)):
        with pytest.raises(InternalError):
            check_vector(array("f", numbers).tobytes(), dimensions)
