"""A collection: views of one source, until it is closed."""

from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import IndexLost
from pincite.index.collection import Collection
from pincite.model.call import Call
from support.serving import MakeApp


@pytest.fixture
def app(folder: Path, make_app: MakeApp) -> App:
    (folder / "a.md").write_text("# Alpha\n\nA zebra.\n")
    return make_app(PINCITE_FRESH_BUDGET="inf")


@pytest.fixture
def collection(app: App) -> Collection:
    return app.collection()


def test_it_is_complete_once_everything_has_words_and_vectors(collection: Collection) -> None:
    assert not collection.complete()
    with collection.view(Call(), semantic=True):
        pass
    assert collection.complete()
    assert collection.background_failure is None


def test_an_open_view_is_searched_and_read_after_the_collection_is_closed(collection: Collection) -> None:
    with collection.view(Call(), semantic=True) as view:
        collection.close()
        assert [hit.chunk.document for hit in view.search(Call(), "zebra", 1).hits] == ["a.md"]
        assert "zebra" in view.text(view.document("a.md"))
    with pytest.raises(IndexLost, match="closed"), collection.view(Call(), semantic=True):
        raise AssertionError


def test_it_is_not_idle_while_a_view_is_open(collection: Collection) -> None:
    with collection.view(Call(), semantic=False):
        assert not collection.close_if_idle()
    assert collection.close_if_idle()
    with pytest.raises(IndexLost), collection.view(Call(), semantic=False):
        raise AssertionError


def test_a_search_that_the_end_of_the_server_interrupts_is_lost_and_no_bug(app: App, collection: Collection) -> None:
    def search() -> None:
        with collection.view(Call(), semantic=True) as view:
            app.close()
            view.search(Call(), "zebra", 1)

    with pytest.raises(IndexLost, match="closed"):
        search()


def test_a_failure_in_an_open_collection_stays_what_it_is(collection: Collection) -> None:
    with pytest.raises(RuntimeError, match="a bug"), collection.view(Call(), semantic=False):
        raise RuntimeError("a bug")
