"""The accurate model embeds small documents and the reranker orders passages where they are; else notes say why."""

import logging
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import Cancelled, ConfigError, TimeoutExceeded
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.services.documents.retrieval_models import FAST_FROM_CHUNKS
from pincite.services.documents.retrievers import Subject
from support.fastembed_models import embedder_folder, reranker_folder
from support.serving import MakeApp

SMALL, LARGE = range(FAST_FROM_CHUNKS - 1), range(FAST_FROM_CHUNKS)


@pytest.fixture(scope="module")
def folder_of_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    embedder_folder(folder)
    reranker_folder(folder)
    return folder


@pytest.fixture
def app(make_app: MakeApp, folder_of_models: Path, tmp_path: Path) -> App:
    pytest.importorskip("fastembed")
    return make_app(PINCITE_MODEL_DIR=folder_of_models, DATA_DIR=tmp_path / "data", PINCITE_FETCH_MODEL=False)


@pytest.fixture
def without_extra(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> App:
    monkeypatch.setitem(sys.modules, "fastembed", None)
    return make_app()


def test_small_documents_get_the_accurate_model_and_large_ones_the_fast_one(app: App) -> None:
    models = app.retrieval_models
    assert models.embedder_for(SMALL, Call()) == "fastembed"
    assert models.embedder_for(LARGE, Call()) == ""
    status = models.status(Call())
    assert (status.fast, status.accurate) == ("hash", "BAAI/bge-small-en-v1.5")
    assert "BAAI/bge-small-en-v1.5" in status.loaded


def test_both_models_have_indexes_of_their_own_and_find_passages(app: App) -> None:
    subject = Subject("u", "a.md", Blob("a.md", b"# Zebras\n\nA zebra eats grass.\n\n# Lions\n\nLions sleep.\n"))
    names: set[str] = set()
    for embedder in ("fastembed", ""):
        with app.retrievers.view(subject, policy="sections", embedder=embedder, call=Call()) as view:
            hits = view.search(Call(), "zebra", 2).hits
            assert "zebra" in hits[0].chunk.chunk.text
            assert hits[0].similarity is not None
    for file in (app.settings.storage.data / "cache").glob("*.db"):
        names.add(file.name.split(".")[2])
    assert names == {"fastembed", "default"}


def test_the_reranker_scores_passages_by_the_query_each_by_itself(app: App) -> None:
    models = app.retrieval_models
    passages = ["Databases are fast.", "A zebra eats grass on the plain.", "", "\ud800", "zebra " * 3000]
    scores = models.scores("what does a zebra eat", passages, Call())
    assert scores is not None
    assert scores[1] > scores[0]
    assert models.scores("what does a zebra eat", passages[1:2], Call()) == [scores[1]]
    assert models.scores("zebra", [], Call()) == []
    assert models.status(Call()).reranker == "ms-marco-MiniLM-L-6-v2"
    models.embedder_for(SMALL, Call())
    assert models.status(Call()).notes == ()


def test_a_call_that_ends_ends_the_scoring(app: App) -> None:
    stopped = Call()
    stopped.stop.set()
    app.retrieval_models.scores("zebra", ["a"], Call())
    with pytest.raises(Cancelled):
        app.retrieval_models.scores("zebra", ["a"], stopped)
    with pytest.raises(TimeoutExceeded):
        app.retrieval_models.scores("zebra", ["a"], Call(deadline=0.0))


def test_without_the_extra_the_fast_model_serves_every_size_and_it_is_said_once(
    without_extra: App, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    models = without_extra.retrieval_models
    for _ in range(2):
        assert models.embedder_for(SMALL, Call()) == ""
        assert models.scores("zebra", ["a"], Call()) is None
    notes = models.status(Call()).notes
    assert len(notes) == 2
    assert all("pip install 'pincite[fastembed]'" in note for note in notes)
    assert [vars(record)["problem"] for record in caplog.records] == list(notes)
    assert (models.status(Call()).accurate, models.status(Call()).reranker) == ("hash", None)


@pytest.mark.parametrize(
    ("given", "note"),
    [
        ({}, "is not here and may not be fetched"),
        ({"EMBEDDING_MODEL_ACCURATE": "nobody/has-this", "RERANK_MODEL": "nor-this"}, "fastembed has no"),
    ],
)
def test_models_that_are_not_there_are_named_with_the_next_action(
    make_app: MakeApp, given: dict[str, str], note: str
) -> None:
    pytest.importorskip("fastembed")
    models = make_app(PINCITE_FETCH_MODEL=False, **given).retrieval_models
    assert models.embedder_for(SMALL, Call()) == ""
    assert models.scores("zebra", ["a"], Call()) is None
    assert [note in each for each in models.status(Call()).notes] == [True, True]


def test_a_damaged_model_in_a_folder_is_named_by_the_folder(make_app: MakeApp, tmp_path: Path) -> None:
    pytest.importorskip("fastembed")
    for folder, file in [
        (embedder_folder(tmp_path / "m"), "model_optimized.onnx"),
        (reranker_folder(tmp_path / "m"), "onnx/model.onnx"),
    ]:
        (folder / file).write_bytes(b"damaged")
    app = make_app(PINCITE_MODEL_DIR=tmp_path / "m")
    with pytest.raises(ConfigError, match=r"folder bge-small-en-v1\.5 of PINCITE_MODEL_DIR"):
        app.embedder_named("fastembed").load(Call())
    assert app.retrieval_models.scores("zebra", ["a"], Call()) is None
    assert "folder ms-marco-MiniLM-L-6-v2 of PINCITE_MODEL_DIR" in app.retrieval_models.status(Call()).notes[-1]


def test_nothing_is_loaded_before_it_is_started_or_asked_for(app: App) -> None:
    models = app.retrieval_models
    assert models.status(Call()).loaded == ("hash",)  # which has nothing to load
    assert [note.endswith("is not loaded yet.") for note in models.status(Call()).notes] == [True, True]
    models.start()
    with closing(app):
        assert models.embedder_for(SMALL, Call()) == "fastembed"
