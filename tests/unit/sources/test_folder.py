# pyright: reportPrivateUsage=false
# A unit test may look inside.

import errno
import mmap
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite.errors import ConnectionFailed, NotFound
from pincite.model.call import Call
from pincite.sources import folder as module
from pincite.sources import ignore, inotify, paths
from pincite.sources import mounts as mounting
from pincite.sources.folder import FolderSource

Make = Callable[..., FolderSource]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="change events are Linux's")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "root"
    made.mkdir()
    return made


@pytest.fixture
def make(root: Path) -> Iterator[Make]:
    """Makes sources over `root` and closes them."""
    made: list[FolderSource] = []

    def build(**options: object) -> FolderSource:
        given: dict[str, object] = {
            "root": root,
            "extensions": {".md": True, ".pdf": False},
            "max_text_bytes": 100,
            "max_other_bytes": 1000,
            "max_files": 100,
        }
        source = FolderSource(**{**given, **options})  # type: ignore[arg-type]
        made.append(source)
        return source

    yield build
    for source in made:
        source.close()


def put(path: Path, data: bytes = b"text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def rest(source: FolderSource) -> FolderSource:
    """Bring a source to the point where it knows everything."""
    dirty = source.poll()
    source.listing(Call())
    source.mark((), dirty.ticket)
    source.settle(source.poll().names)
    return source


def names(source: FolderSource) -> set[str]:
    return set(source.listing(Call()).files)


def test_counts_what_is_left_out_by_reason(root: Path, make: Make) -> None:
    put(root / "a.md")
    put(root / "b.PDF", b"x" * 1000)
    put(root / ".gitignore", b"i.md\ni/\n")
    put(root / "i.md")
    put(root / "i/1.md")
    put(root / "i/2.md")
    put(root / ".h/x.md")
    put(root / "node_modules/x.md")
    put(root / "a/target/x.md")
    put(root / "big.md", b"x" * 101)
    put(root / "big.pdf", b"x" * 1001)
    put(root / "x.bin")
    put(root / "none")
    (root / "up.md").symlink_to("/etc/hostname")
    (root / "up").symlink_to("/etc")
    (root / "again.md").symlink_to("a.md")
    (root / "loop").symlink_to(".")
    (root / "self.md").symlink_to("self.md")
    os.mkfifo(root / "pipe.md")
    put(Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")))
    listing = make().listing(Call())
    assert set(listing.files) == {"a.md", "b.PDF"}
    assert listing.skipped == {
        "ignored": 2,
        "hidden": 2,
        "excluded": 2,
        "too_large": 2,
        "unsupported": 2,
        "outside": 2,
        "linked_twice": 2,
        "unreadable": 1,
        "special": 1,
        "undecodable": 1,
    }
    assert listing.warnings == ()


def test_a_socket_and_a_fifo_are_never_opened(root: Path, make: Make) -> None:
    os.mkfifo(root / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(root / "s.md"))
        source = make()
        assert names(source) == set()
        for name in ["pipe.md", "s.md"]:
            assert source.state(name) is None
            with pytest.raises(NotFound):
                source.read(name)


@pytest.mark.parametrize("watch", [True, False])
def test_names_are_as_on_disk(root: Path, make: Make, watch: bool) -> None:
    wanted = {"e\u0301.md", "\u00e9.md", "a\nb.md", "🙂/🙂.md", " lead.md", "tab\t.md", "quote'\".md", "X.md", "x.md"}
    source = rest(make(watch=watch))
    for name in wanted:
        put(root / name, name.encode())
    assert names(source) == wanted
    assert {name for name in wanted if source.read(name)[0] == name.encode()} == wanted
    if watch:
        assert set(source.poll().names) == wanted


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
    os.link(root / "a/Readme.md", root / "b.md")
    assert module._exact(root, ["a", "Readme.md"]) and not module._exact(root, ["a", "README.md"])
    assert not module._folds_case(root) and not module._folds_case(root.parent / "123")


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
    assert set(listing.files) == {"x.md", "b/x.md", "c/x.md", "d/x.md", "e/x.md"}
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
    assert set(listing.files) == {"x.md"} and listing.skipped["ignored"] == 5
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
    assert not listing.files and listing.warnings[0].startswith("../.gitignore cannot be read")


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
    dirty = source.poll()
    assert not dirty.names and not dirty.everything


def test_a_folder_that_is_deleted_names_its_files_alone(root: Path, make: Make) -> None:
    put(root / "a/x.md")
    put(root / "a/b/y.md")
    source = rest(make())
    shutil.rmtree(root / "a")
    dirty = source.poll()
    assert set(dirty.names) == {"a/x.md", "a/b/y.md"} and not dirty.everything
    put(root / "a/x.md")
    assert set(source.poll().names) >= {"a/x.md"} and not source.poll().everything


def test_a_folder_that_comes_with_many_files_is_left_to_a_listing(root: Path, make: Make) -> None:
    for i in range(12):
        put(root.parent / f"many/{i}.md")
    source = rest(make(max_files=10))
    (root.parent / "many").rename(root / "many")
    assert source.poll().everything
    listing = source.listing(Call())
    assert len(listing.files) == 10 and listing.skipped == {"too_many": 2}


def test_too_many_files_are_cut_by_path(root: Path, make: Make) -> None:
    for name in ["a/z.md", "a.md", "a-b/c.md", "b.md", "c/d.md"]:
        put(root / name)
    source = rest(make(max_files=3))
    listing = source.listing(Call())
    assert list(listing.files) == ["a-b/c.md", "a.md", "a/z.md"]
    assert listing.skipped == {"too_many": 2}
    assert len(listing.warnings) == 1 and "more than 3 files" in listing.warnings[0]
    assert source.state("b.md") is None and source.state("a.md") is not None
    (root / "a.md").unlink()
    assert source.poll().everything
    assert list(source.listing(Call()).files) == ["a-b/c.md", "a/z.md", "b.md"]


def test_a_file_too_many_is_noticed_when_it_comes(root: Path, make: Make) -> None:
    put(root / "b.md")
    source = rest(make(max_files=1))
    put(root / "a.md")
    assert source.poll().everything
    assert names(source) == {"a.md"}
    source = rest(source)
    (root / "q").mkdir()
    assert source.poll().everything


SECRETS = [".env", ".h/deep/x.md", "i.md", "build/x.md", "node_modules/x.md", "kept/i.md", "own/x.md"]


@pytest.mark.parametrize("watch", [True, False])
@pytest.mark.parametrize("secret", SECRETS)
def test_a_link_brings_nothing_hidden_ignored_or_excluded_in(root: Path, make: Make, secret: str, watch: bool) -> None:
    put(root / ".gitignore", b"i.md\n/build/\n")
    put(root / ".pinciteignore", b"own/\n!l.md\n")
    for name in SECRETS:
        put(root / name, b"secret")
    put(root / "LICENSE", b"free")
    source = rest(make(watch=watch))
    (root / "l.md").symlink_to(secret)
    (root / "chain.md").symlink_to("l.md")
    (root / "way").symlink_to(Path(secret).parent)
    (root / "way2").symlink_to("way")
    assert source.poll().everything
    listing = source.listing(Call())
    assert listing.files == {}
    # A link that was served may lead to a secret before the next listing.
    (root / "l.md").unlink()
    (root / "l.md").symlink_to("LICENSE")
    assert set(rest(source).listing(Call()).files) == {"chain.md"}
    (root / "l.md").unlink()
    (root / "l.md").symlink_to(secret)
    assert source.state("chain.md") is None
    with pytest.raises(NotFound):
        source.read("chain.md")
    assert source.poll().everything


def test_what_a_link_would_have_brought_in_is_counted_by_its_reason(root: Path, make: Make) -> None:
    put(root / ".gitignore", b"i/\n")
    put(root / ".h/x.md")
    put(root / "i/x.md")
    put(root / "venv/x.md")
    for n, target in enumerate([".h", ".h/x.md", "i", "i/x.md", "venv/x.md"]):
        (root / f"{n}.md").symlink_to(target)
    assert make().listing(Call()).skipped == {"hidden": 4, "ignored": 3, "excluded": 2}


@pytest.mark.parametrize("watch", [True, False])
def test_a_link_comes_and_goes_with_the_rules_for_what_it_leads_to(root: Path, make: Make, watch: bool) -> None:
    put(root / "LICENSE", b"free")
    put(root / "data/NOTICE", b"notice")
    (root / "l.md").symlink_to("LICENSE")
    (root / "n.md").symlink_to("data/NOTICE")
    source = rest(make(watch=watch))
    assert names(source) == {"l.md", "n.md"} and source.read("l.md")[0] == b"free"
    put(root / ".gitignore", b"LICENSE\ndata/\n")
    assert source.poll().everything and names(source) == set()
    assert source.state("l.md") is None and source.state("n.md") is None
    put(root / ".pinciteignore", b"!LICENSE\n")
    assert source.poll().everything and names(source) == {"l.md"}


def test_a_link_to_what_has_no_name_of_its_own_is_followed_once(root: Path, make: Make) -> None:
    put(root / "LICENSE", b"one")
    put(root / "store/COPYING", b"two")
    store = Path(os.fsdecode(os.fsencode(root) + b"/\xff"))
    put(store / "x.md", b"three")
    put(store / ".h.md")
    (root / "l.md").symlink_to("LICENSE")
    (root / "m.md").symlink_to("l.md")
    (root / "c.md").symlink_to("store/COPYING")
    (root / "s").symlink_to(store)
    (root / "t").symlink_to(store)
    source = make()
    listing = source.listing(Call())
    assert set(listing.files) == {"l.md", "c.md", "s/x.md"}
    assert listing.skipped == {"unsupported": 2, "undecodable": 1, "linked_twice": 2, "hidden": 1}
    assert [source.read(name)[0] for name in ("l.md", "c.md", "s/x.md")] == [b"one", b"two", b"three"]
    assert source.state("m.md") is None and source.state("t/x.md") is None
    before = source.state("c.md")
    (root / "new").symlink_to("LICENSE")
    (root / "l.md").unlink()
    (root / "new").replace(root / "c.md")
    assert source.poll().everything and source.listing(Call()).files.get("c.md") != before
    assert source.read("c.md")[0] == b"one"


def test_rules_hold_in_a_followed_folder_by_where_it_really_lies(root: Path, make: Make) -> None:
    store = Path(os.fsdecode(os.fsencode(root) + b"/\xff"))
    put(root / ".gitignore", b"/*/secret.md\n/?/deep/\n")
    for name in ["secret.md", "x.md", "deep/y.md"]:
        put(store / name)
    (root / "in").mkdir()
    (root / "in/s").symlink_to(store)
    source = make()
    assert names(source) == {"in/s/x.md"} and source.state("in/s/secret.md") is None


def test_links_in_a_followed_folder_do_not_go_round(root: Path, make: Make) -> None:
    store = Path(os.fsdecode(os.fsencode(root) + b"/\xff"))
    put(store / "sub/x.md")
    (store / "sub/up").symlink_to("..")
    (store / "sub/root").symlink_to("../..")
    (root / "a").symlink_to(store / "sub")
    (root / "b").symlink_to(store)
    assert names(make()) == {"a/x.md"}


def test_a_link_to_a_fifo_is_not_followed(root: Path, make: Make) -> None:
    os.mkfifo(root / "p")
    (root / "p.md").symlink_to("p")
    assert make().listing(Call()).skipped == {"unsupported": 1, "special": 1}


def test_while_a_link_is_followed_the_folder_is_compared(root: Path, make: Make) -> None:
    put(root / "x")
    source = rest(make())
    assert source.watching().method == "inotify"
    (root / "a.md").symlink_to("x")
    assert source.poll().everything
    source = rest(source)
    assert source.poll().everything and source.watching().method == "scan" and "link" in source.watching().reason
    (root / "a.md").unlink()
    assert rest(source).watching().method == "inotify" and not source.poll().everything


def test_a_link_that_leads_nowhere_yet_is_not_forgotten(root: Path, make: Make) -> None:
    (root / "a.md").symlink_to("later/x")
    source = rest(make())
    put(root / "later/x")
    assert source.poll().everything and names(source) == {"a.md"}


def dirty(source: FolderSource) -> set[str]:
    seen = source.poll()
    assert not seen.everything
    source.settle(seen.names)
    return set(seen.names)


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
    assert rest(source) and source.watching().method == "inotify"


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
    assert source.root == root.parent / "v2/docs" and source.read("b.md")[0] == b"two"
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
            seen.add(source.read("a/x.md")[0])
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
            data, state = source.read("a.md")
        except NotFound:
            continue
        assert len(data) == state.size
    stop.set()
    writer.join()


def test_a_file_that_grows_over_the_limit_is_gone(root: Path, make: Make) -> None:
    path = put(root / "a.md", b"a" * 100)
    source = rest(make())
    assert source.read("a.md")[1].size == 100
    path.write_bytes(b"a" * 101)
    with pytest.raises(NotFound):
        source.read("a.md")
    path.write_bytes(b"")
    assert source.read("a.md")[0] == b""


def test_a_file_without_permission_is_counted(root: Path) -> None:
    put(root / "a.md").chmod(0)
    put(root / "b.md").chmod(0o600)
    put(root / "c/d.md")
    (root / "c").chmod(0)
    try:
        done = subprocess.run(
            [sys.executable, "-c", _AS_NOBODY, str(root)], capture_output=True, text=True, check=True, env=os.environ
        )
    finally:
        (root / "c").chmod(0o755)
    assert done.stdout.split() == ["[]", "3", "1"]


_AS_NOBODY = """
import os, sys
from pathlib import Path
from pincite.model.call import Call
from pincite.sources import paths
from pincite.sources.folder import FolderSource
root = Path(sys.argv[1])
if os.getuid() == 0:
    os.chmod(root.parent, 0o711); os.chmod(root, 0o755)
    [os.chmod(p, 0o711) for p in root.parents if str(p).startswith("/tmp/")]
    os.setuid(65534)
else:
    os.chmod(root / "b.md", 0)
limits = {"max_text_bytes": 9, "max_other_bytes": 9, "max_files": 9}
listing = FolderSource(root=root, extensions={".md": True}, watch=False, **limits).listing(Call())
print(list(listing.files), listing.skipped["unreadable"], len(listing.warnings))
"""


def test_a_file_that_the_system_refuses_is_not_asked_for_again_until_it_changes(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "a.md")
    source = make()

    def refuse(*_: object) -> int:
        raise PermissionError(13, "refused")

    with monkeypatch.context() as patch:
        patch.setattr(module, "open_beneath", refuse)
        with pytest.raises(NotFound):
            source.read("a.md")
    assert source.state("a.md") is None
    assert source.listing(Call()).skipped == {"unreadable": 1}
    put(root / "a.md", b"more")
    assert source.read("a.md")[0] == b"more"


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
    assert source.watching().method == "scan" and "max_user_watches" in source.watching().reason
    put(root / "4/a.md", b"other")
    assert source.poll().everything


def test_a_folder_too_many_is_noticed_when_it_comes(root: Path, make: Make) -> None:
    source = rest(make(max_watches=1))
    assert source.watching().method == "inotify"
    put(root / "a/x.md")
    assert source.poll().everything and source.watching().method == "scan"


def test_without_an_inotify_instance_the_folder_is_compared(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(inotify, "Watcher", none)
    put(root / "a.md")
    source = rest(make())
    assert source.watching().method == "scan" and "Too many open files" in source.watching().reason


def test_says_why_it_compares(root: Path, make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert make(watch=False).watching().reason == "change events are switched off"
    mounts = tmp_path / "mountinfo"
    mounts.write_text("36 35 98:0 / / rw - nfs4 server:/ rw\n")
    monkeypatch.setattr(mounting, "MOUNTS", mounts)
    assert "nfs4" in make().watching().reason
    monkeypatch.setattr(mounting, "MOUNTS", tmp_path / "missing")
    assert "unknown" in make().watching().reason
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "not exact" in make().watching().reason
    shutil.rmtree(root)
    assert "cannot be reached" in make().watching().reason


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


def test_a_write_through_a_memory_mapping_is_found_by_the_next_listing(root: Path, make: Make) -> None:
    put(root / "a.md", b"before")
    source = rest(make(rescan_seconds=0.05))
    before = source.state("a.md")
    with (root / "a.md").open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
        mapped[:6] = b"after!"
        mapped.flush()
        assert source.wait(60)
        assert source.poll().everything
        assert source.listing(Call()).files["a.md"] != before


def test_no_rescan_where_none_is_wanted(make: Make) -> None:
    source = rest(make(rescan_seconds=0))
    assert not source.wait(0.1)


@pytest.mark.parametrize("watch", [True, False])
def test_waiting_ends_with_a_change_or_the_next_rescan(root: Path, make: Make, watch: bool) -> None:
    source = rest(make(watch=watch, rescan_seconds=60 if watch else 0.2))
    timer = threading.Timer(0.1, lambda: put(root / "a.md"))
    timer.start()
    start = time.monotonic()
    assert source.wait(60)
    assert time.monotonic() - start < 30
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


def test_a_repository_that_begins_is_noticed(root: Path, make: Make) -> None:
    source = rest(make())
    (root / ".git").mkdir()
    assert source.poll().everything


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
    inner = source._enter

    def overtaken(folder: str) -> None:
        source._enter = inner  # type: ignore[method-assign]
        (root / "a.md").symlink_to("x")
        source.listing(Call())
        (root / "a.md").unlink()
        inner(folder)

    source._enter = overtaken  # type: ignore[method-assign]
    source.listing(Call())
    assert source.watching().method == "scan"


def test_rules_that_change_during_a_listing_are_not_put_back(root: Path, make: Make) -> None:
    put(root / "a/x.md")
    source = rest(make())
    inner = source._enter

    def changing(folder: str) -> None:
        if folder == "a":
            put(root / ".gitignore", b"x.md\n")
            assert source.poll().everything
        inner(folder)

    source._enter = changing  # type: ignore[method-assign]
    source.listing(Call())
    assert source.state("a/x.md") is None


def test_the_folder_that_goes_during_a_listing_is_lost_not_empty(root: Path, make: Make) -> None:
    put(root / "a/x.md")
    source = rest(make())
    inner = source._enter

    def losing(folder: str) -> None:
        if folder == "a":
            root.rename(root.with_name("moved"))
        inner(folder)

    source._enter = losing  # type: ignore[method-assign]
    with pytest.raises(ConnectionFailed):
        source.listing(Call())


def test_what_vanishes_or_fails_while_it_is_listed_is_left_out(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "a/x.md")
    put(root / "b.md")
    put(root / "é.md")
    source = make()
    inner = source._enter

    def vanishing(folder: str) -> None:
        inner(folder)
        if folder == "a":
            shutil.rmtree(root / "a")

    monkeypatch.setattr(source, "_enter", vanishing)
    assert names(source) == {"b.md", "é.md"}


def test_a_folder_that_is_gone_before_it_is_adopted_brings_nothing(root: Path, make: Make) -> None:
    source = rest(make())
    put(root / "a/x.md")
    shutil.rmtree(root / "a")
    dirty = source.poll()
    assert not dirty.names and not dirty.everything


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

    monkeypatch.setattr(module, "_read", changed)
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
    assert source.watching().reason == "the source is closed"


def test_an_undecodable_name_dirties_nothing(root: Path, make: Make) -> None:
    source = rest(make())
    put(Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")))
    assert not source.poll().names
