"""The lease on bulk work among the processes that share a file."""

import time
from collections.abc import Mapping

from pincite.model.sizes import NANOSECONDS_PER_SECOND
from pincite.store.sqlite.connections import Connections, immediate


class SqliteLeaseRow:
    """The lease in a file; see `pincite.store.lease.LeaseRow`.

    Args:
        connections: To the file.
        sql: The statements.
    """

    def __init__(self, connections: Connections, sql: Mapping[str, str]) -> None:
        self._connections = connections
        self._sql = sql

    def put(self, holder: str, seconds: float) -> bool:
        """See `LeaseRow.put`."""
        with self._connections.lend() as connection:
            # Read without the write lock first: waiting processes poll often and must not block the holder.
            if _is_held_elsewhere(connection.execute(self._sql["lease"]).fetchone(), holder, seconds):
                return False
            with immediate(connection):
                if _is_held_elsewhere(connection.execute(self._sql["lease"]).fetchone(), holder, seconds):
                    return False
                connection.execute(self._sql["lease_put"], (holder, time.time_ns()))
        return True

    def delete(self, holder: str) -> None:
        """See `LeaseRow.delete`."""
        with self._connections.lend() as connection, immediate(connection):
            connection.execute(self._sql["lease_delete"], (holder,))


def _is_held_elsewhere(row: tuple[str, int] | None, holder: str, seconds: float) -> bool:
    # A renewal in the future was written before the clock was set back, so it counts as expired.
    return row is not None and row[0] != holder and 0 <= time.time_ns() - row[1] < seconds * NANOSECONDS_PER_SECOND
