"""Much at once is the work of one process; another waits for it, says so, and takes it over where it must."""

import math
import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import Cancelled
from pincite.model.call import Call
from pincite.tools.answers.docs import PagesAnswer, StatusAnswer
from support.serving import MakeApp, ask, files
from support.waiting import pause, wait_for

MANY = 5


EXACT = {"PINCITE_BULK": 2, "PINCITE_FRESH_BUDGET": math.inf}


@pytest.fixture
def words_alone(folder: Path, make_app: MakeApp) -> None:
    """An index of several pages without vectors."""
    for n in range(MANY):
        (folder / f"{n}.md").write_text(f"# Page {n}\n\nThe word is fresh{n}x.\n")
    without_model = make_app(EMBEDDING_PROVIDER="local", PINCITE_FETCH_MODEL=False)
    assert len(listed(without_model).pages) == MANY
    without_model.close()


@pytest.mark.usefixtures("no_background")
def test_a_call_waits_until_the_holder_is_done(folder: Path, make_app: MakeApp) -> None:
    app = make_app(**EXACT, PINCITE_BULK_LEASE=600)
    ask(app, "nothing")
    with held(app) as index:
        done = threading.Timer(0.5, give_back, [index])
        for n in range(MANY):
            (folder / f"{n}.md").write_text(f"# Page {n}\n\nThe word is fresh{n}x.\n")
        done.start()
        answer = ask(app, "fresh3x")
        done.join()
    assert files(answer)[0] == "3.md"
    assert answer.index is not None and not answer.index.stale


@pytest.mark.usefixtures("no_background")
def test_what_the_holder_has_written_is_not_read_again(folder: Path, make_app: MakeApp) -> None:
    waiting, holder = make_app(**EXACT, PINCITE_BULK_LEASE=600), make_app(PINCITE_BULK=1000)
    listed(waiting)
    with held(waiting):
        for n in range(MANY):
            (folder / f"{n}.md").write_text(f"# Page {n}\n")
        pause(0.05, "the clock of files ticks: what is read now is trusted")
        listed(holder)
        answer = listed(waiting)
    assert len(answer.pages) == MANY
    assert answer.index is not None and not answer.index.stale


@pytest.mark.usefixtures("no_background", "words_alone")
def test_vectors_wait_for_the_holder_too_and_are_made_here_once_it_is_silent(make_app: MakeApp) -> None:
    app = make_app(**EXACT, PINCITE_BULK_LEASE=0.5)
    with held(app):
        answer = ask(app, "fresh3x")
    assert answer.index is not None and not answer.index.stale
    assert (answer.search_type, files(answer)[0]) == ("hybrid", "3.md")


@pytest.mark.usefixtures("words_alone")
def test_the_background_leaves_vectors_to_the_holder(make_app: MakeApp) -> None:
    app = make_app(PINCITE_BULK=2, PINCITE_BULK_LEASE=600, PINCITE_FRESH_BUDGET=0.1)
    with held(app) as index:
        for _ in range(3):
            assert indexing(app) == (0, MANY)
            pause(0.1, "the background would embed")
        give_back(index)
        assert wait_for(lambda: not indexing(app))


@pytest.mark.usefixtures("no_background", "words_alone")
def test_a_caller_who_goes_away_ends_the_wait(make_app: MakeApp) -> None:
    app = make_app(**EXACT, PINCITE_BULK_LEASE=600)
    call = Call()
    leaves = threading.Timer(0.2, call.stop.set)
    leaves.start()
    with held(app), pytest.raises(Cancelled):
        app.toolbox.call("search_docs", {"query": "fresh3x"}, call)


@contextmanager
def held(app: App) -> Generator[sqlite3.Connection]:
    """The lease in the hand of another process, which lives now."""
    place = app.collection().store.place()
    with closing(sqlite3.connect(place, isolation_level=None, check_same_thread=False)) as index:
        index.execute("INSERT INTO lease VALUES (1, 'another', ?)", (time.time_ns(),))
        yield index


def give_back(index: sqlite3.Connection) -> None:
    index.execute("DELETE FROM lease")


def listed(app: App) -> PagesAnswer:
    answer = app.toolbox.call("list_pages", {}, Call())
    assert isinstance(answer, PagesAnswer)
    return answer


def indexing(app: App) -> tuple[int, int] | None:
    answer = app.toolbox.call("get_status", {}, Call())
    assert isinstance(answer, StatusAnswer) and answer.index is not None
    progress = answer.index.indexing
    return progress and (progress.done, progress.total)
