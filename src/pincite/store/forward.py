"""The forward lists of chunks and the counts of terms, written.

Terms are those of the word index itself: new texts go through a temporary index with its tokenizer,
and its vocabulary is read back. numpy is imported with the first use.
"""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pincite.model.vector import import_numpy
from pincite.store.statements import array_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

WIDTH = 6
"""Bytes of one entry of a list: the term's id in four, how often it stands in the chunk in two."""

MOST = 0xFFFF
"""The highest count that an entry can hold."""

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{4,32}(?![^\W_])")
"""A word that a question may have meant to say; the parts of `file_sd_configs` are words too."""


class ForwardLists:
    """Writes the lists of one transaction; `finish` brings the counts up to date.

    A term that goes from one chunk and comes with another costs nothing: only what changed in all is counted.
    """

    def __init__(self, connection: sqlite3.Connection, sql: Mapping[str, str]) -> None:
        self._connection = connection
        self._sql = sql
        # Terms, and in how many more chunks each of them stands.
        self._changes: list[tuple[Integers, Integers]] = []
        self._tokens = 0

    def add(self, first: int, last: int) -> None:
        """Write the lists of new chunks, by their first and last id."""
        import_numpy()
        import numpy as np  # noqa: PLC0415 - heavy

        self._add_words(first, last)
        prepare(self._connection, self._sql)
        self._connection.execute(self._sql["fresh_insert"], (first, last))
        terms = self._connection.execute(self._sql["fresh_terms"]).fetchall()
        places: str | None = self._connection.execute(self._sql["fresh_chunks"]).fetchone()[0]
        self._connection.execute(self._sql["fresh_clear"])
        known = self._ids([term for term, _, _ in terms])
        ids = np.array([known[term] for term, _, _ in terms], np.int64)
        repeats = np.array([count for _, _, count in terms], np.int64)
        chunks = np.fromstring(places or "", np.int64, sep=",")
        pairs, counts = np.unique((chunks - first) << 32 | np.repeat(ids, repeats), return_counts=True)
        bounds = np.searchsorted(pairs, np.arange(last - first + 2, dtype=np.int64) << 32)
        all_ids, capped = (pairs & 0xFFFFFFFF).astype("<u4"), np.minimum(counts, MOST).astype("<u2")
        rows: list[tuple[int, int, bytes]] = []
        for place in range(last - first + 1):
            part = slice(bounds[place], bounds[place + 1])
            rows.append((first + place, int(counts[part].sum()), all_ids[part].tobytes() + capped[part].tobytes()))
        self._connection.executemany(self._sql["forward_insert"], rows)
        self._changes.append((ids, np.array([frequency for _, frequency, _ in terms], np.int64)))
        self._tokens += len(chunks)

    def remove(self, chunk_ids: Sequence[int]) -> None:
        """Take out the lists of chunks that go."""
        deleted = self._connection.execute(self._sql["forward_delete"], (array_of(chunk_ids),)).fetchall()
        if not deleted:
            return
        import_numpy()
        import numpy as np  # noqa: PLC0415 - heavy

        ids = np.frombuffer(b"".join([blob[: len(blob) // WIDTH * 4] for _, blob in deleted]), "<u4").astype(np.int64)
        self._changes.append((ids, np.full(len(ids), -1, np.int64)))
        self._tokens -= sum(length for length, _ in deleted)

    def finish(self) -> None:
        """Write the counts; a term goes with the last chunk that held it."""
        if self._changes:
            self._write_counts()
        if self._tokens:
            self._connection.execute(self._sql["tokens_add"], (self._tokens,))
        self._changes.clear()
        self._tokens = 0

    def _write_counts(self) -> None:
        import numpy as np  # noqa: PLC0415 - heavy; whoever counted has imported it

        ids, differences = zip(*self._changes, strict=True)
        terms, places = np.unique(np.concatenate(ids), return_inverse=True)
        more = np.bincount(places, np.concatenate(differences)).astype(np.int64)
        changed = more != 0
        counts = zip(more[changed].tolist(), terms[changed].tolist(), strict=True)
        self._connection.executemany(self._sql["term_count"], counts)
        fewer: list[int] = terms[more < 0].tolist()
        if fewer:
            self._connection.execute(self._sql["term_delete"], (array_of(fewer),))

    def _ids(self, terms: Sequence[str]) -> dict[str, int]:
        """The id of each term; a new one is made known, held by no chunk yet."""
        known: dict[str, int] = dict(self._connection.execute(self._sql["term_ids"], (array_of(terms),)).fetchall())
        new = [term for term in terms if term not in known]
        if new:
            array = array_of(new)
            self._connection.execute(self._sql["term_add"], (array,))
            known.update(self._connection.execute(self._sql["term_ids"], (array,)).fetchall())
        return known

    def _add_words(self, first: int, last: int) -> None:
        """Remember the words of new chunks as they are spelt."""
        texts = self._connection.execute(self._sql["spelt_texts"], (first, last))
        words = {word for row in texts for text in row if isinstance(text, str) for word in _WORD.findall(text.lower())}
        self._connection.execute(self._sql["word_add"], (array_of(sorted(words)),))


def prepare(connection: sqlite3.Connection, sql: Mapping[str, str]) -> None:
    """Make the temporary index that splits texts known to a connection."""
    for name in ("fresh", "fresh_by_instance", "fresh_by_term"):
        connection.execute(sql[name])
