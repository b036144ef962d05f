"""A document of four paragraphs, and what of it a quote is found to be."""

from pincite.evidence.quotes import verify
from pincite.evidence.search import prepare

TEXT = "One limit here.\n\nThe **second** limit is twelve.\n\nThe third part says something else.\n\nOne limit here.\n"


def cut(quote: str, place: str, text: str = TEXT) -> tuple[str, list[str]]:
    start = text.index(place)
    found = verify(quote, prepare(text), (start, start + len(place)))
    return found.verdict.value, [text[slice(*span)] for span in found.spans]


FIRST = "the second limit is twelve"


SECOND = "The third part says something"
