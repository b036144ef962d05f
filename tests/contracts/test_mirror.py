"""What every mirror promises, run over every mirror in the registry, each filled from a real store.

Qdrant is its client's local mode behind a loopback server, unless `PINCITE_QDRANT_URL` names a real one (`deploy/`);
ChromaDB is the embedded one here, its server in the slow tier.
"""

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

from pincite import registry, settings
from pincite.errors import ConfigError, PinciteError
from pincite.index.mirrors.mirrored import MirrorLegs
from pincite.index.mirrors.mirroring import catch_up, digests
from pincite.index.mirrors.rebuilding import rebuild
from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind, PlacedText, SourceText, Tags, text_hash
from pincite.model.document import Box
from pincite.model.search import NO_FILTER, Clause, Filter, KeywordQuery
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument
from pincite.services.library.chunk_records import published_fields
from pincite.sources.library import ELSEWHERE
from pincite.store.mirrors.base import Mirror, MirroredChunk, MirroredDocument, MirrorFilter, MirrorState
from pincite.store.sqlite.store import SqliteStore
from support.memory_mirror import MemoryMirror
from support.stores import open_store, remove, written

Vector = npt.NDArray[np.float32]


DIMENSIONS = 2
MODEL = "m"

Opening = Callable[..., Mirror]
"""Opens the same mirror again, as another process would: by another model if one is named."""


@dataclass
class Place:
    """Where a mirror is."""

    name: str
    opening: Opening
    opened: list[Mirror]

    def open(self, **other: Any) -> Mirror:
        self.close()  # an embedded engine is one process's alone
        self.opened.append(self.opening(**{"model": MODEL, "dimensions": DIMENSIONS, **other}))
        return self.opened[-1]

    def close(self) -> None:
        while self.opened:
            self.opened.pop().close()


MIRRORS = [
    "memory",
    "qdrant",
    pytest.param("chromadb", marks=pytest.mark.slow),
    pytest.param("chromadb-server", marks=pytest.mark.slow),
]


def test_every_mirror_is_here() -> None:
    names = [each if isinstance(each, str) else str(each.values[0]) for each in MIRRORS]
    assert set(names) == {row.name for row in registry.MIRRORS} | {"memory", "chromadb-server"}


@pytest.fixture(scope="module")
def servers() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="module")
def qdrant_url(servers: ExitStack) -> str:
    pytest.importorskip("qdrant_client", reason="needs pincite[qdrant]")
    from support.qdrant_server import qdrant_server  # noqa: PLC0415 - needs the extra

    return os.environ.get("PINCITE_QDRANT_URL") or servers.enter_context(qdrant_server()).url


