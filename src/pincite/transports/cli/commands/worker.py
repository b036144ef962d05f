"""`pincite worker`: work on extraction tasks without serving them."""

import threading
from collections.abc import Callable
from contextlib import closing
from logging import getLogger
from pathlib import Path
from types import FrameType

from pincite.app import App
from pincite.errors import ConfigError
from pincite.runtime.signals import INTERRUPT, on_stop
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.parameters import EnvFile, JsonAtStart, LogLevel
from pincite.transports.cli.printing.output import Output
from pincite.transports.cli.program import new_program
from pincite.transports.problems import INTERRUPTED, SUCCESS

program = new_program()

log = getLogger("pincite.tasks")

TOOLSET = "extraction"
"""The toolset whose tasks are worked on."""


@program.command(epilog="Example: PINCITE_DATA_DIR=/srv/pincite PINCITE_MAX_CONCURRENT_TASKS=4 pincite worker")
def worker(env_file: EnvFile = None, log_level: LogLevel = None, as_json: JsonAtStart = False) -> int:
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
    received: list[int] = []

    def on_signal(number: int, _: FrameType | None) -> None:
        received.append(number)
        stop.set()

    def ready() -> None:
        Output(as_json=as_json).row({"concurrent_tasks": settings.extraction.concurrent_tasks})

    with on_stop(on_signal):
        work(App(settings, None, toolsets=[TOOLSET]), stop, ready)
    return INTERRUPTED if INTERRUPT in received else SUCCESS


def work(app: App, stop: threading.Event, ready: Callable[[], None] = lambda: None) -> None:
    """Work on tasks until an event is set, then for as long as running tasks may take to end.

    Args:
        app: The application.
        stop: The event.
        ready: Called once the work begins.

    Raises:
        ConfigError: The task database cannot be opened.
    """
    with closing(app):
        tasks = app.tasks
        assert tasks is not None  # noqa: S101 - the toolset has tasks
        tasks.start()
        log.info("worker.ready")
        ready()
        stop.wait()
        log.info("worker.stopping")
        tasks.stop(app.settings.http.stop_timeout)
