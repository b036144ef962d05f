"""Workers that are killed at any moment: what was acknowledged is finished, and once."""

import os
import random
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pincite.model.task import TaskStatus
from support.task_queues import tasks_in
from support.waiting import pause, wait_for

WORKER = """
import sys, time
from pathlib import Path
from pincite.services.tasks.runner import TaskRunner
from support.task_queues import new_task, tasks_in

def work(task, call):
    time.sleep(0.004)
    return '"' + task.id + '"'

folder, adds = Path(sys.argv[1]), int(sys.argv[2])
tasks = tasks_in(folder, lease=0.2, max_attempts=1_000_000)
runner = TaskRunner(tasks, work, concurrency=2, lease=0.2, poll=0.01)
runner.start()
for _ in range(adds):
    print(tasks.enqueue(new_task()).id, flush=True)
    runner.wake()
while True:
    time.sleep(1)
"""


@pytest.mark.parametrize(
    "kills", [pytest.param(15, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.long)]
)
@pytest.mark.timeout(3600)
def test_killed_workers_lose_no_task_and_finish_each_once(kills: int, tmp_path: Path) -> None:
    seed = random.Random(20)  # noqa: S311 - repeatable
    command = [sys.executable, "-c", WORKER, str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    acknowledged: list[str] = []
    final: dict[str, int] = {}
    for _ in range(kills):
        with subprocess.Popen([*command, "40"], env=env, stdout=subprocess.PIPE) as worker:
            assert worker.stdout is not None
            first = worker.stdout.readline()
            pause(seed.uniform(0, 0.25), "it is killed at some moment")
            worker.send_signal(signal.SIGKILL)
            acknowledged += [line.decode().strip() for line in [first, *worker.stdout] if line.endswith(b"\n")]
        with closing(tasks_in(tmp_path)) as tasks:
            for task_id, version in final.items():
                task = tasks.task(task_id)
                assert task is not None and task.version == version, "a finished task changed"
            final |= {task.id: task.version for task in tasks.task_page(10_000_000, status=TaskStatus.SUCCEEDED)}
    with subprocess.Popen([*command, "0"], env=env) as worker:
        with closing(tasks_in(tmp_path)) as tasks:
            assert wait_for(lambda: tasks.count() == tasks.count(TaskStatus.SUCCEEDED), seconds=600)
        worker.kill()
    with closing(tasks_in(tmp_path)) as tasks:
        assert {tasks.result(task_id) for task_id in acknowledged} == {f'"{task_id}"' for task_id in acknowledged}
    assert len(acknowledged) > kills and len(final) > 0
