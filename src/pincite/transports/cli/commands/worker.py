"""`pincite worker`."""

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import EnvFile, LogLevel

program = typer.Typer()


@program.command(epilog="Example: DATA_DIR=/srv/pincite MAX_CONCURRENT_TASKS=4 pincite worker")
def worker(env_file: EnvFile = None, log_level: LogLevel = None) -> None:
    """Work on extraction tasks, alongside a server with the same DATA_DIR, until it is stopped.

    When it is stopped, tasks that do not end within PINCITE_STOP_SECONDS are given back to the queue.
    """
    run("worker", env_file=env_file, log_level=log_level)
