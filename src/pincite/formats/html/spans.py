"""Spans of a page's events, and what they leave of them."""

from collections.abc import Iterable, Iterator

Span = tuple[int, int]
"""Index of the first event, and the end, exclusive."""


def between(start: int, end: int, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield what some spans, which may overlap, leave of the events from start to end."""
    for first, last in sorted(spans):
        if first > start:
            yield start, min(first, end)
        start = max(start, last)
        if start >= end:
            return
    yield start, end
