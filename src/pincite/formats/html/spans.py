"""Spans of a page's events, and what they leave of them."""

from collections.abc import Iterable, Iterator

Span = tuple[int, int]
"""Index of the first event, and the end, exclusive."""


def merged_spans(spans: Iterable[Span]) -> Iterator[Span]:
    """Yield spans that may overlap as spans that do not, in order."""
    last: Span | None = None
    for start, end in sorted(spans):
        if last is not None and start <= last[1]:
            last = last[0], max(last[1], end)
            continue
        if last is not None:
            yield last
        last = start, end
    if last is not None:
        yield last


def between(start: int, end: int, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield what some spans, which may overlap, leave of the events from start to end."""
    for first, last in sorted(spans):
        if first > start:
            yield start, min(first, end)
        start = max(start, last)
        if start >= end:
            return
    yield start, end
