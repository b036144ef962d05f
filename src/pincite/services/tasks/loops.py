"""Threads that repeat a step for as long as their owner lives, whatever a step raises."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from pincite.errors import PinciteError

log = logging.getLogger("pincite.tasks")


@dataclass(frozen=True, slots=True)
class Loop:
    """A step that a thread of its own repeats.

    Attributes:
        name: The thread's name.
        event: The event of the log when a step fails.
        step: The step; it waits by itself where there is nothing to do.
        closing: Ends the loop.
        pause: Seconds to wait after a step that failed.
    """

    name: str
    event: str
    step: Callable[[], None]
    closing: threading.Event
    pause: float

    def start(self) -> threading.Thread:
        """Start repeating; return the thread."""
        thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        thread.start()
        return thread

    def _run(self) -> None:
        while not self.closing.is_set():
            try:
                self.step()
            except PinciteError as error:  # the database is busy, or its disk is full
                log.warning(self.event, extra={"problem": error.message})
                self.closing.wait(self.pause)
            except BaseException:  # the outermost handler of a thread: nobody would start it again
                log.exception(self.event)
                self.closing.wait(self.pause)
