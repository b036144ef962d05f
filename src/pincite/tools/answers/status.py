"""The state of an index, its embedding model and its folder, as `get_status` answers it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from pincite.index.view import View
from pincite.model.status import CollectionStatus
from pincite.model.status import EmbeddingStatus as EmbeddingModel
from pincite.services.git import GitFacts
from pincite.text.excerpt import excerpt
from pincite.text.names.paths import shown
from pincite.toolkit import state_fields
from pincite.tools.answers.docs import (
    EmbeddingStatus,
    Failure,
    FreshnessMethod,
    GitStatus,
    IndexStatusState,
    Progress,
)
from pincite.tools.answers.pages import iso_time

MAX_LISTED_FAILURES = 20
"""Unreadable documents that get_status names; `pincite status --failed` names all."""


def index_status(view: View, status: CollectionStatus) -> IndexStatusState:
    """Return the state of the index, with the first documents that could not be read."""
    statistics = status.statistics
    return IndexStatusState(
        **state_fields(view.freshness),
        total_pages=statistics.documents,
        total_chunks=statistics.chunks,
        last_indexed=None if statistics.last_indexed_ns is None else iso_time(statistics.last_indexed_ns),
        db_path=shown(status.place),
        db_size_bytes=status.size_bytes,
        skipped=dict(status.skipped),
        failed=dict(status.failed),
        failures=[
            Failure(file_path=excerpt(document.name), reason=document.failure)
            for document in islice(view.failures(), MAX_LISTED_FAILURES)
        ]
        if statistics.failed
        else None,
        incomplete=dict(status.incomplete),
        rereading=status.rereading or None,
        indexing=status.indexing and Progress(done=status.indexing.done, total=status.indexing.total),
        freshness=FreshnessMethod.model_validate({"method": status.method, "reason": status.reason}),
        warnings=list(status.warnings),
    )


def summed(states: Sequence[IndexStatusState]) -> IndexStatusState:
    """Return the counts of several indexes as if they were one; what cannot be added is taken from the first."""
    running = [state.indexing for state in states if state.indexing]
    return states[0].model_copy(
        update={
            "total_pages": sum(state.total_pages for state in states),
            "total_chunks": sum(state.total_chunks for state in states),
            "last_indexed": max(filter(None, (state.last_indexed for state in states)), default=None),
            "db_size_bytes": sum(state.db_size_bytes for state in states),
            "skipped": _added(state.skipped for state in states),
            "failed": _added(state.failed for state in states),
            "failures": None,
            "incomplete": _added(state.incomplete for state in states),
            "rereading": sum(state.rereading or 0 for state in states) or None,
            "indexing": Progress(done=sum(p.done for p in running), total=sum(p.total for p in running))
            if running
            else None,
            "warnings": [warning for state in states for warning in state.warnings],
        }
    )


def _added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total = Counter[str]()
    for counted in counts:
        total.update(counted)
    return dict(total)


def embedding_status(model: EmbeddingModel) -> EmbeddingStatus:
    """Return the state of the embedding model."""
    return EmbeddingStatus(
        model=model.model,
        dimensions=model.dimensions,
        provider=model.provider,
        state=model.state,
        note=f"Search uses keywords only: {model.failure}" if model.failure else None,
    )


def git_status(facts: GitFacts | None) -> GitStatus | None:
    """Return what git says of the folder; None if it is in no repository."""
    return facts and GitStatus.model_validate(facts, from_attributes=True)
