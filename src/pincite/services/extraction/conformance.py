"""Validate data against the JSON Schema that they were extracted for."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import islice
from typing import Any, cast

from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.model.schema import dotted
from pincite.runtime.imports import import_once

MAX_ERRORS = 100
"""Maximum number of errors of one validation: what a reader can act on."""
MAX_STEPS = 1_000_000
"""Keywords and members of keywords that one validation evaluates: 20,000 objects of ten fields have 700,000, which take
five seconds."""
_MAX_MESSAGE_CHARS = 300
"""Characters of a validator's message, which repeats the whole value."""
_MAX_PATTERNS = 256
"""Patterns that are kept compiled: they come with foreign schemas."""

Keyword = Callable[[Any, Any, Any, Any], Generator[Any] | None]
"""Yields the errors of an instance: receives the validator, the keyword's value, the instance and the schema."""


class _TooMuch(Exception):
    """The validation takes more steps than it may."""


@dataclass(slots=True)
class _Steps:
    """Counts the steps of one validation, and ends it with its call."""

    call: Call
    taken: int = 0

    def take(self, number: int = 1) -> None:
        self.taken += number
        self.call.check()
        if self.taken > MAX_STEPS:
            raise _TooMuch


def conformance_errors(data: Mapping[str, Any], schema: Mapping[str, Any], call: Call) -> list[str]:
    """Return how data contradict a JSON Schema (2020-12); an absent value, null, contradicts none.

    Patterns are matched in linear time; one that cannot be (with a look-around or a back reference) is not checked.
    References to other documents are never followed.

    Args:
        data: The data.
        schema: The schema; an invalid one is reported as an error.
        call: Ends the validation.

    Raises:
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    import_once("jsonschema")
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 - a slow import, needed for JSON Schemas only

    validator_class = _validator_class(_Steps(call))
    messages: list[str] = []
    try:
        for error in validator_class(validator_class.META_SCHEMA).iter_errors(schema):
            return [f"The JSON Schema is invalid: {error.message[:_MAX_MESSAGE_CHARS]}"]
        errors: Iterator[Any] = validator_class(schema, registry=_no_registry()).iter_errors(data)
        messages.extend(map(_message, islice(filter(_is_contradiction, errors), MAX_ERRORS)))
    except _TooMuch:
        messages.append(
            f"The data were not checked against the JSON Schema to the end: that takes more than {MAX_STEPS:,} steps. "
            "Check fewer at once."
        )
    except (Unresolvable, RecursionError) as error:
        return [f"The JSON Schema cannot be resolved: {str(error)[:_MAX_MESSAGE_CHARS]}"]
    return messages


def schema_problems(schema: Mapping[str, Any], call: Call) -> Iterator[tuple[str, str]]:
    """Yield what in a schema is no JSON Schema (2020-12), each with its place as messages name it.

    Raises:
        InvalidInput: It is too large to be checked.
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    validator_class = _validator_class(_Steps(call))
    try:
        for error in validator_class(validator_class.META_SCHEMA).iter_errors(schema):
            yield dotted(tuple(error.absolute_path)), error.message[:_MAX_MESSAGE_CHARS]
    except (_TooMuch, RecursionError):
        raise InvalidInput("The schema is too large to be checked. Ask for fewer fields at once.") from None


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


def _validator_class(steps: _Steps) -> Any:
    """Return a class of validators that never take longer than their steps, whatever the schema."""
    import_once("jsonschema")
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415 - as above

    keywords: dict[str, Keyword] = {
        **cast("Any", Draft202012Validator).VALIDATORS,
        "pattern": _pattern,
        "uniqueItems": partial(_unique, steps),
        # The form of an extraction has the keys that the schema names: none is matched by a pattern.
        **dict.fromkeys(("patternProperties", "unevaluatedProperties", "unevaluatedItems"), _ignored),
    }
    keywords["additionalProperties"] = partial(_additional, keywords["additionalProperties"])
    counted = {name: partial(_counted, steps, keyword) for name, keyword in keywords.items()}
    made: Any = cast("Any", validators).extend(Draft202012Validator, counted)
    evolve = made.evolve

    def evolved(validator: Any, **changes: Any) -> Any:
        # A part that names a `$schema` of its own would be checked by a class of the library's.
        if isinstance(schema := changes.get("schema"), Mapping):
            changes["schema"] = {key: value for key, value in cast("Any", schema).items() if key != "$schema"}
        return evolve(validator, **changes)

    made.evolve = evolved
    return made


def _counted(
    steps: _Steps, keyword: Keyword, validator: Any, value: Any, instance: Any, schema: Any
) -> Generator[Any] | None:
    steps.take(1 + (len(cast("list[Any]", value)) if isinstance(value, list | Mapping) else 0))
    return keyword(validator, value, instance, schema)


def _ignored(validator: Any, value: Any, instance: Any, schema: Any) -> Generator[Any]:
    del validator, value, instance, schema
    yield from ()


def _additional(keyword: Keyword, validator: Any, value: Any, instance: Any, schema: Any) -> Generator[Any]:
    """Check the keys that the schema does not name, without its patterns: see `_pattern`."""
    yield from keyword(validator, value, instance, {"properties": schema.get("properties", {})}) or ()


def _unique(steps: _Steps, validator: Any, value: Any, instance: Any, schema: Any) -> Generator[Any]:
    """Check that the items of a list differ: the library compares each one with all others."""
    del schema
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415 - as above

    if value is not True or not validator.is_type(instance, "array"):
        return
    seen: set[Any] = set()
    for item in instance:
        steps.take()
        if (key := _key(item)) in seen:
            yield ValidationError(f"{instance!r} has non-unique elements")
            return
        seen.add(key)


def _key(value: Any) -> object:
    """Return a value in a form that is equal for equal JSON: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, Mapping):
        return frozenset((key, _key(item)) for key, item in cast("Mapping[str, Any]", value).items())
    if isinstance(value, list | tuple):
        return tuple(map(_key, cast("Sequence[Any]", value)))
    return (value,) if isinstance(value, bool) else value


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


@lru_cache(_MAX_PATTERNS)
def _compiled(pattern: str) -> Any:
    from pydantic_core import SchemaError, SchemaValidator, core_schema  # noqa: PLC0415 - as above

    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError:
        return None
