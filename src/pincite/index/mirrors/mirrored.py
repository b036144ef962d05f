"""A library that is searched in a mirror: brought up to date in the background, and left aside while it cannot help."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import Cancelled, PinciteError
from pincite.index.mirrors.mirroring import Digests, Fields, catch_up, check_owner, digests
from pincite.model.call import Call
from pincite.model.search import NO_FILTER, Filter, KeywordQuery, Scored
from pincite.runtime.imports import import_once
from pincite.runtime.retries import log_retry
from pincite.store.base import Generation, Snapshot, Store
from pincite.store.mirrors.base import EngineBusy, Mirror, MirrorFilter, MirrorHit, MirrorState
from pincite.store.process_lock import ProcessLock

if TYPE_CHECKING:
    from pincite.model.vector import Vector

log = logging.getLogger("pincite.index")

QUIET_SECONDS = 1.0
"""Pause after a change before it is copied: the vectors of a document come in several transactions."""

BUSY_SECONDS = (1.0, 2.0, 4.0)
"""Pauses before an engine that is busy is asked again while somebody waits (contract 2, Retries)."""

RETRY_SECONDS = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Pauses between attempts to reach a mirror that is down; the last one repeats."""

LOCK_POLL_SECONDS = 0.2
"""Interval at which a command checks whether the process that writes to the mirror has finished."""

NARROW_SHARE = 0.1
"""Share of the chunks up to which a filter is searched by the library itself: it compares the few vectors that pass,
where engines compare more than without a filter (decision 0036)."""

_OPENING = "The vector store is still being opened."
_BEHIND = "The vector store is being brought up to date."


