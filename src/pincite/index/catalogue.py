"""The ids and titles of documents by name, kept over generations: a filter by names reads only the new ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.index.titles import distinct_titles
from pincite.store.base import Snapshot


@dataclass(frozen=True, slots=True)
class _Ids:
    """Document ids by name up to a generation; deleted documents may be among them."""

    generation: int = -1
    last: int = 0
    by_name: dict[str, int] = field(default_factory=dict[str, int])


class Catalogue:
    """The document ids and titles of one collection. Thread-safe."""

    def __init__(self) -> None:
        self._ids = _Ids()
        self._titles: tuple[int, Mapping[str, str]] = (-1, {})

    def titles(self, snapshot: Snapshot) -> Mapping[str, str]:
        """Return the titles that tell the documents of a library apart, by name."""
        generation, titles = self._titles
        if generation != snapshot.generation:
            titles = distinct_titles(document for document in snapshot.documents() if not document.failure)
            self._titles = snapshot.generation, titles
        return titles

    def ids(self, snapshot: Snapshot) -> Mapping[str, int]:
        """Return document ids by name; ids of deleted or newer documents match no chunk of the snapshot.

        An id is never reused, so only new ones are read.
        """
        # Read the attribute once: another thread may replace it by the ids of another generation.
        ids = self._ids
        if ids.generation < snapshot.generation:
            ids = self._ids = _extended(ids, snapshot)
        return ids.by_name


def _extended(ids: _Ids, snapshot: Snapshot) -> _Ids:
    """Return the ids, with the documents that were added since."""
    new = snapshot.document_names(ids.last)
    if not new:
        return _Ids(snapshot.generation, ids.last, ids.by_name)
    by_name = {**ids.by_name, **new}
    statistics = snapshot.statistics()
    if len(by_name) > 2 * (statistics.documents + statistics.failed):  # most entries are of deleted documents
        by_name = snapshot.document_names()
    return _Ids(snapshot.generation, max(new.values()), by_name)
