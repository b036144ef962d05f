# pyright: reportPrivateUsage=false
# A unit test may look inside.


import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pincite.errors import NotFound
from pincite.model.call import Call
from support.folders import Make, names, put, rest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="change events are Linux's")


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
    assert set(listing.states) == {"a.md", "b.PDF"}
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
    assert {name for name in wanted if source.read(name).data == name.encode()} == wanted
    if watch:
        assert set(source.poll().names) == wanted


def test_too_many_files_are_cut_by_path(root: Path, make: Make) -> None:
    for name in ["a/z.md", "a.md", "a-b/c.md", "b.md", "c/d.md"]:
        put(root / name)
    source = rest(make(max_files=3))
    listing = source.listing(Call())
    assert list(listing.states) == ["a-b/c.md", "a.md", "a/z.md"]
    assert listing.skipped == {"too_many": 2}
    assert len(listing.warnings) == 1 and "more than 3 files" in listing.warnings[0]
    assert source.state("b.md") is None and source.state("a.md") is not None
    (root / "a.md").unlink()
    assert source.poll().everything
    assert list(source.listing(Call()).states) == ["a-b/c.md", "a/z.md", "b.md"]


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
    assert listing.states == {}
    # A link that was served may lead to a secret before the next listing.
    (root / "l.md").unlink()
    (root / "l.md").symlink_to("LICENSE")
    assert set(rest(source).listing(Call()).states) == {"chain.md"}
    (root / "l.md").unlink()
    (root / "l.md").symlink_to(secret)
    assert source.state("chain.md") is None
    with pytest.raises(NotFound):
        source.read("chain.md")
    assert source.poll().everything


def test_a_link_that_is_not_served_leaves_its_target_to_one_that_is(root: Path, make: Make) -> None:
    put(root / "LICENSE")
    for name in ("a", "b.md"):
        (root / name).symlink_to("LICENSE")
    assert "b.md" in make(watch=False).listing(Call()).states


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
    assert names(source) == {"l.md", "n.md"} and source.read("l.md").data == b"free"
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
    assert set(listing.states) == {"l.md", "c.md", "s/x.md"}
    assert listing.skipped == {"unsupported": 2, "undecodable": 1, "linked_twice": 2, "hidden": 1}
    assert [source.read(name).data for name in ("l.md", "c.md", "s/x.md")] == [b"one", b"two", b"three"]
    assert source.state("m.md") is None and source.state("t/x.md") is None
    before = source.state("c.md")
    (root / "new").symlink_to("LICENSE")
    (root / "l.md").unlink()
    (root / "new").replace(root / "c.md")
    assert source.poll().everything and source.listing(Call()).states.get("c.md") != before
    assert source.read("c.md").data == b"one"


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
print(list(listing.states), listing.skipped["unreadable"], len(listing.warnings))
"""


def test_what_vanishes_or_fails_while_it_is_listed_is_left_out(
    root: Path, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(root / "a/x.md")
    put(root / "b.md")
    put(root / "é.md")
    source = make()
    inner = source._watch_folder

    def vanishing(folder: str) -> None:
        inner(folder)
        if folder == "a":
            shutil.rmtree(root / "a")

    monkeypatch.setattr(source, "_watch_folder", vanishing)
    assert names(source) == {"b.md", "é.md"}
