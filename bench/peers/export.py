"""all-MiniLM-L6-v2 in ONNX as the peers expect it: a padded batch with its mask in, every token's state out.

They would fetch such a file from hubs that a machine without a network does not reach. This one has the same
published weights, and the fused operators of ONNX Runtime that an export is turned into when it is loaded.
"""

import numpy as np

from pincite.embedding import onnx_writer as onnx
from pincite.embedding.graph import Floats
from pincite.embedding.onnx_writer import Array

WIDTH = 384
HEADS = 12
LAYERS = 6
EPSILON = 1e-12
OPSETS = {"": 17, "com.microsoft": 1}
SHAPE = ("batch", "tokens")


def batched(weights: dict[str, Floats]) -> bytes:
    """The model: `input_ids`, `attention_mask`, `token_type_ids` → `last_hidden_state`."""
    graph = _Graph(weights)
    x = graph.embedded()
    for layer in range(LAYERS):
        x = graph.attended(x, f"encoder.layer.{layer}.attention")
        x = graph.fed_forward(x, f"encoder.layer.{layer}", last=layer == LAYERS - 1)
    inputs = tuple(onnx.Value(name, "int64", SHAPE) for name in ("input_ids", "attention_mask", "token_type_ids"))
    output = onnx.Value(x, "float32", (*SHAPE, WIDTH))
    return onnx.model("all-MiniLM-L6-v2", graph.nodes, graph.constants, inputs, (output,), OPSETS)


class _Graph:
    """A graph under construction."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = weights
        self.nodes: list[onnx.Node] = []
        self.constants: dict[str, Array] = {
            "zero": np.zeros(1, np.int64),
            "one": np.ones(1, np.int64),
            "two": np.full(1, 2, np.int64),
        }

    def embedded(self) -> str:
        rows = [
            self._add("Gather", (self._weight(f"embeddings.{table}.weight"), ids), table)
            for table, ids in (("word_embeddings", "input_ids"), ("token_type_embeddings", "token_type_ids"))
        ]
        count = self._add("Slice", (self._add("Shape", ("input_ids",), "shape"), "one", "two", "zero"), "count")
        table = self._weight("embeddings.position_embeddings.weight")
        place = self._add("Slice", (table, "zero", count, "zero"), "place")
        total = self._add("Add", (self._add("Add", (rows[0], rows[1]), "word.type"), place), "embedded")
        self._add("Cast", ("attention_mask",), "mask", to=6)  # int32
        return self._normalized(total, "embeddings.LayerNorm")

    def attended(self, x: str, name: str) -> str:
        parts = [self._linear(x, f"{name}.self.{part}") for part in ("query", "key", "value")]
        mixed = self._add("MultiHeadAttention", (*parts, "", "mask"), f"{name}.mixed", "com.microsoft", num_heads=HEADS)
        out = self._linear(mixed, f"{name}.output.dense")
        return self._normalized(self._add("Add", (out, x), f"{name}.sum"), f"{name}.output.LayerNorm")

    def fed_forward(self, x: str, name: str, *, last: bool) -> str:
        wide = self._product(x, f"{name}.intermediate.dense")
        bias = self._weight(f"{name}.intermediate.dense.bias")
        active = self._add("BiasGelu", (wide, bias), f"{name}.active", "com.microsoft")
        total = self._add("Add", (self._linear(active, f"{name}.output.dense"), x), f"{name}.sum")
        return self._normalized(total, f"{name}.output.LayerNorm", "last_hidden_state" if last else "")

    def _normalized(self, x: str, name: str, output: str = "") -> str:
        parts = (x, self._weight(f"{name}.weight"), self._weight(f"{name}.bias"))
        return self._add("LayerNormalization", parts, output or f"{name}.out", axis=-1, epsilon=EPSILON)

    def _linear(self, x: str, name: str) -> str:
        return self._add("Add", (self._product(x, name), self._weight(f"{name}.bias")), f"{name}.out")

    def _product(self, x: str, name: str) -> str:
        self.constants[f"{name}.weight"] = np.ascontiguousarray(self.weights[f"{name}.weight"].T)
        return self._add("MatMul", (x, f"{name}.weight"), f"{name}.product")

    def _weight(self, name: str) -> str:
        self.constants[name] = self.weights[name]
        return name

    def _add(
        self, operator: str, inputs: tuple[str, ...], output: str, domain: str = "", **attributes: onnx.Attribute
    ) -> str:
        self.nodes.append(onnx.Node(operator, inputs, (output,), domain, attributes))
        return output
