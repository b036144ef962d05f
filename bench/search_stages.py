"""Where the time of a search goes: every stage timed from outside, in the thread that it runs in.

A stage's time is its own: what a stage inside it takes is counted there alone. So the stages of the calling
thread add up to the whole call, and what no stage accounts for is shown as `other`.
"""

import contextlib
import statistics
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Generator
from concurrent.futures import Future
from typing import Any, cast

from pincite import toolkit
from pincite.index import retriever, searcher
from pincite.index.collection import Collection
from pincite.index.searcher import Searcher
from pincite.index.updating.refresher import Refresher
from pincite.store import lexicon
from pincite.store.sqlite.snapshot import SqliteSnapshot
from pincite.toolkit import Answer
from pincite.tools import docs

OTHER = "other"

STAGES: list[tuple[str, Any, str]] = [
    ("arguments", toolkit, "validated"),
    ("freshness", Refresher, "refreshed"),
    ("spelling", searcher, "repair"),
    ("prepare", searcher, "_mostly_embedded"),
    ("prepare", Searcher, "_filter"),
    ("prepare", SqliteSnapshot, "count"),
    ("scan", SqliteSnapshot, "nearest"),
    ("cosines", SqliteSnapshot, "similarities"),
    ("look-up", SqliteSnapshot, "_look_up"),
    ("candidates", SqliteSnapshot, "candidates"),
    ("weigh", SqliteSnapshot, "score_keywords"),
    ("bm25", lexicon, "score_forward_lists"),
    ("wait", Future, "result"),
    ("fusion", retriever, "_fused"),
    ("fusion", retriever, "_scores"),
    ("relevance", retriever, "_evidence"),
    ("phrases", retriever, "phrase_candidates"),
    ("phrases", retriever, "_phrases_of_legs"),
    ("gain", retriever, "keyword_weight"),
    ("hits", retriever, "_hits"),
    ("answer", docs, "search_result"),
    ("answer", docs, "_search_note"),
    ("answer", docs, "SearchAnswer"),
    ("answer", Answer, "with_index_state"),
]
"""Each stage's name, and the function that it is."""


class Stages:
    """The time of each stage of one call after the other, in milliseconds.

    Args:
        clock: Returns nanoseconds; `time.thread_time_ns` counts processor time alone.

    Attributes:
        calling: By stage, what the calling thread spent in it, call by call.
        beside: The same of all other threads together.
    """

    def __init__(self, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        self._clock = clock
        self.calling: list[dict[str, float]] = []
        self.beside: list[dict[str, float]] = []
        self._caller = 0
        self._local = threading.local()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def call(self) -> Generator[None]:
        """One call: what its stages take is kept."""
        self._caller = threading.get_ident()
        self.calling.append(defaultdict(float))
        self.beside.append(defaultdict(float))
        try:
            with self.stage(OTHER):
                yield
        finally:
            self._caller = 0

    @contextlib.contextmanager
    def stage(self, name: str) -> Generator[None]:
        """The block is this stage."""
        stack: list[float] = self._local.__dict__.setdefault("stack", [])
        stack.append(0.0)
        start = self._clock()
        try:
            yield
        finally:
            whole = (self._clock() - start) / 1e6
            inner = stack.pop()
            if stack:
                stack[-1] += whole
            if self._caller:
                kept = self.calling if threading.get_ident() == self._caller else self.beside
                with self._lock:
                    kept[-1][name] += whole - inner

    def median(self, kept: list[dict[str, float]]) -> dict[str, float]:
        """Each stage's median, in the order in which they first appeared."""
        names = dict.fromkeys(name for call in kept for name in call)
        return {name: statistics.median(call.get(name, 0.0) for call in kept) for name in names}


@contextlib.contextmanager
def watched(collection: Collection, clock: Callable[[], int] = time.perf_counter_ns) -> Generator[Stages]:
    """Stages of every call in the block; the functions are as they were after it."""
    stages = Stages(clock)
    embedder: Any = cast("Any", type)(collection.embedder.embedder)
    places: list[tuple[str, Any, str]] = [*STAGES, ("embed", embedder, "embed_query")]
    before = [(owner, name, getattr(owner, name)) for _, owner, name in places]
    for (stage, owner, name), (_, _, function) in zip(places, before, strict=True):
        around = _block if name == "refreshed" else _call
        setattr(owner, name, around(stages, stage, function))
    try:
        yield stages
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)


def _call(stages: Stages, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def timed(*args: Any, **more: Any) -> Any:
        with stages.stage(stage):
            return function(*args, **more)

    return timed


def _block(stages: Stages, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """As `_call`, for what is entered and left."""

    @contextlib.contextmanager
    def timed(*args: Any, **more: Any) -> Generator[Any]:
        block = function(*args, **more)
        with stages.stage(stage):
            value = block.__enter__()
        try:
            yield value
        finally:
            with stages.stage(stage):
                block.__exit__(None, None, None)

    return timed
