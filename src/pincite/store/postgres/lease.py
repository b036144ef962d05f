"""The lease on bulk work among the servers of a collection."""

import time
import uuid
from collections.abc import Mapping

from pincite.store.postgres.connections import Connections

_RENEWALS_PER_TERM = 4
"""Renewals within the time after which a lease expires: three may be late before it is lost."""


class Lease:
    """One process's handle on the lease; see `pincite.store.base.Lease`.

    Args:
        connections: To the database, whose clock decides.
        sql: The statements.
        seconds: Time without renewal after which the lease expires.
    """

    def __init__(self, connections: Connections, sql: Mapping[str, bytes], seconds: float) -> None:
        self._connections = connections
        self._sql = sql
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
        claim = {"holder": self._holder, "seconds": self._seconds}
        with self._connections.lend() as connection:
            if not connection.execute(self._sql["lease_claim"], claim).fetchall():
                return False
        self._renewed_at = time.monotonic()
        return True

    def release(self) -> None:
        """Release the lease if this process holds it."""
        if self._renewed_at > float("-inf"):
            self._renewed_at = float("-inf")
            with self._connections.lend() as connection:
                connection.execute(self._sql["lease_release"], (self._holder,))
