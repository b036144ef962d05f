"""The surface of the command line: every command with its arguments and its help."""

from typing import Annotated

import typer

from pincite.transports.cli.commands import (
    connect,
    convert,
    converter,
    doctor,
    evaluate,
    extract,
    ingest,
    migrate,
    models,
    read,
    search,
    serve,
    status,
    worker,
)
from pincite.version import __version__

HELP = "Search a folder of documents, for people and AI agents: answers are up to date and carry a citation."

FIRST_STEPS = """\
Search a folder:              pincite search "how do I rotate the keys" --docs ./docs
Let your AI agent search it:  pincite connect claude-code ./docs --write
Open a citation:              pincite read REF --docs ./docs

All commands: pincite --help. If something does not work: pincite doctor.
"""
"""What `pincite` alone prints below its help line: what people want first."""

COMMANDS = (
    serve,
    worker,
    converter,
    search,
    read,
    ingest,
    extract,
    convert,
    status,
    migrate,
    evaluate,
    doctor,
    connect,
    models,
)
"""In the order in which help lists them."""


def build() -> typer.Typer:
    """The `pincite` command."""
    # Plain help: it reads the same in a pipe and starts without loading a formatter.
    program = typer.Typer(
        help=HELP,
        epilog="Example: pincite serve ./docs",
        invoke_without_command=True,
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
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options of `pincite` itself, and show the first steps if it has no command."""
    del version  # `_version` handled it
    if context.invoked_subcommand is None:
        typer.echo(f"{HELP}\n\n{FIRST_STEPS}", nl=False)
