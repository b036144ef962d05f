"""The set of names that may differ from the index."""

from collections.abc import Iterable, Mapping

from pincite.sources.base import Dirty


class DirtySet:
    """Names with tickets. Not thread-safe: its owner holds a lock."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._lent = False
        self._ticket = 0
        self._everything = 0

    @property
    def waiting(self) -> bool:
        """Whether there is anything to do."""
        return bool(self._names or self._everything)

    def seen(self, *, scanning: bool) -> Dirty:
        """The set as it is now; it does not change afterwards."""
        self._lent = True
        return Dirty(self._names, scanning or self._everything > 0, self._everything)

    def add(self, names: Iterable[str]) -> None:
        """These names may differ."""
        self._ticket += 1
        self._own()
        self._names.update(dict.fromkeys(names, self._ticket))

    def add_everything(self) -> None:
        """Any name may differ."""
        self._ticket += 1
        self._everything = self._ticket

    def mark(self, names: Iterable[str], everything_ticket: int) -> None:
        """See `Source.mark`."""
        self.add(names)
        if self._everything == everything_ticket:
            self._everything = 0

    def settle(self, tickets: Mapping[str, int]) -> None:
        """See `Source.settle`."""
        self._own()
        for name, ticket in tickets.items():
            if self._names.get(name, ticket + 1) <= ticket:
                del self._names[name]

    def _own(self) -> None:
        """Copy what was lent before it changes: callers keep what they were shown."""
        if self._lent:
            self._names = dict(self._names)
            self._lent = False
