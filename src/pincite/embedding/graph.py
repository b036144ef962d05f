"""Our graph of all-MiniLM-L6-v2, built from its weights: int8 or exact fp32.

One text a run: token ids in, one vector of length 1 out. No batch, so no padding and no mask;
attention without a mask takes ONNX Runtime's flash path, activations stay in the cache of one
core, and a vector does not depend on what is embedded beside it (dynamic quantisation takes its
range from the whole run).

A run of 8-bit activations has one scale, so a few large channels cost all others their precision.
Two remedies that need no calibration data, because what comes out of a normalisation is known from
its weights, halve the error (mean cos 0.9924 → 0.9957) for 1 % of time: inputs are divided by powers
of two that the matrix takes over, and the feed-forward's largest channels get a scale of their own.
Measured against other ways of running the model in `bench/embedding.py`.
"""

import itertools
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from pincite.embedding import onnx_writer as onnx
from pincite.errors import ConfigError

Precision = Literal["int8", "fp32"]
Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float32]

INPUT, OUTPUT = "ids", "vector"
OPSETS: Mapping[str, int] = {"": 17, "com.microsoft": 1}
_EPSILON = 1e-12
_HEAD_WIDTH = 32
"""Of all-MiniLM-L6-v2: 12 heads in 384 numbers."""
_INT8_MAX = 127
_WEIGHT_MAX = 64
"""7-bit weights: 2 · 255 · 64 still fits the 16-bit sums of processors without VNNI."""
_SMOOTHING = 0.7
"""How much of the activations' unevenness the weights take over (SmoothQuant, arXiv 2211.10438)."""
_HOT = 1 / 12
"""Share of a feed-forward's inner channels that are quantised apart."""
_DEVIATIONS = 3
"""What a channel may reach, in standard deviations from its mean, as its normalisation leaves them."""


def parse_safetensors(blob: bytes | memoryview) -> dict[str, Floats]:
    """The float32 arrays of a safetensors file, as views into it.

    Raises:
        ConfigError: It is not such a file.
    """
    try:
        (length,) = struct.unpack_from("<Q", blob)
        return _arrays(blob, 8 + length)
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise ConfigError(
            "The model file is not a safetensors file. Fetch it again: pincite models fetch", details=str(fault)
        ) from fault


def build(weights: Mapping[str, Floats], precision: Precision) -> bytes:
    """The finished ONNX model: `ids` (tokens,) int64 → `vector` (width,) float32 of length 1.

    Args:
        weights: The arrays of a BERT encoder, by their names in the safetensors file; they say how
            wide it is and how many layers it has.
        precision: `int8`: word table and matrices in 8 bits; `fp32`: the weights as they are.

    Raises:
        ConfigError: An array is missing.
    """
    draft = _Draft(weights, precision)
    try:
        _embeddings(draft)
        for layer in itertools.takewhile(lambda n: _has_layer(weights, n), itertools.count()):
            _attention(draft, f"encoder.layer.{layer}.attention")
            _feed_forward(draft, f"encoder.layer.{layer}")
    except KeyError as missing:
        raise ConfigError(f"The model file has no {missing}. Fetch it again: pincite models fetch") from missing
    _pool(draft)
    return onnx.model(
        f"all-MiniLM-L6-v2 {precision}",
        draft.nodes,
        draft.constants,
        (onnx.Value(INPUT, "int64", ("tokens",)),),
        (onnx.Value(OUTPUT, "float32", (draft.width,)),),
        OPSETS,
    )


