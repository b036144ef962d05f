"""The surface of the command line: every command with its arguments and its help."""

from typing import Annotated

import typer

from pincite.transports.cli.commands import connect, convert, doctor, evaluate, models, read, search, serve, status
from pincite.version import __version__

HELP = "The document server for AI agents: always fresh, and every answer carries a citation."

COMMANDS = (serve, search, read, convert, status, evaluate, doctor, connect, models)
"""In the order in which help lists them."""


def build() -> typer.Typer:
    """The `pincite` command."""
    # Plain help: it reads the same in a pipe and starts without loading a formatter.
    program = typer.Typer(
        help=HELP,
        epilog="Example: pincite serve ./docs",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    program.callback()(_root)
    for command in COMMANDS:
        program.add_typer(command.program)
    return program


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"pincite {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options of `pincite` itself; `_version` handles --version."""
