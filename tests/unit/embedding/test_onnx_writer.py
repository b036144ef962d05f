"""ONNX Runtime is the judge: what it reads and runs was written right."""

from typing import Literal

import numpy as np
import onnxruntime
import pytest

from pincite.embedding import onnx_writer as onnx
from pincite.embedding.onnx_writer import Node, Value


def _session(
    nodes: list[Node], constants: dict[str, onnx.Array], inputs: list[Value], output: Value
) -> onnxruntime.InferenceSession:
    blob = onnx.model("test", nodes, constants, inputs, [output], {"": 17, "com.microsoft": 1})
    return onnxruntime.InferenceSession(blob, providers=["CPUExecutionProvider"])


def test_a_graph_with_a_constant_runs() -> None:
    session = _session(
        [Node("Add", ("x", "one"), ("y",))],
        {"one": np.ones(3, np.float32)},
        [Value("x", "float32", ("n", 3))],
        Value("y", "float32", ("n", 3)),
    )
    assert session.run(None, {"x": np.zeros((2, 3), np.float32)})[0].tolist() == [[1, 1, 1], [1, 1, 1]]


def test_attributes_are_whole_numbers_fractions_and_lists() -> None:
    session = _session(
        [
            Node("LeakyRelu", ("x",), ("leaky",), attributes={"alpha": 0.5}),
            Node("ReduceSum", ("leaky", "axis"), ("sum",), attributes={"keepdims": 0}),
            Node("Transpose", ("x",), ("turned",), attributes={"perm": (1, 0)}),
            Node("Softmax", ("turned",), ("unused",), attributes={"axis": -1}),
        ],
        {"axis": np.array([-1], np.int64)},
        [Value("x", "float32", (1, 2))],
        Value("sum", "float32", (1,)),
    )
    assert session.run(None, {"x": np.array([[-4.0, 1.0]], np.float32)})[0].tolist() == [-1.0]


def test_a_left_out_input_keeps_its_place() -> None:
    session = _session(
        [Node("Clip", ("x", "", "top"), ("y",))],
        {"top": np.array(2.0, np.float32)},
        [Value("x", "float32", (3,))],
        Value("y", "float32", (3,)),
    )
    assert session.run(None, {"x": np.array([-9, 1, 9], np.float32)})[0].tolist() == [-9, 1, 2]


@pytest.mark.parametrize("kind", [np.float32, np.int8, np.int64])
@pytest.mark.parametrize("order", ["<", ">"])
def test_constants_keep_their_values_in_any_layout(kind: type[np.generic], order: Literal["<", ">"]) -> None:
    table = np.arange(-300, 300).reshape(20, 30).T.astype(np.dtype(kind).newbyteorder(order))
    session = _session(
        [Node("Gather", ("table", "i"), ("y",))],
        {"table": table},
        [Value("i", "int64", ("n",))],
        Value("y", np.dtype(kind).name, ("n", 20)),
    )
    rows = session.run(None, {"i": np.arange(30)})[0]
    assert np.array_equal(rows, table)


def test_a_domain_is_named() -> None:
    session = _session(
        [Node("BiasGelu", ("x", "b"), ("y",), "com.microsoft")],
        {"b": np.ones(1, np.float32)},
        [Value("x", "float32", (1,))],
        Value("y", "float32", (1,)),
    )
    assert session.run(None, {"x": np.array([-1], np.float32)})[0].tolist() == [0.0]