@dataclass(slots=True)
class _Draft:
    """A graph under construction; `x` names the activations that the next step takes, (tokens, width)."""

    weights: Mapping[str, Floats]
    precision: Precision
    nodes: list[onnx.Node] = field(default_factory=list[onnx.Node])
    constants: dict[str, Array] = field(default_factory=dict[str, Array])
    x: str = ""
    norm: str = ""
    """The normalisation that `x` came out of."""

    @property
    def width(self) -> int:
        """Numbers that stand for a token."""
        return self.weights["embeddings.word_embeddings.weight"].shape[1]

    def constant(self, name: str, array: Array) -> str:
        self.constants[name] = array
        return name

    def add(
        self, operator: str, inputs: tuple[str, ...], output: str, domain: str = "", **attributes: onnx.Attribute
    ) -> str:
        self.nodes.append(onnx.Node(operator, inputs, (output,), domain, attributes))
        return output

    def linear(self, x: str, name: str, weight: Floats, bias: Floats | None) -> str:
        """`x · weightᵀ (+ bias)`; `weight` is (out, in), as PyTorch keeps it."""
        bias_name = () if bias is None else (self.constant(f"{name}.bias", bias),)
        if self.precision == "fp32":
            inputs = (x, self.constant(f"{name}.weight", weight.T), *bias_name)
            return self.add("Gemm", inputs, f"{name}.out")
        rows, scale = quantize_rows(weight, _WEIGHT_MAX)
        quantized = (self.constant(f"{name}.weight", rows.T), self.constant(f"{name}.scale", scale))
        return self.add("DynamicQuantizeMatMul", (x, *quantized, "", *bias_name), f"{name}.out", "com.microsoft")

    def smoothed(self, name: str, weight: Floats) -> tuple[str, Floats]:
        """The input `x` and a matrix that takes it, both scaled per channel so that `x` is more even."""
        if self.precision == "fp32":
            return self.x, weight
        mean, deviation = self.weights[f"{self.norm}.bias"], self.weights[f"{self.norm}.weight"]
        reach = np.abs(mean) + _DEVIATIONS * np.abs(deviation)
        ratio = reach**_SMOOTHING / np.abs(weight).max(axis=0) ** (1 - _SMOOTHING)
        # Powers of two scale without rounding, and are the same on every machine.
        factor = np.exp2(np.rint(np.log2(ratio / np.exp(np.log(ratio).mean())))).astype(np.float32)
        inverse = self.constant(f"{name}.smoothing", 1 / factor)
        return self.add("Mul", (self.x, inverse), f"{name}.smooth"), weight * factor

    def normalize(self, x: str, name: str) -> None:
        """LayerNorm; its output is what the next step takes."""
        scale = self.constant(f"{name}.weight", self.weights[f"{name}.weight"])
        bias = self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        self.x = self.add("LayerNormalization", (x, scale, bias), f"{name}.out", axis=-1, epsilon=_EPSILON)
        self.norm = name


def quantize_rows(matrix: Floats, limit: int) -> tuple[npt.NDArray[np.int8], Floats]:
    """Symmetric integers in ±`limit` per row and the scale of each row: `matrix ≈ rows · scale[:, None]`."""
    peak = np.abs(matrix).max(axis=1)
    scale = np.where(peak > 0, peak / np.float32(limit), np.float32(1)).astype(np.float32)
    return np.rint(matrix / scale[:, None]).astype(np.int8), scale


def _has_layer(weights: Mapping[str, Floats], number: int) -> bool:
    return f"encoder.layer.{number}.output.dense.weight" in weights


def _embeddings(draft: _Draft) -> None:
    """Words + positions; the one token type is folded into the positions."""
    weights, prefix = draft.weights, "embeddings"
    table = weights[f"{prefix}.word_embeddings.weight"]
    positions = weights[f"{prefix}.position_embeddings.weight"] + weights[f"{prefix}.token_type_embeddings.weight"][0]
    if draft.precision == "fp32":
        words = draft.add("Gather", (draft.constant("words", table), INPUT), "words.row")
    else:
        rows, scale = quantize_rows(table, _INT8_MAX)
        row = draft.add("Gather", (draft.constant("words", rows), INPUT), "words.row")
        number = draft.add("Cast", (row,), "words.number", to=1)
        factor = draft.add("Gather", (draft.constant("words.scale", scale[:, None]), INPUT), "words.factor")
        words = draft.add("Mul", (number, factor), "words.value")
    count = draft.add("Shape", (INPUT,), "count")
    zero = draft.constant("zero", np.zeros(1, np.int64))
    place = draft.add("Slice", (draft.constant("positions", positions), zero, count, zero), "place")
    draft.normalize(draft.add("Add", (words, place), "embedded"), f"{prefix}.LayerNorm")


