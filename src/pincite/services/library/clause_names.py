"""Clauses as people name them: in a filter ("§ 4.2"), and in a query that asks for one ("ASVS 2.1.1")."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from pincite.model.search import Clause
from pincite.ranking.query import EDGES
from pincite.ranking.stopwords import STOPWORDS

_MARK = r"(?:§+|(?:sub)?clause|section|sec\.|article|art\.|requirement|control|annex|appendix)"
_NUMBER = r"(?:[A-Za-z]{0,6}\d+(?:\.\d+)+|[A-Z](?:\.\d+)+)"
_LEADING_MARK = re.compile(rf"{_MARK}\s*(?=[\w.])", re.IGNORECASE)
_IN_QUERY = re.compile(rf"(?P<mark>(?i:{_MARK})\s*)?(?<![\w.])(?P<number>{_NUMBER})(?![\w.]*\w)")
_VERSION = re.compile(r"\d+(?:\.\d+)+")
MIN_TITLE_WORDS = 2
"""Content words of the shortest title that a query names among other words; one word is rarely meant as a title."""

MIN_TITLE_SHARE = 2 / 3
"""Share of a query's content words that are those of a title, from which the query asks for the section."""

_WORD = re.compile(r"[^\W_]+")
_SAYS_NOTHING = STOPWORDS | {"clause", "section", "requirement", "say", "says", "text", "show", "read", "quote"}


def clause(written: str) -> Clause:
    """Return the clause that a filter names: "5.3", "§ 5.3", "section 5.3"; after "=" that clause alone."""
    number = written.strip()
    exact = number.startswith("=")
    number = _LEADING_MARK.sub("", number.removeprefix("=").strip(), count=1)
    return Clause(number.strip().rstrip("."), exact)


def with_letter(named: Clause) -> tuple[Clause, ...]:
    """Return the clauses that a number may mean where documents write a letter before it: "V2.1" for "2.1"."""
    if not named.number[:1].isdigit():
        return ()
    return tuple(Clause(letter + named.number, named.exact) for letter in ascii_uppercase)


def is_inherited(number: str, headings: Sequence[str]) -> bool:
    """Return True if a clause number is that of a heading above the last one, which does not have it.

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
    """

    clause: Clause
    documents: frozenset[int] | None


def named_clause(query: str, documents: Iterable[tuple[int, str]]) -> NamedClause | None:
    """Return the clause that a query asks for: its number after "clause" or alike, or with a document's name alone.

    "TLS 1.2" names no clause, unless a document is called TLS.

    Args:
        query: The query.
        documents: Ids and names of documents.
    """
    found = [*_IN_QUERY.finditer(query)]
    if len(found) != 1:
        return None
    rest = query[: found[0].start()] + " " + query[found[0].end() :]
    words = {word.casefold() for word in _WORD.findall(rest)} - _SAYS_NOTHING
    named = frozenset(number for number, name in documents if words <= _words(name)) if words else None
    number = Clause(found[0]["number"], exact=True)
    if words and not named:
        return NamedClause(number, None) if found[0]["mark"] else None
    return NamedClause(number, named)


def _words(name: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(name)}


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
