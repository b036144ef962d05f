"""Edges that lines share where less white parts their columns than elsewhere.

Numbers and the texts at their right share two: of a column set from the right next to one from the left. Texts of a
column set from the left share where they begin.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pincite.formats.pdf.page.code_text import is_monospaced
from pincite.formats.pdf.page.words import Word

MIN_GAP_EM, MAX_GAP_EM = 0.45, 1.5
"""White between such a number and a text; a space is a third of an em, and what is wider parts columns by itself."""
TOLERANCE_EM = 0.25
"""Distance of two edges that counts as aligned."""
MIN_LINES = 3
"""Lines that show both edges."""
MAX_PAIRS = 400
"""Numbers before texts on a page; more are compared to no other."""
MIN_START_GAP_EM, MIN_WIDE_GAP_EM = 0.5, 1.0
"""White before a text that may begin a column, and elsewhere in its line, which is a row then."""
MIN_SPACE_RATIO = 1.5
"""The least such white, relative to a space."""
MAX_CROSSING_SHARE = 0.2
"""Share of rows in which a word may cross the edge of a column."""
MIN_JUSTIFIED_WORDS, MAX_GAP_DIFFERENCE_EM, MIN_WIDTH_DIFFERENCE_EM = 5, 0.03, 1.0
"""Words of a justified line, by how much the white between them differs, and their widths: columns of one width are
as far apart where their texts are of one width, too."""
_LABEL = re.compile(r"\(?[^\W_]{1,3}[.)]|[^\w]|[^\W\d_]")
"""A label of a list, a bullet or a single letter, which has more white behind it than a word."""


def is_justified(words: Sequence[Word]) -> bool:
    """Return True if words of a line are as far apart as each other, whatever their widths: none is a cell."""
    if len(words) < MIN_JUSTIFIED_WORDS:
        return False
    size = words[0].size
    first = words[1].x0 - words[0].x1
    most = MAX_GAP_DIFFERENCE_EM * size
    # No `any`: this runs for every line of a page, several times, and mostly ends with the second word.
    for one, other in pairwise(words):
        if abs(other.x0 - one.x1 - first) > most:
            return False
    widths = [word.x1 - word.x0 for word in words]
    is_text = 2 * sum(word.text[0].isalpha() for word in words) > len(words)
    return is_text and max(widths) - min(widths) > MIN_WIDTH_DIFFERENCE_EM * size


def is_aligned(words: Sequence[Word], others: Sequence[Word], limit: float) -> bool:
    """Return True if two texts share an edge or their middle, up to a distance in points."""
    return alignment_offset((words[0].x0, words[-1].x1), (others[0].x0, others[-1].x1)) <= limit


def alignment_offset(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the least distance of the left edges, the right edges and the middles of two intervals."""
    (x0, x1), (left, right) = one, other
    return min(abs(x0 - left), abs(x1 - right), abs(x0 + x1 - left - right) / 2)


class Edge(NamedTuple):
    """The right edge of numbers and the left edge of the texts next to them, in points, with their font size."""

    right: float
    left: float
    size: float

    def is_between(self, word: Word, following: Word) -> bool:
        """Return True if a word ends at the one edge, and the next one begins at the other."""
        limit = TOLERANCE_EM * self.size
        return abs(word.x1 - self.right) <= limit and abs(following.x0 - self.left) <= limit


class Start(NamedTuple):
    """The left edge of a column, in points, with its font size."""

    left: float
    size: float

    def is_between(self, word: Word, following: Word) -> bool:
        """Return True if a word ends before the edge, and the next one begins at it."""
        is_apart = following.x0 - word.x1 >= MIN_START_GAP_EM * self.size
        return is_apart and abs(following.x0 - self.left) <= TOLERANCE_EM * self.size


