"""Check extracted data against a schema, and bring them into its shape. The entry is `validate_and_normalize`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.model.schema import (
    ORIGINAL_FILE,
    Leaf,
    LeafType,
    ListNode,
    Node,
    ObjectNode,
    Path,
    PerModel,
    Schema,
    dotted,
    empty,
)
from pincite.services.extraction.conformance import conformance_errors
from pincite.services.extraction.schemas import read_schema
from pincite.text.json_values import check_json, read_json
from pincite.text.values.formatting import normalize_text

MAX_DATA_CHARS = 50_000_000
"""Maximum length of data given as JSON text, as for any file of text."""
MAX_VALUES = 500_000
"""Values of one validation, in the schema's shape: a list of empty objects has all fields of the schema in each."""
_ACCEPTED: Mapping[LeafType, tuple[str, ...]] = {
    LeafType.STRING: ("string",),
    LeafType.DATE: ("string",),
    LeafType.NUMBER: ("number", "integer"),
    LeafType.INTEGER: ("integer",),
    LeafType.BOOLEAN: ("boolean",),
}
"""The types that a leaf accepts whose schema states its type."""


@dataclass(frozen=True, slots=True)
class Validation:
    """Data in a schema's shape, and what is wrong with them.

    Attributes:
        errors: What contradicts the schema.
        warnings: What is absent or unexpected.
        normalized: Every key of the schema, null where nothing fits; formatting of texts normalised.
    """

    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    normalized: Mapping[str, Any]

    @property
    def ok(self) -> bool:
        """True if nothing contradicts the schema."""
        return not self.errors


def validate_and_normalize(data: Any, schema: str | Mapping[str, Any] | Schema, call: Call) -> Validation:
    """Check data against a schema and bring them into its shape.

    Args:
        data: An object, JSON text of one, or None for an answer of which everything is absent.
        schema: A skeleton or JSON Schema, as object or JSON text, or one that was read already.
        call: Ends the work.

    Returns:
        Errors for a value of another shape, warnings for an absent one; each names its field by its dotted path. A
        schema or data that cannot be read are an error, too, with nothing normalized.

    Raises:
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    try:
        form = schema if isinstance(schema, Schema) else read_schema(schema)
    except InvalidInput as error:
        return Validation((error.message,), (), {})
    try:
        data = _parsed(data) if isinstance(data, str) else data
        check_json(data)
    except ValueError as error:
        return Validation((f"Invalid data JSON: {error}",), (), {})
    if data is not None and not isinstance(data, Mapping):
        return Validation((f"Data expected object, got {type_name(data)}",), (), empty(form.root))
    walk = _Walk(call)
    try:
        normalized = walk.object(cast("Mapping[str, Any] | None", data), form.root, ())
    except (InvalidInput, RecursionError) as error:
        return Validation((str(error),), (), {})
    if form.json_schema is not None and not walk.errors:
        walk.errors += conformance_errors(normalized, form.json_schema, call)
    return Validation(tuple(walk.errors), tuple(walk.warnings), normalized)


def type_name(value: Any) -> str:
    """Return the name of a value's type in JSON's terms; whole numbers are integers."""
    names: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "boolean"),
        (int, "integer"),
        (float, "number"),
        (str, "string"),
        (Mapping, "object"),
        ((list, tuple), "list"),
    )
    return "null" if value is None else next((name for kind, name in names if isinstance(value, kind)), "value")


def _parsed(text: str) -> Any:
    if len(text) > MAX_DATA_CHARS:
        raise ValueError(f"longer than {MAX_DATA_CHARS:,} characters")
    return read_json(text)


@dataclass(slots=True)
class _Walk:
    call: Call
    values: int = 0
    errors: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])

    def node(self, value: Any, node: Node, path: Path) -> Any:
        self.call.check()
        self.values += 1
        if self.values > MAX_VALUES:
            raise InvalidInput(f"The data have more than {MAX_VALUES:,} values, those of the schema included.")
        if isinstance(node, ObjectNode):
            return self._object_or_error(value, node, path)
        if value is None:
            # The server fills it: an agent must not look for it.
            if path != (ORIGINAL_FILE,):
                self.warnings.append(f"Field '{dotted(path)}' is null")
            return empty(node)
        if isinstance(node, ListNode):
            return self._list(value, node, path)
        return self._per_model(value, node, path) if isinstance(node, PerModel) else self._leaf(value, node, path)

    def object(self, value: Mapping[str, Any] | None, node: ObjectNode, path: Path) -> dict[str, Any]:
        given: Mapping[str, Any] = value or {}
        for key in given:
            if key not in node.fields:
                self.warnings.append(f"Field '{dotted((*path, str(key)))}' is not in the schema")
        return {key: self.node(given.get(key), child, (*path, key)) for key, child in node.fields.items()}

    def _object_or_error(self, value: Any, node: ObjectNode, path: Path) -> Any:
        if value is None or isinstance(value, Mapping):
            return self.object(cast("Mapping[str, Any] | None", value), node, path)
        return self._mismatch("object", value, node, path)

    def _list(self, value: Any, node: ListNode, path: Path) -> Any:
        if isinstance(value, str) or not isinstance(value, Sequence):
            return self._mismatch("list", value, node, path)
        items = cast("Sequence[Any]", value)
        return [self.node(item, node.item, (*path, index)) for index, item in enumerate(items)]

    def _per_model(self, value: Any, node: PerModel, path: Path) -> Any:
        if not isinstance(value, Mapping):
            self.warnings.append(f"Field '{dotted(path)}' expected a value per model, got {type_name(value)}")
            return _normalized(value)
        by_model = cast("Mapping[str, Any]", value)
        return {key: self.node(item, node.value, (*path, key)) for key, item in by_model.items()}

    def _leaf(self, value: Any, node: Leaf, path: Path) -> Any:
        accepted = _ACCEPTED.get(node.type)
        name = type_name(value)
        if node.is_typed and accepted and name not in accepted and not _is_whole(value, node):
            return self._mismatch(node.type if node.type is not LeafType.DATE else "string", value, node, path)
        return _normalized(value)

    def _mismatch(self, expected: str, value: Any, node: Node, path: Path) -> Any:
        self.errors.append(f"Field '{dotted(path)}' expected {expected}, got {type_name(value)}")
        return empty(node)


def _is_whole(value: Any, node: Leaf) -> bool:
    return node.type is LeafType.INTEGER and isinstance(value, float) and value.is_integer()


def _normalized(value: Any) -> Any:
    if isinstance(value, str):
        return normalize_text(value)
    if isinstance(value, Mapping):
        by_key = cast("Mapping[str, Any]", value)
        return {key: _normalized(item) for key, item in by_key.items()}
    return [_normalized(item) for item in cast("Sequence[Any]", value)] if isinstance(value, list | tuple) else value
