import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pincite.services.git import GitFacts, facts

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

SECONDS = 30.0


def git(folder: Path, *arguments: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    settings = ["user.name=a", "user.email=a@b.c", "init.defaultBranch=main", "commit.gpgSign=false"]
    done = subprocess.run(
        ["git", *(part for setting in settings for part in ("-c", setting)), *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with `docs/a.md` and `other.txt` in its one commit."""
    top = tmp_path / "repository"
    (top / "docs").mkdir(parents=True)
    (top / "docs/a.md").write_text("# A\n")
    (top / "other.txt").write_text("other\n")
    git(top, "init", "-q", ".")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "first")
    return top


def test_outside_a_repository_there_is_nothing(tmp_path: Path) -> None:
    assert facts(tmp_path, SECONDS) is None
    assert facts(tmp_path / "missing", SECONDS) is None


def test_tells_head_and_that_nothing_changed(repository: Path) -> None:
    head = git(repository, "rev-parse", "--short", "HEAD")
    assert facts(repository / "docs", SECONDS) == GitFacts(head_commit=head, origin_main=None, dirty=False)


def test_tells_origin_main_as_last_fetched(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(repository), "clone")
    clone = tmp_path / "clone"
    (clone / "docs/b.md").write_text("# B\n")
    git(clone, "add", ".")
    git(clone, "commit", "-q", "-m", "second")
    found = facts(clone, SECONDS)
    assert found == GitFacts(
        head_commit=git(clone, "rev-parse", "--short", "HEAD"),
        origin_main=git(repository, "rev-parse", "--short", "HEAD"),
        dirty=False,
    )
    assert found is not None and found.head_commit != found.origin_main


@pytest.mark.parametrize("change", ["docs/a.md", "docs/new.md", "docs/deep/er/new.md"])
def test_a_change_in_the_folder_is_dirty(repository: Path, change: str) -> None:
    (repository / change).parent.mkdir(parents=True, exist_ok=True)
    (repository / change).write_text("changed\n")
    found = facts(repository / "docs", SECONDS)
    assert found is not None and found.dirty is True


def test_a_deleted_file_is_dirty(repository: Path) -> None:
    (repository / "docs/a.md").unlink()
    (repository / "docs/b.md").write_text("b")
    found = facts(repository / "docs", SECONDS)
    assert found is not None and found.dirty is True


def test_a_change_beside_the_folder_is_not_dirty(repository: Path) -> None:
    (repository / "other.txt").write_text("changed\n")
    found = facts(repository / "docs", SECONDS)
    assert found is not None and found.dirty is False


def test_a_folder_named_like_a_pathspec_is_taken_as_it_is(repository: Path) -> None:
    folder = repository / ":(top)*"
    folder.mkdir()
    (repository / "other.txt").write_text("changed\n")
    found = facts(folder, SECONDS)
    assert found is not None and found.dirty is False


def test_before_the_first_commit_there_is_no_head(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", ".")
    assert facts(tmp_path, SECONDS) == GitFacts(head_commit=None, origin_main=None, dirty=False)


def test_a_bare_repository_has_a_head_and_no_state(repository: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(repository), "bare.git")
    found = facts(tmp_path / "bare.git", SECONDS)
    assert found is not None and found.head_commit and found.dirty is None


def test_a_broken_repository_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("nonsense\n")
    assert facts(tmp_path, SECONDS) == GitFacts(None, None, None)


def test_without_git_a_repository_tells_nothing(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert facts(repository, SECONDS) == GitFacts(None, None, None)
    (tmp_path / "elsewhere").mkdir()
    assert facts(tmp_path / "elsewhere", SECONDS) is None


def test_with_no_time_left_nothing_is_told(repository: Path) -> None:
    assert facts(repository, 0) == GitFacts(None, None, None)


def test_a_git_that_hangs_is_given_up(repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path / "git", "exec sleep 600")  # longer than any test may take
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert facts(repository, 0.2) == GitFacts(None, None, None)


def test_a_git_of_the_folder_itself_is_not_run(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(repository / "git", "touch ran")
    monkeypatch.setenv("PATH", ".")
    monkeypatch.chdir(repository)
    assert facts(repository, SECONDS) == GitFacts(None, None, None)
    assert not (repository / "ran").exists()


def test_the_environment_does_not_steer_git(repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other/.git"))
    found = facts(repository, SECONDS)
    assert found is not None and found.head_commit is not None


def test_no_code_of_the_repository_is_run(repository: Path) -> None:
    trap = program(repository / "trap.sh", f"touch {repository}/ran; cat")
    hooks = repository / "hooks"
    hooks.mkdir()
    for hook in ["post-index-change", "reference-transaction", "post-checkout"]:
        program(hooks / hook, f"touch {repository}/ran")
    for key in ["core.fsmonitor", "core.pager", "core.sshCommand", "diff.external", "core.editor", "filter.x.clean"]:
        git(repository, "config", key, str(trap))
    git(repository, "config", "core.hooksPath", str(hooks))
    git(repository, "config", "filter.x.process", str(trap))
    git(repository, "config", "filter.x.required", "true")
    (repository / ".gitattributes").write_text("*.md filter=x\n")
    # Same size, another time: git must look at the content, through the clean filter.
    (repository / "docs/a.md").write_text("# B\n")
    os.utime(repository / "docs/a.md", (1, 1))
    found = facts(repository / "docs", SECONDS)
    assert found is not None and found.dirty is True
    assert not (repository / "ran").exists()


def test_a_filter_that_cannot_be_switched_off_leaves_dirty_open(repository: Path) -> None:
    trap = program(repository / "trap.sh", f"touch {repository}/ran; cat")
    with (repository / ".git/config").open("a") as config:
        config.write(f'[filter "a=b"]\n\tclean = {trap}\n')
    (repository / ".gitattributes").write_text("*.md filter=a=b\n")
    (repository / "docs/a.md").write_text("# B\n")
    os.utime(repository / "docs/a.md", (1, 1))
    found = facts(repository / "docs", SECONDS)
    assert found is not None and found.head_commit and found.dirty is None
    assert not (repository / "ran").exists()


def test_nothing_is_written_to_the_repository(repository: Path) -> None:
    os.utime(repository / "docs/a.md", (1, 1))
    before = (repository / ".git/index").stat()
    facts(repository, SECONDS)
    after = (repository / ".git/index").stat()
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)


def program(path: Path, script: str) -> Path:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path
