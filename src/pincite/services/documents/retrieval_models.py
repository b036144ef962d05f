"""Which models find the passages of a document: by its size, and by what is there."""

import logging
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from pincite.embedding.base import Embedder
from pincite.embedding.lazy import LazyModel
from pincite.errors import PinciteError
from pincite.model.call import Call, seconds_until
from pincite.ranking.base import Reranker
from pincite.runtime.device import Device, device_of
from pincite.runtime.imports import import_once

log = logging.getLogger("pincite.models")

FAST_FROM_CHUNKS = 100
"""Number of chunks from which the fast model embeds a document (contract 4)."""

ACCURATE = "fastembed"
"""The accurate embedder's name in the registry."""


@dataclass(frozen=True, slots=True)
class Part:
    """A model of the `fastembed` extra, or why there is none.

    Attributes:
        name: The model's name in the settings.
        problem: Why it cannot be had in this installation; empty if it can.
    """

    name: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """The models in use.

    Attributes:
        loaded: Names of those that are loaded.
        fast: The model of large documents.
        accurate: The model of small documents; the fast one if the accurate one is not there.
        reranker: The model that orders passages; None if there is none.
        notes: Why a model is not used that is configured.
        problem: Why passages are found by keyword alone; empty if they are not, or may not be once a model is loaded.
    """

    loaded: tuple[str, ...]
    fast: str
    accurate: str
    reranker: str | None
    notes: tuple[str, ...] = field(default=())
    problem: str = ""


class RetrievalModels:
    """Chooses the models of retrieval. Thread-safe; a missing one is reported once and never waited for twice.

    Args:
        fast: The embedder of the settings.
        accurate: The accurate embedder; None if it cannot be had.
        accurate_part: Its name, and why it cannot.
        reranker: The reranker; None if it cannot be had.
        reranker_part: Its name, and why it cannot.
        grace: Maximum seconds that a call waits for a model that is loading.
    """

    def __init__(
        self,
        fast: LazyModel[Embedder],
        accurate: LazyModel[Embedder] | None,
        accurate_part: Part,
        reranker: LazyModel[Reranker] | None,
        reranker_part: Part,
        *,
        grace: float,
    ) -> None:
        self._fast = fast
        self._accurate = accurate
        self._accurate_part = accurate_part
        self._reranker = reranker
        self._reranker_part = reranker_part
        self._grace = grace
        self._lock = threading.Lock()
        self._said: set[str] = set()

    def start(self) -> None:
        """Start to load the models in the background: with the first call of a tool, whichever it is."""
        for model in (self._fast, self._accurate, self._reranker):
            if model is not None:
                model.start()

    def embedder_for(self, chunks: Iterable[object], call: Call) -> str:
        """Return the name of the embedder for a document with these chunks; empty for the one of the settings.

        Args:
            chunks: The chunks; no more are taken than decide, and none without an accurate model.
            call: Bounds the wait for a model that is loading.
        """
        if self._accurate is None or not self._is_ready(self._accurate, call):
            self._say(_missing(self._accurate_part, self._accurate))
            return ""
        return ACCURATE if sum(1 for _ in islice(chunks, FAST_FROM_CHUNKS)) < FAST_FROM_CHUNKS else ""

    def scores(self, query: str, passages: Sequence[str], call: Call) -> list[float] | None:
        """Return the reranker's scores; None if there is none, or it failed.

        Args:
            query: The query.
            passages: The candidates.
            call: Bounds the wait for a model that is loading; checked between passages.

        Raises:
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        if self._reranker is None or not self._is_ready(self._reranker, call):
            self._say(_missing(self._reranker_part, self._reranker))
            return None
        try:
            return self._reranker.model.score(query, passages, call)
        except PinciteError:
            call.check()
            raise
        except Exception:  # a model that computes nonsense must not cost the answer
            log.exception("rerank.failed", extra={"rid": call.request_id})
            return None

    def status(self, call: Call) -> ModelStatus:
        """Return what is in use, and why what is not is not.

        Args:
            call: Bounds the wait for the fast model; what has not failed by then may still be loaded.
        """
        fast_part = Part(self._fast.model.model)
        problem = "" if self._is_ready(self._fast, call) or not self._fast.failure else _missing(fast_part, self._fast)
        accurate = self._accurate is not None and self._accurate.ready_now()
        reranker = self._reranker is not None and self._reranker.ready_now()
        notes: list[str] = [problem] if problem else []
        if not accurate:
            notes.append(_missing(self._accurate_part, self._accurate))
        if not reranker:
            notes.append(_missing(self._reranker_part, self._reranker))
        fast = self._fast.model.model
        states = (
            (fast, self._fast.model.is_loaded),
            (self._accurate_part.name, accurate),
            (self._reranker_part.name, reranker),
        )
        return ModelStatus(
            loaded=tuple(name for name, is_loaded in states if is_loaded),
            fast=fast,
            accurate=self._accurate_part.name if accurate else fast,
            reranker=self._reranker_part.name if reranker else None,
            notes=tuple(notes),
            problem=problem,
        )

    @staticmethod
    def device() -> Device:
        """Return the device that the models run on."""
        import_once("onnxruntime")
        import onnxruntime  # noqa: PLC0415 - not before health is requested

        return device_of(onnxruntime.get_available_providers())

    def close(self) -> None:
        """Cancel loads in progress."""
        for model in (self._fast, self._accurate, self._reranker):
            if model is not None:
                model.close()

    def _is_ready(self, model: LazyModel[Embedder] | LazyModel[Reranker], call: Call) -> bool:
        model.start()
        deadline = call.deadline
        return model.ready(self._grace if deadline is None else min(self._grace, seconds_until(deadline)))

    def _say(self, note: str) -> None:
        """Log why a model is not used, once."""
        with self._lock:
            is_new = note not in self._said
            self._said.add(note)
        if is_new:
            log.warning("model.unavailable", extra={"problem": note})


def _missing(part: Part, model: LazyModel[Embedder] | LazyModel[Reranker] | None) -> str:
    """Say why a model is not used."""
    if model is None:
        return f"{part.name} is not used: {part.problem}"
    if model.failure:
        return f"{part.name} is not used: {model.failure}"
    return f"{part.name} is not loaded yet."
