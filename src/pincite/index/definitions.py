"""Find the chunks that define a name of code in a query."""

import heapq
from collections.abc import Mapping

from pincite.model.store import StoredChunk
from pincite.ranking.definitions import DEFINITION_BOOST, Definition, names
from pincite.ranking.fusion import Shares
from pincite.store.base import Snapshot

COMPARED_CHUNKS = 32
"""Number of chunks, best first, whose texts are looked at: more than an answer shows."""


def definition_boosts(snapshot: Snapshot, query: str, scores: Mapping[int, Shares]) -> dict[int, float]:
    """Return the boosts, for `raise_matches`, of those of the best chunks that define a name in the query, by id."""
    definitions = [Definition(name) for name in names(query)]
    if not definitions:
        return {}
    best = heapq.nsmallest(COMPARED_CHUNKS, scores, key=lambda chunk: (-sum(scores[chunk]), chunk))
    strengths = {
        stored.id: max(_strength(definition, stored) for definition in definitions) for stored in snapshot.chunks(best)
    }
    return {chunk: DEFINITION_BOOST * strength for chunk, strength in strengths.items() if strength}


def _strength(definition: Definition, stored: StoredChunk) -> float:
    return definition.strength(stored.chunk.text, lambda: f"{stored.document}\n{stored.breadcrumb}")
