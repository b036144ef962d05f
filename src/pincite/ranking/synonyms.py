"""Other words for what a question names, from a file that the user keeps.

One line a term: `capex: capital expenditure, purchases of property`. A `#` begins a comment line.
Where the term stands in a question, its other words are searched for beside it; the meaning of the
question, and what is said of its relevance, stay as they are.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.errors import ConfigError

MOST = 10_000
"""Lines of a file."""

_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Terms, in lower case, with their other words."""

    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def of(self, question: str) -> tuple[str, ...]:
        """The other words for every term that stands in a question, each once, in the file's order."""
        if not self.terms:
            return ()
        padded = f" {_plain(question)} "
        return tuple(dict.fromkeys(word for term in self.terms if f" {term} " in padded for word in self.terms[term]))


def parse(text: str, name: str) -> Synonyms:
    """Read a file of synonyms.

    Args:
        text: Its contents.
        name: What it is called in an error.

    Raises:
        ConfigError: A line is not `term: other words, other words`; the message names it.
    """
    terms: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        term, colon, others = line.partition(":")
        words = tuple(word for other in others.split(",") for word in other.split())
        if not colon or not _plain(term) or not words or number > MOST:
            raise ConfigError(
                f"{name}, line {number}: expected `term: other words, other words`, at most {MOST:,} lines."
            )
        terms[_plain(term)] = terms.get(_plain(term), ()) + words
    return Synonyms(terms)


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(text.lower()))
