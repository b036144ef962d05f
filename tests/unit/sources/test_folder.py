# pyright: reportPrivateUsage=false
# A unit test may look inside.


import os
import shutil
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pincite.errors import ConnectionFailed, NotFound
from pincite.model.call import Call
from pincite.model.store import UNSEEN
from pincite.sources import folder as module
from pincite.sources import inotify, paths
from pincite.sources import mounts as mounting
from pincite.sources.folder import FolderSource
from support.folders import Make, names, put, rest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="change events are Linux's")


def test_a_rename_that_changes_case_alone_is_a_rename(root: Path, make: Make) -> None:
    put(root / "readme.md")
    source = rest(make())
    (root / "readme.md").rename(root / "README.md")
    assert set(source.poll().names) == {"readme.md", "README.md"}
    assert source.state("readme.md") is None and source.state("README.md") is not None


def test_a_file_system_that_folds_case_is_asked_for_the_name_as_written(root: Path, make: Make) -> None:
    put(root / "a/Readme.md")
    source = make()
    source._folds_case = True
    assert source.state("a/Readme.md") is not None


def test_what_is_left_out_dirties_nothing(root: Path, make: Make) -> None:
    put(root / ".gitignore", b"i.md\nbuild/\n")
    for folder in [".h", "build", "node_modules", "kept"]:
        (root / folder).mkdir()
    source = rest(make())
    for name in ["i.md", "kept/i.md", ".h/a.md", "build/a.md", "node_modules/a.md", "x.bin", ".x.md", "none"]:
        put(root / name)
    (root / "build/sub").mkdir()
    (root / ".h2").mkdir()
    (root / "venv").mkdir()
    shutil.rmtree(root / "build")
    changes = source.poll()
    assert not changes.names and not changes.everything


def test_a_folder_that_is_deleted_names_its_files_alone(root: Path, make: Make) -> None:
    put(root / "a/x.md")
    put(root / "a/b/y.md")
    source = rest(make())
    shutil.rmtree(root / "a")
    changes = source.poll()
    assert set(changes.names) == {"a/x.md", "a/b/y.md"} and not changes.everything
    put(root / "a/x.md")
    assert set(source.poll().names) >= {"a/x.md"} and not source.poll().everything


def test_a_folder_that_comes_with_many_files_is_left_to_a_listing(root: Path, make: Make) -> None:
    for i in range(12):
        put(root.parent / f"many/{i}.md")
    source = rest(make(max_files=10))
    (root.parent / "many").rename(root / "many")
    assert source.poll().everything
    listing = source.listing(Call())
    assert len(listing.states) == 10 and listing.skipped == {"too_many": 2}


def test_a_file_too_many_is_noticed_when_it_comes(root: Path, make: Make) -> None:
    put(root / "b.md")
    source = rest(make(max_files=1))
    put(root / "a.md")
    assert source.poll().everything
    assert names(source) == {"a.md"}
    source = rest(source)
    (root / "q").mkdir()
    assert source.poll().everything


def test_while_a_link_is_followed_the_folder_is_compared(root: Path, make: Make) -> None:
    put(root / "x")
    source = rest(make())
    assert source.watch_mode().method == "inotify"
    (root / "a.md").symlink_to("x")
    assert source.poll().everything
    source = rest(source)
    assert source.poll().everything and source.watch_mode().method == "scan" and "link" in source.watch_mode().reason
    (root / "a.md").unlink()
    assert rest(source).watch_mode().method == "inotify" and not source.poll().everything


def test_a_link_that_leads_nowhere_yet_is_not_forgotten(root: Path, make: Make) -> None:
    (root / "a.md").symlink_to("later/x")
    source = rest(make())
    put(root / "later/x")
    assert source.poll().everything and names(source) == {"a.md"}


