"""What `pincite models` shows and does."""

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
        path: Where it is, or would be.
        source: Which place that is.
        origin: Where it came from, as far as is known.
        size: Bytes: those it has, or should have where it is absent; None where that is not known.
        sha256: What it must hash to; empty where that is not known.
        status: `present` and `damaged` go by the size in `inventory`, by every byte in `verify`.
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
        name: As a user sets it.
        files: The vocabulary, the weights, and what was built from them.
    """

    name: str
    files: tuple[ModelFile, ...]


def inventory(cache_dir: Path, model_dir: Path | None = None, pin: weights.Pin = weights.MINILM) -> list[ModelRow]:
    """Which models are there. Reads no file whole."""
    rows = [_vocabulary()]
    rows += [_weights(path, location, pin) for path, location in weights.locations(pin, model_dir, cache_dir)]
    rows += [_finished(compiled.path(cache_dir, precision)) for precision in _PRECISIONS]
    return [ModelRow("all-MiniLM-L6-v2", tuple(rows))]


def verify(
    cache_dir: Path, model_dir: Path | None = None, pin: weights.Pin = weights.MINILM, call: Call | None = None
) -> list[ModelRow]:
    """The inventory, with every byte of every file checked."""
    rows: list[ModelRow] = []
    for row in inventory(cache_dir, model_dir, pin):
        checked: list[ModelFile] = []
        for file in row.files:
            (call or Call()).check()
            checked.append(_checked(file))
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
    """Make the model ready for use: fetch weights that no folder has intact, build what is missing.

    Raises:
        ConfigError: The weights cannot be kept, or what came was refused.
        ConnectionFailed: They could not be fetched.
    """
    options = replace(options or installer.Options(), retry_after=0.0)  # who asks for it does not wait
    compiled.obtain(precision, pin, model_dir, cache_dir, options, call)
    return inventory(cache_dir, model_dir, pin)


def install(
    source: Path,
    cache_dir: Path,
    precision: "Precision",
    call: Call,
    model_dir: Path | None = None,
    pin: weights.Pin = weights.MINILM,
) -> list[ModelRow]:
    """Make the model ready from a file that a person brought: nothing is contacted.

    Raises:
        InvalidInput: The file is not there or not the pinned one.
        Unsupported: It is of another kind.
        ConfigError: It cannot be kept.
    """
    offline.install(source, pin, cache_dir, call)
    compiled.obtain(precision, pin, model_dir, cache_dir, None, call)
    return inventory(cache_dir, model_dir, pin)


def usable(rows: list[ModelRow]) -> bool:
    """Whether a model can be used without fetching: its weights, or what was built from them, are there."""
    return any(file.status == "present" and file.source != "package" for row in rows for file in row.files)


def _vocabulary() -> ModelFile:
    """The tokenizer, which ships with the package."""
    path = Path(str(files("pincite.embedding").joinpath("tokenizer.json")))
    return ModelFile(path, "package", "pincite", path.stat().st_size, VOCABULARY_SHA256, "present")


def _weights(path: Path, source: Source, pin: weights.Pin) -> ModelFile:
    """The pinned weights in one folder."""
    manifest = weights.read_manifest(path)
    origin = manifest.source if manifest else ""
    if not path.is_file():
        return ModelFile(path, source, origin, pin.size, pin.sha256, "absent")
    size = path.stat().st_size
    return ModelFile(path, source, origin, size, pin.sha256, "present" if size == pin.size else "damaged")


def _finished(path: Path) -> ModelFile:
    """A finished model; one without a manifest is built again, so it counts as damaged."""
    manifest = weights.read_manifest(path)
    if not path.is_file():
        return ModelFile(path, "cache", "", None, "", "absent")
    size = path.stat().st_size
    if manifest is None:
        return ModelFile(path, "cache", "", size, "", "damaged")
    status: Status = "present" if size == manifest.size else "damaged"
    return ModelFile(path, "cache", manifest.source, size, manifest.sha256, status)


def _checked(file: ModelFile) -> ModelFile:
    """The same row after reading the file."""
    if file.status != "present" or file.size is None:
        return file
    intact = weights.intact(file.path, weights.Manifest(file.sha256, file.size, file.origin, 0.0))
    return file if intact else replace(file, status="damaged")
