"""Only what bears pincite's mark, or lies in its cache, is ever written or moved."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from pincite.errors import ConfigError, IndexLost
from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.store import UNTRUSTED, DocumentRow
from pincite.store.sqlite import opening, ownership
from pincite.store.sqlite.ownership import MAX_DAMAGED_FILES, MAX_DAMAGED_FILES_IN_CACHE, Header
from pincite.store.sqlite.store import SqliteStore
from support.stores import written

CHUNK = Chunk(0, "h0-c1", ChunkKind.TEXT, (), 0, 1, 1, 0, 4, "text", "")


def opened(path: Path, *, owned: bool = False) -> SqliteStore:
    return SqliteStore(path, embedder="m", source="/docs", owned=owned)


def put(store: SqliteStore, name: str = "a.md") -> None:
    row = DocumentRow(name, None, UNTRUSTED, 1, "f", "r")
    store.replace([written(row, [CHUNK])], is_current=lambda row: bool(row.name))


def contents(folder: Path) -> dict[str, bytes | None]:
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE precious (x)")
        connection.commit()


def bare_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM")


FOREIGN: dict[str, Callable[[Path], object]] = {
    "a page": lambda path: path.write_text("# Guide\n\nText.\n" * 500),
    "a short page": lambda path: path.write_text("x"),
    "an empty file": Path.touch,
    "another program's database": other_database,
    "a database without tables": bare_database,
    "a folder": Path.mkdir,
    "a fifo": os.mkfifo,
    "our mark in no database": lambda path: path.write_bytes(bytes(68) + b"pinc" + bytes(9000)),
}


@pytest.mark.skipif(sys.platform == "win32", reason="no FIFO there")
@pytest.mark.parametrize("linked", [False, True], ids=["itself", "by a link"])
@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_not_ours_is_refused_and_not_touched(tmp_path: Path, kind: str, linked: bool) -> None:
    path = tmp_path / "x.db"
    FOREIGN[kind](path)
    if linked:
        (tmp_path / "link.db").symlink_to(path)
    before = contents(tmp_path)
    for _ in range(2):
        with pytest.raises(ConfigError, match="--db") as raised:
            opened(tmp_path / ("link.db" if linked else "x.db"))
        assert str(tmp_path) not in raised.value.message + raised.value.details
    assert contents(tmp_path) == before


def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db").symlink_to("x.db")
    with pytest.raises(ConfigError, match="--db"):
        opened(tmp_path / "x.db")


def test_an_index_behind_a_link_is_opened_and_its_log_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "x.db").symlink_to("real/y.db")
    store = opened(tmp_path / "x.db")
    put(store)
    assert (tmp_path / "x.db").is_symlink() and (tmp_path / "real/y.db-wal").exists()
    store.close()
    store = opened(tmp_path / "real/y.db")
    assert set(store.states()[1]) == {"a.md"}
    store.close()


def test_a_new_file_bears_the_mark_from_its_first_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that dies while it makes the file leaves one that the next may open."""

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(opening, "prepare", die)
        with pytest.raises(KeyboardInterrupt):
            opened(tmp_path / "x.db")
    assert list(contents(tmp_path)) == ["x.db"] and (tmp_path / "x.db").read_bytes()[68:72] == b"pinc"
    store = opened(tmp_path / "x.db")
    put(store)
    assert store.generation() == 1
    store.close()


def test_many_may_make_the_same_file_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        stores = list(threads.map(opened, [tmp_path / "x.db"] * 16))
    put(stores[0])
    assert {store.generation() for store in stores} == {1}
    for store in stores:
        store.close()
    assert list(contents(tmp_path)) == ["x.db"]


