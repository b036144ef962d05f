"""`pincite worker`: work on extraction tasks without serving them."""

import threading
from contextlib import closing
from logging import getLogger
from pathlib import Path

from pincite.app import App
from pincite.errors import ConfigError
from pincite.runtime.signals import on_stop
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.parameters import EnvFile, LogLevel
from pincite.transports.cli.program import new_program

program = new_program()

log = getLogger("pincite.tasks")

TOOLSET = "extraction"
"""The toolset whose tasks are worked on."""


@program.command(epilog="Example: PINCITE_DATA_DIR=/srv/pincite PINCITE_MAX_CONCURRENT_TASKS=4 pincite worker")
def worker(env_file: EnvFile = None, log_level: LogLevel = None) -> int:
    """Work on extraction tasks, alongside a server with the same DATA_DIR, until it is stopped.

    When it is stopped, tasks that do not end within PINCITE_STOP_SECONDS are given back to the queue.
    """
    env_file = env_file or configuration.find_env_file(Path.cwd(), None)
    settings = configuration.for_server(env_file, {"LOG_LEVEL": log_level}, "text")
    if not settings.extraction.concurrent_tasks:
        raise ConfigError(
            "A worker that works on no task is of no use. Unset PINCITE_MAX_CONCURRENT_TASKS, or set 1 or more."
        )
    stop = threading.Event()
    with on_stop(lambda _number, _frame: stop.set()):
        work(App(settings, None, toolsets=[TOOLSET]), stop)
    return 0


def work(app: App, stop: threading.Event) -> None:
    """Work on tasks until an event is set, then for as long as running tasks may take to end.

    Raises:
        ConfigError: The task database cannot be opened.
    """
    with closing(app):
        tasks = app.tasks
        assert tasks is not None  # noqa: S101 - the toolset has tasks
        tasks.start()
        log.info("worker.ready")
        stop.wait()
        log.info("worker.stopping")
        tasks.stop(app.settings.http.stop_timeout)
