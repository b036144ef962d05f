"""The surface of the command line: every command, which is imported when it is called."""

import importlib
from collections import UserDict
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pincite.version import __version__

HELP = "Search a folder of documents, for people and AI agents: answers are up to date and carry a citation."

FIRST_STEPS = """\
Search a folder:              pincite search how do I rotate the keys ./docs
Let your AI agent search it:  pincite connect claude-code ./docs --write
Open a citation:              pincite read REF ./docs

All commands: pincite --help. If something does not work: pincite doctor.
"""
"""Shown by `pincite` alone, below its help line: the commands to begin with."""

COMMANDS = {
    "serve": "Serve documents to AI agents, over MCP or HTTP.",
    "worker": "Work on extraction tasks beside a server.",
    "converter": "Convert documents for servers elsewhere, over HTTP.",
    "search": "Search a folder, or the library, by keyword and by meaning.",
    "read": "Print the text that a reference cites.",
    "verify": "Check word for word whether a document has a quote.",
    "check": "Check every quotation of a text against its reference.",
    "ingest": "Add files to the library.",
    "remove": "Remove documents from the library.",
    "extract": "Fill your own JSON from a document, with proof of each value.",
    "convert": "Print a document as Markdown, as it is indexed and cited.",
    "compare": "Compare the requirements of two editions of a standard.",
    "export": "Write the library as files: JSON Lines, CSV, ReqIF, BibTeX, Parquet.",
    "service": "Print a unit for systemd or launchd that keeps a server running.",
    "key": "Make a key for a server over HTTP, and its line for the file of keys.",
    "status": "Show what is indexed, what was skipped, and if it is current.",
    "migrate": "Move an index or the library between SQLite and PostgreSQL.",
    "eval": "Measure search or extraction against known answers.",
    "doctor": "Check what is installed and reachable, and how to fix it.",
    "connect": "Connect a client: print its configuration, or write it.",
    "models": "List, fetch, verify or install the embedding model.",
}
"""Modules of `commands` by name, with their line in the help: no command is imported to list them all."""


class _Modules(UserDict[str, Any]):
    """The commands, each imported when it is called: `serve` pays for nothing that it does not use."""

    def __missing__(self, name: str) -> Any:
        """Import a command."""
        if name not in COMMANDS:
            raise KeyError(name)
        return typer.main.get_command(importlib.import_module(f"pincite.transports.cli.commands.{name}").program)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS


class _Commands(TyperGroup):
    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Modules()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def new_program(*, completes: bool = False, **options: Any) -> typer.Typer:
    """Return a program without commands.

    Its help is plain: it reads the same in a pipe and is printed without loading a formatter.

    Args:
        completes: Whether it has the options that install completion into a shell.
        options: Further ones of `typer.Typer`.
    """
    return typer.Typer(
        add_completion=completes,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **options,
    )


def build() -> typer.Typer:
    """The `pincite` command."""
    root = new_program(
        completes=True,
        cls=_Commands,
        help=HELP,
        epilog="Example: pincite serve ./docs",
        invoke_without_command=True,
    )
    root.callback()(_root)
    return root


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
