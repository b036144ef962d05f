"""Indexes of single documents: made once, found again after a restart, and deleted when there is no room."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import ConfigError, ReadingFailed
from pincite.formats.base import Blob
from pincite.index.cached import CachedCollections
from pincite.index.collection import Collection
from pincite.model.call import Call
from pincite.model.locator import parse
from pincite.settings import load
from support.serving import shelf

ALPHA, BETA = Blob("alpha.md", b"# Alpha\n\nA zebra.\n"), Blob("beta.md", b"# Beta\n\nA walrus.\n")


@pytest.fixture
def app(tmp_path: Path) -> App:
    settings = load({"PINCITE_CACHE": tmp_path / "cache", "DATA_DIR": tmp_path, "EMBEDDING_PROVIDER": "hash"})
    return App(settings, None, toolsets=["citations"])


def text(collection: Collection, name: str) -> str:
    with collection.view(Call(), semantic=False) as view:
        assert not view.freshness.stale
        return view.text(view.document(name))


def ref(collection: Collection) -> str:
    with collection.view(Call(), semantic=False) as view:
        (document,) = view.documents()
        return f"{document.name}@{document.revision}#h1-c1"


def files(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in (tmp_path / "cache").glob("*.db"))


def test_a_document_is_indexed_once_under_its_name_and_policy(app: App, tmp_path: Path) -> None:
    one = app.cached.of(ALPHA, Call(), "sections")
    assert app.cached.of(ALPHA, Call(), "sections") is one
    assert text(one, "alpha.md") == "# Alpha\n\nA zebra.\n"
    assert app.cached.of(Blob("other.md", ALPHA.data), Call(), "sections") is not one
    assert app.cached.of(ALPHA, Call(), "sections", "hash").spec.embedder == "hash"
    assert [name.split(".")[:3] for name in files(tmp_path)] == [
        [ALPHA.fingerprint, "sections", "default"],
        [ALPHA.fingerprint, "sections", "default"],
        [ALPHA.fingerprint, "sections", "hash"],
    ]
    assert len(app.cached.find(ALPHA.fingerprint)) == 3 and app.cached.find(BETA.fingerprint) == []
    app.close()


def test_citations_of_an_earlier_run_can_be_opened(app: App, tmp_path: Path) -> None:
    cited = [ref(app.cached.of(blob, Call(), "sections")) for blob in (ALPHA, BETA)]
    app.close()
    again = App(app.settings, None, toolsets=["citations"])
    again.cached.restore()
    for one, name in zip(cited, ("alpha.md", "beta.md"), strict=True):
        found = again.collections.find(parse(one), Call())
        assert text(found, name).startswith("# ")
    assert len(files(tmp_path)) == 2
    again.close()


def test_the_least_recently_used_are_deleted_when_there_is_no_room(app: App, tmp_path: Path) -> None:
    first = app.cached.of(ALPHA, Call(), "sections")
    shelf_of_app = CachedCollections(shelf(app), tmp_path / "cache", 1)
    with first.view(Call(), semantic=False):
        shelf_of_app.of(BETA, Call(), "sections")
        assert len(files(tmp_path)) == 2, "the first is in use"
    shelf_of_app.of(BETA, Call(), "sections")
    assert [name.partition(".")[0] for name in files(tmp_path)] == [BETA.fingerprint]
    assert shelf_of_app.find(ALPHA.fingerprint) == []
    (left,) = files(tmp_path)
    assert shelf_of_app.delete(left.removesuffix(".db")) and files(tmp_path) == []
    app.close()


def test_what_cannot_be_read_or_written_is_said(app: App, tmp_path: Path) -> None:
    with pytest.raises(ReadingFailed):
        app.cached.of(Blob("broken.pdf", b"%PDF-1.4 fake content"), Call(), "sections")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ConfigError, match="DATA_DIR cannot be made"):
        CachedCollections(shelf(app), tmp_path / "file" / "cache", 1).of(ALPHA, Call(), "sections")
    app.close()


def test_a_citation_is_not_ambiguous_between_two_models_indexes_of_one_document(app: App) -> None:
    cited = {ref(app.cached.of(ALPHA, Call(), "sections", embedder)) for embedder in ("", "hash")}
    assert len(cited) == 1
    found = app.collections.find(parse(cited.pop()), Call())
    assert text(found, "alpha.md") == "# Alpha\n\nA zebra.\n"
    app.close()


def test_calls_side_by_side_are_answered_though_each_evicts_the_others_indexes(app: App, tmp_path: Path) -> None:
    cramped = CachedCollections(shelf(app), tmp_path / "cache", 1)
    texts: dict[str, str] = {}

    def ask(name: str) -> None:
        for _ in range(4):
            with cramped.using(Blob(name, f"# {name}\n".encode()), Call(), "sections") as collection:
                texts[name] = text(collection, name)

    names = [f"{number}.md" for number in range(6)]
    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(ask, names))
    assert texts == {name: f"# {name}\n" for name in names}
    app.close()
