"""Datasets of documents whose right values are known."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from pincite.errors import InvalidInput
from pincite.model.schema import Leaf, ListNode, Node, ObjectNode, Schema
from pincite.services.evaluation.targets import MIN_SIMILARITY
from pincite.services.extraction.schemas import read_schema

SCHEMA_FILE = "schema.json"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A document with the values that it has; null where it has none, and no key where nobody knows."""

    file: Path
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Documents with their right values.

    Attributes:
        name: The folder's name.
        schema: The fields.
        documents: By name.
    """

    name: str
    schema: Schema
    documents: tuple[Labelled, ...]


def is_labelled(folder: Path) -> bool:
    """Return True if a path is a folder of documents with expected values."""
    return (folder / SCHEMA_FILE).is_file()


def read(folder: Path) -> LabelledSet:
    """Read a folder: `schema.json`, and next to each document `NAME.json` with its values.

    Raises:
        InvalidInput: A file is no JSON object, names a field that the schema lacks or belongs to no document.
    """
    schema = read_schema(_text(folder / SCHEMA_FILE))
    documents: list[Labelled] = []
    for answers in sorted(folder.glob("*.json")):
        if answers.name == SCHEMA_FILE:
            continue
        expected = _object(answers)
        _require_known(expected, schema, answers.name)
        documents.append(Labelled(_document_of(answers), expected))
    if not documents:
        raise InvalidInput(f"{folder.name} has no expected values. Write those of a.pdf into a.json.")
    return LabelledSet(folder.resolve().name, schema, tuple(documents))


def _require_known(expected: Mapping[str, Any], schema: Schema, name: str) -> None:
    unknown = [path for path in _unknown(expected, schema.root, "") if path]
    if unknown:
        known = list(schema.root.fields)
        near = get_close_matches(unknown[0], known, n=1, cutoff=MIN_SIMILARITY) or known[:1]
        raise InvalidInput(f"{name} has {unknown[0]!r}, which the schema has not; the nearest is {near[0]!r}.")


def _unknown(expected: Any, node: Node, path: str) -> Iterator[str]:
    if isinstance(node, ObjectNode):
        for key, value in _mapping(expected).items():
            inner = f"{path}.{key}" if path else key
            if key in node.fields:
                yield from _unknown(value, node.fields[key], inner)
            else:
                yield inner
    elif isinstance(node, ListNode):
        for value in _list(expected):
            yield from _unknown(value, node.item, f"{path}[]")
    elif isinstance(node, Leaf) and isinstance(expected, Mapping | list):
        yield path


def _document_of(answers: Path) -> Path:
    documents = sorted(file for file in answers.parent.glob(f"{_literal(answers.stem)}.*") if file != answers)
    if len(documents) != 1:
        names = ", ".join(file.name for file in documents) or "none"
        raise InvalidInput(f"{answers.name} must belong to one document of that name; there is {names}.")
    return documents[0]


def _literal(name: str) -> str:
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def _object(file: Path) -> Mapping[str, Any]:
    try:
        value = json.loads(_text(file))
    except (ValueError, RecursionError) as fault:
        raise InvalidInput(f"{file.name} is not JSON.") from fault
    if not isinstance(value, dict):
        raise InvalidInput(f"{file.name} must be a JSON object with the schema's fields.")
    return cast("Mapping[str, Any]", value)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise InvalidInput(f"{file.name} cannot be read as UTF-8 text.") from fault


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, list) else ()
