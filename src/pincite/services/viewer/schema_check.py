"""How a schema is understood, for an editor: its fields with their types, and probable mistakes."""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pincite.model.call import Call
from pincite.model.schema import Leaf, LeafType, ListNode, Node, ObjectNode, PerModel
from pincite.services.extraction.conformance import schema_problems
from pincite.services.extraction.schemas import as_json, read_schema

MAX_FIELDS = 200
"""Fields that an editor shows."""
MAX_PROBLEMS = 5
"""Mistakes that are named at a time: the next ones show once these are corrected."""

_TYPES = tuple(kind.value for kind in LeafType)
_WORD = re.compile(r"[a-z]+")
"""A type of another language, as `money`: what describes a value has capitals or several words."""
_LIKENESS = 0.7
"""Least likeness of a word to the name of a type that it is taken for: `strng` has 0.9, `total` at most 0.4."""


@dataclass(frozen=True, slots=True)
class SchemaField:
    """A field.

    Attributes:
        path: As `lines[].amount`.
        type: Its type, or the values that it may have.
    """

    path: str
    type: str


@dataclass(frozen=True, slots=True)
class SchemaCheck:
    """How a schema is understood.

    Attributes:
        fields: Its fields in order, at most `MAX_FIELDS`.
        count: Their number.
        warnings: Probable mistakes, which are accepted all the same.
        schema: It as JSON text.
    """

    fields: list[SchemaField]
    count: int
    warnings: list[str]
    schema: str


def check_schema(text: str, call: Call) -> SchemaCheck:
    """Return how a schema is understood, which may be names of fields alone; see `as_json`.

    Raises:
        InvalidInput: No engine could fill it; see `read_schema`.
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    text = as_json(text)
    schema = read_schema(text)
    leaves = list(_leaves(schema.root, ""))
    fields = [SchemaField(path, _type(leaf)) for path, leaf in leaves[:MAX_FIELDS]]
    mistakes = _misspelt(leaves) if schema.json_schema is None else _violations(schema.json_schema, call)
    return SchemaCheck(fields, len(leaves), list(islice(mistakes, MAX_PROBLEMS)), text)


def _leaves(node: Node, path: str) -> Iterator[tuple[str, Leaf]]:
    if isinstance(node, ObjectNode):
        for key, child in node.fields.items():
            yield from _leaves(child, f"{path}.{key}" if path else key)
    elif isinstance(node, ListNode):
        yield from _leaves(node.item, f"{path}[]")
    elif isinstance(node, PerModel):
        yield from _leaves(node.value, f"{path}.<model>")
    else:
        yield path, node


def _type(leaf: Leaf) -> str:
    if leaf.choices:
        return "one of " + ", ".join(map(str, leaf.choices))
    return leaf.type.value


def _misspelt(leaves: list[tuple[str, Leaf]]) -> Iterator[str]:
    """Yield the fields of a skeleton whose only word is no type: a misspelt one, or one of another language."""
    for path, leaf in leaves:
        word = leaf.description.strip().casefold()
        near = difflib.get_close_matches(word, _TYPES, 1, _LIKENESS) if leaf.type is LeafType.ANY else []
        if leaf.type is LeafType.ANY and word not in _TYPES and (near or _WORD.fullmatch(leaf.description)):
            meant = f'Did you mean "{near[0]}"?' if near else f"Types are {', '.join(_TYPES)}."
            yield f'{path}: "{leaf.description}" is no type, so any value is taken. {meant}'


def _violations(schema: Mapping[str, Any], call: Call) -> Iterator[str]:
    return (f"{path or 'The schema'}: {message}" for path, message in schema_problems(schema, call))
