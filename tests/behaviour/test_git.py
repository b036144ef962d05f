"""Contract 1, `get_status`: what git says of the folder, and that git never makes the tool fail."""

import os
import subprocess
from pathlib import Path

import pytest

from behaviour import faces
from behaviour.conftest import Serve


def git(folder: Path, *arguments: str) -> str:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    who = {f"GIT_{role}_{part}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env={**clean, **who}, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("name", faces.PARAMETERS)
def test_git_facts_are_those_of_the_folder(name: str, serve: Serve, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    docs = faces.write(repository / "docs", {"a.md": "# A\n"})
    git(repository, "init", "-q", "-b", "main")
    face = serve(name, docs)
    assert face.call("get_status")["git"] == {"head_commit": None, "origin_main": None, "dirty": True}
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "first")
    head = git(repository, "rev-parse", "--short", "HEAD")
    assert face.call("get_status")["git"] == {"head_commit": head, "origin_main": None, "dirty": False}
    faces.write(repository, {"elsewhere.txt": "x"})
    assert face.call("get_status")["git"]["dirty"] is False
    faces.write(docs, {"a.md": "# B\n"})
    assert face.call("get_status")["git"]["dirty"] is True
    git(repository, "update-ref", "refs/remotes/origin/main", "HEAD")
    assert face.call("get_status")["git"]["origin_main"] == head
    (repository / ".git/HEAD").write_text("nonsense")
    assert "index" in face.call("get_status")
