"""A view: the index in one consistent state, and how fresh that state is."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pincite.model.status import Freshness
from pincite.store.base import Snapshot, Store


def _unknown(_name: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class IndexView:
    """What one call answers from.

    Attributes:
        store: What it is a state of.
        snapshot: The rows, words and vectors.
        freshness: Whether the answer may miss a change; written into it.
        unembedded: How many documents have chunks without vector.
        waiting: Names of documents that changed and were not read again.
        outdated: Those of them of which an old text may be stored: nothing is quoted from it.
        problem: Why the index cannot be written; empty where it can.
        left_out: `Source.left_out`.
    """

    store: Store
    snapshot: Snapshot
    freshness: Freshness
    unembedded: int = 0
    waiting: AbstractSet[str] = frozenset()
    outdated: frozenset[str] = frozenset()
    problem: str = ""
    left_out: Callable[[str], str | None] = _unknown
