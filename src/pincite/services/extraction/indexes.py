"""Indexes of single documents for extraction: built from a local file, searched and read by locator."""

import contextlib
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from pincite.errors import NotFound, ReadingFailed, Unsupported
from pincite.formats.base import Blob
from pincite.formats.detect.sniff import sniff
from pincite.index.cached import CachedCollections
from pincite.index.collection import Collection
from pincite.index.collections import Collections
from pincite.index.searcher import Ranking
from pincite.index.spans import section_of
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.search import Filter, Hit
from pincite.model.store import StoredChunk, StoredDocument
from pincite.ranking.query import keyword_query
from pincite.ranking.stopwords import STOPWORDS
from pincite.registry import FORMATS
from pincite.services.extraction.aliases import Aliases
from pincite.text.excerpt import excerpt

EXTRACTION_POLICY = "elements"
"""The policy that cuts the documents of extraction, whose locators the tools return. The settings' converter reads
these documents alone."""

OVERSAMPLING = 4
"""Candidates for each requested hit: some are below the floor."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_LOCATOR = re.compile(r"h(?:0|[1-9][0-9]{0,8})(?:-[ct][1-9][0-9]{0,8})?")
_BATCH = 200
"""Chunks that are fetched at a time while the end of a section is looked for."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What a locator names.

    Attributes:
        locator: The locator.
        first: Its first chunk.
        text: Its text, of the requested length.
        is_section: Whether it is a whole section, with those below it.
    """

    locator: str
    first: StoredChunk
    text: str
    is_section: bool


class DocumentIndexes:
    """Builds and finds indexes of single documents. Thread-safe.

    Args:
        cached: Builds them.
        collections: Those that may be read.
        aliases: Names that callers gave to them.
    """

    def __init__(self, cached: CachedCollections, collections: Collections, aliases: Aliases) -> None:
        self._cached = cached
        self._collections = collections
        self._aliases = aliases

    @contextlib.contextmanager
    def build(self, blob: Blob, cache_key: str | None, call: Call) -> Generator[Collection]:
        """Keep the collection of a document in use, read and indexed if it is new.

        Raises:
            Unsupported: No reader reads its format.
            ReadingFailed: It cannot be read; the message says why.
        """
        with contextlib.ExitStack() as use:
            try:
                collection = use.enter_context(self._cached.using(blob, call, EXTRACTION_POLICY))
            except ReadingFailed as error:
                sniffed = sniff(blob.name, blob.data)
                if sniffed.format is None and not sniffed.damaged:
                    problem = f"Unsupported file format: {sniffed.problem} Supported: {_supported()}."
                    raise Unsupported(problem) from error
                raise ReadingFailed(f"Conversion failed: {error.message}") from error
            if cache_key:
                self._aliases.put(cache_key, blob.fingerprint)
            yield collection

    def find(self, index_id: str) -> Collection:
        """Return the collection of an index.

        Args:
            index_id: SHA-256 of the document's bytes, or a `cache_key` that was given when it was built.

        Raises:
            NotFound: There is none, or it may not be read.
        """
        own = index_id if _DIGEST.fullmatch(index_id) else None
        # A document's own hash is before an alias of the same form: no caller renames another's document.
        for digest in filter(None, (own, self._aliases.get(index_id))):
            collection = self._held(digest)
            if collection is None:
                self._cached.restore()  # another process may have built it
                collection = self._held(digest)
            if collection is not None:
                return collection
        raise NotFound(f"Index not found: {excerpt(index_id)}. Call doc_index_build first.")

    def _held(self, digest: str) -> Collection | None:
        for spec in self._cached.find(digest):
            if spec.policy == EXTRACTION_POLICY:
                with contextlib.suppress(NotFound):  # outside of the scope
                    return self._collections.get(spec.name)
        return None


def document_of(view: View) -> StoredDocument:
    """Return the one document of an index.

    Raises:
        NotFound: It was evicted.
    """
    documents = view.documents()
    if not documents:
        raise NotFound("Index not found: its document was evicted. Call doc_index_build first.")
    return documents[0]


def contents(view: View, document: StoredDocument) -> Iterator[tuple[str, str]]:
    """Yield locator and title of every heading, in order."""
    for stored in _all_chunks(view, document, 0):
        chunk = stored.chunk
        if chunk.part == 1 and chunk.level > 0:
            yield section_of(chunk.locator), chunk.heading


def search(view: View, call: Call, query: str, n: int, kind: ChunkKind | None, floor: float) -> Sequence[Hit]:
    """Return the chunks that answer a query, best first.

    Args:
        view: The index.
        call: The call.
        query: The query; one of stop words alone finds nothing.
        n: Maximum number of chunks.
        kind: Only texts or tables; None for both.
        floor: Minimum cosine of a chunk that shares no term with the query.
    """
    words = keyword_query(query)
    if not any(word.lower() not in STOPWORDS for word in (*words.terms, *words.phrases)):
        return []
    where = Filter(kinds=frozenset() if kind is None else frozenset([kind]))
    result = view.ranked(call, query, n * OVERSAMPLING, Ranking(where=where))
    return [hit for hit in result.hits if _is_near(hit, floor)][:n]


def read(view: View, document: StoredDocument, locator: str, max_chars: int) -> Passage:
    """Return what a locator names: a chunk, or a heading's section with its subsections.

    Raises:
        NotFound: There is no such locator.
    """
    chunks = view.snapshot.located_chunks(document.id, locator) if _LOCATOR.fullmatch(locator) else []
    if not chunks:
        raise NotFound(f"Locator not found: {excerpt(locator)}. doc_index_build lists headings, doc_search passages.")
    first, is_section = chunks[0].chunk, "-" not in locator
    enough = first.start + max_chars
    whole = _section_end(view, document, chunks[-1].chunk, enough) if is_section else first.end
    return Passage(locator, chunks[0], view.text(document, first.start, min(enough, whole)), is_section)


def _section_end(view: View, document: StoredDocument, last: Chunk, enough: int) -> int:
    """Return where a section ends, the sections below it included; or a position after `enough`."""
    end = last.end
    for stored in _all_chunks(view, document, last.ordinal + 1):
        # Text before the first heading is above no section.
        if stored.chunk.level <= last.level or not last.level or end >= enough:
            break
        end = stored.chunk.end
    return end


def _all_chunks(view: View, document: StoredDocument, first: int) -> Iterator[StoredChunk]:
    for start in range(first, document.chunk_count, _BATCH):
        yield from view.chunks(document, start, start + _BATCH - 1)


def _is_near(hit: Hit, floor: float) -> bool:
    shares_a_term = hit.parts.keyword > 0 or hit.parts.phrase > 0
    return shares_a_term or (hit.similarity is not None and hit.similarity >= floor)


def _supported() -> str:
    return ", ".join(extension for row in FORMATS for extension in row.extensions)
