"""Lines of headers whose names are turned: seen upright, tables whose columns only the header tells are found."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from pincite.formats.pdf.page.words import Line, Word, line_of
from pincite.formats.pdf.tables.draft import TableDraft

MIN_NAMES = 2
"""Names side by side; a single turned text is one at the margin."""
MAX_TURNED_WORDS = 200
"""Turned words of a page; a page with more is a chart or a turned table."""
MAX_HEIGHT_EM = 20.0
"""Height of a header with turned names."""
MAX_GAP_EM = 3.0
"""White between turned names and the text below them."""


def with_header_lines(lines: Sequence[Line], turned: Sequence[Word]) -> list[Line]:
    """Return lines with those of turned names, and the upright words beside these in them.

    Args:
        lines: Visual lines of a page or of one of its columns, from the top.
        turned: Words that are turned sideways.
    """
    sideways = [word for word in turned if word.turns % 2]
    if not lines or not MIN_NAMES <= len(sideways) <= MAX_TURNED_WORDS:
        return list(lines)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    own = [word for word in sideways if left <= (word.x0 + word.x1) / 2 <= right]
    result = list(lines)
    for names in _headers(own):
        result = _with_header(result, names)
    return result


def as_printed(draft: TableDraft, turned: Iterable[Word]) -> TableDraft:
    """Return a draft with its turned words where they are on the page."""
    places = {word.first: word for word in turned}
    if not any(word.first in places for word in draft.words):
        return draft
    cells = (replace(cell, words=_placed(cell.words, places)) for cell in draft.cells)
    return replace(draft, cells=tuple(cells), words=_placed(draft.words, places))


def _placed(words: Iterable[Word], places: Mapping[int, Word]) -> tuple[Word, ...]:
    return tuple(places.get(word.first, word) for word in words)


def _headers(words: Iterable[Word]) -> list[list[Word]]:
    """Group turned words whose heights overlap into headers, each from the left."""
    headers: list[list[Word]] = []
    bottom = float("-inf")
    for word in sorted(words, key=lambda word: word.y0):
        if word.y0 > bottom:
            headers.append([])
            bottom = word.y1
        headers[-1].append(word)
        bottom = max(bottom, word.y1)
    for header in headers:
        header.sort(key=lambda word: (word.x0, word.first))
    return [header for header in headers if _is_header(header)]


def _is_header(words: Sequence[Word]) -> bool:
    names = sum(1 for _ in groupby(words, key=lambda word: round(word.x0)))
    height = max(word.y1 for word in words) - min(word.y0 for word in words)
    return names >= MIN_NAMES and height <= MAX_HEIGHT_EM * words[0].size


def _with_header(lines: Sequence[Line], names: Sequence[Word]) -> list[Line]:
    """Return lines with a header of turned names, if a line is close below it and at most one beside it."""
    top, bottom, size = min(word.y0 for word in names), max(word.y1 for word in names), names[0].size
    left, right = names[0].x0, names[-1].x1
    at_side = [line for line in lines if top - size / 2 < (line.y0 + line.y1) / 2 < bottom + size / 2]
    below = [line for line in lines if line.y0 + size / 2 >= bottom and line not in at_side]
    near = next((line for line in below if line.x1 > left and line.x0 < right), None)
    if len(at_side) > 1 or near is None or near.y0 - bottom > MAX_GAP_EM * size:
        return list(lines)
    words = [*names, *(word for line in at_side for word in line.words)]
    level = [replace(word, y0=bottom - size, y1=bottom, turns=0) for word in words]
    header = line_of(sorted(level, key=lambda word: (word.x0, word.first)))
    kept = [line for line in lines if line not in at_side]
    return sorted([*kept, header], key=lambda line: line.y1)