def _attention(draft: _Draft, name: str) -> None:
    """Self-attention over the whole text, and the residual around it."""
    parts = tuple(f"{name}.self.{part}" for part in ("query", "key", "value"))
    weight = np.concatenate([draft.weights[f"{part}.weight"] for part in parts])
    bias = np.concatenate([draft.weights[f"{part}.bias"] for part in parts])
    x, weight = draft.smoothed(f"{name}.qkv", weight)
    joined = draft.linear(x, f"{name}.qkv", weight, bias)
    first = draft.constant("first", np.zeros(1, np.int64))
    batched = draft.add("Unsqueeze", (joined, first), f"{name}.qkv.batch")
    sizes = draft.constant("sizes", np.full(3, draft.width, np.int64))
    draft.nodes.append(onnx.Node("Split", (batched, sizes), parts, attributes={"axis": 2}))
    mixed = draft.add(
        "MultiHeadAttention", parts, f"{name}.mixed", "com.microsoft", num_heads=draft.width // _HEAD_WIDTH
    )
    flat = draft.add("Squeeze", (mixed, first), f"{name}.flat")
    dense = f"{name}.output.dense"
    out = draft.linear(flat, dense, draft.weights[f"{dense}.weight"], draft.weights[f"{dense}.bias"])
    draft.normalize(draft.add("Add", (out, draft.x), f"{name}.sum"), f"{name}.output.LayerNorm")


def _feed_forward(draft: _Draft, name: str) -> None:
    """GELU(x · W₁) · W₂, the inner channels in parts, and the residual around it."""
    inner, outer = f"{name}.intermediate.dense", f"{name}.output.dense"
    parts = _parts(draft, inner)
    x, weight = draft.smoothed(inner, draft.weights[f"{inner}.weight"])
    total = draft.x
    for number, channels in enumerate(parts):
        part = f"{name}.part{number}"
        wide = draft.linear(x, f"{part}.inner", weight[channels], None)
        bias = draft.constant(f"{part}.bias", draft.weights[f"{inner}.bias"][channels])
        active = draft.add("BiasGelu", (wide, bias), f"{part}.active", "com.microsoft")
        once = draft.weights[f"{outer}.bias"] if number == 0 else None
        out = draft.linear(active, f"{part}.outer", draft.weights[f"{outer}.weight"][:, channels], once)
        total = draft.add("Add", (out, total), f"{part}.sum")
    draft.normalize(total, f"{name}.output.LayerNorm")


def _parts(draft: _Draft, inner: str) -> list[npt.NDArray[np.intp]]:
    """The inner channels of a feed-forward: those that may grow largest, and the others. One part in fp32."""
    weight = draft.weights[f"{inner}.weight"].astype(np.float64)
    if draft.precision == "fp32":
        return [np.arange(len(weight))]
    mean, deviation = draft.weights[f"{draft.norm}.bias"], draft.weights[f"{draft.norm}.weight"]
    spread = np.sqrt(((weight * deviation) ** 2).sum(axis=1))
    reach = (weight * mean).sum(axis=1) + draft.weights[f"{inner}.bias"] + _DEVIATIONS * spread
    order, hot = np.argsort(-reach, kind="stable"), round(len(weight) * _HOT)
    return [np.sort(order[:hot]), np.sort(order[hot:])]


def _pool(draft: _Draft) -> None:
    """The mean over all tokens, scaled to length 1."""
    mean = draft.add("ReduceMean", (draft.x,), "mean", axes=(0,), keepdims=0)
    draft.add("LpNormalization", (mean,), OUTPUT, axis=0, p=2)


def _arrays(blob: bytes | memoryview, start: int) -> dict[str, Floats]:
    """Views of the float32 arrays that the header at byte 8 lists; offsets count from `start`."""
    header = cast("dict[str, dict[str, Any]]", json.loads(bytes(blob[8:start])))
    found: dict[str, Floats] = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            begin, end = entry["data_offsets"]
            flat = np.frombuffer(blob, "<f4", (end - begin) // 4, start + begin)
            found[name] = flat.reshape(entry["shape"])
    return found
