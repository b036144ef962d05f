r"""Annual and quarterly reports as people set them: every cell of their tables has a text colour of its own.

    python eval/prints/filings.py REPOSITORY OUT [--documents 44] [--seed 5] [--chromium chromium]

REPOSITORY is a clone of `alphanome-ai/sec-parser-test-data` (MIT; the reports are public), whose files
`*/primary-document.html` are reports as they were filed. Of each some tables are taken with the text around them and
set by Chromium. OUT gets `NAME.pdf` and `NAME.json` as those of `generate.py`. Reports of the companies whose PDFs
measure the reader (`eval/reading/tables.py`) are left out.
"""

import argparse
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import lxml.html

sys.path.insert(0, str(Path(__file__).resolve().parent))
from contents import COLOUR_STEP, Cell, Table

MEASURED = {"MMM", "BA", "COST", "CVS", "MSFT", "NFLX", "ULTA", "VZ", "SQ", "AMCR"}
NUMBER = re.compile(r"[($€£¥\s]*[-–—]?[($€£¥\s]*\d[\d,.]*\s*[)%x]*(?:\s*\(?[a-z0-9]{1,2}\))?|[—–-]+|N/?M|n/?m|\*")
BEFORE, AFTER = re.compile(r"[$€£¥(\s]+"), re.compile(r"[)%\s]+|pts?\.?|bps")
MARK = re.compile(r"\(?[\w*†]{1,3}\)?|(?:\(\w\)\s*,?\s*)+")
YEAR = re.compile(r"(19|20)\d\d")
MOST_COLUMNS, MOST_BYTES = 14, 5_000_000


@dataclass
class Part:
    """A value or text of a row, in one HTML cell or, with its signs, in several."""

    row: int
    first: int
    last: int
    text: str
    rows: int
    cells: list[Any] = field(default_factory=list)

    @property
    def is_number(self) -> bool:
        return NUMBER.fullmatch(self.text) is not None


def text_of(element: Any) -> str:
    return re.sub(r"\s+", " ", element.text_content().replace("\xa0", " ")).strip()


def size(element: Any, name: str) -> int:
    value = element.get(name) or "1"
    return max(1, int(value)) if value.isdigit() else 1


def placed(table: Any) -> Iterator[list[Part]]:
    """Yield the cells of each row with their columns."""
    taken: set[tuple[int, int]] = set()
    for row, line in enumerate(table.iter("tr")):
        column, parts = 0, []
        for cell in line:
            if cell.tag not in ("td", "th"):
                continue
            while (row, column) in taken:
                column += 1
            wide, tall = size(cell, "colspan"), size(cell, "rowspan")
            taken |= {(row + down, column + right) for down in range(tall) for right in range(wide)}
            parts.append(Part(row, column, column + wide - 1, text_of(cell), tall, [cell]))
            column += wide
        yield parts


def joined(row: list[Part]) -> list[Part]:
    """Return the parts of a row that have text: signs in cells of their own are of the number beside them."""
    found: list[Part] = []
    signs: list[Part] = []
    for part in row:
        if BEFORE.fullmatch(part.text):
            signs.append(part)
        elif (
            (AFTER.fullmatch(part.text) or is_mark(part))
            and found
            and part.first - found[-1].last <= 2
            and found[-1].is_number
        ):
            found[-1].cells += part.cells
            found[-1].last = max(found[-1].last, part.last)
        elif part.text:
            part.cells += [cell for sign in signs for cell in sign.cells]
            part.first = min(part.first, *(sign.first for sign in signs), part.first)
            signs = []
            found.append(part)
    return found


def is_mark(part: Part) -> bool:
    """Return True for the raised mark of a note."""
    styles = " ".join(
        element.get("style") or str(element.tag) for element in part.cells[0].iter() if element.tag != "td"
    )
    return (
        MARK.fullmatch(part.text) is not None
        and re.search(r"vertical-align:\s*(super|top)|\bsup\b", styles) is not None
    )


def columns_of(parts: list[Part], first: int) -> list[list[int]]:
    """Return the columns that a person sees, as first and last HTML column: those of the values, and of other texts."""
    columns: list[list[int]] = []
    values = [
        part
        for part in parts
        if part.is_number and not YEAR.fullmatch(part.text) and part.last - part.first < 6 and part.first
    ]
    for part in sorted(values, key=lambda part: part.first):
        if columns and part.first <= columns[-1][1]:
            columns[-1][1] = max(columns[-1][1], part.last)
        else:
            columns.append([part.first, part.last])
    for part in sorted((part for part in parts if part.row >= first), key=lambda part: part.last - part.first):
        if not any(part.first <= end and part.last >= start for start, end in columns):
            columns.append([part.first, part.last])
    return sorted(columns)


