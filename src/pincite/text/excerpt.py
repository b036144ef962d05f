"""Foreign text made safe to repeat: short enough for a message, and valid UTF-8."""

import re
from typing import Any, cast

EXCERPT_CHARS = 200
"""Maximum length of a path, heading or name in a message: nearly all are shorter, and the start identifies it."""

ELLIPSIS = "…"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

SURROGATES = range(0xD800, 0xE000)
"""Code points that are no characters, and no UTF-8."""

SURROGATE = re.compile("[\ud800-\udfff]")


def excerpt(text: str, chars: int = EXCERPT_CHARS) -> str:
    """Return the text, cut to `chars` characters with an ellipsis if it is longer."""
    return text if len(text) <= chars else text[: chars - 1] + ELLIPSIS


def excerpts(texts: list[str], separator: str = ", ") -> str:
    """Return the excerpts of several texts, joined."""
    return separator.join(excerpt(text) for text in texts)


def well_formed(value: Any) -> Any:
    """Return a JSON value with U+FFFD for every lone surrogate in its strings, which UTF-8 cannot encode."""
    if isinstance(value, str):
        return SURROGATE.sub(REPLACEMENT, value)
    if isinstance(value, list):
        return [well_formed(item) for item in cast("list[Any]", value)]
    # Keys may have surrogates, too: JSON escapes (`\ud800`) reach both.
    if isinstance(value, dict):
        return {well_formed(key): well_formed(item) for key, item in cast("dict[str, Any]", value).items()}
    return value
