"""Contents of documents with tables: words, values, cells and styles."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markdown_tables import Rows

ROOT = Path(__file__).resolve().parents[2]
COLOUR_STEP = 37
"""Factor from a cell's number to its colour: neighbours differ in all renderers, and all are dark."""
MAX_UNWRAPPED = 18
"""Characters of a document's cell up to which its column does not wrap."""


@dataclass
class Cell:
    """A cell of a table, with its position and spans."""

    text: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    colour: int = 0
    indent: int = 0


@dataclass
class Table:
    """Cells by row; `groups` are the rows that begin a group, `wide` the columns whose text wraps."""

    cells: list[Cell]
    rows: int
    columns: int
    header_rows: int
    groups: list[int] = field(default_factory=list)
    wide: list[int] = field(default_factory=list)
    numeric: list[int] = field(default_factory=list)


@dataclass
class Style:
    """How tables of a document are set.

    Attributes:
        rules: `none`, `book` (three), `groups` (also between groups), `rows`, `header`, `grid` or `columns`.
        stripes: Lightness in percent of every other row; 100 for none.
        header_fill: Lightness in percent behind the header; 100 for none.
        leading: Line pitch relative to the font's own.
        padding: Height of a row relative to that of its lines.
        spread: Half the white between two columns, in points.
        lines: Most words of a wrapped cell.
        kind: Contents of the tables: `values`, `records`, `mixed` of both, `items` of an invoice, or tables of
            `documents`.
        align: Vertical alignment of a row's cells: `top`, `middle` or `bottom`.
        narrow: True if all texts of records wrap.
        bullets: True if some texts are lists, an entry a line.
        breaks: True if tables may go on over pages.
    """

    rules: str = "book"
    stripes: int = 100
    header_fill: int = 100
    leading: float = 1.0
    padding: float = 1.0
    spread: float = 6.0
    size: int = 10
    font: int = 0
    bold_header: bool = True
    lines: int = 14
    kind: str = "mixed"
    spans: bool = True
    breaks: bool = False
    centred_labels: bool = True
    body: int = 3
    align: str = "top"
    wraps_labels: bool = False
    bullets: bool = False
    header_lines: int = 1
    narrow: bool = False


WITNESSES = {
    "book": Style(),
    "stripes": Style(stripes=96, header_fill=85, leading=1.2, padding=1.15, kind="records", lines=24),
    "rules": Style(rules="rows", kind="records", leading=1.3, lines=24),
    "stretch": Style(leading=1.25, padding=1.3, kind="records", lines=24),
    "open": Style(leading=1.5, padding=1.4, rules="none", kind="records", lines=24),
    "loose": Style(padding=1.6, rules="header", kind="values"),
    "wrapped": Style(kind="records", lines=30, size=9, spread=4, padding=1.2),
    "spans": Style(rules="groups", kind="values", padding=1.2),
    "long": Style(breaks=True, leading=1.3, stripes=96, kind="records", padding=1.4, lines=30),
    "plain": Style(rules="none", kind="values", bold_header=False, size=11),
}


class Words:
    """Words, phrases and values in plausible forms."""

    def __init__(self, source: random.Random, tables: Sequence[Rows] = ()) -> None:
        self._random = source
        self.tables = tables
        prose = " ".join(path.read_text("utf-8") for path in sorted((ROOT / "docs/guide").glob("*.md")))
        prose = re.sub(r"```.*?```|`[^`]*`|\[|\]\([^)]*\)|[|#*<>_]", " ", prose, flags=re.DOTALL)
        self._words = [word for word in prose.split() if re.fullmatch(r"[A-Za-z]{1,14}[.,;]?", word)]

    def text(self, least: int, most: int, *, end: str = "") -> str:
        count = self._random.randint(least, max(least, most))
        start = self._random.randrange(len(self._words) - count)
        text = " ".join(self._words[start : start + count]).rstrip(".,;")
        return text[0].upper() + text[1:] + end

    def name(self) -> str:
        pick = self._random.random()
        if pick < 0.3:
            return f"{self.text(1, 1)}-{self._random.randint(1, 90)}{self._random.choice(['', 'B', 'k', '.1'])}"
        return self.text(1, 3) if pick < 0.8 else self._random.choice("ABCDEFGHR") + str(self._random.randint(1, 99))

    def value(self, form: int) -> str:
        number = self._random.random
        if number() < 0.05:
            return self._random.choice(["-", "n/a", "–"])
        forms = (
            f"{100 * number():.1f}",
            f"{number():.3f}",
            f"{int(10 ** (6 * number())):,}",
            f"{100 * number():.2f}%",
            f"{99 * number():.1f} ± {number():.1f}",
            str(self._random.randint(0, 99)),
            self._random.choice(["yes", "no", "partly"]),
            f"$ {int(9e4 * number()):,}",
        )
        return forms[form % len(forms)]


def table_of(style: Style, words: Words, source: random.Random, least_rows: int) -> Table:
    """Return a table in a style: of values, of records whose texts wrap, of items, or as a document has it."""
    kind = style.kind if style.kind != "mixed" else source.choice(["values", "records"])
    made = {"values": _values, "records": _records, "items": _items, "documents": _documents}
    return made[kind](style, words, source, least_rows)


