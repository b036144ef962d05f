"""Sentence boundaries in any script."""

import re
from collections.abc import Iterator

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|etc|approx|resp|incl|no|fig|sec|ch|vol|ed|mr|mrs|ms|dr|prof|st|inc|ltd|jr|sr)|\b\w)\.$",
    re.IGNORECASE,
)
_EAST_ASIAN = "\u3002\uff01\uff1f\uff61"
"""Ideographic full stop, fullwidth exclamation and question mark, halfwidth full stop: no space is required after."""
_EAST_ASIAN_CLOSING = "\u201d\u2019\u300d\u300f\u3011\uff09"
_STOPS = ".!?\u2026\u061f\u06d4\u0964\u0965"
"""Also ellipsis, Arabic question mark and full stop, danda and double danda."""
_CLOSING = "\"'\u201d\u2019\u00bb)\\]*_`"
_END = re.compile(rf"[{_EAST_ASIAN}]+[{_EAST_ASIAN_CLOSING}]*\s*|[{_STOPS}]+[{_CLOSING}]*\s+")
_MAX_ABBREVIATION_CHARS = 12
"""Characters before a full stop that are searched for an abbreviation."""


def sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the positions after each sentence and its trailing white space, ascending; `end` is the last.

    A full stop before a small letter, after a known abbreviation or after a single letter ends no sentence.
    """
    for match in _END.finditer(text, start, end):
        stop = match.end()
        if stop < end and not (text[stop].islower() or _is_abbreviation(text, match)):
            yield stop
    if end > start:
        yield end


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    if text[match.start()] != ".":
        return False
    return _ABBREVIATION.search(text, max(0, match.start() - _MAX_ABBREVIATION_CHARS), match.start() + 1) is not None
