"""Nothing is missed: after any changes, what a source calls dirty explains every difference."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pincite.errors import NotFound
from pincite.model.call import Call
from pincite.model.store import State
from pincite.sources.folder import FolderSource
from support.waiting import pause

FOLDERS = st.sampled_from(["", "a", "a/b", "c", ".h", "node_modules", "a/.h", "é"])
NAMES = st.sampled_from(["x.md", "y.md", "X.md", "data.bin", ".k.md", "x\n.md", "🙂.md", "e\u0301.md", "\u00e9.md"])
PATTERNS = st.sampled_from(["*.md", "x.md", "/a", "a/b", "c/", "!x.md", "!*.md", "!a/", "node_modules", ".h", "**/b/*"])
RULES = st.sampled_from([".gitignore", ".pinciteignore"])


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


PATHS = st.builds(_join, FOLDERS, NAMES)
IGNORE_FILES = st.builds(_join, FOLDERS, RULES)


class Mirror:
    """The least that keeps a copy of a source: names to bytes."""

    def __init__(self, source: FolderSource) -> None:
        self._source = source
        self._states: dict[str, State] = {}
        self._unsure: set[str] = set()
        self.held: dict[str, bytes] = {}

    def refresh(self) -> None:
        changes = self._source.poll()
        if changes.everything:
            files = self._source.listing(Call()).states
            differing = {name for name in {*files, *self._states} if files.get(name) != self._states.get(name)}
            self._source.mark(differing, changes.ticket)
            changes = self._source.poll()
        # Only what cannot be told by its state is read without being called dirty.
        unsure = [
            name for name in self._unsure - changes.names.keys() if self._source.state(name) == self._states[name]
        ]
        for name in [*changes.names, *unsure]:
            self._bring(name)
        self._source.acknowledge(changes.names)

    def _bring(self, name: str) -> None:
        self._unsure.discard(name)
        try:
            found = self._source.read(name)
        except NotFound:
            self.held.pop(name, None)
            self._states.pop(name, None)
            return
        self.held[name] = found.data
        self._states[name] = found.state
        if not found.is_settled:
            self._unsure.add(name)


def make(root: Path, *, watch: bool, max_files: int = 50) -> FolderSource:
    return FolderSource(
        root=root, extensions={".md": True}, max_text_bytes=40, max_other_bytes=0, max_files=max_files, watch=watch
    )


Step = Callable[[Path, Path], object]


def write(path: str, data: bytes) -> Step:
    return lambda root, _: _into(root / path).write_bytes(data)


def rules(path: str, lines: list[str]) -> Step:
    return write(path, "\n".join(lines).encode())


def append(path: str, data: bytes) -> Step:
    def step(root: Path, _: Path) -> None:
        with _into(root / path).open("ab") as file:
            file.write(data)

    return step


def rewrite_in_place(path: str) -> Step:
    """Another content of the same length, twice, within one tick of the clock, with the times put back."""

    def step(root: Path, _: Path) -> None:
        seen = (root / path).stat()
        (root / path).write_bytes(bytes(255 - byte for byte in (root / path).read_bytes()))
        os.utime(root / path, ns=(seen.st_atime_ns, seen.st_mtime_ns))

    return step


def older(path: str) -> Step:
    """Restored from a backup: another content, an older time."""

    def step(root: Path, outside: Path) -> None:
        (outside / "backup").write_bytes(b"older")
        os.utime(outside / "backup", ns=(10**18, 10**18))
        (outside / "backup").replace(_into(root / path))

    return step


def rename(source: str, target: str) -> Step:
    return lambda root, _: (root / source).replace(_into(root / target))


def move_out(path: str) -> Step:
    return lambda root, outside: (root / path).replace(outside / "moved")


def move_in(path: str) -> Step:
    return lambda root, outside: (outside / "moved").replace(_into(root / path))


def remove(path: str) -> Step:
    return lambda root, _: shutil.rmtree(root / path) if (root / path).is_dir() else (root / path).unlink()


def link(path: str, target: str) -> Step:
    return lambda root, outside: _into(root / path).symlink_to(outside if target == "out" else root / target)


def hard_link(source: str, target: str) -> Step:
    return lambda root, _: _into(root / target).hardlink_to(root / source)


def share(path: str) -> Step:
    """A file that has another name outside, where it can be written without an event here."""

    def step(root: Path, outside: Path) -> None:
        (outside / "shared").touch()
        _into(root / path).hardlink_to(outside / "shared")

    return step


def write_outside(data: bytes) -> Step:
    return lambda _, outside: (outside / "shared").write_bytes(data)


def mode(path: str, bits: int) -> Step:
    return lambda root, _: (root / path).chmod(bits)


def _into(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def rest(_: Path, __: Path) -> None:
    """Wait until no state is so young that it is doubted for its age alone."""
    pause(0.011, "no state is young any more")


REST: Step = rest


def _is_secret(path: str) -> bool:
    """Whether a place is hidden or excluded, or outside of the folder."""
    return any(part.startswith(".") or part == "node_modules" for part in path.split("/"))


DATA = st.sampled_from([b"", b"one", b"two", b"x" * 41])
STEPS = st.one_of(
    st.builds(write, PATHS, DATA),
    st.builds(append, PATHS, DATA),
    st.builds(rewrite_in_place, PATHS),
    st.builds(older, PATHS),
    st.builds(rename, PATHS, PATHS),
    st.builds(rename, FOLDERS, FOLDERS),
    st.builds(move_out, st.one_of(PATHS, FOLDERS)),
    st.builds(move_in, st.one_of(PATHS, FOLDERS)),
    st.builds(remove, st.one_of(PATHS, FOLDERS.filter(bool))),
    st.builds(link, st.one_of(PATHS, FOLDERS.filter(bool)), st.one_of(PATHS, FOLDERS, st.just("out"))),
    st.builds(hard_link, PATHS, PATHS),
    st.builds(share, PATHS),
    st.builds(write_outside, DATA),
    st.builds(mode, st.one_of(PATHS, FOLDERS), st.sampled_from([0o644, 0o600, 0o755])),
    st.builds(rules, IGNORE_FILES, st.lists(PATTERNS, max_size=3)),
    st.builds(remove, IGNORE_FILES),
)
LOOK = st.none()
RESTS = st.just(REST)


@pytest.mark.parametrize("watch", [True, False], ids=["events", "scan"])
@pytest.mark.parametrize("max_files", [50, 2], ids=["all", "too many"])
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(steps=st.lists(st.one_of(STEPS, STEPS, STEPS, STEPS, LOOK, RESTS), max_size=30))
@example(steps=[write("a/x.md", b"one"), None, rename("a", "c"), write("c/x.md", b"two"), None])
@example(steps=[link("c", ".h"), write(".h/x.md", b"one"), None, write(".h/x.md", b"two"), None, remove("c")])
@example(steps=[write("data.bin", b"1"), link("x.md", "data.bin"), None, write("data.bin", b"2"), None])
@example(steps=[older(".h/x.md"), link("node_modules", ".h"), link("c", "a/.h")])
@example(steps=[write("x.md", b"one"), hard_link("x.md", "a/y.md"), REST, None, REST, None, write("x.md", b"two")])
@example(steps=[share("x.md"), REST, None, REST, None, write_outside(b"two")])
@example(steps=[write("a/x.md", b"one"), None, move_out("a"), None, move_in("c"), write("c/y.md", b"two")])
def test_every_change_is_explained(watch: bool, max_files: int, steps: list[Step | None]) -> None:
    with tempfile.TemporaryDirectory() as made:
        root, outside = Path(made).resolve() / "root", Path(made).resolve() / "outside"
        root.mkdir()
        outside.mkdir()
        source = make(root, watch=watch, max_files=max_files)
        mirror = Mirror(source)
        try:
            for step in [*steps, None]:
                if step is None:
                    mirror.refresh()
                    fresh = make(root, watch=False, max_files=max_files)
                    expected = {name: (root / name).read_bytes() for name in fresh.listing(Call()).states}
                    assert mirror.held == expected
                    assert not any(
                        map(_is_secret, (os.path.relpath((root / name).resolve(), root) for name in expected))
                    )
                    continue
                try:
                    step(root, outside)
                except (OSError, ValueError):
                    continue
                if not root.exists():
                    break
        finally:
            source.close()
