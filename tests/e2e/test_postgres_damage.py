"""A row in PostgreSQL that somebody, or a broken disk, has changed: the collection is made again, as a file is."""

import os
from pathlib import Path
from typing import Any, LiteralString

import psycopg
import pytest
from psycopg import sql

from behaviour import faces
from support.waiting import wait_for
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow

DAMAGE: dict[str, LiteralString] = {
    "document name": "UPDATE document SET name = '\\xff'::bytea WHERE id = (SELECT min(id) FROM document)",
    "document state": "UPDATE document SET state = 'x'",
    "document coverage": "UPDATE document SET coverage = 'x'",
    "document title": "UPDATE document SET title = '\\xff'::bytea",
    "piece text": "UPDATE piece SET text = '\\xff'::bytea",
    "chunk kind": "UPDATE chunk SET kind = 'x'",
    "chunk span": "UPDATE chunk SET span_start = 10000000, span_end = -7",
    "posting packed": "UPDATE posting SET packed = '\\x01'::bytea",
    "forward terms": "UPDATE forward SET terms = '\\x01'::bytea",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_row_is_made_again(tmp_path: Path, postgres_dsn: str, damage: str) -> None:
    pages = {f"{n}.md": f"# Page {n}\n\nA zebra crossing number{n}x.\n" for n in range(5)}
    folder = faces.write(tmp_path / "docs", pages)
    variables = {**faces.EXACT, "PINCITE_CACHE": str(tmp_path / "cache"), "PINCITE_STORE_URL": postgres_dsn}
    with Wire(pincite("serve", str(folder)), {**os.environ, **variables}) as server:
        server.open()
        assert found(server) == sorted(pages)
        with psycopg.connect(postgres_dsn, autocommit=True) as administrator:
            change(administrator, DAMAGE[damage])
        assert wait_for(lambda: found(server) == sorted(pages) and "number1x" in read(server), 30), server.log[-20:]


def change(administrator: psycopg.Connection[Any], statement: LiteralString) -> None:
    """Run a statement in the schema that was made last."""
    made: LiteralString = (
        "SELECT nspname FROM pg_namespace JOIN pg_class ON relnamespace = pg_namespace.oid WHERE relname = 'chunk'"
    )
    [(schema,)] = administrator.execute(f"{made} ORDER BY pg_namespace.oid DESC LIMIT 1").fetchall()
    administrator.execute(sql.SQL("SET search_path = {}, public").format(sql.Identifier(schema)))
    administrator.execute(statement)


def found(server: Wire) -> list[str]:
    result = server.call("search_docs", {"query": "zebra", "top_k": 20})
    if result["isError"] or result["structuredContent"]["index"]["stale"]:
        return []
    return sorted({hit["metadata"]["file_path"] for hit in result["structuredContent"]["results"]})


def read(server: Wire) -> str:
    result = server.call("get_page", {"file_path": "1.md"})
    return "" if result["isError"] else result["content"][0]["text"]
