import os
import signal
import subprocess
import threading
from contextlib import closing
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import ConfigError
from pincite.model.task import TaskStatus
from pincite.settings import load
from pincite.transports.cli.commands.worker import work, worker
from support.waiting import wait_for
from support.wire import pincite


def app_in(folder: Path) -> App:
    """A server's application, which does not work on its tasks."""
    variables = {"DATA_DIR": str(folder), "PINCITE_CACHE": str(folder / "cache"), "EMBEDDING_PROVIDER": "hash"}
    return App(load(variables), None, toolsets=["extraction"])


def submitted(app: App) -> str:
    assert app.tasks is not None
    upload = app.tasks.begin("a.md", b"")
    upload.write(b"# A\n\nWeight: 5 kg\n")
    return app.tasks.submit(upload, "a.md", '{"weight": "number with unit"}').id


def is_done(app: App, task_id: str) -> bool:
    assert app.tasks is not None
    return app.tasks.task(task_id).status is TaskStatus.SUCCEEDED


def test_it_works_on_the_tasks_of_a_server_until_it_is_stopped(tmp_path: Path) -> None:
    stop = threading.Event()
    with closing(app_in(tmp_path)) as server:
        before = submitted(server)
        thread = threading.Thread(target=work, args=(app_in(tmp_path), stop))
        thread.start()
        assert wait_for(lambda: is_done(server, before))
        after = submitted(server)
        assert wait_for(lambda: is_done(server, after))
        stop.set()
        thread.join(20)
        assert not thread.is_alive()
        assert server.tasks is not None and server.tasks.result(after)["data"] == {"weight": "5kg"}


@pytest.mark.slow
def test_the_command_ends_on_a_signal_with_exit_code_0(tmp_path: Path) -> None:
    env = {**os.environ, "DATA_DIR": str(tmp_path), "EMBEDDING_PROVIDER": "hash", "PINCITE_CACHE": str(tmp_path / "c")}
    with closing(app_in(tmp_path)) as server:
        task_id = submitted(server)
        with subprocess.Popen(pincite("worker"), env=env, stderr=subprocess.PIPE, text=True) as worker:
            assert wait_for(lambda: is_done(server, task_id), 60)
            worker.send_signal(signal.SIGTERM)
            _, log = worker.communicate(timeout=60)
    assert worker.returncode == 0
    assert "worker.ready" in log and "worker.stopping" in log


def test_a_worker_that_works_on_nothing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MAX_CONCURRENT_TASKS", "0")
    with pytest.raises(ConfigError, match="MAX_CONCURRENT_TASKS"):
        worker()
