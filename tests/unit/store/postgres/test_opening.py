"""A collection's schema, opened by servers that start at the same moment."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import psycopg
import pytest

from pincite.store.postgres.opening import check_extension
from pincite.store.postgres.store import PostgresStore

pytestmark = pytest.mark.slow

SERVERS = 4


@pytest.mark.parametrize("round_", range(3))
def test_servers_that_start_at_once_on_an_empty_database_all_open_it(postgres_database: str, round_: int) -> None:
    start = Barrier(SERVERS)

    def make_available(server: int) -> bool:
        with psycopg.connect(postgres_database, autocommit=True) as connection:
            start.wait()
            check_extension(connection)
            return bool(connection.execute("SELECT '[1]'::vector").fetchall()) and server >= 0

    def open_store(server: int) -> str:
        start.wait()
        with closing(
            PostgresStore(f"test_{round_}", dsn=postgres_database, embedder=f"m{server}", source="/docs")
        ) as store:
            return store.identity()

    with ThreadPoolExecutor(SERVERS) as servers:
        assert all(servers.map(make_available, range(SERVERS)))
        assert len(set(servers.map(open_store, range(SERVERS)))) == 1
