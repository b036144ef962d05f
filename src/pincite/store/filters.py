"""What a filter lets through, as ids: each leg of a search applies them before it ranks."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.model.search import Clause, Filter
from pincite.store.statements import array_of

Rows = Callable[[str, Sequence[Any]], list[Any]]
"""Runs a statement by name."""

MAX_CACHED_FILTERS = 16
"""A server answers many queries of one filter in a row; each filter over tags costs a scan of an index."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """The documents, or else the chunks, that a filter lets through.

    Attributes:
        ids: Their ids.
        of_chunks: Whether they are chunks.
        documents: The number of documents.
    """

    ids: frozenset[int]
    of_chunks: bool
    documents: int


class FilterCache:
    """Resolves filters, and remembers the last ones of a generation. Not thread-safe: its owner holds a lock."""

    def __init__(self) -> None:
        self._generation = -1
        self._allowed: OrderedDict[Filter, Allowed] = OrderedDict()

    def resolve(self, passing: Callable[[Filter], Allowed], generation: int, where: Filter) -> Allowed | None:
        """Return what a filter lets through at a generation; None for everything.

        Args:
            passing: Reads the chunks that pass a filter from a snapshot of the generation.
            generation: The generation.
            where: The filter.
        """
        if not (where.has_tags or where.kinds):
            documents = where.documents
            return None if documents is None else Allowed(documents, of_chunks=False, documents=len(documents))
        if generation != self._generation:
            self._generation = generation
            self._allowed.clear()
        if where not in self._allowed:
            self._allowed[where] = passing(where)
            if len(self._allowed) > MAX_CACHED_FILTERS:
                self._allowed.popitem(last=False)
        self._allowed.move_to_end(where)
        return self._allowed[where]


def clause_needles(clauses: Sequence[Clause]) -> Iterator[str]:
    """Yield what a passing chunk has one of in its clause numbers, a line each, between two line ends.

    An empty number matches no chunk.
    """
    for clause in clauses:
        if clause.number:
            yield f"\n{clause.number}\n"
        if clause.number and not clause.exact:
            yield f"\n{clause.number}."


def passing_chunks(rows: Rows, where: Filter) -> Allowed:
    """Return the chunks of a SQLite index that pass a filter."""
    documents = None if where.documents is None else array_of(where.documents)
    kinds = array_of(kind.value for kind in where.kinds) if where.kinds else None
    if not where.has_tags:
        matches = rows("chunks_of_kind", (documents, kinds))
    else:
        types = array_of(where.chunk_types) if where.chunk_types else None
        normative = None if where.normative is None else int(where.normative)
        clauses = array_of(clause_needles(where.clauses)) if where.clauses else None
        matches = rows("chunks_tagged", (documents, kinds, types, normative, clauses))
    return Allowed(frozenset(row[0] for row in matches), of_chunks=True, documents=len({row[1] for row in matches}))
