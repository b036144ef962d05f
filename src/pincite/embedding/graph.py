"""An ONNX graph of all-MiniLM-L6-v2, built from its weights in int8 or exact fp32.

Each run embeds one text: token ids in, one vector of length 1 out. Without a batch there is no padding
and no mask: attention takes ONNX Runtime's flash path, activations stay in one core's cache, and a vector
does not depend on other texts (dynamic quantisation takes its range from the whole run).

8-bit activations have one scale per run, so a few large channels cost all others their precision. Two
remedies halve the error (mean cosine 0.9924 → 0.9957) for 1 % of the time. They need no calibration data,
because the output range of a normalisation follows from its weights: inputs are divided by powers of two
that the matrix is multiplied with, and the feed-forward's largest channels get a scale of their own.
Compared with other ways of running the model in `bench/embedding.py`.
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
from pincite.errors import ModelUnavailable

Precision = Literal["int8", "fp32"]
Floats = npt.NDArray[np.float32]

INPUT, OUTPUT = "ids", "vector"
OPSETS: Mapping[str, int] = {"": 17, "com.microsoft": 1}
_EPSILON = 1e-12
_HEAD_WIDTH = 32
"""Dimensions of an attention head of all-MiniLM-L6-v2: 384 / 12."""
_INT8_MAX = 127
_WEIGHT_MAX = 64
"""7-bit weights: 2 · 255 · 64 still fits the 16-bit sums of processors without VNNI."""
_SMOOTHING = 0.7
"""Share of the activations' range that moves to the weights: alpha of SmoothQuant (arXiv 2211.10438)."""
_OUTLIER_SHARE = 1 / 12
"""Share of a feed-forward's inner channels that are quantised separately: about 1 % of the time."""
_DEVIATIONS = 3
"""Assumed range of a channel, in standard deviations from its mean after normalisation."""


def parse_safetensors(blob: bytes | memoryview) -> dict[str, Floats]:
    """Return the float32 arrays of a safetensors file by name, as views into it.

    Raises:
        ModelUnavailable: It is not a safetensors file.
    """
    try:
        (length,) = struct.unpack_from("<Q", blob)
        return _arrays(blob, 8 + length)
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise ModelUnavailable(
            "The model file is not a safetensors file. Fetch it again: pincite models fetch", details=str(fault)
        ) from fault


def build(weights: Mapping[str, Floats], precision: Precision) -> bytes:
    """Return the serialised ONNX model: `ids` (tokens,) int64 → `vector` (width,) float32 of length 1, and the
    activations that it is the mean of, (tokens, width).

    Args:
        weights: The arrays of a BERT encoder, by their names in the safetensors file; width and number
            of layers follow from them.
        precision: `int8`: word table and matrices in 8 bits; `fp32`: the weights unchanged.

    Raises:
        ModelUnavailable: An array is missing.
    """
    builder = _GraphBuilder(weights, precision)
    try:
        _embeddings(builder)
        for layer in itertools.takewhile(lambda n: _has_layer(weights, n), itertools.count()):
            _attention(builder, f"encoder.layer.{layer}.attention")
            _feed_forward(builder, f"encoder.layer.{layer}")
    except KeyError as missing:
        raise ModelUnavailable(f"The model file has no {missing}. Fetch it again: pincite models fetch") from missing
    _pool(builder)
    return onnx.model(
        f"all-MiniLM-L6-v2 {precision}",
        builder.nodes,
        builder.constants,
        (onnx.Value(INPUT, "int64", ("tokens",)),),
        (onnx.Value(OUTPUT, "float32", (builder.width,)), onnx.Value(builder.x, "float32", ("tokens", builder.width))),
        OPSETS,
    )


