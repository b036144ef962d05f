"""What the columns of a table hold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pincite.formats.headers import is_date, is_number

SHARE = 0.8
"""A column has a type if more than this share of its values has."""


class ColumnKind(StrEnum):
    """What the values of a column are."""

    NUMERIC = "numeric"
    DATETIME = "datetime"
    TEXT = "text"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        name: As its header says; empty without one.
        kind: What more than 80 % of its values are.
        density: Share of its cells that are not empty, 0..1.
    """

    name: str
    kind: ColumnKind
    density: float


def analyse(header: Sequence[str], rows: Iterable[Sequence[str]]) -> tuple[Column, ...]:
    """The columns of a table.

    Args:
        header: Their names; rows may have more columns.
        rows: The values' texts, without the header; rows may differ in length.
    """
    body = list(rows)
    width = max([len(header), *map(len, body)])
    return tuple(
        _column(
            header[index] if index < len(header) else "", [row[index] for row in body if index < len(row)], len(body)
        )
        for index in range(width)
    )


def shared_columns(tables: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Column names that more than one table has, with those tables; letter case does not count.

    Args:
        tables: A table's name → its columns' names.
    """
    owners: dict[str, dict[str, None]] = {}
    written: dict[str, str] = {}
    for table, names in tables.items():
        for name in filter(None, map(str.strip, names)):
            key = name.casefold()
            written.setdefault(key, name)
            owners.setdefault(key, {})[table] = None
    return {written[key]: tuple(found) for key, found in owners.items() if len(found) > 1}


def _column(name: str, texts: Sequence[str], rows: int) -> Column:
    values = [text for text in texts if text.strip()]
    return Column(name, _kind(values), len(values) / rows if rows else 0.0)


def _kind(values: Sequence[str]) -> ColumnKind:
    enough = SHARE * len(values)
    if not values:
        return ColumnKind.EMPTY
    if sum(map(is_date, values)) > enough:
        return ColumnKind.DATETIME
    if sum(map(is_number, values)) > enough:
        return ColumnKind.NUMERIC
    return ColumnKind.TEXT
