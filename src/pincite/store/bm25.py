"""Exact BM25 and coverage of given chunks, from their forward lists.

FTS5 tokenizes queries as it did the texts (`forward`). numpy is imported with the first use.
"""

import heapq
import math
import sqlite3
import threading
import weakref
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.model.search import KeywordScore
from pincite.runtime.imports import import_once
from pincite.store.forward import ENTRY_BYTES, MAX_FREQUENCY, prepare
from pincite.store.rows import Malformed
from pincite.store.statements import insert_rows
from pincite.text.lexical import WORD
from pincite.text.words import folded, joined

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]

K1, B = 1.2, 0.75
"""The constants of FTS5's `bm25()`, so that both score alike."""
MIN_IDF = 1e-6
"""The idf of a term in half the chunks or more, as in FTS5: the formula would be 0 or negative."""
MAX_CACHED_STRINGS = 512
"""Strings whose tokens are cached: those of some fifty searches, of at most 256 characters each."""


StoredTerm = tuple[int | None, int]
"""The id of a term and the number of chunks that contain it."""
ABSENT: StoredTerm = (None, 0)


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One string of a query, looked up.

    Attributes:
        string: As a quoted FTS5 string, in which no operator, column or prefix has a meaning.
        in_query: Whether it counts for coverage: False for synonyms.
        document_frequency: Number of chunks that contain it.
        term: The id of its single term; None for a phrase, and for a word that no chunk contains.
        token: Its single term; empty for a phrase.
        scores: For a phrase, its BM25 by chunk id, from FTS5.
    """

    string: str
    in_query: bool
    document_frequency: int
    term: int | None = None
    token: str = ""
    scores: Mapping[int, float] | None = None


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Every token of some chunks, in their order.

    Attributes:
        terms: The distinct terms.
        numbers: Which of them each token is.
        chunks: The chunk of each token, from 0.
        in_text: Whether each token is of the chunk's text, not of its context.
    """

    terms: Sequence[str]
    numbers: "Integers"
    chunks: "Integers"
    in_text: "npt.NDArray[np.bool_]"


class Tokens:
    """FTS5's tokenizer with a cache. Thread-safe."""

    def __init__(self, sql: Mapping[str, str]) -> None:
        self._sql = sql
        self._lock = threading.Lock()
        self._cached: dict[str, list[str]] = {}
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        # An open connection refers to itself: Python would free its memory only once it collects all its cycles.
        weakref.finalize(self, self._connection.close)
        prepare(self._connection, sql)

    def split(self, strings: Sequence[str]) -> list[list[str]]:
        """Return the folded and stemmed tokens of each string."""
        cached = self._cached
        new = [string for string in dict.fromkeys(strings) if string not in cached]
        if new:
            cached = cached | dict(zip(new, self.split_all(list(map(folded, new))), strict=True))
            # Each search splits the same words for spelling, look-up and scoring. A new dict replaces the old one, so
            # that other threads read without a lock.
            self._cached = cached if len(cached) <= MAX_CACHED_STRINGS else {}
        return [cached[string] for string in strings]

    def split_all(self, strings: Sequence[str | bytes]) -> list[list[str]]:
        """Return the stemmed tokens of each folded string, which is not cached: of whole texts.

        Bytes are a text that SQLite cannot store.
        """
        with self._lock:
            rows = [(number, string) for number, string in enumerate(strings)]
            self._connection.executemany(self._sql["fresh_put"], rows)
            tokens: list[tuple[int, str]] = self._connection.execute(self._sql["fresh_tokens"]).fetchall()
            self._connection.execute(self._sql["fresh_clear"])
        split = [list[str]() for _ in strings]
        for number, term in tokens:
            split[number].append(term)
        return split

    def occurrences(self, contexts: Sequence[str | bytes], texts: Sequence[str | bytes]) -> Occurrences:
        """Return the tokens of chunks; bytes are a text that SQLite cannot store."""
        import_once("numpy")
        import numpy as np  # noqa: PLC0415 - heavy

        with self._lock:
            insert_rows(
                self._connection, self._sql["fresh_insert"], list(zip(range(len(texts)), contexts, texts, strict=True))
            )
            terms = self._connection.execute(self._sql["fresh_terms"]).fetchall()
            columns = self._connection.execute(self._sql["fresh_places"]).fetchone()
            self._connection.execute(self._sql["fresh_clear"])
        chunks, in_text, places = (np.fromstring(column or "", np.int64, sep=",") for column in columns)
        numbers = np.repeat(np.arange(len(terms)), np.array([count for _, _, count in terms], np.int64))
        # One integer a token, so that one sort orders them: a text has fewer than 2³² tokens.
        order = np.argsort(chunks << 33 | in_text << 32 | places)
        return Occurrences([row[0] for row in terms], numbers[order], chunks[order], in_text[order].astype(np.bool_))


