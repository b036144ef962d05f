"""Which terms stand in a chunk, how often: what makes BM25 exact for any candidates, whatever found them.

Queries are split by FTS5 itself, as the texts were (`forward`). numpy is imported with the first use.
"""

import heapq
import math
import re
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.model.search import Weighed
from pincite.model.vector import import_numpy
from pincite.store.forward import MOST, WIDTH, prepare
from pincite.store.rows import Malformed

K1, B = 1.2, 0.75
"""FTS5's own constants."""

LEAST_IDF = 1e-6
"""What FTS5 gives a term that stands in half the chunks or more."""

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One string of a query, looked up.

    Attributes:
        string: As FTS5 takes it: no operator, column or prefix can be said in it.
        asked: Whether it counts for coverage.
        holding: How many chunks hold it.
        term: The id of its single term; None for a phrase, and for a word that no chunk holds.
        scores: For a phrase: what it adds to each chunk's BM25, by FTS5.
    """

    string: str
    asked: bool
    holding: int
    term: int | None = None
    scores: Mapping[int, float] | None = None


class Tokens:
    """Splits strings as the word index does; safe to use from several threads."""

    def __init__(self, sql: Mapping[str, str]) -> None:
        self._sql = sql
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        prepare(self._connection, sql)

    def split(self, strings: Sequence[str]) -> list[list[str]]:
        """The folded and stemmed tokens of each string."""
        with self._lock:
            rows = [(number, string) for number, string in enumerate(strings)]
            self._connection.executemany(self._sql["fresh_put"], rows)
            found: list[tuple[int, str]] = self._connection.execute(self._sql["fresh_tokens"]).fetchall()
            self._connection.execute(self._sql["fresh_clear"])
        split = [list[str]() for _ in strings]
        for number, term in found:
            split[number].append(term)
        return split


def look_up(
    rows: Callable[[str, Sequence[Any]], list[Any]], tokens: Tokens, strings: Mapping[str, bool]
) -> list[Wanted]:
    """Every string of a query that holds a token; with each, whether it was asked for.

    At the end the words of phrases that stand nowhere: nobody asked for them, but they may lead to what is meant
    (`promauto.NewCounter`, where the documents write `promauto.With(reg).NewCounter`).
    """
    wanted: list[Wanted] = []
    lost: list[str] = []
    for split, (text, asked) in zip(tokens.split(list(strings)), strings.items(), strict=True):
        string = quote(text)
        if len(split) == 1:
            wanted.append(_term(rows, split[0], string, asked=asked))
        elif split:
            scores: dict[int, float] = dict(rows("phrase", (string,)))
            wanted.append(Wanted(string, asked, len(scores), scores=scores))
            if not scores:
                lost += _WORD.findall(text)
    words = [word for word in dict.fromkeys(lost) if word not in strings]
    for split, word in zip(tokens.split(words) if words else (), words, strict=True):
        if len(split) == 1:
            wanted.append(_term(rows, split[0], quote(word), asked=False))
    return wanted


def _term(rows: Callable[[str, Sequence[Any]], list[Any]], term: str, string: str, *, asked: bool) -> Wanted:
    known = rows("term", (term,))
    return Wanted(string, asked, known[0][1], known[0][0]) if known else Wanted(string, asked, 0)


def quote(text: str) -> str:
    """One FTS5 string."""
    return '"' + text.replace('"', '""') + '"'


def best_by_phrases(wanted: Sequence[Wanted], n: int) -> list[int]:
    """The n chunks in which the phrases of a query count most, best first."""
    together: defaultdict[int, float] = defaultdict(float)
    for phrase in wanted:
        for chunk_id, score in (phrase.scores or {}).items():
            together[chunk_id] += score
    return heapq.nsmallest(n, together, key=lambda chunk_id: (-together[chunk_id], chunk_id))


def weighed(
    lists: Sequence[tuple[int, int, bytes]], wanted: Sequence[Wanted], total: int, tokens: int
) -> dict[int, Weighed]:
    """BM25 and coverage of each (chunk id, length, forward list), by chunk id.

    Args:
        lists: Chunk id, tokens, and terms of each candidate.
        wanted: The query.
        total: Chunks in the index.
        tokens: Tokens in the index.

    Raises:
        Malformed: A list is not the one that was written.
    """
    import_numpy()
    import numpy as np  # noqa: PLC0415 - heavy

    sizes = np.array([len(blob) // WIDTH for _, _, blob in lists], np.int64)
    ids = np.frombuffer(b"".join([blob[: len(blob) // WIDTH * 4] for _, _, blob in lists]), "<u4")
    counts = np.frombuffer(b"".join([blob[len(blob) // WIDTH * 4 :] for _, _, blob in lists]), "<u2")
    ends = np.cumsum(sizes)
    lengths = np.array([length for _, length, _ in lists], np.float64)
    running = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    if not (counts == MOST).any() and (np.diff(running[ends], prepend=0) != lengths).any():
        raise Malformed("a forward list does not count as many tokens as its chunk has")
    norms = K1 * (1 - B + B * lengths * total / max(tokens, 1))
    bm25, covered, everything = np.zeros(len(lists)), np.zeros(len(lists)), 0.0
    for word in wanted:
        idf = max(math.log((total - word.holding + 0.5) / (word.holding + 0.5)), LEAST_IDF)
        share = idf * word.asked
        everything += share
        if word.scores is not None:
            added = np.array([word.scores.get(chunk_id, 0.0) for chunk_id, _, _ in lists])
            bm25 += added
            covered += share * (added > 0)
        elif word.term is not None:
            places = np.flatnonzero(ids == word.term)
            chunks = np.searchsorted(ends, places, "right")
            often = counts[places].astype(np.float64)
            bm25[chunks] += idf * often * (K1 + 1) / (often + norms[chunks])
            covered[chunks] += share
    shares = covered / everything if everything else covered
    weights = map(Weighed, bm25.tolist(), shares.tolist())
    return dict(zip([chunk_id for chunk_id, _, _ in lists], weights, strict=True))
