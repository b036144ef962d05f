"""The lease of bulk work: of several processes on one file one at a time does it, the others wait for its rows."""

import time
import uuid
from collections.abc import Mapping

from pincite.store.connections import Connections
from pincite.store.opening import immediate

_BEATS = 4
"""Signs of life in the time after which a silent holder counts as dead."""


class Lease:
    """One process's hand on the lease.

    It keeps no answer from being right, it only spares several processes the same work: whoever
    works without it writes what the others write.

    Args:
        connections: To the file.
        sql: The statements.
        seconds: After so long without a sign of life a holder counts as dead.
    """

    def __init__(self, connections: Connections, sql: Mapping[str, str], seconds: float) -> None:
        self._connections = connections
        self._sql = sql
        self._seconds = seconds
        self._holder = uuid.uuid4().hex
        self._beaten = float("-inf")

    @property
    def beat(self) -> float:
        """Seconds between two signs of life."""
        return self._seconds / _BEATS

    def claim(self) -> bool:
        """Take the lease, or show that its holder lives; False while another process holds it."""
        if time.monotonic() < self._beaten + self.beat:
            return True
        with self._connections.lend() as connection:
            # Looked at without the write lock first: who waits asks often, and must not hold up the holder.
            if self._elsewhere(connection.execute(self._sql["lease"]).fetchone()):
                return False
            with immediate(connection):
                if self._elsewhere(connection.execute(self._sql["lease"]).fetchone()):
                    return False
                connection.execute(self._sql["lease_put"], (self._holder, time.time_ns()))
        self._beaten = time.monotonic()
        return True

    def release(self) -> None:
        """Give the lease back, if it is held."""
        if self._beaten > float("-inf"):
            self._beaten = float("-inf")
            with self._connections.lend() as connection, immediate(connection):
                connection.execute(self._sql["lease_delete"], (self._holder,))

    def _elsewhere(self, row: tuple[str, int] | None) -> bool:
        # A beat in the future is of a clock that was set back since: it says nothing.
        return row is not None and row[0] != self._holder and 0 <= time.time_ns() - row[1] < self._seconds * 1e9
