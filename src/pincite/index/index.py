"""The index: one collection of documents, always fresh, searched by word and by meaning."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import ConnectionFailed, IndexLost
from pincite.index.indexer import Indexer
from pincite.index.refresher import Refresher
from pincite.index.retriever import Found, Method, Query, search
from pincite.index.view import IndexView
from pincite.model.call import Call
from pincite.model.search import NO_FILTER, Filter
from pincite.model.status import Indexing, IndexStatus
from pincite.ranking.spelling import repair
from pincite.ranking.synonyms import Synonyms
from pincite.sources.base import Listing, Source
from pincite.store.base import Snapshot, Store

MOST_REASONS = 20
"""That a status names."""

_OVERTAKEN = "The index was reopened during the call. Ask again."

Predicate = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class _Catalogue:
    """Every document's id by its name, with some of documents that are gone."""

    generation: int = -1
    last: int = 0
    ids: dict[str, int] = field(default_factory=dict[str, int])

    def extended(self, snapshot: Snapshot) -> "_Catalogue":
        """With what came since."""
        new = snapshot.document_names(self.last)
        if not new:
            return replace(self, generation=snapshot.generation)
        ids = {**self.ids, **new}
        statistics = snapshot.statistics()
        if len(ids) > 2 * (statistics.documents + statistics.failed):  # mostly of what is gone
            ids = snapshot.document_names()
        return _Catalogue(snapshot.generation, max(new.values()), ids)


class Index:
    """One collection: a source, a store, an embedder, and what keeps them together."""

    def __init__(
        self,
        source: Source,
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
        self._executor = ThreadPoolExecutor(thread_name_prefix="pincite-words")
        self._closing = threading.Lock()
        self._closed = False

    def view(self, call: Call, *, semantic: bool) -> AbstractContextManager[IndexView]:
        """See `Refresher.view`."""
        return self._refresher.view(call, semantic=semantic)

    def start(self) -> None:
        """Index in the background what is not indexed yet."""
        self._refresher.start()

    @property
    def background_error(self) -> str:
        """See `Refresher.background_error`."""
        return self._refresher.background_error

    def complete(self) -> bool:
        """Whether an earlier run left nothing undone: every document found then has words and vectors."""
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
    ) -> Found:
        """The n best chunks for a question, by words and, where it can, by meaning too.

        Meaning takes part once the model is ready and half of the documents have their vectors: before that it
        would put the few that have them in front of better ones that have not.

        Args:
            view: Where to search.
            call: Whose time counts.
            question: Not empty.
            n: How many.
            keep: Tells by its name whether a document is searched; None for all.
            method: How hits are ordered.

        Raises:
            IndexLost: The view is of an index that was opened anew meanwhile.
        """
        if view.store is not self.store:
            raise IndexLost(_OVERTAKEN)
        embedder = self.embedder.embedder
        able = self.embedder.ready(0) and call.remaining() > 0 and _mostly_embedded(view)
        # While documents wait, a word may be unknown only because they do.
        meant = question if view.waiting else repair(question, view.snapshot, embedder.tokenizer.knows)
        query = Query(
            meant,
            embed=embedder.embed_query if able else None,
            knows=embedder.tokenizer.knows,
            rarity=embedder.tokenizer.rarity,
            where=self._filter(view, keep),
            n=n,
            synonyms=self._synonyms.of(meant),
            method=method,
        )
        try:
            found = search(view, query, self._executor)
        except RuntimeError:
            if self._closed:  # it was lost and another call has opened it anew
                raise IndexLost(_OVERTAKEN) from None
            raise
        return found if meant == question else replace(found, did_you_mean=meant)

    def status(self, view: IndexView, call: Call) -> IndexStatus:
        """What is indexed and what was left out, counted now."""
        statistics = view.snapshot.statistics()
        listing = self._listing(call)
        watch_mode = self.source.watch_mode()
        gaps = view.snapshot.gaps()
        waits_for_vectors = 0 if self.embedder.failure else statistics.waiting_documents
        known = self._names(view)
        stored = sum(name in known for name in view.outdated)
        total = statistics.documents + len(view.waiting) - stored
        pending = len(view.waiting) + waits_for_vectors
        return IndexStatus(
            statistics=statistics,
            skipped={
                **(listing.skipped if listing else {}),
                **({"failed": statistics.failed} if statistics.failed else {}),
            },
            failed=_most(Counter(gap.failure for gap in gaps if gap.failure)),
            incomplete=_most(Counter(reason for gap in gaps if not gap.failure for reason in gap.coverage.gaps)),
            warnings=listing.warnings if listing else (),
            indexing=Indexing(max(0, total - pending), total) if pending else None,
            method=watch_mode.method,
            reason=watch_mode.reason,
        )

    def _listing(self, call: Call) -> Listing | None:
        """What the source holds now; the last walk where it cannot be reached."""
        try:
            return self.source.listing(call)
        except ConnectionFailed:
            return self._indexer.listing

    def close(self) -> None:
        """Stop the background work and discard the store.

        Raises:
            ConfigError: The store is damaged, and cannot be begun anew when it is opened again.
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
        """Document ids by name; one that is not in the view any more, or not yet, finds nothing there.

        An id belongs to one name for ever: only the new ones are read.
        """
        # One reference: another thread may put the catalogue of another generation in its place.
        catalogue = self._catalogue
        if catalogue.generation < view.snapshot.generation:
            catalogue = catalogue.extended(view.snapshot)
            self._catalogue = catalogue
        return catalogue.ids


def _most(reasons: Counter[str]) -> dict[str, int]:
    """The most frequent reasons; the rest in one number."""
    shown = dict(reasons.most_common(MOST_REASONS))
    rest = reasons.total() - sum(shown.values())
    return {**shown, "other reasons": rest} if rest else shown


def _mostly_embedded(view: IndexView) -> bool:
    return not view.unembedded or view.unembedded * 2 <= view.snapshot.statistics().documents
