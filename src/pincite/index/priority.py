"""Which changed documents come first, and which of them another thread is reading."""

import threading
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice, takewhile


@dataclass(frozen=True, slots=True)
class NewDocuments:
    """Documents that a listing found and the index did not hold: no answer can quote an old text of them.

    What is stored of them later is written, and compared with the file, after that listing; a change after it is
    reported with a higher ticket.

    Attributes:
        names: Empty where they are too few to be bulk work.
        ticket: The ticket that they were marked with.
    """

    names: frozenset[str] = frozenset()
    ticket: int = -1

    def urgent(self, changed: dict[str, int]) -> list[str]:
        """The changed documents that are no backlog, the most urgent first; as many steps as there are of them."""
        items = reversed(changed.items())
        return [name for name, _ in takewhile(lambda item: not self._holds(*item), items)]

    @staticmethod
    def rest(changed: dict[str, int], urgent: int) -> Iterator[str]:
        """The changed documents after so many urgent ones, the most urgent first."""
        return islice(reversed(changed), urgent, None)

    def _holds(self, name: str, ticket: int) -> bool:
        return ticket == self.ticket and name in self.names


class Claims:
    """The documents that threads are reading. Thread-safe."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._changed = threading.Condition()

    def free(self, names: Iterable[str]) -> list[str]:
        """Those that nobody reads."""
        with self._changed:
            return [name for name in names if name not in self._names]

    @contextmanager
    def take(self, names: Collection[str]) -> Generator[list[str]]:
        """Claim those that are free, for the with-block."""
        with self._changed:
            taken = [name for name in names if name not in self._names]
            self._names.update(taken)
        try:
            yield taken
        finally:
            with self._changed:
                self._names.difference_update(taken)
                self._changed.notify_all()

    def wait(self, names: Collection[str], seconds: float) -> bool:
        """Wait until one of them is free; False where the time is over first."""
        with self._changed:
            return self._changed.wait_for(lambda: any(name not in self._names for name in names), seconds)
