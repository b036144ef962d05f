"""The set of names that may differ from the index."""

from collections.abc import Collection, Iterable, Mapping

from pincite.sources.base import Changes


class ChangeSet:
    """Names with tickets, in ascending order of urgency. Not thread-safe: its owner holds a lock."""

    def __init__(self) -> None:
        self._names: dict[str, int] = {}
        self._is_shared = False
        self._ticket = 0
        self._listing_ticket = 0
        self._everything_ticket = 0

    @property
    def is_pending(self) -> bool:
        """True if any document may differ from the index."""
        return bool(self._names or self._everything_ticket)

    def current(self, *, scanning: bool) -> Changes:
        """Return the present set, as a snapshot that later calls do not change."""
        self._is_shared = True
        return Changes(self._names, scanning or self._everything_ticket > 0, self._everything_ticket)

    def add(self, names: Iterable[str]) -> None:
        """Add names as the most urgent ones."""
        self._ticket += 1
        self._unshare()
        for name in names:
            self._names.pop(name, None)  # assigning to an existing key would keep its old position
            self._names[name] = self._ticket

    def add_everything(self) -> None:
        """Require a full listing: any name may differ."""
        self._ticket += 1
        self._everything_ticket = self._ticket

    def mark(self, names: Collection[str], everything_ticket: int) -> int:
        """See `Source.mark`."""
        self._ticket += 1
        # A name reported since the last listing may have changed again during this one, so it stays urgent.
        reported = {name for name in names if self._names.get(name, 0) > self._listing_ticket}
        listed = [name for name in names if name not in reported]
        self._listing_ticket = self._ticket
        marked = dict.fromkeys(reversed(listed), self._ticket)
        self._ticket += 1
        for name, ticket in self._names.items():
            if name not in marked:
                marked[name] = self._ticket if name in reported else ticket
        self._names = marked
        self._is_shared = False
        if self._everything_ticket == everything_ticket:
            self._everything_ticket = 0
        return self._listing_ticket

    def acknowledge(self, tickets: Mapping[str, int]) -> None:
        """See `Source.acknowledge`."""
        self._unshare()
        for name, ticket in tickets.items():
            if self._names.get(name, ticket + 1) <= ticket:
                del self._names[name]

    def _unshare(self) -> None:
        """Copy the dict before changing it if a caller has it (copy on write)."""
        if self._is_shared:
            self._names = dict(self._names)
            self._is_shared = False
