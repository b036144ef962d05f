"""A view: the index in one consistent state, and how fresh that state is."""

from dataclasses import dataclass

from pincite.model.status import Freshness
from pincite.store.base import Snapshot


@dataclass(frozen=True, slots=True)
class IndexView:
    """What one call answers from.

    Attributes:
        snapshot: The rows, words and vectors.
        freshness: Whether the answer may miss a change; written into it.
        unembedded: How many documents have chunks without vector.
        waiting: Names of documents that changed and were not read again: nothing is quoted from them.
    """

    snapshot: Snapshot
    freshness: Freshness
    unembedded: int = 0
    waiting: frozenset[str] = frozenset()
