"""What only a few lines of an ignore file say; that the rest is git's is `tests/property/test_ignore.py`."""

# pyright: reportPrivateUsage=false
# A unit test may look inside.

import errno
import os
from pathlib import Path

import pytest

from pincite.sources import ignore
from pincite.sources.ignore import IgnoreFile, IgnoreFiles
from pincite.sources.patterns import parse


def test_decisions_about_names_are_cached_matches_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ignore, "MAX_CACHED_NAMES", 3)
    file = IgnoreFile(parse(b"*.md"))
    for i in range(10):
        assert file.is_ignored(f"{i}.md", f"{i}.md") is True
        assert file.is_ignored(f"{i}.txt", f"{i}.txt") is None
    assert len(file._cached_matches) <= 3


def test_a_file_is_compiled_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / ".gitignore"
    files = IgnoreFiles()
    assert files.load(str(path)).file is None
    for text in [b"a\n", b"b\n", b"c\n"]:
        path.write_bytes(text)
        loaded = files.load(str(path)).file
        assert loaded is not None and loaded.is_ignored(text.decode().strip(), text.decode().strip()) is True


def test_a_file_that_rests_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def trusted(*_: object) -> bool:
        return False

    monkeypatch.setattr(ignore, "is_racy", trusted)
    path = tmp_path / ".gitignore"
    path.write_bytes(b"a\n")
    files = IgnoreFiles()
    first = files.load(str(path))
    assert files.load(str(path)) is first
    files.forget()
    assert files.load(str(path)) is not first
    path.unlink()
    assert files.load(str(path)).file is None


@pytest.mark.parametrize("fails", ["open_regular", "read_up_to"])
def test_a_file_that_cannot_be_read_ignores_everything_until_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    def refuse(*_: object) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    files = IgnoreFiles()
    (tmp_path / ".gitignore").write_bytes(b"a\n")
    with monkeypatch.context() as patch:
        patch.setattr(ignore, fails, refuse)
        loaded = files.load(str(tmp_path / ".gitignore"))
        assert loaded.file is not None and loaded.file.is_ignored("b", "b") is True
        assert "Input/output error" in loaded.problem
    loaded = files.load(str(tmp_path / ".gitignore"))
    assert loaded.file is not None and loaded.file.is_ignored("b", "b") is None and not loaded.problem
