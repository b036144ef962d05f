"""The set of names that may differ from the index."""

from collections.abc import Collection, Iterable, Mapping

from pincite.sources.base import Changes


class ChangeSet:
    """Names with tickets, in rising order of urgency. Not thread-safe: its owner holds a lock."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._lent = False
        self._ticket = 0
        self._listed = 0
        self._everything = 0

    @property
    def waiting(self) -> bool:
        """Whether there is anything to do."""
        return bool(self._names or self._everything)

    def seen(self, *, scanning: bool) -> Changes:
        """The set as it is now; it does not change afterwards."""
        self._lent = True
        return Changes(self._names, scanning or self._everything > 0, self._everything)

    def add(self, names: Iterable[str]) -> None:
        """These names may differ; they are the most urgent now."""
        self._ticket += 1
        self._own()
        for name in names:
            self._names.pop(name, None)  # a dict keeps the old place of a key that it holds
            self._names[name] = self._ticket

    def add_everything(self) -> None:
        """Any name may differ."""
        self._ticket += 1
        self._everything = self._ticket

    def mark(self, names: Collection[str], everything_ticket: int) -> int:
        """See `Source.mark`."""
        self._ticket += 1
        # What was reported since the last listing may have changed during this one: it stays urgent.
        reported = {name for name in names if self._names.get(name, 0) > self._listed}
        listed = [name for name in names if name not in reported]
        self._listed = self._ticket
        marked = dict.fromkeys(reversed(listed), self._ticket)
        self._ticket += 1
        for name, ticket in self._names.items():
            if name not in marked:
                marked[name] = self._ticket if name in reported else ticket
        self._names = marked
        self._lent = False
        if self._everything == everything_ticket:
            self._everything = 0
        return self._listed

    def acknowledge(self, tickets: Mapping[str, int]) -> None:
        """See `Source.acknowledge`."""
        self._own()
        for name, ticket in tickets.items():
            if self._names.get(name, ticket + 1) <= ticket:
                del self._names[name]

    def _own(self) -> None:
        """Copy what was lent before it changes: callers keep what they were shown."""
        if self._lent:
            self._names = dict(self._names)
            self._lent = False
