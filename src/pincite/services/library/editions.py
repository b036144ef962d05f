"""Two editions of a standard compared, requirement by requirement."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pincite.model.call import Call
from pincite.model.store import StoredChunk

STATEMENTS = frozenset({"requirement", "recommendation"})
"""The types of chunks that say what is required or recommended."""

MIN_SAME_CLAUSE, MIN_OTHER_CLAUSE = 0.3, 0.6
"""Share of words, of both texts together, from which one is a change of the other, under one number and another."""

_WORD = re.compile(r"\w+(?:[.-]\w+)*")
_LABEL_LETTERS = re.compile(r"[a-z]{0,3}(?=\d)")


class Change(StrEnum):
    """What became of a requirement."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    RENUMBERED = "renumbered"


@dataclass(frozen=True, slots=True)
class Changed:
    """A requirement that two editions do not share.

    Attributes:
        change: What became of it. One whose words and number both differ is `CHANGED`.
        old: In the old edition; None if it was added.
        new: In the new edition; None if it was removed.
    """

    change: Change
    old: StoredChunk | None
    new: StoredChunk | None


@dataclass(frozen=True, slots=True)
class _Statement:
    chunk: StoredChunk
    words: tuple[str, ...]

    @classmethod
    def of(cls, stored: StoredChunk) -> "_Statement":
        clause = stored.chunk.tags.clause.casefold()
        # The number that is printed beside a text is no part of it.
        words = (word for word in _WORD.findall(stored.chunk.body.casefold()) if not _is_label(word, clause))
        return cls(stored, tuple(words))

    @property
    def clause(self) -> str:
        return self.chunk.chunk.tags.clause


def compare(old: Iterable[StoredChunk], new: Iterable[StoredChunk], call: Call) -> tuple[Sequence[Changed], int]:
    """Return the requirements and recommendations that differ, in the order of the new edition, and the number of those
    that do not. What was removed is before what follows it in the old edition, or at the end.

    Args:
        old: The chunks of the old edition.
        new: The chunks of the new edition.
        call: Checked while texts are compared.
    """
    before, after = [*map(_Statement.of, statements(old))], [*map(_Statement.of, statements(new))]
    pairs = _pairs(before, after, call)
    paired = {position: number for number, position in pairs.items()}
    changes: list[Changed] = []
    unchanged = position = 0
    for number, statement in enumerate(after):
        if number not in pairs:
            changes.append(Changed(Change.ADDED, None, statement.chunk))
            continue
        while position < len(before) and position not in paired:
            changes.append(Changed(Change.REMOVED, before[position].chunk, None))
            position += 1
        earlier = before[pairs[number]]
        if earlier.words != statement.words:
            changes.append(Changed(Change.CHANGED, earlier.chunk, statement.chunk))
        elif earlier.clause != statement.clause:
            changes.append(Changed(Change.RENUMBERED, earlier.chunk, statement.chunk))
        else:
            unchanged += 1
        position = max(position, pairs[number] + 1)
    known = {id(change.old) for change in changes}
    removed = (earlier.chunk for index, earlier in enumerate(before) if index not in paired)
    changes += [Changed(Change.REMOVED, chunk, None) for chunk in removed if id(chunk) not in known]
    return changes, unchanged


def statements(chunks: Iterable[StoredChunk]) -> Iterator[StoredChunk]:
    """Yield the requirements and recommendations among chunks."""
    return (stored for stored in chunks if stored.chunk.tags.chunk_type in STATEMENTS)


def _is_label(word: str, clause: str) -> bool:
    return bool(clause) and _LABEL_LETTERS.sub("", word, count=1) == _LABEL_LETTERS.sub("", clause, count=1)


def _pairs(before: Sequence[_Statement], after: Sequence[_Statement], call: Call) -> dict[int, int]:
    """Return the position in the old edition by the position in the new one, of what is in both."""
    pairs: dict[int, int] = {}
    free = dict.fromkeys(range(len(before)))
    by_text: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for position, statement in enumerate(before):
        by_text[statement.words].append(position)

    def pair(number: int, position: int | None) -> None:
        if position is not None:
            pairs[number] = position
            del free[position]

    for same_clause in (True, False):
        for number, statement in enumerate(after):
            same = (place for place in by_text[statement.words] if place in free and number not in pairs)
            pair(number, next((p for p in same if not same_clause or before[p].clause == statement.clause), None))
    words = [frozenset(statement.words) for statement in before]
    for same_clause, least in ((True, MIN_SAME_CLAUSE), (False, MIN_OTHER_CLAUSE)):
        for number, statement in enumerate(after):
            call.check()
            if number in pairs:
                continue
            own = frozenset(statement.words)
            alike = {
                place: len(own & words[place]) / max(1, len(own | words[place]))
                for place in free
                if not same_clause or before[place].clause == statement.clause
            }
            best = max(alike, key=lambda place: alike[place], default=None)
            pair(number, best if best is not None and alike[best] >= least else None)
    return pairs