@pytest.mark.parametrize("watch", [True, False])
@pytest.mark.parametrize("above", [True, False])
def test_a_link_to_the_folder_that_leads_elsewhere_is_followed(
    root: Path, make: Make, watch: bool, above: bool
) -> None:
    put(root.parent / "v1/docs/a.md", b"one")
    put(root.parent / "v2/docs/b.md", b"two")
    link = root.parent / "current"
    link.symlink_to("v1" if above else "v1/docs")
    source = rest(make(root=link / "docs" if above else link, watch=watch))
    assert names(source) == {"a.md"}
    (root.parent / "new").symlink_to("v2" if above else "v2/docs")
    (root.parent / "new").replace(link)
    with pytest.raises(ConnectionFailed):
        source.state("b.md")
    assert source.poll().everything and names(source) == {"b.md"}
    assert source.root == root.parent / "v2/docs" and source.read("b.md").data == b"two"
    rest(source)
    put(root.parent / "v2/docs/c.md")
    assert "c.md" in names(source) and (not watch or set(source.poll().names) == {"c.md"})
    # The same folder, by another way: nothing is gone.
    (root.parent / "v2").rename(root.parent / "v3")
    link.unlink()
    link.symlink_to("v3" if above else "v3/docs")
    with pytest.raises(ConnectionFailed):
        source.state("b.md")
    assert source.poll().everything and names(source) == {"b.md", "c.md"}


def test_a_file_swapped_for_a_link_out_of_the_folder_is_not_read(root: Path, make: Make) -> None:
    put(root.parent / "secret.md", b"secret")
    put(root / "a/x.md", b"public")
    source = rest(make())
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "link").symlink_to(root.parent / "secret.md")
            (root / "link").replace(root / "a/x.md")
            put(root / "plain", b"public")
            (root / "plain").replace(root / "a/x.md")

    writer = threading.Thread(target=swap)
    writer.start()
    seen: set[bytes] = set()
    for _ in range(300):
        try:
            seen.add(source.read("a/x.md").data)
        except NotFound:
            continue
    stop.set()
    writer.join()
    assert seen <= {b"public"}


def test_reads_bytes_and_the_state_that_belongs_to_them(root: Path, make: Make) -> None:
    path = put(root / "a.md", b"a" * 50)
    source = rest(make())
    stop = threading.Event()

    def write() -> None:
        size = 1
        while not stop.is_set():
            path.write_bytes(b"b" * size)
            size = size % 90 + 1

    writer = threading.Thread(target=write)
    writer.start()
    for _ in range(200):
        try:
            found = source.read("a.md")
        except NotFound:
            continue
        assert len(found.data) == source.size(found.state)
    stop.set()
    writer.join()


def test_a_file_that_grows_over_the_limit_is_gone(root: Path, make: Make) -> None:
    path = put(root / "a.md", b"a" * 100)
    source = rest(make())
    assert source.size(source.read("a.md").state) == 100
    path.write_bytes(b"a" * 101)
    with pytest.raises(NotFound):
        source.read("a.md")
    path.write_bytes(b"")
    assert source.read("a.md").data == b""


def test_a_file_that_the_system_refuses_is_not_asked_for_again_until_it_changes(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "a.md")
    source = make()

    def refuse(*_: object) -> int:
        raise PermissionError(13, "refused")

    with monkeypatch.context() as patch:
        patch.setattr(paths, "open_beneath", refuse)
        with pytest.raises(NotFound):
            source.read("a.md")
    assert source.state("a.md") == UNSEEN
    listing = source.listing(Call())
    assert listing.skipped == {"unreadable": 1} and listing.unseen("a.md") == "Permission denied"
    put(root / "a.md", b"more")
    assert source.read("a.md").data == b"more"


