"""Of several occurrences the one that is nearest to a place."""

from collections.abc import Iterable

from pincite.evidence.search import Prepared, Span, Wording, occurrences


def nearest(wordings: Iterable[Wording], document: Prepared, place: Span) -> Span | None:
    """The occurrence of any of some wordings that is nearest to a place; the earlier wording wins, then the earlier place."""
    best: Span | None = None
    for words in wordings:
        for span in _neighbours(words, document, place):
            if best is None or _distance(span, place) < _distance(best, place):
                best = span
    return best


def _neighbours(words: Wording, document: Prepared, place: Span) -> list[Span]:
    """The last occurrence that begins before the place's end, and the first that ends after its beginning."""
    start, end = place
    before = occurrences(words, document, (0, end), last=True)
    after = occurrences(words, document, (start, len(document.text)))
    return [span for found in (before, after) for span in [next(iter(found), None)] if span]


def _distance(span: Span, place: Span) -> int:
    return max(0, place[0] - span[1], span[0] - place[1])
