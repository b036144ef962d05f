"""A document that is searched has an index of its own, which is kept for its content and model, and bounded."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import ReadingFailed
from pincite.formats.base import Blob
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.search import Hit
from pincite.services.documents.retrievers import Subject
from support.serving import MakeApp

TEXT = b"# Zebras\n\nA zebra eats grass.\n\n# Lions\n\nA lion eats zebras.\n"
URL = "https://a.example/animals.md"


@pytest.fixture
def app(make_app: MakeApp, tmp_path: Path) -> App:
    return make_app(DATA_DIR=tmp_path / "data", PINCITE_FRESH_BUDGET="0")


def subject(data: bytes = TEXT, origin: str = URL) -> Subject:
    return Subject(origin, "animals.md", Blob("animals.md", data))


def passages(
    app: App, query: str, of: Subject | None = None, policy: str = "sections", embedder: str = ""
) -> list[str]:
    with app.retrievers.view(of or subject(), policy=policy, embedder=embedder, call=Call()) as view:
        return [hit.chunk.chunk.text for hit in found(view, query)]


def found(view: View, query: str) -> Sequence[Hit]:
    return view.search(Call(), query, 5).hits


def files(app: App) -> list[Path]:
    return sorted((app.settings.storage.data / "cache").glob("*.db"))


def generation_of(app: App) -> int:
    with app.retrievers.view(subject(), policy="sections", embedder="", call=Call()) as view:
        return view.generation


def test_a_document_is_indexed_once_and_searched(app: App) -> None:
    assert "zebra eats grass" in passages(app, "what do zebras eat")[0]
    generation = generation_of(app)
    assert passages(app, "lion")
    assert generation_of(app) == generation
    statistics = app.caches.retriever.statistics()
    assert (statistics.hits, statistics.misses, statistics.entries) == (3, 1, 1)
    assert statistics.bytes >= files(app)[0].stat().st_size


def test_its_citations_open_under_its_own_name_whatever_decides_its_format(app: App) -> None:
    of = Subject(URL, "readme", Blob("readme.md", TEXT))
    with app.retrievers.view(of, policy="sections", embedder="", call=Call()) as view:
        document = view.document("readme")
    answer = app.toolbox.call("open_citation", {"ref": f"readme@{document.revision}#h1"}, Call()).model_dump()
    assert "zebra eats grass" in answer["content"]


def test_an_answer_waits_for_the_whole_document(app: App) -> None:
    with app.retrievers.view(subject(), policy="sections", embedder="", call=Call()) as view:
        assert not view.freshness.stale
        assert view.freshness.pending == 0


def test_other_content_names_and_models_have_other_indexes(app: App) -> None:
    passages(app, "zebra")
    passages(app, "zebra", subject(b"# Zebras\n\nA zebra eats leaves.\n"))
    passages(app, "zebra", Subject(URL, "other.md", Blob("other.md", TEXT)))
    passages(app, "zebra", embedder="hash")
    assert len(files(app)) == 4


def test_an_index_that_was_deleted_is_made_again(app: App) -> None:
    passages(app, "zebra")
    for file in files(app):
        file.unlink()
    assert passages(app, "zebra")
    for file in files(app):
        assert app.cached.delete(file.stem)
    assert passages(app, "zebra")


def test_clearing_deletes_the_indexes_of_documents_at_urls_alone(app: App) -> None:
    app.cached.of(Blob("task.md", b"# A task\n"), Call(), "sections")
    passages(app, "zebra")
    passages(app, "zebra", subject(origin="https://b.example/animals.md"))
    assert len(files(app)) == 2
    assert app.retrievers.clear() == 2
    assert len(files(app)) == 1
    assert app.caches.retriever.statistics().entries == 0


def test_an_index_is_not_deleted_under_a_call_that_reads_it(app: App) -> None:
    passages(app, "zebra")
    with app.retrievers.view(subject(), policy="sections", embedder="", call=Call()) as view:
        app.retrievers.clear()
        assert found(view, "zebra")
    assert passages(app, "zebra")


def test_a_document_that_cannot_be_read_says_why(app: App) -> None:
    damaged = Subject(URL, "report.pdf", Blob("report.pdf", b"%PDF-1.7 nothing"))
    with (
        pytest.raises(ReadingFailed),
        app.retrievers.view(damaged, policy="sections", embedder="", call=Call()),
    ):
        raise AssertionError
