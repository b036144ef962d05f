"""The vectors of an index in memory: an exact scan that many threads share with one writer.

Rows are only ever appended. A row is born with one generation and dies with another, so that
every snapshot sees its own state in the same arrays, and no search waits for a refresh that it
does not need. This module imports numpy; the store imports it with the first vector search.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.model.search import Scored

Vectors = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

FOREVER = (1 << 63) - 1

_SLACK = 1e-5
_BLOCK = 64
_BATCH = 4096
_SUBSET = 0.25
_SHARED_FROM = 32_768
_SHARED_BLOCK = 8192


@dataclass(frozen=True, slots=True)
class Load:
    """Every vector of an index: in batches, at most `count` rows of (chunk id, document id, float32 bytes).

    `check` is shown every batch, (rows, dimensions), and raises what is wrong with it.
    """

    generation: int
    dimensions: int
    count: int
    batches: Iterable[Sequence[Sequence[Any]]]
    check: Callable[[Vectors], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Delta:
    """What changed: (chunk id, generation, document id or None for a chunk that went, float32 bytes or None)."""

    generation: int
    rows: Sequence[Sequence[Any]]


Pull = Callable[[int | None], Load | Delta]
"""Reads what changed since a generation, or everything (None, or where the change log is too short)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The first `used` rows of the arrays, complete from generation `floor` to `generation`."""

    vectors: Vectors
    ids: Integers
    documents: Integers
    born: Integers
    died: Integers
    rows: dict[int, int] = field(repr=False)
    used: int
    dead: int
    floor: int
    generation: int

    def nearest(
        self, vector: Vectors, at: int, documents: frozenset[int] | None, n: int, executor: Executor | None = None
    ) -> list[Scored]:
        """The n live rows of highest cosine at a generation: falling, ties by chunk id.

        Args:
            vector: The query.
            at: The generation.
            documents: Ids of the documents to keep to; None for all.
            n: How many rows.
            executor: Runs a part of a long scan.
        """
        if n <= 0 or self.used == 0 or documents == frozenset() or not np.isfinite(vector).all():
            return []
        mask = self._mask(at, documents)
        if mask is None:
            scores = _scan(self.vectors[: self.used], vector, executor)
            candidates = _best(scores, n)
        else:
            rows = np.flatnonzero(mask)
            if len(rows) < _SUBSET * self.used:
                scores = self.vectors[rows] @ vector
            else:
                scores = _scan(self.vectors[: self.used], vector, executor)[rows]
            candidates = rows[_best(scores, n)]
        exact = _cosines(self.vectors, candidates, vector)
        ids = self.ids[candidates]
        order = np.lexsort((ids, -exact))[:n]
        return list(map(Scored, ids[order].tolist(), exact[order].tolist()))

    def similarities(self, vector: Vectors, at: int, chunk_ids: Iterable[int]) -> dict[int, float]:
        """The cosine of those of these chunks that have a live row at a generation."""
        found = {chunk_id: row for chunk_id in chunk_ids if (row := self.rows.get(chunk_id, self.used)) < self.used}
        rows = np.fromiter(found.values(), np.int64, len(found))
        live = (self.born[rows] <= at) & (at < self.died[rows])
        exact = _cosines(self.vectors, rows, vector)
        cosines: list[float] = exact.tolist()
        return {chunk_id: cosine for chunk_id, cosine, lives in zip(found, cosines, live, strict=True) if lives}

    def _mask(self, at: int, documents: frozenset[int] | None) -> Mask | None:
        mask: Mask | None = None
        if self.dead or at < self.generation:
            mask = (self.born[: self.used] <= at) & (at < self.died[: self.used])
        if documents is not None:
            allowed = _members(self.documents[: self.used], documents)
            mask = allowed if mask is None else mask & allowed
        return mask


class Matrix:
    """Holds the present frame and brings it forward. Threads search side by side; one refreshes at a time.

    Args:
        compact_from: With fewer rows than this the dead ones are not worth the copy.
    """

    def __init__(self, compact_from: int = 1024) -> None:
        self._compact_from = compact_from
        self._frame: Frame | None = None
        self._refreshing = threading.Lock()

    def at(self, generation: int, pull: Pull) -> Frame:
        """A frame that is complete at a generation; `pull` reads from the snapshot of that generation."""
        frame = self._frame
        if frame is None or frame.generation < generation:
            with self._refreshing:
                frame = self._frame
                if frame is None or frame.generation < generation:
                    frame = self._frame = self._forward(frame, pull)
        if generation < frame.floor:
            # Loaded or compacted by a newer snapshot while this one was open: rare, so it reads its own.
            return _load(_full(pull))
        return frame

    def _forward(self, frame: Frame | None, pull: Pull) -> Frame:
        if frame is None:
            return _load(_full(pull))
        news = pull(frame.generation)
        if isinstance(news, Load):
            return _load(news)
        frame = _apply(frame, news)
        if frame.dead * 2 > frame.used >= self._compact_from:
            return _compact(frame)
        return frame


def _full(pull: Pull) -> Load:
    news = pull(None)
    assert isinstance(news, Load)  # noqa: S101 - what `Pull` promises for None
    return news


def _scan(vectors: Vectors, vector: Vectors, executor: Executor | None) -> Vectors:
    """The product of all rows with the query; a long one is shared with a second thread, block by block."""
    if executor is None or len(vectors) < _SHARED_FROM:
        return vectors @ vector
    scores = np.empty(len(vectors), np.float32)
    starts = range(0, len(vectors), _SHARED_BLOCK)
    blocks = iter(starts)
    open_blocks = set(starts)

    def work(blocks: Iterator[int]) -> None:
        for start in blocks:
            part = slice(start, start + _SHARED_BLOCK)
            np.dot(vectors[part], vector, out=scores[part])
            open_blocks.discard(start)

    other = executor.submit(work, blocks)
    work(blocks)
    if not other.cancel():
        # The system may have taken the processor from the other thread within its last block: to compute that block
        # here too, to the same bits, takes less than to wait.
        work(iter(tuple(open_blocks)))
    return scores


def _best(scores: Vectors, n: int) -> npt.NDArray[np.intp]:
    """Places of all scores that can be among the n best, in no order.

    The n-th best of the block maxima is at most the n-th best of all: one pass over the scores finds
    the few that count, where a partition would move them all. A product's last bits depend on the
    row's place in it; the slack lets near-ties through, to be told apart exactly.
    """
    size = len(scores)
    if size <= n:
        return np.arange(size)
    if size >= 4 * n * _BLOCK:
        even = size - size % _BLOCK
        leaders = scores[:even].reshape(-1, _BLOCK).max(axis=1)
    else:
        leaders = scores
    bound = np.partition(leaders, len(leaders) - n)[len(leaders) - n]
    return np.flatnonzero(scores >= bound - _SLACK)


def _cosines(vectors: Vectors, rows: npt.NDArray[np.integer[Any]], vector: Vectors) -> npt.NDArray[np.float64]:
    """Products that depend on the two vectors alone, whatever else is in the matrix: bit for bit."""
    wide = vector.astype(np.float64)
    exact = np.empty(len(rows))
    for start in range(0, len(rows), _BATCH):
        part = rows[start : start + _BATCH]
        exact[start : start + _BATCH] = (vectors[part] * wide).sum(axis=1)
    return exact


def _members(documents: Integers, allowed: frozenset[int]) -> Mask:
    ids = np.fromiter(allowed, np.int64, len(allowed))
    highest = int(documents.max(initial=0))
    table = np.zeros(highest + 1, np.bool_)
    table[ids[(ids >= 0) & (ids <= highest)]] = True
    return table[documents]


def _load(load: Load) -> Frame:
    frame = _empty(load.count + load.count // 8 + _BLOCK, load.dimensions, load.generation)
    used = 0
    for batch in load.batches:
        end = _write(frame, used, batch)
        load.check(frame.vectors[used:end])
        used = end
    return _with(frame, used=used, dead=0, generation=load.generation)


def _apply(frame: Frame, delta: Delta) -> Frame:
    new: list[Sequence[Any]] = []
    dead = frame.dead
    for chunk_id, generation, document_id, blob in delta.rows:
        row = frame.rows.get(chunk_id)
        if document_id is None and row is not None and frame.died[row] == FOREVER:
            frame.died[row] = generation
            dead += 1
        elif document_id is not None and row is None and blob is not None:
            new.append((chunk_id, document_id, blob, generation))
    if not new:
        return _with(frame, used=frame.used, dead=dead, generation=delta.generation)
    if frame.used + len(new) > len(frame.ids) or frame.vectors.shape[1] * 4 != len(new[0][2]):
        frame = _grown(frame, len(new), len(new[0][2]) // 4)
    used = _write(frame, frame.used, new)
    return _with(frame, used=used, dead=dead, generation=delta.generation)


def _write(frame: Frame, used: int, rows: Sequence[Sequence[Any]]) -> int:
    """Append rows of (chunk id, document id, bytes, generation it was born with or nothing)."""
    end = used + len(rows)
    vectors = np.frombuffer(b"".join([row[2] for row in rows]), "<f4")
    frame.vectors[used:end] = vectors.reshape(len(rows), frame.vectors.shape[1])
    frame.ids[used:end] = [row[0] for row in rows]
    frame.documents[used:end] = [row[1] for row in rows]
    frame.born[used:end] = [row[3] if len(row) > 3 else 0 for row in rows]  # noqa: PLR2004 - see above
    frame.died[used:end] = FOREVER
    frame.rows.update((row[0], used + place) for place, row in enumerate(rows))
    return end


def _compact(frame: Frame) -> Frame:
    """The live rows alone; snapshots before this generation cannot be served from it."""
    live = np.flatnonzero(frame.died[: frame.used] == FOREVER)
    fresh = _empty(len(live) + len(live) // 2 + _BLOCK, frame.vectors.shape[1], frame.generation)
    return _copied(frame, live, fresh, dead=0)


def _grown(frame: Frame, more: int, dimensions: int) -> Frame:
    everything = np.arange(frame.used)
    capacity = frame.used + max(more, frame.used // 2) + _BLOCK
    return _copied(frame, everything, _empty(capacity, dimensions, frame.floor), dead=frame.dead)


def _copied(frame: Frame, rows: npt.NDArray[np.intp], fresh: Frame, *, dead: int) -> Frame:
    used = len(rows)
    if used:
        np.take(frame.vectors, rows, axis=0, out=fresh.vectors[:used])
    for old, new in zip(_columns(frame), _columns(fresh), strict=True):
        new[:used] = old[rows]
    fresh.rows.update((int(chunk_id), place) for place, chunk_id in enumerate(fresh.ids[:used]))
    return _with(fresh, used=used, dead=dead, generation=frame.generation)


def _columns(frame: Frame) -> tuple[Integers, Integers, Integers, Integers]:
    return frame.ids, frame.documents, frame.born, frame.died


def _empty(capacity: int, dimensions: int, floor: int) -> Frame:
    ids, documents, born, died = (np.zeros(capacity, np.int64) for _ in range(4))
    vectors = np.empty((capacity, dimensions), np.float32)
    return Frame(vectors, ids, documents, born, died, {}, 0, 0, floor, floor)


def _with(frame: Frame, *, used: int, dead: int, generation: int) -> Frame:
    return Frame(*_arrays(frame), used, dead, frame.floor, generation)


def _arrays(frame: Frame) -> tuple[Vectors, Integers, Integers, Integers, Integers, dict[int, int]]:
    return frame.vectors, frame.ids, frame.documents, frame.born, frame.died, frame.rows
