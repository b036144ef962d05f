"""Read a skeleton: an object in the shape of the result, whose leaves describe the values."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pincite.model.schema import Leaf, LeafType, ListNode, Node, ObjectNode, Path, PerModel, Schema
from pincite.services.extraction.bounds import Budget

PER_MODEL_SUFFIX = "_per_model"
_PER_MODEL = re.compile(r"\bper[ _-]models?\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"<[^<>]+>|\{[^{}]+\}|\[[^\[\]]+\]")
_LIST = re.compile(r"\s*(?:list|array)(?:\s+of\s+(?P<item>.+))?\s*", re.IGNORECASE | re.DOTALL)
_PLURALS = re.compile(r"\b(string|number|integer|boolean|date|value)s\b", re.IGNORECASE)

_WITH_UNIT = (
    r"(?:number|numeric|integer|int|float|decimal|value|range|quantity)s?\s*(?:\(?(?:range)?\)?\s*)?"
    r"(?:with|and|incl(?:uding|\.)?|\+)\s*(?:its\s+)?units?"
)
_TYPES: tuple[tuple[re.Pattern[str], LeafType], ...] = tuple(
    (re.compile(rf"\s*(?:an?\s+)?(?:{words})\b", re.IGNORECASE), type_)
    for words, type_ in (
        (rf"{_WITH_UNIT}|quantity", LeafType.QUANTITY),
        (r"integer|int|whole number|count", LeafType.INTEGER),
        (r"number|numeric|float|decimal|amount", LeafType.NUMBER),
        (r"bool(?:ean)?|true\s*/\s*false|true or false|yes\s*/\s*no|yes or no", LeafType.BOOLEAN),
        (r"date", LeafType.DATE),
        (r"string|text|str", LeafType.STRING),
    )
)
"""First words of a description that state a type, the most specific first."""


def read_skeleton(skeleton: Mapping[str, Any]) -> Schema:
    """Return the internal form of a skeleton.

    Raises:
        InvalidInput: It is too large or too deep.
    """
    return Schema(_object(skeleton, (), Budget()))


def _object(skeleton: Mapping[str, Any], path: Path, budget: Budget) -> ObjectNode:
    return ObjectNode({str(key): _field(str(key), value, (*path, str(key)), budget) for key, value in skeleton.items()})


def _field(key: str, value: Any, path: Path, budget: Budget) -> Node:
    placeholder = _placeholder(value)
    if placeholder is not None:
        node = _node(value[placeholder], (*path, placeholder), budget)
        return PerModel(node, node.description)
    node = _node(value, path, budget)
    is_per_model = key.endswith(PER_MODEL_SUFFIX) or (isinstance(value, str) and _PER_MODEL.search(value))
    return PerModel(node, node.description) if is_per_model else node


def _placeholder(value: Any) -> str | None:
    """Return the only key of an object if it is a placeholder for a name, as `<model>`."""
    if not isinstance(value, Mapping) or len(keys := list(cast("Mapping[Any, Any]", value))) != 1:
        return None
    return keys[0] if isinstance(keys[0], str) and _PLACEHOLDER.fullmatch(keys[0].strip()) else None


def _node(value: Any, path: Path, budget: Budget) -> Node:
    budget.spend(path)
    if isinstance(value, Mapping):
        return _object(cast("Mapping[str, Any]", value), path, budget)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _list(cast("Sequence[Any]", value), path, budget)
    if isinstance(value, str) and (match := _LIST.fullmatch(value)):
        return ListNode(leaf(_PLURALS.sub(r"\1", match["item"] or "")), value)
    return leaf(value)


def _list(items: Sequence[Any], path: Path, budget: Budget) -> ListNode:
    """A list is described by its first element; `["list"]` is a list of any plain values."""
    first = items[0] if items else ""
    if isinstance(first, str) and _LIST.fullmatch(first):
        first = ""
    item = _node(first, (*path, 0), budget)
    return ListNode(item, item.description)


def leaf(value: Any) -> Leaf:
    """Return the leaf that a skeleton's plain value describes: text by its first words, others by their own type."""
    if isinstance(value, bool):
        return Leaf(LeafType.BOOLEAN)
    if isinstance(value, int):
        return Leaf(LeafType.INTEGER)
    if isinstance(value, float):
        return Leaf(LeafType.NUMBER)
    text = value if isinstance(value, str) else ""
    return Leaf(next((type_ for words, type_ in _TYPES if words.match(text)), LeafType.ANY), text.strip())
