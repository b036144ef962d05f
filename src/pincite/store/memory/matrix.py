"""The vectors of an index in memory, with an exact scan that many threads share with one writer.

Multi-version rows: they are only appended, each with the generation that added it (`born`) and the one that
deleted it (`died`), so every snapshot reads its own state from the same arrays without waiting for a
refresh. This module imports numpy; the store imports it with the first vector search.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.model.search import Scored
from pincite.runtime.allocator import return_freed_memory
from pincite.store import base
from pincite.store.filters import Allowed
from pincite.store.memory import array_file
from pincite.store.memory.postings import Integers
from pincite.store.memory.quantized import ROUNDING_SLACK, Quantized, Rows, n_th_greatest

Vectors = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

FOREVER = (1 << 63) - 1
"""The `died` of a live row."""

# Rows are reserved for changes in multiples of this.
_SPARE_ROWS = 64
# Bounds the float64 copy of exact cosines: 12 MB at 384 dimensions.
_EXACT_BATCH_ROWS = 4096
# With more rows than this share, one pass over the whole matrix beats the copy of the rows.
_GATHER_SHARE = 0.25
# So few rows are compared in float64 at once: in float32 first, each would be fetched twice.
_EXACT_ROWS = 512


@dataclass(frozen=True, slots=True)
class Load:
    """Every vector of an index, in batches of (chunk id, document id, float32 bytes), at most `count` rows in all.

    `check` receives every batch as (rows, dimensions) and raises an error if it is damaged. `file` keeps the arrays.
    """

    generation: int
    dimensions: int
    count: int
    batches: Iterable[Sequence[Sequence[Any]]]
    check: Callable[[Vectors], None] = lambda _: None
    file: "KeptArrays | None" = None


@dataclass(frozen=True, slots=True)
class KeptArrays:
    """Where the arrays of a large index are kept.

    Attributes:
        path: The file.
        vectors: Number of chunks that have one.
        owner: Returns what identifies the index as it was at a generation, as far as its log of changes goes back.
    """

    path: Path
    vectors: int
    owner: Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Delta:
    """The changes: (chunk id, generation, document id or None for a deleted chunk, float32 bytes or None)."""

    generation: int
    rows: Sequence[Sequence[Any]]


Pull = Callable[[int | None], Load | Delta]
"""Reads the changes since a generation, or everything (for None, or if the change log is too short)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The first `used` rows of the arrays, complete from generation `floor` to `generation`."""

    vectors: Vectors
    quantized: Quantized | None
    ids: Integers
    documents: Integers
    born: Integers
    died: Integers
    rows: dict[int, int] = field(repr=False)
    used: int
    dead: int
    floor: int
    generation: int

    def nearest(self, vector: Vectors, at: int, allowed: Allowed | None, n: int) -> list[Scored]:
        """Return the n nearest rows by cosine of those live at a generation: descending, ties by chunk id.

        Args:
            vector: The query.
            at: The generation.
            allowed: The documents or chunks to search; None for all.
            n: Number of rows.
        """
        if n <= 0 or self.used == 0 or (allowed and not allowed.ids) or not np.isfinite(vector).all():
            return []
        mask = self._mask(at, allowed)
        rows = None if mask is None else np.flatnonzero(mask)
        candidates = self._candidates(vector, rows, n)
        exact = _cosines(self.vectors, candidates, vector)
        ids = self.ids[candidates]
        order = np.lexsort((ids, -exact))[:n]
        return list(map(Scored, ids[order].tolist(), exact[order].tolist()))

    def _candidates(self, vector: Vectors, rows: Rows | None, n: int) -> Rows:
        """Return all rows that can be among the n nearest of these rows (None for all), unordered."""
        few = rows is not None and len(rows) < _GATHER_SHARE * self.used
        if self.quantized and not few:
            rows = self.quantized.candidates(self.used, vector, n, rows)
        elif not few:
            scores = self.vectors[: self.used] @ vector
            return _best(scores, n) if rows is None else rows[_best(scores[rows], n)]
        assert rows is not None  # noqa: S101 - `few`, or found by the codes
        if len(rows) <= _EXACT_ROWS:
            return rows
        return rows[_best(self.vectors[rows] @ vector, n)]

    def similarities(self, vector: Vectors, at: int, chunk_ids: Iterable[int]) -> dict[int, float]:
        """Return the cosine of each chunk that has a live row at a generation, by chunk id."""
        # A newer frame shares `rows`, so an entry may lie beyond this frame's part of the arrays.
        row_of = {chunk_id: row for chunk_id in chunk_ids if (row := self.rows.get(chunk_id, self.used)) < self.used}
        rows = np.fromiter(row_of.values(), np.int64, len(row_of))
        live = (self.born[rows] <= at) & (at < self.died[rows])
        exact = _cosines(self.vectors, rows, vector)
        cosines: list[float] = exact.tolist()
        return {chunk_id: cosine for chunk_id, cosine, lives in zip(row_of, cosines, live, strict=True) if lives}

    def _mask(self, at: int, allowed: Allowed | None) -> Mask | None:
        mask: Mask | None = None
        # Without dead rows and at the frame's own generation every row is live: no mask to compute.
        if self.dead or at < self.generation:
            mask = (self.born[: self.used] <= at) & (at < self.died[: self.used])
        if allowed is not None:
            ids = self.ids if allowed.of_chunks else self.documents
            passing = _members(ids[: self.used], allowed.ids)
            mask = passing if mask is None else mask & passing
        return mask


class Matrix:
    """Keeps the latest frame. Threads search in parallel; one refreshes at a time.

    Args:
        compact_from: Minimum number of rows for a compaction: with fewer, dead rows cost less than the copy.
    """

    def __init__(self, compact_from: int = 1024) -> None:
        self._compact_from = compact_from
        self._frame: Frame | None = None
        self._refreshing = threading.Lock()

    def at(self, generation: int, pull: Pull) -> Frame:
        """Return a frame that is complete at a generation; `pull` reads from the snapshot of that generation."""
        frame = self._frame
        if frame is None or frame.generation < generation:
            with self._refreshing:
                frame = self._frame
                if frame is None or frame.generation < generation:
                    frame = self._frame = self._refresh(frame, pull)
        if generation < frame.floor:
            # A newer snapshot loaded or compacted while this one was open. Rare, so this one loads its own frame.
            return _load(_full(pull))
        return frame

    def present(self, generation: int) -> Frame | None:
        """Return the frame if it is complete at a generation without being refreshed."""
        frame = self._frame
        return frame if frame is not None and frame.floor <= generation <= frame.generation else None

    def keep(self, generation: int, pull: Pull) -> None:
        """Write the file that the next process opens, if the one that is there is of no use to it."""
        self.at(generation, pull)
        with self._refreshing:
            load, frame = _full(pull), self._frame
            if frame is not None and frame.generation == load.generation and _mapped(load, pull) is None:
                self._frame = _kept(frame, load)

    def _refresh(self, frame: Frame | None, pull: Pull) -> Frame:
        if frame is None:
            load = _full(pull)
            return _mapped(load, pull) or _kept(_load(load), load)
        changes = pull(frame.generation)
        if isinstance(changes, Load):
            return _kept(_load(changes), changes)
        frame = _apply(frame, changes)
        # Compact at half, so that its cost is spread over as many deletions.
        if frame.dead * 2 > frame.used >= self._compact_from:
            return _compact(frame)
        return frame


def _full(pull: Pull) -> Load:
    load = pull(None)
    assert isinstance(load, Load)  # noqa: S101 - what `Pull` promises for None
    return load


def _best(scores: Vectors, n: int) -> Rows:
    """Return the indices of all scores that can be among the n best, ascending.

    A product's last bits depend on the row's position in the matrix; the slack keeps near-ties, which exact cosines
    then order.
    """
    return np.flatnonzero(scores >= n_th_greatest(scores, n) - ROUNDING_SLACK)


def _cosines(vectors: Vectors, rows: npt.NDArray[np.integer[Any]], vector: Vectors) -> npt.NDArray[np.float64]:
    """Return cosines that depend bit for bit on the two vectors alone, not on the rest of the matrix."""
    wide = vector.astype(np.float64)
    exact = np.empty(len(rows))
    for start in range(0, len(rows), _EXACT_BATCH_ROWS):
        part = rows[start : start + _EXACT_BATCH_ROWS]
        exact[start : start + _EXACT_BATCH_ROWS] = (vectors[part] * wide).sum(axis=1)
    return exact


def _members(ids: Integers, allowed: frozenset[int]) -> Mask:
    members = np.fromiter(allowed, np.int64, len(allowed))
    highest = int(ids.max(initial=0))
    table = np.zeros(highest + 1, np.bool_)
    table[members[(members >= 0) & (members <= highest)]] = True
    return table[ids]


def _load(load: Load) -> Frame:
    # An eighth of room, so that the first changes append without a copy of the matrix.
    frame = _empty(load.count + load.count // 8 + _SPARE_ROWS, load.dimensions, load.generation)
    used = 0
    for batch in load.batches:
        end = _write(frame, used, batch)
        load.check(frame.vectors[used:end])
        used = end
    if frame.quantized:
        return_freed_memory()
    return _with(frame, used=used, dead=0, generation=load.generation)


def _mapped(load: Load, pull: Pull) -> Frame | None:
    """Return the frame of the file, with the changes since; None if there is none of this index, or it is too old."""
    kept = array_file.read(load.file.path) if load.file else None
    if kept is None or load.file is None:
        return None
    about, arrays = kept
    at: int = about["generation"]
    if at > load.generation or about["owner"] != load.file.owner(at):
        return None
    changes = pull(at)
    if isinstance(changes, Load):
        return None
    used, frame = about["used"], _over(_empty(0, 0, at), arrays)
    frame.rows.update(zip(frame.ids[:used].tolist(), range(used), strict=True))
    frame = _apply(_with(frame, used=used, dead=about["dead"], generation=at), changes)
    return frame if frame.used - frame.dead == load.file.vectors else None


def _kept(frame: Frame, load: Load) -> Frame:
    """Write a large frame into the file; return it over the arrays that are mapped from there."""
    if load.file is None or frame.quantized is None or frame.used < base.LARGE_ROWS:
        return frame
    owner, quantized = load.file.owner(frame.generation), frame.quantized
    about = {"generation": frame.generation, "owner": owner, "used": frame.used, "dead": frame.dead}
    codes = [quantized.codes, quantized.scales, quantized.errors, quantized.reaches, quantized.maxima]
    kept = array_file.write(load.file.path, about, [frame.vectors, *codes, *_columns(frame)], frame.used)
    return _over(frame, kept) if kept else frame


def _over(frame: Frame, arrays: Sequence[Any]) -> Frame:
    vectors, codes, scales, errors, reaches, maxima, ids, documents, born, died = arrays
    quantized = Quantized(codes, scales, errors, reaches, maxima)
    return replace(frame, vectors=vectors, quantized=quantized, ids=ids, documents=documents, born=born, died=died)


def _apply(frame: Frame, delta: Delta) -> Frame:
    new: list[Sequence[Any]] = []
    dead = frame.dead
    for chunk_id, generation, document_id, blob in delta.rows:
        row = frame.rows.get(chunk_id)
        if document_id is None and row is not None and frame.died[row] == FOREVER:
            frame.died[row] = generation
            dead += 1
        elif document_id is not None and blob is not None:
            if row is not None:
                if frame.vectors[row].any() or not any(blob):
                    continue
                # That of a text that was refused before.
                frame.died[row] = generation
                dead += 1
            new.append((chunk_id, document_id, blob, generation))
    if not new:
        return _with(frame, used=frame.used, dead=dead, generation=delta.generation)
    if frame.used + len(new) > len(frame.ids) or frame.vectors.shape[1] * 4 != len(new[0][2]):
        frame = _grown(frame, len(new), len(new[0][2]) // 4)
    used = _write(frame, frame.used, new)
    return _with(frame, used=used, dead=dead, generation=delta.generation)


def _write(frame: Frame, used: int, rows: Sequence[Sequence[Any]]) -> int:
    """Append rows of (chunk id, document id, bytes, and, if not 0, the generation that added it)."""
    end = used + len(rows)
    vectors = np.frombuffer(b"".join([row[2] for row in rows]), "<f4")
    frame.vectors[used:end] = vectors.reshape(len(rows), frame.vectors.shape[1])
    if frame.quantized:
        frame.quantized.write(used, frame.vectors[used:end])
    frame.ids[used:end] = [row[0] for row in rows]
    frame.documents[used:end] = [row[1] for row in rows]
    frame.born[used:end] = [row[3] if len(row) > 3 else 0 for row in rows]  # noqa: PLR2004 - see above
    frame.died[used:end] = FOREVER
    frame.rows.update((row[0], used + place) for place, row in enumerate(rows))
    return end


def _compact(frame: Frame) -> Frame:
    """Copy the live rows into a new frame, which cannot serve snapshots before this generation."""
    live = np.flatnonzero(frame.died[: frame.used] == FOREVER)
    fresh = _empty(len(live) + len(live) // 2 + _SPARE_ROWS, frame.vectors.shape[1], frame.generation)
    return _copied(frame, live, fresh, dead=0)


def _grown(frame: Frame, added: int, dimensions: int) -> Frame:
    all_rows = np.arange(frame.used)
    capacity = frame.used + max(added, frame.used // 2) + _SPARE_ROWS
    return _copied(frame, all_rows, _empty(capacity, dimensions, frame.floor), dead=frame.dead)


def _copied(frame: Frame, rows: npt.NDArray[np.intp], fresh: Frame, *, dead: int) -> Frame:
    used = len(rows)
    if used:
        np.take(frame.vectors, rows, axis=0, out=fresh.vectors[:used])
        if fresh.quantized:
            fresh.quantized.write(0, fresh.vectors[:used])
    for old, new in zip(_columns(frame), _columns(fresh), strict=True):
        new[:used] = old[rows]
    fresh.rows.update((int(chunk_id), place) for place, chunk_id in enumerate(fresh.ids[:used]))
    return _with(fresh, used=used, dead=dead, generation=frame.generation)


def _columns(frame: Frame) -> tuple[Integers, Integers, Integers, Integers]:
    return frame.ids, frame.documents, frame.born, frame.died


def _empty(capacity: int, dimensions: int, floor: int) -> Frame:
    ids, documents, born, died = (np.zeros(capacity, np.int64) for _ in range(4))
    vectors = np.empty((capacity, dimensions), np.float32)
    quantized = Quantized.empty(capacity, dimensions) if capacity >= base.LARGE_ROWS else None
    return Frame(vectors, quantized, ids, documents, born, died, {}, 0, 0, floor, floor)


def _with(frame: Frame, *, used: int, dead: int, generation: int) -> Frame:
    return replace(frame, used=used, dead=dead, generation=generation)
