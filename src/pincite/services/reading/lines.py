"""Documents as lines of JSON: one for the document without its sections, then one for each section.

Plain data: reading a line makes nothing but the classes of `model.document`, whatever the line contains.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from pincite.model import document
from pincite.model.document import Document, PackedCells, Section

_Restore = Callable[[Any], Any]
"""Restores a value from what JSON has of it."""


@cache
def layout() -> str:
    """Return a string that changes with the fields of any class of a document."""
    classes = [kind for kind in vars(document).values() if isinstance(kind, type) and is_dataclass(kind)]
    return "; ".join(f"{kind.__name__} {' '.join(f'{f.name}:{f.type}' for f in fields(kind))}" for kind in classes)


def to_lines(document: Document) -> Iterator[str]:
    """Yield a document's lines, each with its line end."""
    values = [getattr(document, name) for name in _names(Document)]
    values[_names(Document).index("sections")] = len(document.sections)
    yield _line(values)
    for section in document.sections:
        yield _line(section)


def from_lines(lines: Iterator[str]) -> Document:
    """Return the document of these lines.

    Raises:
        ValueError, TypeError, LookupError, AttributeError: They are not lines of a document.
    """
    values = json.loads(next(lines, ""))
    section = _restorer(Section)
    index = _names(Document).index("sections")
    count, values[index] = values[index], []
    document = _restorer(Document)(values)
    sections = tuple(section(json.loads(line)) for line in lines)
    if len(sections) != count:
        raise ValueError("sections are missing")
    object.__setattr__(document, "sections", sections)
    return document


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), check_circular=False, default=_plain) + "\n"


def _plain(value: object) -> object:
    """Return a value that JSON does not know in its terms: a dataclass as the list of its fields."""
    if isinstance(value, PackedCells):
        return {name: getattr(value, name) for name in _names(PackedCells)}
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    return [getattr(value, name) for name in _names(type(value))]


@cache
def _names(kind: type) -> list[str]:
    return [field.name for field in fields(kind)]


@cache
def _restorer(kind: type) -> _Restore:
    """Return a function that restores a dataclass from the list of its fields."""
    hints = get_type_hints(kind)
    restorers = [(index, _restore(hints[name])) for index, name in enumerate(_names(kind))]
    needed = [(index, restore) for index, restore in restorers if restore is not None]

    def restore(values: list[Any]) -> object:
        for index, restore_value in needed:
            values[index] = restore_value(values[index])
        return kind(*values)

    return restore if needed else lambda values: kind(*values)


def _restore(hint: Any) -> _Restore | None:
    """Return a function that restores a value of a type; None if JSON has it as it is."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _optional(_restore(arguments[0]))
    if origin is tuple:
        return _tuple(_restore(arguments[0]))
    if origin is Sequence:
        return _cells(_tuple(_restore(arguments[0])))
    if origin is not None:  # a mapping of strings
        return None
    if is_dataclass(hint):
        return _restorer(cast("type", hint))
    return hint if issubclass(hint, Enum) else None


def _optional(restore: _Restore | None) -> _Restore | None:
    return restore and (lambda value: None if value is None else restore(value))


def _tuple(restore: _Restore | None) -> _Restore:
    if restore is None:
        return tuple
    return lambda values: tuple([restore(value) for value in values]) if values else ()


def _cells(restore: _Restore) -> _Restore:
    """Restore the cells of a table, which may be packed."""

    def restore_cells(cells: Any) -> object:
        return PackedCells(**cast("dict[str, Any]", cells)) if isinstance(cells, dict) else restore(cells)

    return restore_cells
