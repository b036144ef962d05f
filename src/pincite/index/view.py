"""A consistent view of the index, with its freshness."""

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from pincite.model.status import Freshness
from pincite.store.base import Snapshot, Store


def _unknown(_name: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class IndexView:
    """A consistent view of the index for one call.

    Attributes:
        store: The store of the snapshot.
        snapshot: The rows, terms and vectors.
        freshness: Whether answers may miss a change; part of each answer.
        unembedded: Number of documents that have chunks without vectors.
        waiting: Names of documents that changed and are not indexed again yet.
        outdated: Those of them whose old text may be stored; it is never quoted.
        problem: Why the index cannot be written; empty if it can.
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
