"""Whether a quote stands in a document: word for word, in another typography, elsewhere, in pieces, or not."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from pincite.errors import InvalidInput
from pincite.evidence import stitching
from pincite.evidence.file_order import FileOrder, elsewhere, occurrence
from pincite.evidence.nearness import nearest
from pincite.evidence.search import Prepared, Span, Wording, as_written, occurrences, readings
from pincite.model.call import Call

_ELLIPSIS = re.compile(r"[\[(]?(?:…|\.(?:[ \xa0]?\.){2,})[\])]?")
_MOST_ELLIPSES = 6
"""More of them are all taken for cuts or none is."""


_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_CLOSING = {
    **dict(zip("\"'“«»‹›‘「『", "\"'”»«›‹’」』", strict=True)),  # noqa: RUF001 - they are the marks that are meant
    "„": "“”",
    "‚": "‘’",  # noqa: RUF001 - as above
}
"""The marks that close what one opens."""


class Verdict(StrEnum):
    """How a quote stands in a document.

    Attributes:
        EXACT: At the place, character by character; white space around the quote is none of it.
        NORMALISED: At the place, with other white space or in another typography: dashes, quotes, ligatures, hyphens at
            line ends, an ellipsis or a pair of quotation marks around it, markup, the case of the first letter of the
            quote or of a heading (of no other); or as the file has a table that the document's text has in rows and
            columns.
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


def verify(
    quote: str,
    document: Prepared,
    cited_span: Span,
    call: Call | None = None,
    file_order: Callable[[], FileOrder | None] | None = None,
) -> Finding:
    """Look for a quote in a document; never by similarity, and never inside a word or a number.

    A quote that stands partly outside the place is `moved`; of several occurrences the first in the place counts,
    then the nearest to it.

    Args:
        quote: What is said to stand there.
        document: The document, made ready by `prepare`.
        cited_span: Where it is said to stand, as a span of the document's text.
        call: Whom it is for.
        file_order: Gives the document as the file has it, where that is something else; asked once, after the
            document itself.

    Raises:
        InvalidInput: The quote has no letter and no digit.
        Cancelled: The caller went away.
        TimeoutExceeded: The deadline has passed.
    """
    call = call or Call()
    if not any(map(str.isalnum, quote)):
        raise InvalidInput("The quote has no word and no number. Quote the document's own words.")
    written = as_written(quote)
    wholes = _wholes(quote)
    read = _all_readings(wholes, document)
    if found := _in_place(quote.strip(), [written, *read], document, cited_span, call):
        return found
    other = file_order() if file_order else None
    read_there = [written, *_all_readings(wholes, other.prepared)] if other else []
    if other and (span := occurrence(read_there, other, cited_span)):
        return Finding(Verdict.NORMALISED, (span,))
    moved = nearest([written, *read], document, cited_span) or (other and elsewhere(read_there, other, cited_span))
    if moved:
        return Finding(Verdict.MOVED, (moved,))
    for whole in (quote, *filter(None, [_unquoted(quote)])):
        if parts := _stitched(whole, document, cited_span, call):
            return Finding(Verdict.STITCHED, parts)
    return Finding(Verdict.ABSENT)


def _in_place(
    quote: str, wordings: Sequence[Wording], document: Prepared, cited_span: Span, call: Call
) -> Finding | None:
    """The first occurrence at the place that is the quote character by character, else the first of all."""
    for number, wording in enumerate(wordings):
        call.check()
        first: Span | None = None
        for span in occurrences(wording, document, cited_span):
            if number or document.text[slice(*span)] == quote:
                return Finding(Verdict.NORMALISED if number else Verdict.EXACT, (span,))
            first = first or span
        if first:
            return Finding(Verdict.NORMALISED, (first,))
    return None


def _all_readings(wholes: Sequence[str], document: Prepared) -> list[Wording]:
    return [wording for whole in wholes for wording in readings(whole, document)]


def _wholes(quote: str) -> list[str]:
    """A quote, then what is left of it without what may stand around one and is not the document's."""
    trimmed = _trimmed(quote)
    return list(dict.fromkeys(filter(None, (quote, trimmed, _unquoted(trimmed)))))


def _unquoted(quote: str) -> str | None:
    """A quote without the one pair of quotation marks around all of it; None where there is none."""
    stripped = quote.strip()
    first, inner, last = stripped[:1], stripped[1:-1], stripped[-1:]
    if last not in _CLOSING.get(first, ()) or not inner:
        return None
    depth = 0
    for mark in (character for character in _APOSTROPHE.sub("", inner) if character in first + last):
        depth += -1 if mark == last else 1
        if depth < 0:
            return None
    return None if depth else inner


def _trimmed(quote: str) -> str:
    """A quote without the ellipses around it."""
    letters = [place for place, character in enumerate(quote) if character.isalnum()]
    outer = (found for found in _ELLIPSIS.finditer(quote) if found.end() <= letters[0] or found.start() > letters[-1])
    return "".join(_pieces(quote, outer))


def _pieces(quote: str, ellipses: Iterable[re.Match[str]]) -> tuple[str, ...]:
    """What stands between some ellipses."""
    cuts = [0, *(place for ellipsis in ellipses for place in ellipsis.span()), len(quote)]
    pieces = (quote[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=True))
    return tuple(piece for piece in pieces if any(map(str.isalnum, piece)))


def _splits(quote: str) -> Iterator[tuple[str, ...]]:
    """The ways to take a quote's ellipses for cuts, since some may stand in the document."""
    ellipses = list(_ELLIPSIS.finditer(quote))
    yield _pieces(quote, ellipses)
    for number in range(min(stitching.MOST_PARTS + 1, len(ellipses)) if len(ellipses) <= _MOST_ELLIPSES else 1):
        yield from (_pieces(quote, chosen) for chosen in combinations(ellipses, number))


def _stitched(quote: str, document: Prepared, cited_span: Span, call: Call) -> tuple[Span, ...]:
    for texts in dict.fromkeys(_splits(quote)):
        spans: list[Span] = []
        for number, text in enumerate(texts, 1):
            most = stitching.MOST_PARTS - len(spans) - (len(texts) - number)
            found = _parts(text, most, document, cited_span, call)
            if not found:
                break
            spans.extend(found)
        else:
            if len(spans) > 1:
                return tuple(spans)
    return ()


def _parts(text: str, most: int, document: Prepared, cited_span: Span, call: Call) -> tuple[Span, ...]:
    for words in (as_written(text), *readings(text, document)) if most > 0 else ():
        if found := stitching.parts(words, most, document, cited_span, call):
            return found
    return ()