@dataclass(slots=True)
class _GraphBuilder:
    """A graph under construction; `x` names the activations for the next layer, (tokens, width)."""

    weights: Mapping[str, Floats]
    precision: Precision
    nodes: list[onnx.Node] = field(default_factory=list[onnx.Node])
    constants: dict[str, onnx.Array] = field(default_factory=dict[str, onnx.Array])
    x: str = ""
    norm: str = ""
    """The normalisation that produced `x`."""

    @property
    def width(self) -> int:
        """Dimensions of a token's vector."""
        return self.weights["embeddings.word_embeddings.weight"].shape[1]

    def constant(self, name: str, array: onnx.Array) -> str:
        self.constants[name] = array
        return name

    def add(
        self, operator: str, inputs: tuple[str, ...], output: str, domain: str = "", **attributes: onnx.Attribute
    ) -> str:
        self.nodes.append(onnx.Node(operator, inputs, (output,), domain, attributes))
        return output

    def linear(self, x: str, name: str, weight: Floats, bias: Floats | None) -> str:
        """Add `x · weightᵀ (+ bias)`; `weight` is (out, in), as in PyTorch."""
        bias_name = () if bias is None else (self.constant(f"{name}.bias", bias),)
        if self.precision == "fp32":
            inputs = (x, self.constant(f"{name}.weight", weight.T), *bias_name)
            return self.add("Gemm", inputs, f"{name}.out")
        rows, scale = quantize_rows(weight, _WEIGHT_MAX)
        quantized = (self.constant(f"{name}.weight", rows.T), self.constant(f"{name}.scale", scale))
        return self.add("DynamicQuantizeMatMul", (x, *quantized, "", *bias_name), f"{name}.out", "com.microsoft")

    def smoothed(self, name: str, weight: Floats) -> tuple[str, Floats]:
        """Return `x` and a matrix, both rescaled per channel so that the channels of `x` have similar ranges."""
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
        """Add a LayerNorm; its output becomes `x`."""
        scale = self.constant(f"{name}.weight", self.weights[f"{name}.weight"])
        bias = self.constant(f"{name}.bias", self.weights[f"{name}.bias"])
        self.x = self.add("LayerNormalization", (x, scale, bias), f"{name}.out", axis=-1, epsilon=_EPSILON)
        self.norm = name


def quantize_rows(matrix: Floats, limit: int) -> tuple[npt.NDArray[np.int8], Floats]:
    """Quantise each row to integers in ±`limit`; return them and the scales: `matrix ≈ rows · scale[:, None]`."""
    peak = np.abs(matrix).max(axis=1)
    scale = np.where(peak > 0, peak / np.float32(limit), np.float32(1)).astype(np.float32)
    return np.rint(matrix / scale[:, None]).astype(np.int8), scale


def _has_layer(weights: Mapping[str, Floats], number: int) -> bool:
    return f"encoder.layer.{number}.output.dense.weight" in weights


def _embeddings(builder: _GraphBuilder) -> None:
    """Add word and position embeddings; the only token type is folded into the positions."""
    weights, prefix = builder.weights, "embeddings"
    table = weights[f"{prefix}.word_embeddings.weight"]
    positions = weights[f"{prefix}.position_embeddings.weight"] + weights[f"{prefix}.token_type_embeddings.weight"][0]
    # The word table is half of the weights; int8 rows with a scale each keep it small in memory.
    if builder.precision == "fp32":
        words = builder.add("Gather", (builder.constant("words", table), INPUT), "words.row")
    else:
        rows, scale = quantize_rows(table, _INT8_MAX)
        row = builder.add("Gather", (builder.constant("words", rows), INPUT), "words.row")
        number = builder.add("Cast", (row,), "words.number", to=1)
        factor = builder.add("Gather", (builder.constant("words.scale", scale[:, None]), INPUT), "words.factor")
        words = builder.add("Mul", (number, factor), "words.value")
    count = builder.add("Shape", (INPUT,), "count")
    zero = builder.constant("zero", np.zeros(1, np.int64))
    position = builder.add("Slice", (builder.constant("positions", positions), zero, count, zero), "place")
    builder.normalize(builder.add("Add", (words, position), "embedded"), f"{prefix}.LayerNorm")


