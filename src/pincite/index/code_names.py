"""Find the chunks that define a name of code in a query."""

import heapq
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pincite.model.search import Filter, KeywordQuery
from pincite.model.store import StoredChunk
from pincite.ranking.code_names import DEFINITION_BOOST, Definition, names
from pincite.ranking.fusion import Shares
from pincite.store.base import Snapshot

COMPARED_CHUNKS = 32
"""Number of chunks, best first, whose texts are looked at: more than an answer shows."""

LOOKED_UP_CHUNKS = 128
"""Number of chunks with the parts of a name whose texts are looked at if none of the best defines it: 32 find four of
300 names of Python's manual less, 200 one more."""


class Defined(NamedTuple):
    """Chunks that define a name of code in a query.

    Attributes:
        boosts: Their boosts by id, for `raise_matches`.
        added: Those of them that the search had missed.
    """

    boosts: Mapping[int, float]
    added: Sequence[int] = ()


def definition_boosts(snapshot: Snapshot, query: str, where: Filter, scores: Mapping[int, Shares]) -> Defined:
    """Return the chunks that define a name in the query: of the best ones, or, without any, of those with its parts.

    A chunk that defines `get_flags()` below the heading of its class need not contain `MMDFMessage.get_flags`.
    """
    definitions = [Definition(name) for name in names(query)]
    if not definitions:
        return Defined({})
    best = heapq.nsmallest(COMPARED_CHUNKS, scores, key=lambda chunk: (-sum(scores[chunk]), chunk))
    if boosts := _boosts(snapshot, definitions, best):
        return Defined(boosts)
    code = [definition for definition in definitions if not definition.may_be_a_topic]
    parts = [KeywordQuery(terms=definition.name.parts) for definition in code]
    candidates = {hit.chunk_id for terms in parts for hit in snapshot.keywords(terms, where, LOOKED_UP_CHUNKS)}
    boosts = _boosts(snapshot, code, sorted(candidates - set(best)))
    return Defined(boosts, [chunk for chunk in boosts if chunk not in scores])


def _boosts(snapshot: Snapshot, definitions: Sequence[Definition], chunks: Sequence[int]) -> dict[int, float]:
    strengths = {
        stored.id: max(_strength(definition, stored) for definition in definitions)
        for stored in snapshot.chunks(chunks)
    }
    return {chunk: DEFINITION_BOOST * strength for chunk, strength in strengths.items() if strength}


def _strength(definition: Definition, stored: StoredChunk) -> float:
    return definition.strength(stored.chunk.text, lambda: f"{stored.document}\n{stored.breadcrumb}")
