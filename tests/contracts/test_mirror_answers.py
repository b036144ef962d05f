"""Mirrors whose engine answers what it was not asked: too much, twice, without an end, nothing, nonsense."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from pincite import registry, settings
from pincite.errors import PinciteError, TimeoutExceeded
from pincite.index.mirrors.mirrored import MirrorLegs
from pincite.index.mirrors.mirroring import catch_up
from pincite.index.mirrors.rebuilding import rebuild
from pincite.model.call import Call
from pincite.model.chunk import text_hash
from pincite.model.search import NO_FILTER
from pincite.model.store import NewDocument
from pincite.services.library.chunk_records import published_fields
from pincite.store.mirrors.answers import Limits
from pincite.store.mirrors.base import Mirror
from pincite.store.sqlite.store import SqliteStore
from support.altering_proxy import AlteringProxy, altering_proxy
from support.mirror_servers import ENGINES, mirror_server, url_setting
from support.stores import VECTOR, open_store, put

TEXTS = tuple(f"text {n}" for n in range(6))
LIMITS = {"qdrant": "qdrant.QUERY_LIMITS", "chromadb": "chroma.LIMITS"}
PAGES = {"qdrant": "qdrant._PAGE_POINTS", "chromadb": "chroma._PAGE_ENTRIES"}


def fields(new: NewDocument) -> Iterator[Mapping[str, Any]]:
    return published_fields(new, "m")


@dataclass
class Engine:
    """A mirror behind a proxy, and the store that it is a copy of."""

    name: str
    proxy: AlteringProxy
    store: SqliteStore
    opening: Callable[[], Mirror]
    mirror: Mirror

    def alter_hits(self, change: Callable[[list[Any]], list[Any]]) -> None:
        """Change the list of hits of every search."""

        def changed(answer: Any) -> None:
            if self.name == "qdrant":
                answer["result"]["points"] = change(answer["result"]["points"])
            else:
                for field in ("ids", "metadatas", "distances"):
                    answer[field] = [change(answer[field][0])]

        self.proxy.rewrite("/query", changed)

    def found(self, n: int = 3) -> list[tuple[int, float]]:
        with self.store.snapshot() as snapshot:
            legs = MirrorLegs(snapshot, self.mirror, narrow_share=-1)
            hits = legs.nearest(VECTOR, NO_FILTER, n)
            assert not legs.failure
            return [(hit.chunk_id, hit.score) for hit in hits]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    name: str = request.param
    with ExitStack() as stack:
        proxy = stack.enter_context(altering_proxy(mirror_server(name, stack, tmp_path)))
        row = registry.find(registry.MIRRORS, name)
        loaded = settings.load({url_setting(name): proxy.url})
        parameters = {option: attrgetter(setting)(loaded) for option, setting in row.parameters}

        def opening() -> Mirror:
            opened = cast("Mirror", registry.load(row)(**parameters, model="m", dimensions=2))
            stack.callback(opened.close)
            return opened

        store = open_store(tmp_path / "x.db")
        stack.callback(store.close)
        put(store, "a.md", *TEXTS)
        angles = {text_hash(text): n / 10 for n, text in enumerate(TEXTS)}
        store.put_vectors({key: np.array([np.cos(n), np.sin(n)], np.float32) for key, n in angles.items()})
        mirror = opening()
        catch_up(store, mirror, fields, Call())
        yield Engine(name, proxy, store, opening, mirror)


def test_more_hits_than_asked_for_and_repeats_change_no_answer(engine: Engine) -> None:
    expected = engine.found()
    assert len(expected) == 3
    engine.alter_hits(lambda hits: hits * 1000)
    assert engine.found() == expected
    engine.alter_hits(lambda hits: [hit for hit in hits for _ in range(3)])
    assert engine.found() == expected


def test_scores_are_those_of_the_library(engine: Engine) -> None:
    expected = engine.found()

    def changed(answer: Any) -> None:
        if engine.name == "qdrant":
            for point in answer["result"]["points"]:
                point["score"] = 7.0
        else:
            answer["distances"] = [[-6.0] * len(answer["distances"][0])]

    engine.proxy.rewrite("/query", changed)
    assert engine.found() == expected


def limited(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Mirror:
    """The same mirror with lower limits of its answers, opened: that may take ChromaDB's client seconds."""
    is_chroma = engine.name == "chromadb"
    monkeypatch.setattr(f"pincite.store.mirrors.{LIMITS[engine.name]}", Limits(10 if is_chroma else 1, 10**6))
    mirror = engine.opening()
    if is_chroma:
        mirror.check()
    return mirror


def test_an_answer_larger_than_any_other_is_left_and_the_library_answers(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, mirror = engine.found(), limited(engine, monkeypatch)
    engine.proxy.alter = lambda path, body: body + b" " * 10**6 if "/query" in path else body
    with engine.store.snapshot() as snapshot:
        legs = MirrorLegs(snapshot, mirror, narrow_share=-1)
        hits = legs.nearest(VECTOR, NO_FILTER, 3)
        assert legs.failure and [(hit.chunk_id, hit.score) for hit in hits] == expected


NONSENSE: dict[str, Callable[[str, bytes], bytes]] = {
    "half": lambda _, body: body[: len(body) // 2],
    "nothing": lambda _path, _body: b"",
    "text": lambda _path, _body: b"It works!",
    "null": lambda _path, _body: b"null",
    "a list": lambda _path, _body: b"[[1]]",
    "null inside": lambda _, body: re.sub(rb'"(document_id|digest|point)": ?"[^"]*"', rb'"\1":null', body),
    "no fields": lambda _, body: re.sub(rb'"(document_id|digest|ordinal|library)":', rb'"other":', body),
}


@pytest.mark.parametrize("answers", NONSENSE)
def test_nonsense_is_a_failure_of_the_engine(engine: Engine, tmp_path: Path, answers: str) -> None:
    """Never a bug of ours, and never an answer."""
    engine.proxy.alter = NONSENSE[answers]
    with engine.store.snapshot() as snapshot:
        legs = MirrorLegs(snapshot, engine.mirror, narrow_share=-1)
        hits = legs.nearest(VECTOR, NO_FILTER, 3)
        assert legs.failure or not hits
    with closing(open_store(tmp_path / "other.db")) as other:
        with suppress(PinciteError):
            rebuild(other, engine.mirror, Call())
        with other.snapshot() as snapshot:
            assert not snapshot.documents()
    for use in (engine.mirror.check, lambda: catch_up(engine.store, engine.mirror, fields, Call())):
        with suppress(PinciteError):
            use()


def test_pages_without_an_end_are_left(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def again(answer: Any) -> None:
        if engine.name == "qdrant":
            answer["result"]["next_page_offset"] = 7

    monkeypatch.setattr(f"pincite.store.mirrors.{PAGES[engine.name]}", 1)
    first: dict[str, bytes] = {}
    if engine.name == "qdrant":
        engine.proxy.rewrite("/scroll", again)
    else:  # it ignores the offset
        engine.proxy.alter = lambda path, body: first.setdefault(path, body) if path.endswith("/get") else body
    with pytest.raises(PinciteError, match="same page"):
        engine.mirror.documents()


def test_an_engine_that_never_answers_is_left(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    open_before = limited(engine, monkeypatch)
    engine.proxy.alter = lambda _path, _body: None
    for mirror in (open_before, engine.opening()):
        with pytest.raises(TimeoutExceeded):
            mirror.check()
