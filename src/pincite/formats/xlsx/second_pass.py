"""Read what calamine drops from an XLSX sheet, in a second, streaming pass over its XML."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

from pincite.formats.ooxml.package import Element
from pincite.formats.writing.addresses import parse_area, parse_cell
from pincite.formats.xlsx.drawings import shape_texts
from pincite.formats.xlsx.number_formats import formatted, general
from pincite.formats.xlsx.package import DAMAGED, Package, of_kind, parse, relations
from pincite.formats.xlsx.unseen import ANY, BY_COLOUR
from pincite.model.call import Call

MAX_COLUMNS = 16_384
MAX_ROWS = 1_048_576
"""Limits of an XLSX sheet (columns above)."""
MIN_ROW_POINTS = 2.0
"""Height of a row below which no letter is visible."""
MIN_COLUMN_CHARACTERS = 0.4
"""Width of a column, in characters of the default font, that is narrower than two points."""
COLOURED_BY = ("conditionalFormatting", "tablePart", "picture")
"""Elements of a sheet that may colour cells in addition to their styles: rules, table styles, a background."""
MAX_CELLS = 100_000
"""Maximum cells read from a sparse sheet."""

MIN_LONG_DIGITS = 16
"""Length of a number from which its digits exceed the 15 that are significant."""

_PLAIN = frozenset(("s", "str", "inlineStr", "d"))
"""Types of cells that calamine reads correctly."""
_INTEGER = re.compile(r"-?\d{16,400}")
"""An integer of more than 15 digits, which is shown unchanged: it is an identifier, not a quantity."""


@dataclass(slots=True)
class Extras:
    """The content of a sheet other than plain values. Rows and columns count from 0.

    Attributes:
        texts: Row → column → displayed text, where calamine's is wrong.
        hidden_rows: Rows that are hidden or too low.
        hidden_columns: Columns that are hidden or too narrow.
        unseen: Invisible cell → the reason.
        merges: Top, left, bottom, right of merged cells.
        links: Cell → URL.
        comments: Cell → author and text.
        shapes: Text of each text box and other shape.
        uncalculated: Cells whose formula has no value.
        beyond: Number of cells outside the largest possible sheet, which were not read.
        cut: True if the sheet has more cells than `MAX_CELLS`.
        damaged: Why the sheet could not be read to its end; empty if it could.
    """

    texts: dict[int, dict[int, str]] = field(default_factory=dict[int, dict[int, str]])
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_columns: set[int] = field(default_factory=set[int])
    unseen: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    merges: list[tuple[int, int, int, int]] = field(default_factory=list[tuple[int, int, int, int]])
    links: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    comments: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict[tuple[int, int], tuple[str, str]])
    shapes: list[str] = field(default_factory=list[str])
    uncalculated: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    beyond: int = 0
    cut: bool = False
    damaged: str = ""


def read_extras(package: Package, part: str, call: Call, *, every_cell: bool = False) -> Extras:
    """Read a sheet's XML.

    Args:
        package: The workbook.
        part: The sheet's part.
        call: Checked for cancellation between rows.
        every_cell: True to read plain texts and numbers, too, up to `MAX_CELLS`.
    """
    extras = Extras()
    strings = _shared_strings(package) if every_cell else []
    scan = _Scan(package, extras, strings, every_cell=every_cell)
    targets = relations(package.archive, part)
    tags = [f"{ANY}{name}" for name in ("row", "col", "mergeCell", "hyperlink", "autoFilter", *COLOURED_BY)]
    try:
        with package.open(part) as file:
            for _, element in etree.iterparse(file, tag=tags, resolve_entities=False):
                call.check()
                scan.element(element, targets)
                _free(element)
                if extras.cut:
                    break
    except DAMAGED as error:
        extras.damaged = type(error).__name__
    # These elements follow the cells, so the reasons can be withdrawn only at the end.
    if scan.is_coloured:
        extras.unseen = {position: reason for position, reason in extras.unseen.items() if reason != BY_COLOUR}
    for table in of_kind(targets, "table"):
        root = parse(package.archive, table)
        for filters in root.iter(f"{ANY}autoFilter") if root is not None else ():
            scan.element(filters, {})
    # A filter hides rows from the view of the moment; nobody left them out.
    for rows in scan.filtered:
        extras.hidden_rows.difference_update(rows)
    for comments in of_kind(targets, "comments"):
        extras.comments.update(_comments(package, comments))
    for drawing in of_kind(targets, "drawing"):
        extras.shapes += shape_texts(package, drawing)
    return extras


class _Scan:
    """Collects the extras of a sheet, element by element.

    Attributes:
        is_coloured: True if cells may have a colour other than their style's.
        filtered: Rows of which a filter shows some.
    """

    is_coloured = False

    def __init__(self, package: Package, extras: Extras, strings: list[str], *, every_cell: bool) -> None:
        self.filtered: list[range] = []
        self._codes = {str(style): code for style, code in enumerate(package.formats)}
        self._columns: dict[str, int] = {}
        self._unseen = package.unseen
        self._from_1904 = package.from_1904
        self._extras = extras
        self._strings = strings
        self._every_cell = every_cell
        self._row = -1
        self._cells = 0

    def element(self, element: Element, targets: dict[str, tuple[str, str, bool]]) -> None:
        """Add an element."""
        match str(element.tag).rpartition("}")[2]:
            case "row":
                self._add_row(element)
            case "col":
                self._add_column(element)
            case "autoFilter":
                if rows := _filtered_rows(element):
                    self.filtered.append(rows)
            case name if name in COLOURED_BY:
                self.is_coloured = True
            case "mergeCell":
                if area := parse_area(element.get("ref", "") or ""):
                    self._extras.merges.append(area)
            case _:
                self._add_link(element, targets)

    def _add_row(self, row: Element) -> None:
        number = row.get("r", "") or ""
        self._row = int(number) - 1 if number.isdecimal() else self._row + 1
        if not 0 <= self._row < MAX_ROWS:
            self._extras.beyond += len(row)
            return
        if row.get("hidden") in ("1", "true") or _is_below(row.get("ht"), MIN_ROW_POINTS):
            self._extras.hidden_rows.add(self._row)
        position = (self._row, -1)
        for cell in row:
            kind = cell.get("t")
            position = self._position(cell.get("r"), number, position[1] + 1)
            if position[0] >= MAX_ROWS or position[1] >= MAX_COLUMNS:
                self._extras.beyond += 1
                continue
            if self._unseen and (reason := self._unseen.get(cell.get("s") or "0")):
                self._extras.unseen[position] = reason
            if kind in _PLAIN and not self._every_cell:
                continue
            text = self._text(cell, kind or "n", position)
            if text is not None:
                self._extras.texts.setdefault(position[0], {})[position[1]] = text
                self._cells += 1
        self._extras.cut = self._every_cell and self._cells >= MAX_CELLS

    def _position(self, address: str | None, row: str, next_column: int) -> tuple[int, int]:
        """Return a cell's row and column; without an address, the next column."""
        if not address:
            return self._row, next_column
        name = address.removesuffix(row) if row else ""
        # Column names repeat in every row and are parsed once.
        column = self._columns.get(name)
        if column is not None:
            return self._row, column
        position = parse_cell(address)
        if position is None:
            return self._row, next_column
        if name.isalpha():
            self._columns[name] = position[1]
        return position

    def _text(self, cell: Element, kind: str, position: tuple[int, int]) -> str | None:
        """Return a cell's text; None if calamine's is correct."""
        value, formula = "", False
        inline = None
        for child in cell:
            name = str(child.tag)[-2:]
            if name == "}v":
                value = child.text or ""
            elif name == "}f":
                formula = True
            elif name == "is":
                inline = child
        # Programs that write workbooks without calculating leave formulas without values.
        if formula and not value and kind != "str":
            self._extras.uncalculated.append(position)
            return None
        if kind == "n":
            return self._number(value, cell.get("s") or "")
        if kind == "e":
            return value
        return self._plain(kind, value, inline) if self._every_cell else None

    def _plain(self, kind: str, value: str, inline: Element | None) -> str | None:
        if kind == "s":
            number = int(value) if value.isdecimal() and len(value) < 9 else -1  # noqa: PLR2004 - a plausible index
            return self._strings[number] if 0 <= number < len(self._strings) else None
        if kind == "inlineStr":
            return _string(inline) if inline is not None else None
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        return value or None

    def _number(self, value: str, style: str) -> str | None:
        code = self._codes.get(style, "")
        if not code and len(value) < MIN_LONG_DIGITS and not self._every_cell:
            return None
        try:
            number = float(value)
        except ValueError:
            return None
        text = formatted(number, code, from_1904=self._from_1904) if code else None
        if text is not None:
            return text
        # As text, for a float would change its last digits.
        if _INTEGER.fullmatch(value):
            return value
        return general(number) if self._every_cell or code else None

    def _add_column(self, column: Element) -> None:
        if column.get("hidden") not in ("1", "true") and not _is_below(column.get("width"), MIN_COLUMN_CHARACTERS):
            return
        with suppress(ValueError):
            first, last = int(column.get("min", "") or ""), int(column.get("max", "") or "")
            self._extras.hidden_columns.update(range(max(first - 1, 0), min(last, MAX_COLUMNS)))

    def _add_link(self, link: Element, targets: dict[str, tuple[str, str, bool]]) -> None:
        area = parse_area(link.get("ref", "") or "")
        key = next((value for name, value in link.attrib.items() if name.endswith("}id")), "")
        target, _, outside = targets.get(key, ("", "", False))
        if area and outside and target:
            self._extras.links[area[0], area[1]] = target


