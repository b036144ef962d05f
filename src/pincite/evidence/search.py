"""Prepare a document once, and find wordings in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from pincite.evidence.agreement import GAP, first_letter, has_same_gaps, lower, may_be_capital, squeeze
from pincite.evidence.boundaries import is_boundary
from pincite.model.call import Call
from pincite.text.characters import CELL, Edit, fold
from pincite.text.mapped import Mapped, replaced, without
from pincite.text.markup import in_document, in_quote, labels

Span = tuple[int, int]

_MAX_OCCURRENCES = 50_000
_MAX_COMPARED_CHARS = 5_000_000
"""Limits on the examined occurrences and on their total length; only texts crafted to be slow reach them."""
_MIN_OCCURRENCES = 20
_MAX_MARKUP_CHARS = 40
"""Maximum number of characters of markup and white space between a match and a link's address."""
_HIDING = re.compile(r"\][\[(]|<!--|<[^>]*=")
_HEADING = re.compile(
    r"^ {0,3}#{1,6}[ \t]+|^(?=[^\r\n]*\S[^\r\n]*\r?\n {0,3}(?:=+|-{2,})[ \t]*\r?$)|<h[1-6]\b[^<>]{0,1000}>",
    re.MULTILINE,
)
"""The markup before the text of a heading."""

_KEPT_READINGS = 256
"""Quotes whose readings are kept: one value is looked for in every cell of a row."""

_EDGES = f" {CELL}"
_SPACES = re.compile(r"(?: \s|[^\S ])\s*+")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document's text in the normal forms in which quotes are searched.

    Attributes:
        text: The text.
        plain: With each run of white space as one space.
        folded: Without markup, characters folded (`fold`).
        cased: `folded` without its gaps.
        squeezed: `cased` in lower case; maps to `folded`.
        labels: Labels of the link definitions in the text.
    """

    text: str
    plain: Mapped
    folded: Mapped
    cased: str
    squeezed: Mapped
    labels: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wording:
    """A quote, or a part of one, in the form in which it is searched.

    Attributes:
        folded: Without markup, characters folded; None if it is searched as written.
        squeezed: The string to search: `folded` without gaps in lower case, or the text as written.
        cased: The same in its own case.
        hidden: Addresses and attributes in its markup, which must also be in the document's markup.
    """

    folded: str | None
    squeezed: str
    cased: str
    hidden: tuple[str, ...] = ()


def prepare(text: str, call: Call | None = None) -> Prepared:
    """Prepare a text for any number of quotes, in about 0.3 ms per kilobyte.

    Args:
        text: The document's text.
        call: Checked for cancellation.

    Raises:
        Cancelled: The call is cancelled.
        TimeoutExceeded: The deadline has passed.
    """
    call = call or Call()
    folded = fold(text, in_document(text, call), call)
    squeezed = without(folded.text, GAP)
    call.check()
    plain = replaced(text, _SPACES, " ")
    return Prepared(text, plain, folded, squeezed.text, replace(squeezed, text=lower(squeezed.text)), labels(text))


def as_written(quote: str) -> Wording:
    """Return a quote as a wording that matches character by character, except white space."""
    words = " ".join(quote.split())
    return Wording(None, words, words)


def readings(quote: str, document: Prepared) -> list[Wording]:
    """Return a quote read as plain text, and read as Markdown if that differs."""
    return list(_readings(quote, document.labels))


@lru_cache(maxsize=_KEPT_READINGS)
def _readings(quote: str, known: frozenset[str]) -> tuple[Wording, ...]:
    distinct: dict[str, Wording] = {}
    for edits in ([], in_quote(quote, known)):
        words = wording(fold(quote, edits).text.strip(_EDGES), _hidden(quote, edits))
        if any(map(str.isalnum, words.squeezed)):
            distinct.setdefault(words.folded or "", words)
    return tuple(distinct.values())


def _hidden(quote: str, edits: list[Edit]) -> tuple[str, ...]:
    sources = [" ".join(quote[start:end].split()) for start, end, reading in edits if not reading.strip()]
    return tuple(source for source in sources if _HIDING.match(source))


def wording(folded: str, hidden: tuple[str, ...] = ()) -> Wording:
    """Return a folded text, or a part of one, as a wording."""
    cased = squeeze(folded)
    return Wording(folded, lower(cased), cased, hidden)


def has_hidden(words: Wording, document: Prepared, *spans: Span) -> bool:
    """Return True if the markup in or right after the matched spans has a wording's hidden texts, in order."""
    if not words.hidden:
        return True
    longest = max(map(len, words.hidden))
    cut = " ".join(" ".join(document.text[start : end + longest + _MAX_MARKUP_CHARS].split()) for start, end in spans)
    position = 0
    for hidden in words.hidden:
        position = cut.find(hidden, position) + len(hidden)
        if position < len(hidden):
            return False
    return True


