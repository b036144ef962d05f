"""The indexes of vectors: created in the background, while searches compare every vector."""

import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import psycopg
from psycopg import sql as composed

from pincite.errors import PinciteError
from pincite.store.postgres.connections import Connection, translate
from pincite.store.postgres.sizes import EXACT_ROWS, GRAPH_ROWS

_OWNED = (
    b"SELECT pg_has_role(relowner, 'USAGE') AND NOT current_setting('transaction_read_only')::boolean"
    b" FROM pg_class WHERE oid = 'near'::regclass"
)

_INDEX_MEMORY = (
    # Beyond this memory each vector is inserted on disk, ten times as slowly. Parallel workers would share it, and
    # containers have 64 MB of shared memory: without what an administrator has set there are none.
    b"SELECT set_config('max_parallel_maintenance_workers', '0', false),"
    b" set_config('maintenance_work_mem', '256MB', false)"
    b" WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('256MB')"
)

_GRAPH = composed.SQL("hnsw ((half::halfvec({n})) halfvec_ip_ops) WITH (m = 16, ef_construction = 64)")
_LISTS = composed.SQL("ivfflat ((half::halfvec({n})) halfvec_ip_ops) WITH (lists = {lists})")

log = logging.getLogger(__name__)


def create_near_indexes(connection: Connection, sql: Mapping[str, bytes]) -> None:
    """Create the index of every embedder's vectors that has none, in a collection that is too large to compare all.

    Writers do not wait for it. A role that does not own the tables may not create it: the search compares every vector
    then, until a role that owns them opens the collection. m and ef_construction come from the study. A collection
    that outgrows the graph gets lists; it is searched by the graph until they are there.

    Args:
        connection: In no transaction.
        sql: The statements.
    """
    due = due_indexes(connection, sql)
    if not due:
        return
    ((is_owner,),) = connection.execute(_OWNED).fetchall()
    if not is_owner:
        log.warning("store.no_vector_index", extra={"embedder": due[0][0]})
        return
    # One process creates it; one that was interrupted left an index that no search uses.
    if not connection.execute(sql["near_index_lock"]).fetchall()[0][0]:
        return
    try:
        connection.execute(_INDEX_MEMORY)
        for embedder, dimensions, chunks in connection.execute(
            sql["near_indexes_due"], (EXACT_ROWS, GRAPH_ROWS)
        ).fetchall():
            name, new = composed.Identifier(f"near_{embedder}"), composed.Identifier(f"near_{embedder}_new")
            lists = composed.Literal(math.isqrt(chunks))
            using = (_LISTS if chunks > GRAPH_ROWS else _GRAPH).format(n=composed.Literal(dimensions), lists=lists)
            for step in (
                composed.SQL("DROP INDEX IF EXISTS {new}"),
                composed.SQL("CREATE INDEX CONCURRENTLY {new} ON near USING {using} WHERE embedder = {embedder}"),
                composed.SQL("DROP INDEX IF EXISTS {name}"),
                composed.SQL("ALTER INDEX {new} RENAME TO {name}"),
            ):
                connection.execute(step.format(name=name, new=new, using=using, embedder=composed.Literal(embedder)))
    finally:
        connection.execute(sql["near_index_unlock"])


def due_indexes(connection: Connection, sql: Mapping[str, bytes]) -> list[tuple[Any, ...]]:
    """Return the embedders that need another index: (id, dimensions, chunks of the collection)."""
    return connection.execute(sql["near_indexes_due"], (EXACT_ROWS, GRAPH_ROWS)).fetchall()


class NearIndexes:
    """Creates the indexes of a collection's vectors that are due. Thread-safe.

    A process that ends meanwhile leaves the database at work, which finishes the index.

    Args:
        open_connection: Opens a connection of its own, in autocommit mode.
        sql: The statements.
    """

    def __init__(self, open_connection: Callable[[], Connection], sql: Mapping[str, bytes]) -> None:
        self._open_connection = open_connection
        self._sql = sql
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self.is_complete = False

    def create(self) -> None:
        """Create what is due.

        Raises:
            PinciteError: PostgreSQL failed; see `translate`.
        """
        try:
            with self._open_connection() as connection:
                create_near_indexes(connection, self._sql)
                self.is_complete = not connection.execute(
                    self._sql["near_indexes_due"], (EXACT_ROWS, GRAPH_ROWS)
                ).fetchall()
        except psycopg.Error as error:
            raise translate(error) from error

    def begin(self) -> None:
        """Create what is due in the background, unless that was begun already."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._create, name="pincite-vector-index", daemon=True)
                self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait for what was begun; return False if it is still running."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def _create(self) -> None:
        began = time.monotonic()
        log.info("store.vector_index_began")
        try:
            self.create()
        except PinciteError as error:
            log.warning("store.no_vector_index", extra={"reason": str(error)})
        else:
            log.info("store.vector_index_ended", extra={"seconds": round(time.monotonic() - began, 3)})
