"""The glossary of a collection, kept until the collection changes."""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pincite.errors import Cancelled, PinciteError
from pincite.index.view import View
from pincite.model.call import Call, seconds_until
from pincite.model.search import NO_FILTER, Filter
from pincite.model.store import StoredChunk
from pincite.ranking.query import keyword_query
from pincite.registry import FORMATS
from pincite.runtime.abandonable import abandonable
from pincite.services.library.terms import Entry, Glossary, definition_text, headwords, key, marked_terms

if TYPE_CHECKING:
    from pincite.model.vector import Vector

log = logging.getLogger("pincite.knowledge")

DEFINITIONS = Filter(chunk_types=frozenset({"definition"}))

NEAR_CHUNKS = 30
"""Definitions nearest to a term whose terms are compared with it: ten times the number that an answer lists."""

MARKED_CANDIDATES = 50
"""Maximum number of chunks with a term's words that are checked for the term's definition."""

WEB_PAGES = next(row.extensions for row in FORMATS if row.name == "html")
"""Endings of the files in which asterisks are the marks of terms."""

MODEL_SECONDS = 0.5
"""Time that a lookup waits for the model to load before it names terms of similar spelling alone."""

NEAREST_SECONDS = 2.0
"""Time for terms near in meaning: a service may take longer, and a lookup answers within 3 s (contract 2)."""

MAX_NEAR_TERMS = 60
"""Maximum number of terms that are embedded for one lookup, some 1.2 ms each."""


class Glossaries:
    """The glossaries of collections. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: tuple[tuple[str, int], Glossary] | None = None

    def of(self, view: View) -> Glossary:
        """Return the glossary of a view's collection; it is read again once the collection changes."""
        version = view.store.place(), view.generation
        with self._lock:
            if self._last is None or self._last[0] != version:
                self._last = version, Glossary(_entries(view, view.snapshot.chunk_ids(DEFINITIONS)))
            return self._last[1]

    def marking(self, view: View, term: str) -> list[StoredChunk]:
        """Return the chunks in which a web page marks a term (`<dfn>`) where no sentence defines it, best first."""
        hits = view.snapshot.keywords(keyword_query(term), NO_FILTER, MARKED_CANDIDATES)
        chunks = view.snapshot.chunks([hit.chunk_id for hit in hits])
        return [
            chunk
            for chunk in chunks
            if "*" in chunk.chunk.text
            and chunk.document not in view.waiting
            and key(term) in map(key, marked_terms(chunk.chunk.text))
            and view.document_of(chunk).source_key.lower().endswith(WEB_PAGES)
        ]

    def nearest(self, view: View, call: Call, term: str) -> list[tuple[str, float]]:
        """Return defined terms with their cosine to a term, the nearest first; none if the model cannot be used now."""
        if not view.searcher.embedder.ready(min(MODEL_SECONDS, call.remaining())):
            return []
        embedder = view.searcher.embedder.embedder
        end = time.monotonic() + NEAREST_SECONDS
        try:
            vector = _within(end, call, lambda: embedder.embed_query(term, call))
            chunk_ids = [scored.chunk_id for scored in view.snapshot.nearest(vector, DEFINITIONS, NEAR_CHUNKS)]
            terms = list(dict.fromkeys(entry.term for entry in _entries(view, chunk_ids)))[:MAX_NEAR_TERMS]
            cosines = _within(end, call, lambda: embedder.embed(terms, call)) @ vector
        except Cancelled:
            raise
        except (PinciteError, TimeoutError) as error:
            log.warning("similar_terms.failed", extra={"problem": str(error)})
            return []
        return sorted(zip(terms, map(float, cosines), strict=True), key=lambda pair: -pair[1])


def _within(end: float, call: Call, work: "Callable[[], Vector]") -> "Vector":
    return abandonable(work, call, name="pincite-terms", seconds=seconds_until(end))


def _entries(view: View, chunk_ids: Iterable[int]) -> Iterable[Entry]:
    for stored in view.snapshot.chunks(list(chunk_ids)):
        if stored.document not in view.waiting:
            terms, is_entry = headwords(definition_text(stored.chunk))
            yield from (Entry(term, stored.id, is_entry) for term in terms)
