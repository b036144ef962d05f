"""How found tables are compared with what is true of them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from table_truth import FEWEST_VALUES, glued, is_value, value

TAIL = 25
"""So many letters and digits at a label's end tell it from another (the data folder's README)."""
HEAD = 20
"""So many of an item's description."""
DECIMALS = 4
NUMBER = re.compile(r"\d[\d.,' ]*\d|\d")
NOTE = re.compile(r"\(\d\)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


@dataclass(frozen=True)
class Grid:
    """A found table: rows of texts; a header that spans columns stands in each of them.

    Attributes:
        rows: By row and column; empty text where no cell is.
    """

    rows: list[list[str]]


@dataclass
class Tally:
    """How many of how many, and finer counts of the ones found."""

    name: str
    found: int = 0
    all: int = 0
    finer: Counter[str] = field(default_factory=Counter[str])
    fewer: bool = False

    def count(self, *, hit: bool) -> None:
        """One more."""
        self.found += hit
        self.all += 1

    def add(self, other: "Tally") -> None:
        """As many more as another has."""
        self.found += other.found
        self.all += other.all
        self.finer += other.finer

    def said(self) -> str:
        """A cell of the printed table."""
        finer = "".join(f", {key} {count}" for key, count in self.finer.items() if key != "years all")
        if self.finer["years all"]:
            finer = finer.replace(", years ", f", years of {self.finer['years all']}: ")
        if self.fewer:
            return f"{self.found} ({self.all})"
        share = f" ({self.found / self.all:.3f})" if self.all else ""
        return f"{self.found}/{self.all}{share}{finer}"


def fold(text: str) -> str:
    """Letters and digits alone."""
    return re.sub(r"[\W_]", "", text.lower())


def values_of(row: Sequence[str]) -> list[tuple[int, str]]:
    """The cells of a row that hold a number or a dash and no more, with their columns."""
    found: list[tuple[int, str]] = []
    for column, text in enumerate(row):
        tokens = glued(text.split())
        if len(tokens) > 1 and NOTE.fullmatch(tokens[-1]):
            tokens.pop()
        if len(tokens) == 1 and is_value(tokens[0]):
            found.append((column, value(tokens[0])))
    return found


def _flat(row: Sequence[str]) -> tuple[str, ...]:
    """All values at the end of a row's joined text."""
    tokens = glued(" ".join(row).split())
    first = len(tokens)
    while first and is_value(tokens[first - 1]):
        first -= 1
    return tuple(value(token) for token in tokens[first:])


def _columns(row: Sequence[str], label: str, values: tuple[str, ...]) -> tuple[int, ...] | None:
    """The columns of the values where a row holds the label and exactly them."""
    if fold(label)[-TAIL:] not in fold("".join(row)):
        return None
    cells = values_of(row)
    texts = tuple(text for _, text in cells)
    if texts == values:
        return tuple(column for column, _ in cells)
    # A note or a day before the first value, as in `Total (1) 5 6`, may be of the label.
    if len(values) > len(texts) > 1 and texts == values[1:] and _flat(row) == values:
        return tuple(column for column, _ in cells)
    return None


def statement(
    grids: Iterable[Grid], rows: Sequence[tuple[str, tuple[str, ...]]], years: Sequence[str]
) -> tuple[Tally, list[tuple[str, tuple[str, ...]]]]:
    """The rows of a page that are found, with the years over them, and those that are not."""
    tally, missed, places = Tally(""), [], []
    grids = list(grids)
    for label, values in rows:
        place = next(
            (
                (grid, index, columns)
                for grid in grids
                for index, row in enumerate(grid.rows)
                if (columns := _columns(row, label, values)) is not None
            ),
            None,
        )
        tally.count(hit=place is not None)
        if place is None:
            missed.append((label, values))
            continue
        grid, index, columns = place
        tally.finer["label in one cell"] += any(fold(label) in fold(text) for text in grid.rows[index])
        places.append((id(grid), len(columns), columns, index, grid))
    usual = {
        key: Counter(columns for table, count, columns, _, _ in places if (table, count) == key).most_common(1)[0][0]
        for key in {(table, count) for table, count, *_ in places}
    }
    tally.finer["in columns"] += sum(usual[table, count] == columns for table, count, columns, _, _ in places)
    if years:
        tally.finer["years"] += _years(places, years)
        tally.finer["years all"] += len(years)
    return tally, missed


def named(grids: Iterable[Grid], header: list[list[str]], body: list[list[str]]) -> tuple[int, int]:
    """Of how many value columns of a table all words of the header stand above the values, in their column.

    It is told at the first row that is found; the table's own header gives the words.
    """
    grids = list(grids)
    for row in body:
        values = values_of(row)
        label = "".join(text for text in row if text and not values_of([text]))
        if len(values) < FEWEST_VALUES:
            continue
        for grid in grids:
            for index, other in enumerate(grid.rows):
                columns = _columns(other, label, tuple(value for _, value in values))
                if columns is not None and len(columns) == len(values):
                    pairs = zip(values, columns, strict=True)
                    right = (_words(header, a) <= _words(grid.rows[:index], b) for (a, _), b in pairs)
                    return sum(right), len(values)
    return 0, 0


def _words(rows: list[list[str]], column: int) -> set[str]:
    return {word for row in rows if column < len(row) for word in re.findall(r"\w+", row[column].lower())}


def _years(places: list[tuple[int, int, tuple[int, ...], int, Grid]], years: Sequence[str]) -> int:
    """How many years stand over the column of their values, above the first row found."""
    full = [place for place in places if place[1] == len(years)]
    if not full:
        return 0
    best = Counter((place[0], place[2]) for place in full).most_common(1)[0][0]
    first = min(place[3] for place in full if (place[0], place[2]) == best)
    grid = next(place[4] for place in full if place[0] == best[0])
    return sum(
        any(year in grid.rows[row][column] for row in range(first) if column < len(grid.rows[row]))
        for year, column in zip(years, best[1], strict=True)
    )


def _reads(token: str) -> set[float]:
    """The numbers that a printed number may mean: `1.234` is one thousand or one."""
    plain = token.replace(" ", "").replace("'", "")
    found: set[float] = set()
    for point, comma in ((".", ","), (",", ".")):
        try:
            found.add(float(plain.replace(comma, "").replace(point, ".")))
        except ValueError:
            continue
    return found


def _prints(cell: str, number: str) -> bool:
    wanted = float(number)
    for token in NUMBER.findall(cell):
        for one in {token, *token.split(" ")}:
            decimals = len(re.split(r"[.,]", one)[-1]) if re.search(r"[.,]", one) else 0
            if any(
                abs(read - wanted) <= 0.5 * 10**-decimals + 1e-9 and decimals <= DECIMALS for read in _reads(one)
            ) and (decimals or wanted == round(wanted)):
                return True
    return False


def item_hit(grids: Iterable[Grid], description: str, numbers: Sequence[str]) -> tuple[bool, bool]:
    """Whether one row holds a line item, and whether each of its parts has a cell of its own."""
    head = fold(description.strip().splitlines()[0])[:HEAD]
    one_row = strict = False
    for grid in grids:
        for row in grid.rows:
            if head not in fold("".join(row)):
                continue
            cells = [text for text in row if text.strip()]
            rest = " ".join(cells)
            one_row |= all(_prints(rest, number) for number in numbers)
            strict |= _separate(cells, head, numbers)
    return one_row, strict


def _separate(cells: Sequence[str], head: str, numbers: Sequence[str]) -> bool:
    texts = [cell for cell in cells if head in fold(cell)]
    others = [cell for cell in cells if head not in fold(cell)]
    if not texts:
        return False
    return any(
        all(_prints(cell, number) for cell, number in zip(chosen, numbers, strict=True))
        for chosen in permutations(others, len(numbers))
    )


def requirement_hit(grids: Iterable[Grid], number: str, text: str) -> bool:
    """Whether exactly one row holds a requirement, number and text, and no other's number."""
    wanted = fold(LINK.sub(r"\1", text))
    rows = [row for grid in grids for row in grid.rows if _first(row) == number]
    return len(rows) == 1 and wanted in fold("".join(rows[0]))


def _first(row: Sequence[str]) -> str:
    return next((cell.strip() for cell in row if cell.strip()), "")


def swallowed(grids: Iterable[Grid], headings: Iterable[str]) -> list[str]:
    """The headings that are a table's row, or its beginning."""
    rows = {fold("".join(dict.fromkeys(row))) for grid in grids for row in grid.rows}
    return [heading for heading in headings if fold(heading) and fold(heading) in rows]
