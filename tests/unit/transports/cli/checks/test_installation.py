from pathlib import Path

import pytest

from pincite.embedding.hashing import HashEmbedder
from pincite.embedding.local import LocalEmbedder
from pincite.model.call import Call
from pincite.transports.cli.checks import installation
from pincite.transports.cli.checks.installation import Check, State


def test_this_interpreter_and_its_sqlite_are_well() -> None:
    assert installation.python().state is State.OK
    assert installation.sqlite().state is State.OK


@pytest.mark.parametrize(
    "check",
    [installation.python((3, 10, 9)), installation.sqlite((3, 37, 2)), installation.sqlite(fts5=False)],
    ids=["python", "sqlite", "fts5"],
)
def test_what_is_too_old_is_a_failure_with_its_mend(check: Check) -> None:
    assert check.state is State.FAILURE
    assert check.fix


def test_a_cache_that_can_be_written_is_well(tmp_path: Path) -> None:
    assert installation.cache(tmp_path / "new").state is State.OK
    assert list((tmp_path / "new").iterdir()) == []


def test_little_space_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "MIN_FREE_BYTES", 1 << 80)
    assert installation.cache(tmp_path).state is State.WARNING


def test_a_cache_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert installation.cache(tmp_path / "file").state is State.FAILURE
    assert installation.journal(tmp_path / "nowhere").state is State.FAILURE


def test_a_local_disk_grants_the_write_ahead_log(tmp_path: Path) -> None:
    assert installation.journal(tmp_path).state is State.OK


def test_a_journal_that_falls_back_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "JOURNAL", "delete")
    check = installation.journal(tmp_path)
    assert check.state is State.WARNING
    assert "'delete'" in check.found


def test_a_folder_is_there_or_not(tmp_path: Path) -> None:
    assert installation.documents(tmp_path).state is State.OK
    assert installation.documents(tmp_path / "nowhere").state is State.FAILURE


def limits(folder: Path, watches: str) -> Path:
    folder.mkdir()
    (folder / "max_user_watches").write_text(watches, encoding="ascii")
    (folder / "max_user_instances").write_text("128", encoding="ascii")
    return folder


def test_more_folders_than_the_system_watches_are_a_warning(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for name in ("a", "b", ".git/deep"):
        (docs / name).mkdir(parents=True)
    assert "3 folders" in installation.watching(docs, limits(tmp_path / "many", "4\n")).found
    few = installation.watching(docs, limits(tmp_path / "few", "3\n"))
    assert few.state is State.WARNING
    assert "max_user_watches=6" in few.fix


def test_a_system_without_inotify_is_well_too(tmp_path: Path) -> None:
    check = installation.watching(tmp_path, tmp_path / "none")
    assert check.state is State.OK
    assert "compared at every call" in check.found


def test_a_model_is_well_once_it_runs(tmp_path: Path) -> None:
    assert installation.model(HashEmbedder(), Call()).state is State.OK
    absent = installation.model(LocalEmbedder(cache_dir=tmp_path, fetch=False), Call())
    assert absent.state is State.WARNING
    assert "pincite models fetch" in absent.fix


def test_the_worst_end_counts() -> None:
    ends = [Check("a", state, "") for state in (State.WARNING, State.OK)]
    assert installation.worst(ends) is State.WARNING
    assert installation.worst([]) is State.OK
