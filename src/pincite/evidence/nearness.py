"""Of several occurrences the one that is nearest to a place."""

from collections.abc import Iterable

from pincite.evidence.search import Prepared, Span, Wording, neighbours


def nearest(wordings: Iterable[Wording], document: Prepared, cited_span: Span) -> Span | None:
    """The occurrence that is nearest to a place; of two as near the earlier wording's, then the earlier one."""
    found = [span for words in wordings for span in neighbours(words, document, cited_span[1])]
    return min(found, key=lambda span: max(0, cited_span[0] - span[1], span[0] - cited_span[1]), default=None)
