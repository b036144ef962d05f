"""The views of one call on one or several collections, searched and asked for documents as one."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from pincite.errors import Ambiguous, NotFound
from pincite.index.collection import Collection
from pincite.index.retriever import SHOWN_DIGITS, Method, RetrievalResult, SearchType
from pincite.index.searcher import Ranking
from pincite.index.updating.missing import hint
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.search import Hit, Parts
from pincite.model.status import Freshness
from pincite.model.store import StoredDocument
from pincite.ranking.keyword_weight import KEYWORD_WEIGHT
from pincite.text.excerpt import excerpt


@dataclass(frozen=True, slots=True)
class FoundIn:
    """The hits of several collections, each with the view that it is from, and what the searches say of themselves."""

    hits: Sequence[tuple[View, Hit]]
    result: RetrievalResult


@dataclass(frozen=True, slots=True)
class Views:
    """Views of collections, in the order in which these are served.

    Attributes:
        views: At least one.
        is_named: Whether answers name the collection, as several are served.
    """

    views: Sequence[View]
    is_named: bool = False

    @property
    def freshness(self) -> Freshness:
        """Whether an answer from all of them may miss a change."""
        if len(self.views) == 1:
            return self.views[0].freshness
        states = [(view.collection, view.freshness) for view in self.views]
        return Freshness(
            generation=sum(state.generation for _, state in states),
            checked_at=min(state.checked_at for _, state in states),
            pending=sum(state.pending for _, state in states),
            stale=any(state.stale for _, state in states),
            reason=" ".join(f"{name}: {state.reason}" for name, state in states if state.reason),
        )

    def by_name(self) -> list[View]:
        """Return the views in the order of lists: by collection."""
        return sorted(self.views, key=lambda view: view.collection)

    def shown(self, view: View) -> str | None:
        """Return how an answer names the collection of a view; None if only one is served."""
        return view.collection if self.is_named else None

    def document(self, name_in: Callable[[View], str], unknown: str = "") -> tuple[View, StoredDocument]:
        """Return the document of a name, with the view that has it.

        Args:
            name_in: Returns the name in a view.
            unknown: Beginning of the message if there is none.

        Raises:
            Ambiguous: Several collections have a document of this name; the message names them.
            NotFound, TimeoutExceeded: See `View.document`.
        """
        holders = [view for view in self.views if view.holds(name_in(view))]
        if len(holders) > 1:
            names = " and in ".join(view.collection for view in holders)
            raise Ambiguous(f"{excerpt(name_in(holders[0]))} is in {names}. Name one of them as collection.")
        if not holders and len(self.views) > 1:
            name = name_in(self.views[0])
            left_out = next(filter(None, (view.source.left_out(name_in(view)) for view in self.views)), None)
            known = (document.name for view in self.views for document in view.documents())
            raise NotFound((unknown or f"No document {excerpt(name)!r} here.") + hint(name, left_out, known))
        view = (holders or self.views)[0]
        return view, view.document(name_in(view), unknown)

    def search(self, call: Call, question: str, n: int, ranking_in: Callable[[View], Ranking]) -> FoundIn:
        """Return the n best hits of all views by score.

        Args:
            call: See `View.search`.
            question: See `View.search`.
            n: Number of hits.
            ranking_in: Returns what is searched in a view, and how its hits are ranked.
        """
        results = [view.ranked(call, question, n, ranking_in(view)) for view in self.views]
        if len(results) == 1:
            return FoundIn([(self.views[0], hit) for hit in results[0].hits], results[0])
        reason = next((result.keyword_reason for result in results if result.keyword_reason and result.chunks), "")
        if reason and not all(result.keyword_reason for result in results if result.chunks):
            # Scores of keywords alone are compared with such scores only.
            rankings = [replace(ranking_in(view), method=Method.KEYWORD) for view in self.views]
            results = [view.ranked(call, question, n, how) for view, how in zip(self.views, rankings, strict=True)]
        types = {result.search_type for result in results if result.hits}
        hits = [
            (view, _as_fused(hit) if SearchType.HYBRID in types and result.search_type is SearchType.SEMANTIC else hit)
            for view, result in zip(self.views, results, strict=True)
            for hit in result.hits
        ]
        hits.sort(key=lambda view_and_hit: _order(*view_and_hit))
        return FoundIn(hits[:n], _merged(results, types, [hit for _, hit in hits[:n]], reason))


def _order(view: View, hit: Hit) -> tuple[float, str, str, int]:
    return -hit.score, view.collection, hit.chunk.document, hit.chunk.chunk.ordinal


def _as_fused(hit: Hit) -> Hit:
    """Return a hit of a search in which no word matched, scored as beside one in which some did."""
    parts = Parts(*(part / (1 + KEYWORD_WEIGHT) for part in hit.parts))
    return replace(hit, score=round(sum(parts), SHOWN_DIGITS), parts=parts)


def _merged(
    results: Sequence[RetrievalResult], types: set[SearchType], hits: Sequence[Hit], reason: str
) -> RetrievalResult:
    relevances = [result.relevance for result in results if result.relevance is not None]
    leading = next((result for result in results if hits and hits[0].chunk in [hit.chunk for hit in result.hits]), None)
    return RetrievalResult(
        hits,
        SearchType.HYBRID if SearchType.HYBRID in types else (leading or results[0]).search_type,
        sum(result.chunks for result in results),
        relevance=max(relevances, default=None),
        did_you_mean=leading and leading.did_you_mean,
        missing_phrases=tuple(
            phrase for phrase in results[0].missing_phrases if all(phrase in part.missing_phrases for part in results)
        ),
        keyword_reason=reason,
    )


@contextmanager
def opened(
    collections: Iterable[Collection], call: Call, *, semantic: bool, is_named: bool = False
) -> Generator[Views]:
    """Open a view of each collection; together they take no longer than one to index the changes before the call.

    Args:
        collections: At least one.
        call: The call to answer.
        semantic: Whether the answer depends on vectors.
        is_named: Whether answers name the collections.
    """
    with ExitStack() as opening:
        views: list[View] = []
        deadline: float | None = None
        for collection in collections:
            deadline = collection.fresh_deadline(call) if deadline is None else deadline
            views.append(opening.enter_context(collection.view(call, semantic=semantic, deadline=deadline)))
        yield Views(views, is_named)
