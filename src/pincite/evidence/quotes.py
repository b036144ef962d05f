"""Whether a quote stands in a document: word for word, in another typography, elsewhere, in pieces, or not."""

import re
from dataclasses import dataclass
from enum import StrEnum

from pincite.errors import InvalidInput
from pincite.evidence import stitching
from pincite.evidence.nearness import nearest
from pincite.evidence.search import Prepared, Span, Wording, as_written, occurrences, readings

_ELLIPSIS = re.compile(r"[\[(]?(?:…|\.(?:[ \xa0]?\.){2,})[\])]?")


class Verdict(StrEnum):
    """How a quote stands in a document.

    Attributes:
        EXACT: At the place, character by character, runs of white space aside.
        NORMALISED: At the place, in another typography: dashes, quotes, spaces, ligatures, hyphens at line ends,
            the case of words that are no symbols, an ellipsis around it, markup.
        MOVED: One of both, elsewhere in the document.
        STITCHED: In two to four parts, each long enough and one of these three, nothing left over.
        ABSENT: Anything less.
    """

    EXACT = "exact"
    NORMALISED = "normalised"
    MOVED = "moved"
    STITCHED = "stitched"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of looking for a quote.

    Attributes:
        verdict: How it stands there.
        spans: Where, in the document's text; one, or one for each part in the quote's order, or none.
    """

    verdict: Verdict
    spans: tuple[Span, ...] = ()


def verify(quote: str, document: Prepared, place: Span) -> Finding:
    """Look for a quote in a document; never by similarity, and never inside a word or a number.

    A quote that stands partly outside the place is `moved`; of several occurrences the first in the place counts,
    then the nearest to it.

    Args:
        quote: What is said to stand there.
        document: The document, made ready by `prepare`.
        place: Where it is said to stand, as a span of the document's text.

    Raises:
        InvalidInput: The quote has no letter and no digit.
    """
    if not any(map(str.isalnum, quote)):
        raise InvalidInput("The quote holds no word and no number. Give the words as they stand in the document.")
    written, pieces = as_written(quote), _pieces(quote)
    read = readings(quote, document) + (readings(pieces[0], document) if len(pieces) == 1 else [])
    for verdict, words in ((Verdict.EXACT, [written]), (Verdict.NORMALISED, read)):
        for wording in words:
            for span in occurrences(wording, document, place):
                return Finding(verdict, (span,))
    elsewhere = nearest([written, *read], document, place)
    if elsewhere:
        return Finding(Verdict.MOVED, (elsewhere,))
    parts = _stitched(quote, pieces, document, place)
    return Finding(Verdict.STITCHED, parts) if parts else Finding(Verdict.ABSENT)


def _pieces(quote: str) -> list[str]:
    """What stands between ellipses."""
    return [piece for piece in _ELLIPSIS.split(quote) if any(map(str.isalnum, piece))]


def _stitched(quote: str, pieces: list[str], document: Prepared, place: Span) -> tuple[Span, ...]:
    for texts in dict.fromkeys([(quote,), tuple(pieces)]):
        spans: list[Span] = []
        for text in texts:
            left = stitching.MOST_PARTS - len(spans) - (len(texts) - 1)
            found = _parts([as_written(text), *readings(text, document)], left, document, place) if left > 0 else ()
            if not found:
                break
            spans.extend(found)
        else:
            if 1 < len(spans) <= stitching.MOST_PARTS:
                return tuple(spans)
    return ()


def _parts(read: list[Wording], most: int, document: Prepared, place: Span) -> tuple[Span, ...]:
    return next(filter(None, (stitching.parts(words, most, document, place) for words in read)), ())
