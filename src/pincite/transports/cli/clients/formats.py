"""The text of a client's file, JSON or TOML: what it says, and the same text with one server more."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, cast

from pincite.errors import ConfigError


def parsed(text: str, *, is_toml: bool) -> object:
    """Return the content of a file.

    Raises:
        ValueError: It is not of this format; its message says why.
    """
    if is_toml:
        return tomllib.loads(text)
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"not plain JSON ({error}); comments are not supported") from error


def as_json(content: Mapping[str, Any]) -> str:
    """Return JSON as people write it."""
    return json.dumps(content, ensure_ascii=False, indent=2)


def as_toml(content: Mapping[str, Any]) -> str:
    """Return the tables of servers as TOML, given by their names in the table of all."""
    blocks = [
        "\n".join([f"[{key}.{_name(name)}]", *(f"{member} = {_value(entry[member])}" for member in entry)])
        for key, servers in content.items()
        for name, entry in cast("Mapping[str, Mapping[str, Any]]", servers).items()
    ]
    return "\n\n".join(blocks)


def with_table(text: str, key: str, name: str, entry: Mapping[str, Any]) -> str:
    """Return TOML with the table of a server at its end, and without the one that it had: all else stays as it is.

    Raises:
        ConfigError: The file has the server in another form, and has to be edited by hand.
    """
    names = "|".join(map(re.escape, dict.fromkeys((name, _name(name)))))
    own = re.compile(rf"^\[{re.escape(key)}\.(?:{names})(?:\.[^\]]*)?\][^\n]*\n(?:(?!\[).*(?:\n|\Z))*", re.MULTILINE)
    kept = own.sub("", text).rstrip()
    changed = (f"{kept}\n\n" if kept else "") + as_toml({key: {name: entry}}) + "\n"
    before = tomllib.loads(text)
    try:
        is_right = tomllib.loads(changed) == {**before, key: {**before.get(key, {}), name: dict(entry)}}
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        raise ConfigError(f"The server {name!r} is written in a way that cannot be replaced here. Edit it by hand.")
    return changed


def _name(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _value(value: object) -> str:
    """Return a string, a list of strings or a table of strings; a string of JSON is one of TOML."""
    if isinstance(value, Mapping):
        members = cast("Mapping[str, str]", value).items()
        return "{ " + ", ".join(f"{_name(name)} = {_value(member)}" for name, member in members) + " }"
    return json.dumps(value, ensure_ascii=False)