@pytest.fixture(scope="module")
def chroma_url(servers: ExitStack, tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("chromadb", reason="needs pincite[chromadb]")
    from support.chroma_server import chroma_server  # noqa: PLC0415 - needs the extra

    return servers.enter_context(chroma_server(tmp_path_factory.mktemp("chroma")))


def empty_chroma(url: str) -> None:
    """Delete both collections, the state included: the next test has the same server."""
    from pincite.store.mirrors.chroma import COLLECTION, RECORDS, connect, disconnect  # noqa: PLC0415 - needs the extra

    client = connect(url)
    for collection in client.list_collections():
        assert collection.name in {COLLECTION, RECORDS}
        client.delete_collection(collection.name)
    client.close()
    disconnect(client)


@pytest.fixture(params=MIRRORS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """Where an empty mirror is, of vectors of two numbers."""
    name: str = request.param
    variables: dict[str, object] = {}
    if name == "memory":
        only = MemoryMirror(model=MODEL, dimensions=DIMENSIONS)

        def same(**_: Any) -> Mirror:  # a memory has nothing to open again
            return only

        yield Place(name, same, [])
        return
    if name == "qdrant":
        variables = {"QDRANT_URL": request.getfixturevalue("qdrant_url"), "QDRANT_COLLECTION": f"t-{uuid.uuid4().hex}"}
    elif name == "chromadb":
        pytest.importorskip("chromadb", reason="needs pincite[chromadb]")
        variables = {"CHROMADB_PATH": tmp_path / "chroma"}
    elif name == "chromadb-server":
        variables = {"PINCITE_CHROMADB_URL": request.getfixturevalue("chroma_url")}
    row = registry.find(registry.MIRRORS, name.removesuffix("-server"))
    loaded = settings.load(variables)
    parameters = {name: attrgetter(setting)(loaded) for name, setting in row.parameters}

    def opening(**given: Any) -> Mirror:
        return cast("Mirror", registry.load(row)(**parameters, **given))

    made = Place(name, opening, [])
    yield made
    made.close()
    if name == "chromadb-server":
        empty_chroma(str(variables["PINCITE_CHROMADB_URL"]))


@pytest.fixture
def mirror(place: Place) -> Mirror:
    opened = place.open()
    opened.check()
    return opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "x.db", log_rows=20)
    yield opened
    opened.close()


def unit(angle: float) -> Vector:
    return np.array([np.cos(angle), np.sin(angle)], np.float32)


def put(store: SqliteStore, name: str, *texts: str, revision: str = "r1", tags: Tags | None = None) -> None:
    """A document of chunks, each with a vector the further from east the later it comes."""
    chunks = [
        Chunk(n, f"h{n}-c1", ChunkKind.TEXT, (f"H{n}",), 1, 1, 1, 0, len(text), text, "", tags=tags or Tags())
        for n, text in enumerate(texts)
    ]
    row = DocumentRow(name, None, UNTRUSTED, 1, f"{revision}{texts}", revision)
    store.replace([written(row, chunks)], is_current=lambda row: bool(row.name))
    store.put_vectors({text_hash(text): unit(n / 10) for n, text in enumerate(texts)})


def fields(new: NewDocument) -> Iterator[dict[str, object]]:
    return published_fields(new, MODEL)


def sync(store: SqliteStore, mirror: Mirror) -> tuple[int, int]:
    done = catch_up(store, mirror, fields, Call())
    with store.snapshot() as snapshot:
        assert mirror.state() == MirrorState(store.identity(), digests(snapshot).total, is_complete=True)
    return done


def near(store: SqliteStore, mirror: Mirror, where: Filter = NO_FILTER, n: int = 10) -> list[str]:
    """The texts nearest to east, as the mirror finds them; the store finds the same."""
    with store.snapshot() as snapshot:
        legs = MirrorLegs(snapshot, mirror, narrow_share=-1)
        hits = legs.nearest(unit(0), where, n)
        assert not legs.failure
        expected = snapshot.nearest(unit(0), where, n)
        assert [hit.chunk_id for hit in hits] == [hit.chunk_id for hit in expected]
        assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in expected], abs=1e-6)
        return [stored.chunk.text for stored in snapshot.chunks([hit.chunk_id for hit in hits])]


def document(name: str, digest: str, *chunks: MirroredChunk) -> MirroredDocument:
    return MirroredDocument(name, digest, "{}", chunks)


def chunk(ordinal: int, vector: Vector | None = None) -> MirroredChunk:
    return MirroredChunk(str(uuid.UUID(int=ordinal + 1)), ordinal, f"text {ordinal}", vector)


# It holds what the library holds


def test_has_what_the_store_has_once_it_has_caught_up(store: SqliteStore, mirror: Mirror) -> None:
    assert mirror.state() is None and mirror.documents() == {}
    assert mirror.nearest(unit(0), MirrorFilter(), 5) == []
    put(store, "a.md", "east", "further", "far")
    assert sync(store, mirror) == (1, 0)
    assert near(store, mirror) == ["east", "further", "far"]
    assert near(store, mirror, n=1) == ["east"]
    assert mirror.nearest(unit(0), MirrorFilter(), 0) == []
    assert sync(store, mirror) == (0, 0)


def test_follows_every_change(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "one", "two")
    sync(store, mirror)
    put(store, "a.md", "one", "three", revision="r2")
    put(store, "b.md", "four")
    assert sync(store, mirror) == (2, 0)
    assert sorted(near(store, mirror)) == ["four", "one", "three"]
    remove(store, "a.md")
    assert sync(store, mirror) == (0, 1)
    assert near(store, mirror) == ["four"]


def test_gets_a_vector_that_comes_later(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "one")
    row = DocumentRow("b.md", None, UNTRUSTED, 1, "f", "r")
    later = Chunk(0, "h0-c1", ChunkKind.TEXT, (), 0, 1, 1, 0, 5, "later", "")
    store.replace([written(row, [later])], is_current=lambda row: bool(row.name))
    sync(store, mirror)
    assert near(store, mirror) == ["one"]
    store.put_vectors({text_hash("later"): unit(0.5)})
    sync(store, mirror)
    assert near(store, mirror) == ["one", "later"]


def test_is_the_same_to_a_process_that_opens_it_again(store: SqliteStore, place: Place) -> None:
    put(store, "a.md", "one", "two")
    sync(store, place.open())
    again = place.open()
    again.check()
    assert near(store, again) == ["one", "two"]
    assert sync(store, again) == (0, 0)


def test_sees_tags_that_change_while_the_text_stays(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "text", tags=Tags("guidance", clause="4.1"))
    sync(store, mirror)
    put(store, "a.md", "text", revision="r2", tags=Tags("requirement"))
    sync(store, mirror)
    assert near(store, mirror, Filter(chunk_types=frozenset({"requirement"}))) == ["text"]
    assert near(store, mirror, Filter(clauses=(Clause("4"),))) == []