def shared_edges(lines: Iterable[Sequence[Word]]) -> list[Edge]:
    """Return the edges that lines share, which are given as words from the left.

    A number counts behind another or behind wide white: within a label it is part of that, as in `1 - 2 years`.
    """
    pairs: list[tuple[Word, Word]] = []
    for words in lines:
        for before, word, following in zip(words, words[1:], words[2:], strict=False):
            # Few words are numbers.
            if (
                word.text[0].isdigit()
                and _may_be_apart(word, following)
                and (_is_figure(before) or word.x0 - before.x1 > word.size)
            ):
                pairs.append((word, following))
    edges: list[Edge] = []
    for word, following in pairs if MIN_LINES <= len(pairs) <= MAX_PAIRS else ():
        edge = Edge(word.x1, following.x0, word.size)
        if any(known.is_between(word, following) for known in edges):
            continue
        texts = [pair[1].text for pair in pairs if edge.is_between(*pair)]
        # One word behind all numbers is their unit.
        if len(texts) >= MIN_LINES and len({text.rstrip("s.") for text in texts}) > 1:
            edges.append(edge)
    return edges


def _may_be_apart(word: Word, following: Word) -> bool:
    gap = following.x0 - word.x1
    is_near = MIN_GAP_EM * word.size <= gap <= MAX_GAP_EM * word.size
    return is_near and following.text[0].isalpha() and _is_figure(word)


def _is_figure(word: Word) -> bool:
    return word.text[0].isdigit() and not any(map(str.isalpha, word.text))


def shared_starts(lines: Iterable[Sequence[Word]]) -> list[Start]:
    """Return left edges of columns that three or more rows share; lines are given as words from the left."""
    rows = sorted((words for words in lines if _has_wide_gap(words)), key=lambda words: words[0].y1)
    least = max(MIN_START_GAP_EM, MIN_SPACE_RATIO * _space(rows)) if len(rows) >= MIN_LINES else MIN_WIDE_GAP_EM
    starts = [(pair[1].x0, number, pair) for number, words in enumerate(rows) for pair in _close_pairs(words, least)]
    starts = sorted(starts, key=lambda start: start[:2]) if MIN_LINES <= len(starts) <= MAX_PAIRS else []
    shared: list[Start] = []
    index = 0
    while index < len(starts):
        x0, size = starts[index][0], starts[index][2][1].size
        end = bisect_left(starts, (x0 + TOLERANCE_EM * size,), lo=index)
        numbers = {number for _, number, _ in starts[index:end]}
        is_column = len(numbers) >= MIN_LINES and not _are_units([pair for *_, pair in starts[index:end]])
        if is_column and not _is_crossed(x0, rows[min(numbers) : max(numbers) + 1]):
            shared.append(Start(x0, size))
        index = max(end, index + 1)
    return shared


def _space(rows: Sequence[Sequence[Word]]) -> float:
    """Return the width of most spaces, in em: the lower quartile, as rows have white between columns, too."""
    gaps = sorted((other.x0 - one.x1) / one.size for words in rows for one, other in pairwise(words) if one.size)
    near = [gap for gap in gaps if 0 < gap < MIN_WIDE_GAP_EM]
    return near[len(near) // 4] if near else 0.0


def _are_units(pairs: Sequence[tuple[Word, Word]]) -> bool:
    """Return True if the same word is behind all numbers."""
    return all(map(_is_figure, (word for word, _ in pairs))) and len({text.text.rstrip("s.") for _, text in pairs}) == 1


def _has_wide_gap(words: Sequence[Word]) -> bool:
    return any(other.x0 - one.x1 >= MIN_WIDE_GAP_EM * one.size for one, other in pairwise(words))


def _close_pairs(words: Sequence[Word], least: float) -> Iterator[tuple[Word, Word]]:
    """Yield words of a row with a text at least so many em behind them, but less than usual between columns."""
    for number, (word, following) in enumerate(pairwise(words)):
        if not least * word.size <= following.x0 - word.x1 <= MIN_WIDE_GAP_EM * word.size:
            continue
        # Further right, `(12)` is a negative amount.
        is_value = number > 0 and any(map(str.isdigit, word.text))
        is_label = word.text.endswith(":") or (_LABEL.fullmatch(word.text) and not is_value)
        if not is_label and not is_monospaced(word.font):
            yield word, following


def _is_crossed(edge: float, rows: Sequence[Sequence[Word]]) -> bool:
    crossed = sum(any(word.x0 < edge - 1 < edge + 1 < word.x1 for word in words) for words in rows)
    return crossed > MAX_CROSSING_SHARE * len(rows)
