import os
from pathlib import Path
from unicodedata import normalize

import pytest

from pincite.errors import InvalidInput, NotFound
from pincite.services.local_files import LocalFiles

NOBODY = 65_534


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
        blob = files.read_blob(path)
        assert (blob.name, blob.data) == ("a.txt", b"inside")


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/passwd", "link.txt", "none.txt", "a\0.txt", "", ".", "loop"])
def test_what_is_outside_or_missing_is_not_found_in_the_same_words(root: Path, path: str) -> None:
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "loop").symlink_to(root / "loop")
    with pytest.raises((NotFound, InvalidInput)) as raised:
        LocalFiles([root], 100).read_blob(path)
    assert str(root) not in raised.value.message and "outside" not in raised.value.message


def test_a_link_within_the_roots_is_followed(root: Path) -> None:
    (root / "link.txt").symlink_to(root / "a.txt")
    assert LocalFiles([root], 100).read_blob("link.txt").data == b"inside"


def test_a_name_is_found_in_any_canonically_equivalent_spelling(root: Path) -> None:
    (root / normalize("NFD", "été")).mkdir()
    (root / normalize("NFD", "été") / "é.txt").write_bytes(b"inside")
    for form in ("NFC", "NFD"):
        opened = LocalFiles([root], 100).read_file(normalize(form, "été") + "/é.txt")
        assert (opened.path, opened.blob.data) == (normalize("NFD", "été") + "/é.txt", b"inside")


def test_a_pipe_is_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with pytest.raises(InvalidInput, match="No regular file: pipe"):
        LocalFiles([root], 100).read_blob("pipe")


def test_a_large_file_is_refused(root: Path) -> None:
    with pytest.raises(InvalidInput, match="MAX_UPLOAD_SIZE"):
        LocalFiles([root], 5).read_blob("a.txt")
    assert LocalFiles([root], 6).read_blob("a.txt").data == b"inside"


def test_a_restriction_only_narrows(root: Path) -> None:
    (root / "b.txt").write_bytes(b"b")
    files = LocalFiles([root], 100).within({root / "a.txt", root.parent / "secret.txt"})
    assert files.read_blob("a.txt").data == b"inside"
    for path, restricted in (
        ("b.txt", files),
        (str(root.parent / "secret.txt"), files),
        ("b.txt", files.within({root / "b.txt"})),
    ):
        with pytest.raises(NotFound):
            restricted.read_blob(path)


@pytest.mark.parametrize("path", [".env", ".git/config", "shown.txt"])
def test_hidden_files_below_a_root_are_not_found(root: Path, path: str) -> None:
    (root / ".git").mkdir()
    (root / ".git" / "config").write_bytes(b"secret")
    (root / ".env").write_bytes(b"secret")
    (root / "shown.txt").symlink_to(root / ".env")
    with pytest.raises(NotFound):
        LocalFiles([root], 100).read_blob(path)


def test_a_root_that_is_hidden_itself_is_read(root: Path) -> None:
    (root / ".data").mkdir()
    (root / ".data" / "b.txt").write_bytes(b"b")
    assert LocalFiles([root, root / ".data"], 100).read_blob(".data/b.txt").data == b"b"


def test_a_path_is_told_relative_to_its_root(root: Path) -> None:
    (root / "sub").mkdir()
    (root / "sub" / "b.txt").write_bytes(b"b")
    assert LocalFiles([root], 100).read_file(str(root / "sub" / "b.txt")).path == "sub/b.txt"


@pytest.mark.parametrize("swapped", ["sub", "sub/b.txt"])
def test_a_link_that_replaces_a_part_of_a_checked_path_is_not_followed(
    root: Path, swapped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment between check and use: the path was resolved, then a part of it becomes a link out of the root."""
    (root / "sub").mkdir()
    (root / "sub" / "b.txt").write_bytes(b"inside")
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "b.txt").write_bytes(b"secret")
    exists = Path.exists

    def swap(path: Path) -> bool:
        found = exists(path)
        (root / swapped).rename(root / "moved")
        (root / swapped).symlink_to(outside if swapped == "sub" else outside / "b.txt")
        return found

    monkeypatch.setattr(Path, "exists", swap)
    with pytest.raises(NotFound):
        LocalFiles([root], 100).read_blob("sub/b.txt")


def test_a_huge_file_is_refused_without_reading_it(root: Path) -> None:
    with (root / "huge.bin").open("wb") as file:
        file.truncate(2**40)  # a terabyte, without a block on the disk
    with pytest.raises(InvalidInput, match="larger than 500 MB"):
        LocalFiles([root], 500_000_000).read_blob("huge.bin")


@pytest.mark.parametrize("path", ["own.db", "own.db-wal", "own.db-shm", "cache/index.db", "link.db"])
def test_what_is_reserved_is_not_found(root: Path, path: str) -> None:
    (root / "cache").mkdir()
    for name in ("own.db", "own.db-wal", "own.db-shm", "cache/index.db", "own.dbx"):
        (root / name).write_bytes(b"own")
    (root / "link.db").symlink_to(root / "own.db")
    files = LocalFiles([root], 100, reserved=[root / "own.db", root / "cache"])
    with pytest.raises(NotFound) as raised:
        files.read_blob(path)
    assert (
        raised.value.message
        == f"File not found: {Path(path).name}. Name a file under the allowed roots (ALLOWED_ROOTS)."
    )
    with pytest.raises(NotFound):
        files.within({root / path}).read_blob(path)
    assert files.read_blob("own.dbx").data == b"own"


@pytest.mark.parametrize("path", ["x" * 256, f"{'y' * 300}/a.txt", "d/" * 3_000 + "a.txt", "\ud800"])
def test_a_name_that_no_file_can_have_is_not_found(root: Path, path: str) -> None:
    with pytest.raises(NotFound, match="File not found"):
        LocalFiles([root.parent / "none", root], 100).read_blob(path)


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_a_file_in_a_folder_that_may_not_be_read_is_not_found(root: Path) -> None:
    (closed := root / "closed").mkdir()
    (closed / "a.txt").write_bytes(b"inside")
    closed.chmod(0)
    files, user = LocalFiles([root], 100), os.geteuid()
    os.seteuid(user or NOBODY)  # nothing is closed to root
    try:
        with pytest.raises(NotFound, match="File not found"):
            files.read_blob("closed/a.txt")
    finally:
        os.seteuid(user)
        closed.chmod(0o700)
