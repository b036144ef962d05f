"""Many uploads at once, and one that is larger than what the server may hold."""

import resource
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from pincite.model.task import TaskStatus
from support.task_server import serving_tasks
from support.waiting import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="measures memory by getrusage")]

UPLOADS = 200
SCHEMA = {"schema": (None, '{"a": "integer"}')}
MEGABYTE = 1_000_000
SIZE = 500 * MEGABYTE


@pytest.mark.timeout(300)
def test_two_hundred_uploads_at_once_are_all_stored_and_finished_once(tmp_path: Path) -> None:
    data = b"go" * 50_000
    with serving_tasks(tmp_path) as app, httpx2.Client(base_url=app.url, timeout=120, trust_env=False) as client:

        def upload(number: int) -> str:
            answer = client.post("/tasks", files={"file": (f"{number}.txt", data), **SCHEMA})
            assert answer.status_code == 202, answer.text
            return answer.json()["task_id"]

        with ThreadPoolExecutor(UPLOADS) as pool:
            ids = list(pool.map(upload, range(UPLOADS)))
        assert len(set(ids)) == UPLOADS and app.stored() == sorted(ids)
        assert wait_for(lambda: app.tasks.count(TaskStatus.SUCCEEDED) == UPLOADS, 120)
        assert {app.tasks.task(task_id).attempts for task_id in ids} == {1}


@pytest.mark.timeout(300)
def test_500_megabytes_are_streamed_to_the_disk(tmp_path: Path) -> None:
    piece = b"x" * MEGABYTE

    def body() -> Iterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        for _ in range(SIZE // MEGABYTE):
            yield piece
        yield b'\r\n--b\r\nContent-Disposition: form-data; name="schema"\r\n\r\n{"a": "integer"}\r\n--b--\r\n'

    with serving_tasks(tmp_path, max_bytes=SIZE, working=False) as app:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        headers = {"content-type": "multipart/form-data; boundary=b"}
        answer = httpx2.post(f"{app.url}/tasks", content=body(), headers=headers, timeout=240, trust_env=False)
        assert answer.status_code == 202, answer.text
        grown_kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        with app.tasks.document(answer.json()["task_id"]) as (_, path):
            assert path.stat().st_size == SIZE
    assert grown_kilobytes < 100_000
