"""`pincite worker`: work on extraction tasks without serving them."""

import signal
import threading
from contextlib import closing
from logging import getLogger
from pathlib import Path
from types import FrameType

from pincite.app import App
from pincite.errors import ConfigError
from pincite.transports import logging
from pincite.transports.cli import configuration

log = getLogger("pincite.tasks")

TOOLSET = "extraction"
"""The toolset whose tasks are worked on."""


def run(*, env_file: Path | None, log_level: str | None) -> int:
    """Work until the process receives SIGTERM or SIGINT.

    Args:
        env_file: The named `.env` file; None to search for one.
        log_level: The value of `--log-level`.

    Raises:
        ConfigError: A setting is invalid, or the task database cannot be opened.
    """
    env_file = env_file or configuration.find_env_file(Path.cwd(), None)
    settings = configuration.for_server(env_file, {"LOG_LEVEL": log_level} if log_level else {})
    logging.configure(settings.logging.level, settings.logging.format or "text")
    for warning in configuration.warnings(settings, env_file):
        log.warning("setting.ignored", extra={"problem": warning})
    if not settings.extraction.concurrent_tasks:
        raise ConfigError("A worker that works on no task is of no use. Unset MAX_CONCURRENT_TASKS, or set 1 or more.")
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        del number, frame
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, on_signal)
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
