"""Write the full-text index, the forward lists of chunks and the document frequencies of terms.

Terms are FTS5's own: new texts are inserted into a temporary index with the same tokenizer, whose
vocabulary is read back. numpy is imported with the first use.
"""

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from pincite.runtime.imports import import_once
from pincite.store.rows import from_text, read
from pincite.store.statements import array_of, insert_rows
from pincite.store.texts import PIECE_CHARS, chunk_texts, indexed, text_to_index
from pincite.text.words import PAIRED

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Integers = npt.NDArray[np.int64]

Words = tuple[int, str | bytes, str | bytes]
"""A chunk: (id, context, text)."""

ENTRY_BYTES = 6
"""Size of a list entry: the term's id (uint32) and its frequency in the chunk (uint16)."""

MAX_FREQUENCY = 0xFFFF
"""The highest frequency that an entry can hold; higher ones are capped."""

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{4,32}(?![^\W_])")
"""A candidate for spelling correction: 4 to 32 letters. The parts of `file_sd_configs` are words, too."""


class ForwardLists:
    """Writes the lists of one transaction; `finish` updates the document frequencies.

    Only net changes are written: a term removed with one chunk and added with another costs nothing.
    """

    def __init__(self, connection: sqlite3.Connection, sql: Mapping[str, str]) -> None:
        self._connection = connection
        self._sql = sql
        # (term ids, change of each one's document frequency) of every call of `add` and `remove`.
        self._changes: list[tuple[Integers, Integers]] = []
        self._tokens = 0

    def add(self, rows: Sequence[Words]) -> None:
        """Index chunks, by ascending id."""
        import_once("numpy")
        import numpy as np  # noqa: PLC0415 - heavy

        plain = [(chunk_id, text_to_index(context), text_to_index(text)) for chunk_id, context, text in rows]
        words = spelt_words(text for _, *texts in plain for text in texts)
        self._connection.execute(self._sql["word_add"], (array_of(sorted(words)),))
        indexed_rows = [
            (chunk_id, from_text(indexed(context)), from_text(indexed(text))) for chunk_id, context, text in plain
        ]
        insert_rows(self._connection, self._sql["words_insert"], indexed_rows)
        prepare(self._connection, self._sql)
        insert_rows(self._connection, self._sql["fresh_insert"], indexed_rows)
        terms = self._connection.execute(self._sql["fresh_terms"]).fetchall()
        places: str | None = self._connection.execute(self._sql["fresh_chunks"]).fetchone()[0]
        self._connection.execute(self._sql["fresh_clear"])
        id_of = self._ids([term for term, _, _ in terms])
        ids = np.array([id_of[term] for term, _, _ in terms], np.int64)
        repeats = np.array([count for _, _, count in terms], np.int64)
        chunks = np.fromstring(places or "", np.int64, sep=",")
        # Pack (chunk, term) into one integer, so that one sort groups by chunk and counts each term in it.
        pairs, counts = np.unique(chunks << 32 | np.repeat(ids, repeats), return_counts=True)
        all_ids, capped = (pairs & 0xFFFFFFFF).astype("<u4"), np.minimum(counts, MAX_FREQUENCY).astype("<u2")
        lists: list[tuple[int, int, bytes]] = []
        for chunk_id, *_ in rows:
            part = slice(*np.searchsorted(pairs, (chunk_id << 32, (chunk_id + 1) << 32)))
            lists.append((chunk_id, int(counts[part].sum()), all_ids[part].tobytes() + capped[part].tobytes()))
        self._connection.executemany(self._sql["forward_insert"], lists)
        self._changes.append((ids, np.array([frequency for _, frequency, _ in terms], np.int64)))
        self._tokens += len(chunks)

    def remove(self, chunk_ids: Sequence[int]) -> None:
        """Delete the lists of these chunks."""
        deleted = self._connection.execute(self._sql["forward_delete"], (array_of(chunk_ids),)).fetchall()
        if not deleted:
            return
        import_once("numpy")
        import numpy as np  # noqa: PLC0415 - heavy

        ids = np.frombuffer(b"".join([blob[: len(blob) // ENTRY_BYTES * 4] for _, blob in deleted]), "<u4").astype(
            np.int64
        )
        self._changes.append((ids, np.full(len(ids), -1, np.int64)))
        self._tokens -= sum(length for length, _ in deleted)

    def finish(self) -> None:
        """Write the document frequencies; a term that no chunk contains any more is deleted."""
        if self._changes:
            self._write_counts()
        if self._tokens:
            self._connection.execute(self._sql["tokens_add"], (self._tokens,))
        self._changes.clear()
        self._tokens = 0

    def _write_counts(self) -> None:
        import numpy as np  # noqa: PLC0415 - heavy; `add` or `remove` has imported it

        ids, differences = zip(*self._changes, strict=True)
        terms, places = np.unique(np.concatenate(ids), return_inverse=True)
        totals = np.bincount(places, np.concatenate(differences)).astype(np.int64)
        changed = totals != 0
        counts = zip(totals[changed].tolist(), terms[changed].tolist(), strict=True)
        self._connection.executemany(self._sql["term_count"], counts)
        decreased: list[int] = terms[totals < 0].tolist()
        if decreased:
            self._connection.execute(self._sql["term_delete"], (array_of(decreased),))

    def _ids(self, terms: Sequence[str]) -> dict[str, int]:
        """Return the id of each term; new terms are inserted with a document frequency of 0."""
        id_of: dict[str, int] = dict(self._connection.execute(self._sql["term_ids"], (array_of(terms),)).fetchall())
        new = [term for term in terms if term not in id_of]
        if new:
            array = array_of(new)
            self._connection.execute(self._sql["term_add"], (array,))
            id_of.update(self._connection.execute(self._sql["term_ids"], (array,)).fetchall())
        return id_of


def index_stored(
    connection: sqlite3.Connection, sql: Mapping[str, str], rows: Sequence[tuple[int, int, int, str | bytes]]
) -> None:
    """Index chunks whose texts are stored: (id, start and end of its span, context), by ascending id."""
    borders = {chunk_id: span for chunk_id, *span, _ in rows}
    pieces = connection.execute(sql["chunk_texts"], (array_of(borders), PIECE_CHARS))
    texts = read(chunk_texts, pieces, borders)
    lists = ForwardLists(connection, sql)
    lists.add([(chunk_id, context, texts[chunk_id]) for chunk_id, *_, context in rows])
    lists.finish()


def spelt_words(texts: Iterable[str]) -> set[str]:
    """Return the words of texts that a misspelt word may mean, in lower case; stemmed terms have lost them."""
    return {word for text in texts for word in _WORD.findall(text.lower()) if not PAIRED.search(word)}


def prepare(connection: sqlite3.Connection, sql: Mapping[str, str]) -> None:
    """Create the temporary tables that tokenize texts on a connection."""
    for name in ("fresh", "fresh_by_instance", "fresh_by_term"):
        connection.execute(sql[name])
