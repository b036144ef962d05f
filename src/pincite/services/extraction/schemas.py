"""Read a schema, a skeleton or a JSON Schema, into its one internal form. The entry is `read_schema`."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from pincite.errors import InvalidInput
from pincite.model.schema import Schema
from pincite.services.extraction.json_schema import is_json_schema, read_json_schema
from pincite.services.extraction.skeleton import read_skeleton
from pincite.text.json_values import check_json, read_json

MAX_SCHEMA_CHARS = 1_000_000
"""Maximum length of a schema's text: a hundred times the largest seen in practice."""


_BETWEEN_NAMES = re.compile(r"[,;\n]")
_NAME = re.compile(r"[^\W\d_][^\"{}\[\]<>\\]{0,59}")


def as_json(text: str) -> str:
    """Return a schema that a person wrote as JSON text: `invoice number, total: number` is a skeleton of two fields.

    Raises:
        InvalidInput: It is neither JSON nor names of fields.
    """
    if text.lstrip()[:1] in ("", "{", "["):
        return text
    named = [part.partition(":") for part in _BETWEEN_NAMES.split(text) if part.strip()]
    fields = {name.strip(): kind.strip() or "string" for name, _, kind in named}
    if not fields or not all(map(_NAME.fullmatch, fields)):
        raise InvalidInput(
            'Write the names of fields, as invoice number, total: number, or a JSON object, as {"total": "number"}.'
        )
    return json.dumps(fields, ensure_ascii=False, indent=2)


def read_schema(schema: str | Mapping[str, Any]) -> Schema:
    """Return a schema in its internal form.

    Args:
        schema: A skeleton or a JSON Schema (2020-12), as an object or as JSON text. It is one of the latter if it
            has `$schema`, or describes its own root: by `properties`, a reference, variants, or its type alone.

    Raises:
        InvalidInput: It is not JSON, not an object, empty, too large or too deep, or has a reference that leaves it
            or leads back to itself.
    """
    value = _parsed(schema) if isinstance(schema, str) else _checked(schema)
    if not isinstance(value, Mapping):
        raise InvalidInput(
            "The schema must be a JSON object whose keys are the fields that you want, as "
            '{"invoice_number": "string", "total": "number"}.'
        )
    fields = cast("Mapping[str, Any]", value)
    if not fields:
        raise InvalidInput('The schema is empty. Name at least one field, as {"invoice_number": "string"}.')
    try:
        return read_json_schema(fields) if is_json_schema(fields) else read_skeleton(fields)
    except RecursionError:  # references of references, by the hundred
        raise InvalidInput("The schema's references are nested too deep. Write out the levels that you need.") from None


def _parsed(text: str) -> Any:
    if len(text) > MAX_SCHEMA_CHARS:
        raise InvalidInput(f"The schema is longer than {MAX_SCHEMA_CHARS:,} characters. Ask for fewer fields at once.")
    try:
        return read_json(text)
    except ValueError as error:
        example = 'Write an object, as {"invoice_number": "string"}.'
        raise InvalidInput(f"Invalid schema JSON: {error}. {example}") from error


def _checked(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        check_json(schema)
    except ValueError as error:
        raise InvalidInput(f"Invalid schema JSON: {error}") from error
    return schema
