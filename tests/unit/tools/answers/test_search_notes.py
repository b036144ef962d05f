from collections.abc import Sequence

import pytest

from pincite.index.retriever import RetrievalResult, SearchType
from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.search import Hit, Parts
from pincite.model.store import StoredChunk
from pincite.tools.answers.search_notes import LOW_RELEVANCE, low_relevance

CHUNK = Chunk(0, "h1-c1", ChunkKind.TEXT, (), 0, 1, 1, 0, 1, "a", "")
HIT = Hit(StoredChunk(1, 1, "a", "r", 0, "", CHUNK), 1.0, None, Parts(0, 1, 0))


@pytest.mark.parametrize(
    ("relevance", "hits", "note"),
    [(0.9, [HIT], None), (None, [HIT], None), (0.001, [HIT], LOW_RELEVANCE), (0.001, [], None)],
)
def test_passages_that_may_be_of_something_else_come_with_a_note(
    relevance: float | None, hits: Sequence[Hit], note: str | None
) -> None:
    assert low_relevance(RetrievalResult(hits, SearchType.HYBRID, 1, relevance)) == note
