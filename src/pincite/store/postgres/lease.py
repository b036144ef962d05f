"""The lease on bulk work among the servers of a collection."""

from collections.abc import Mapping

from pincite.store.postgres.connections import Connections


class PostgresLeaseRow:
    """The lease in a schema; see `pincite.store.lease.LeaseRow`.

    Args:
        connections: To the database, whose clock decides.
        sql: The statements.
    """

    def __init__(self, connections: Connections, sql: Mapping[str, bytes]) -> None:
        self._connections = connections
        self._sql = sql

    def put(self, holder: str, seconds: float) -> bool:
        """See `LeaseRow.put`."""
        claim = {"holder": holder, "seconds": seconds}
        with self._connections.lend() as connection:
            return bool(connection.execute(self._sql["lease_claim"], claim).fetchall())

    def delete(self, holder: str) -> None:
        """See `LeaseRow.delete`."""
        with self._connections.lend() as connection:
            connection.execute(self._sql["lease_release"], (holder,))