def look_up(
    stored: Callable[[Sequence[str]], Mapping[str, StoredTerm]],
    phrase_scores: Callable[[str], Mapping[int, float]],
    tokens: Tokens,
    strings: Mapping[str, bool],
) -> list[QueryTerm]:
    """Look up every string of a query that has a token.

    The words of phrases that do not occur follow as terms outside the query: they may find what is meant
    (`promauto.NewCounter`, where the documents write `promauto.With(reg).NewCounter`), or joined (`co-operation`).

    Args:
        stored: Looks up terms; those that no chunk contains may be missing.
        phrase_scores: Returns the BM25 of a phrase by chunk id.
        tokens: Splits strings.
        strings: The strings, and whether each is in the query.
    """
    split = dict(zip(strings, tokens.split(list(strings)), strict=True))
    scores = {text: phrase_scores(text) for text, terms in split.items() if len(terms) > 1}
    unmatched = [word for text in scores if not scores[text] for word in (*WORD.findall(folded(text)), *joined(text))]
    words = [word for word in dict.fromkeys(unmatched) if word not in strings]
    split |= dict(zip(words, tokens.split(words), strict=True))
    known = stored([terms[0] for terms in split.values() if len(terms) == 1])
    query_terms: list[QueryTerm] = []
    for text, terms in split.items():
        in_query = strings.get(text, False)
        if text in scores:
            query_terms.append(QueryTerm(quote(text), in_query, len(scores[text]), scores=scores[text]))
        elif len(terms) == 1:
            number, frequency = known.get(terms[0], ABSENT)
            query_terms.append(QueryTerm(quote(text), in_query, frequency, number, terms[0]))
    return query_terms


def quote(text: str) -> str:
    """Quote a text as one FTS5 string."""
    return '"' + text.replace('"', '""') + '"'


def best_by_phrases(query_terms: Sequence[QueryTerm], n: int) -> list[int]:
    """Return the n chunks with the highest sum of phrase scores, best first."""
    sums: defaultdict[int, float] = defaultdict(float)
    for phrase in query_terms:
        for chunk_id, score in (phrase.scores or {}).items():
            sums[chunk_id] += score
    return heapq.nsmallest(n, sums, key=lambda chunk_id: (-sums[chunk_id], chunk_id))


def inverse_frequency(document_frequency: int, total: int) -> float:
    """Return a term's idf.

    Args:
        document_frequency: Number of chunks that contain it.
        total: Chunks in the index.
    """
    return max(math.log((total - document_frequency + 0.5) / (document_frequency + 0.5)), MIN_IDF)


def length_norms(lengths: "Floats | Integers", total: int, tokens: int) -> "Floats":
    """Return BM25's length normalisation of each chunk: the part of its denominator that is not the frequency.

    Args:
        lengths: Tokens of each chunk.
        total: Chunks in the index.
        tokens: Tokens in the index.
    """
    return K1 * (1 - B + B * lengths * total / max(tokens, 1))


def term_scores(idf: float, frequencies: "Floats", norms: "Floats") -> "Floats":
    """Return one term's part of the BM25 of each chunk that contains it."""
    return idf * frequencies * (K1 + 1) / (frequencies + norms)


