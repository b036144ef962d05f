"""Clauses as people name them: in a filter ("§ 4.2"), and in a query that asks for one ("ASVS 2.1.1")."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

from pincite.index.view import View
from pincite.model.search import Clause, Filter
from pincite.ranking.query import EDGES
from pincite.ranking.stopwords import STOPWORDS

_MARK = r"(?:§+|(?:sub)?clause|section|sec\.|article|art\.|requirement|control|annex|appendix)"
_NUMBER = r"(?:[A-Za-z]{0,6}\d+(?:\.\d+)+(?:\.?[a-z])?|[A-Za-z](?:\.\d+)+)"
_PART = r"(?:\u00a7+|(?:sub)?clause|section|sec\.|article|art\.|annex|appendix)"
_LEADING_MARK = re.compile(rf"{_MARK}\s*(?=[\w.])", re.IGNORECASE)
_IN_QUERY = re.compile(
    rf"(?P<mark>(?i:{_MARK})\s*)?(?<![\w./-])(?P<number>{_NUMBER})(?![\w.-]*\w)"
    rf"|(?P<part>(?i:{_PART})\s*)(?P<short>\d{{1,3}}[a-z]?|[A-Z])(?![\w.-]*\w)"
)
_LAST = re.compile(r"(?<!\S)(?P<number>\d{1,3})\s*\Z")
"""A chapter, by its number alone or after a document's name: "GDPR 17"."""
_TOKEN = re.compile(rf"(?:\u00a7\s*)?(?P<number>{_NUMBER}|\d{{1,3}}|[A-Z])[.:)]?")
"""What may be the number of a clause that is named by its heading, too."""
_LETTERS = re.compile(r"[A-Za-z]{1,8}[-_ ]?(?=\d)")
"""Letters that a document, or a reader, writes before its numbers: "V2.1.1"."""
_LABEL = re.compile(r"(?=[^\d]*\d)(?=[\d.]*[^\d.])[\w/][\w./-]*\w")
_VERSION = re.compile(r"\d+(?:\.\d+)+")
MIN_TITLE_WORDS = 2
"""Content words of the shortest title that a query names among other words; one word is rarely meant as a title."""

MIN_TITLE_SHARE = 2 / 3
"""Share of a query's content words that a title must hold for the query to ask for its section."""

_WORD = re.compile(r"[^\W_]+")
_SAYS_NOTHING = STOPWORDS | {"clause", "section", "requirement", "say", "says", "text", "show", "read", "quote"}


def clause(written: str) -> Clause:
    """Return the clause that a filter names: "5.3", "§ 5.3", "section 5.3"; after "=" that clause alone."""
    number = written.strip()
    exact = number.startswith("=")
    number = _LEADING_MARK.sub("", number.removeprefix("=").strip(), count=1)
    return Clause(number.strip().rstrip("."), exact)


def as_spelt(view: View, where: Filter) -> Filter:
    """Return a filter with its clauses as the documents spell them, if none has them as they are written.

    Letter case is ignored ("a.2"), then the letters before a number that only the reader writes ("V2.1" for "2.1"), or
    only the document ("2.1" for "V2.1").
    """
    filters = (replace(where, clauses=clauses) for clauses in _spellings(where.clauses) if clauses)
    return next((spelt for spelt in filters if view.snapshot.chunk_ids(spelt)), where)


def _spellings(clauses: Sequence[Clause]) -> Iterator[tuple[Clause, ...]]:
    yield tuple(clauses)
    yield tuple(Clause(spelt, exact) for number, exact in clauses for spelt in (number.upper(), number.lower()))
    yield tuple(Clause(_LETTERS.sub("", number, count=1), exact) for number, exact in clauses)
    lettered = (Clause(letter + number, exact) for number, exact in clauses for letter in ascii_uppercase)
    yield tuple(clause for clause in lettered if clause.number[1:2].isdigit())


def is_inherited(number: str, headings: Sequence[str]) -> bool:
    """Return True if a heading above the last one has a clause number that the last one lacks.

    "Capital Expenditures" in "Part II" of an annual report has the number of a part of sixty pages.

    Args:
        number: The number.
        headings: From the outermost to the section's own.
    """
    if not number or not headings:
        return False
    # "Part II" is written "PART II", too.
    mentioned = re.compile(rf"(?<![\w.]){re.escape(number.rpartition(' ')[2])}(?!\w|\.\w)")
    return not mentioned.search(headings[-1]) and any(map(mentioned.search, headings[:-1]))


@dataclass(frozen=True, slots=True)
class NamedClause:
    """A clause that a query names.

    Attributes:
        clause: The clause.
        documents: The documents that the query names, too; None if it names none.
        alone: Whether the query says nothing else.
    """

    clause: Clause
    documents: frozenset[int] | None
    alone: bool = True


