"""Named SQL statements, read from a file."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

_NAME = re.compile(r"^-- name: (\w+)\n((?:--.*\n)*)", re.MULTILINE)


def read_statements(path: Path) -> Mapping[str, str]:
    """Return the statements of a file by name; each is a line `-- name: x`, a comment, and SQL."""
    parts = _NAME.split(path.read_text("utf-8"))
    names, bodies = parts[1::3], parts[3::3]
    return MappingProxyType({name: body.strip().removesuffix(";") for name, body in zip(names, bodies, strict=True)})


def split_script(script: str) -> list[str]:
    """Split a script into statements; no literal in it may end a line with a semicolon."""
    return [statement for statement in script.split(";\n") if statement.strip()]


def array_of(values: Iterable[str] | Iterable[int]) -> str:
    """Return values as a JSON array, for `json_each`: SQLite has no array parameters."""
    import json  # noqa: PLC0415 - not at start-up

    return json.dumps(list(values), ensure_ascii=False)