def test_a_damaged_index_that_bears_its_mark_is_moved_aside_each_time_under_a_free_name(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    (tmp_path / "x.db.damaged").write_text("a person's own")
    for _ in range(2):
        store = opened(path)
        put(store)
        store.close()
        whole = path.read_bytes()
        path.write_bytes(whole[:100] + b"\xff" * 9000 + whole[9100:])
    store = opened(path)
    assert store.generation() == 0
    store.close()
    assert (tmp_path / "x.db.damaged").read_text() == "a person's own"
    moved = {name for name in contents(tmp_path) if "damaged" in name and not name.endswith(ownership.SIBLINGS)}
    assert moved == {"x.db.damaged", "x.db.damaged2", "x.db.damaged3"}


def test_outside_of_the_cache_no_damaged_file_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    for n in range(1, MAX_DAMAGED_FILES + 1):
        (tmp_path / f"x.db.damaged{n if n > 1 else ''}").write_text(str(n))
    opened(path).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:100] + b"\xff" * (len(whole) - 100))
    before = contents(tmp_path)
    with pytest.raises(ConfigError, match="Delete those"):
        opened(path)
    assert {name: contents(tmp_path)[name] for name in before} == before


def test_in_the_cache_few_damaged_files_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    for n in range(6):
        path.write_bytes(f"garbage {n} ".encode() * 1000)
        opened(path, owned=True).close()
    kept = {path.read_bytes()[:9] for path in tmp_path.glob("*.damaged*")}
    assert kept == {f"garbage {n}".encode() for n in range(6 - MAX_DAMAGED_FILES_IN_CACHE, 6)}


def test_a_removed_index_leaves_no_damaged_ones_behind(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    for _ in range(2):
        path.write_bytes(b"garbage" * 1000)
        opened(path, owned=True).close()
    (tmp_path / "y.db.damaged").touch()
    assert opening.remove(path)
    assert list(contents(tmp_path)) == ["y.db.damaged"]


def test_the_log_of_a_deleted_index_is_not_written_into_the_next(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    store = opened(path)
    put(store)
    path.unlink()
    again = opened(path)
    assert again.generation() == 0 and again.states()[1] == {}
    put(again, "b.md")
    again.close()
    store.close()
    again = opened(path)
    assert set(again.states()[1]) == {"b.md"}
    again.close()


def test_a_person_s_file_where_the_log_would_lie_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db-wal").write_text("notes")
    with pytest.raises(ConfigError, match=r"x\.db-wal"):
        opened(tmp_path / "x.db")
    assert contents(tmp_path) == {"x.db-wal": b"notes"}


@pytest.mark.parametrize("kind", ["renamed over", "in place"])
def test_a_page_that_takes_the_place_of_an_open_index_is_not_touched(tmp_path: Path, kind: str) -> None:
    path, page = tmp_path / "x.db", b"# Guide\n" * 20_000
    store = opened(path)
    put(store)
    if kind == "renamed over":
        (tmp_path / "page").write_bytes(page)
        (tmp_path / "page").replace(path)
        assert store.is_invalid()
    else:
        path.write_bytes(page)
        with pytest.raises(IndexLost):
            put(store, "b.md")
        assert store.is_invalid()
    store.discard()
    with pytest.raises(ConfigError, match="--db"):
        opened(path)
    assert path.read_bytes() == page


def test_an_index_that_is_deleted_between_two_looks_is_lost(tmp_path: Path) -> None:
    store = opened(tmp_path / "x.db")
    with store.snapshot():
        (tmp_path / "x.db").unlink()
        with pytest.raises(IndexLost, match="deleted"), store.snapshot():
            pass
    assert not (tmp_path / "x.db").exists()
    store.close()


def test_closing_one_of_two_handles_keeps_the_locks_of_the_other(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    opened(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        first, second = Header(path), Header(path)
        connection.execute("BEGIN IMMEDIATE")
        first.close()
        first.close()
        assert not first.is_marked() and second.is_marked()
        other = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
        done = subprocess.run([sys.executable, "-c", other, str(path)], check=False, capture_output=True, text=True)
        assert "locked" in done.stderr
        connection.execute("ROLLBACK")
    second.close()


def test_without_hard_links_nothing_is_overwritten_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    opened(tmp_path / "x.db").close()
    assert list(contents(tmp_path)) == ["x.db"]
    (tmp_path / "y").write_text("y")
    with pytest.raises(FileExistsError):
        ownership._move(tmp_path / "x.db", tmp_path / "y")  # pyright: ignore[reportPrivateUsage]