class MirrorLegs:
    """Both legs of a search over one snapshot, from a mirror that holds the same; each falls back to the snapshot.

    Args:
        snapshot: Of the library.
        mirror: Holds the same.
        narrow_share: Share of the chunks up to which the snapshot searches what passes a filter.

    Attributes:
        failure: Why a leg did not answer; empty if both did.
    """

    def __init__(self, snapshot: Snapshot, mirror: Mirror, narrow_share: float = NARROW_SHARE) -> None:
        self._snapshot = snapshot
        self._mirror = mirror
        self._narrow_share = narrow_share
        self.failure = ""

    def nearest(self, vector: "Vector", where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.nearest`: found by the mirror, scored by the snapshot, so that every store scores alike."""
        if self._is_narrow(where):
            return self._snapshot.nearest(vector, where, n)
        try:
            hits = self._mirror.nearest(vector, self._filter(where), n)
        except PinciteError as error:
            self._fail(error)
            return self._snapshot.nearest(vector, where, n)
        return _ranked(self._snapshot.similarities(vector, self._chunk_ids(hits, n)))

    def keywords(self, query: KeywordQuery, where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.keywords`; as `nearest`."""
        if self._is_narrow(where):
            return self._snapshot.keywords(query, where, n)
        try:
            hits = self._mirror.keywords(query, self._filter(where), n)
        except PinciteError as error:
            self._fail(error)
            hits = None
        if hits is None:
            return self._snapshot.keywords(query, where, n)
        scores = self._snapshot.score_keywords(query, self._chunk_ids(hits, n))
        return _ranked({chunk_id: score.bm25 for chunk_id, score in scores.items() if score.bm25 > 0})

    def _is_narrow(self, where: Filter) -> bool:
        if where == NO_FILTER:
            return False
        return self._snapshot.count(where).chunks <= self._narrow_share * self._snapshot.count(NO_FILTER).chunks

    def _filter(self, where: Filter) -> MirrorFilter:
        names = None
        if where.documents is not None:
            by_id = {number: name for name, number in self._snapshot.document_names().items()}
            names = frozenset(by_id[number] for number in where.documents if number in by_id)
        return MirrorFilter(names, where.kinds, where.chunk_types, where.normative, where.clauses)

    def _chunk_ids(self, hits: Sequence[MirrorHit], n: int) -> list[int]:
        """Return the chunks of the first n hits, each once, whatever the mirror returns; unknown ones are left out."""
        places = islice(dict.fromkeys((hit.document, hit.ordinal) for hit in hits), n)
        return [chunk_id for chunk_id in self._snapshot.chunk_ids_at(list(places)) if chunk_id is not None]

    def _fail(self, error: PinciteError) -> None:
        self.failure = self.failure or error.message
        log.warning("mirror.failed", extra={"problem": error.message, "details": error.details})


@dataclass(slots=True)
class _Known:
    """What is known of the mirror, replaced as a whole.

    Attributes:
        digest: Of what it holds in full; empty if that is not known.
        problem: Why it cannot be searched; empty if it can.
        is_down: Whether it does not answer.
    """

    digest: str = ""
    problem: str = _OPENING
    is_down: bool = False


@dataclass(frozen=True, slots=True)
class _Totals:
    """The total digest of the library at a generation."""

    generation: Generation = -1
    digest: str = ""


@dataclass(slots=True)
class _Thread:
    """The background thread, and what wakes it."""

    wake: threading.Event = field(default_factory=threading.Event)
    call: Call = field(default_factory=Call)
    running: threading.Thread | None = None


class MirroredLibrary:
    """A library and its mirror. Thread-safe.

    The mirror is opened at its first use, in the background: its client takes a second to import.

    Args:
        name: The mirror's name in the settings.
        store: The library.
        opening: Opens the mirror, without contacting it.
        fields: Yields the published fields of chunks.
        lock: A file that the process locks that writes to the mirror.
        grace: Seconds that a search waits for the mirror to be opened and checked.
        has_keywords: Whether hybrid search is switched on.
    """

    def __init__(
        self,
        name: str,
        store: Store,
        opening: Callable[[], Mirror],
        fields: Fields,
        lock: Path,
        *,
        grace: float,
        has_keywords: bool = True,
    ) -> None:
        self.name = name
        self.has_keywords = has_keywords
        self._store = store
        self._opening = opening
        self._fields = fields
        self._write_lock = ProcessLock(lock)
        self._grace = grace
        self._open_lock = threading.Lock()
        self._mirror: Mirror | None = None
        self._known = _Known()
        self._totals = _Totals()
        self._thread = _Thread()
        self._start_lock = threading.Lock()
        self._checked = threading.Event()

    @property
    def problem(self) -> str:
        """Why the mirror is not searched at present; empty if it is."""
        return self._known.problem

    @property
    def is_down(self) -> bool:
        """True if the mirror did not answer when it was last tried, or refused the key."""
        return self._known.is_down

    def mirror(self) -> Mirror:
        """Return the mirror, opened at the first call.

        Raises:
            Unsupported: Its extra is not installed.
        """
        with self._open_lock:
            if self._mirror is None:
                # The engines' packages import NumPy, and so does the model's thread: both at once fail.
                import_once("numpy")
                self._mirror = self._opening()
            return self._mirror

    def check(self) -> None:
        """Contact the mirror now.

        Raises:
            ConfigError: It has another model's vectors, or is another program's.
            PinciteError: It does not answer.
        """
        self.mirror().check()

    def look(self) -> None:
        """Contact the mirror now, and keep its answer for later calls.

        Raises:
            ConfigError: See `check`; or it holds another library, or this one is empty.
            PinciteError: It does not answer.
        """
        try:
            self._look(self.mirror())
        except PinciteError as error:
            self._known = _Known(problem=error.message, is_down=True)
            raise

    def adopt(self) -> None:
        """Become the library that writes to the mirror, if both hold the same: from there on it may differ.

        Raises:
            PinciteError: It does not answer.
        """
        mirror, identity = self.mirror(), self._store.identity()
        state = mirror.state()
        with self._store.snapshot() as snapshot:
            own = digests(snapshot)
        if state is not None and _holds(state, own) and state.library != identity:
            mirror.record(MirrorState(identity, own.total, is_complete=True))

    def legs(self, snapshot: Snapshot) -> MirrorLegs | None:
        """Return the legs of a search over a snapshot; None if the mirror holds something else, or does not answer."""
        self._start()
        if not self._checked.wait(min(self._grace, threading.TIMEOUT_MAX)):
            return None
        known = self._known
        if known.problem or known.digest != self._total(snapshot):
            if not known.problem:
                self._known = _Known(problem=_BEHIND)
            self._thread.wake.set()
            return None
        return MirrorLegs(snapshot, self.mirror())

    def confirm(self, snapshot: Snapshot, legs: MirrorLegs) -> bool:
        """Return True if the mirror still holds what it held before a search, so that its hits are complete."""
        problem = legs.failure
        if not problem:
            try:
                state = self.mirror().state()
            except PinciteError as error:
                problem = error.message
            else:
                if state is not None and state.is_complete and state.digest == self._total(snapshot):
                    return True
                problem = _BEHIND
        self._known = _Known(problem=problem, is_down=problem != _BEHIND)
        self._thread.wake.set()
        return False

    def synchronise(self, call: Call, *, takes_over: bool = False) -> tuple[int, int]:
        """Bring the mirror up to date now, or wait for another process that does.

        Returns:
            The numbers of documents written and deleted.

        Raises:
            ConfigError: See `catch_up`.
            PinciteError: See `Mirror`.
        """
        mirror = self.mirror()
        while not self._write_lock.acquire():
            if self._look(mirror):
                return 0, 0
            call.check()
            time.sleep(LOCK_POLL_SECONDS)
        try:
            done = self._catch_up(mirror, call, takes_over=takes_over)
            self._look(mirror)
        finally:
            self._write_lock.release()
        return done

    def _catch_up(self, mirror: Mirror, call: Call, *, takes_over: bool) -> tuple[int, int]:
        """See `catch_up`; retried after a pause while the engine is busy."""
        for attempt, pause in enumerate(BUSY_SECONDS, 1):
            try:
                return catch_up(self._store, mirror, self._fields, call, takes_over=takes_over)
            except EngineBusy as error:
                log_retry(self.name, attempt, error.message, call)
                call.stop.wait(pause)
                call.check()
        return catch_up(self._store, mirror, self._fields, call, takes_over=takes_over)

    def close(self) -> None:
        """Stop the background work, and close the mirror."""
        self._thread.call.stop.set()
        self._thread.wake.set()
        if self._thread.running is not None:
            self._thread.running.join()
        with self._open_lock:
            if self._mirror is not None:
                self._mirror.close()

    def _start(self) -> None:
        with self._start_lock:
            if self._thread.running is None:
                self._thread.running = threading.Thread(target=self._run, name="pincite-mirror", daemon=True)
                self._thread.running.start()

    def _run(self) -> None:
        failures = 0
        stop = self._thread.call.stop
        while not stop.is_set():
            self._thread.wake.clear()
            try:
                self._follow()
                failures = 0
            except Cancelled:
                return
            except PinciteError as error:
                self._known = _Known(problem=error.message, is_down=True)
                log.warning("mirror.failed", extra={"problem": error.message, "details": error.details})
                failures += 1
            except Exception as error:  # an engine's bug must not stop the library's own answers
                log.exception("mirror.failed")
                self._known = _Known(
                    problem=f"The vector store failed ({type(error).__name__}); the log says more.", is_down=True
                )
                failures += 1
            self._checked.set()
            if failures:
                stop.wait(RETRY_SECONDS[min(failures, len(RETRY_SECONDS)) - 1])
            elif not self._known.problem:
                self._thread.wake.wait()
            else:
                self._thread.wake.wait(QUIET_SECONDS)

    def _follow(self) -> None:
        """Look what the mirror holds, and bring it up to date unless another process does."""
        mirror = self.mirror()
        if self._look(mirror):
            return
        generation = self._store.generation()
        if self._thread.call.stop.wait(QUIET_SECONDS) or self._store.generation() != generation:
            return
        if self._write_lock.acquire():
            try:
                catch_up(self._store, mirror, self._fields, self._thread.call)
            finally:
                self._write_lock.release()
            self._look(mirror)

    def _look(self, mirror: Mirror) -> bool:
        """Note what a mirror holds; return True if that is what the library holds."""
        mirror.check()
        state = mirror.state()
        with self._store.snapshot() as snapshot:
            own = digests(snapshot)
            self._totals = _Totals(snapshot.generation, own.total)
        if _holds(state, own):
            self._known = _Known(own.total, "")
            self._checked.set()
            return True
        if state is not None:
            check_owner(mirror, state, own, self._store.identity())
        self._known = _Known(problem=_BEHIND)
        self._checked.set()
        return False

    def _total(self, snapshot: Snapshot) -> str:
        totals = self._totals
        if totals.generation != snapshot.generation:
            totals = self._totals = _Totals(snapshot.generation, digests(snapshot).total)
        return totals.digest


def _ranked(scores: Mapping[int, float]) -> list[Scored]:
    ranked = (Scored(chunk_id, score) for chunk_id, score in scores.items())
    return sorted(ranked, key=lambda scored: (-scored.score, scored.chunk_id))


def _holds(state: MirrorState | None, own: Digests) -> bool:
    return state is not None and state.is_complete and state.digest == own.total
