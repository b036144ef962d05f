from pathlib import Path

import pytest

from pincite.embedding.hashing import HashEmbedder
from pincite.embedding.local import LocalEmbedder
from pincite.model.call import Call
from pincite.services import health
from pincite.services.health import Check, State


def test_this_interpreter_and_its_sqlite_are_well() -> None:
    assert health.python().state is State.OK
    assert health.sqlite().state is State.OK


@pytest.mark.parametrize(
    "check",
    [health.python((3, 10, 9)), health.sqlite((3, 37, 2)), health.sqlite(fts5=False)],
    ids=["python", "sqlite", "fts5"],
)
def test_what_is_too_old_is_a_failure_with_its_mend(check: Check) -> None:
    assert check.state is State.FAILURE
    assert check.fix


def test_a_cache_that_can_be_written_is_well(tmp_path: Path) -> None:
    assert health.cache(tmp_path / "new").state is State.OK
    assert list((tmp_path / "new").iterdir()) == []


def test_little_space_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "MIN_FREE_BYTES", 1 << 80)
    assert health.cache(tmp_path).state is State.WARNING


def test_a_cache_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert health.cache(tmp_path / "file").state is State.FAILURE
    assert health.journal(tmp_path / "nowhere").state is State.FAILURE


def test_a_local_disk_grants_the_write_ahead_log(tmp_path: Path) -> None:
    assert health.journal(tmp_path).state is State.OK


def test_a_journal_that_falls_back_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "JOURNAL", "delete")
    check = health.journal(tmp_path)
    assert check.state is State.WARNING
    assert "'delete'" in check.found


def test_a_folder_is_there_or_not(tmp_path: Path) -> None:
    assert health.documents(tmp_path).state is State.OK
    assert health.documents(tmp_path / "nowhere").state is State.FAILURE


def limits(folder: Path, watches: str) -> Path:
    folder.mkdir()
    (folder / "max_user_watches").write_text(watches, encoding="ascii")
    (folder / "max_user_instances").write_text("128", encoding="ascii")
    return folder


def test_more_folders_than_the_system_watches_are_a_warning(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for name in ("a", "b", ".git/deep"):
        (docs / name).mkdir(parents=True)
    assert "3 folders" in health.watching(docs, limits(tmp_path / "many", "4\n")).found
    few = health.watching(docs, limits(tmp_path / "few", "3\n"))
    assert few.state is State.WARNING
    assert "max_user_watches=6" in few.fix


def test_a_system_without_inotify_is_well_too(tmp_path: Path) -> None:
    check = health.watching(tmp_path, tmp_path / "none")
    assert check.state is State.OK
    assert "compared at every call" in check.found


def test_a_model_is_well_once_it_runs(tmp_path: Path) -> None:
    assert health.model(HashEmbedder(), Call()).state is State.OK
    absent = health.model(LocalEmbedder(cache_dir=tmp_path, fetch=False), Call())
    assert absent.state is State.WARNING
    assert "pincite models fetch" in absent.fix


def test_the_worst_end_counts() -> None:
    ends = [Check("a", state, "") for state in (State.WARNING, State.OK)]
    assert health.worst(ends) is State.WARNING
    assert health.worst([]) is State.OK
