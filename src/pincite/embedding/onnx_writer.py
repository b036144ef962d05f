"""Serialise ONNX models: the part of `onnx.proto3` that our graph needs, without the `onnx` package.

Field numbers follow onnx/onnx.proto3 (IR version 8). Fields are written in a fixed order, so the same
model gives the same bytes.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

IR_VERSION = 8
_LENGTH_DELIMITED = 2
_ELEMENT_TYPES: Mapping[str, int] = {"float32": 1, "int8": 3, "int64": 7}
_FLOAT, _INT, _INTS = 1, 2, 7

Attribute = int | float | tuple[int, ...]
Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Node:
    """One operator.

    Attributes:
        operator: Its name in its domain.
        inputs: Names of values; an empty name omits an optional one.
        outputs: Names of the results.
        domain: Empty for ONNX's own operators.
        attributes: Numbers by name.
    """

    operator: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    domain: str = ""
    attributes: Mapping[str, Attribute] = field(default_factory=dict[str, Attribute])


@dataclass(frozen=True, slots=True)
class Value:
    """An input or output: its element type (NumPy's name) and its shape; a name means any size."""

    name: str
    element: str
    shape: tuple[int | str, ...]


def model(
    name: str,
    nodes: Sequence[Node],
    initializers: Mapping[str, Array],
    inputs: Sequence[Value],
    outputs: Sequence[Value],
    opsets: Mapping[str, int],
) -> bytes:
    """Return a serialised ModelProto.

    Args:
        name: The graph's name.
        nodes: In topological order.
        initializers: Constants by name: float32, int8 or int64.
        inputs: The graph's inputs.
        outputs: The graph's outputs.
        opsets: Version by domain.
    """
    graph = b"".join(
        (
            *(_message(1, _node(node)) for node in nodes),
            _text(2, name),
            *(_message(5, _tensor(key, array)) for key, array in initializers.items()),
            *(_message(11, _value(value)) for value in inputs),
            *(_message(12, _value(value)) for value in outputs),
        )
    )
    # ONNX's own operator set has the empty domain, which proto3 omits as the default.
    imports = (_message(8, (_text(1, domain) if domain else b"") + _integer(2, opsets[domain])) for domain in opsets)
    return b"".join((_integer(1, IR_VERSION), _text(2, "pincite"), _message(7, graph), *imports))


def _node(node: Node) -> bytes:
    """NodeProto."""
    domain = _text(7, node.domain) if node.domain else b""
    return b"".join(
        (
            *_texts(1, node.inputs),
            *_texts(2, node.outputs),
            _text(3, node.outputs[0]),
            _text(4, node.operator),
            *(_message(5, _attribute(key, value)) for key, value in node.attributes.items()),
            domain,
        )
    )


def _attribute(name: str, value: Attribute) -> bytes:
    """AttributeProto of one number or several."""
    if isinstance(value, float):
        return _text(1, name) + _tag(2, 5) + struct.pack("<f", value) + _integer(20, _FLOAT)
    if isinstance(value, int):
        return _text(1, name) + _integer(3, value) + _integer(20, _INT)
    return b"".join((_text(1, name), *(_integer(8, number) for number in value), _integer(20, _INTS)))


def _tensor(name: str, array: Array) -> bytes:
    """TensorProto with its data as raw little-endian bytes."""
    little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    dims = b"".join(_integer(1, size) for size in array.shape)
    return dims + _integer(2, _ELEMENT_TYPES[array.dtype.name]) + _text(8, name) + _message(9, little.tobytes())


def _value(value: Value) -> bytes:
    """ValueInfoProto of a tensor."""
    dims = (_message(1, _text(2, size) if isinstance(size, str) else _integer(1, size)) for size in value.shape)
    tensor = _integer(1, _ELEMENT_TYPES[value.element]) + _message(2, b"".join(dims))
    return _text(1, value.name) + _message(2, _message(1, tensor))


def _texts(number: int, values: Iterable[str]) -> Iterable[bytes]:
    return (_text(number, value) for value in values)


def _text(number: int, value: str) -> bytes:
    return _message(number, value.encode())


def _message(number: int, body: bytes) -> bytes:
    return _tag(number, _LENGTH_DELIMITED) + _varint(len(body)) + body


def _integer(number: int, value: int) -> bytes:
    return _tag(number, 0) + _varint(value)


def _tag(number: int, wire_type: int) -> bytes:
    return _varint(number << 3 | wire_type)


def _varint(value: int) -> bytes:
    """Base 128, least group first; `value` is not negative here (negatives are 64-bit two's complement)."""
    value &= 0xFFFF_FFFF_FFFF_FFFF
    groups = bytearray()
    while value >> 7:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)
