from pathlib import Path

import pytest

from pincite.store.process_lock import ProcessLock


def test_one_has_it_until_it_is_released(tmp_path: Path) -> None:
    first, second = ProcessLock(tmp_path / "lock"), ProcessLock(tmp_path / "lock")
    assert first.acquire() and first.acquire()
    assert not second.acquire()
    second.release()  # it has none
    first.release()
    assert second.acquire()
    second.release()


def test_where_there_are_no_locks_it_is_granted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("pincite.store.process_lock._lock", none)
    assert ProcessLock(tmp_path / "lock").acquire()


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        ProcessLock(tmp_path / "none" / "lock").acquire()
