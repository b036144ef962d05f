import os
from pathlib import Path

import pytest

from pincite.errors import WritingFailed
from pincite.services.tasks.ulid import new_ulid
from pincite.services.tasks.uploads import ABANDONED_SECONDS, FolderUploads
from support.task_queues import new_task


def test_a_file_is_stored_under_its_task_and_no_other_name(tmp_path: Path) -> None:
    uploads, task = FolderUploads(tmp_path / "uploads"), new_task("../../Contract.pdf")
    upload = uploads.begin(task.id, ".pdf")
    upload.write(b"one ")
    upload.write(bytearray(b"two"))
    upload.complete()
    assert uploads.path(task) == tmp_path / "uploads" / task.id / "original.pdf"
    assert uploads.path(task).read_bytes() == b"one two"
    uploads.erase(task.id)
    uploads.erase(task.id)
    assert list((tmp_path / "uploads").iterdir()) == []


def test_a_discarded_upload_leaves_nothing(tmp_path: Path) -> None:
    for complete in (False, True):
        upload = FolderUploads(tmp_path).begin(new_ulid(), ".pdf")
        upload.write(b"data")
        if complete:
            upload.complete()
        upload.discard()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "uploads").write_text("a file in the way")
    with pytest.raises(WritingFailed, match="disk of DATA_DIR"):
        FolderUploads(tmp_path / "uploads").begin(new_ulid(), ".pdf")


def test_abandoned_uploads_are_swept_and_nothing_else(tmp_path: Path) -> None:
    uploads = FolderUploads(tmp_path)
    of_a_task, fresh, abandoned, empty = (new_ulid() for _ in range(4))
    for task_id in (of_a_task, fresh, abandoned):
        uploads.begin(task_id, ".pdf").complete()
    (tmp_path / empty).mkdir()
    (tmp_path / "notes").mkdir()
    for task_id in (of_a_task, abandoned, empty):
        for path in (tmp_path / task_id / "original.pdf", tmp_path / task_id):
            if path.exists():
                old = path.stat().st_mtime - ABANDONED_SECONDS - 1
                os.utime(path, (old, old))
    uploads.sweep(lambda task_id: task_id == of_a_task)
    assert {path.name for path in tmp_path.iterdir()} == {of_a_task, fresh, "notes"}
    FolderUploads(tmp_path / "missing").sweep(lambda _: False)
