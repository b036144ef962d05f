import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from pincite.store.memory import array_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a mapped file cannot be replaced there")

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3)
NUMBERS = np.arange(4, dtype=np.int64)


def write(path: Path, used: int = 3) -> list[array_file.Array] | None:
    return array_file.write(path, {"of": "it"}, [ROWS, NUMBERS], used)


def test_arrays_are_as_they_were_written_and_have_room_for_more_rows(tmp_path: Path) -> None:
    path = tmp_path / "arrays"
    assert write(path)
    kept = array_file.read(path)
    assert kept is not None
    about, (rows, numbers) = kept
    assert about == {"of": "it"}
    assert rows.tolist() == [*ROWS[:3].tolist(), [0, 0, 0]]
    assert numbers.tolist() == [0, 1, 2, 0]
    assert path.stat().st_mode & 0o077 == 0
    assert [*tmp_path.iterdir()] == [path]


def test_what_a_process_writes_into_them_is_its_own(tmp_path: Path) -> None:
    path = tmp_path / "arrays"
    write(path)
    before = path.read_bytes()
    kept = array_file.read(path)
    assert kept is not None
    kept[1][0][3] = 7
    assert path.read_bytes() == before


def test_who_wrote_it_has_its_own_arrays_whoever_replaces_it(tmp_path: Path) -> None:
    path = tmp_path / "arrays"
    kept = write(path)
    write(path, used=1)
    assert kept is not None and kept[1].tolist() == [0, 1, 2, 0]


@pytest.mark.parametrize("contents", [b"", b"pincvec1", b"pincvec1[]\n", b"pincvec1{}\n", b"another program's\n"])
def test_a_file_that_is_none_of_ours_or_was_cut_is_not_used(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "arrays"
    assert array_file.read(path) is None
    path.write_bytes(contents)
    assert array_file.read(path) is None
    write(path)
    path.write_bytes(path.read_bytes()[:-70_000])
    assert array_file.read(path) is None


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "arrays"
    write(path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert not write(path, used=1)
    assert path.read_bytes() == before
    assert [*tmp_path.iterdir()] == [path]


def test_one_process_writes_it_at_a_time_and_what_a_killed_one_left_is_deleted_after_an_hour(tmp_path: Path) -> None:
    path = tmp_path / "arrays"
    code = (
        "import os, sys, signal\nfrom pathlib import Path\nimport numpy as np\n"
        "from pincite.store.memory import array_file\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "array_file.write(Path(sys.argv[1]), {}, [np.zeros(3)], 3)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9
    left = tmp_path / "arrays.new"
    assert [*tmp_path.iterdir()] == [left]
    assert not write(path)
    hours_ago = time.time() - 2 * 3600
    os.utime(left, (hours_ago, hours_ago))
    assert write(path)
    assert [*tmp_path.iterdir()] == [path]