def _filtered_rows(filters: Element) -> range:
    """Return the rows of an active filter."""
    area = parse_area(filters.get("ref", "") or "")
    return range(area[0], area[2] + 1) if area and any(len(column) for column in filters) else range(0)


def _is_below(text: str | None, minimum: float) -> bool:
    """Return True if a size is set and below the minimum."""
    try:
        return text is not None and float(text) < minimum
    except ValueError:
        return False


def _free(element: Element) -> None:
    """Free the memory of an element and all before it, which `iterparse` would keep to the end."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def _string(item: Element) -> str:
    """Return a string of runs, without its phonetic guide."""
    texts: list[str] = []
    for child in item:
        name = str(child.tag).rpartition("}")[2]
        if name == "t":
            texts.append(child.text or "")
        elif name == "r":
            texts.extend(text.text or "" for text in child.findall(f"{ANY}t"))
    return "".join(texts)


def _shared_strings(package: Package) -> list[str]:
    part = next((name for name in package.archive.namelist() if name.endswith("/sharedStrings.xml")), "")
    strings: list[str] = []
    if not part:
        return strings
    with suppress(*DAMAGED), package.open(part) as file:
        for _, element in etree.iterparse(file, tag=f"{ANY}si", resolve_entities=False):
            strings.append(_string(element))
            _free(element)
    return strings


def _comments(package: Package, part: str) -> Iterable[tuple[tuple[int, int], tuple[str, str]]]:
    root = parse(package.archive, part)
    if root is None:
        return
    authors = [author.text or "" for author in root.iter(f"{ANY}author")]
    for comment in islice(root.iter(f"{ANY}comment"), MAX_CELLS):
        position = parse_cell(comment.get("ref", "") or "")
        number = comment.get("authorId", "") or ""
        text = comment.find(f"{ANY}text")
        if position and text is not None:
            author = authors[int(number)] if number.isdecimal() and int(number) < len(authors) else ""
            yield position, (author, _string(text).strip())
