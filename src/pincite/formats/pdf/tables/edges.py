"""Edges that part numbers from the texts at their right: of a column set from the right next to one from the left."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pincite.formats.pdf.page.words import Word

MIN_GAP_EM, MAX_GAP_EM = 0.45, 1.5
"""White between such a number and a text; a space is a third of an em, and what is wider parts columns by itself."""
TOLERANCE_EM = 0.25
"""Distance of two edges that counts as aligned."""
MIN_LINES = 3
"""Lines that show both edges."""
MAX_PAIRS = 400
"""Numbers before texts on a page; more are compared to no other."""


class Edge(NamedTuple):
    """The right edge of numbers and the left edge of the texts next to them, in points, with their font size."""

    right: float
    left: float
    size: float

    def is_between(self, word: Word, following: Word) -> bool:
        """Return True if a word ends at the one edge, and the next one begins at the other."""
        limit = TOLERANCE_EM * self.size
        return abs(word.x1 - self.right) <= limit and abs(following.x0 - self.left) <= limit


def shared_edges(lines: Iterable[Sequence[Word]]) -> list[Edge]:
    """Return the edges that lines share, which are given as words from the left.

    A number counts behind another or behind wide white: within a label it is part of that, as in `1 - 2 years`.
    """
    pairs: list[tuple[Word, Word]] = []
    for words in lines:
        for before, word, following in zip(words, words[1:], words[2:], strict=False):
            if _may_be_apart(word, following) and (_is_figure(before) or word.x0 - before.x1 > word.size):
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