def _attention(builder: _GraphBuilder, name: str) -> None:
    """Add self-attention over the whole text, and its residual."""
    parts = tuple(f"{name}.self.{part}" for part in ("query", "key", "value"))
    weight = np.concatenate([builder.weights[f"{part}.weight"] for part in parts])
    bias = np.concatenate([builder.weights[f"{part}.bias"] for part in parts])
    x, weight = builder.smoothed(f"{name}.qkv", weight)
    joined = builder.linear(x, f"{name}.qkv", weight, bias)
    first = builder.constant("first", np.zeros(1, np.int64))
    # MultiHeadAttention wants a batch dimension: add one of 1, and drop it after.
    batched = builder.add("Unsqueeze", (joined, first), f"{name}.qkv.batch")
    sizes = builder.constant("sizes", np.full(3, builder.width, np.int64))
    builder.nodes.append(onnx.Node("Split", (batched, sizes), parts, attributes={"axis": 2}))
    mixed = builder.add(
        "MultiHeadAttention", parts, f"{name}.mixed", "com.microsoft", num_heads=builder.width // _HEAD_WIDTH
    )
    flat = builder.add("Squeeze", (mixed, first), f"{name}.flat")
    dense = f"{name}.output.dense"
    out = builder.linear(flat, dense, builder.weights[f"{dense}.weight"], builder.weights[f"{dense}.bias"])
    builder.normalize(builder.add("Add", (out, builder.x), f"{name}.sum"), f"{name}.output.LayerNorm")


def _feed_forward(builder: _GraphBuilder, name: str) -> None:
    """Add GELU(x · W₁) · W₂, split by inner channels, and its residual."""
    inner, outer = f"{name}.intermediate.dense", f"{name}.output.dense"
    parts = _parts(builder, inner)
    x, weight = builder.smoothed(inner, builder.weights[f"{inner}.weight"])
    total = builder.x
    for number, channels in enumerate(parts):
        part = f"{name}.part{number}"
        wide = builder.linear(x, f"{part}.inner", weight[channels], None)
        bias = builder.constant(f"{part}.bias", builder.weights[f"{inner}.bias"][channels])
        active = builder.add("BiasGelu", (wide, bias), f"{part}.active", "com.microsoft")
        once = builder.weights[f"{outer}.bias"] if number == 0 else None
        out = builder.linear(active, f"{part}.outer", builder.weights[f"{outer}.weight"][:, channels], once)
        total = builder.add("Add", (out, total), f"{part}.sum")
    builder.normalize(total, f"{name}.output.LayerNorm")


def _parts(builder: _GraphBuilder, inner: str) -> list[npt.NDArray[np.intp]]:
    """Return the inner channels of a feed-forward in two groups, largest range first; in fp32 one group."""
    weight = builder.weights[f"{inner}.weight"].astype(np.float64)
    if builder.precision == "fp32":
        return [np.arange(len(weight))]
    mean, deviation = builder.weights[f"{builder.norm}.bias"], builder.weights[f"{builder.norm}.weight"]
    spread = np.sqrt(((weight * deviation) ** 2).sum(axis=1))
    reach = (weight * mean).sum(axis=1) + builder.weights[f"{inner}.bias"] + _DEVIATIONS * spread
    order, hot = np.argsort(-reach, kind="stable"), round(len(weight) * _OUTLIER_SHARE)
    return [np.sort(order[:hot]), np.sort(order[hot:])]


def _pool(builder: _GraphBuilder) -> None:
    """Add the mean over all tokens, scaled to length 1."""
    mean = builder.add("ReduceMean", (builder.x,), "mean", axes=(0,), keepdims=0)
    builder.add("LpNormalization", (mean,), OUTPUT, axis=0, p=2)


def _arrays(blob: bytes | memoryview, start: int) -> dict[str, Floats]:
    """Return views of the float32 arrays in the header at byte 8, whose offsets are relative to `start`."""
    header = cast("dict[str, dict[str, Any]]", json.loads(bytes(blob[8:start])))
    arrays: dict[str, Floats] = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            begin, end = entry["data_offsets"]
            flat = np.frombuffer(blob, "<f4", (end - begin) // 4, start + begin)
            arrays[name] = flat.reshape(entry["shape"])
    return arrays