def coloured(table: Any, colour: int) -> tuple[Table | None, int]:
    """Return what a table says, with its cells coloured, and the last colour; None if it has no values."""
    parts = [part for row in placed(table) for part in joined(row)]
    numbers = [
        part.row
        for part in parts
        if part.is_number and not YEAR.fullmatch(part.text) and part.last - part.first < 6 and part.first
    ]
    rows = sorted({part.row for part in parts})
    columns = columns_of(parts, min(numbers, default=0))
    if len(numbers) < 4 or not 2 <= len(columns) <= MOST_COLUMNS or len(rows) < 3:
        return None, colour
    cells: list[Cell] = []
    seen: set[tuple[int, int]] = set()
    for part in parts:
        over = [number for number, (start, end) in enumerate(columns) if part.first <= end and part.last >= start]
        over = over or [max((number for number, (start, _) in enumerate(columns) if start <= part.first), default=0)]
        if any((part.row, number) in seen for number in over):
            return None, colour
        seen |= {(part.row, number) for number in over}
        colour += COLOUR_STEP
        for cell in part.cells:
            cell.set("style", f"{cell.get('style') or ''};color:#{colour:06x} !important")
            cell.set("data-t", "1")
        tall = sum(part.row <= row < part.row + part.rows for row in rows)
        cells.append(Cell(part.text, rows.index(part.row), over[0], tall, len(over), colour))
    return Table(cells, len(rows), len(columns), rows.index(min(numbers))), colour


def flat(element: Any, depth: int = 0) -> Iterator[Any]:
    """Yield the parts of a page with one table at most, in order."""
    for child in element:
        if not isinstance(child.tag, str):
            continue
        count = sum(1 for _ in child.iter("table"))
        if child.tag != "table" and count and depth < 8 and (count > 1 or len(child.text_content()) > 6000):
            yield from flat(child, depth + 1)
        else:
            yield child


def page_of(source: str, chance: random.Random) -> tuple[str, list[Table]] | None:
    """Return some tables of a report with the text around them as a page, and what they say; None if it has few."""
    document = lxml.html.document_fromstring(re.sub(r"<\?xml[^>]*>", "", source))
    body = document.find("body")
    for element in list(body.iter()) if body is not None else ():
        if isinstance(element.tag, str) and element.tag.lower() in ("ix:header", "img", "script"):
            element.getparent().remove(element)
    parts = list(flat(body)) if body is not None else []
    large = [
        number
        for number, part in enumerate(parts)
        if (part.tag == "table" or part.find(".//table") is not None)
        and len(list(part.iter("tr"))) >= 6
        and len(part.text_content()) < 9000
    ]
    if len(large) < 3:
        return None
    kept: dict[int, None] = {}
    for number in sorted(chance.sample(large, min(len(large), chance.randint(7, 11)))):
        start = max(0, number - chance.randint(1, 4))
        kept |= dict.fromkeys(range(start, min(len(parts), number + chance.randint(1, 3))))
    colour, tables = 0, list[Table]()
    for number in kept:
        parts[number].tail = None
        for table in parts[number].iter("table"):
            if table.find(".//table") is None:
                found, colour = coloured(table, colour)
                tables += [found] if found else []
    styles = "".join(str(lxml.html.tostring(style, encoding="unicode")) for style in document.iter("style"))
    shown = "\n".join(str(lxml.html.tostring(parts[number], encoding="unicode")) for number in kept)
    return (f"{styles}<!---->{shown}", tables) if len(tables) > 1 else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--documents", type=int, default=44)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--chromium", default="chromium")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    paths = [path for path in given.repository.glob("**/primary-document.html") if path.stat().st_size <= MOST_BYTES]
    names = [str(path.relative_to(given.repository)) for path in paths]
    names = sorted(name for name in names if name.split("/")[1] not in MEASURED)
    random.Random(given.seed).shuffle(names)  # noqa: S311 - a choice of tables, no secrets
    made = 0
    for name in names:
        chance = random.Random(f"{given.seed} {name}")  # noqa: S311
        found = page_of((given.repository / name).read_text("utf-8", errors="replace"), chance)
        if found is None or made == given.documents:
            continue
        styles, _, shown = found[0].partition("<!---->")
        paper, scale = chance.choice(["Letter", "Letter", "A4"]), chance.choice([1, 1, 0.85, 0.7])
        rules = f"@page{{size:{paper};margin:{chance.choice([12, 18, 25])}mm}} body{{zoom:{scale}}}"
        head = (
            f"<!doctype html><meta charset=utf-8>{styles}<style>{rules} [data-t] *{{color:inherit !important}}</style>"
        )
        form, company = name.split("/")[:2]
        out = given.out / f"filing-{company}-{form}-{made:03}"
        out.with_suffix(".html").write_text(f"{head}<body>{shown}", "utf-8")
        pdf = f"--print-to-pdf={out.with_suffix('.pdf').absolute()}"
        command = [given.chromium, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", pdf]
        subprocess.run([*command, out.with_suffix(".html").absolute().as_uri()], check=True, capture_output=True)  # noqa: S603
        truth = {"engine": "filing", "tables": [asdict(table) for table in found[1]]}
        out.with_suffix(".json").write_text(json.dumps(truth, ensure_ascii=False), "utf-8")
        made += 1


if __name__ == "__main__":
    main()
