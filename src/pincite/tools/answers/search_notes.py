"""What a search says of its own result."""

from pincite.index.retriever import RetrievalResult
from pincite.ranking.relevance import LOW

LOW_RELEVANCE = "The documents may not cover this question: judge the passages by what they say."


def low_relevance(result: RetrievalResult) -> str | None:
    """Return that the documents may not speak of the question at all; None if they do, or nothing was found."""
    is_low = result.relevance is not None and result.relevance < LOW
    return LOW_RELEVANCE if is_low and result.hits else None
