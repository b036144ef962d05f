"""Tables of Markdown documents: what people write in cells."""

import re
from collections.abc import Iterator
from pathlib import Path

Rows = list[list[str]]

MIN_ROWS, MAX_COLUMNS, MAX_CHARACTERS, MAX_WORD = 4, 7, 260, 22
"""Bounds of a table that fits a page in any style: rows, columns, characters of a cell and of a word."""
_TABLE = re.compile(rf"(?:^[ \t]*\|.*\|[ \t]*\n){{{MIN_ROWS + 1},}}", re.MULTILINE)
_RULE = re.compile(r"[:\- ]+")
_LINK, _MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)"), re.compile(r"<[^>]+>|[`*\\]")


def tables_of(folder: Path) -> list[Rows]:
    """Return the tables of all Markdown files below a folder, each once, header first."""
    found = (rows for path in sorted(folder.rglob("*.md")) for rows in _tables(path.read_text("utf-8", "replace")))
    return list({str(rows): rows for rows in found}.values())


def _tables(text: str) -> Iterator[Rows]:
    for match in _TABLE.finditer(text):
        lines = [line.strip().strip("|").split("|") for line in match[0].strip().splitlines()]
        header, rule, *body = [[_MARKUP.sub("", _LINK.sub(r"\1", cell)).strip() for cell in line] for line in lines]
        rows = [header, *(row for row in body if sum(map(bool, row)) > 1)]
        if _RULE.fullmatch("".join(rule)) and _fits(rows):
            yield rows


def _fits(rows: Rows) -> bool:
    cells = [cell for row in rows for cell in row]
    return (
        len(rows) > MIN_ROWS
        and 1 < len(rows[0]) <= MAX_COLUMNS
        and all(rows[0])
        and len({len(row) for row in rows}) == 1
        and all(cell.isascii() and len(cell) <= MAX_CHARACTERS for cell in cells)
        and all(len(word) <= MAX_WORD for cell in cells for word in cell.split())
    )
