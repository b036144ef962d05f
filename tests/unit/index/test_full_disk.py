"""What cannot be written is left out and said; room mends it."""

import contextlib
import math
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.errors import ConfigError, TimeoutExceeded
from pincite.model.call import Call
from pincite.store.sqlite import connections
from pincite.store.sqlite.opening import remove
from support.serving import MakeApp, ask, files, index_of

Room = Callable[[int], None]
NONE, PLENTY = 1, 1 << 20
PAGES = 40


@pytest.fixture
def room(monkeypatch: pytest.MonkeyPatch) -> Room:
    """Sets how many pages an index may have; none that it has is taken away."""
    opened: list[sqlite3.Connection] = []
    most = PLENTY
    connect = connections.connect

    def limited(path: Path, busy_timeout: float, *, create: bool = False) -> sqlite3.Connection:
        connection = connect(path, busy_timeout, create=create)
        connection.execute(f"PRAGMA max_page_count = {most}")
        opened.append(connection)
        return connection

    def give(pages: int) -> None:
        nonlocal most
        most = pages
        for connection in opened:
            with contextlib.suppress(sqlite3.ProgrammingError):  # it is closed
                connection.execute(f"PRAGMA max_page_count = {pages}")

    monkeypatch.setattr(connections, "connect", limited)
    return give


@pytest.mark.usefixtures("no_background")
def test_a_change_that_cannot_be_written_is_not_quoted_from_its_old_text(
    folder: Path, make_app: MakeApp, room: Room
) -> None:
    (folder / "a.md").write_text("# Alpha\n\nA zebra.\n")
    (folder / "b.md").write_text("# Beta\n\nA zebra, too.\n")
    app = make_app(PINCITE_FRESH_BUDGET=60)  # a busy machine takes longer than the default to read a page
    ask(app, "zebra")
    room(NONE)
    (folder / "b.md").write_text("# Beta\n\n" + "\n\n".join(f"A walrus number {n}." for n in range(3000)))
    answer = ask(app, "zebra")
    assert files(answer) == ["a.md"]
    assert answer.index is not None and (answer.index.stale, answer.index.pending) == (True, 1)
    assert "disk" in (answer.index.reason or "")
    with pytest.raises(TimeoutExceeded, match="not been read again yet"):
        app.toolbox.call("get_page", {"file_path": "b.md"}, Call())
    room(PLENTY)
    assert "b.md" in files(ask(app, "walrus"))


@pytest.mark.usefixtures("no_background")
def test_without_room_for_vectors_words_are_found(folder: Path, make_app: MakeApp, room: Room) -> None:
    for n in range(PAGES):
        (folder / f"{n}.md").write_text(f"# Page {n}\n\nThe word is fresh{n}x.\n")
    without_model = make_app(EMBEDDING_PROVIDER="local", PINCITE_FETCH_MODEL=False)
    without_model.toolbox.call("list_pages", {}, Call())
    without_model.close()
    app = make_app(PINCITE_FRESH_BUDGET=math.inf)
    app.collection()
    room(NONE)
    answer = ask(app, "fresh3x", top_k=1)
    assert files(answer) == ["3.md"]
    assert answer.index is not None and answer.index.stale
    assert "disk" in (answer.index.reason or "") and "by keywords only" in (answer.index.reason or "")
    room(PLENTY)
    answer = ask(app, "fresh3x", top_k=1)
    assert answer.index is not None and not answer.index.stale
    assert answer.search_type == "hybrid"


def test_an_index_that_was_deleted_is_opened_anew(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# Alpha\n\nA zebra.\n")
    app = make_app(PINCITE_FRESH_BUDGET=60)  # a busy machine takes longer than the default to read a page
    assert files(ask(app, "zebra")) == ["a.md"]
    first = app.collection()
    index_of(app).unlink()
    assert first.store.is_invalid()
    assert files(ask(app, "zebra")) == ["a.md"]
    assert app.collection() is not first and not app.collection().store.is_invalid()


def test_an_index_that_cannot_be_opened_is_not_removed(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(ConfigError, match="cannot be opened"):
        remove(tmp_path / "folder.db")
