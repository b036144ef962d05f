"""The store against a dictionary: whatever is done to both, both answer the same."""

import math
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pincite.model.chunk import Chunk, ChunkKind, text_hash
from pincite.model.search import NO_FILTER, Filter, KeywordQuery
from pincite.model.store import UNTRUSTED, DocumentRow, State, StoredChunk
from pincite.store.matching import KeywordLimits
from pincite.store.sqlite.snapshot import SqliteSnapshot
from pincite.store.sqlite.store import SqliteStore
from pincite.text.embed_text import embed_hash, embed_text, text_to_embed
from support.stores import written

# None of them is changed by the stemmer, none is the stem of another.
VOCABULARY = ("ant", "bat", "cat", "dog", "elk", "fox")
K1, B = 1.2, 0.75
LIMITS = (KeywordLimits(), KeywordLimits(prune_from=0, postings=9))
"""A small index, and one that is searched as a large one is, with every word."""

names = st.sampled_from(["a.md", "b/c.md", "é.md", "x\udcff.md"])
words = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=6).map(" ".join)
bodies = st.lists(words, min_size=1, max_size=4) | st.just([])
states = st.tuples(*[st.integers(0, 3)] * 4)


def embedded(text: str) -> npt.NDArray[np.float32]:
    """A vector that depends on the words of a text and nothing else, so that ties are common."""
    counts = Counter(text.split())
    vector = np.array([1 + counts[word] for word in VOCABULARY], np.float32)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def chunks_of(texts: Sequence[str]) -> tuple[Chunk, ...]:
    ends = np.cumsum([len(text) for text in texts]).tolist()
    return tuple(
        Chunk(n, f"h{n}-c1", ChunkKind.TEXT, (f"H{n}",), 1, 1, 1, ends[n] - len(text), ends[n], text, VOCABULARY[0])
        for n, text in enumerate(texts)
    )


def always(row: DocumentRow) -> bool:
    return bool(row.name)


