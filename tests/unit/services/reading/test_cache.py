"""Documents on disk: bounded, and nothing on the disk is an error."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.errors import Cancelled
from pincite.model.call import Call
from pincite.services.reading.cache import ABANDONED_SECONDS, DocumentCache
from support.documents import document
from support.waiting import pause

LARGE = 10_000_000
TICK_SECONDS = 0.05
"""More than the resolution of the times of files."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "documents"


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in files(folder))


def test_a_document_is_kept_under_its_key(folder: Path) -> None:
    cache = DocumentCache(folder, LARGE)
    assert cache.get("a", Call()) is None
    cache.put("a", document())
    assert cache.get("a", Call()) == document()
    assert cache.get("b", Call()) is None
    assert DocumentCache(folder, LARGE).get("a", Call()) == document()


def test_the_last_document_of_a_key_is_kept(folder: Path) -> None:
    cache = DocumentCache(folder, LARGE)
    for text in ("one", "two"):
        cache.put("a", document(text))
    found = cache.get("a", Call())
    assert found is not None and found.text == "two"
    assert len(files(folder)) == 1


def test_it_is_written_for_its_owner_alone(folder: Path) -> None:
    DocumentCache(folder, LARGE).put("a", document())
    assert [path.stat().st_mode & 0o077 for path in files(folder)] == [0]


def test_the_least_recently_used_are_deleted_above_the_bound(folder: Path) -> None:
    DocumentCache(folder, LARGE).put("0", document())
    one = size(folder)
    cache = DocumentCache(folder, 3 * one + one // 2)
    for key in "012":
        cache.put(key, document())
        pause(TICK_SECONDS, "the clock of files ticks")
    assert cache.get("0", Call())  # used now, so that 1 is the oldest
    cache.put("3", document())
    assert [key for key in "0123" if cache.get(key, Call())] == ["0", "2", "3"]
    assert size(folder) <= 3 * one + one // 2


def test_a_document_above_the_bound_is_not_kept_and_deletes_no_other(folder: Path) -> None:
    DocumentCache(folder, LARGE).put("small", document())
    cache = DocumentCache(folder, size(folder) + 100)
    cache.put("large", document("".join(map(chr, range(0x4E00, 0x9000)))))
    assert cache.get("large", Call()) is None
    assert cache.get("small", Call()) == document()
    assert len(files(folder)) == 1


@pytest.mark.parametrize("part", [0.0, 0.02, 0.3, 0.5, 0.9, 0.999])
def test_a_file_that_is_cut_off_is_ignored_and_replaced(folder: Path, part: float) -> None:
    cache = DocumentCache(folder, LARGE)
    cache.put("a", document())
    (path,) = files(folder)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])
    assert cache.get("a", Call()) is None
    cache.put("a", document())
    assert cache.get("a", Call()) == document()


def test_no_flipped_bit_makes_another_document(folder: Path) -> None:
    cache = DocumentCache(folder, LARGE)
    cache.put("a", document())
    (path,) = files(folder)
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :])
        assert cache.get("a", Call()) in (None, document())


def test_a_foreign_file_is_ignored_and_replaced(folder: Path) -> None:
    cache = DocumentCache(folder, LARGE)
    cache.put("a", document())
    cache.put("b", replace(document(), text="other"))
    one, other = files(folder)
    one.write_bytes(other.read_bytes())
    assert {cache.get(key, Call()) is None for key in "ab"} == {True, False}
    for data in (b"\x80\x04cos\nsystem\n(S'exit'\ntR.", b"PK\3\4", b"\x1f\x8b", bytes(1000)):
        one.write_bytes(data)
        assert [cache.get(key, Call()) for key in "ab"].count(None) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_foreign_pipe_link_or_folder_is_ignored(folder: Path, tmp_path: Path) -> None:
    cache = DocumentCache(folder, LARGE)
    cache.put("a", document())
    (path,) = files(folder)
    kept = path.rename(tmp_path / "kept")
    for make in (lambda: os.mkfifo(path), lambda: path.symlink_to(kept)):
        make()
        assert cache.get("a", Call()) is None
        cache.put("a", document())
        assert cache.get("a", Call()) == document()
        assert path.is_file() and not path.is_symlink()
        path.unlink()
    path.mkdir()
    cache.put("a", document())
    assert cache.get("a", Call()) is None
    assert path.is_dir() and kept.is_file()


def test_other_files_in_the_folder_are_left_alone(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in ("notes.txt", "a.lines", "x" * 64 + ".lines"):
        (folder / name).write_bytes(bytes(1000))
        os.utime(folder / name, (1, 1))
    cache = DocumentCache(folder, 1500)
    cache.put("a", document())
    assert len(files(folder)) == 4


def test_what_a_killed_process_left_half_written_is_deleted_later(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name, age in (("old.tmp", ABANDONED_SECONDS + 60), ("new.tmp", 60)):
        (folder / name).write_bytes(b"half")
        os.utime(folder / name, (time.time() - age, time.time() - age))
    DocumentCache(folder, LARGE).put("a", document())
    assert [path.name for path in files(folder) if path.suffix == ".tmp"] == ["new.tmp"]


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = DocumentCache(tmp_path / "file" / "documents", LARGE)
    cache.put("a", document())
    assert cache.get("a", Call()) is None


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_full_disk_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(suffix: str, dir: Path) -> tuple[int, str]:  # noqa: A002 - the name of its argument
        return os.open("/dev/full", os.O_WRONLY), str(dir / f"a{suffix}")

    monkeypatch.setattr("tempfile.mkstemp", full)
    cache = DocumentCache(folder, LARGE)
    cache.put("a", document())
    assert cache.get("a", Call()) is None
    assert files(folder) == []


def test_a_call_that_is_cancelled_is_not_served(folder: Path) -> None:
    cache, call = DocumentCache(folder, LARGE), Call()
    cache.put("a", document())
    call.stop.set()
    with pytest.raises(Cancelled):
        cache.get("a", call)


def test_threads_and_processes_share_one_folder(folder: Path) -> None:
    code = (
        "import sys; sys.path[:] = {path!r}\n"
        "from pathlib import Path\n"
        "from pincite.model.call import Call\n"
        "from pincite.services.reading.cache import DocumentCache\n"
        "from support.documents import document\n"
        "cache, hits = DocumentCache(Path({folder!r}), {bound}), 0\n"
        "for number in range(150):\n"
        "    text = f'text of {{number // 2 % 5}} ' * 100\n"
        "    document_found = cache.get(str(number // 2 % 5), Call())\n"
        "    assert document_found in (None, document(text)), document_found\n"
        "    hits += document_found is not None\n"
        "    cache.put(str(number // 2 % 5), document(text))\n"
        "print(hits)\n"
    )
    DocumentCache(folder, LARGE).put("0", document("text of 0 " * 100))
    bound = 4 * size(folder)
    program = code.format(path=sys.path, folder=str(folder), bound=bound)

    def run(_: int) -> int:
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
        return int(ran.stdout)

    with ThreadPoolExecutor(3) as threads:
        assert all(hits > 0 for hits in threads.map(run, range(3)))
    assert 0 < size(folder) <= bound
    assert all(path.suffix == ".lines" for path in files(folder))
