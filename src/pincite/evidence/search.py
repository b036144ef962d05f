"""A document made ready once, and where something stands in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from pincite.evidence.agreement import GAP, agree, first_letter, lower, may_be_capital, squeeze
from pincite.evidence.boundaries import is_boundary
from pincite.model.call import Call
from pincite.text.characters import CELL, Edit, fold
from pincite.text.mapped import Mapped, replaced, without
from pincite.text.markup import in_document, in_quote, labels

Span = tuple[int, int]

_TRIES = 50_000
_COMPARED = 5_000_000
"""Bounds on occurrences that are looked at, and on their characters together; only texts made to be slow reach them."""
_FEWEST_TRIES = 20
_MARKS = 40
"""Characters of markup and white space that may stand between what was found and a link's address."""
_HIDING = re.compile(r"\][\[(]|<!--|<[^>]*=")
_HEADING = re.compile(
    r"^ {0,3}#{1,6}[ \t]+|^(?=[^\r\n]*\S[^\r\n]*\r?\n {0,3}(?:=+|-{2,})[ \t]*\r?$)|<h[1-6]\b[^<>]{0,1000}>",
    re.MULTILINE,
)
"""What stands before the text of a heading."""

_EDGES = f" {CELL}"
_SPACES = re.compile(r"(?: \s|[^\S ])\s*+")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document's text in the forms in which a quote is looked for.

    Attributes:
        text: The text.
        plain: With each run of white space as one space.
        folded: Without markup, characters folded (`fold`).
        cased: `folded` without its gaps.
        sought: The same in lower case; maps to `folded`.
        labels: Names of the links that the text defines.
    """

    text: str
    plain: Mapped
    folded: Mapped
    cased: str
    sought: Mapped
    labels: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wording:
    """A quote, or a part of one, as it is looked for.

    Attributes:
        folded: Without markup, characters folded; None where it is looked for as written.
        sought: What is looked for.
        cased: The same in its own letter case.
        hidden: Addresses and attributes in its markup, which must stand in the document's markup, too.
    """

    folded: str | None
    sought: str
    cased: str
    hidden: tuple[str, ...] = ()


def prepare(text: str, call: Call | None = None) -> Prepared:
    """Make a text ready for any number of quotes; about 0.3 ms a kilobyte.

    Args:
        text: The document's text.
        call: Whom it is for.

    Raises:
        Cancelled: The caller went away.
        TimeoutExceeded: The deadline has passed.
    """
    call = call or Call()
    folded = fold(text, in_document(text, call), call)
    sought = without(folded.text, GAP)
    call.check()
    plain = replaced(text, _SPACES, " ")
    return Prepared(text, plain, folded, sought.text, replace(sought, text=lower(sought.text)), labels(text))


def as_written(quote: str) -> Wording:
    """A quote to be found character by character, white space aside."""
    words = " ".join(quote.split())
    return Wording(None, words, words)


def readings(quote: str, document: Prepared) -> list[Wording]:
    """A quote read as text, and read as Markdown where that is something else."""
    found: dict[str, Wording] = {}
    for edits in ([], in_quote(quote, document.labels)):
        words = wording(fold(quote, edits).text.strip(_EDGES), _hidden(quote, edits))
        if any(map(str.isalnum, words.sought)):
            found.setdefault(words.folded or "", words)
    return list(found.values())


def _hidden(quote: str, edits: list[Edit]) -> tuple[str, ...]:
    sources = [" ".join(quote[start:end].split()) for start, end, reading in edits if not reading.strip()]
    return tuple(source for source in sources if _HIDING.match(source))


def wording(folded: str, hidden: tuple[str, ...] = ()) -> Wording:
    """A folded text, or a part of one, as it is looked for."""
    cased = squeeze(folded)
    return Wording(folded, lower(cased), cased, hidden)


def hidden_stands(words: Wording, document: Prepared, *spans: Span) -> bool:
    """Whether what a wording's markup holds stands, in its order, in or right behind what was found for it."""
    if not words.hidden:
        return True
    longest = max(map(len, words.hidden))
    cut = " ".join(" ".join(document.text[start : end + longest + _MARKS].split()) for start, end in spans)
    position = 0
    for hidden in words.hidden:
        position = cut.find(hidden, position) + len(hidden)
        if position < len(hidden):
            return False
    return True


def occurrences(words: Wording, document: Prepared, within: Span) -> Iterator[Span]:
    """Spans of the document's text where a wording stands wholly inside a span of it, in order."""
    text = haystack(words, document)
    low, high = (_index(words, document, place) for place in within)
    for index in _indices(text, words.sought, low, high):
        span = _span(words, document, index)
        if span and within[0] <= span[0] and span[1] <= within[1]:
            yield span


def neighbours(words: Wording, document: Prepared, place: int) -> Iterator[Span]:
    """Where a wording stands last before a place (it may reach over it), and first after it."""
    text = haystack(words, document)
    middle = _index(words, document, place)
    before = _indices(text, words.sought, 0, middle + len(words.sought) - 1, last=True)
    after = _indices(text, words.sought, middle, len(text))
    for indices in (before, after):
        yield from islice(filter(None, (_span(words, document, index) for index in indices)), 1)


def begins(words: Wording, document: Prepared) -> bool:
    """Whether a wording stands in the document from the beginning of a word on, wherever it ends."""
    text = haystack(words, document)
    for index in _indices(text, words.sought, 0, len(text)):
        if words.folded is None and is_boundary(document.text, document.plain.start(index)):
            return True
        is_begin = words.folded is not None and is_boundary(document.folded.text, document.sought.start(index))
        if is_begin and _same_case(words, document, index):
            return True
    return False


def haystack(words: Wording, document: Prepared) -> str:
    """The form of the document in which a wording is looked for."""
    return document.plain.text if words.folded is None else document.sought.text


def _indices(text: str, needle: str, low: int, high: int, *, last: bool = False) -> Iterator[int]:
    for _ in range(min(_TRIES, max(_FEWEST_TRIES, _COMPARED // max(1, len(needle))))):
        index = text.rfind(needle, low, high) if last else text.find(needle, low, high)
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
    if not (
        is_boundary(folded, start)
        and is_boundary(folded, stop)
        and _same_case(words, document, index)
        and agree(words.folded, folded[start:stop])
    ):
        return None
    span = document.folded.span(start, stop)
    return span if hidden_stands(words, document, span) else None


def _same_case(words: Wording, document: Prepared, index: int) -> bool:
    """Whether a wording has the letter case of what was found at an index of `sought`.

    A standard's MUST is no must; but the first letter of the quote, and of a heading in it, may differ.
    """
    found = document.cased[index : index + len(words.cased)]
    if words.folded is None or words.cased == found:
        return True
    differing = {
        place for place, letters in enumerate(zip(words.cased, found, strict=True)) if letters[0] != letters[1]
    }
    first = first_letter(words.folded)
    if first is not None and may_be_capital(words.folded, first):
        differing.discard(len(squeeze(words.folded[:first])))
    return not differing or differing <= set(_headings(document, index, index + len(found)))


def _headings(document: Prepared, index: int, end: int) -> Iterator[int]:
    """Where, from an index of `sought` on, headings begin whose first letter may be small or a capital."""
    span = document.folded.span(*document.sought.span(index, end))
    for heading in _HEADING.finditer(document.text, *span):
        letter = document.folded.first_at(heading.end())
        if may_be_capital(document.folded.text, letter):
            yield document.sought.first_at(letter) - index
