"""Validate data against the JSON Schema that they were extracted for."""

from collections.abc import Generator, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, cast

from pincite.model.schema import dotted
from pincite.runtime.imports import import_once

MAX_ERRORS = 100
"""Maximum number of errors of one validation: what a reader can act on."""
_MAX_MESSAGE_CHARS = 300
"""Characters of a validator's message, which repeats the whole value."""


def conformance_errors(data: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """Return how data contradict a JSON Schema (2020-12); an absent value, null, contradicts none.

    Patterns are matched in linear time; one that cannot be (with a look-around or a back reference) is not checked.
    References to other documents are never followed.

    Args:
        data: The data.
        schema: The schema; an invalid one is reported as an error.
    """
    import_once("jsonschema")
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415 - a slow import, needed for JSON Schemas only
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    validator_class = _validator_class()
    try:
        validator_class.check_schema(schema)
        validator = validator_class(schema, registry=_no_registry())
        errors = filter(_is_contradiction, validator.iter_errors(data))
        return [_message(error) for error in islice(errors, MAX_ERRORS)]
    except SchemaError as error:
        return [f"The JSON Schema is invalid: {error.message[:_MAX_MESSAGE_CHARS]}"]
    except (Unresolvable, RecursionError) as error:
        return [f"The JSON Schema cannot be resolved: {str(error)[:_MAX_MESSAGE_CHARS]}"]


def schema_problems(schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what in a schema is no JSON Schema (2020-12), each with its place as messages name it."""
    import_once("jsonschema")
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - as above

    validator: Any = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    for error in validator.iter_errors(schema):
        yield dotted(tuple(error.absolute_path)), error.message[:_MAX_MESSAGE_CHARS]


def _is_contradiction(error: Any) -> bool:
    """Return False if an error comes of an absent value alone: null, or the empty list of one."""
    if error.instance is None or error.instance == []:
        return False
    if error.validator not in ("anyOf", "oneOf") or not error.context:
        return True
    variants: dict[Any, list[Any]] = {}
    for inner in error.context:
        variants.setdefault(inner.schema_path[0], []).append(inner)
    return all(any(map(_is_contradiction, inner)) for inner in variants.values())


def _message(error: Any) -> str:
    path = dotted(tuple(error.absolute_path))
    return f"Field '{path}' does not match the schema: {error.message[:_MAX_MESSAGE_CHARS]}"


@cache
def _no_registry() -> Any:
    from referencing import Registry  # noqa: PLC0415 - as above

    return cast("Any", Registry)()  # one that knows no document and retrieves none


@cache
def _validator_class() -> Any:
    from jsonschema import Draft202012Validator, FormatChecker, validators  # noqa: PLC0415 - as above

    made: Any = cast("Any", validators).extend(
        Draft202012Validator, {"pattern": _pattern, "patternProperties": _ignored}
    )
    made.FORMAT_CHECKER = FormatChecker(())
    return made


def _ignored(validator: Any, value: Any, instance: Any, schema: Any) -> Generator[Any]:
    """Match no keys by pattern: the form of an extraction has the keys that the schema names."""
    del validator, value, instance, schema
    yield from ()


def _pattern(validator: Any, pattern: Any, instance: Any, schema: Any) -> Generator[Any]:
    """Match a pattern in linear time: Python's own engine can take forever, and a schema is foreign."""
    del schema
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415 - as above

    if validator.is_type(instance, "string") and not _matches(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _matches(pattern: str, text: str) -> bool:
    validator = _compiled(pattern)
    if validator is None:
        return True
    from pydantic_core import ValidationError  # noqa: PLC0415 - as above

    try:
        validator.validate_python(text)
    except ValidationError:
        return False
    return True


@cache
def _compiled(pattern: str) -> Any:
    from pydantic_core import SchemaError, SchemaValidator, core_schema  # noqa: PLC0415 - as above

    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError:
        return None
