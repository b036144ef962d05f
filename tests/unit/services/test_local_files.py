import os
from pathlib import Path

import pytest

from pincite.errors import InvalidInput, NotFound
from pincite.services.local_files import LocalFiles


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"inside")
    (tmp_path / "secret.txt").write_bytes(b"outside")
    return folder


def test_a_file_under_a_root_is_read_by_relative_or_absolute_path(root: Path) -> None:
    files = LocalFiles([root.parent / "none", root], 100)
    for path in ("a.txt", "./b/../a.txt", str(root / "a.txt")):
        blob = files.read(path)
        assert (blob.name, blob.data) == ("a.txt", b"inside")


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/passwd", "link.txt", "none.txt", "a\0.txt", "", ".", "loop"])
def test_what_is_outside_or_missing_is_not_found_in_the_same_words(root: Path, path: str) -> None:
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "loop").symlink_to(root / "loop")
    with pytest.raises((NotFound, InvalidInput)) as raised:
        LocalFiles([root], 100).read(path)
    assert str(root) not in raised.value.message and "outside" not in raised.value.message


def test_a_link_within_the_roots_is_followed(root: Path) -> None:
    (root / "link.txt").symlink_to(root / "a.txt")
    assert LocalFiles([root], 100).read("link.txt").data == b"inside"


def test_a_pipe_is_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with pytest.raises(InvalidInput, match="No regular file: pipe"):
        LocalFiles([root], 100).read("pipe")


def test_a_large_file_is_refused(root: Path) -> None:
    with pytest.raises(InvalidInput, match="MAX_UPLOAD_SIZE"):
        LocalFiles([root], 5).read("a.txt")
    assert LocalFiles([root], 6).read("a.txt").data == b"inside"


def test_a_restriction_only_narrows(root: Path) -> None:
    (root / "b.txt").write_bytes(b"b")
    files = LocalFiles([root], 100).within({root / "a.txt", root.parent / "secret.txt"})
    assert files.read("a.txt").data == b"inside"
    for path, restricted in (
        ("b.txt", files),
        (str(root.parent / "secret.txt"), files),
        ("b.txt", files.within({root / "b.txt"})),
    ):
        with pytest.raises(NotFound):
            restricted.read(path)
