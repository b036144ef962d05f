"""Text of others, made fit to be repeated: short enough for a message, and valid UTF-8."""

import re
from typing import Any, cast

EXCERPT_CHARS = 200
"""Of a path, a heading or a name that a message repeats; nearly all are shorter, and the start tells which is meant."""

ELLIPSIS = "…"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_SURROGATE = re.compile("[\ud800-\udfff]")


def excerpt(text: str, chars: int = EXCERPT_CHARS) -> str:
    """The text, or its start with an ellipsis where it has more characters than that."""
    return text if len(text) <= chars else text[: chars - 1] + ELLIPSIS


def excerpts(texts: list[str], separator: str = ", ") -> str:
    """Several texts in a row, each as `excerpt` gives it."""
    return separator.join(excerpt(text) for text in texts)


def well_formed(value: Any) -> Any:
    """The value with U+FFFD for every half of a surrogate pair in its strings, which UTF-8 cannot express."""
    if isinstance(value, str):
        return _SURROGATE.sub(REPLACEMENT, value)
    if isinstance(value, list):
        return [well_formed(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {well_formed(key): well_formed(item) for key, item in cast("dict[str, Any]", value).items()}
    return value
