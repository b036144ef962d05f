"""The compiled ONNX model, cached in the folder of the weights it was built from."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.embedding import installer, weights
from pincite.model.call import Call
from pincite.runtime.imports import import_once
from pincite.runtime.private_files import make_folder

if TYPE_CHECKING:
    from pincite.embedding.graph import Precision

RECIPE = 1
"""Version of the graph, to be incremented when the same weights give other vectors: then the model is built
and every document embedded again."""

OUTPUTS = 2
"""Number of the graph's outputs, the vector first: a file with fewer is not used."""


def path(cache_dir: Path, precision: "Precision") -> Path:
    """Return the path of the compiled model."""
    return cache_dir / f"minilm-l6-v2-{precision}-v{RECIPE}-{OUTPUTS}.onnx"


def obtain(
    precision: "Precision",
    pin: weights.Pin,
    model_dir: Path | None,
    cache_dir: Path,
    options: installer.Options | None,
    call: Call,
) -> Path | bytes:
    """Return the compiled model: its file, or its bytes if the cache is not writable.

    The file's hash is verified at each load (14 ms); a missing or damaged one is built again from the
    weights (about 1 s).

    Raises:
        ConfigError: The weights are missing and may not be fetched, or failed verification.
        ConnectionFailed: The weights could not be fetched.
    """
    file = path(cache_dir, precision)
    manifest = weights.read_manifest(file)
    if manifest is not None and weights.is_intact(file, manifest):
        return file
    verified = weights.obtain(pin, model_dir, cache_dir, options, call)
    call.check()
    import_once("pincite.embedding.graph")
    from pincite.embedding import graph  # noqa: PLC0415  # a warm start needs neither it nor its imports

    blob = graph.build(graph.parse_safetensors(verified.blob), precision)
    with suppress(OSError):
        make_folder(cache_dir)
        weights.write(file, blob, f"built from {pin.name} {pin.sha256[:8]}")
        return file
    return blob
