"""Words made into an FTS5 query that can only mean those words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pincite.model.search import WordQuery

_UNSAFE = dict.fromkeys((0, *range(0xD800, 0xE000)), " ")


@dataclass(frozen=True, slots=True)
class WordLimits:
    """What a word search is held to.

    Attributes:
        terms: The most terms and phrases that are looked up.
        characters: The most characters of one of them.
        common: A term in more than this share of all chunks is dropped while a rarer one is there:
            BM25 gives it next to nothing, and FTS5's cost is the number of matches.
        prune_from: Below this many chunks nothing is dropped: everything is fast there.
    """

    terms: int = 64
    characters: int = 256
    common: float = 0.4
    prune_from: int = 20_000


def quoted(query: WordQuery, limits: WordLimits) -> list[str]:
    """Every term and phrase once, as FTS5 strings: no operator, column or prefix can be said in one."""
    return [quote(text) for text in plain(query, limits)]


def plain(query: WordQuery, limits: WordLimits) -> list[str]:
    """Every term and phrase once, cut to the limits, without what SQLite cannot hold."""
    words = (*query.terms, *query.phrases)
    texts = dict.fromkeys(word[: limits.characters].translate(_UNSAFE).strip() for word in words)
    return [text for text in texts if text][: limits.terms]


def quote(text: str) -> str:
    """One FTS5 string."""
    return '"' + text.replace('"', '""') + '"'


def any_of(strings: Iterable[str]) -> str:
    """Matches a chunk that holds one of them."""
    return " OR ".join(strings)


def prune(strings: Sequence[str], frequency: Callable[[str], int], ceiling: int) -> Sequence[str]:
    """Those that stand in at most `ceiling` chunks, if one of them stands in any; else all."""
    counts = {string: frequency(string) for string in strings}
    rare = [string for string in strings if counts[string] <= ceiling]
    return rare if any(counts[string] for string in rare) else strings
