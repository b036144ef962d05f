"""The index of one collection of documents: refreshed by each call, with hybrid search."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import ConnectionFailed, IndexLost
from pincite.index.indexer import Indexer
from pincite.index.refresher import Refresher
from pincite.index.retriever import Method, Query, RetrievalResult, search
from pincite.index.view import IndexView
from pincite.model.call import Call
from pincite.model.search import NO_FILTER, Filter
from pincite.model.status import Indexing, IndexStatus
from pincite.ranking.spelling import repair
from pincite.ranking.synonyms import Synonyms
from pincite.sources.base import Listing, WatchedSource
from pincite.store.base import Snapshot, Store
from pincite.text.glob import Predicate

MAX_REASONS = 20
"""Maximum number of distinct reasons in a status; the others are summed up."""

_OVERTAKEN = "The index was reopened during the call. Ask again."


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """Document ids by name up to a generation; deleted documents may be among them."""

    generation: int = -1
    last: int = 0
    ids: dict[str, int] = field(default_factory=dict[str, int])

    def extended(self, snapshot: Snapshot) -> "_Catalogue":
        """Return a catalogue with the documents added since."""
        new = snapshot.document_names(self.last)
        if not new:
            return replace(self, generation=snapshot.generation)
        ids = {**self.ids, **new}
        statistics = snapshot.statistics()
        if len(ids) > 2 * (statistics.documents + statistics.failed):  # most entries are of deleted documents
            ids = snapshot.document_names()
        return _Catalogue(snapshot.generation, max(new.values()), ids)


class Index:
    """One collection: its source, its store, its embedder, and the refresher that keeps them in step."""

    def __init__(
        self,
        source: WatchedSource,
        store: Store,
        indexer: Indexer,
        refresher: Refresher,
        embedder: LazyEmbedder,
        synonyms: Synonyms,
    ) -> None:
        self.source = source
        self.store = store
        self.embedder = embedder
        self._indexer = indexer
        self._refresher = refresher
        self._synonyms = synonyms
        self._catalogue = _Catalogue()
        # Runs the keyword leg of each search in parallel with its vector scan.
        self._executor = ThreadPoolExecutor(thread_name_prefix="pincite-words")
        self._closing = threading.Lock()
        self._closed = False

    def view(self, call: Call, *, semantic: bool) -> AbstractContextManager[IndexView]:
        """See `Refresher.view`."""
        return self._refresher.view(call, semantic=semantic)

    def start(self) -> None:
        """Start indexing in the background."""
        self._refresher.start()

    @property
    def background_error(self) -> str:
        """See `Refresher.background_error`."""
        return self._refresher.background_error

    def complete(self) -> bool:
        """Return True if every document that an earlier run found has terms and vectors."""
        with self.store.snapshot() as snapshot:
            return snapshot.generation > 0 and not self.store.waiting_documents()

    def search(
        self,
        view: IndexView,
        call: Call,
        question: str,
        n: int,
        keep: Predicate | None = None,
        method: Method = Method.FUSED,
    ) -> RetrievalResult:
        """Return the n best chunks for a question, by keywords and, if possible, semantically.

        The semantic leg takes part once the model is ready and half of the documents have vectors: before
        that it would rank the few that have them above better ones that have none.

        Args:
            view: The view to search.
            call: Supplies the deadline.
            question: Not empty.
            n: Number of hits.
            keep: Returns True for the names of documents to search; None for all.
            method: How hits are ranked.

        Raises:
            IndexLost: The index was reopened after the view was taken.
        """
        if view.store is not self.store:
            raise IndexLost(_OVERTAKEN)
        embedder = self.embedder.embedder
        is_hybrid = self.embedder.ready(0) and call.remaining() > 0 and _mostly_embedded(view)
        # A word may be unknown only because its document is not indexed yet.
        repaired = question if view.waiting else repair(question, view.snapshot, embedder.tokenizer.knows)
        query = Query(
            repaired,
            embed=embedder.embed_query if is_hybrid else None,
            knows=embedder.tokenizer.knows,
            rarity=embedder.tokenizer.rarity,
            where=self._filter(view, keep),
            n=n,
            synonyms=self._synonyms.of(repaired),
            method=method,
        )
        try:
            result = search(view, query, self._executor)
        except RuntimeError:
            # A closed executor raises RuntimeError: another call has reopened a lost index.
            if self._closed:
                raise IndexLost(_OVERTAKEN) from None
            raise
        return result if repaired == question else replace(result, did_you_mean=repaired)

    def status(self, view: IndexView, call: Call) -> IndexStatus:
        """Count what is indexed and what was left out, and why."""
        statistics = view.snapshot.statistics()
        listing = self._listing(call)
        watch_mode = self.source.watch_mode()
        gaps = view.snapshot.gaps()
        waits_for_vectors = 0 if self.embedder.failure else statistics.waiting_documents
        ids = self._names(view)
        # Outdated documents are both in the index and waiting: count them once.
        stored = sum(name in ids for name in view.outdated)
        total = statistics.documents + len(view.waiting) - stored
        pending = len(view.waiting) + waits_for_vectors
        return IndexStatus(
            statistics=statistics,
            skipped={
                **(listing.skipped if listing else {}),
                **({"failed": statistics.failed} if statistics.failed else {}),
            },
            failed=_top_reasons(Counter(gap.failure for gap in gaps if gap.failure)),
            incomplete=_top_reasons(Counter(reason for gap in gaps if not gap.failure for reason in gap.coverage.gaps)),
            warnings=listing.warnings if listing else (),
            indexing=Indexing(max(0, total - pending), total) if pending else None,
            method=watch_mode.method,
            reason=watch_mode.reason,
        )

    def _listing(self, call: Call) -> Listing | None:
        """List the source; return the last listing if the source cannot be reached."""
        try:
            return self.source.listing(call)
        except ConnectionFailed:
            return self._indexer.listing

    def close(self) -> None:
        """Stop the background work and discard the store.

        Raises:
            ConfigError: The store's file is damaged and cannot be moved aside.
        """
        with self._closing:
            self._closed = True
            self.embedder.close()
            self._refresher.close()
            self._executor.shutdown()
            self.store.discard()

    def _filter(self, view: IndexView, keep: Predicate | None) -> Filter:
        if keep is None and not view.outdated:
            return NO_FILTER
        names = self._names(view)
        if keep is None and not any(name in names for name in view.outdated):
            return NO_FILTER
        document_ids = (i for name, i in names.items() if name not in view.outdated and (keep is None or keep(name)))
        return Filter(frozenset(document_ids))

    def _names(self, view: IndexView) -> dict[str, int]:
        """Return document ids by name; those of deleted or newer documents match no chunk of the view.

        An id is never reused, so only new ones are read.
        """
        # Read the attribute once: another thread may replace it by the catalogue of another generation.
        catalogue = self._catalogue
        if catalogue.generation < view.snapshot.generation:
            catalogue = catalogue.extended(view.snapshot)
            self._catalogue = catalogue
        return catalogue.ids


def _top_reasons(reasons: Counter[str]) -> dict[str, int]:
    """Return the most frequent reasons, and the sum of the others."""
    shown = dict(reasons.most_common(MAX_REASONS))
    others = reasons.total() - sum(shown.values())
    return {**shown, "other reasons": others} if others else shown


def _mostly_embedded(view: IndexView) -> bool:
    return not view.unembedded or view.unembedded * 2 <= view.snapshot.statistics().documents