def _values(style: Style, words: Words, source: random.Random, least_rows: int) -> Table:
    labels, values = source.choice([1, 1, 2]), source.randint(2, 7)
    columns = labels + values
    forms = [source.randrange(8) for _ in range(values)] if source.random() < 0.5 else [source.randrange(8)] * values
    cells: list[Cell] = []
    header_rows = 1
    if style.spans and values > 3 and source.random() < 0.6:
        header_rows, column = 2, labels
        while column < columns:
            width = min(source.randint(1, 3), columns - column)
            cells.append(Cell(words.text(1, 2), 0, column, 1, width))
            column += width
    if header_rows == 1 or source.random() < 0.7:
        cells += [Cell(words.name(), header_rows - 1, column) for column in range(labels)]
    cells += [Cell(_name(words, style, source), header_rows - 1, column) for column in range(labels, columns)]
    rows, groups = header_rows, []
    wraps, indents = style.wraps_labels, source.choice([0, 0, 1, 2])
    while rows < header_rows + least_rows:
        size = source.randint(2, 5) if labels == 2 or style.rules == "groups" else source.randint(3, 9)
        groups.append(rows)
        if labels == 2:
            spans = style.centred_labels and style.spans
            cells.append(Cell(words.name(), rows, 0, size if spans else 1))
        titles = source.choice([0, 0, 0, 1, 1, 2]) if labels == 1 else 0
        for level in range(titles):
            cells.append(
                Cell(
                    words.text(1, 5), rows, 0, 1, columns if style.spans and not indents else 1, indent=indents * level
                )
            )
            rows += 1
        for row in range(rows, rows + size):
            label = words.text(3, 16) if wraps and source.random() < 0.4 else words.name()
            cells.append(Cell(label, row, labels - 1, indent=indents * titles))
            cells += [
                Cell(words.value(form), row, column)
                for column, form in enumerate(forms, labels)
                if source.random() < 0.96
            ]
        rows += size
    return Table(cells, rows, columns, header_rows, groups, [labels - 1] if wraps else [], list(range(labels, columns)))


def _name(words: Words, style: Style, source: random.Random) -> str:
    """Return the name of a column, of one line or several."""
    return "\n".join(words.text(1, 2) for _ in range(source.randint(1, style.header_lines)))


def _records(style: Style, words: Words, source: random.Random, least_rows: int) -> Table:
    wide = source.choice([1, 1, 2, 3])
    columns = wide + source.randint(1, 3)
    order = list(range(columns))
    source.shuffle(order)
    texts = sorted(order[:wide])
    keys = [column for column in range(columns) if column not in texts]
    has_id, end = 0 in keys and source.random() < 0.6, source.choice(["", "", "."])
    forms = {column: source.randrange(9) for column in keys}
    cells = [Cell(_name(words, style, source), 0, column) for column in range(columns)]
    most = source.randint(6, max(7, style.lines))
    for row in range(1, least_rows + 1):
        for column in range(columns):
            if column in texts:
                count = source.randint(2, 4) if style.bullets and source.random() < 0.5 else 1
                entries = [words.text(2, source.choice([4, most, most]), end=end) for _ in range(count)]
                text = "\n".join(f"• {entry}" for entry in entries) if count > 1 else entries[0]
            elif style.narrow:
                text = words.text(1, 6)
            elif column == 0 and has_id:
                text = f"{row // 9 + 1}.{row % 9 + 1}"
            else:
                text = words.value(forms[column]) if forms[column] < 5 else words.name()
            if column == 0 or source.random() < 0.9:
                cells.append(Cell(text, row, column))
    groups = [row for row in range(1, least_rows + 1) if source.random() < 0.15]
    return Table(cells, least_rows + 1, columns, 1, groups, list(range(columns)) if style.narrow else texts)


