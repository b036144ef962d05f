"""What every store promises, run over every store in the registry."""

import threading
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from pincite import registry
from pincite.errors import PinciteError
from pincite.model.chunk import NO_TAGS, Chunk, ChunkKind, PlacedText, SourceText, Tags, text_hash
from pincite.model.document import Box, Coverage, PageFailure
from pincite.model.search import NO_FILTER, Clause, Filter, KeywordQuery
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument, Place, Unembedded
from pincite.store.base import Store
from pincite.text.words import written_out
from support.stores import written

Open = Callable[..., Store]
Vector = npt.NDArray[np.float32]

STATE = (10, 1_700_000_000_000_000_000, 1_700_000_000_000_000_001, 42)


HOSTILE = [
    *('"', '""', '"a" OR "x', "*", "a*", "NEAR(a b)", "NEAR", "AND", "OR", "NOT", "(", ")", "{text}:", "text:", "^"),
    *("-", "+", "\x00", "a\x00b", "'", "'; DROP TABLE chunk; --", "?", ":n", "", " ", "\n", "…", "—", "💥", "日本"),
    *("\ud800", "x" * 100_000, "x " * 100_000, "\u202e", "a b c", "%", "_", "\\", "rowid", "rank", "har*"),
]


IN_FILES = {"sqlite"}
"""Stores that need no server; the others are in the slow tier."""


