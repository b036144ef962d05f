import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pincite.errors import ConfigError
from pincite.store.sqlite.opening import describe
from pincite.store.sqlite.ownership import APPLICATION
from pincite.store.sqlite.schema import SCHEMA
from support.index_files import documents, filled, opened


def test_a_file_is_made_with_the_folders_above_it(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "index.db"
    store = opened(path)
    assert store.journal_mode == "wal"
    assert store.path == path
    assert store.size() >= path.stat().st_size > 0
    store.close()


def test_an_index_is_there_after_a_restart(tmp_path: Path) -> None:
    filled(tmp_path / "x.db")
    assert documents(tmp_path / "x.db") == 1


@pytest.mark.parametrize("damage", ["garbage", "truncated", "inside"])
def test_a_damaged_file_is_moved_aside_and_begun_anew(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "x.db"
    filled(path, names=200)
    whole = path.read_bytes()
    damaged = {
        "garbage": b"\x00not a database" * 1000,
        "truncated": whole[: len(whole) // 3],
        "inside": whole[:100] + b"\xff" * 9000 + whole[9100:],
    }[damage]
    path.write_bytes(damaged)
    (tmp_path / "x.db-wal").write_bytes(b"left over")
    with caplog.at_level(logging.WARNING):
        assert documents(path) == 0
    assert (tmp_path / "x.db.damaged").read_bytes() == damaged
    assert "damaged" in caplog.text
    assert str(tmp_path) not in caplog.text
    filled(path)
    assert documents(path) == 1


def test_a_place_where_no_file_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="--db"):
        opened(tmp_path / "file" / "x.db")
    with pytest.raises(ConfigError, match="--db"):
        opened(tmp_path)


def test_without_wal_it_works_too_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    store = opened(path, journal="delete")
    assert store.journal_mode == "delete"
    store.close()
    filled(path)
    assert documents(path) == 1


def test_many_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        stores = list(threads.map(opened, [tmp_path / "x.db"] * 16))
    assert {store.generation() for store in stores} == {0}
    for store in stores:
        store.close()


def test_an_index_describes_itself(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    assert describe(path) is None
    filled(path)
    found = describe(path)
    assert found is not None
    assert (found.source, found.schema, found.size_bytes) == ("/docs", SCHEMA, path.stat().st_size)
    path.write_bytes(b"garbage")
    assert describe(path) is None


def test_only_a_file_that_bears_our_mark_is_ours(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    filled(path)
    assert path.read_bytes()[68:72] == APPLICATION.to_bytes(4, "big") == b"pinc"