def test_an_empty_folder_of_another_device_is_a_folder_that_is_not_mounted(root: Path, make: Make) -> None:
    put(root / "a.md")
    link = root.with_name("link")
    link.symlink_to(root)
    source = make(root=link)
    assert source.listing(Call()).states.keys() == {"a.md"}
    with TemporaryDirectory(dir="/dev/shm") as other:
        if Path(other).stat().st_dev == root.stat().st_dev:
            pytest.skip("one device has both folders")
        link.unlink()
        link.symlink_to(other)
        source.poll()
        with pytest.raises(ConnectionFailed):
            source.listing(Call())
        put(Path(other) / "b.md")
        assert source.listing(Call()).states.keys() == {"b.md"}


def test_an_overflow_of_the_queue_is_everything(root: Path, make: Make) -> None:
    limit = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    if limit > 100_000:
        pytest.skip("this system's queue is too long to fill")
    put(root / "a.md")
    put(root / "b.md")
    source = rest(make())
    for i in range(limit // 2 + 10):
        os.utime(root / "a.md", (i, i))
        os.utime(root / "b.md", (i, i))
    assert source.poll().everything
    source = rest(source)
    put(root / "c.md")
    assert set(source.poll().names) == {"c.md"}


def test_too_many_folders_to_watch_are_compared(root: Path, make: Make) -> None:
    for i in range(5):
        put(root / f"{i}/a.md")
    source = rest(make(max_watches=3))
    assert source.watch_mode().method == "scan" and "max_user_watches" in source.watch_mode().reason
    put(root / "4/a.md", b"other")
    assert source.poll().everything


def test_a_folder_too_many_is_noticed_when_it_comes(root: Path, make: Make) -> None:
    source = rest(make(max_watches=1))
    assert source.watch_mode().method == "inotify"
    put(root / "a/x.md")
    assert source.poll().everything and source.watch_mode().method == "scan"


def test_without_an_inotify_instance_the_folder_is_compared(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(inotify, "Watcher", none)
    put(root / "a.md")
    source = rest(make())
    assert source.watch_mode().method == "scan" and "Too many open files" in source.watch_mode().reason


def test_says_why_it_compares(root: Path, make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert make(watch=False).watch_mode().reason == "change events are switched off"
    mounts = tmp_path / "mountinfo"
    mounts.write_text("36 35 98:0 / / rw - nfs4 server:/ rw\n")
    monkeypatch.setattr(mounting, "MOUNTS", mounts)
    assert "nfs4" in make().watch_mode().reason
    monkeypatch.setattr(mounting, "MOUNTS", tmp_path / "missing")
    assert "unknown" in make().watch_mode().reason
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "not exact" in make().watch_mode().reason
    shutil.rmtree(root)
    assert "cannot be reached" in make().watch_mode().reason


def test_the_folder_replaced_by_another_is_looked_at_anew(root: Path, make: Make) -> None:
    put(root / "a.md")
    source = rest(make())
    shutil.rmtree(root)
    put(root / "b.md")
    assert source.poll().everything
    assert names(rest(source)) == {"b.md"}
    put(root / "b.md", b"again")
    assert set(source.poll().names) == {"b.md"}


def test_the_folder_moved_with_its_parent_is_lost(root: Path, tmp_path: Path) -> None:
    inner = put(root / "inner/a.md").parent
    source = rest(FolderSource(root=inner, extensions={".md": True}, max_text_bytes=9, max_other_bytes=9, max_files=9))
    root.rename(tmp_path / "moved")
    with pytest.raises(ConnectionFailed):
        source.poll()
    with pytest.raises(ConnectionFailed):
        source.read("a.md")
    assert source.wait(60)
    source.close()


def test_the_folder_that_becomes_a_file_is_lost(root: Path, make: Make) -> None:
    source = rest(make())
    root.rmdir()
    put(root)
    with pytest.raises(ConnectionFailed):
        source.poll()


def test_no_rescan_where_none_is_wanted(make: Make) -> None:
    source = rest(make(rescan_seconds=0))
    assert not source.wait(0.1)


@pytest.mark.parametrize("watch", [True, False])
def test_waiting_ends_with_a_change_or_the_next_rescan(root: Path, make: Make, watch: bool) -> None:
    source = rest(make(watch=watch, rescan_seconds=600 if watch else 0.2))
    timer = threading.Timer(0.1, lambda: put(root / "a.md"))
    timer.start()
    assert source.wait(600)  # longer than any test may take
    timer.join()


def test_waiting_goes_on_while_only_what_is_left_out_changes(root: Path, make: Make) -> None:
    source = rest(make())
    put(root / "x.bin")
    assert not source.wait(0.05)


def test_a_quiet_poll_lists_nothing(root: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root / "a.md")
    source = rest(make())
    monkeypatch.setattr(os, "scandir", None)
    monkeypatch.setattr(os, "listdir", None)
    for _ in range(10):
        assert not source.poll().names


def test_the_mode_of_the_folder_or_one_in_it_is_noticed(root: Path, make: Make) -> None:
    (root / "a").mkdir()
    source = rest(make())
    (root / "a").chmod(0o700)
    assert source.poll().everything
    source = rest(source)
    root.chmod(0o700)
    assert source.poll().everything


def test_a_listing_that_is_overtaken_teaches_nothing(root: Path, make: Make) -> None:
    """An older walk that ends after a younger one must not undo what the younger one found."""
    put(root / "x")
    source = rest(make())
    inner = source._watch_folder

    def overtaken(folder: str) -> None:
        source._watch_folder = inner  # type: ignore[method-assign]
        (root / "a.md").symlink_to("x")
        source.listing(Call())
        (root / "a.md").unlink()
        inner(folder)

    source._watch_folder = overtaken  # type: ignore[method-assign]
    source.listing(Call())
    assert source.watch_mode().method == "scan"


def test_the_folder_that_goes_during_a_listing_is_lost_not_empty(root: Path, make: Make) -> None:
    put(root / "a/x.md")
    source = rest(make())
    inner = source._watch_folder

    def losing(folder: str) -> None:
        if folder == "a":
            root.rename(root.with_name("moved"))
        inner(folder)

    source._watch_folder = losing  # type: ignore[method-assign]
    with pytest.raises(ConnectionFailed):
        source.listing(Call())


def test_a_folder_that_is_gone_before_it_is_adopted_brings_nothing(root: Path, make: Make) -> None:
    source = rest(make())
    put(root / "a/x.md")
    shutil.rmtree(root / "a")
    changes = source.poll()
    assert not changes.names and not changes.everything


def test_a_folder_that_is_moved_out_takes_its_files_along(root: Path, make: Make) -> None:
    put(root / "a/b/x.md")
    source = rest(make())
    (root / "a").rename(root.parent / "a")
    assert source.poll().everything
    source = rest(source)
    put(root.parent / "a/b/x.md", b"elsewhere")
    assert not source.poll().names


def test_a_folder_that_comes_with_links_is_everything(root: Path, make: Make) -> None:
    put(root / "x.md")
    source = rest(make())
    (root.parent / "in").mkdir()
    (root.parent / "in/l.md").symlink_to(root / "x.md")
    (root.parent / "in").rename(root / "in")
    assert source.poll().everything


def test_a_file_that_changes_at_every_try_is_said_to(root: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root / "a.md")
    source = make()

    def changed(*_: object) -> None:
        return None

    monkeypatch.setattr(module, "read_beneath", changed)
    with pytest.raises(NotFound, match="changes faster"):
        source.read("a.md")


def test_a_folder_that_comes_back_after_close_is_not_watched(root: Path, make: Make) -> None:
    source = rest(make())
    source.close()
    root.rename(root.with_name("away"))
    with pytest.raises(ConnectionFailed):
        source.poll()
    root.with_name("away").rename(root)
    assert source.poll().everything
    assert source.watch_mode().reason == "the source is closed"


def test_an_undecodable_name_dirties_nothing(root: Path, make: Make) -> None:
    source = rest(make())
    put(Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")))
    assert not source.poll().names
