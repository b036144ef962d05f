"""Select the occurrence nearest to a cited span."""

from collections.abc import Iterable

from pincite.evidence.search import Prepared, Span, Wording, neighbours


def nearest(wordings: Iterable[Wording], document: Prepared, cited_span: Span) -> Span | None:
    """Return the occurrence nearest to a cited span; ties by the order of the wordings, then of the text."""
    spans = [span for words in wordings for span in neighbours(words, document, cited_span[1])]
    return min(spans, key=lambda span: max(0, cited_span[0] - span[1], span[0] - cited_span[1]), default=None)
