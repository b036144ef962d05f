"""Synonyms from a file of the user.

One line per term: `capex: capital expenditure, purchases of property`. `#` starts a comment line.
If a question contains the term, its synonyms are searched as keywords, too; they change neither the
question's vector nor its relevance.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.errors import ConfigError

MAX_LINES = 10_000
"""Maximum number of lines of a file."""
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Synonyms by term, in lower case."""

    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def of(self, question: str) -> tuple[str, ...]:
        """Return the distinct synonyms of every term in a question, in the file's order."""
        if not self.terms:
            return ()
        padded = f" {_normalised(question)} "
        return tuple(dict.fromkeys(word for term in self.terms if f" {term} " in padded for word in self.terms[term]))


def parse(text: str, name: str) -> Synonyms:
    """Read a file of synonyms.

    Args:
        text: Its contents.
        name: Its name in errors.

    Raises:
        ConfigError: A line is not `term: other words, other words`, or there are too many; the message names it.
    """
    terms: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        term, colon, listed = line.partition(":")
        words = tuple(word for synonym in listed.split(",") for word in synonym.split())
        if not colon or not _normalised(term) or not words or number > MAX_LINES:
            raise ConfigError(
                f"{name}, line {number}: expected `term: other words, other words`, at most {MAX_LINES:,} lines."
            )
        terms[_normalised(term)] = terms.get(_normalised(term), ()) + words
    return Synonyms(terms)


def _normalised(text: str) -> str:
    return " ".join(_WORDS.findall(text.lower()))
