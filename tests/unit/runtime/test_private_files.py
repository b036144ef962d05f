"""Permissions of what pincite creates: its owner's alone, the group's too in a folder that the group may write."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.runtime.private_files import create, make_folder, opener, tighten

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")


@pytest.fixture(params=[0o022, 0o002, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_files_and_folders_are_their_owner_s_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    make_folder(tmp_path / "a" / "b")
    create(tmp_path / "a" / "b" / "index.db")
    with open(tmp_path / "a" / "upload", "xb", opener=opener) as file:
        file.write(b"x")
    made = sorted(tmp_path.rglob("*"))
    assert [(path.name, oct(mode(path))) for path in made] == [
        ("a", "0o700"),
        ("b", "0o700"),
        ("index.db", "0o600"),
        ("upload", "0o600"),
    ]


def test_a_group_that_may_write_the_folder_shares_what_its_umask_leaves(tmp_path: Path, umask: int) -> None:
    tmp_path.chmod(0o2770)
    make_folder(tmp_path / "a")
    create(tmp_path / "index.db")
    assert oct(mode(tmp_path / "a") & 0o777) == oct(0o770 & ~umask)
    assert oct(mode(tmp_path / "index.db")) == oct(0o660 & ~umask)


@pytest.mark.parametrize(
    ("folder", "before", "after"),
    [
        (0o755, 0o644, 0o600),
        (0o755, 0o400, 0o400),
        (0o755, 0o600, 0o600),
        (0o700, 0o666, 0o600),
        (0o775, 0o664, 0o660),
        (0o770, 0o600, 0o600),
        (0o2775, 0o640, 0o640),
    ],
)
def test_an_existing_database_is_tightened_and_never_loosened(
    tmp_path: Path, folder: int, before: int, after: int
) -> None:
    tmp_path.chmod(folder)
    parts = [tmp_path / f"index.db{end}" for end in ("", "-wal", "-shm", "-journal")]
    for part in parts:
        part.touch()
        part.chmod(before)
    tighten(tmp_path / "index.db")
    assert {oct(mode(part)) for part in parts} == {oct(after)}


def test_what_is_not_there_or_cannot_be_created_is_left_to_whoever_opens_it(tmp_path: Path) -> None:
    tighten(tmp_path / "none.db")
    create(tmp_path / "none" / "index.db")
    (tmp_path / "index.db").write_text("kept")
    create(tmp_path / "index.db")
    assert (tmp_path / "index.db").read_text() == "kept"
