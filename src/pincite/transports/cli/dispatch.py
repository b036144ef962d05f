"""From a command's arguments to what it does."""

import importlib
from collections.abc import Callable
from typing import NoReturn

import typer


def run(module: str, attribute: str = "run", **arguments: object) -> NoReturn:
    """Import a module of this package, run the command that it holds, and exit with its code.

    What a command does is imported when it runs: help answers at once, and `serve` pays for nothing that it does not
    use.
    """
    command: Callable[..., int] = getattr(importlib.import_module(f"pincite.transports.cli.{module}"), attribute)
    raise typer.Exit(command(**arguments))
