"""The ignore rules are git's: whatever the ignore files and the tree, both leave out the same files."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.model.call import Call
from pincite.sources.folder import FolderSource

GIT = shutil.which("git")
pytestmark = pytest.mark.skipif(GIT is None, reason="git is not installed")

NAMES = st.sampled_from(["a", "b", "foo", "bar", "a b", "é", "x]y", "a-b", "A", "!c", "#d", "a\\b", "foo.md"])
FILES = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), min_size=1, max_size=12, unique=True).map(
    lambda names: [f"{name}.md" for name in names]
)
WORDS = st.sampled_from(
    [
        *("*", "**", "?", "/", "/", "a", "b", "foo", "bar", ".md", "foo.md", "[a-c]", "[!a]", "[^b]", "[]]"),
        *("[[:alpha:]]", "[[:x:]]", "[b-a]", "[a", "\\a", "\\", "\\*", "!", "#", " ", "\\ ", "é", "***", "**/", "/**"),
        *("*/", "[a/b]", "[\\]]", "[[:alpha:]", "[a-]", "[--a]", "[", "]", "-", "\\/", "A", "\t", "[[:", "[!]a]"),
        *("[\\a-\\c]", "[a-\\", "[\\", "[[:digit:]a]", "[a[:]"),
    ]
)
LINES = st.one_of(
    st.lists(WORDS, min_size=1, max_size=5).map("".join),
    st.builds("".join, st.lists(WORDS, min_size=1, max_size=5)).map(lambda line: f"!{line}"),
    NAMES.map(lambda name: f"{name}/"),
    NAMES.map(lambda name: f"/{name}"),
)
IGNORE_FILES = st.dictionaries(
    st.sampled_from(["", "a", "foo", "a/b", "foo/bar", "b"]),
    st.lists(LINES, min_size=1, max_size=5).map("\n".join),
    min_size=1,
    max_size=3,
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(files=FILES, ignore=IGNORE_FILES, crlf=st.booleans(), inner=st.sampled_from(["", "a", "foo"]))
def test_leaves_out_what_git_leaves_out(files: list[str], ignore: dict[str, str], crlf: bool, inner: str) -> None:
    with tempfile.TemporaryDirectory() as made:
        top = Path(made).resolve()
        _git(top, "init", "-q", ".")
        for folder, text in ignore.items():
            _write(top / folder / ".gitignore", text.replace("\n", "\r\n") if crlf else text)
        for name in files:
            _write(top / name, name)
        root = top / inner
        if not root.is_dir() or (inner and _ignored_by_git(top, [inner])):
            return
        below = [name.removeprefix(f"{inner}/") for name in _tree(top) if name.startswith(f"{inner}/" if inner else "")]
        expected = set(below) - _ignored_by_git(root, below)
        source = FolderSource(
            root=root, extensions={".md": True}, max_text_bytes=100, max_other_bytes=0, max_files=100, watch=False
        )
        listed = set(source.listing(Call()).states)
        assert listed == expected
        assert {name for name in below if source.state(name)} == expected


TARGETS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
LINKS = st.dictionaries(
    st.lists(NAMES, min_size=1, max_size=2).map(lambda parts: f"{'/'.join(parts)}-link.md"), TARGETS, max_size=4
)
FOLDER_LINKS = st.dictionaries(st.sampled_from(["l", "a/l", "m"]), st.sampled_from(["a", "foo/bar", "l", "b"]))


@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(files=st.lists(TARGETS, min_size=1, max_size=8), ignore=IGNORE_FILES, links=LINKS, folders=FOLDER_LINKS)
def test_a_link_brings_in_what_git_keeps_and_nothing_else(
    files: list[str], ignore: dict[str, str], links: dict[str, str], folders: dict[str, str]
) -> None:
    with tempfile.TemporaryDirectory() as made:
        top = Path(made).resolve()
        _git(top, "init", "-q", ".")
        for folder, text in ignore.items():
            _write(top / folder / ".gitignore", text)
        for name in files:
            _write(top / name, name)
        for name, target in {**folders, **links}.items():
            with contextlib.suppress(OSError):
                (top / name).parent.mkdir(parents=True, exist_ok=True)
                (top / name).symlink_to(top / target)
        served = {name for name in links if (top / name).is_symlink() and (top / name).is_file()}
        served = {name for name in served if not _is_linked_folder(top, name)}
        real = {name: (top / name).resolve().relative_to(top).as_posix() for name in served}
        ignored = _ignored_by_git(top, [*served, *real.values()])
        kept = {name for name in served if not {name, real[name]} & ignored and not real[name].endswith(".md")}
        source = FolderSource(
            root=top, extensions={".md": True}, max_text_bytes=100, max_other_bytes=0, max_files=100, watch=False
        )
        listed = {name for name in source.listing(Call()).states if name in links}
        # Of several links to one file one is served, by its real path.
        assert listed <= kept and {real[name] for name in listed} == {real[name] for name in kept}
        assert {name for name in links if source.state(name) and name in served} == listed


def _is_linked_folder(top: Path, name: str) -> bool:
    return any((top / folder).is_symlink() for folder in Path(name).parents)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        return


def _tree(top: Path) -> list[str]:
    found = (Path(folder) / name for folder, _, names in os.walk(top) for name in names if name.endswith(".md"))
    return [path.relative_to(top).as_posix() for path in found if ".git" not in path.relative_to(top).parts]


def _ignored_by_git(folder: Path, names: list[str]) -> set[str]:
    asked = b"\0".join(os.fsencode(f"./{name}") for name in names)
    done = _git(folder, "check-ignore", "--no-index", "-z", "--stdin", given=asked)
    return {os.fsdecode(name).removeprefix("./") for name in done.split(b"\0") if name}


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        [GIT or "git", "-c", "core.excludesFile=/dev/null", "-c", "init.templateDir=", *arguments],
        cwd=folder,
        env=environment | {"GIT_CONFIG_NOSYSTEM": "1"},
        input=given,
        capture_output=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    return done.stdout
