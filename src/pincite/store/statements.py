"""The SQL of a store, read from a file of named statements."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

_NAME = re.compile(r"^-- name: (\w+)\n((?:--.*\n)*)", re.MULTILINE)


def read_statements(path: Path) -> Mapping[str, str]:
    """The statements of a file by name; each is one `-- name: x` line, a comment, and SQL."""
    parts = _NAME.split(path.read_text("utf-8"))
    names, bodies = parts[1::3], parts[3::3]
    return MappingProxyType({name: body.strip().removesuffix(";") for name, body in zip(names, bodies, strict=True)})


def split_script(script: str) -> list[str]:
    """The single statements of a script in which no literal ends a line with a semicolon."""
    return [statement for statement in script.split(";\n") if statement.strip()]


def array_of(values: Iterable[str] | Iterable[int]) -> str:
    """Values as the JSON array that a statement takes with `json_each`."""
    import json  # noqa: PLC0415 - not at start-up

    return json.dumps(list(values), ensure_ascii=False)
