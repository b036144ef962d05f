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


def _not_null(node: dict[str, Any]) -> dict[str, Any]:
    plain = {key: value for key, value in node.items() if key != "default" or value is not None}
    options = [option for option in plain.pop("anyOf", []) if option != {"type": "null"}]
    if len(options) == 1:
        return {**options[0], **plain}
    return {"anyOf": options, **plain} if options else plain
