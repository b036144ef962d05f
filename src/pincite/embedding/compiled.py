"""The finished ONNX model, kept in the cache beside the weights it was built from."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.embedding import installer, weights
from pincite.model.call import Call
from pincite.model.vector import import_numpy

if TYPE_CHECKING:
    from pincite.embedding.graph import Precision

RECIPE = 1
"""Rises whenever the same weights give other vectors: the index is embedded anew, the model built anew."""


def path(cache_dir: Path, precision: "Precision") -> Path:
    """Where the finished model is, once it was built."""
    return cache_dir / f"minilm-l6-v2-{precision}-v{RECIPE}.onnx"


def obtain(
    precision: "Precision",
    pin: weights.Pin,
    model_dir: Path | None,
    cache_dir: Path,
    options: installer.Options | None,
    call: Call,
) -> Path | bytes:
    """The finished model: its file, or its bytes where the cache cannot be written.

    A file is used only if every byte is as it was written (checked at each load: 14 ms); a missing
    or damaged one is built again from the weights (about 1 s).

    Raises:
        ConfigError: The weights are not there and may not be fetched, or were refused.
        ConnectionFailed: They could not be fetched.
    """
    file = path(cache_dir, precision)
    manifest = weights.read_manifest(file)
    if manifest is not None and weights.intact(file, manifest):
        return file
    found = weights.obtain(pin, model_dir, cache_dir, options, call)
    call.check()
    import_numpy()
    from pincite.embedding import graph  # noqa: PLC0415  # a warm start needs neither it nor what it imports

    blob = graph.build(graph.parse_safetensors(found.blob), precision)
    with suppress(OSError):
        cache_dir.mkdir(parents=True, exist_ok=True)
        weights.write(file, blob, f"built from {pin.name} {pin.sha256[:8]}")
        return file
    return blob
