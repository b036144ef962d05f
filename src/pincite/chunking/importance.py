"""What a passage is, and how much it matters, by its looks alone."""

import re

BASE = 0.5
HEADING, FIGURE, KEYWORD, SHORT = 0.2, 0.15, 0.1, -0.2
"""What is added to `BASE` for a heading, a percentage or amount, a keyword, a short text; by contract 4, Chunks."""
SHORT_CHARS = 50
"""Length below which a chunk says little: half a line."""

MIN_CAPITALS = 2
"""Letters of a line of capitals: a single one is rather a list's label."""

_MARKED = re.compile(r"^#{1,3}[ \t]+\S", re.MULTILINE)
_DEEPER = re.compile(r"^#{4,6}[ \t]+\S", re.MULTILINE)
"""Headings that make a passage one, and are too deep to make it matter more."""
_FIGURE = re.compile(r"\d%|[$€]\d")
_KEYWORD = re.compile(
    r"\b(?:important|key|critical|summary|conclusion|result|finding|recommendation)s?\b", re.IGNORECASE
)
_ITEM = re.compile(r"^[ \t]*[-•*][ \t]", re.MULTILINE)


def importance(text: str) -> float:
    """Return how much a passage matters, 0..1 in hundredths: each condition counts once."""
    score = BASE
    score += HEADING * has_heading(text)
    score += FIGURE * (_FIGURE.search(text) is not None)
    score += KEYWORD * (_KEYWORD.search(text) is not None)
    score += SHORT * (len(text) < SHORT_CHARS)
    return round(min(max(score, 0.0), 1.0), 2)


def content_type(text: str) -> str:
    """Return what a passage has, the first of `table`, `list`, `heading` and `text`."""
    if "|" in text or "\t" in text:
        return "table"
    if _ITEM.search(text):
        return "list"
    return "heading" if has_heading(text) or _DEEPER.search(text) else "text"


def has_heading(text: str) -> bool:
    """Return True if a text has a Markdown heading of level 1 to 3, or a line of capitals."""
    return _MARKED.search(text) is not None or any(map(_is_capitals, text.splitlines()))


def _is_capitals(line: str) -> bool:
    # Not a row of a table, nor a line that separates slides, sheets or pages.
    line = line.strip()
    return line[:1].isalnum() and line.isupper() and "|" not in line and sum(map(str.isalpha, line)) >= MIN_CAPITALS
