"""Uploads of documents are kept for a while under a name that nobody can guess, and leave nothing behind."""

import re
import time
from pathlib import Path

import pytest

from pincite.errors import InvalidInput, WritingFailed
from pincite.services.documents.uploads import DocumentUploads, KeptUpload, UploadLimits
from support.waiting import wait_for

LIMITS = UploadLimits(max_bytes=100, total_bytes=250, entries=3, seconds=60.0)


class Clock:
    """A clock that a test puts forward; what was stored has the time of the disk."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def uploads(tmp_path: Path, clock: Clock) -> DocumentUploads:
    return DocumentUploads(tmp_path / "uploads", LIMITS, clock=clock)


def store(uploads: DocumentUploads, data: bytes = b"words", name: str = "a.txt") -> KeptUpload:
    upload = uploads.begin()
    upload.write(data)
    return uploads.keep_upload(upload, name)


def files(tmp_path: Path) -> int:
    return sum(path.is_file() for path in (tmp_path / "uploads").rglob("*"))


def test_an_upload_is_read_under_its_name(uploads: DocumentUploads, clock: Clock) -> None:
    kept = store(uploads, b"words", "../../Bericht 1.txt")
    assert re.fullmatch(r"upload:[0-7][0-9A-Z]{25}", kept.url) and (kept.name, kept.size) == ("Bericht 1.txt", 5)
    assert 0 < kept.expires_at - clock() <= 60
    blob = uploads.read_upload(kept.url)
    assert (blob.name, blob.data) == ("Bericht 1.txt", b"words")


def test_ids_do_not_follow_each_other(uploads: DocumentUploads) -> None:
    first, second = (store(uploads).url.removeprefix("upload:") for _ in range(2))
    assert sum(a != b for a, b in zip(first, second, strict=True)) > 10


@pytest.mark.parametrize("url", ["upload:", "upload:..", "upload:../../x", "upload:00000000000000000000000000", "x"])
def test_what_is_no_upload_is_refused_in_the_same_words(uploads: DocumentUploads, url: str) -> None:
    for use in (uploads.read_upload, uploads.delete_upload):
        with pytest.raises(InvalidInput, match="There is no such upload"):
            use(url)


def test_an_expired_upload_is_deleted(uploads: DocumentUploads, clock: Clock, tmp_path: Path) -> None:
    kept = store(uploads)
    clock.ahead = 61
    with pytest.raises(InvalidInput):
        uploads.read_upload(kept.url)
    assert files(tmp_path) == 0


def test_it_expires_by_itself(tmp_path: Path) -> None:
    uploads = DocumentUploads(tmp_path / "uploads", UploadLimits(100, 250, seconds=0.05))
    store(uploads)
    assert wait_for(lambda: files(tmp_path) == 0)
    uploads.close()


def test_the_oldest_make_room_by_number_and_by_size(uploads: DocumentUploads) -> None:
    first = store(uploads, b"1" * 10)
    others = [store(uploads, b"2" * 10) for _ in range(3)]
    with pytest.raises(InvalidInput):
        uploads.read_upload(first.url)
    large = store(uploads, b"3" * 235)
    kept = [url for url in (*(each.url for each in others), large.url) if is_kept(uploads, url)]
    assert kept == [others[-1].url, large.url]


def is_kept(uploads: DocumentUploads, url: str) -> bool:
    try:
        uploads.read_upload(url)
    except InvalidInput:
        return False
    return True


def test_one_that_is_larger_than_all_may_be_is_refused(uploads: DocumentUploads) -> None:
    upload = uploads.begin()
    upload.write(b"x" * 251)
    with pytest.raises(InvalidInput, match="PINCITE_UPLOAD_CACHE"):
        uploads.keep_upload(upload, "a.txt")
    upload.discard()


def test_a_deleted_upload_is_gone(uploads: DocumentUploads, tmp_path: Path) -> None:
    kept = store(uploads)
    uploads.delete_upload(kept.url)
    assert files(tmp_path) == 0
    with pytest.raises(InvalidInput):
        uploads.read_upload(kept.url)


def test_one_that_is_not_complete_is_not_read(uploads: DocumentUploads) -> None:
    upload = uploads.begin()
    upload.write(b"half")
    with pytest.raises(InvalidInput):
        uploads.read_upload(f"upload:{upload.task_id}")
    with pytest.raises(InvalidInput):
        uploads.delete_upload(f"upload:{upload.task_id}")
    upload.discard()


def test_another_process_reads_it_and_deletes_it_when_it_expires(
    uploads: DocumentUploads, tmp_path: Path, clock: Clock
) -> None:
    kept = store(uploads)
    other = DocumentUploads(tmp_path / "uploads", LIMITS, clock=clock)
    assert other.read_upload(kept.url).data == b"words"
    clock.ahead = 61
    other.sweep()
    assert files(tmp_path) == 0


def test_a_disk_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "uploads").write_bytes(b"a file where the folder should be")
    with pytest.raises(WritingFailed, match="cannot be stored"):
        DocumentUploads(tmp_path / "uploads", LIMITS).begin()


def test_an_upload_whose_folder_is_taken_away_is_refused(uploads: DocumentUploads, tmp_path: Path) -> None:
    upload = uploads.begin()
    upload.write(b"words")
    for path in sorted((tmp_path / "uploads").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    with pytest.raises(WritingFailed):
        uploads.keep_upload(upload, "a.txt")