def occurrences(words: Wording, document: Prepared, within: Span) -> Iterator[Span]:
    """Yield the occurrences of a wording that lie within a span, in order, as spans of the document's text."""
    text = haystack(words, document)
    low, high = (_index(words, document, place) for place in within)
    for index in _indices(text, words.squeezed, low, high):
        span = _span(words, document, index)
        if span and within[0] <= span[0] and span[1] <= within[1]:
            yield span


def neighbours(words: Wording, document: Prepared, place: int) -> Iterator[Span]:
    """Yield the last occurrence of a wording that starts before a position, and the first that starts after it."""
    text = haystack(words, document)
    middle = _index(words, document, place)
    before = _indices(text, words.squeezed, 0, middle + len(words.squeezed) - 1, last=True)
    after = _indices(text, words.squeezed, middle, len(text))
    for indices in (before, after):
        yield from islice(filter(None, (_span(words, document, index) for index in indices)), 1)


def has_prefix_match(words: Wording, document: Prepared) -> bool:
    """Return True if a wording occurs from the beginning of a word, even if it ends inside one."""
    text = haystack(words, document)
    for index in _indices(text, words.squeezed, 0, len(text)):
        if words.folded is None and is_boundary(document.text, document.plain.start(index)):
            return True
        is_begin = words.folded is not None and is_boundary(document.folded.text, document.squeezed.start(index))
        if is_begin and _has_same_case(words, document, index):
            return True
    return False


def haystack(words: Wording, document: Prepared) -> str:
    """Return the normal form of the document in which a wording is searched."""
    return document.plain.text if words.folded is None else document.squeezed.text


def _indices(text: str, needle: str, low: int, high: int, *, last: bool = False) -> Iterator[int]:
    # Each occurrence costs its length, so long needles get fewer attempts; overlapping ones count, too.
    for _ in range(min(_MAX_OCCURRENCES, max(_MIN_OCCURRENCES, _MAX_COMPARED_CHARS // max(1, len(needle))))):
        index = text.rfind(needle, low, high) if last else text.find(needle, low, high)
        if index < 0:
            return
        yield index
        low, high = (low, index + len(needle) - 1) if last else (index + 1, high)


def _index(words: Wording, document: Prepared, place: int) -> int:
    if words.folded is None:
        return document.plain.first_at(place)
    return document.squeezed.first_at(document.folded.first_at(place))


def _span(words: Wording, document: Prepared, index: int) -> Span | None:
    end = index + len(words.squeezed)
    if words.folded is None:
        span = document.plain.span(index, end)
        return span if is_boundary(document.text, span[0]) and is_boundary(document.text, span[1]) else None
    start, stop = document.squeezed.span(index, end)
    folded = document.folded.text
    if not (
        is_boundary(folded, start)
        and is_boundary(folded, stop)
        and _has_same_case(words, document, index)
        and has_same_gaps(words.folded, folded[start:stop])
    ):
        return None
    span = document.folded.span(start, stop)
    return span if has_hidden(words, document, span) else None


def _has_same_case(words: Wording, document: Prepared, index: int) -> bool:
    """Return True if a wording has the letter case of the match at an index of `squeezed`.

    Case matters: a standard's MUST is not a must. The first letter of the quote, and of a heading in it, may differ.
    """
    match = document.cased[index : index + len(words.cased)]
    if words.folded is None or words.cased == match:
        return True
    differing = {
        place for place, letters in enumerate(zip(words.cased, match, strict=True)) if letters[0] != letters[1]
    }
    first = first_letter(words.folded)
    if first is not None and may_be_capital(words.folded, first):
        differing.discard(len(squeeze(words.folded[:first])))
    return not differing or differing <= set(_headings(document, index, index + len(match)))


def _headings(document: Prepared, index: int, end: int) -> Iterator[int]:
    """Yield the offsets from an index of `squeezed` of headings' first letters that may have either case."""
    span = document.folded.span(*document.squeezed.span(index, end))
    for heading in _HEADING.finditer(document.text, *span):
        letter = document.folded.first_at(heading.end())
        if may_be_capital(document.folded.text, letter):
            yield document.squeezed.first_at(letter) - index
