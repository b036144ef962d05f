"""Where sentences end, in any script."""

import re
from collections.abc import Iterator

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|etc|approx|resp|incl|no|fig|sec|ch|vol|ed|mr|mrs|ms|dr|prof|st|inc|ltd|jr|sr)|\b\w)\.$",
    re.IGNORECASE,
)
_EAST_ASIAN = "\u3002\uff01\uff1f\uff61"
"""Ideographic full stop, fullwidth exclamation and question mark, halfwidth full stop: no space need follow."""
_EAST_ASIAN_CLOSING = "\u201d\u2019\u300d\u300f\u3011\uff09"
_STOPS = ".!?\u2026\u061f\u06d4\u0964\u0965"
"""Also ellipsis, Arabic question mark and full stop, danda and double danda."""
_CLOSING = "\"'\u201d\u2019\u00bb)\\]*_`"
_END = re.compile(rf"[{_EAST_ASIAN}]+[{_EAST_ASIAN_CLOSING}]*\s*|[{_STOPS}]+[{_CLOSING}]*\s+")
_BEFORE = 12
"""Characters before a full stop in which an abbreviation may begin."""


def sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Positions right after a sentence and the white space behind it, rising; `end` is the last.

    A full stop before a small letter or after a known abbreviation or a single letter ends none.
    """
    for match in _END.finditer(text, start, end):
        stop = match.end()
        if stop < end and not (text[stop].islower() or _abbreviated(text, match)):
            yield stop
    if end > start:
        yield end


def _abbreviated(text: str, match: re.Match[str]) -> bool:
    if text[match.start()] != ".":
        return False
    return _ABBREVIATION.search(text, max(0, match.start() - _BEFORE), match.start() + 1) is not None
