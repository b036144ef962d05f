"""The phrases of `phrases.toml` as regular expressions."""

import re
import tomllib
from functools import cache
from importlib.resources import files

_NAME = re.compile(r"%(\w+)%")
"""A list within another one."""


@cache
def _rows() -> dict[str, list[str]]:
    return tomllib.loads(files("pincite.formats.html").joinpath("phrases.toml").read_text("utf-8"))


@cache
def alternatives(*names: str) -> str:
    """Return the rows of some lists as alternatives in a group."""
    rows = "|".join(row for name in names for row in _rows()[name])
    return f"(?:{_NAME.sub(lambda name: alternatives(name[1]), rows)})"


@cache
def any_of(*names: str) -> re.Pattern[str]:
    """Return the expression that matches any row of some lists."""
    return re.compile(alternatives(*names), re.IGNORECASE)
