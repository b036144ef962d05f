"""What changes when a document replaces its former revision: which chunks stay, move, come and go."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.model.chunk import Chunk
from pincite.model.store import NewDocument
from pincite.store.rows import chunk_key, chunk_place

Columns = tuple[Any, ...]

KEY_COLUMNS = 3
"""Columns of `rows.chunk_key`."""

TAG_COLUMNS = 4
"""Columns of the tags, the last ones of `rows.chunk_place`."""


def _unchanged(columns: Columns) -> Columns:
    return columns


@dataclass(frozen=True, slots=True)
class Differences:
    """What a new revision changes.

    Attributes:
        new: Of each new chunk the columns of its key and of its place.
        texts: The texts of the new chunks.
        moved: Of each chunk that stays elsewhere, the columns of its place, and its id.
        retagged: Ids of those that have other tags.
        deleted: The rows of the chunks that go.
    """

    new: list[Columns] = field(default_factory=list[Columns])
    texts: list[str] = field(default_factory=list[str])
    moved: list[Columns] = field(default_factory=list[Columns])
    retagged: list[int] = field(default_factory=list[int])
    deleted: list[Columns] = field(default_factory=list[Columns])


def compare(
    stored: Sequence[Columns],
    document: NewDocument,
    *,
    check: Callable[[], None],
    encode: Callable[[Columns], Columns] = _unchanged,
) -> Differences:
    """Return what a document changes; a chunk whose texts are the same keeps its id, its terms and its vector.

    Args:
        stored: The document's chunks by ordinal: in each an id, the columns of its key and of its place.
        document: The new revision.
        check: Called for each chunk; raises if the time is up.
        encode: Converts columns of `rows` to the form that the store returns.
    """
    old: defaultdict[Columns, list[Columns]] = defaultdict(list)
    # Reversed, so that `pop` pairs equal texts in document order.
    for row in reversed(stored):
        old[tuple(row[1 : 1 + KEY_COLUMNS])].append(row)
    differences = Differences()
    for chunk, embed_hash in zip(document.chunks, document.embed_hashes, strict=True):
        check()
        _add(differences, old, chunk, encode(chunk_key(chunk, embed_hash)), encode(chunk_place(chunk)))
    differences.deleted.extend(row for rows in old.values() for row in rows)
    return differences


def _add(changes: Differences, old: dict[Columns, list[Columns]], chunk: Chunk, key: Columns, place: Columns) -> None:
    unchanged = old.get(key)
    if not unchanged:
        changes.new.append((*key, *place))
        changes.texts.append(chunk.text)
        return
    kept = unchanged.pop()
    before = tuple(kept[1 + KEY_COLUMNS :])
    if before != place:
        changes.moved.append((*place, kept[0]))
        if before[-TAG_COLUMNS:] != place[-TAG_COLUMNS:]:
            changes.retagged.append(kept[0])