@pytest.fixture(
    params=[pytest.param(row.name, marks=() if row.name in IN_FILES else pytest.mark.slow) for row in registry.STORES]
)
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the same collection each time it is called, as another process would."""
    make = registry.load(registry.find(registry.STORES, request.param))
    in_file = request.param in IN_FILES
    place = tmp_path / "index.db" if in_file else f"test_{uuid.uuid4().hex}"
    server = {} if in_file else {"dsn": request.getfixturevalue("postgres_dsn")}
    opened: list[Store] = []

    def open_again(*, embedder: str = "model-a") -> Store:
        opened.append(make(place, embedder=embedder, source="/docs", **server))
        return opened[-1]

    yield open_again
    for store in opened:
        store.close()


@pytest.fixture
def store(reopen: Open) -> Store:
    return reopen()


def yes(row: DocumentRow) -> bool:
    return bool(row.name)


def no(row: DocumentRow) -> bool:
    return not row.name


def is_gone(name: str) -> bool:
    return bool(name)


def is_there(name: str) -> bool:
    return not name


def chunk(ordinal: int, text: str, *path: str, level: int | None = None, part: int = 1, context: str = "") -> Chunk:
    return Chunk(
        ordinal=ordinal,
        locator=f"h{ordinal}-c1",
        kind=ChunkKind.TEXT,
        heading_path=path,
        level=len(path) if level is None else level,
        part=part,
        parts=part,
        start=0,
        end=len(text),
        text=text,
        context=context,
        tokens=len(text.split()),
    )


def document(name: str, fingerprint: str = "f1", **fields: object) -> DocumentRow:
    values: dict[str, object] = {
        "name": name,
        "title": None,
        "state": STATE,
        "modified_ns": 1_700_000_000_000_000_000,
        "fingerprint": fingerprint,
        "revision": (fingerprint * 8)[:8],
    }
    return DocumentRow(**(values | fields))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def put(store: Store, name: str, *texts: str, fingerprint: str | None = None) -> None:
    chunks = [chunk(place, text) for place, text in enumerate(texts)]
    store.replace([written(document(name, fingerprint or str(hash(texts))), chunks)], is_current=yes)


def unit(*numbers: float) -> Vector:
    vector = np.array(numbers, np.float32)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def embed_all(store: Store, vectors: dict[str, Vector]) -> None:
    store.put_vectors({text_hash(text): vector for text, vector in vectors.items()})


def found_words(store: Store, *terms: str, phrases: tuple[str, ...] = (), where: Filter = NO_FILTER) -> list[str]:
    with store.snapshot() as snapshot:
        hits = snapshot.keywords(KeywordQuery(terms, phrases), where, 10)
        assert all(hit.score > 0 for hit in hits)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        return [stored.chunk.text for stored in snapshot.chunks([hit.chunk_id for hit in hits])]


def found_phrase(store: Store, phrase: str, n: int = 10, where: Filter = NO_FILTER) -> list[str]:
    with store.snapshot() as snapshot:
        return sorted(snapshot.texts(snapshot.phrase_chunks(phrase, where, n)).values())


def found_near(store: Store, vector: Vector, n: int = 10, where: Filter = NO_FILTER) -> list[str]:
    with store.snapshot() as snapshot:
        hits = snapshot.nearest(vector, where, n)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        return [stored.chunk.text for stored in snapshot.chunks([hit.chunk_id for hit in hits])]


def identifier(store: Store, name: str) -> int:
    with store.snapshot() as snapshot:
        found = snapshot.document(name)
        assert found is not None
        return found.id


def names(store: Store) -> list[str]:
    with store.snapshot() as snapshot:
        return [found.name for found in snapshot.documents()]


class TestAnEmptyStore:
    def test_finds_nothing_and_counts_nothing(self, store: Store) -> None:
        assert store.states() == (store.generation(), {})
        assert store.missing_vectors(10) == []
        with store.snapshot() as snapshot:
            assert snapshot.keywords(KeywordQuery(("a",)), NO_FILTER, 5) == []
            assert snapshot.nearest(unit(1, 0), NO_FILTER, 5) == []
            assert snapshot.similarities(unit(1, 0), [1]) == {}
            assert snapshot.chunks([1]) == [] == snapshot.document_chunks(1)
            assert (snapshot.phrase_chunks("a b", NO_FILTER, 5), snapshot.texts([1])) == ([], {})
            assert snapshot.documents() == [] == snapshot.headings(2)
            assert snapshot.document("a.md") is None
            assert snapshot.count(NO_FILTER) == (0, 0)
            statistics = snapshot.statistics()
        assert (statistics.documents, statistics.failed, statistics.chunks) == (0, 0, 0)
        assert statistics.last_indexed_ns is None


class TestPhrases:
    def test_are_found_in_their_order_whatever_their_form_and_punctuation(self, store: Store) -> None:
        put(store, "a.md", "A running dog.", "dog, a run", "a dog runs")
        put(store, "b.md", "run: dogs!")
        assert found_phrase(store, "run dog") == ["A running dog.", "run: dogs!"]
        assert found_phrase(store, "run cat") == []
        assert len(found_phrase(store, "run dog", n=1)) == 1

    def test_are_found_in_the_allowed_documents_alone(self, store: Store) -> None:
        put(store, "a.md", "run dog")
        put(store, "b.md", "run dogs")
        assert found_phrase(store, "run dog", where=Filter(frozenset({identifier(store, "b.md")}))) == ["run dogs"]
        assert found_phrase(store, "run dog", where=Filter(frozenset())) == []

    @pytest.mark.parametrize("phrase", ['run" OR "dog', "run* NEAR dog", "text:dog", "\ud800\0", '"', ""])
    def test_are_words_and_nothing_else(self, store: Store, phrase: str) -> None:
        put(store, "a.md", "run", "dog", "cat dog")
        assert found_phrase(store, phrase) == []


class TestDocuments:
    def test_come_back_as_they_were_written_by_name(self, store: Store) -> None:
        coverage = Coverage(pages=3, read=2, failed=(PageFailure(2, "no text layer"),), ocr=1, limits_hit=("size",))
        row = document("b.md", title="Bee", coverage=coverage)
        chunks = [chunk(0, "# One\n", "One"), chunk(1, "text\n", "One", "Two")]
        store.replace([written(row, chunks), written(document("a.md"))], is_current=yes)
        with store.snapshot() as snapshot:
            first, second = snapshot.documents()
            assert snapshot.document("b.md") == second
            assert snapshot.document("B.md") is None
        assert (first.name, first.title, first.first_h1, first.chunk_count) == ("a.md", None, None, 0)
        assert (second.title, second.first_h1, second.chunk_count, second.total_chars) == ("Bee", "One", 2, 11)
        assert (second.coverage, second.fingerprint, second.failure) == (coverage, "f1", "")
        assert second.modified_ns == row.modified_ns

    def test_keep_what_their_collection_records_of_them(self, store: Store) -> None:
        store.replace([written(document("a.md", properties={"type": "guide"}))], is_current=yes)
        store.replace([written(document("b.md"))], is_current=yes)
        with store.snapshot() as snapshot:
            assert [dict(each.properties) for each in snapshot.documents()] == [{"type": "guide"}, {}]
        store.replace([written(document("a.md", properties={"type": "policy"}))], is_current=yes)
        with store.snapshot() as snapshot:
            found = snapshot.document("a.md")
            assert found is not None and found.properties == {"type": "policy"}

    def test_a_sum_counts_the_tokens_of_their_chunks(self, store: Store) -> None:
        with store.snapshot() as snapshot:
            assert snapshot.tokens() == 0
        put(store, "a.md", "one two three", "four")
        put(store, "b.md", "five")
        with store.snapshot() as snapshot:
            assert snapshot.tokens() == 5

    def test_a_chunk_comes_back_with_all_that_is_needed_to_cite_it(self, store: Store) -> None:
        table = Chunk(
            ordinal=0,
            locator="h3-t1",
            kind=ChunkKind.TABLE,
            heading_path=("A > B", "", "C"),
            level=4,
            part=2,
            parts=3,
            start=7,
            end=21,
            text="| a | b |\r\n\x00 é",
            context="Title\nA > B",
            embed_start=2,
            tokens=9,
            pages=(4, 5),
            boxes=(PlacedText(4, Box(1.5, 2, 3, 4.25), 0, 5), PlacedText(5, Box(0, 0, 1, 1), 5, 12)),
            sources=(SourceText(0, 40, "b a \ud800"),),
            tags=Tags(
                "requirement",
                normative=True,
                clause="5.3.1",
                references=("5.2", "RFC 9110 §4.2"),
                importance=0.5,
                clauses=("5.3", "5.3.1"),
                headings=("5.3.2 Locks",),
                table_header="| Nr | Text |",
            ),
        )
        text = f"before {table.text} after"
        store.replace([NewDocument(document("a.pdf"), text, [table], [b"hash"])], is_current=yes)
        with store.snapshot() as snapshot:
            (stored,) = snapshot.document_chunks(snapshot.documents()[0].id)
            assert snapshot.chunks([stored.id]) == [stored]
        assert stored.chunk == table
        assert (stored.document, stored.revision, stored.breadcrumb) == ("a.pdf", "f1f1f1f1", table.breadcrumb)

    def test_chunks_come_in_the_order_asked_and_unknown_ids_are_left_out(self, store: Store) -> None:
        put(store, "a.md", "one", "two", "three")
        with store.snapshot() as snapshot:
            ids = [stored.id for stored in snapshot.document_chunks(snapshot.documents()[0].id)]
            assert [s.chunk.text for s in snapshot.chunks([ids[2], 10**9, ids[0]])] == ["three", "one"]

    def test_names_and_numbers_that_no_database_expects_are_kept(self, store: Store) -> None:
        strange = "dir/\udcff'\"%_é.md"
        state = (1, 2**80, -(2**70), 2**64 - 1)
        text = "lone \ud800 surrogate"
        row = document(strange, state=state, modified_ns=2**90, title="\udc80", failure="")
        store.replace([written(row, [chunk(0, text, "H\udcfe", "x")])], is_current=yes)
        assert store.states()[1] == {strange: state}
        with store.snapshot() as snapshot:
            found = snapshot.document(strange)
            assert found is not None
            assert (found.title, found.modified_ns) == ("\udc80", 2**90)
            (stored,) = snapshot.document_chunks(found.id)
            assert (stored.chunk.text, stored.chunk.heading_path) == (text, ("H\udcfe", "x"))
            assert [heading.text for heading in snapshot.headings(6)] == ["x"]
        assert found_words(store, "surrogate") == [text]
        store.remove([strange], is_deleted=is_gone)
        assert names(store) == []

    def test_a_failed_document_is_listed_counted_and_has_no_chunks(self, store: Store) -> None:
        put(store, "a.md", "good text")
        row = document("a.md", "f2", failure="not readable")
        store.replace([written(row, [chunk(0, "ignored")])], is_current=yes)
        with store.snapshot() as snapshot:
            (found,) = snapshot.documents()
            statistics = snapshot.statistics()
        assert (found.failure, found.chunk_count) == ("not readable", 0)
        assert (statistics.documents, statistics.failed, statistics.chunks) == (0, 1, 0)

    def test_what_was_not_read_is_told_and_nothing_else(self, store: Store) -> None:
        put(store, "whole.md", "text")
        store.replace([written(document("pages.md", coverage=Coverage(pages=3, read=3)), [])], is_current=yes)
        partly = Coverage(pages=3, read=2, failed=(PageFailure(2, "no text"),))
        store.replace(
            [written(document("part.md", coverage=partly)), written(document("bad.md", failure="no text"))],
            is_current=yes,
        )
        with store.snapshot() as snapshot:
            gaps = {(gap.failure, gap.coverage.gaps) for gap in snapshot.gaps()}
        assert gaps == {("", ("no text",)), ("no text", ())}

    def test_a_document_that_failed_is_written_once_it_can_be_read(self, store: Store) -> None:
        store.replace([written(document("a.md", failure="timeout"), [])], is_current=yes)
        store.replace([written(document("a.md"), [chunk(0, "now readable")])], is_current=yes)
        assert found_words(store, "readable") == ["now readable"]

    def test_headings_are_those_up_to_a_level_by_name_then_in_order_one_a_section(self, store: Store) -> None:
        chunks = [
            chunk(0, "before"),
            chunk(1, "# A", "A"),
            chunk(2, "more", "A", part=2),
            chunk(3, "### C", "A", "C", level=3),
            chunk(4, "## B", "A", "B > b", level=2),
        ]
        other = written(document("b.md"), [chunk(0, "# Z", "Z")])
        store.replace([written(document("z.md"), chunks), other], is_current=yes)
        with store.snapshot() as snapshot:
            shown = [(heading.text, heading.level, heading.breadcrumb) for heading in snapshot.headings(2)]
            assert [heading.text for heading in snapshot.headings(6)] == ["Z", "A", "C", "B > b"]
        assert shown == [("Z", 1, "Z"), ("A", 1, "A"), ("B > b", 2, "A > B > b")]


class TestReplacing:
    def test_takes_the_place_of_the_document_of_that_name(self, store: Store) -> None:
        put(store, "a.md", "old words")
        put(store, "a.md", "new words", "more")
        assert names(store) == ["a.md"]
        assert found_words(store, "old") == []
        assert found_words(store, "new") == ["new words"]

    def test_asks_once_more_and_leaves_out_what_changed_again(self, store: Store) -> None:
        rows = [written(document(name), [chunk(0, name)]) for name in ("a.md", "b.md")]
        assert store.replace(rows, is_current=lambda row: row.name == "b.md") == ["a.md"]
        assert names(store) == ["b.md"]

    def test_an_error_half_way_changes_nothing(self, store: Store) -> None:
        put(store, "a.md", "first")
        before = store.generation()

        def fails(row: DocumentRow) -> bool:
            if row.name == "b.md":
                raise RuntimeError
            return True

        rows = [written(document(name, "f9"), [chunk(0, "second")]) for name in ("a.md", "b.md")]
        with pytest.raises(RuntimeError):
            store.replace(rows, is_current=fails)
        assert store.generation() == before
        assert found_words(store, "first") == ["first"]
        assert found_words(store, "second") == []

    def test_a_document_that_is_there_already_keeps_its_chunks_and_gets_the_new_state(self, store: Store) -> None:
        put(store, "a.md", "text", fingerprint="f1")
        with store.snapshot() as snapshot:
            before = snapshot.document_chunks(1)
        row = document("a.md", state=(1, 2, 3, 4), modified_ns=7)
        store.replace([written(row, [chunk(0, "never looked at")])], is_current=yes)
        assert store.states()[1]["a.md"] == (1, 2, 3, 4)
        with store.snapshot() as snapshot:
            assert [s.id for s in snapshot.document_chunks(1)] == [s.id for s in before]
            assert snapshot.documents()[0].modified_ns == 7

    def test_unchanged_chunks_keep_their_ids_and_ids_are_never_used_again(self, store: Store) -> None:
        put(store, "a.md", "one", "two", "two", "three")
        with store.snapshot() as snapshot:
            before = [stored.id for stored in snapshot.document_chunks(1)]
        put(store, "a.md", "new", "two", "one", "two")
        with store.snapshot() as snapshot:
            after = snapshot.document_chunks(1)
        assert [stored.chunk.text for stored in after] == ["new", "two", "one", "two"]
        assert [stored.id for stored in after[1:]] == [before[1], before[0], before[2]]
        assert after[0].id > max(before)
        assert [stored.chunk.ordinal for stored in after] == [0, 1, 2, 3]

    def test_ids_are_not_used_again_after_everything_was_removed(self, store: Store, reopen: Open) -> None:
        put(store, "a.md", "one")
        with store.snapshot() as snapshot:
            first = snapshot.document_chunks(1)[0].id
        store.remove(["a.md"], is_deleted=is_gone)
        put(reopen(), "b.md", "two")
        with store.snapshot() as snapshot:
            (found,) = snapshot.documents()
            assert found.id > 1
            assert snapshot.document_chunks(found.id)[0].id > first


class TestRemovingAndTouching:
    def test_removes_what_is_gone_and_nothing_else(self, store: Store) -> None:
        put(store, "a.md", "alpha")
        put(store, "b.md", "beta")
        store.remove(["a.md", "b.md", "unknown.md"], is_deleted=lambda name: name != "b.md")
        assert names(store) == ["b.md"]
        assert found_words(store, "alpha") == []

    def test_states_can_be_asked_of_some_documents(self, store: Store) -> None:
        put(store, "a.md", "alpha")
        put(store, "b.md", "beta")
        assert store.states(["b.md", "unknown.md"]) == (store.generation(), {"b.md": STATE})
        assert store.states([]) == (store.generation(), {})

    def test_an_unchanged_document_gets_a_new_state_and_time(self, store: Store) -> None:
        put(store, "a.md", "text", fingerprint="f1")
        store.replace([written(document("a.md", state=UNTRUSTED, modified_ns=99), [])], is_current=yes)
        assert store.states()[1] == {"a.md": UNTRUSTED}
        with store.snapshot() as snapshot:
            assert [(one.modified_ns, one.chunk_count) for one in snapshot.documents()] == [(99, 1)]


class TestTheGeneration:
    def test_rises_by_one_with_every_change_and_not_without(self, store: Store) -> None:
        start = store.generation()
        put(store, "a.md", "text", fingerprint="f1")
        store.replace([written(document("a.md", state=UNTRUSTED), [])], is_current=yes)
        embed_all(store, {"text": unit(1, 0)})
        assert store.generation() == start + 3
        embed_all(store, {"text": unit(1, 0)})
        store.remove(["unknown.md"], is_deleted=is_gone)
        store.remove(["a.md"], is_deleted=is_there)
        store.replace([written(document("a.md"), [])], is_current=no)
        store.replace([], is_current=yes)
        assert store.generation() == start + 3
        store.remove(["a.md"], is_deleted=is_gone)
        assert store.generation() == start + 4 == store.states()[0]

    def test_is_seen_by_another_opening_of_the_same_collection(self, store: Store, reopen: Open) -> None:
        other = reopen()
        put(store, "a.md", "text")
        assert other.generation() == store.generation()


class TestRefusedTexts:
    def test_have_the_zero_vector_until_they_get_another(self, store: Store) -> None:
        put(store, "a.md", "kept", "refused")
        embed_all(store, {"kept": unit(1, 0), "refused": np.zeros(2, np.float32)})
        with store.snapshot() as snapshot:
            assert [each.chunk.text for each in snapshot.chunks(snapshot.refused())] == ["refused"]
            assert snapshot.nearest(unit(0, 1), NO_FILTER, 5)[0].score == 0
        before = store.generation()
        embed_all(store, {"kept": unit(0, 1), "refused": np.zeros(2, np.float32)})
        assert store.generation() == before  # what has a vector keeps it
        embed_all(store, {"refused": unit(0, 1)})
        with store.snapshot() as snapshot:
            assert snapshot.refused() == []
            best, other = snapshot.nearest(unit(0, 1), NO_FILTER, 5)
            assert (best.score, other.score) == (pytest.approx(1), pytest.approx(0))
            assert [each.chunk.text for each in snapshot.chunks([best.chunk_id])] == ["refused"]


class TestSnapshots:
    def test_keep_their_state_while_writers_go_on(self, store: Store) -> None:
        put(store, "a.md", "old text")
        embed_all(store, {"old text": unit(1, 0)})
        with store.snapshot() as snapshot:
            assert snapshot.nearest(unit(1, 0), NO_FILTER, 5)
            put(store, "a.md", "new text")
            embed_all(store, {"new text": unit(0, 1)})
            put(store, "b.md", "text")
            assert found_near(store, unit(1, 0)) == ["new text"]
            (hit,) = snapshot.keywords(KeywordQuery(("text",)), NO_FILTER, 5)
            (near,) = snapshot.nearest(unit(1, 0), NO_FILTER, 5)
            assert hit.chunk_id == near.chunk_id
            assert near.score == pytest.approx(1)
            assert [stored.chunk.text for stored in snapshot.chunks([hit.chunk_id])] == ["old text"]
            assert snapshot.similarities(unit(1, 0), [hit.chunk_id]) == {hit.chunk_id: near.score}
            assert snapshot.count(NO_FILTER) == (1, 1)
            assert snapshot.statistics().documents == 1
            assert snapshot.generation < store.generation()

    def test_cannot_be_read_after_their_end(self, store: Store) -> None:
        with store.snapshot() as snapshot:
            pass
        with pytest.raises(PinciteError, match="with-block"):
            snapshot.documents()

    def test_serve_several_threads(self, store: Store) -> None:
        for name in "abcdef":
            put(store, f"{name}.md", f"{name} shared")
            embed_all(store, {f"{name} shared": unit(1, ord(name))})
        results: list[tuple[int, int]] = []
        with store.snapshot() as snapshot:

            def search() -> None:
                words = snapshot.keywords(KeywordQuery(("shared",)), NO_FILTER, 10)
                results.append((len(words), len(snapshot.nearest(unit(0, 1), NO_FILTER, 10))))

            threads = [threading.Thread(target=search) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert results == [(6, 6)] * 8


class TestWords:
    def test_fold_case_and_accents_and_stem(self, store: Store) -> None:
        put(store, "a.md", "Résumé of Configurations", "nothing here")
        assert found_words(store, "resume") == ["Résumé of Configurations"]
        assert found_words(store, "CONFIGURING") == ["Résumé of Configurations"]

    def test_are_found_in_the_context_too(self, store: Store) -> None:
        store.replace([written(document("a.md"), [chunk(0, "body", context="Guide\nInstalling")])], is_current=yes)
        assert found_words(store, "install") == ["body"]

    def test_a_rarer_word_counts_more_and_ties_go_by_id(self, store: Store) -> None:
        put(store, "a.md", "common rare", "common common", "filler one", "filler two", "filler six", "common also")
        assert found_words(store, "rare", "common")[0] == "common rare"
        put(store, "b.md", "same words", "same words")
        with store.snapshot() as snapshot:
            first, second = snapshot.keywords(KeywordQuery(("same",)), NO_FILTER, 5)
        assert first.score == second.score
        assert first.chunk_id < second.chunk_id

    def test_a_phrase_counts_only_side_by_side(self, store: Store) -> None:
        put(store, "a.md", "max retry time", "retry at max")
        assert found_words(store, phrases=("max-retry",)) == ["max retry time"]

    def test_are_held_to_the_documents_allowed(self, store: Store) -> None:
        for name in ("a.md", "b.md", "c.md"):
            put(store, name, f"shared {name[0]}")
        only = Filter(frozenset({identifier(store, "b.md"), 10**12}))
        assert found_words(store, "shared", where=only) == ["shared b"]
        assert found_words(store, "shared", where=Filter(frozenset())) == []
        with store.snapshot() as snapshot:
            assert snapshot.count(only) == (1, 1)
            assert snapshot.count(Filter(frozenset())) == (0, 0)

    def test_count_the_documents_that_have_chunks(self, store: Store) -> None:
        put(store, "a.md", "one", "two")
        put(store, "b.md", "three")
        put(store, "empty.md")
        where = Filter(frozenset({identifier(store, "a.md"), identifier(store, "empty.md")}))
        with store.snapshot() as snapshot:
            assert snapshot.count(NO_FILTER) == (3, 2)
            assert snapshot.count(where) == (2, 1)

    @pytest.mark.parametrize("hostile", HOSTILE)
    def test_that_are_hostile_raise_nothing_and_match_only_themselves(self, store: Store, hostile: str) -> None:
        put(store, "a.md", "harmless content", "other things", "third matter")
        assert found_words(store, hostile) == []
        assert found_words(store, phrases=(hostile,)) == []
        assert found_words(store, hostile, "harmless", phrases=(hostile,)) == ["harmless content"]

    def test_ten_thousand_of_them_are_answered(self, store: Store) -> None:
        put(store, "a.md", "w3 w5", "other")
        assert found_words(store, *(f"w{i}" for i in range(10_000))) == ["w3 w5"]

    def test_in_a_language_without_spaces_are_found_wherever_they_stand(self, store: Store) -> None:
        put(store, "a.md", "本规定适用于采购审批流程", "ไฟล์ทั้งหมด", "문서를 저장", "другой текст")
        assert found_words(store, "采购审批") == found_words(store, "适用") == ["本规定适用于采购审批流程"]
        assert found_words(store, "税务") == found_words(store, "批采") == []
        assert found_words(store, "购") == ["本规定适用于采购审批流程"]
        assert found_phrase(store, "采购审批流程") == ["本规定适用于采购审批流程"]
        assert found_phrase(store, "采购流程") == []
        assert found_words(store, "ไฟล์") == ["ไฟล์ทั้งหมด"]
        assert found_words(store, "문서") == found_words(store, "문서는") == ["문서를 저장"]
        assert found_words(store, "Другой".upper()) == ["другой текст"]

    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("the ﬁle", "file"),
            ("\uff21\uff30\uff29", "api"),
            ("in the Büro", "Buro"),
            ("in the Büro", "Buero"),
            ("große Straße", "strasse"),
            ("co-operation", "cooperation"),
            ("cooperation", "co-operation"),
            ("the Buero", "Büro"),
            ("co\u00adoperation", "cooperation"),
            ("שָׁלוֹם", "שלום"),
            ("مُحَمَّد", "محمد"),
            ("e\u0301te\u0301", "été"),
            ("हिन्दी में", "हिन्दी"),
            ("launch 🚀 now", "🚀"),
        ],
    )
    def test_are_found_in_another_spelling_and_again_once_it_is_deleted(
        self, store: Store, text: str, query: str
    ) -> None:
        put(store, "a.md", text)
        put(store, "b.md", "another")
        assert found_words(store, query, *written_out(query)) == [text]
        store.remove(["a.md"], is_deleted=is_gone)
        assert found_words(store, query) == []


class TestVectors:
    def test_are_missing_once_a_text_oldest_first_until_they_are_put(self, store: Store) -> None:
        put(store, "a.md", "one", "two", "one")
        put(store, "b.md", "one", "three")
        assert [row.text for row in store.missing_vectors(10)] == ["one", "two", "three"]
        assert store.missing_vectors(2) == [Unembedded(text_hash(text), "", text) for text in ("one", "two")]
        assert store.missing_vectors(0) == []
        embed_all(store, {"one": unit(1, 0)})
        assert [row.text for row in store.missing_vectors(10)] == ["two", "three"]
        with store.snapshot() as snapshot:
            statistics = snapshot.statistics()
        assert (statistics.waiting_chunks, statistics.waiting_documents) == (2, 2)
        assert store.waiting_documents() == 2

    def test_find_the_nearest_in_falling_order_with_ties_by_id(self, store: Store) -> None:
        put(store, "a.md", "east", "north", "east too")
        embed_all(store, {"east": unit(1, 0), "north": unit(0.1, 1), "east too": unit(1, 0)})
        assert found_near(store, unit(1, 0.01)) == ["east", "east too", "north"]
        assert found_near(store, unit(1, 0.01), n=1) == ["east"]
        assert found_near(store, unit(1, 0.01), n=0) == []

    def test_are_held_to_the_documents_allowed(self, store: Store) -> None:
        put(store, "a.md", "east")
        put(store, "b.md", "north")
        embed_all(store, {"east": unit(1, 0), "north": unit(0, 1)})
        assert found_near(store, unit(1, 0), where=Filter(frozenset({identifier(store, "b.md")}))) == ["north"]
        assert found_near(store, unit(1, 0), where=Filter(frozenset())) == []
        assert found_near(store, unit(1, 0), where=Filter(frozenset({10**15, -1}))) == []

    def test_embed_context_and_text_from_where_embedding_begins(self, store: Store) -> None:
        first = Chunk(0, "h0-c1", ChunkKind.TEXT, (), 0, 1, 1, 0, 12, "---\nx\n---\nAb", "Title", embed_start=10)
        store.replace([written(document("a.md"), [first])], is_current=yes)
        assert store.missing_vectors(5) == [Unembedded(text_hash("Title.\nAb"), "Title", "Ab")]

    def test_survive_a_rename_and_an_undo(self, store: Store) -> None:
        put(store, "a.md", "kept text")
        embed_all(store, {"kept text": unit(1, 0)})
        store.remove(["a.md"], is_deleted=is_gone)
        put(store, "b.md", "kept text")
        assert store.missing_vectors(5) == []
        put(store, "b.md", "other text")
        put(store, "b.md", "kept text")
        assert store.missing_vectors(5) == []
        assert found_near(store, unit(1, 0)) == ["kept text"]

    def test_that_nothing_waits_for_any_more_do_no_harm(self, store: Store) -> None:
        embed_all(store, {"gone": unit(1, 0)})
        assert found_near(store, unit(1, 0)) == []
        put(store, "a.md", "gone")
        assert found_near(store, unit(1, 0)) == ["gone"]

    def test_of_another_length_or_not_finite_are_refused(self, store: Store) -> None:
        put(store, "a.md", "one", "two")
        embed_all(store, {"one": unit(1, 0)})
        with pytest.raises(PinciteError, match="identity"):
            embed_all(store, {"two": unit(1, 0, 0)})
        with pytest.raises(PinciteError, match="finite"):
            embed_all(store, {"two": np.array([np.nan, 1], np.float32)})
        assert [row.text for row in store.missing_vectors(5)] == ["two"]
        with store.snapshot() as snapshot, pytest.raises(PinciteError):
            snapshot.nearest(unit(1, 0, 0), NO_FILTER, 1)

    def test_a_question_that_is_not_finite_finds_nothing(self, store: Store) -> None:
        put(store, "a.md", "one")
        embed_all(store, {"one": unit(1, 0)})
        assert found_near(store, np.array([np.nan, np.inf], np.float32)) == []

    def test_similarity_is_the_cosine_of_the_chunks_that_have_a_vector(self, store: Store) -> None:
        put(store, "a.md", "east", "north", "bare")
        embed_all(store, {"east": unit(1, 0), "north": unit(0, 1)})
        with store.snapshot() as snapshot:
            ids = {stored.chunk.text: stored.id for stored in snapshot.document_chunks(1)}
            found = snapshot.similarities(unit(1, 1), [*ids.values(), 10**9])
            best = snapshot.nearest(unit(1, 1), NO_FILTER, 2)
        assert found == {hit.chunk_id: hit.score for hit in best}
        assert found[ids["east"]] == pytest.approx(0.7071, abs=1e-4)


TAGGED = {
    "requirement one": Tags("requirement", normative=True, clause="5.3"),
    "requirement two": Tags("requirement", normative=True, clause="5.3.1"),
    "recommendation": Tags("recommendation", normative=False, clause="5.30"),
    "requirement of annex": Tags("requirement", normative=False, clause="A.2"),
    "untold": Tags(clause="5.3.10.2"),
    "sections": Tags(clause="7.1", clauses=("7", "7.1", "7.2.1")),
    "untagged": NO_TAGS,
    "a table": Tags("table"),
}
FILTERS = {
    Filter(): list(TAGGED),
    Filter(chunk_types=frozenset({"requirement"})): ["requirement one", "requirement two", "requirement of annex"],
    Filter(chunk_types=frozenset({"table", "recommendation", "none"})): ["recommendation", "a table"],
    Filter(normative=True): ["requirement one", "requirement two"],
    Filter(normative=False): ["recommendation", "requirement of annex"],
    Filter(clauses=(Clause("5.3"),)): ["requirement one", "requirement two", "untold"],
    Filter(clauses=(Clause("5.3", exact=True), Clause("A"))): ["requirement one", "requirement of annex"],
    Filter(clauses=(Clause("5.%"), Clause("_.2"), Clause(""))): [],
    Filter(clauses=(Clause("7.2"),)): ["sections"],
    Filter(clauses=(Clause("7.2.1", exact=True),)): ["sections"],
    Filter(clauses=(Clause("7.2", exact=True), Clause("2.1"))): [],
    Filter(kinds=frozenset({ChunkKind.TABLE})): ["a table"],
    Filter(kinds=frozenset({ChunkKind.TEXT}), normative=True, clauses=(Clause("5.3.1"),)): ["requirement two"],
    Filter(documents=frozenset({10**6}), normative=True): [],
    Filter(documents=frozenset(), kinds=frozenset({ChunkKind.TEXT})): [],
}


class TestFilters:
    @pytest.fixture
    def tagged(self, reopen: Open) -> Store:
        store = reopen()
        chunks = [
            replace(chunk(n, f"zebra {text}"), tags=tags, kind=ChunkKind.TABLE if "table" in text else ChunkKind.TEXT)
            for n, (text, tags) in enumerate(TAGGED.items())
        ]
        store.replace(
            [written(document("a.md"), chunks), written(document("b.md"), [chunk(0, "other")])], is_current=yes
        )
        embed_all(store, {each.text: unit(1, n / 100) for n, each in enumerate(chunks)})
        return store

    @pytest.mark.parametrize("where", FILTERS, ids=map(str, range(len(FILTERS))))
    def test_hold_every_leg_to_the_chunks_that_pass(self, tagged: Store, where: Filter) -> None:
        expected = sorted(f"zebra {text}" for text in FILTERS[where])
        assert sorted(found_words(tagged, "zebra", where=where)) == expected
        assert sorted(set(found_near(tagged, unit(1, 0), where=where)) - {"other"}) == expected
        assert found_phrase(tagged, "zebra", where=where) == expected
        with tagged.snapshot() as snapshot:
            candidates = snapshot.candidates(KeywordQuery(("zebra",)), where, 10)
            assert sorted(snapshot.texts(candidates).values()) == expected
            assert snapshot.count(where).chunks == len(expected) + (where == NO_FILTER)
            passing = snapshot.chunk_ids(where)
            assert passing == sorted(passing) and len(passing) == snapshot.count(where).chunks
            assert {*snapshot.texts(passing).values()} - {"other"} == {*expected}
            assert snapshot.count(where).documents == bool(expected) + (where == NO_FILTER)

    def test_give_the_best_that_pass_however_few_they_are(self, tagged: Store) -> None:
        where = Filter(normative=False)
        assert found_near(tagged, unit(1, 0), 1, where) == ["zebra recommendation"]

    def test_see_what_changes(self, tagged: Store) -> None:
        where = Filter(chunk_types=frozenset({"note"}))
        assert found_words(tagged, "okapi", where=where) == []
        note = replace(chunk(0, "okapi"), tags=Tags("note"))
        tagged.replace([written(document("c.md"), [note])], is_current=yes)
        assert found_words(tagged, "okapi", where=where) == ["okapi"]
        tagged.replace([written(document("c.md", "f2"), [replace(note, tags=Tags("table"))])], is_current=yes)
        assert found_words(tagged, "okapi", where=where) == []


def spans(text: str, *borders: tuple[int, int]) -> NewDocument:
    """A document with one chunk of each span, in the given order."""
    chunks = [
        replace(chunk(ordinal, text[start:end]), start=start, end=end) for ordinal, (start, end) in enumerate(borders)
    ]
    return NewDocument(document("a.md"), text, chunks, [text_hash(each.text) for each in chunks])


LONG = "".join(f"word{n} é𝄞 " for n in range(3000))


class TestTheText:
    def test_is_the_documents_own_whatever_its_chunks_cover(self, store: Store) -> None:
        store.replace([spans(LONG, (0, 900), (500, 9000), (8999, 9001), (4096, 8192))], is_current=yes)
        with store.snapshot() as snapshot:
            (stored,) = snapshot.documents()
            assert stored.total_chars == len(LONG)
            assert snapshot.text(stored.id) == LONG
            for start, end in [(0, 1), (4095, 4097), (8192, 8192), (100, 20_000), (5, None), (len(LONG) - 1, 10**9)]:
                assert snapshot.text(stored.id, start, end) == LONG[start:end]
            chunks = snapshot.document_chunks(stored.id)
            assert [each.chunk.text for each in chunks] == [
                LONG[0:900],
                LONG[500:9000],
                LONG[8999:9001],
                LONG[4096:8192],
            ]
            assert snapshot.chunks([each.id for each in reversed(chunks)]) == chunks[::-1]
            assert snapshot.texts([chunks[1].id]) == {chunks[1].id: LONG[500:9000]}
            assert snapshot.text(10**9) == ""

    def test_of_a_section_is_in_its_chunks_however_many_sections_bear_its_breadcrumb(self, store: Store) -> None:
        def part(ordinal: int, text: str, *path: str, part: int = 1, parts: int = 1) -> Chunk:
            return replace(chunk(ordinal, text, *path), part=part, parts=parts)

        chunks = [
            part(0, "before 1", part=1, parts=2),
            part(1, "before 2", part=2, parts=2),
            part(2, "a", "A"),
            part(3, "b 1", "A", "B", part=1, parts=3),
            part(4, "b 2", "A", "B", part=2, parts=3),
            part(5, "b 3", "A", "B", part=3, parts=3),
            part(6, "nameless", ""),
            part(7, "b again", "A", "B"),
        ]
        store.replace(
            [written(document("a.md"), chunks), written(document("b.md"), [part(0, "x", "A", "B")])], is_current=yes
        )
        expected = {
            "": ["before 1", "before 2", "nameless"],
            "A": ["a"],
            "A > B": ["b 1", "b 2", "b 3", "b again"],
            "B": [],
        }
        with store.snapshot() as snapshot:
            (found, _) = snapshot.documents()
            every = {each.id: each for each in snapshot.document_chunks(found.id)}
            for breadcrumb, texts in expected.items():
                section = snapshot.section_chunks(found.id, breadcrumb)
                assert [each.chunk.text for each in section] == texts
                assert section == [every[each.id] for each in section]

    def test_of_a_locator_is_in_its_chunk_or_in_those_of_its_section(self, store: Store) -> None:
        locators = ["h1-c1", "h1-t1", "h1-c2", "h2-c1", "h10-c1", "h10-c10"]
        chunks = [replace(chunk(n, f"text {n}"), locator=locator) for n, locator in enumerate(locators)]
        store.replace([written(document("a.md"), chunks), written(document("b.md"), chunks)], is_current=yes)
        with store.snapshot() as snapshot:
            number = identifier(store, "b.md")
            every = snapshot.document_chunks(number)
            expected = {"h1": every[:3], "h1-c1": every[:1], "h1-t1": every[1:2], "h2": every[3:4], "h10": every[4:]}
            for locator, found in expected.items():
                assert snapshot.located_chunks(number, locator) == found
            for locator in ("h3", "h1-c3", "h10-c1-", "h", ""):
                assert snapshot.located_chunks(number, locator) == []
            assert snapshot.located_chunks(10**9, "h1") == []

    def test_of_a_range_is_in_the_chunks_that_overlap_it(self, store: Store) -> None:
        store.replace([spans(LONG, (0, 900), (500, 9000), (9100, 9200), (600, 620))], is_current=yes)
        with store.snapshot() as snapshot:
            every = snapshot.document_chunks(1)
            expected = {
                (0, 1): [0],
                (499, 500): [0],
                (500, 501): [0, 1],
                (0, 600): [0, 1],
                (610, 611): [0, 1, 3],
                (0, 10**9): [0, 1, 2, 3],
                (9000, 9100): [],
                (9199, 9200): [2],
                (700, 700): [],
            }
            for (start, end), ordinals in expected.items():
                assert snapshot.overlapping_chunks(1, start, end) == [every[n] for n in ordinals]
            assert snapshot.overlapping_chunks(10**9, 0, 1) == []

    def test_of_neighbours_is_found_by_their_ordinals(self, store: Store) -> None:
        put(store, "a.md", *(f"text {n}" for n in range(7)))
        with store.snapshot() as snapshot:
            every = snapshot.document_chunks(1)
            for first, last in [(0, 0), (2, 4), (5, 99), (0, None), (3, None), (-2, 1), (4, 2), (7, None)]:
                end = len(every) if last is None else last + 1
                assert snapshot.document_chunks(1, first, last) == every[max(0, first) : end]

    def test_of_overlapping_chunks_is_found_in_each_of_them(self, store: Store) -> None:
        store.replace([spans("one two three four", (0, 13), (4, 18))], is_current=yes)
        assert found_words(store, "two") == ["one two three", "two three four"]
        store.replace([replace(spans("one two three four", (0, 7)), row=document("a.md", "f2"))], is_current=yes)
        assert found_words(store, "two") == ["one two"] and found_words(store, "four") == []

    def test_changes_in_one_place_and_stays_elsewhere(self, store: Store) -> None:
        borders = [(start, min(start + 1000, len(LONG))) for start in range(0, len(LONG), 1000)]
        store.replace([spans(LONG, *borders)], is_current=yes)
        changed = LONG[:10_000] + "x" + LONG[10_001:-1]
        borders[-1] = (borders[-1][0], len(changed))
        store.replace([replace(spans(changed, *borders), row=document("a.md", "f2"))], is_current=yes)
        with store.snapshot() as snapshot:
            (stored,) = snapshot.documents()
            assert snapshot.text(stored.id) == changed
            assert "".join(each.chunk.text for each in snapshot.document_chunks(stored.id)) == changed

    def test_goes_with_its_document(self, store: Store) -> None:
        put(store, "a.md", "first words")
        store.remove(["a.md"], is_deleted=is_gone)
        put(store, "b.md", "other")
        with store.snapshot() as snapshot:
            assert [snapshot.text(number) for number in (1, 2)] == ["", "other"]


class TestPlaces:
    TEXTS = ("one", "two", "one")
    HEADINGS = ("A", "B \ud800", "日本")

    def put(self, store: Store, fingerprint: str = "f1", *texts: str) -> None:
        chunks = [
            chunk(n, text, heading)
            for n, (text, heading) in enumerate(zip(texts or self.TEXTS, self.HEADINGS, strict=True))
        ]
        store.replace([written(document("a.md", fingerprint), chunks)], is_current=yes)

    def expected(self) -> list[Place]:
        return [
            Place(f"h{n}-c1", text_hash(text), heading, (3 * n, 3 * n + 3))
            for n, (text, heading) in enumerate(zip(self.TEXTS, self.HEADINGS, strict=True))
        ]

    def test_are_the_locators_of_a_document_in_its_order(self, store: Store) -> None:
        self.put(store)
        with store.snapshot() as snapshot:
            assert snapshot.places(1) == self.expected()
            assert snapshot.places(10**9) == []

    def test_of_a_replaced_revision_are_kept_in_its_order(self, store: Store) -> None:
        self.put(store, "f0", "one", "x", "two")
        # A chunk that stays keeps its row: the rows are now in another order than the chunks.
        self.put(store, "f1")
        self.put(store, "f2", "three", "two", "one")
        with store.snapshot() as snapshot:
            past = snapshot.past("a.md", "f1f1f1f1")
            assert past is not None and list(past.places) == self.expected()
            assert snapshot.past("a.md", "f2f2f2f2") is None and snapshot.past("b.md", "f1f1f1f1") is None

    def test_of_a_deleted_document_are_kept(self, store: Store) -> None:
        self.put(store)
        store.remove(["a.md"], is_deleted=is_gone)
        with store.snapshot() as snapshot:
            past = snapshot.past("a.md", "f1f1f1f1")
            assert past is not None and list(past.places) == self.expected()


class TestSourceTexts:
    def test_of_a_document_are_spans_of_its_text_each_once_and_in_order(self, store: Store) -> None:
        new = spans(LONG, (0, 900), (500, 9000), (600, 700))
        sources = [
            (SourceText(800, 950, "later"), SourceText(100, 120, "first")),
            (SourceText(300, 450, "later"),),
            (),
        ]
        chunks = [replace(each, sources=own) for each, own in zip(new.chunks, sources, strict=True)]
        store.replace([replace(new, chunks=chunks), written(document("b.md"), [chunk(0, "x")])], is_current=yes)
        with store.snapshot() as snapshot:
            assert snapshot.source_texts(1) == [SourceText(100, 120, "first"), SourceText(800, 950, "later")]
            assert snapshot.source_texts(2) == []


class TestTheSourceKey:
    def row(self, name: str, key: str, fingerprint: str = "f1") -> NewDocument:
        return written(document(name, fingerprint, source_key=key), [chunk(0, f"text of {name}")])

    def test_is_what_states_and_removals_go_by(self, store: Store) -> None:
        store.replace([self.row("iso-1", "files/iso 1.pdf"), self.row("b", "b")], is_current=yes)
        assert store.states() == (1, {"files/iso 1.pdf": STATE, "b": STATE})
        assert store.states(["files/iso 1.pdf", "iso-1"])[1] == {"files/iso 1.pdf": STATE}
        with store.snapshot() as snapshot:
            assert snapshot.document("files/iso 1.pdf") is None
            found = snapshot.document("iso-1")
        assert found is not None and found.source_key == "files/iso 1.pdf"
        store.remove(["iso-1"], is_deleted=is_gone)
        assert names(store) == ["b", "iso-1"]
        store.remove(["files/iso 1.pdf"], is_deleted=is_gone)
        assert names(store) == ["b"]

    def test_keeps_one_document_when_its_name_changes(self, store: Store) -> None:
        store.replace([self.row("old", "a.pdf")], is_current=yes)
        store.replace([self.row("new", "a.pdf", "f2")], is_current=yes)
        assert names(store) == ["new"]
        assert found_words(store, "old") == [] and found_words(store, "new") == ["text of new"]

    def test_may_change_while_the_name_stays(self, store: Store) -> None:
        store.replace([self.row("a", "old/a.pdf")], is_current=yes)
        store.replace([self.row("a", "new/a.pdf")], is_current=yes)
        assert store.states() == (2, {"new/a.pdf": STATE})
        store.replace([self.row("a", "old/a.pdf", "f2")], is_current=yes)
        assert store.states() == (3, {"old/a.pdf": STATE}) and names(store) == ["a"]


class TestStamps:
    def test_name_the_documents_that_have_them(self, store: Store) -> None:
        stamps = {"a.md": "markdown/1", "b.md": "markdown/2", "c.md": "markdown/1"}
        rows = [document(name, stamp=stamp) for name, stamp in stamps.items()]
        rows[2] = replace(rows[2], source_key="files/c.md")
        store.replace([written(row) for row in rows], is_current=yes)
        assert sorted(store.stamps()) == ["markdown/1", "markdown/2"]
        assert store.stamped(["markdown/1", "none"]) == {"a.md": "a.md", "files/c.md": "c.md"}
        assert store.stamped([]) == {}

    def test_change_with_a_document_that_stays_the_same(self, store: Store) -> None:
        store.replace([written(document("a.md", stamp="old"))], is_current=yes)
        store.replace([written(document("a.md", stamp="new"))], is_current=yes)
        assert store.stamps() == ["new"]


class TestWhatAMirrorAndALibraryAsk:
    def test_chunks_are_found_by_name_and_ordinal(self, store: Store) -> None:
        put(store, "a.md", "one", "two")
        put(store, "b.md", "three")
        with store.snapshot() as snapshot:
            ids = {each.chunk.text: each.id for number in (1, 2) for each in snapshot.document_chunks(number)}
            places = [("b.md", 0), ("a.md", 1), ("a.md", 2), ("none", 0), ("a.md", 1)]
            assert snapshot.chunk_ids_at(places) == [ids["three"], ids["two"], None, None, ids["two"]]
            assert snapshot.chunk_ids_at([]) == []

    def test_chunks_are_found_in_a_document_whose_name_is_not_utf8(self, store: Store) -> None:
        strange = 'dir/\udcff"\\é.md'
        put(store, strange, "one", "two")
        put(store, "a.md", "three")
        with store.snapshot() as snapshot:
            ids = {each.chunk.text: each.id for number in (1, 2) for each in snapshot.document_chunks(number)}
            places = [(strange, 1), ("a.md", 0), ("dir/\udcfe", 0), (strange, 0)]
            assert snapshot.chunk_ids_at(places) == [ids["two"], ids["three"], None, ids["one"]]

    def test_a_clause_that_is_not_utf8_passes_no_chunk(self, store: Store) -> None:
        put(store, "a.md", "one")
        with store.snapshot() as snapshot:
            assert snapshot.chunk_ids(Filter(clauses=(Clause("4.\udcff"),))) == []

    def test_a_document_has_its_stamp_and_its_waiting_chunks(self, store: Store) -> None:
        store.replace(
            [written(document("a.md", stamp="markdown/1"), [chunk(0, "one"), chunk(1, "two")])], is_current=yes
        )
        with store.snapshot() as snapshot:
            assert (snapshot.stamp(1), snapshot.stamp(10**9)) == ("markdown/1", "")
            assert snapshot.waiting_chunks() == {1: 2}
        embed_all(store, {"one": unit(1, 0), "two": unit(0, 1)})
        with store.snapshot() as snapshot:
            assert snapshot.waiting_chunks() == {}

    def test_a_store_has_one_identity_however_often_it_is_opened(self, store: Store, reopen: Open) -> None:
        assert store.identity() == reopen().identity() != ""


class TestChanges:
    def test_since_a_generation_are_what_came_went_was_embedded_or_tagged(self, store: Store) -> None:
        put(store, "a.md", "kept", "gone")
        put(store, "b.md", "embedded")
        before = store.generation()
        assert changed(store, before) == ([], 0)
        store.replace([written(document("a.md", "f2"), [chunk(0, "kept"), chunk(1, "new")])], is_current=yes)
        assert changed(store, before) == (["new"], 1)
        embed_all(store, {"embedded": unit(1, 0)})
        assert changed(store, before) == (["embedded", "new"], 1)
        tagged = replace(chunk(0, "kept"), tags=Tags("note"))
        store.replace([written(document("a.md", "f3"), [tagged])], is_current=yes)
        assert changed(store, before) == (["embedded", "kept"], 2)
        assert changed(store, store.generation()) == ([], 0)


def changed(store: Store, since: int) -> tuple[list[str], int]:
    """The texts of the chunks that changed since a generation, sorted, and how many were deleted."""
    with store.snapshot() as snapshot:
        changes = snapshot.changes(since)
        assert changes is not None and not set(changes.changed) & set(changes.removed)
        return sorted(snapshot.texts(changes.changed).values()), len(set(changes.removed))


class TestWaiting:
    def test_ends_with_the_next_change_and_else_with_the_time(self, store: Store, reopen: Open) -> None:
        assert not store.wait(0, 0.01)
        put(store, "a.md", "one")
        assert store.wait(0, 60)
        writer = threading.Timer(0.1, put, (reopen(), "b.md", "two"))
        writer.start()
        assert store.wait(1, 60) and store.generation() == 2
        writer.join()


class TestTwoOpenings:
    def test_see_each_others_changes_in_words_and_vectors(self, store: Store, reopen: Open) -> None:
        other = reopen()
        put(store, "a.md", "one")
        embed_all(store, {"one": unit(1, 0)})
        assert found_near(other, unit(1, 0)) == ["one"]
        put(store, "a.md", "two", "three")
        embed_all(other, {"two": unit(0, 1)})
        assert found_near(other, unit(1, 0)) == ["two"] == found_near(store, unit(1, 0))
        assert found_words(other, "three") == ["three"]
        store.remove(["a.md"], is_deleted=is_gone)
        assert found_near(other, unit(1, 0)) == []

    def test_another_embedder_never_sees_these_vectors_and_a_switch_back_finds_them(self, reopen: Open) -> None:
        first = reopen(embedder="model-a")
        put(first, "a.md", "one", "two")
        embed_all(first, {"one": unit(1, 0), "two": unit(0, 1)})
        second = reopen(embedder="model-b")
        assert [row.text for row in second.missing_vectors(5)] == ["one", "two"]
        assert found_near(second, unit(1, 0, 0)) == []
        embed_all(second, {"one": unit(0, 0, 1)})
        assert found_near(second, unit(1, 0, 0)) == ["one"]
        assert found_near(first, unit(1, 0)) == ["one", "two"]
        put(second, "b.md", "two", "three")
        third = reopen(embedder="model-a")
        assert [row.text for row in third.missing_vectors(5)] == ["three"]
        assert found_near(third, unit(0, 1), n=2) == ["two", "two"]


class TestTheLease:
    def test_is_held_by_one_opening_at_a_time(self, store: Store, reopen: Open) -> None:
        other = reopen()
        assert store.lease.claim()
        assert not other.lease.claim()
        other.lease.release()
        assert store.lease.claim()
        store.lease.release()
        assert other.lease.claim()

    def test_its_holder_has_time_to_show_that_it_lives(self, store: Store) -> None:
        assert store.lease.beat > 0


def test_a_closed_store_says_so(store: Store) -> None:
    with store.snapshot() as snapshot:
        store.close()
        assert snapshot.documents() == []
    with pytest.raises(PinciteError, match="closed"):
        store.generation()


def test_what_a_data_url_holds_is_no_word_and_leaves_nothing_behind(store: Store) -> None:
    picture = f"![logo](data:image/png;base64,{'Quagga/' * 40})"
    text = f"zebra {picture} crossing"
    put(store, "a.md", text)
    assert found_words(store, "zebra") == found_words(store, "crossing") == found_words(store, "logo") == [text]
    assert found_words(store, "quagga") == found_words(store, "png") == []
    put(store, "a.md", "okapi", fingerprint="f2")
    assert found_words(store, "zebra") == [] and found_words(store, "okapi") == ["okapi"]
