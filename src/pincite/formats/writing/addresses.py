"""Cells as spreadsheets name them: `B4`, `B4:E9`, `'My sheet'!B4:E9`."""

import re

_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})")
_PLAIN = re.compile(r"[^\W\d]\w*")
_LIKE_A_CELL = re.compile(r"[A-Za-z]{1,3}\d+|[Rr]\d*[Cc]\d*|[Rr]\d*|[Cc]\d*")


def letters(column: int) -> str:
    """Return the name of a column (from 0): A, B, … Z, AA."""
    name = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        name = chr(ord("A") + digit) + name
    return name


def column_number(name: str) -> int:
    """Return the number of a column, from 0: 27 for `AB`."""
    number = 0
    for letter in name.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def cell(row: int, column: int) -> str:
    """Return the address of a cell; row and column from 0."""
    return f"{letters(column)}{row + 1}"


def area(top: int, left: int, bottom: int, right: int) -> str:
    """Return the address of a rectangle, or of its cell if it has only one."""
    first, last = cell(top, left), cell(bottom, right)
    return first if first == last else f"{first}:{last}"


def parse_cell(address: str) -> tuple[int, int] | None:
    """Return row and column, from 0; None if the text is not a cell's address."""
    match = _CELL.fullmatch(address)
    return (int(match[2]) - 1, column_number(match[1])) if match and int(match[2]) else None


def parse_area(address: str) -> tuple[int, int, int, int] | None:
    """Return top, left, bottom and right, from 0, of a rectangle or cell; None if the text is not an address."""
    first, _, last = address.partition(":")
    start, end = parse_cell(first), parse_cell(last or first)
    if start is None or end is None:
        return None
    return min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1])


def in_sheet(sheet: str, address: str) -> str:
    """Return an address with its sheet's name, quoted as Excel quotes it: unless it is a plain word."""
    plain = _PLAIN.fullmatch(sheet) and not _LIKE_A_CELL.fullmatch(sheet)
    name = sheet if plain else "'" + sheet.replace("'", "''") + "'"
    return f"{name}!{address}"
