"""One progress over both stages of indexing: documents are read, and their passages embedded."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from pincite.model.call import Progress
from pincite.model.sizes import MEGABYTE

COUNT_SECONDS = 0.2
"""Minimum interval at which passages are counted."""


@dataclass(slots=True)
class Stages:
    """Progress in documents that are complete: of those that were read, the share of passages that have a vector.

    Time left follows from it whichever stage is the slower one: passages are embedded while documents are read.

    Attributes:
        progress: Shows it.
        passages: Returns the number of passages of what was read so far, and how many of them have no vector.
        read: Number of documents that were read.
        total: Number of all documents.
        page: What is being read.
        model: How much of the model is fetched, while it is.
    """

    progress: Progress
    passages: Callable[[], tuple[int, int]]
    read: float = 0
    total: float | None = None
    page: str = ""
    model: str = ""
    _counts: tuple[int, int] = 0, 0
    _counted_at: float = 0
    _complete: float = 0

    def documents(self, done: float, total: float | None, message: str) -> None:
        """Receive the progress of reading."""
        self.read, self.total, self.page = done, total, message
        self.show()

    def fetched(self, done: float, total: float | None, message: str) -> None:
        """Receive the progress of fetching the model."""
        is_there = total is not None and done >= total
        size = "" if total is None else f" of {total / MEGABYTE:.0f}"
        self.model = "" if is_there else f"{message}: {done / MEGABYTE:.0f}{size} MB"
        self.show()

    def show(self) -> None:
        """Show how far both stages are, if there is anything to show."""
        if self.total is None and not self.model:
            return
        if time.monotonic() - self._counted_at >= COUNT_SECONDS:
            self._counts, self._counted_at = self.passages(), time.monotonic()
        count, waiting = self._counts
        complete = int(self.read) * (count - waiting) / count if count else 0
        self._complete = max(self._complete, complete)
        embedded = f"{count - waiting:,}/{count:,} passages embedded" if count else ""
        stage = f"{int(self.read):,} read" if self.total is None or self.read < self.total else ""
        self.progress(self._complete, self.total, ", ".join(filter(None, (stage, embedded, self.model or self.page))))
