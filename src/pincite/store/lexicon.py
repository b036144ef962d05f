"""Which terms stand in a chunk, how often: what makes BM25 exact for any candidates, whatever found them.

Tokens come from FTS5 itself: new texts go through a temporary index with the tokenizer of the word
index, and its vocabulary is read back. numpy is imported with the first use.
"""

import math
import sqlite3
import threading
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.model.search import Weighed

K1, B = 1.2, 0.75
"""FTS5's own constants."""

LEAST_IDF = 1e-6
"""What FTS5 gives a term that stands in half the chunks or more."""

_MOST = 0xFFFF
_WIDTH = 6


@dataclass(frozen=True, slots=True)
class Wanted:
    """One string of a query, looked up.

    Attributes:
        holding: How many chunks hold it.
        term: The id of its single term; None for a phrase, and for a word that no chunk holds.
        scores: For a phrase: what it adds to each chunk's BM25, by FTS5.
    """

    holding: int
    term: int | None = None
    scores: Mapping[int, float] | None = None


class Tokens:
    """Splits strings as the word index does; safe to use from several threads."""

    def __init__(self, sql: Mapping[str, str]) -> None:
        self._sql = sql
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _prepare(self._connection, sql)

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


def add(connection: sqlite3.Connection, sql: Mapping[str, str], first: int, last: int) -> None:
    """Write the forward lists of new chunks, and count their terms."""
    import numpy as np  # noqa: PLC0415 - heavy

    _prepare(connection, sql)
    connection.execute(sql["fresh_insert"], (first, last))
    terms = connection.execute(sql["fresh_terms"]).fetchall()
    places: str | None = connection.execute(sql["fresh_chunks"]).fetchone()[0]
    connection.execute(sql["fresh_clear"])
    put = sql["term_add"]
    ids = np.array([connection.execute(put, (term, more)).fetchall()[0][0] for term, more, _ in terms], np.int64)
    repeats = np.array([count for _, _, count in terms], np.int64)
    chunks = np.array((places or "").split(","), np.int64) if places else np.zeros(0, np.int64)
    pairs, counts = np.unique((chunks - first) << 32 | np.repeat(ids, repeats), return_counts=True)
    bounds = np.searchsorted(pairs, np.arange(last - first + 2, dtype=np.int64) << 32)
    all_ids, capped = (pairs & 0xFFFFFFFF).astype("<u4"), np.minimum(counts, _MOST).astype("<u2")
    rows: list[tuple[int, int, bytes]] = []
    for place in range(last - first + 1):
        part = slice(bounds[place], bounds[place + 1])
        rows.append((first + place, int(counts[part].sum()), all_ids[part].tobytes() + capped[part].tobytes()))
    connection.executemany(sql["forward_insert"], rows)
    connection.execute(sql["tokens_add"], (len(chunks),))


def remove(connection: sqlite3.Connection, sql: Mapping[str, str], chunk_ids: Sequence[int]) -> None:
    """Take out the forward lists of chunks that go, and their share in every count."""
    for chunk_id in chunk_ids:
        length, blob = connection.execute(sql["forward_delete"], (chunk_id,)).fetchone()
        terms = array("I", blob[: len(blob) // _WIDTH * 4])
        connection.executemany(sql["term_less"], [(term,) for term in terms])
        connection.executemany(sql["term_delete"], [(term,) for term in terms])
        connection.execute(sql["tokens_add"], (-length,))


def look_up(
    rows: Callable[[str, Sequence[Any]], list[Any]], tokens: Tokens, strings: Sequence[str], quoted: Sequence[str]
) -> list[Wanted]:
    """Every string of a query that holds a token; `quoted` are the same as FTS5 strings."""
    wanted: list[Wanted] = []
    for split, string in zip(tokens.split(strings), quoted, strict=True):
        if len(split) == 1:
            known = rows("term", (split[0],))
            wanted.append(Wanted(known[0][1], known[0][0]) if known else Wanted(0))
        elif split:
            scores: dict[int, float] = dict(rows("phrase", (string,)))
            wanted.append(Wanted(len(scores), scores=scores))
    return wanted


def weighed(
    lists: Sequence[tuple[int, int, bytes]], wanted: Sequence[Wanted], total: int, tokens: int
) -> dict[int, Weighed]:
    """BM25 and coverage of each (chunk id, length, forward list), by chunk id.

    Args:
        lists: Chunk id, tokens, and terms of each candidate.
        wanted: The query.
        total: Chunks in the index.
        tokens: Tokens in the index.
    """
    import numpy as np  # noqa: PLC0415 - heavy

    sizes = np.array([len(blob) // _WIDTH for _, _, blob in lists], np.int64)
    ids = np.frombuffer(b"".join([blob[: len(blob) // _WIDTH * 4] for _, _, blob in lists]), "<u4")
    counts = np.frombuffer(b"".join([blob[len(blob) // _WIDTH * 4 :] for _, _, blob in lists]), "<u2")
    ends = np.cumsum(sizes)
    lengths = np.array([length for _, length, _ in lists], np.float64)
    norms = K1 * (1 - B + B * lengths * total / max(tokens, 1))
    bm25, covered, everything = np.zeros(len(lists)), np.zeros(len(lists)), 0.0
    for word in wanted:
        idf = max(math.log((total - word.holding + 0.5) / (word.holding + 0.5)), LEAST_IDF)
        everything += idf
        if word.scores is not None:
            added = np.array([word.scores.get(chunk_id, 0.0) for chunk_id, _, _ in lists])
            bm25 += added
            covered += idf * (added > 0)
        elif word.term is not None:
            places = np.flatnonzero(ids == word.term)
            chunks = np.searchsorted(ends, places, "right")
            often = counts[places].astype(np.float64)
            bm25[chunks] += idf * often * (K1 + 1) / (often + norms[chunks])
            covered[chunks] += idf
    shares = covered / everything if everything else covered
    return {row[0]: Weighed(float(bm25[i]), float(shares[i])) for i, row in enumerate(lists)}


def _prepare(connection: sqlite3.Connection, sql: Mapping[str, str]) -> None:
    for name in ("fresh", "fresh_by_instance", "fresh_by_term"):
        connection.execute(sql[name])
