"""Spans of chunks in their document's text; the spans of different chunks may overlap."""

from collections.abc import Iterable, Sequence

from pincite.model.store import StoredChunk

Span = tuple[int, int]
"""First character in the document's text, and one past the last."""


def section_of(locator: str) -> str:
    """Return the locator of a chunk's section."""
    return locator.partition("-")[0]


def span_of(chunks: Iterable[StoredChunk]) -> Span:
    """Return the span from the first to the last character of these chunks; (0, 0) without chunks."""
    spans = [(stored.chunk.start, stored.chunk.end) for stored in chunks]
    return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else (0, 0)


def section_spans(chunks: Iterable[StoredChunk]) -> list[Span]:
    """Return the span of each section that these chunks belong to, in the order of its first chunk."""
    sections: dict[str, list[StoredChunk]] = {}
    for stored in chunks:
        sections.setdefault(section_of(stored.chunk.locator), []).append(stored)
    return [span_of(parts) for parts in sections.values()]


def partition(chunks: Sequence[StoredChunk], length: int) -> list[Span]:
    """Return a span for each chunk, so that the spans partition a text of this length.

    Each begins where the one before it ends: what two chunks share belongs to the first, what no chunk has to the
    next.
    """
    spans: list[Span] = []
    start = 0
    for number, stored in enumerate(chunks, 1):
        end = length if number == len(chunks) else max(start, stored.chunk.end)
        spans.append((start, end))
        start = end
    return spans
