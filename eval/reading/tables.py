"""Tables of PDFs, as if untagged, against their truth; other tools beside us where an interpreter has them.

    python eval/reading/tables.py [--held-out] [--peers PYTHON] [--sets NAME,NAME] [--misses]

Scores: rows with exactly these values in cells of their own, in order; of them, how many stand in the table's columns
and have their label in one cell; years of the header over their columns; value columns under all the words of their
header; line items of invoices in one row (and in four separate cells); requirements in exactly one row; tables on pages
that have none; headings that became rows; ms a page. `--held-out` takes the pages put aside (eval/reading/README.md).
`--misses` prints what was not found; never together.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))
from table_finders import Finder, finders, grid, opened, tagged_tables
from table_scores import Grid, Tally, item_hit, named, requirement_hit, statement, swallowed
from table_truth import page_text, text_rows

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("PINCITE_DATA", HERE.parents[2] / "shared" / "data"))
REPORTS = DATA / "financebench" / "pdfs"
VERIZON = "VERIZON_2022_10K.pdf"
SETS = ("statements", "pages", "verizon", "headers", "items", "others", "asvs", "false")


class Run(NamedTuple):
    """What is to be scored, and how much is to be said of it."""

    finder: Finder
    held_out: bool
    misses: bool

    def grids(self, path: Path, page: int) -> list[Grid]:
        """The tables of a page."""
        return self.finder.grids(path, page)

    def missed(self, what: str, rows: Iterable[object]) -> None:
        """Print what was not found, where that is wanted and allowed."""
        if self.misses and not self.held_out:
            for row in rows:
                print(f"  missed {what}: {row}")


def lines(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (DATA / "tables" / name).read_text("utf-8").splitlines()]


def statements(run: Run) -> Iterable[Tally]:
    if run.held_out:
        return
    total = Tally("statements")
    for entry in lines("statements.jsonl"):
        rows = [(row["label"], tuple(row["values"])) for row in entry["rows"]]
        found, missed = statement(run.grids(REPORTS / entry["file"], entry["page"]), rows, entry["years"])
        total.add(found)
        run.missed(f"{entry['file']} {entry['page']}", missed)
    yield total


def pages(run: Run) -> Iterable[Tally]:
    name = "held-out" if run.held_out else "dev"
    total = Tally(f"pages {name}")
    for line in (HERE / "table_pages" / f"{name}.tsv").read_text("utf-8").splitlines():
        file, page = line.split("\t")
        rows = list(text_rows(page_text(opened(REPORTS / file), int(page))))
        found, missed = statement(run.grids(REPORTS / file, int(page)), rows, ())
        total.add(found)
        run.missed(f"{file} {page}", missed)
    yield total


def verizon(run: Run) -> Iterable[Tally]:
    total = Tally(f"verizon {'even' if run.held_out else 'odd'}")
    for entry in lines("verizon.jsonl"):
        if entry["page"] % 2 == int(run.held_out):
            continue
        rows = [(row["label"], tuple(row["values"])) for row in entry["rows"]]
        found, missed = statement(run.grids(REPORTS / VERIZON, entry["page"]), rows, ())
        total.add(found)
        run.missed(f"verizon {entry['page']}", missed)
    yield total


def headers(run: Run) -> Iterable[Tally]:
    total = Tally(f"header words {'even' if run.held_out else 'odd'}")
    path = REPORTS / VERIZON
    for page, table in tagged_tables(path):
        if page % 2 != int(run.held_out):
            rows = grid(table).rows
            found, named_of = named(run.grids(path, page), rows[: table.header_rows], rows[table.header_rows :])
            total.found += found
            total.all += named_of
            if found < named_of:
                run.missed(f"header {page}", rows[: table.header_rows])
    yield total


def items(run: Run) -> Iterable[Tally]:
    if run.held_out:
        return
    one_row, strict = Tally("items"), Tally("items strict")
    for entry in lines("invoice-items.jsonl"):
        path = DATA / "invoices" / "facturx" / entry["file"]
        found = [grid for page in range(run.finder.pages(path)) for grid in run.grids(path, page + 1)]
        for item in entry["items"]:
            hits = item_hit(found, item["description"], [item["quantity"], item["price"], item["total"]])
            one_row.count(hit=hits[0])
            strict.count(hit=hits[1])
            if not hits[1]:
                run.missed(entry["file"], [item])
    yield from (one_row, strict)


def others(run: Run) -> Iterable[Tally]:
    if not run.held_out:
        return
    total, strict = Tally("invoice2data"), Tally("invoice2data strict")
    for truth in sorted((DATA / "invoices" / "invoice2data").glob("*.json")):
        path = truth.with_suffix(".pdf")
        if not path.exists():
            continue
        found = [grid for page in range(run.finder.pages(path)) for grid in run.grids(path, page + 1)]
        for invoice in json.loads(truth.read_text("utf-8")):
            for line in invoice.get("lines", invoice.get("line_items", [])):
                name = line.get("name", line.get("desc"))
                numbers = [str(line[key]) for key in ("qty", "price_unit", "price_subtotal") if key in line]
                if name:
                    hits = item_hit(found, name, numbers)
                    total.count(hit=hits[0])
                    strict.count(hit=hits[1])
    yield from (total, strict)


def asvs(run: Run) -> Iterable[Tally]:
    if run.held_out:
        return
    folder = DATA / "asvs-4.0.3"
    path = folder / "asvs-4.0.3-en.pdf"
    found = [grid for page in range(run.finder.pages(path)) for grid in run.grids(path, page + 1)]
    truth = json.loads((folder / "asvs-4.0.3-en.flat.json").read_text("utf-8"))["requirements"]
    total = Tally("asvs rows")
    for entry in truth:
        hit = requirement_hit(found, entry["req_id"][1:], entry["req_description"])
        total.count(hit=hit)
        if not hit:
            run.missed("asvs", [entry["req_id"]])
    yield total
    yield swallowed_headings(run, path, "asvs headings")


def swallowed_headings(run: Run, path: Path, name: str) -> Tally:
    total = Tally(f"{name} in tables", fewer=True)
    for page, headings in run.finder.headings(path):
        inside = swallowed(run.grids(path, page), headings)
        total.found += len(inside)
        total.all += len(headings)
        run.missed(f"heading in a table {page}", inside)
    return total


def false(run: Run) -> Iterable[Tally]:
    if run.held_out:
        return
    path = REPORTS / VERIZON
    with_tables = {entry["page"] for entry in lines("verizon.jsonl")}
    total = Tally("false tables", fewer=True)
    for page in range(1, run.finder.pages(path) + 1):
        if page not in with_tables:
            grids = run.grids(path, page)
            total.found += len(grids)
            total.all += 1
            run.missed(f"false table {page}", [grid.rows[:3] for grid in grids])
    yield total
    yield swallowed_headings(run, path, "verizon headings")


def print_table(columns: Sequence[tuple[str, list[Tally], float]]) -> None:
    print("| set | " + " | ".join(name for name, _, _ in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for index, tally in enumerate(columns[0][1]):
        print(f"| {tally.name} | " + " | ".join(tallies[index].said() for _, tallies, _ in columns) + " |")
    print("| ms a page | " + " | ".join(f"{ms:.1f}" for _, _, ms in columns) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--peers", help="an interpreter that has pdfplumber, camelot or img2table")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    columns: list[tuple[str, list[Tally], float]] = []
    for finder in finders(given.peers):
        run = Run(finder, given.held_out, given.misses)
        start = time.perf_counter()
        tallies = [tally for name in given.sets.split(",") for tally in globals()[name](run)]
        print(f"{finder.name}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
        columns.append((finder.name, tallies, finder.ms_a_page()))
    print_table(columns)


if __name__ == "__main__":
    main()
