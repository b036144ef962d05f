"""The process that recognises text in pictures: one, with more memory and time than those that read files."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.errors import InvalidInput, PinciteError, ReadingFailed, Unsupported
from pincite.formats.base import Blob, ReadOptions, Target
from pincite.formats.worker.frames import Recognition
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ReaderLimits
from pincite.model.call import Call
from pincite.model.recognition import RecognisedPage, RecognisedPicture
from pincite.model.sizes import MEGABYTE
from pincite.registry import Format

log = logging.getLogger("pincite.formats")

Recognised = RecognisedPage | RecognisedPicture
MAX_FAILED_PAGES = 3
"""Pages or pictures of a file that may end the process one after the other before the rest is not tried."""

MAX_KEPT_PAGES = 100
"""Recognised pages and pictures that are kept, of 0.1 MB each: as many as one file may have by default."""


@dataclass(frozen=True, slots=True)
class RecognitionLimits:
    """The engine, and the limits of its process.

    Attributes:
        engine: Its name in the registry.
        languages: Its languages as Tesseract names them.
        threads: Number of its threads.
        seconds: Time limit for a page; that for the first one includes loading the models.
        memory_bytes: Maximum memory of the process; an engine's models and a page take 1.5 GB.
        idle_seconds: Idle time after which the process exits.
    """

    engine: str
    languages: str = "eng"
    threads: int = 2
    seconds: float = 60.0
    memory_bytes: int = 3000 * MEGABYTE
    idle_seconds: float = 60.0


class RecogniserPool:
    """Implements `Recogniser` with one process: the engine uses several cores for one page."""

    def __init__(self, options: ReadOptions, limits: RecognitionLimits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str, Target], Recognised] = OrderedDict()
        self._pool = ReaderPool(
            options,
            ReaderLimits(
                processes=1,
                seconds=limits.seconds,
                seconds_per_page=limits.seconds,
                memory_bytes=limits.memory_bytes,
                idle_seconds=limits.idle_seconds,
            ),
        )

    def recognise(self, row: Format, blob: Blob, targets: Sequence[Target], call: Call) -> Sequence[Recognised]:
        """Return the text of pages and pictures; `problem` says which took too long or ended the process.

        The latest results are kept, also after a call ran out of time: the next call continues, and several parts of
        an answer may read the same picture.

        Raises:
            ConnectionFailed: The process cannot be started.
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        results: dict[Target, Recognised] = {}
        with self._lock:
            for target in targets:
                kept = self._kept.get((row.identity, blob.fingerprint, target))
                if kept is not None:
                    results[target] = kept
        failed, problem = 0, ""
        task = "pictures recognised" if any(isinstance(target, str) for target in targets) else "pages recognised"
        call.progress(len(results), len(targets), task)  # the first one may take a minute
        while (missing := tuple(target for target in targets if target not in results)) and failed < MAX_FAILED_PAGES:
            job = Recognition(missing, self._limits.engine, self._limits.threads, self._limits.languages)
            try:
                for recognised in self._pool.recognise_pages(row, blob, job, call):
                    results[_target(recognised)] = recognised
                    failed = 0
                    self._keep(row, blob, recognised)
                    call.progress(len(results), len(targets), task)
                break
            except ReadingFailed as failure:
                problem, failed = _problem(failure), failed + 1
                culprit = next(target for target in missing if target not in results)
                results[culprit] = _unrecognised(culprit, problem)
            except (InvalidInput, Unsupported) as failure:
                problem, failed = _problem(failure), MAX_FAILED_PAGES
            log.info("recognition.failed", extra={"document": blob.name, "problem": problem})
        unread = problem or "its text was not recognised"
        return [results.get(target) or _unrecognised(target, unread) for target in targets]

    def _keep(self, row: Format, blob: Blob, recognised: Recognised) -> None:
        if recognised.problem:
            return
        with self._lock:
            self._kept[row.identity, blob.fingerprint, _target(recognised)] = recognised
            while len(self._kept) > MAX_KEPT_PAGES:
                self._kept.popitem(last=False)

    def close(self) -> None:
        """End the process."""
        self._pool.close()


def _target(recognised: Recognised) -> Target:
    return recognised.name if isinstance(recognised, RecognisedPicture) else recognised.number


def _unrecognised(target: Target, problem: str) -> Recognised:
    if isinstance(target, str):
        return RecognisedPicture(target, problem=problem)
    return RecognisedPage(target, problem=problem)


def _problem(failure: PinciteError) -> str:
    return failure.message.replace("PINCITE_READER_", "PINCITE_OCR_").rstrip(".")
