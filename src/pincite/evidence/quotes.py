"""Classify a quote: exact, normalised, moved, stitched or absent."""

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
from pincite.text.quotation_marks import CLOSING

_ELLIPSIS = re.compile(r"[\[(]?(?:…|\.(?:[ \xa0]?\.){2,})[\])]?")
_OUTER_DASH = re.compile(r"\A\s*[-\u2010-\u2015]{1,3}(?=\s+\D)|(?<=\s)[-\u2010-\u2015]{1,3}\s*\Z")
"""A dash before a quote's first word or after its last; before a number it may be a sign."""
_MAX_ELLIPSES = 6
"""Maximum number of ellipses whose subsets are tried as omissions; of more, all or none are."""


_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_CLOSING = {
    **CLOSING,
    **dict(zip("'‹›‘", "'›‹’", strict=True)),  # noqa: RUF001 - they are the marks that are meant
    "‚": "‘’",  # noqa: RUF001 - as above
}
"""Closing quotation marks by opening mark."""


class Verdict(StrEnum):
    """How a quote occurs in a document.

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
    """The result of verifying a quote.

    Attributes:
        verdict: How the quote matches.
        spans: Spans of the match in the document's text: one, one per part in the quote's order, or none.
    """

    verdict: Verdict
    spans: tuple[Span, ...] = ()


def verify(
    quote: str,
    document: Prepared,
    cited_span: Span,
    call: Call | None = None,
    file_order: Callable[[], FileOrder | None] | None = None,
    *,
    in_parts: bool = True,
) -> Finding:
    """Verify a quote, without similarity measures and never matching inside a word or a number.

    A quote partly outside the cited span is `moved`. Of several occurrences the first in the cited span counts,
    then the nearest to it.

    Args:
        quote: The quote.
        document: The document, from `prepare`.
        cited_span: The cited span of the document's text.
        call: Checked for cancellation.
        file_order: Returns the document in the file's order, or None if that is the same; called at most once,
            if the quote is not in the cited span of the document itself.
        in_parts: Whether a quote may be stitched; the search for parts takes most of the time of an absent quote.

    Raises:
        InvalidInput: The quote has no letter and no digit.
        Cancelled: The call is cancelled.
        TimeoutExceeded: The deadline has passed.
    """
    call = call or Call()
    check_words(quote)
    # From the strictest reading to the loosest: the first that matches is the verdict.
    written = as_written(quote)
    variants = _variants(quote)
    wordings = [written, *_all_readings(variants, document)]
    if finding := _in_cited_span(quote.strip(), wordings, document, cited_span, call):
        return finding
    in_file = file_order() if file_order else None
    file_wordings = [written, *_all_readings(variants, in_file.prepared)] if in_file else []
    if in_file and (span := occurrence(file_wordings, in_file, cited_span)):
        return Finding(Verdict.NORMALISED, (span,))
    moved = nearest(wordings, document, cited_span) or (in_file and elsewhere(file_wordings, in_file, cited_span))
    if moved:
        return Finding(Verdict.MOVED, (moved,))
    for variant in (quote, *filter(None, [_unquoted(quote)])) if in_parts else ():
        if parts := _stitched(variant, document, cited_span, call):
            return Finding(Verdict.STITCHED, parts)
    return Finding(Verdict.ABSENT)


def check_words(quote: str) -> None:
    """Check that a quote can be verified.

    Raises:
        InvalidInput: It has no letter and no digit.
    """
    if not any(map(str.isalnum, quote)):
        raise InvalidInput("The quote has no word and no number. Quote the document's own words.")


def _in_cited_span(
    quote: str, wordings: Sequence[Wording], document: Prepared, cited_span: Span, call: Call
) -> Finding | None:
    """Return the first occurrence in the cited span that equals the quote, else the first one."""
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


def _all_readings(variants: Sequence[str], document: Prepared) -> list[Wording]:
    return [wording for variant in variants for wording in readings(variant, document)]


def _variants(quote: str) -> list[str]:
    """Return a quote, then the quote without surrounding ellipses and dashes, then also without quotation marks."""
    trimmed = _trimmed(quote)
    return list(dict.fromkeys(filter(None, (quote, trimmed, _unquoted(trimmed)))))


def _unquoted(quote: str) -> str | None:
    """Return a quote without the pair of quotation marks around all of it; None if there is no such pair."""
    stripped = quote.strip()
    first, inner, last = stripped[:1], stripped[1:-1], stripped[-1:]
    if last not in _CLOSING.get(first, ()) or not inner:
        return None
    # The marks must enclose the whole quote: in `"a" and "b"` they close in between.
    depth = 0
    for mark in (character for character in _APOSTROPHE.sub("", inner) if character in first + last):
        depth += -1 if mark == last else 1
        if depth < 0:
            return None
    return None if depth else inner


def _trimmed(quote: str) -> str:
    """Return a quote without leading and trailing ellipses and dashes."""
    letters = [place for place, character in enumerate(quote) if character.isalnum()]
    outer = (match for match in _ELLIPSIS.finditer(quote) if match.end() <= letters[0] or match.start() > letters[-1])
    return _OUTER_DASH.sub("", "".join(_pieces(quote, outer)))


def _pieces(quote: str, ellipses: Iterable[re.Match[str]]) -> tuple[str, ...]:
    """Return the pieces of a quote between these ellipses that have a letter or digit."""
    cuts = [0, *(place for ellipsis in ellipses for place in ellipsis.span()), len(quote)]
    pieces = (quote[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=True))
    return tuple(piece for piece in pieces if any(map(str.isalnum, piece)))


def _splits(quote: str) -> Iterator[tuple[str, ...]]:
    """Yield the ways to split a quote at its ellipses: some may mark omissions, others may be in the document."""
    ellipses = list(_ELLIPSIS.finditer(quote))
    yield _pieces(quote, ellipses)
    for number in range(min(stitching.MAX_PARTS + 1, len(ellipses)) if len(ellipses) <= _MAX_ELLIPSES else 1):
        yield from (_pieces(quote, chosen) for chosen in combinations(ellipses, number))


def _stitched(quote: str, document: Prepared, cited_span: Span, call: Call) -> tuple[Span, ...]:
    for texts in dict.fromkeys(_splits(quote)):
        spans: list[Span] = []
        for number, text in enumerate(texts, 1):
            # Leave at least one part for each of the remaining pieces.
            most = stitching.MAX_PARTS - len(spans) - (len(texts) - number)
            parts = _parts(text, most, document, cited_span, call)
            if not parts:
                break
            spans.extend(parts)
        else:
            if len(spans) > 1:
                return tuple(spans)
    return ()


def _parts(text: str, most: int, document: Prepared, cited_span: Span, call: Call) -> tuple[Span, ...]:
    for words in (as_written(text), *readings(text, document)) if most > 0 else ():
        if parts := stitching.parts(words, most, document, cited_span, call):
            return parts
    return ()