def named_clause(query: str, documents: Iterable[tuple[int, str]]) -> NamedClause | None:
    """Return the clause that a query asks for: its number after "clause" or alike, or with a document's name alone.

    "TLS 1.2" names no clause, unless a document is called TLS.

    Args:
        query: The query.
        documents: Ids and names of documents.
    """
    numbers = [*_IN_QUERY.finditer(query)]
    marked = [number for number in numbers if number["mark"] or number["part"]]
    # Other numbers are the document's: "WCAG 2.2 1.4.3".
    number = next(reversed(marked or numbers), None) or _LAST.search(query)
    if number is None:
        return None
    rest = query[: number.start()] + " " + query[number.end() :]
    words = [word for word in map(str.casefold, _WORD.findall(rest)) if word not in _SAYS_NOTHING]
    named = frozenset(document for document, name in documents if _names(words, name))
    meant = Clause(number["number"] or number["short"], exact=True)
    if words and not named:
        return NamedClause(meant, None, alone=False) if marked and len(numbers) == 1 else None
    return NamedClause(meant, named or None)


def headed_clauses(query: str) -> Iterator[tuple[Clause, Sequence[str]]]:
    """Yield each clause that a query may name by number and heading, and its other words: "RFC 9113 6 Frames"."""
    tokens = query.split()
    for position, token in enumerate(tokens):
        number = _TOKEN.fullmatch(token)
        rest = _WORD.findall(" ".join(tokens[:position] + tokens[position + 1 :]).casefold())
        if number and (words := [word for word in rest if word not in _SAYS_NOTHING]):
            yield Clause(number["number"], exact=True), words


def is_headed(headings: Iterable[str], words: Sequence[str], document: str) -> bool:
    """Return True if words are those of one of some headings, or of its beginning, and of the document's name."""
    for heading in headings:
        in_heading = {word.casefold() for word in _WORD.findall(heading)}
        others = [word for word in words if word not in in_heading]
        has_title = any(word in in_heading and not word.isdigit() for word in words)
        if has_title and (not others or _names(others, document)):
            return True
    return False


def is_numbered(numbers: Iterable[str], clause: Clause) -> bool:
    """Return True if a clause is one of some numbers, but for the letters before it and their case."""
    return _bare(clause.number) in map(_bare, numbers)


def _bare(number: str) -> str:
    return _LETTERS.sub("", number.casefold(), count=1)


def named_label(query: str) -> re.Pattern[str] | None:
    """Return what matches the label of a requirement that a query consists of: "REQ-12", "What is SRS-004?"."""
    words = [word.strip(EDGES + "[]()") for word in query.split()]
    content = [word for word in words if word and word.casefold() not in _SAYS_NOTHING]
    if len(content) != 1 or not _LABEL.fullmatch(content[0]):
        return None
    return re.compile(rf"(?<![\w./-]){re.escape(content[0])}(?![\w/-]|\.\w)", re.IGNORECASE)


def _names(words: Sequence[str], name: str) -> bool:
    """Return True for words of a document's name, or its number however that is spaced: "RFC 8446" is `rfc8446`."""
    in_name = [word.casefold() for word in _WORD.findall(name)]
    if all(word.isdigit() for word in words):
        return False
    joined = "".join(words)
    return {*words} <= {*in_name} or (any(map(str.isdigit, joined)) and joined in "".join(in_name))


def names_title(query: str, title: str) -> bool:
    """Return True if a query asks for a section by its title: the title in sequence, and little else.

    A title with a version number ("Version 4.1.0") is meant by any query that has it.

    Args:
        query: The query.
        title: The section's title without its number.
    """
    typed, words = _tokens(query), _tokens(title)
    positions = range(len(typed) - len(words) + 1)
    if not words or not any(typed[start : start + len(words)] == words for start in positions):
        return False
    if len(words) == len(typed):
        return True
    named = [word for word in words if word not in STOPWORDS]
    content = [word for word in typed if word not in STOPWORDS]
    has_version = any(map(_VERSION.fullmatch, words))
    return len(named) >= MIN_TITLE_WORDS and (has_version or len(named) >= MIN_TITLE_SHARE * len(content))


def _tokens(text: str) -> list[str]:
    return [token for word in text.split() if (token := word.strip(EDGES).casefold())]


def enclosing(named: Clause) -> Clause | None:
    """Return the clause around one, by its number; None if that is a chapter: too much to be meant."""
    number = named.number.rpartition(".")[0]
    return Clause(number, named.exact) if "." in number else None
