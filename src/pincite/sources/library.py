"""The source of what was added: files of a library, which may change or be gone, or cached downloads and uploads."""

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path

from pincite.errors import NotFound
from pincite.model.call import Call
from pincite.model.store import UNTRUSTED, State
from pincite.sources.base import Changes, FileState, Listing, SourceDocument, WatchMode, is_racy
from pincite.sources.changes import ChangeSet
from pincite.sources.paths import ABSENT, read_regular, state_of

ELSEWHERE = "mirror:"
"""Begins the key of a file of another machine, whose library this one was made from: it is not compared."""

GONE = "Its file is gone; this is the text that was added."
UNREADABLE = "Its file cannot be read at the moment; this is the text that was added."
CHANGED = "Its file changed since it was added; this is the text that was added."


class LibrarySource:
    """Implements `WatchedSource`: what was added stays as it was added until it is added again.

    A file that changed or is gone keeps its state, so that nothing is deleted or replaced by itself; `listing` warns
    of it. After an upgrade the documents whose files are still the same can be read again.
    """

    def __init__(
        self, *, root: Path, added: Callable[[Iterable[str] | None], Mapping[str, State]], compared: bool = True
    ) -> None:
        """Set what was added.

        Args:
            root: The folder that relative keys are under.
            added: Returns the states by key of these keys, or of all documents, as they were added. A key is the
                path of a file.
            compared: Whether `listing` compares what was added with its files; false if it did not come from files.
        """
        self.root = root.absolute()
        self._added = added
        self._compared = compared
        self._lock = threading.Lock()
        self._changes = ChangeSet()
        self._changes.add_everything()
        self._closed = threading.Event()
        self._added_more = threading.Event()

    def listing(self, call: Call) -> Listing:
        """Return everything that was added, with a warning if files changed since or are gone."""
        states = self._added(None)
        call.check()
        problems = Counter(self._problems(states).values())
        return Listing(states, {}, tuple(_warnings(problems, len(states))))

    def state(self, key: str) -> State | None:
        """Return the state that a document was added with, whatever became of its file."""
        return self._added([key]).get(key)

    def size(self, state: State) -> int:
        """See `Source.size`."""
        return FileState(*state).size if state else 0

    def read(self, key: str) -> SourceDocument:
        """Return the bytes of a file that is the same as when it was added.

        Raises:
            NotFound: It changed or is gone.
        """
        state = self.state(key)
        try:
            content = read_regular(str(self.root / key), self.size(state or UNTRUSTED))
        except (OSError, ValueError):
            raise NotFound(f"The file of {key} is gone or cannot be read.") from None
        if content is None or content[1] != state:
            raise NotFound(f"The file of {key} changed since it was added.")
        data, present = content
        return SourceDocument(data, present, present.mtime_ns, is_settled=not is_racy(present, time.time_ns()))

    def poll(self) -> Changes:
        """Return what `mark` named: nothing that was added changes by itself."""
        with self._lock:
            return self._changes.current(scanning=self._closed.is_set())

    def mark(self, names: Collection[str], everything_ticket: int) -> int:
        """See `WatchedSource.mark`."""
        with self._lock:
            return self._changes.mark(names, everything_ticket)

    def acknowledge(self, tickets: Mapping[str, int]) -> None:
        """See `WatchedSource.acknowledge`."""
        with self._lock:
            self._changes.acknowledge(tickets)

    def wait(self, seconds: float) -> bool:
        """See `WatchedSource.wait`; it ends when documents were added."""
        with self._lock:
            is_pending = self._changes.is_pending and not self._closed.is_set()
        if not is_pending and not self._closed.is_set():
            is_pending = self._added_more.wait(min(seconds, threading.TIMEOUT_MAX)) and not self._closed.is_set()
        self._added_more.clear()
        return is_pending

    def wake(self) -> None:
        """See `WatchedSource.wake`."""
        self._added_more.set()

    def behind(self) -> Mapping[str, str]:
        """See `WatchedSource.behind`: some 4 ms for a thousand files."""
        return self._problems(self._added(None))

    def left_out(self, name: str) -> str | None:
        """See `WatchedSource.left_out`: nothing is."""
        del name

    def watch_mode(self) -> WatchMode:
        """See `WatchedSource.watch_mode`."""
        return WatchMode("scan", "documents change when they are added again")

    def close(self) -> None:
        """See `WatchedSource.close`."""
        self._closed.set()
        self._added_more.set()

    def _problems(self, states: Mapping[str, State]) -> Mapping[str, str]:
        """Return what became of the files that are not the same, by key; one that cannot be compared counts as same."""
        if not self._compared:
            return {}
        root = str(self.root)
        local = (item for item in states.items() if not item[0].startswith(ELSEWHERE))
        problems = ((key, _problem(os.path.join(root, key), state)) for key, state in local)  # noqa: PTH118 - a Path takes as long as its stat
        return {key: problem for key, problem in problems if problem}


def _problem(path: str, added: State) -> str:
    try:
        present = state_of(os.stat(path))  # noqa: PTH116 - as above
    except ValueError:
        return GONE
    except OSError as error:
        return GONE if error.errno in ABSENT else UNREADABLE
    return CHANGED if added not in (UNTRUSTED, present) else ""


def _warnings(problems: Counter[str], total: int) -> Iterable[str]:
    if gone := problems[GONE]:
        yield f"The files of {gone} of {total} documents are gone. The documents are kept as they were added."
    if unreadable := problems[UNREADABLE]:
        yield f"The files of {unreadable} of {total} documents cannot be read. The documents are kept as added."
    if changed := problems[CHANGED]:
        yield f"The files of {changed} of {total} documents changed since they were added: add them again."