def score_forward_lists(
    lists: Sequence[tuple[int, int, bytes]], query_terms: Sequence[QueryTerm], total: int, tokens: int
) -> dict[int, KeywordScore]:
    """Return BM25 and coverage by chunk id.

    Args:
        lists: (chunk id, number of tokens, forward list) of each candidate.
        query_terms: The query.
        total: Chunks in the index.
        tokens: Tokens in the index.

    Raises:
        Malformed: A list does not match its chunk's length.
    """
    import_once("numpy")
    import numpy as np  # noqa: PLC0415 - heavy

    ends, terms, counts = to_entries([blob for _, _, blob in lists])
    lengths = np.array([length for _, length, _ in lists], np.int64)
    check_lengths(counts, ends, lengths)

    def occurrences(term: int) -> "tuple[Integers, npt.NDArray[np.uint16]]":
        places = np.flatnonzero(terms == term)
        return np.searchsorted(ends, places, "right"), counts[places]

    return score(Entries([chunk_id for chunk_id, _, _ in lists], lengths, occurrences), query_terms, total, tokens)


def to_entries(blobs: Sequence[bytes]) -> "tuple[Integers, npt.NDArray[np.uint32], npt.NDArray[np.uint16]]":
    """Return forward lists concatenated: where each ends, all terms, all frequencies."""
    import numpy as np  # noqa: PLC0415 - heavy; the caller has imported it

    sizes = np.fromiter(map(len, blobs), np.int64, len(blobs)) // ENTRY_BYTES
    terms = b"".join([blob[: len(blob) // ENTRY_BYTES * 4] for blob in blobs])
    counts = b"".join([blob[len(blob) // ENTRY_BYTES * 4 :] for blob in blobs])
    return np.cumsum(sizes), np.frombuffer(terms, "<u4"), np.frombuffer(counts, "<u2")


def check_lengths(counts: "npt.NDArray[np.uint16]", ends: "Integers", lengths: "Integers") -> None:
    """Verify that the frequencies in each forward list sum to its chunk's length.

    Args:
        counts: Frequency of each term in its chunk, chunk by chunk.
        ends: Where each chunk's counts end.
        lengths: Tokens of each chunk.

    Raises:
        Malformed: They differ.
    """
    import numpy as np  # noqa: PLC0415 - heavy; the caller has made an array

    starts = np.concatenate(([0], ends[:-1]))
    # reduceat returns the next list's first element for an empty one, so those are left out.
    filled = starts < ends
    sums = np.zeros(len(ends), np.int64)
    if filled.any():
        sums[filled] = np.add.reduceat(counts, starts[filled], dtype=np.int64)
    # A capped frequency makes a sum smaller than the length without any damage.
    if (sums != lengths).any() and not (counts == MAX_FREQUENCY).any():
        raise Malformed("a forward list does not count as many tokens as its chunk has")


@dataclass(frozen=True, slots=True)
class Entries:
    """The terms of some chunks.

    Attributes:
        chunk_ids: The chunks.
        lengths: Tokens of each.
        occurrences: Returns which of the chunks contain a term, as indices, and its frequency in each.
    """

    chunk_ids: Sequence[int]
    lengths: "Integers"
    occurrences: "Callable[[int], tuple[Integers, npt.NDArray[np.uint16]]]"


def score(entries: Entries, query_terms: Sequence[QueryTerm], total: int, tokens: int) -> dict[int, KeywordScore]:
    """Return BM25 and coverage by chunk id; see `score_forward_lists`."""
    import numpy as np  # noqa: PLC0415 - heavy; the caller has made an array

    norms = length_norms(entries.lengths, total, tokens)
    bm25, covered, query_idf = np.zeros(len(norms)), np.zeros(len(norms)), 0.0
    for word in query_terms:
        idf = inverse_frequency(word.document_frequency, total)
        share = idf * word.in_query
        query_idf += share
        if word.scores is not None:
            added = np.array([word.scores.get(chunk_id, 0.0) for chunk_id in entries.chunk_ids])
            bm25 += added
            covered += share * (added > 0)
        elif word.term is not None:
            chunks, counts = entries.occurrences(word.term)
            bm25[chunks] += term_scores(idf, counts.astype(np.float64), norms[chunks])
            covered[chunks] += share
    shares = covered / query_idf if query_idf else covered
    return dict(zip(entries.chunk_ids, map(KeywordScore, bm25.tolist(), shares.tolist()), strict=True))
