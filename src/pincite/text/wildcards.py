"""A glob's parts as one regular expression that never backtracks far.

A run of parts between two gaps is matched at the earliest place where it fits and never tried
again (atomic groups); only the last run is tied to the end. What a run matches has a fixed number
of `/`, and of characters between two stars, so the earliest fit leaves the most for the rest.
"""

from collections.abc import Iterable, Sequence
from enum import Enum


class Wild(Enum):
    """A part that is not one character."""

    STAR = "any run of characters inside one segment"
    DEEP = "any run of characters, `/` included"
    FOLDERS = "any number of whole segments, each with its `/`; none as well"
    SEPARATOR = "`/`"


Part = str | Wild
"""A string is a regular expression for exactly one character that is not `/`."""

_GAPS = {Wild.DEEP: ".*", Wild.FOLDERS: "(?:[^/]*/)*"}


def regex(parts: Sequence[Part]) -> str:
    """A regular expression for `re.fullmatch` with `re.DOTALL`."""
    runs = _split(parts, (Wild.DEEP, Wild.FOLDERS))
    gaps = [_GAPS[part] for part in parts if isinstance(part, Wild) and part in _GAPS]
    written = [_run(runs[0], closed=not gaps)]
    for i, (gap, run) in enumerate(zip(gaps, runs[1:], strict=True), 1):
        last = i == len(gaps)
        written.append(gap + _run(run, closed=True) if last else f"(?>{gap}?{_run(run, closed=False)})")
    return "".join(written)


def _run(parts: Sequence[Part], *, closed: bool) -> str:
    """Parts without a gap; `closed` if its end is the end of the path."""
    segments = _split(parts, (Wild.SEPARATOR,))
    last = len(segments) - 1
    return "/".join(_segment(segment, closed=closed or i < last) for i, segment in enumerate(segments))


def _segment(parts: Sequence[Part], *, closed: bool) -> str:
    first, *rest = ("".join(str(part) for part in piece) for piece in _split(parts, (Wild.STAR,)))
    if not rest:
        return first
    *middle, last = rest
    fixed = first + "".join(f"(?>[^/]*?{piece})" for piece in middle if piece)
    if closed:
        return f"{fixed}[^/]*{last}"
    return f"{fixed}(?>[^/]*?{last})"


def _split(parts: Iterable[Part], at: Sequence[Wild]) -> list[list[Part]]:
    runs: list[list[Part]] = [[]]
    for part in parts:
        if part in at:
            runs.append([])
        else:
            runs[-1].append(part)
    return runs
