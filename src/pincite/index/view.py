"""The view of a collection: the only thing that a tool reads."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path

from pincite.errors import InternalError, NotFound, TimeoutExceeded
from pincite.index import citations
from pincite.index.citations import Cited
from pincite.index.retriever import Method, RetrievalResult
from pincite.index.searcher import Ranking, Searcher
from pincite.index.spans import Span, section_of
from pincite.index.status import status
from pincite.index.titles import PERIOD
from pincite.index.updating.indexer import Indexer
from pincite.index.updating.missing import failed, hint, waits
from pincite.index.updating.refresher import Refreshed
from pincite.model.call import Call
from pincite.model.chunk import SourceText
from pincite.model.locator import Ref
from pincite.model.status import CollectionStatus, Freshness
from pincite.model.store import Heading, StoredChunk, StoredDocument
from pincite.sources.base import WatchedSource
from pincite.store.base import Snapshot, Store
from pincite.text.excerpt import excerpt
from pincite.text.names.glob import Predicate
from pincite.text.names.paths import equivalent


@dataclass(frozen=True, slots=True)
class View:
    """A collection in one consistent state, for one call.

    Attributes:
        collection: The collection's name.
        source: The collection's source.
        store: Its store.
        indexer: Its indexer.
        searcher: Its search.
        index: The result of the refresh before the call, with the snapshot that is read.
    """

    collection: str
    source: WatchedSource
    store: Store
    indexer: Indexer
    searcher: Searcher
    index: Refreshed

    @property
    def freshness(self) -> Freshness:
        """Whether answers may miss a change; part of each answer."""
        return self.index.freshness

    @property
    def snapshot(self) -> Snapshot:
        """The rows, terms and vectors."""
        return self.index.snapshot

    @property
    def generation(self) -> int:
        """The version of the index."""
        return self.snapshot.generation

    @property
    def waiting(self) -> AbstractSet[str]:
        """Names of documents that changed and are not indexed again yet."""
        return self.index.waiting

    def shortfall(self, document: StoredDocument) -> str | None:
        """Return one sentence on what of a document was not read, or that its file differs; None if it is complete."""
        sentences = (document.coverage.shortfall, self.index.behind.get(document.source_key))
        return " ".join(filter(None, sentences)) or None

    @property
    def root(self) -> Path:
        """The folder, absolute and without symbolic links."""
        return self.source.root

    def search(
        self, call: Call, question: str, n: int, keep: Predicate | None = None, method: Method = Method.FUSED
    ) -> RetrievalResult:
        """Return the n best chunks for a question, by keywords and, if possible, semantically.

        The semantic leg takes part once the model is ready and half of the documents have vectors: before
        that it would rank the few that have them above better ones that have none.

        Args:
            call: Supplies the deadline.
            question: Not empty.
            n: Number of hits.
            keep: Returns True for the names of documents to search; None for all.
            method: How hits are ranked.
        """
        return self.searcher.search(self.index, call, question, n, Ranking(method, keep))

    def ranked(self, call: Call, question: str, n: int, ranking: Ranking) -> RetrievalResult:
        """Return the n best chunks for a question, filtered and ranked in this way; see `search`."""
        return self.searcher.search(self.index, call, question, n, ranking)

    def documents(self) -> list[StoredDocument]:
        """Return the documents that can be read now, by name: neither failed nor waiting."""
        return [self.titled(d) for d in self.snapshot.documents() if not d.failure and d.name not in self.waiting]

    def titled(self, document: StoredDocument) -> StoredDocument:
        """Return a document of a library under the title that tells it apart from the others."""
        if PERIOD not in document.properties:
            return document
        return replace(document, title=self.searcher.catalogue.titles(self.snapshot).get(document.name, document.title))

    def failures(self) -> list[StoredDocument]:
        """Return the documents that could not be read and do not wait to be read again, by name."""
        return [d for d in self.snapshot.documents() if d.failure and d.name not in self.waiting]

    def named(self, name: str) -> str:
        """Return the name under which a document is held: this one, else the one canonically equivalent to it.

        Raises:
            Ambiguous: Several documents have an equivalent name, and none exactly this one.
        """
        if name in self.waiting or self.snapshot.document(name) is not None:
            return name
        return equivalent(name, {*self.waiting, *(document.name for document in self.snapshot.documents())})

    def holds(self, name: str) -> bool:
        """Return True if a document of this name is held, one that waits or could not be read included."""
        name = self.named(name)
        return name in self.waiting or self.snapshot.document(name) is not None

    def document(self, name: str, unknown: str = "") -> StoredDocument:
        """Return the document of this name; see `named`.

        Args:
            name: Its name in the collection.
            unknown: Beginning of the message if there is none.

        Raises:
            NotFound: There is none, or it could not be read; the message says why, or names the nearest.
            TimeoutExceeded: It changed, and was not read again in the time of this call.
            Ambiguous: See `named`.
        """
        name = self.named(name)
        if name in self.waiting:
            raise TimeoutExceeded(waits(name, self.index.problem, is_new=self.snapshot.document(name) is None))
        document = self.snapshot.document(name)
        if document is None:
            known = (d.name for d in self.snapshot.documents() if not d.failure)
            unknown = unknown or f"No document {excerpt(name)!r} here."
            raise NotFound(unknown + hint(name, self.source.left_out(name), known))
        if document.failure:
            raise NotFound(failed(name, document.failure))
        return self.titled(document)

    def document_of(self, chunk: StoredChunk) -> StoredDocument:
        """Return the document of a chunk of this view."""
        document = self.snapshot.document(chunk.document)
        if document is None:
            raise InternalError("A chunk has no document.", details=chunk.document)
        return self.titled(document)

    def text(self, document: StoredDocument, start: int = 0, end: int | None = None) -> str:
        """Return a span of a document's canonical text, the whole text by default."""
        return self.snapshot.text(document.id, start, end)

    def chunks(self, document: StoredDocument, first: int = 0, last: int | None = None) -> Sequence[StoredChunk]:
        """Return the chunks of a document between two ordinals, both included, in order; their spans may overlap."""
        return self.snapshot.document_chunks(document.id, first, last)

    def source_texts(self, document: StoredDocument) -> Sequence[SourceText]:
        """Return the spans of a document's text whose order in the file differs, in order."""
        return self.snapshot.source_texts(document.id)

    def section(self, document: StoredDocument, breadcrumb: str) -> Sequence[StoredChunk]:
        """Return the chunks of every section of exactly this breadcrumb, in order; empty if there is none."""
        return self.snapshot.section_chunks(document.id, breadcrumb)

    def headings(self, max_level: int) -> Sequence[Heading]:
        """Return the headings of level 1..max_level, by document name, then in document order."""
        return self.snapshot.headings(max_level)

    def resolve(self, ref: Ref) -> Cited:
        """Resolve a reference to the chunks of a present document; see `citations.resolve`.

        Raises:
            NotFound: See `document` and `citations.resolve`.
            InvalidInput: The reference's span exceeds the text of its locator.
        """
        ref = replace(ref, document=self.named(ref.document))
        stored = self.snapshot.document(ref.document)
        current = stored is not None and stored.revision == ref.revision
        past = None if current else self.snapshot.past(ref.document, ref.revision)
        if stored is None and past is not None and ref.document not in self.waiting:
            raise NotFound(citations.deleted(ref, past))
        document = self.document(ref.document)
        return citations.resolve(self.snapshot, document, past, ref)

    def surroundings(self, cited: Cited, neighbours: int) -> Span:
        """Return the span of a citation's chunks with this number of chunks on each side."""
        return citations.surroundings(self.snapshot, cited, neighbours)

    def reference_to(self, stored: StoredChunk) -> str:
        """Return the reference to a chunk of this view, as answers have it."""
        return str(citations.reference_of(self.snapshot, [stored], stored.chunk.locator))

    def section_reference(self, stored: StoredChunk) -> str:
        """Return the reference to the section of a chunk of this view, as answers have it."""
        section = section_of(stored.chunk.locator)
        chunks = self.snapshot.located_chunks(stored.document_id, section)
        return str(citations.reference_of(self.snapshot, chunks, section))

    def reference(self, document: StoredDocument, span: Span) -> Ref:
        """Return the reference to a span of a document's text; see `citations.reference`.

        Raises:
            InternalError: No chunk has the beginning of the span.
        """
        return citations.reference(self.snapshot, document, span)

    def has(self, ref: Ref) -> bool:
        """Return True if the revision of a reference is the present one of its document, or a remembered one."""
        ref = replace(ref, document=self.named(ref.document))
        document = self.snapshot.document(ref.document)
        is_current = document is not None and document.revision == ref.revision
        return is_current or self.snapshot.past(ref.document, ref.revision) is not None

    def has_words(self, ref: Ref) -> bool:
        """Return True if the present document of this name has the words of a reference's mark."""
        document = self.snapshot.document(ref.document)
        return bool(document and ref.mark and citations.has_words(self.snapshot, document, ref))

    def status(self, call: Call) -> CollectionStatus:
        """Count what is indexed and what was left out, and why."""
        return status(self.source, self.store, self.indexer, self.searcher, self.index, call)
