"""Named SQL statements, read from a file."""

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

SQLITE = Path(__file__).parent / "sqlite" / "sqlite.sql"
"""The statements of SQLite."""

ROWS_PER_STATEMENT = 200
"""Rows that one statement inserts: few enough for SQLite's limit of 32,766 parameters, whatever the table."""

_NAME = re.compile(r"^-- name: (\w+)\n((?:--.*\n)*)", re.MULTILINE)


@cache
def read_statements(path: Path) -> Mapping[str, str]:
    """Return the statements of a file by name; each is a line `-- name: x`, a comment, and SQL."""
    parts = _NAME.split(path.read_text("utf-8"))
    names, bodies = parts[1::3], parts[3::3]
    return MappingProxyType({name: body.strip().removesuffix(";") for name, body in zip(names, bodies, strict=True)})


def split_script(script: str) -> list[str]:
    """Split a script into statements; no literal in it may end a line with a semicolon."""
    return [statement for statement in script.split(";\n") if statement.strip()]


def insert_rows(connection: sqlite3.Connection, statement: str, rows: Sequence[Sequence[Any]]) -> None:
    """Execute `INSERT … VALUES (…)` with many rows in one statement.

    A statement on a full-text table costs three times as much as a row of it: `executemany` makes one for each row.
    """
    head, _, values = statement.partition(" VALUES ")
    for start in range(0, len(rows), ROWS_PER_STATEMENT):
        batch = rows[start : start + ROWS_PER_STATEMENT]
        connection.execute(f"{head} VALUES {', '.join([values] * len(batch))}", list(chain.from_iterable(batch)))


def array_of(values: Iterable[str] | Iterable[int] | Iterable[tuple[str, int]]) -> str:
    """Return values as a JSON array, for `json_each`: SQLite has no array parameters.

    Lone surrogates are escaped, so that they can be sent: `from_text` stores a text that has them as bytes.
    """
    import json  # noqa: PLC0415 - not at start-up

    return json.dumps(list(values))
