"""An index that is lost under an application is opened anew, and what was asked is answered."""

import threading
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import IndexLost
from pincite.model.call import Call, retry_if_index_lost
from support.serving import MakeApp, ask, files


@pytest.fixture
def app(folder: Path, make_app: MakeApp) -> App:
    (folder / "a.md").write_text("# Alpha\n\nA zebra.\n")
    app = make_app()
    assert files(ask(app, "zebra")) == ["a.md"]
    return app


def damage(app: App) -> None:
    app.database.write_bytes(b"garbage" * 20_000)


def test_a_tool_answers_over_a_damaged_index(app: App) -> None:
    damage(app)
    assert files(ask(app, "zebra")) == ["a.md"]


def test_a_tool_answers_over_an_emptied_index(app: App) -> None:
    app.database.write_bytes(b"")
    assert files(ask(app, "zebra")) == ["a.md"]
    assert app.database.with_name(f"{app.database.name}.damaged").exists()


def test_resources_are_read_over_a_damaged_index(app: App) -> None:
    damage(app)
    (listed,), _ = app.resources.page(Call())
    damage(app)
    assert "zebra" in app.resources.read(Call(), listed.uri)
    damage(app)
    assert app.resources.revisions(Call(), None).by_uri.keys() == {listed.uri}


@pytest.mark.usefixtures("no_background")
def test_an_index_found_damaged_by_the_last_call_is_begun_anew_by_the_next_program(
    app: App, make_app: MakeApp, folder: Path
) -> None:
    index = app.index()
    damage(app)
    (folder / "a.md").write_text("# Alpha\n\nA walrus.\n")
    with pytest.raises(IndexLost), index.view(Call(), semantic=False):
        raise AssertionError
    app.close()
    assert not app.database.exists()
    assert files(ask(make_app(), "walrus")) == ["a.md"]


@pytest.mark.usefixtures("no_background")
def test_a_search_that_is_overtaken_by_a_new_opening_is_asked_again(app: App) -> None:
    index = app.index()
    with index.view(Call(), semantic=True) as view:
        index.close()
        with pytest.raises(IndexLost, match="reopened during the call"):
            index.search(view, Call(), "zebra", 1)


@pytest.mark.usefixtures("no_background")
def test_a_view_is_never_searched_by_the_index_that_came_after_it(app: App) -> None:
    with app.index().view(Call(), semantic=True) as view:
        app.database.unlink()
        with pytest.raises(IndexLost, match="reopened during the call"):
            app.index().search(view, Call(), "zebra", 1)


def test_calls_side_by_side_are_all_answered_over_a_damaged_index(app: App) -> None:
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(files(ask(app, "zebra")))) for _ in range(8)]
    damage(app)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [["a.md"]] * 8


def test_what_is_lost_twice_is_told() -> None:
    tries: list[int] = []

    def work() -> None:
        tries.append(1)
        raise IndexLost("lost")

    with pytest.raises(IndexLost):
        retry_if_index_lost(work)
    assert len(tries) == 2