# Filters and keywords


def test_filters_as_the_store_does(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "must", tags=Tags("requirement", normative=True, clause="5.3.1"))
    put(store, "b.md", "may", tags=Tags("guidance", normative=False, clause="5.30"))
    put(store, "c.md", "plain")
    put(store, "d.md", "two", tags=Tags(clause="7.1", clauses=("7.1", "7.2.1")))
    sync(store, mirror)
    for where, expected in {
        Filter(chunk_types=frozenset({"requirement"})): ["must"],
        Filter(normative=False): ["may"],
        Filter(clauses=(Clause("5.3"),)): ["must"],
        Filter(clauses=(Clause("5.3", exact=True),)): [],
        Filter(clauses=(Clause("5.3.1", exact=True), Clause("5.30"))): ["must", "may"],
        Filter(clauses=(Clause(""),)): [],
        Filter(clauses=(Clause("7.2"),)): ["two"],
        Filter(clauses=(Clause("7.2.1", exact=True),)): ["two"],
        Filter(clauses=(Clause("7.2", exact=True),)): [],
        Filter(kinds=frozenset({ChunkKind.TABLE})): [],
        Filter(kinds=frozenset({ChunkKind.TEXT}), normative=True): ["must"],
        Filter(documents=frozenset({3})): ["plain"],
        Filter(documents=frozenset({99})): [],
        Filter(documents=frozenset()): [],
    }.items():
        assert near(store, mirror, where) == expected


