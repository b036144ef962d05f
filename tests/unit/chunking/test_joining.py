"""Short neighbours become one piece; whole documents are in the tests of `clauses`."""

from collections.abc import Sequence

import pytest

from pincite.chunking.cutting import Body, Piece
from pincite.chunking.joining import joined
from pincite.chunking.splitting import Splitter, Unit
from pincite.model.chunk import Tags
from pincite.model.document import Section
from support.cut_documents import Words

WORDS, ROOM, MINIMUM = 5, 12, 8
SPLITTER = Splitter("word " * 100, Words())


def numbers(groups: Sequence[str], headings: str = "") -> list[tuple[str, ...]]:
    """The clauses of what neighbours of five words become, each named by its letter; "-" is no group."""
    placed: list[tuple[Body, Piece]] = []
    for position, (clause, group) in enumerate(groups):
        start, end = (len("word ") * WORDS * edge for edge in (position, position + 1))
        section = Section(position, 2, ("A", clause), start, end, ())
        piece = Piece(
            Unit(start, end, WORDS), tags=Tags(clause=clause), group=group.strip("-"), is_heading=clause in headings
        )
        placed.append((Body(section, start, ROOM, SPLITTER), piece))
    return [piece.tags.numbers for _, piece in joined(placed, MINIMUM)]


@pytest.mark.parametrize(
    ("groups", "clauses"),
    [
        (["ag", "bg"], [("a", "b")]),
        (["ag", "bh"], [("a",), ("b",)]),
        (["ag", "b-"], [("a",), ("b",)]),
        (["a-", "b-"], [("a",), ("b",)]),
        (["ag", "bg", "cg"], [("a", "b"), ("c",)]),
        (["ag", "b-", "cg"], [("a",), ("b",), ("c",)]),
    ],
    ids=["of one group", "of two groups", "one alone", "both alone", "more than fits", "one alone between"],
)
def test_neighbours_of_one_group_are_joined_as_far_as_they_fit(
    groups: Sequence[str], clauses: list[tuple[str, ...]]
) -> None:
    assert numbers(groups) == clauses


def test_a_heading_without_text_begins_what_follows_and_stays_at_the_end() -> None:
    assert numbers(["ag", "b-", "c-"], headings="a") == [("a", "b"), ("c",)]
    assert numbers(["a-", "b-"], headings="b") == [("a",), ("b",)]
