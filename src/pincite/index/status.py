"""The status of a collection: what is indexed, what is left out and why, and the embedding model."""

from collections import Counter

from pincite.embedding.base import PROVIDERS_OF_OTHER_LANGUAGES
from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import ConnectionFailed
from pincite.index.searcher import Searcher
from pincite.index.updating.indexer import Indexer
from pincite.index.updating.refresher import Refreshed
from pincite.model.call import Call
from pincite.model.status import CollectionStatus, EmbeddingStatus, Indexing
from pincite.sources.base import Listing, WatchedSource
from pincite.store.base import Snapshot, Store
from pincite.text.languages import main_other_language

MULTILINGUAL = "paraphrase-multilingual-MiniLM-L12-v2"
OTHER_MODELS = {"Chinese": "bge-small-zh-v1.5"}
"""Models of the extra `fastembed` for a language, where there is a better one than the multilingual model."""

MAX_REASONS = 20
"""Maximum number of distinct reasons in a status; the others are summed up."""


def status(
    source: WatchedSource, store: Store, indexer: Indexer, searcher: Searcher, index: Refreshed, call: Call
) -> CollectionStatus:
    """Count what is indexed and what was left out, and why."""
    statistics = index.snapshot.statistics()
    listing = _listing(source, indexer, call)
    watch_mode = source.watch_mode()
    gaps = index.snapshot.gaps()
    waits_for_vectors = 0 if searcher.embedder.failure else statistics.waiting_documents
    ids = searcher.catalogue.ids(index.snapshot)
    # Outdated documents are both in the index and waiting: count them once.
    stored = sum(name in ids for name in index.outdated)
    total = statistics.documents + len(index.waiting) - stored
    pending = len(index.waiting) + waits_for_vectors
    return CollectionStatus(
        place=store.place(),
        size_bytes=store.size(),
        embedding=_embedding(searcher.embedder),
        statistics=statistics,
        skipped={
            **(listing.skipped if listing else {}),
            **({"failed": statistics.failed} if statistics.failed else {}),
        },
        failed=_top_reasons(Counter(gap.failure for gap in gaps if gap.failure)),
        incomplete=_top_reasons(Counter(reason for gap in gaps if not gap.failure for reason in gap.coverage.gaps)),
        warnings=(
            *(listing.warnings if listing else ()),
            *language_advice(index.snapshot, searcher.embedder.embedder.provider),
        ),
        rereading=index.rereading,
        indexing=Indexing(max(0, total - pending), total) if pending else None,
        method=watch_mode.method,
        reason=watch_mode.reason,
    )


def language_advice(snapshot: Snapshot, provider: str) -> tuple[str, ...]:
    """Return which model finds the passages by meaning if many are of a language that the provider's does not know."""
    language = main_other_language(snapshot.document_frequencies, snapshot.statistics().chunks)
    if language is None or provider in PROVIDERS_OF_OTHER_LANGUAGES:
        return ()
    name, share = language
    model = OTHER_MODELS.get(name, MULTILINGUAL)
    return (f"{share:.0%} of the passages or more are {name}: EMBEDDING_MODEL={model} finds them by meaning.",)


def _listing(source: WatchedSource, indexer: Indexer, call: Call) -> Listing | None:
    """List the source; return the last listing if the source cannot be reached."""
    try:
        return source.listing(call)
    except ConnectionFailed:
        return indexer.listing


def _embedding(lazy: LazyEmbedder) -> EmbeddingStatus:
    state = "ready" if lazy.ready(0) else "unavailable" if lazy.failure else "loading" if lazy.loading else "unused"
    model = lazy.embedder
    return EmbeddingStatus(model.model, model.dimensions, model.provider, state, lazy.failure)


def _top_reasons(reasons: Counter[str]) -> dict[str, int]:
    """Return the most frequent reasons, and the sum of the others."""
    shown = dict(reasons.most_common(MAX_REASONS))
    rest = reasons.total() - sum(shown.values())
    return {**shown, "other reasons": rest} if rest else shown
