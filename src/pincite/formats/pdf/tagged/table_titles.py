"""Titles that are tagged as the first rows of their table, as spreadsheets print those above their cells."""

import statistics
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace

from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tagged.structure import Element

MIN_TITLE_SIZE_RATIO = 1.25
"""Font size of a title relative to the cells' median.

In 64 tagged files titles have 1.25 to 2.9 times, notes such as `(dollars in millions)` 1, questions of forms 1.1 to
1.22.
"""


def title_rows(table: Element, words_of: Callable[[Element], Sequence[Word]]) -> list[tuple[Element, int]]:
    """Return the first rows of a table that are titles, each with its level from 1: one text in larger type.

    Args:
        table: The `Table` element.
        words_of: Returns the words of an element.
    """
    rows = list(_rows(table))
    sizes = [word.size for row in rows for word in words_of(row) for _ in word.text]
    if not sizes:
        return []
    median = statistics.median(sizes)
    titles: list[tuple[Element, float]] = []
    for row in rows:
        texts = [words for child in _elements(row) if (words := words_of(child))]
        size = max((word.size for words in texts for word in words), default=0.0)
        if len(texts) != 1 or size < MIN_TITLE_SIZE_RATIO * median:
            break
        titles.append((row, size))
    # A table of nothing but larger texts is a list, or the layout of a page.
    if len(titles) == len(rows):
        return []
    ranked = sorted({size for _, size in titles}, reverse=True)
    return [(row, ranked.index(size) + 1) for row, size in titles]


def without_rows(table: Element, rows: Container[int]) -> Element:
    """Return a table without some of its rows, given by `id()`."""
    children = (
        child if isinstance(child, int) else without_rows(child, rows) if child.kind != "TR" else child
        for child in table.children
        if isinstance(child, int) or id(child) not in rows
    )
    return replace(table, children=tuple(children))


def _rows(element: Element) -> Iterator[Element]:
    for child in _elements(element):
        if child.kind == "TR":
            yield child
        elif child.kind in ("THead", "TBody", "TFoot"):
            yield from _rows(child)


def _elements(element: Element) -> Iterator[Element]:
    return (child for child in element.children if isinstance(child, Element))
