"""What a caller wants from a document: fields with their types, in one form for every kind of schema."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

ORIGINAL_FILE = "original_file"
"""The top-level key that the server fills with the upload's name."""

Path = tuple[str | int, ...]
"""Keys and list indexes from the root to a value."""


class LeafType(StrEnum):
    """The type of a value.

    Attributes:
        ANY: Any plain value: text, number or boolean.
        STRING: Text.
        NUMBER: A number without its unit.
        INTEGER: A number without a fraction.
        BOOLEAN: True or false.
        QUANTITY: Text of a number or range with its unit.
        DATE: A calendar date.
    """

    ANY = "any"
    STRING = "string"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    QUANTITY = "quantity"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A plain value.

    Attributes:
        type: Its type.
        description: What the schema says of it, for label matching and for a model; may be empty.
        choices: The only values that it may have; empty for any.
        format: The format of its text in JSON Schema's terms, as `date`; empty without one.
        is_typed: Whether the schema states the type, so that another type is an error; a skeleton's is a hint.
    """

    type: LeafType = LeafType.ANY
    description: str = ""
    choices: tuple[Any, ...] = ()
    format: str = ""
    is_typed: bool = False


@dataclass(frozen=True, slots=True)
class ListNode:
    """A list of values or of objects."""

    item: "Node"
    description: str = ""


@dataclass(frozen=True, slots=True)
class PerModel:
    """A dictionary from a product model's name to a value."""

    value: "Node"
    description: str = ""


@dataclass(frozen=True, slots=True)
class ObjectNode:
    """An object with named fields, in the schema's order."""

    fields: Mapping[str, "Node"]
    description: str = ""


Node = Leaf | ListNode | PerModel | ObjectNode


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema in its internal form.

    Attributes:
        root: The fields.
        json_schema: The JSON Schema that it was read from, against which data are validated; None for a skeleton.
    """

    root: ObjectNode
    json_schema: Mapping[str, Any] | None = field(default=None, compare=False)


def dotted(path: Path) -> str:
    """Return a path as messages name it: `a.b[2].c`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def fields_of(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    """Yield every node below an object that is no object itself, with its path.

    Lists and dictionaries are yielded whole: how many elements they have only a document tells.
    """
    if isinstance(node, ObjectNode):
        for key, child in node.fields.items():
            yield from fields_of(child, (*path, key))
    else:
        yield path, node


def leaves_of(node: Node, path: Path) -> Iterator[tuple[Path, Leaf]]:
    """Yield every plain value below a node, also of lists and dictionaries, with the keys to it."""
    if isinstance(node, Leaf):
        yield path, node
    elif isinstance(node, ObjectNode):
        for key, child in node.fields.items():
            yield from leaves_of(child, (*path, key))
    else:
        yield from leaves_of(node.item if isinstance(node, ListNode) else node.value, path)


def empty(node: Node) -> Any:
    """Return the data of a node of which nothing was found: null, an empty list, or an object of such."""
    if isinstance(node, ObjectNode):
        return {key: empty(child) for key, child in node.fields.items()}
    return [] if isinstance(node, ListNode) else None
