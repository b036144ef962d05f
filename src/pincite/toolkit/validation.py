"""Arguments of tools: validated, and refused with a message that a client can act upon."""

import difflib
import reprlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from pincite.errors import InvalidInput
from pincite.text.excerpt import excerpt
from pincite.toolkit.toolset import Tool

MAX_SHOWN_CHARS = 60
"""Maximum length of a wrong value or unknown name in an error message."""

MAX_ARGUMENT_CHARS = 100_000
"""Maximum length of a text argument: ten times what any tool needs, and fast to process."""

_REPR = reprlib.Repr()
"""Truncates while formatting, so that a list of a million items is never formatted in full."""
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 4 * MAX_SHOWN_CHARS
_REPR.maxlist = _REPR.maxdict = MAX_SHOWN_CHARS


def validated(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments with their types; null, and empty text for an optional one, count as missing.

    Raises:
        InvalidInput: An argument is unknown (the message names the nearest), missing, of the wrong type or too long.
    """
    fields = tool.arguments.model_fields
    for name in arguments:
        if name not in fields:
            raise InvalidInput(
                f"Unknown argument {shown(name)} for {tool.name}.{nearest(name, fields)}",
                details=f"argument {shown(name)}",
            )
    given = {
        name: value
        for name, value in arguments.items()
        if value is not None
        # Some clients send "" for an omitted argument.
        and (value != "" or tool.refuse_empty or fields[name].is_required())
    }
    for name, value in given.items():
        _refuse_boolean(name, value, fields[name])
    try:
        model = tool.arguments.model_validate(given)
    except ValidationError as error:
        name, expected, value = _mismatch(error, fields)
        # What a client sent may be confidential: the log has a hash of it at most.
        raise InvalidInput(expected + value, log_message=expected, details=f"argument {name}") from None
    values = {name: getattr(model, name) for name in fields}
    for name, value in values.items():
        if isinstance(value, str) and len(value) > MAX_ARGUMENT_CHARS:
            raise InvalidInput(f"{name} has {len(value):,} characters; the maximum is {MAX_ARGUMENT_CHARS:,}.")
    return values


_EXPECTED = {"string": "text", "int": "a whole number", "float": "a number", "bool": "true or false", "list": "a list"}
"""The expected type of an argument, by the first word of pydantic's error type."""

_OUT_OF_RANGE = ("greater_than_equal", "less_than_equal", "string_too_short", "string_too_long")
"""Pydantic's error types whose message names the whole range, not the exceeded end alone."""


def _refuse_boolean(name: str, value: object, field: FieldInfo) -> None:
    """Refuse true and false where a number is declared: pydantic takes them for 1 and 0.

    Raises:
        InvalidInput: The value is a boolean, which the argument does not declare.
    """
    types = set(_types(field.annotation)) if isinstance(value, bool) else set[type]()
    if bool not in types and not types.isdisjoint((int, float)):
        expected = f"{name} should be {_EXPECTED['int' if int in types else 'float']}"
        raise InvalidInput(f"{expected}, not {shown(value)}", log_message=expected)


def _types(annotation: object) -> Iterator[type]:
    """Yield the types that an annotation is made of."""
    if isinstance(annotation, type):
        yield annotation
    for inner in get_args(annotation):
        yield from _types(inner)


def _mismatch(error: ValidationError, fields: Mapping[str, FieldInfo]) -> tuple[str, str, str]:
    """Return the name of an argument, what is wrong with it, and the end of that sentence, which shows its value."""
    # One error at a time: a client corrects and repeats the call.
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    if first["type"] == "missing":
        return name, f"{name} parameter is required", ""
    expected = _EXPECTED.get(first["type"].partition("_")[0])
    if first["type"] in _OUT_OF_RANGE:
        expected = _range(fields[name]) or expected
    if first["type"] == "literal_error":
        expected = first.get("ctx", {})["expected"]
    if expected is None:
        expected = first["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    return name, f"{name} should be {expected}", f", not {shown(first['input'])}"


def _range(field: FieldInfo) -> str | None:
    """Return the range of a field as `1 to 100`, or with its unit as `1 to 2000 characters`; None without both ends."""
    limits = {name: limit for constraint in field.metadata for name, limit in _limits(constraint)}
    if "ge" in limits and "le" in limits:
        return f"{limits['ge']} to {limits['le']}"
    if "min_length" in limits and "max_length" in limits:
        return f"{limits['min_length']} to {limits['max_length']} characters"
    return None


def _limits(constraint: object) -> Iterable[tuple[str, object]]:
    names = ("ge", "le", "min_length", "max_length")
    return ((name, limit) for name in names if (limit := getattr(constraint, name, None)) is not None)


def shown(value: object) -> str:
    """Return a value as an error message shows it, shortened."""
    return excerpt(_REPR.repr(value), MAX_SHOWN_CHARS)


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the sentence that names what an unknown name may have meant, else all that are known."""
    known = list(names)
    near = difflib.get_close_matches(name[:MAX_SHOWN_CHARS].lower(), known, n=1, cutoff=0.5)
    listed = ", ".join(known) if known else "none"
    return f" Did you mean {near[0]!r}?" if near else f" Known: {listed}."
