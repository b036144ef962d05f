"""JSON schemas of tools, from the annotations of their methods."""

import inspect
import warnings
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, create_model

INJECTED = ("view", "call")
"""Parameters that the toolbox supplies; all others are arguments of the tool."""


def arguments_model(
    name: str, method: Callable[..., object], hints: Mapping[str, Any], omitted: AbstractSet[str] = frozenset()
) -> type[BaseModel]:
    """Return the model that validates a tool's arguments.

    Args:
        name: The tool's name.
        method: Its bound method.
        hints: The annotations of the method's parameters.
        omitted: Parameters that are no arguments.
    """
    fields: dict[str, Any] = {}
    for parameter in inspect.signature(method).parameters.values():
        if parameter.name not in INJECTED and parameter.name not in omitted:
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            fields[parameter.name] = (hints[parameter.name], default)
    with warnings.catch_warnings():
        # Contracts name an argument as a method of pydantic's models that is deprecated and not used.
        warnings.filterwarnings("ignore", 'Field name "schema"', UserWarning)
        return create_model(f"{name}_arguments", __config__=ConfigDict(extra="forbid"), **fields)


def untitled(schema: Any) -> Any:
    """Return a schema without titles: pydantic repeats each field's name as one, which costs a model tokens."""
    if isinstance(schema, list):
        return [untitled(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    node = cast("dict[str, Any]", schema)
    return {
        key: {name: untitled(child) for name, child in value.items()}
        if key in {"properties", "$defs"}
        else untitled(value)
        for key, value in node.items()
        if key != "title"
    }


def without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an input schema whose optional arguments do not mention null, which is still accepted."""
    return {**schema, "properties": {name: _not_null(node) for name, node in schema.get("properties", {}).items()}}


def compact(schema: Mapping[str, Any], omitted: AbstractSet[str]) -> dict[str, Any]:
    """Return the schema of an answer without descriptions, with each definition where it is used.

    An optional field does not mention null: it is left out then. Of an inner object of plain values only the names of
    those that it always has are listed, which are read by these names alone.

    Args:
        schema: The schema.
        omitted: Fields that no answer has.
    """
    definitions: Mapping[str, Any] = schema.get("$defs", {})

    def small(node: Any, inside: frozenset[str] = frozenset()) -> Any:
        if isinstance(node, list):
            return [small(item, inside) for item in cast("list[Any]", node)]
        if not isinstance(node, dict):
            return node
        fields = cast("dict[str, Any]", node)
        if fields.get("default", ...) is None:
            fields = _not_null(fields)
        if "$ref" in fields:
            name = fields["$ref"].rpartition("/")[2]
            return {} if name in inside else _named(small(definitions[name], inside | {name}))
        return {
            key: {name: small(child, inside) for name, child in value.items() if name not in omitted}
            if key == "properties"
            else small(value, inside)
            for key, value in fields.items()
            if key not in {"description", "$defs"}
        }

    return small(schema)


def _named(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object of plain values without these; any other one as it is."""
    is_plain = all(
        value.keys() == {"type"} and value["type"] != "object" for value in schema.get("properties", {}).values()
    )
    return {key: value for key, value in schema.items() if key != "properties"} if is_plain else schema


def _not_null(node: dict[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in node.items() if key != "default" or value is not None}
    options = [option for option in plain.pop("anyOf", []) if option != {"type": "null"}]
    if len(options) == 1:
        return {**options[0], **plain}
    return {"anyOf": options, **plain} if options else plain
