"""The lease on bulk work: one process at a time does it, the others wait for its rows."""

import time
import uuid
from typing import Protocol

_RENEWALS_PER_TERM = 4
"""Renewals within the time after which a lease expires: three may be late before it is lost."""


class LeaseRow(Protocol):
    """The lease as a store keeps it."""

    def put(self, holder: str, seconds: float) -> bool:
        """Acquire or renew it for a holder; return False while another one renewed it within these seconds."""
        ...

    def delete(self, holder: str) -> None:
        """Release it if this is its holder."""
        ...


class Lease:
    """One process's handle on the lease; see `pincite.store.base.Lease`.

    An optimisation, not a lock: a process that works without it writes the same rows as the holder.

    Args:
        row: The lease as the store keeps it.
        seconds: Time without renewal after which the lease expires.
    """

    def __init__(self, row: LeaseRow, seconds: float) -> None:
        self._row = row
        self._seconds = seconds
        self._holder = uuid.uuid4().hex
        self._renewed_at = float("-inf")

    @property
    def beat(self) -> float:
        """Seconds between two renewals."""
        return self._seconds / _RENEWALS_PER_TERM

    def claim(self) -> bool:
        """Acquire or renew the lease; return False while another process holds it."""
        # Within a beat of the last renewal the lease is certainly held: no query needed.
        if time.monotonic() < self._renewed_at + self.beat:
            return True
        if not self._row.put(self._holder, self._seconds):
            return False
        self._renewed_at = time.monotonic()
        return True

    def release(self) -> None:
        """Release the lease if this process holds it."""
        if self._renewed_at > float("-inf"):
            self._renewed_at = float("-inf")
            self._row.delete(self._holder)
