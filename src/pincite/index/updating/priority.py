"""The order in which changed documents are indexed, and claims of threads on them."""

import threading
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, takewhile


@dataclass(frozen=True, slots=True)
class NewDocuments:
    """Documents that a listing found and the index did not have, so that no answer can quote an old text of them.

    A change after that listing is reported with a higher ticket and counts as urgent.

    Attributes:
        names: Empty if they are too few to be bulk work.
        ticket: The ticket that they were marked with.
    """

    names: frozenset[str] = frozenset()
    ticket: int = -1

    def urgent(self, changed: dict[str, int]) -> list[str]:
        """Return the changed documents that are not among these, most urgent first; O(length of the result)."""
        items = reversed(changed.items())
        return [name for name, _ in takewhile(lambda item: not self._contains(*item), items)]

    @staticmethod
    def rest(changed: dict[str, int], urgent: int) -> Iterator[str]:
        """Return the changed documents after the first `urgent` ones, most urgent first."""
        return islice(reversed(changed), urgent, None)

    def _contains(self, name: str, ticket: int) -> bool:
        return ticket == self.ticket and name in self.names


class Claims:
    """The documents that threads are reading. Thread-safe."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._changed = threading.Condition()

    def free(self, names: Iterable[str]) -> list[str]:
        """Return the names that no thread has claimed."""
        with self._changed:
            return [name for name in names if name not in self._names]

    @contextmanager
    def take(self, names: Collection[str]) -> Generator[list[str]]:
        """Claim the free names for the with-block and yield them."""
        with self._changed:
            claimed = [name for name in names if name not in self._names]
            self._names.update(claimed)
        try:
            yield claimed
        finally:
            with self._changed:
                self._names.difference_update(claimed)
                self._changed.notify_all()

    def wait(self, names: Collection[str], seconds: float) -> bool:
        """Wait until one of the names is free; return False on timeout."""
        with self._changed:
            return self._changed.wait_for(lambda: any(name not in self._names for name in names), seconds)