class StoreMachine(RuleBasedStateMachine):
    """Two openings of one file, and what they must hold."""

    @initialize(log_rows=st.sampled_from([3, 1000]))
    def begin(self, log_rows: int) -> None:
        self.log_rows = log_rows
        self.folder = tempfile.TemporaryDirectory()
        self.stores = [self.opened(0), self.opened(1)]
        self.rows: dict[str, DocumentRow] = {}
        self.chunks: dict[str, tuple[Chunk, ...]] = {}
        self.vectors: set[bytes] = set()
        self.generation = 0
        self.replace(0, {"a.md": ["ant bat", "cat"], "é.md": ["cat", "bat bat dog"]}, "", UNTRUSTED, 2)

    def opened(self, which: int) -> SqliteStore:
        return SqliteStore(
            Path(self.folder.name) / "x.db",
            embedder="m",
            source="/docs",
            log_rows=self.log_rows,
            revisions=2,
            keyword_limits=LIMITS[which],
        )

    def teardown(self) -> None:
        if hasattr(self, "stores"):
            for store in self.stores:
                store.close()
            self.folder.cleanup()

    @rule(
        which=st.integers(0, 1),
        batch=st.dictionaries(names, bodies, min_size=1, max_size=3),
        out=st.just("") | names,
        state=states,
        embed=st.sampled_from([0, 1, 100]),
    )
    def replace(self, which: int, batch: dict[str, list[str]], out: str, state: State, embed: int) -> None:
        documents = [
            written(DocumentRow(name, None, state, 5, repr(texts), text_hash(repr(texts)).hex()), chunks_of(texts))
            for name, texts in batch.items()
        ]
        left_out = self.stores[which].replace(documents, is_current=lambda row: row.name != out)
        assert left_out == [name for name in batch if name == out]
        for document in documents:
            name = document.row.name
            if name != out:
                self.rows[name], self.chunks[name] = document.row, tuple(document.chunks)
        self.generation += bool(batch.keys() - {out})
        self.embed(1 - which, embed)

    @rule(which=st.integers(0, 1), gone=st.lists(names, unique=True, max_size=2), kept=st.none() | names)
    def remove(self, which: int, gone: list[str], kept: str | None) -> None:
        self.stores[which].remove(gone, is_deleted=lambda name: name != kept)
        removed = [name for name in gone if name != kept and name in self.rows]
        for name in removed:
            del self.rows[name], self.chunks[name]
        self.generation += bool(removed)

    @rule(which=st.integers(0, 1), touched=st.dictionaries(names, st.just(UNTRUSTED) | states, max_size=2))
    def touch(self, which: int, touched: dict[str, State]) -> None:
        known = [name for name in touched if name in self.rows]
        for name in known:
            self.rows[name] = replace(self.rows[name], state=touched[name])
        self.stores[which].replace(
            [written(self.rows[name], self.chunks[name]) for name in known], is_current=lambda row: bool(row.name)
        )
        self.generation += bool(known)

    @rule(which=st.integers(0, 1), n=st.sampled_from([0, 1, 3, 100]))
    def embed(self, which: int, n: int) -> None:
        missing = self.stores[which].missing_vectors(n)
        waiting = dict.fromkeys(embed_hash(chunk) for chunk in self.present() if not self.embedded(chunk))
        texts = {row.embed_hash: embed_text(row.context, row.text) for row in missing}
        assert [text_hash(text) for text in texts.values()] == list(texts)
        assert texts.keys() <= waiting.keys()
        assert len(missing) == min(n, len(waiting))
        self.stores[which].put_vectors({key: embedded(text) for key, text in texts.items()})
        self.vectors.update(texts)
        self.generation += bool(missing)

    @rule(which=st.integers(0, 1), text=words)
    def embed_what_nobody_asked_for(self, which: int, text: str) -> None:
        key = text_hash(f"{VOCABULARY[0]}\n{text}")
        self.stores[which].put_vectors({key: embedded(f"{VOCABULARY[0]}\n{text}")})
        self.generation += key not in self.vectors
        self.vectors.add(key)

    @rule(which=st.integers(0, 1))
    def reopen(self, which: int) -> None:
        self.stores[which].close()
        self.stores[which] = self.opened(which)

    @rule(which=st.integers(0, 1))
    def tidy(self, which: int) -> None:
        needed = {embed_hash(chunk) for chunk in self.present()}
        assert self.stores[which].tidy(spare=0) == len(self.vectors - needed)
        self.vectors &= needed

    @rule(terms=st.lists(st.sampled_from((*VOCABULARY, "gnu")), max_size=3), only=st.sets(names))
    def search(self, terms: list[str], only: set[str]) -> None:
        for store in self.stores:
            with store.snapshot() as snapshot:
                self.check(snapshot, terms, only)

    def check(self, snapshot: SqliteSnapshot, terms: list[str], only: set[str]) -> None:
        stored = [piece for row in snapshot.documents() for piece in snapshot.document_chunks(row.id)]
        ids = frozenset(row.id for row in snapshot.documents() if row.name in only)
        for where in (NO_FILTER, Filter(ids)):
            allowed = [piece for piece in stored if where.documents is None or piece.document_id in where.documents]
            assert snapshot.count(where).chunks == len(allowed)
            self.check_words(snapshot, stored, allowed, where, terms)
            self.check_nearest(snapshot, allowed, where, " ".join(terms))

    def check_words(
        self,
        snapshot: SqliteSnapshot,
        stored: list[StoredChunk],
        allowed: list[StoredChunk],
        where: Filter,
        terms: list[str],
    ) -> None:
        oracle = {piece.id: score for piece in allowed if (score := bm25(stored, piece, terms)) > 0}
        found = snapshot.keywords(KeywordQuery(tuple(terms)), where, 100)
        assert {hit.chunk_id for hit in found} == oracle.keys()
        assert [hit.score for hit in found] == pytest.approx([oracle[hit.chunk_id] for hit in found])
        assert found == sorted(found, key=lambda hit: (-hit.score, hit.chunk_id))
        assert snapshot.keywords(KeywordQuery(tuple(terms)), where, 2) == found[:2]
        weighed = snapshot.score_keywords(KeywordQuery(tuple(terms)), [piece.id for piece in allowed])
        assert weighed.keys() == {piece.id for piece in allowed}
        assert {key: value.bm25 for key, value in weighed.items() if value.bm25} == pytest.approx(oracle)
        assert all((value.coverage > 0) == (key in oracle) for key, value in weighed.items())

    def check_lexicon(self, store: SqliteStore) -> None:
        """What is counted along the way equals a recount."""
        texts = [f"{chunk.context} {chunk.text}".split() for chunk in self.present()]
        with closing(sqlite3.connect(store.path)) as file:
            assert dict(file.execute("SELECT term, holding FROM term")) == Counter(
                term for text in texts for term in set(text)
            )
            assert file.execute("SELECT value FROM meta WHERE key = 'tokens'").fetchone()[0] == sum(map(len, texts))
            lengths = sorted(row[0] for row in file.execute("SELECT length FROM forward"))
        assert lengths == sorted(map(len, texts))

    def check_nearest(self, snapshot: SqliteSnapshot, allowed: list[StoredChunk], where: Filter, question: str) -> None:
        query = embedded(question)
        oracle = {
            piece.id: float(embedded(text_to_embed(piece.chunk)).astype(float) @ query.astype(float))
            for piece in allowed
            if self.embedded(piece.chunk)
        }
        found = snapshot.nearest(query, where, 100)
        assert {hit.chunk_id: hit.score for hit in found} == pytest.approx(oracle)
        assert found == sorted(found, key=lambda hit: (-hit.score, hit.chunk_id))
        assert snapshot.nearest(query, where, 2) == found[:2]
        assert snapshot.similarities(query, [piece.id for piece in allowed]) == {h.chunk_id: h.score for h in found}

    @invariant()
    def both_hold_what_was_written(self) -> None:
        for store in getattr(self, "stores", []):
            self.check_lexicon(store)
            assert store.states() == (self.generation, {name: row.state for name, row in self.rows.items()})
            with store.snapshot() as snapshot:
                self.check(snapshot, ["bat", "gnu"], {"a.md"})
                documents = snapshot.documents()
                assert [row.name for row in documents] == sorted(self.rows)
                for row in documents:
                    stored = snapshot.document_chunks(row.id)
                    assert tuple(piece.chunk for piece in stored) == self.chunks[row.name]
                    assert (row.chunk_count, row.revision) == (len(stored), self.rows[row.name].revision)
                statistics = snapshot.statistics()
                assert len(snapshot.headings(1)) == statistics.chunks == len(self.present())
                assert statistics.documents == len(self.rows)
                assert statistics.waiting_chunks == sum(not self.embedded(chunk) for chunk in self.present())
                assert statistics.waiting_documents == sum(
                    any(not self.embedded(chunk) for chunk in chunks) for chunks in self.chunks.values()
                )

    def present(self) -> list[Chunk]:
        return [chunk for chunks in self.chunks.values() for chunk in chunks]

    def embedded(self, chunk: Chunk) -> bool:
        return embed_hash(chunk) in self.vectors


def bm25(stored: list[StoredChunk], piece: StoredChunk, terms: list[str]) -> float:
    """FTS5's formula, word by word: k1 1.2, b 0.75, idf at least 1e-6."""
    texts = {other.id: f"{other.chunk.context} {other.chunk.text}".split() for other in stored}
    average = sum(map(len, texts.values())) / len(texts)
    score = 0.0
    for term in dict.fromkeys(terms):
        document_frequency = sum(term in text for text in texts.values())
        idf = max(math.log((len(texts) - document_frequency + 0.5) / (document_frequency + 0.5)), 1e-6)
        frequency = texts[piece.id].count(term)
        norm = K1 * (1 - B + B * len(texts[piece.id]) / average)
        score += idf * frequency * (K1 + 1) / (frequency + norm)
    return score


QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)


class TestStore(StoreMachine.TestCase):
    settings = settings(max_examples=40, stateful_step_count=20, suppress_health_check=QUIET)


@pytest.mark.long
@pytest.mark.timeout(600)
class TestStoreAtLength(StoreMachine.TestCase):
    settings = settings(max_examples=120, stateful_step_count=50, suppress_health_check=QUIET)
