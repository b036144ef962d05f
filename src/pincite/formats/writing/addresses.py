"""Cells as spreadsheets name them: `B4`, `B4:E9`, `'My sheet'!B4:E9`."""

import re

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_PLAIN = re.compile(r"[^\W\d]\w*")
_LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*|[Rr]\d*|[Cc]\d*")


def letters(column: int) -> str:
    """A column's name, counted from 0: A, B, … Z, AA."""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def column_number(name: str) -> int:
    """The column of a name, counted from 0."""
    number = 0
    for letter in name.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def cell(row: int, column: int) -> str:
    """A cell's address; row and column from 0."""
    return f"{letters(column)}{row + 1}"


def area(top: int, left: int, bottom: int, right: int) -> str:
    """The address of a rectangle; of its cell if it is one."""
    first, last = cell(top, left), cell(bottom, right)
    return first if first == last else f"{first}:{last}"


def parse_cell(address: str) -> tuple[int, int] | None:
    """Row and column from 0; None for what is no address."""
    match = _CELL.fullmatch(address)
    return (int(match[2]) - 1, column_number(match[1])) if match and int(match[2]) else None


def parse_area(address: str) -> tuple[int, int, int, int] | None:
    """Top, left, bottom, right of a rectangle or a cell; None for what is no address."""
    first, _, last = address.partition(":")
    start, end = parse_cell(first), parse_cell(last or first)
    if start is None or end is None:
        return None
    return min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1])


def in_sheet(sheet: str, address: str) -> str:
    """An address with its sheet, whose name is quoted as Excel does: where it is more than a plain word."""
    plain = _PLAIN.fullmatch(sheet) and not _LIKE_A_CELL.fullmatch(sheet)
    name = sheet if plain else "'" + sheet.replace("'", "''") + "'"
    return f"{name}!{address}"
