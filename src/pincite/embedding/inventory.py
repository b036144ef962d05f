"""Inventory, verification and installation of models, for `pincite models`."""

from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pincite.embedding import compiled, installer, offline, weights
from pincite.embedding.wordpiece import VOCABULARY_SHA256
from pincite.model.call import Call

if TYPE_CHECKING:
    from pincite.embedding.graph import Precision

Status = Literal["present", "absent", "damaged"]
Source = Literal["package"] | weights.Location
_PRECISIONS: "tuple[Precision, ...]" = ("int8", "fp32")


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model.

    Attributes:
        path: Its path, whether or not it exists.
        source: The kind of that location.
        origin: Where it was obtained from, if known.
        size: Its bytes, or the expected ones if it is absent; None if not known.
        sha256: Its expected hash; empty if not known.
        status: By size alone in `inventory`, by hash in `verify`.
    """

    path: Path
    source: Source
    origin: str
    size: int | None
    sha256: str
    status: Status


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model and its files.

    Attributes:
        name: Its name in the settings.
        files: The vocabulary, the weights, and the compiled models.
    """

    name: str
    files: tuple[ModelFile, ...]


def models(cache_dir: Path, model_dir: Path | None = None, pin: weights.Pin = weights.MINILM) -> list[ModelRow]:
    """Return the known models and their files, without reading the files."""
    rows = [_vocabulary()]
    rows += [_weights(path, location, pin) for path, location in weights.locations(pin, model_dir, cache_dir)]
    rows += [_compiled_model(compiled.path(cache_dir, precision)) for precision in _PRECISIONS]
    return [ModelRow("all-MiniLM-L6-v2", tuple(rows))]


def verify(
    cache_dir: Path, model_dir: Path | None = None, pin: weights.Pin = weights.MINILM, call: Call | None = None
) -> list[ModelRow]:
    """Return the inventory after verifying the hash of every file."""
    rows: list[ModelRow] = []
    for row in models(cache_dir, model_dir, pin):
        checked: list[ModelFile] = []
        for file in row.files:
            (call or Call()).check()
            checked.append(_verified(file))
        rows.append(replace(row, files=tuple(checked)))
    return rows


def fetch(
    cache_dir: Path,
    precision: "Precision",
    call: Call,
    model_dir: Path | None = None,
    pin: weights.Pin = weights.MINILM,
    options: installer.Options | None = None,
) -> list[ModelRow]:
    """Fetch weights that no folder has intact, and compile the model.

    Raises:
        ConfigError: The weights cannot be stored, or failed verification.
        ConnectionFailed: The weights could not be fetched.
    """
    options = replace(options or installer.Options(), retry_after=0.0)  # an explicit command retries at once
    compiled.obtain(precision, pin, model_dir, cache_dir, options, call)
    return models(cache_dir, model_dir, pin)


def install(
    source: Path,
    cache_dir: Path,
    precision: "Precision",
    call: Call,
    model_dir: Path | None = None,
    pin: weights.Pin = weights.MINILM,
) -> list[ModelRow]:
    """Install the weights from a local file without network access, and compile the model.

    Raises:
        InvalidInput: The file does not exist or is not the pinned one.
        Unsupported: The file has another format.
        ConfigError: The weights cannot be stored.
    """
    offline.install(source, pin, cache_dir, call)
    compiled.obtain(precision, pin, model_dir, cache_dir, None, call)
    return models(cache_dir, model_dir, pin)


def is_usable(rows: list[ModelRow]) -> bool:
    """Return True if a model can be used without fetching: its weights or a compiled model are present."""
    return any(file.status == "present" and file.source != "package" for row in rows for file in row.files)


def _vocabulary() -> ModelFile:
    """Return the tokenizer, which ships with the package."""
    path = Path(str(files("pincite.embedding").joinpath("tokenizer.json")))
    return ModelFile(path, "package", "pincite", path.stat().st_size, VOCABULARY_SHA256, "present")


def _weights(path: Path, source: Source, pin: weights.Pin) -> ModelFile:
    """Return the pinned weights in one folder."""
    manifest = weights.read_manifest(path)
    origin = manifest.source if manifest else ""
    if not path.is_file():
        return ModelFile(path, source, origin, pin.size, pin.sha256, "absent")
    size = path.stat().st_size
    return ModelFile(path, source, origin, size, pin.sha256, "present" if size == pin.size else "damaged")


def _compiled_model(path: Path) -> ModelFile:
    """Return a compiled model; without a manifest it counts as damaged, since it will be built again."""
    manifest = weights.read_manifest(path)
    if not path.is_file():
        return ModelFile(path, "cache", "", None, "", "absent")
    size = path.stat().st_size
    if manifest is None:
        return ModelFile(path, "cache", "", size, "", "damaged")
    status: Status = "present" if size == manifest.size else "damaged"
    return ModelFile(path, "cache", manifest.source, size, manifest.sha256, status)


def _verified(file: ModelFile) -> ModelFile:
    """Return the row with the status by the file's hash."""
    if file.status != "present" or file.size is None:
        return file
    is_intact = weights.is_intact(file.path, weights.Manifest(file.sha256, file.size, file.origin, 0.0))
    return file if is_intact else replace(file, status="damaged")
