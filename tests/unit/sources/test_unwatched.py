# pyright: reportPrivateUsage=false
# A unit test may look inside.


import mmap
import sys
from pathlib import Path

import pytest

from pincite.model.call import Call
from pincite.sources.folder import FolderSource
from support.folders import Make, dirty, put, rest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="change events are Linux's")


def settle(source: FolderSource) -> None:
    """Bring a source to rest."""
    rest(source)
    assert not source.poll().names


def test_a_write_by_another_name_of_a_file_is_seen_by_the_next_poll(root: Path, make: Make) -> None:
    put(root / "a/x.md", b"one")
    put(root / "alone.md")
    (root / "b.md").hardlink_to(root / "a/x.md")
    outside = root.parent / "outside.md"
    outside.hardlink_to(root / "a/x.md")
    source = make()
    settle(source)
    put(root / "a/x.md", b"two")
    assert dirty(source) == {"a/x.md", "b.md"}
    assert dirty(source) == set()
    with outside.open("r+b") as file:
        file.write(b"ten")
    assert dirty(source) == {"a/x.md", "b.md"}
    (root / "b.md").unlink()
    assert "b.md" in dirty(source)
    settle(source)
    with outside.open("ab") as file:
        file.write(b"more")
    assert dirty(source) == {"a/x.md"}
    outside.unlink()
    assert rest(source) and source.watch_mode().method == "inotify"


@pytest.mark.parametrize("way", ["link", "move in", "folder"])
def test_a_hard_link_that_comes_later_is_noticed(root: Path, make: Make, way: str) -> None:
    put(root / "x.md", b"one")
    source = make()
    settle(source)
    other = root / "in/y.md" if way == "folder" else root / "y.md"
    if way == "link":
        other.hardlink_to(root / "x.md")
    else:
        (root.parent / "in").mkdir()
        (root.parent / "in/y.md").hardlink_to(root / "x.md")
        (root.parent / ("in" if way == "folder" else "in/y.md")).rename(root / ("in" if way == "folder" else "y.md"))
    assert source.poll().everything
    settle(source)
    put(other, b"two")
    assert dirty(source) == {"x.md", other.relative_to(root).as_posix()}


def test_a_write_through_a_memory_mapping_is_found_by_the_next_listing(root: Path, make: Make) -> None:
    put(root / "a.md", b"before")
    source = rest(make(rescan_seconds=0.05))
    before = source.state("a.md")
    with (root / "a.md").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[:6] = b"after!"
        mapped.flush()
        assert source.wait(60)
        assert source.poll().everything
        assert source.listing(Call()).states["a.md"] != before
