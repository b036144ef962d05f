"""A document made ready once, and where something stands in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pincite.evidence.agreement import GAP, agree, lower, squeeze
from pincite.evidence.boundaries import is_boundary
from pincite.evidence.characters import Edit, fold
from pincite.evidence.mapped import Mapped, replaced, without
from pincite.evidence.markup import in_document, in_quote, labels

Span = tuple[int, int]

_TRIES = 50_000
_COMPARED = 5_000_000
"""Bounds on occurrences that are looked at, and on their characters together; only texts made to be slow reach them."""
_FEWEST_TRIES = 20
_SPACES = re.compile(r"(?: \s|[^\S ])\s*+")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document's text in the forms in which a quote is looked for.

    Attributes:
        text: The text.
        plain: With each run of white space as one space.
        folded: Without markup, characters folded (`fold`).
        sought: `folded` in lower case without its gaps; maps to `folded`.
        labels: Names of the links that the text defines.
    """

    text: str
    plain: Mapped
    folded: Mapped
    sought: Mapped
    labels: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wording:
    """A quote, or a part of one, as it is looked for.

    Attributes:
        folded: Without markup, characters folded; None where it is looked for as written.
        sought: What is looked for.
    """

    folded: str | None
    sought: str


def prepare(text: str) -> Prepared:
    """Make a text ready for any number of quotes; about 0.2 ms a kilobyte."""
    folded = fold(text, in_document(text))
    sought = without(folded.text, GAP)
    plain = replaced(text, _SPACES, " ")
    return Prepared(text, plain, folded, replace(sought, text=lower(sought.text)), labels(text))


def as_written(quote: str) -> Wording:
    """A quote to be found character by character, white space aside."""
    return Wording(None, " ".join(quote.split()))


def readings(quote: str, document: Prepared) -> list[Wording]:
    """A quote read as text, and read as Markdown where that is something else."""
    edits: list[list[Edit]] = [[], in_quote(quote, document.labels)]
    texts = dict.fromkeys(fold(quote, found).text.strip(" ") for found in edits)
    return [wording(text) for text in texts if any(map(str.isalnum, text))]


def wording(folded: str) -> Wording:
    """A part of a folded text."""
    return Wording(folded, lower(squeeze(folded)))


def occurrences(
    words: Wording, document: Prepared, within: Span | None = None, *, last: bool = False
) -> Iterator[Span]:
    """Spans of the document's text where a wording stands, in order, or from the last to the first.

    Args:
        words: The wording.
        document: Where to look.
        within: The part of its text to look in; all of it by default.
        last: Whether to begin at the end.
    """
    haystack = _haystack(words, document)
    low, high = (0, len(haystack)) if within is None else (_index(words, document, place) for place in within)
    for index in _indices(haystack, words.sought, low, high, last=last):
        span = _span(words, document, index)
        if span and (within is None or (within[0] <= span[0] and span[1] <= within[1])):
            yield span


def begins(words: Wording, document: Prepared) -> bool:
    """Whether a wording stands in the document from the beginning of a word on, wherever it ends."""
    haystack = _haystack(words, document)
    for index in _indices(haystack, words.sought, 0, len(haystack)):
        if words.folded is None and is_boundary(document.text, document.plain.start(index)):
            return True
        if words.folded is not None and is_boundary(document.folded.text, document.sought.start(index)):
            return True
    return False


def _haystack(words: Wording, document: Prepared) -> str:
    return document.plain.text if words.folded is None else document.sought.text


def _indices(haystack: str, needle: str, low: int, high: int, *, last: bool = False) -> Iterator[int]:
    for _ in range(min(_TRIES, max(_FEWEST_TRIES, _COMPARED // max(1, len(needle))))):
        index = haystack.rfind(needle, low, high) if last else haystack.find(needle, low, high)
        if index < 0:
            return
        yield index
        low, high = (low, index + len(needle) - 1) if last else (index + 1, high)


def _index(words: Wording, document: Prepared, place: int) -> int:
    if words.folded is None:
        return document.plain.first_at(place)
    return document.sought.first_at(document.folded.first_at(place))


def _span(words: Wording, document: Prepared, index: int) -> Span | None:
    end = index + len(words.sought)
    if words.folded is None:
        span = document.plain.span(index, end)
        return span if is_boundary(document.text, span[0]) and is_boundary(document.text, span[1]) else None
    start, stop = document.sought.span(index, end)
    folded = document.folded.text
    if not (is_boundary(folded, start) and is_boundary(folded, stop) and agree(words.folded, folded[start:stop])):
        return None
    return document.folded.span(start, stop)