def test_a_narrow_filter_still_gives_as_many_as_are_wanted(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", *(f"text {n}" for n in range(300)), tags=Tags("guidance"))
    put(store, "b.md", "far", "further", "furthest", tags=Tags("definition"))
    sync(store, mirror)
    assert len(near(store, mirror, Filter(chunk_types=frozenset({"definition"})), n=3)) == 3


def test_keywords_are_those_of_the_store_with_its_scores(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "zebra zebra stripes", "okapi and more words than the others have", "a zebra's foal", "grass")
    put(store, "b.md", "Zebras")
    sync(store, mirror)
    with store.snapshot() as snapshot:
        legs = MirrorLegs(snapshot, mirror, narrow_share=-1)
        for query in (
            KeywordQuery(("zebra",)),
            KeywordQuery(("okapi", "zebra")),
            KeywordQuery((), ("words than",)),
            KeywordQuery(("nothing",)),
            KeywordQuery(("...",)),
        ):
            assert legs.keywords(query, NO_FILTER, 5) == [
                (hit.chunk_id, pytest.approx(hit.score)) for hit in snapshot.keywords(query, NO_FILTER, 5)
            ]
        only = Filter(documents=frozenset({2}))
        assert legs.keywords(KeywordQuery(("zebra",)), only, 5) == snapshot.keywords(KeywordQuery(("zebra",)), only, 5)


# From any state


def test_writing_the_same_twice_changes_nothing(mirror: Mirror) -> None:
    mirror.record(MirrorState("x", "", is_complete=False))
    for _ in range(2):
        mirror.put(document("a", "d1", chunk(0, unit(0)), chunk(1, unit(1))))
        mirror.put(document("a", "d2", chunk(0, unit(0))))
        mirror.remove(["nobody"])
    assert mirror.documents() == {"a": "d2"}
    assert [(hit.document, hit.ordinal) for hit in mirror.nearest(unit(0), MirrorFilter(), 5)] == [("a", 0)]


def test_a_document_that_was_being_written_is_written_again(store: SqliteStore, mirror: Mirror) -> None:
    class Killed(Exception):
        """The end of the process."""

    put(store, "a.md", *(f"text {n}" for n in range(250)))
    put(store, "b.md", "other")
    calls = 0

    def killed(new: NewDocument) -> Iterator[dict[str, object]]:
        nonlocal calls
        for each in fields(new):
            calls += 1
            if calls > 251:
                raise Killed
            yield each

    sync(store, mirror)
    put(store, "a.md", *(f"text {n}" for n in range(249)), "new", revision="r2")
    put(store, "b.md", "another", revision="r2")
    calls = 1
    with pytest.raises(Killed):
        catch_up(store, mirror, killed, Call())
    state = mirror.state()
    assert state is not None and not state.is_complete
    sync(store, mirror)
    assert len(near(store, mirror, n=1000)) == 251


def test_an_empty_library_does_not_empty_a_full_mirror(store: SqliteStore, mirror: Mirror, tmp_path: Path) -> None:
    put(store, "a.md", "one")
    sync(store, mirror)
    other = open_store(tmp_path / "empty.db")
    with pytest.raises(ConfigError, match=r"library is empty.* holds 1 document.*ingest --from-mirror"):
        catch_up(other, mirror, fields, Call())
    other.close()
    assert mirror.documents().keys() == {"a.md"}


def test_another_library_does_not_overwrite_it_unless_told_to(
    store: SqliteStore, mirror: Mirror, tmp_path: Path
) -> None:
    put(store, "a.md", "one")
    sync(store, mirror)
    other = open_store(tmp_path / "other.db")
    put(other, "b.md", "two")
    with pytest.raises(ConfigError, match="another library"):
        catch_up(other, mirror, fields, Call())
    assert catch_up(other, mirror, fields, Call(), takes_over=True) == (1, 1)
    assert near(other, mirror) == ["two"]
    other.close()


def test_of_another_model_is_refused(place: Place, store: SqliteStore) -> None:
    wrong = document("a", "d", chunk(0, np.ones(3, np.float32)))
    with pytest.raises(PinciteError):
        place.open().put(wrong)
    if place.name == "memory":
        return
    put(store, "a.md", "one")
    sync(store, place.open())
    with pytest.raises(ConfigError, match=r"vectors of m \(2 numbers\).*Name another"):
        place.open(dimensions=3).check()
    with pytest.raises(ConfigError, match=r"are of other \(2\)"):
        place.open(model="other").check()


# A library from it


def test_a_library_is_made_again_from_it(store: SqliteStore, mirror: Mirror, tmp_path: Path) -> None:
    texts = ["# Über\n", "Zebras ", "shall — graze.\n"]
    body = f"---\n{texts[0]}\n\n{texts[1]}{texts[2]}\ntail"
    starts = [body.index(text) for text in texts]
    chunks = [
        Chunk(
            n,
            f"h{n}-c1",
            ChunkKind.TEXT,
            ("Über", "a > b"),
            2,
            1,
            1,
            starts[n],
            starts[n] + len(text),
            text,
            "context",
            tokens=5,
            pages=(n + 1,),
            boxes=(PlacedText(1, Box(0.5, 1, 2, 3), 0, 3),),
            sources=(SourceText(0, 2, "x"),),
            tags=Tags("requirement", normative=True, clause="4.2", references=("4.1",), importance=0.5),
        )
        for n, text in enumerate(texts)
    ]
    new = replace(written(DocumentRow("a", "Title", UNTRUSTED, 7, "f", "r", stamp="s"), chunks), text=body)
    new = replace(new, chunks=chunks, row=replace(new.row, properties={"k": "v"}, source_key="/std/./a.md"))
    store.replace([new], is_current=lambda row: bool(row.name))
    store.put_vectors({key: unit(n) for n, key in enumerate(new.embed_hashes)})
    put(store, "b.md", "one", "two")
    sync(store, mirror)

    again = open_store(tmp_path / "again.db")
    report = rebuild(again, mirror, Call())
    assert (report.restored, report.chunks, report.failed, report.surplus) == (["a", "b.md"], 5, {}, {})
    with store.snapshot() as before, again.snapshot() as after:
        assert digests(after) == digests(before)
        ours, theirs = before.document("a"), after.document("a")
        assert ours is not None and theirs is not None
        assert theirs.source_key == f"{ELSEWHERE}{ours.source_key}"
        assert replace(theirs, id=ours.id, source_key=ours.source_key) == ours
        assert after.text(theirs.id) == body and after.stamp(theirs.id) == "s"
        assert [stored.chunk for stored in after.document_chunks(theirs.id)] == chunks
    assert near(again, mirror) == near(store, mirror)  # nothing was written to it
    assert catch_up(again, mirror, fields, Call()) == (0, 0)
    assert rebuild(again, mirror, Call()).unchanged == ["a", "b.md"]
    again.close()


def test_what_is_damaged_is_not_restored(store: SqliteStore, mirror: Mirror, tmp_path: Path) -> None:
    put(store, "a.md", "one")
    sync(store, mirror)
    mirror.put(document("b", "d", chunk(0, unit(0))))
    again = open_store(tmp_path / "again.db")
    put(again, "own.md", "own")
    report = rebuild(again, mirror, Call())
    assert report.restored == ["a.md"] and "copy of b is damaged" in report.failed["b"]
    assert report.surplus == {"own.md": "own.md"}
    again.close()


def test_a_mirror_that_is_empty_or_half_written_makes_no_library(store: SqliteStore, mirror: Mirror) -> None:
    with pytest.raises(ConfigError, match="is empty"):
        rebuild(store, mirror, Call())
    mirror.record(MirrorState("x", "d", is_complete=False))
    with pytest.raises(ConfigError, match="being written"):
        rebuild(store, mirror, Call())
