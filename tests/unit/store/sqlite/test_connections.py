import sqlite3
import threading
from pathlib import Path

import pytest

from pincite.errors import IndexLost, InternalError, TimeoutExceeded
from pincite.store.sqlite import connections as pooled
from pincite.store.sqlite.connections import Connections, connect, set_journal, translate


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "x.db"
    connection = connect(path, 1, create=True)
    set_journal(connection, "wal", 1)
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    return path


def pool(path: Path, *, busy_timeout: float = 0.01, idle: int = 1) -> Connections:
    return Connections(path, journal="wal", busy_timeout=busy_timeout, idle=idle)


def test_a_connection_that_came_back_is_lent_again(file: Path) -> None:
    connections = pool(file)
    with connections.lend() as first:
        pass
    with connections.lend() as second, connections.lend() as third:
        assert second is first
        assert third is not first
    with connections.lend() as fourth:
        assert fourth is third
    with pytest.raises(sqlite3.ProgrammingError):
        first.execute("SELECT 1")
    connections.close()


def test_a_transaction_left_open_is_undone(file: Path) -> None:
    connections = pool(file)
    with connections.lend() as connection:
        connection.execute("BEGIN")
        connection.execute("INSERT INTO t VALUES (1)")
    with connections.lend() as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (0,)
    connections.close()


def test_a_log_that_a_long_read_let_grow_is_cut_with_the_next_writes(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pooled, "WAL_LIMIT_BYTES", 50_000)
    connections, log = pool(file), file.with_name("x.db-wal")

    def write() -> int:
        with connections.lend() as writer:
            writer.execute("INSERT INTO t VALUES (zeroblob(40000))")
            writer.execute("PRAGMA wal_checkpoint")
        return log.stat().st_size

    with connections.lend() as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM t").fetchall()
        sizes = [write() for _ in range(5)]
    assert sizes[-1] > 200_000
    assert [write(), write()][-1] <= 50_000
    connections.close()


def test_waiting_in_vain_for_another_writer_says_so(file: Path) -> None:
    connections = pool(file)
    with connections.lend() as writer:
        writer.execute("BEGIN IMMEDIATE")
        with pytest.raises(TimeoutExceeded, match="another process"), connections.lend() as other:
            other.execute("BEGIN IMMEDIATE")
    connections.close()


def test_a_damaged_file_is_told_and_remembered(file: Path) -> None:
    connections = pool(file)
    assert not connections.damaged
    file.write_bytes(b"garbage" * 2000)
    with pytest.raises(IndexLost, match="ask again"), connections.lend() as connection:
        connection.execute("SELECT * FROM t")
    assert connections.damaged
    connections.close()


def test_what_is_no_text_any_more_is_damage(file: Path) -> None:
    connections = pool(file)
    with pytest.raises(IndexLost), connections.lend() as connection:
        connection.execute("SELECT CAST(x'ff' AS TEXT)").fetchall()
    assert connections.damaged
    connections.close()


def test_an_odd_row_is_damage_where_the_file_is_damaged(file: Path) -> None:
    connections = pool(file)
    with pytest.raises(LookupError), connections.lend():
        raise LookupError("a fault of ours")
    assert not connections.damaged
    file.write_bytes(b"garbage" * 2000)
    with pytest.raises(IndexLost), connections.lend():
        raise LookupError("an odd row")
    assert connections.damaged
    connections.close()


def test_a_fault_beside_a_file_that_cannot_be_looked_at_stays_a_fault(file: Path) -> None:
    connections = pool(file)
    with connections.lend():
        pass
    file.rename(file.with_name("away"))
    file.mkdir()
    with pytest.raises(LookupError), connections.lend():
        raise LookupError("a fault of ours")
    assert not connections.damaged
    connections.close()


def test_what_was_closed_meanwhile_is_asked_for_again(file: Path) -> None:
    connections = pool(file)
    connections.close()
    with pytest.raises(IndexLost, match="Ask again"), connections.lend():
        raise AssertionError


def test_an_error_of_our_own_is_an_internal_one(file: Path) -> None:
    connections = pool(file)
    with pytest.raises(InternalError) as raised, connections.lend() as connection:
        connection.execute("SELECT unknown")
    assert "no such column" in raised.value.details
    connections.close()
    assert isinstance(translate(sqlite3.ProgrammingError("wrong")), InternalError)


def test_the_journal_mode_is_what_was_granted() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    assert set_journal(connection, "wal", 1) == "memory"
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    connection.close()


def test_the_switch_to_wal_waits_for_a_reader(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    reader, switcher = (connect(path, 0.01, create=True) for _ in range(2))
    reader.execute("CREATE TABLE t (x)")
    reader.execute("INSERT INTO t VALUES (1)")
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM t").fetchall()
    with pytest.raises(sqlite3.OperationalError):
        set_journal(switcher, "wal", 0.05)
    timer = threading.Timer(0.1, reader.execute, ("ROLLBACK",))
    timer.start()
    assert set_journal(switcher, "wal", 30) == "wal"
    timer.join()
    reader.close()
    switcher.close()
