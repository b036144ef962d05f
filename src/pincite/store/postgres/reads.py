"""What is read of one snapshot to keep a part of it in memory."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pincite.store.base import Generation

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class CopyReads:
    """Reads one snapshot of a collection.

    Attributes:
        generation: Its generation.
        floor: The generation from which on changes are logged.
        total: The number of chunks.
        embedder: The id of the embedder whose vectors are searched.
        rows: Returns every row of a named statement.
        batches: Yields the rows of a named statement, some thousand at a time.
    """

    generation: Generation
    floor: Generation
    total: int
    embedder: int
    rows: Callable[[str, Any], list[Row]]
    batches: Callable[[str, Any], Iterable[list[Row]]]
