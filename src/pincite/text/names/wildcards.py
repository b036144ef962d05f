"""A glob's parts as one regular expression without catastrophic backtracking.

A run of parts between two gaps is matched at the earliest position and never retried
(atomic groups); only the last run is anchored at the end. A run matches a fixed number of `/`, and
of characters between two stars, so the earliest match leaves the most for the following runs.
"""

from collections.abc import Iterable, Sequence
from enum import Enum


class Wild(Enum):
    """A part that does not match exactly one character other than `/`."""

    STAR = "any run of characters inside one segment"
    DEEP = "any run of characters, `/` included"
    FOLDERS = "zero or more whole segments, each with its `/`"
    SEPARATOR = "`/`"


Part = str | Wild
"""A string is a regular expression for exactly one character that is not `/`."""

_GAPS = {Wild.DEEP: ".*", Wild.FOLDERS: "(?:[^/]*/)*"}


def regex(parts: Sequence[Part]) -> str:
    """Return a regular expression for `re.fullmatch` with `re.DOTALL`."""
    # `**` and `**/` are the gaps between runs.
    runs = _split(parts, (Wild.DEEP, Wild.FOLDERS))
    gaps = [_GAPS[part] for part in parts if isinstance(part, Wild) and part in _GAPS]
    expressions = [_run(runs[0], closed=not gaps)]
    for i, (gap, run) in enumerate(zip(gaps, runs[1:], strict=True), 1):
        last = i == len(gaps)
        expressions.append(gap + _run(run, closed=True) if last else f"(?>{gap}?{_run(run, closed=False)})")
    return "".join(expressions)


def _run(parts: Sequence[Part], *, closed: bool) -> str:
    """The expression of parts without a gap; `closed` if they end at the end of the path."""
    segments = _split(parts, (Wild.SEPARATOR,))
    last = len(segments) - 1
    return "/".join(_segment(segment, closed=closed or i < last) for i, segment in enumerate(segments))


def _segment(parts: Sequence[Part], *, closed: bool) -> str:
    first, *stretches = ("".join(str(part) for part in piece) for piece in _split(parts, (Wild.STAR,)))
    if not stretches:
        return first
    *middle, last = stretches
    anchored = first + "".join(f"(?>[^/]*?{piece})" for piece in middle if piece)
    if closed:
        return f"{anchored}[^/]*{last}"
    return f"{anchored}(?>[^/]*?{last})"


def _split(parts: Iterable[Part], at: Sequence[Wild]) -> list[list[Part]]:
    runs: list[list[Part]] = [[]]
    for part in parts:
        if part in at:
            runs.append([])
        else:
            runs[-1].append(part)
    return runs
