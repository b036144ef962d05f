"""A view: the index in one consistent state, and how fresh that state is."""

from dataclasses import dataclass

from pincite.model.status import Freshness
from pincite.store.base import Snapshot, Store


@dataclass(frozen=True, slots=True)
class IndexView:
    """What one call answers from.

    Attributes:
        store: What it is a state of.
        snapshot: The rows, words and vectors.
        freshness: Whether the answer may miss a change; written into it.
        unembedded: How many documents have chunks without vector.
        waiting: Names of documents that changed and were not read again: nothing is quoted from them.
    """

    store: Store
    snapshot: Snapshot
    freshness: Freshness
    unembedded: int = 0
    waiting: frozenset[str] = frozenset()
