# pyright: reportPrivateUsage=false
# A unit test may look inside.

import errno
import os
import sys
import threading
from pathlib import Path

import pytest

from pincite.sources.inotify import Watcher


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
class TestWatcher:
    def test_drains_what_happened_in_order(self, tmp_path: Path) -> None:
        watcher = Watcher(str(tmp_path))
        watcher.add("")
        (tmp_path / "a").touch()
        (tmp_path / "b").touch()
        seen = [(folder, name) for folder, _, name in watcher.drain()]
        assert list(dict.fromkeys(seen)) == [("", "a"), ("", "b")]
        assert watcher.drain() == []
        watcher.close()

    def test_forgets_a_folder_with_all_below_it(self, tmp_path: Path) -> None:
        (tmp_path / "a/b").mkdir(parents=True)
        (tmp_path / "ab").mkdir()
        watcher = Watcher(str(tmp_path))
        for folder in ["a", "a/b", "ab"]:
            watcher.add(folder)
        watcher.forget("a")
        for folder in ["a", "a/b", "ab"]:
            (tmp_path / folder / "x").touch()
        assert {folder for folder, _, _ in watcher.drain()} == {"ab"}
        watcher.close()

    def test_a_folder_that_has_moved_is_not_forgotten_under_its_new_name(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        watcher = Watcher(str(tmp_path))
        watcher.add("a")
        (tmp_path / "a").rename(tmp_path / "b")
        watcher.add("b")
        watcher.forget("a")
        watcher.drain()
        (tmp_path / "b/x").touch()
        assert {folder for folder, _, _ in watcher.drain()} == {"b"}
        watcher.close()

    def test_a_folder_deleted_before_it_is_forgotten_does_no_harm(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        watcher = Watcher(str(tmp_path))
        watcher.add("a")
        (tmp_path / "a").rmdir()
        watcher.forget("a")
        assert watcher.drain() == []
        watcher.close()

    def test_any_other_failure_to_forget_is_told(self, tmp_path: Path) -> None:
        watcher = Watcher(str(tmp_path))
        watcher.add("")
        os.close(watcher._inotify.fileno())
        with pytest.raises(OSError, match="Bad file descriptor") as raised:
            watcher.forget("")
        assert raised.value.errno == errno.EBADF
        with pytest.raises(OSError, match="Bad file descriptor"):
            watcher.close()
        os.close(watcher._wake)

    def test_no_more_folders_than_allowed(self, tmp_path: Path) -> None:
        (tmp_path / "a").mkdir()
        watcher = Watcher(str(tmp_path), 1)
        watcher.add("")
        watcher.add("")
        with pytest.raises(OSError, match="No space"):
            watcher.add("a")
        watcher.close()

    def test_close_wakes_who_waits_and_gives_the_handles_back(self, tmp_path: Path) -> None:
        watcher = Watcher(str(tmp_path))
        handle = watcher._inotify.fileno()
        waiting = threading.Thread(target=lambda: watcher.wait(600))
        waiting.start()
        while watcher._users < 2:
            pass
        watcher.close()
        waiting.join(30)
        assert not waiting.is_alive()
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(handle)
        watcher.wait(600)
