import os
from pathlib import Path

import pytest

from pincite.sources.paths import (
    folds_case,
    is_exact_case,
    open_beneath,
    open_regular,
    read_beneath,
    read_regular,
    read_up_to,
    segments,
    state_of,
)


@pytest.mark.parametrize("name", ["a", "a/b", "a..b/..c", " ", "\n", "é"])
def test_a_name_has_segments(name: str) -> None:
    assert segments(name) == name.split("/")


@pytest.mark.parametrize("name", ["", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a\0b", "\udcff"])
def test_what_is_no_name_has_none(name: str) -> None:
    assert segments(name) is None


def test_on_a_system_with_another_separator_it_is_no_part_of_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sep", "\\")
    assert segments("..\\a") is None
    assert segments("a/b") == ["a", "b"]


@pytest.mark.parametrize("by_handle", [True, False])
def test_opens_a_file_below(tmp_path: Path, by_handle: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not by_handle:
        monkeypatch.setattr(os, "supports_dir_fd", set[object]())
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c").write_bytes(b"12345")
    handle = open_beneath(str(tmp_path), ["a", "b", "c"])
    assert read_up_to(handle, 3) == b"123"
    assert read_up_to(handle, 100) == b"45"
    assert read_up_to(handle, 100) == b""
    os.close(handle)


@pytest.mark.parametrize("parts", [["link", "c"], ["a", "link"], ["a"], ["gone"], ["a", "c", "d"], ["pipe"]])
def test_opens_nothing_else(tmp_path: Path, parts: list[str]) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/c").write_bytes(b"1")
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "a/link").symlink_to("c")
    os.mkfifo(tmp_path / "pipe")
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(OSError, match=r"\w"):
        open_beneath(str(tmp_path), parts)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_link_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/hostname")
    with pytest.raises(OSError, match=r"\w"):
        open_regular(str(tmp_path / "link"))


def test_a_name_is_compared_with_its_spelling_on_disk(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/Readme.md").touch()
    assert is_exact_case(tmp_path, ["a", "Readme.md"]) and not is_exact_case(tmp_path, ["a", "README.md"])
    assert not folds_case(tmp_path) and not folds_case(tmp_path / "123")


def test_a_file_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    content = read_beneath(str(tmp_path), ["a"], 5)
    assert content is not None and content == (b"12345", state_of((tmp_path / "a").stat()))
    assert read_beneath(str(tmp_path), ["a"], 4) is None
    assert read_regular(str(tmp_path / "a"), 9) == content
    with pytest.raises(OSError, match=r"\w"):
        read_regular(str(tmp_path), 9)


@pytest.mark.parametrize(("meanwhile", "expected"), [(b"12345678", b"12345"), (b"1234X678", None), (b"123", None)])
def test_a_file_that_only_grows_is_read_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, meanwhile: bytes, expected: bytes | None
) -> None:
    page = tmp_path / "a"
    page.write_bytes(b"12345")
    state, read = state_of(page.stat()), os.read

    def write_after_reading(handle: int, size: int) -> bytes:
        block = read(handle, size)
        page.write_bytes(meanwhile)
        return block

    monkeypatch.setattr(os, "read", write_after_reading)
    assert read_regular(str(page), 9) == (expected and (expected, state))
