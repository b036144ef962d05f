# pyright: reportPrivateUsage=false
# A unit test may look inside.


import errno
import os
import sys
from pathlib import Path

import pytest

from pincite.model.call import Call
from pincite.sources import ignore, paths
from support.folders import Make, names, put, rest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="change events are Linux's")


def test_ignore_rules_above_the_folder_count_and_are_watched(root: Path, make: Make) -> None:
    (root.parent / ".git").mkdir()
    put(root.parent / ".gitignore", b"/root/a/x.md\n*.pdf\n")
    put(root / "a/x.md")
    put(root / "b.pdf")
    put(root / "c.md")
    source = rest(make())
    assert names(source) == {"c.md"}
    assert not source.poll().everything
    put(root.parent / ".gitignore", b"")
    assert source.poll().everything
    assert names(source) == {"c.md", "b.pdf", "a/x.md"}


def test_without_a_repository_only_the_folder_s_own_rules_count(root: Path, make: Make) -> None:
    put(root.parent / ".gitignore", b"*.md\n")
    put(root / "a.md")
    assert names(make()) == {"a.md"}


def test_pinciteignore_takes_back_in_what_git_leaves_out(root: Path, make: Make) -> None:
    put(root / ".gitignore", b"secret.md\nbuild/\ngone/\n")
    put(root / ".pinciteignore", b"!secret.md\n!build/keep.md\n/own\n!own/x.md\n")
    for name in ["secret.md", "build/keep.md", "build/drop.md", "build/deep/keep.md", "gone/x.md", "own/x.md"]:
        put(root / name)
    source = make()
    assert names(source) == {"secret.md", "build/keep.md"}
    assert source.state("build/keep.md") and not source.state("build/drop.md") and not source.state("gone/x.md")


def test_pinciteignore_may_take_a_whole_folder_back_in(root: Path, make: Make) -> None:
    put(root / ".gitignore", b"build/\n")
    put(root / ".pinciteignore", b"!build/\n")
    put(root / "build/a/b.md")
    assert names(make()) == {"build/a/b.md"}


def test_pinciteignore_takes_nothing_hidden_or_excluded_back_in(root: Path, make: Make) -> None:
    put(root / ".pinciteignore", b"!.h\n!.h.md\n!node_modules\n")
    for name in [".h/a.md", ".h.md", "node_modules/a.md"]:
        put(root / name)
    assert names(make()) == set()


def test_what_git_takes_no_rules_from_has_none_and_that_is_told(root: Path, make: Make) -> None:
    put(root.parent / "rules", b"*\n")
    (root / ".gitignore").symlink_to("../rules")
    (root / "b/.gitignore").mkdir(parents=True)
    (root / "d/.pinciteignore").mkdir(parents=True)
    (root / "e").mkdir()
    os.mkfifo(root / "e/.pinciteignore")
    put(root / "c/.gitignore", b"# nothing\n\n")
    for name in ["x.md", "b/x.md", "c/x.md", "d/x.md", "e/x.md"]:
        put(root / name)
    listing = make().listing(Call())
    assert set(listing.states) == {"x.md", "b/x.md", "c/x.md", "d/x.md", "e/x.md"}
    assert [warning.split(" is ")[0] for warning in sorted(listing.warnings)] == [
        ".gitignore", "b/.gitignore", "d/.pinciteignore", "e/.pinciteignore"
    ]  # fmt: skip
    assert all(str(root) not in warning and "Make it a file" in warning for warning in listing.warnings)


@pytest.mark.parametrize("watch", [True, False])
def test_where_rules_cannot_be_read_nothing_is_served_and_that_is_told(
    root: Path, make: Make, watch: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    put(root / "a/.gitignore", b"*\n" * 300_000)
    (root / "b").mkdir()
    (root / "b/.pinciteignore").symlink_to("../nowhere")
    put(root / "c/.gitignore", b"secret.md\n")
    for name in ["x.md", "a/x.md", "a/deep/y.md", "b/x.md", "c/x.md", "c/secret.md"]:
        put(root / name)

    def failing(path: str) -> int:
        if path == str(root / "c/.gitignore"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return paths.open_regular(path)

    monkeypatch.setattr(ignore, "open_regular", failing)
    source = rest(make(watch=watch))
    listing = source.listing(Call())
    assert set(listing.states) == {"x.md"} and listing.skipped["ignored"] == 5
    assert source.state("c/x.md") is None and source.state("a/deep/y.md") is None
    told = sorted(listing.warnings)
    assert [warning.split(" cannot be read (")[0] for warning in told] == [
        "a/.gitignore", "b/.pinciteignore", "c/.gitignore"
    ]  # fmt: skip
    assert str(root) not in caplog.text and caplog.text.count("folder.warning") == 3
    monkeypatch.undo()
    (root / "b/.pinciteignore").unlink()
    put(root / "a/.gitignore", b"deep\n")
    assert source.poll().everything
    assert names(source) == {"x.md", "a/x.md", "b/x.md", "c/x.md"} and not source.listing(Call()).warnings


def test_rules_above_the_folder_that_cannot_be_read_leave_everything_out(root: Path, make: Make) -> None:
    (root.parent / ".git").mkdir()
    put(root.parent / ".gitignore", b"*\n" * 300_000)
    put(root / "x.md")
    listing = make().listing(Call())
    assert not listing.states and listing.warnings[0].startswith("../.gitignore cannot be read")


def test_a_new_ignore_rule_is_in_the_next_look(root: Path, make: Make) -> None:
    put(root / "a/x.md")
    source = rest(make())
    put(root / "a/.gitignore", b"x.md\n")
    assert source.poll().everything
    assert names(source) == set() and source.state("a/x.md") is None
    source = rest(source)
    (root / "a/.gitignore").unlink()
    assert source.poll().everything
    assert names(source) == {"a/x.md"}


def test_rules_hold_in_a_followed_folder_by_where_it_really_lies(root: Path, make: Make) -> None:
    store = Path(os.fsdecode(os.fsencode(root) + b"/\xff"))
    put(root / ".gitignore", b"/*/secret.md\n/?/deep/\n")
    for name in ["secret.md", "x.md", "deep/y.md"]:
        put(store / name)
    (root / "in").mkdir()
    (root / "in/s").symlink_to(store)
    source = make()
    assert names(source) == {"in/s/x.md"} and source.state("in/s/secret.md") is None


def test_a_repository_that_begins_is_noticed(root: Path, make: Make) -> None:
    source = rest(make())
    (root / ".git").mkdir()
    assert source.poll().everything


def test_rules_that_change_during_a_listing_are_not_put_back(root: Path, make: Make) -> None:
    put(root / "a/x.md")
    source = rest(make())
    inner = source._watch_folder

    def changing(folder: str) -> None:
        if folder == "a":
            put(root / ".gitignore", b"x.md\n")
            assert source.poll().everything
        inner(folder)

    source._watch_folder = changing  # type: ignore[method-assign]
    source.listing(Call())
    assert source.state("a/x.md") is None


def test_a_path_of_thousands_of_folders_is_no_page_and_no_fault(make: Make) -> None:
    source = make()
    deep = "a/" * 5000 + "b.md"
    assert source.state(deep) is None
    assert source.left_out(deep) is None
    assert source.left_out("a/" * 1500 + "b.md") is None