def _items(style: Style, words: Words, source: random.Random, least_rows: int) -> Table:
    """Return the items of an invoice: texts with details below them, quantities, prices and amounts, and totals."""
    choice, number = source.choice, source.random
    units, sign = choice([["Stk", "h", "kg", "m"], ["pcs", "hrs"], [""]]), choice(["", "", "$", "€ ", "EUR "])
    tax, comma = choice([True, False]), choice([True, False])

    def money(most: float = 3.6) -> str:
        text = f"{10 ** (0.5 + most * number()):,.2f}"
        return sign + (text.translate(str.maketrans(",.", ".,")) if comma else text)

    def detail() -> str:
        return f"{words.text(1, 3)}{choice([':', ' :', ': ='])} {words.name()}"

    def described() -> str:
        details = [detail() for _ in range(choice([0, 0, 1, 2, 4]))]
        return "\n".join([words.text(1, choice([3, 5, 9])), *details])

    ways = {
        "Pos": str,
        "Item": lambda _: "\n".join(words.name() for _ in range(choice([1, 1, 2]))),
        "Text": lambda _: described(),
        "Price": lambda _: money(),
        "Qty": lambda _: f"{choice([1, 2, 5, 10, 100])} {choice(units)}".strip(),
        "Tax": lambda _: choice(["19 %", "7 %", "20%", "0%"]),
        "Total": lambda _: money(4),
    }
    order = [name for name in ways if name in ("Text", "Total") or ((name != "Tax" or tax) and number() < 0.75)]
    if number() < 0.3:
        order.sort(key=lambda name: name != "Qty")
    columns = len(order)
    rows = 1 + max(1, least_rows // choice([2, 3, 5]))
    cells = [Cell(choice([name, words.text(1, 2), _name(words, style, source)]), 0, n) for n, name in enumerate(order)]
    cells += [
        Cell(ways[name](row), row, n)
        for row in range(1, rows)
        for n, name in enumerate(order)
        if name in ("Text", "Total") or number() < 0.95
    ]
    body = rows
    for label in ("Subtotal", "Tax", "Total")[: choice([0, 0, 1, 3])]:
        cells += [Cell(label, rows, choice([0, columns - 2])), Cell(money(4), rows, columns - 1)]
        rows += 1
    wide = [order.index("Text")] if style.narrow else []
    numeric = [n for n, name in enumerate(order) if name in ("Price", "Qty", "Total")]
    return Table(cells, rows, columns, 1, [body] if body < rows else [], wide, numeric)


def _documents(style: Style, words: Words, source: random.Random, least_rows: int) -> Table:
    """Return rows of a table that a document has."""
    header, *body = source.choice(words.tables)
    start = source.randrange(max(1, len(body) - least_rows))
    rows = [header, *body[start : start + least_rows]]
    widest = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cells = [Cell(text, row, column) for row, texts in enumerate(rows) for column, text in enumerate(texts) if text]
    wide = [column for column, width in enumerate(widest) if style.narrow or width > MAX_UNWRAPPED]
    return Table(cells, len(rows), len(header), 1, [], wide)


def grid_of(table: Table) -> list[list[Cell | None]]:
    """Return the cell that begins at each position; None where none does."""
    grid: list[list[Cell | None]] = [[None] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        grid[cell.row][cell.column] = cell
    return grid


def covered(table: Table) -> set[tuple[int, int]]:
    """Return the positions that a cell above or at the left covers."""
    return {
        (cell.row + down, cell.column + right)
        for cell in table.cells
        for down in range(cell.rows)
        for right in range(cell.columns)
        if down or right
    }


def has_rule(table: Table, style: Style, row: int) -> bool:
    """Return True if a rule is above a row."""
    if row in (0, table.rows):
        return style.rules not in ("none", "header", "columns")
    if row == table.header_rows:
        return style.rules != "none"
    if row in table.groups:
        return style.rules in ("groups", "rows", "grid")
    return row > table.header_rows and style.rules in ("rows", "grid")


def random_style(source: random.Random) -> Style:
    """Return a plausible style."""
    choice, number = source.choice, source.uniform
    rules = choice(["book", "book", "groups", "rows", "header", "grid", "none", "none", "columns"])
    # Rows without rules or fills are set no closer than their lines.
    leading = choice([1.0, 1.0, number(0.95, 1.15), number(1.0, 1.6)])
    padding = round(number(1.0, 1.7), 2) if rules in ("none", "header", "book") else round(number(0.95, 1.6), 2)
    return Style(
        rules=rules,
        stripes=choice([100, 100, 100, source.randint(88, 98)]),
        header_fill=choice([100, 100, source.randint(70, 97)]),
        leading=round(leading, 2),
        # LaTeX's default: rows are as far apart as the lines of a cell.
        padding=choice([1.0, padding]),
        spread=round(number(3, 10), 1),
        size=choice([9, 10, 10, 11, 12]),
        font=source.randrange(12),
        bold_header=source.random() < 0.6,
        lines=choice([8, 14, 24, 40]),
        breaks=source.random() < 0.25,
        spans=source.random() < 0.7,
        centred_labels=source.random() < 0.7,
        body=source.randint(1, 4),
        align=choice(["top", "top", "middle", "bottom"]),
        wraps_labels=source.random() < 0.4,
        bullets=source.random() < 0.2,
        header_lines=choice([1, 1, 2, 3]),
        narrow=source.random() < 0.25,
    )


def blocks_of(
    style: Style, source: random.Random, tables: int, rows: tuple[int, int], known: Sequence[Rows] = ()
) -> Iterator[str | Table]:
    """Yield paragraphs and tables, whose cells get their colours; `known` are the tables of documents."""
    words = Words(source, known)
    number = 0
    for _ in range(tables):
        yield from (words.text(25, 90, end=".") for _ in range(source.randint(0, style.body)))
        if source.random() < 0.5:
            yield f"Table {source.randint(1, 9)}: {words.text(3, 9, end='.')}"
        table = table_of(style, words, source, source.randint(*rows))
        for cell in table.cells:
            number += 1
            cell.colour = number * COLOUR_STEP
        yield table
    yield words.text(25, 60, end=".")
