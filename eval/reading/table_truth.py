"""Rows of tables as a page's own text lines print them, and the drawing of the frozen page lists.

    python eval/reading/table_truth.py FOLDER    # draws table_pages/*.tsv again, from the reports in FOLDER

A row is a text line of pdfium with a label and two or more values at its end. It is no truth about columns, but it is
made without any of the rules that find tables.
"""

import argparse
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pypdfium2 as pdfium

HERE = Path(__file__).resolve().parent / "table_pages"
SEED = 20261121
HELD_OUT_PAGES, DEV_PAGES = 60, 60
FEWEST_ROWS, FEWEST_VALUES = 3, 2
DASHES = ("—", "–", "-", "—%")
STATEMENTS = """
AMCOR_2023_10K 52 50|BOEING_2022_10K 55 62|3M_2022_10K 50 52|NETFLIX_2015_10K 40 42|BLOCK_2020_10K 86 90
3M_2018_10K 60 58|CVSHEALTH_2022_10K 108 110|NETFLIX_2017_10K 45|MICROSOFT_2023_10K 60|COSTCO_2021_10K 38
MICROSOFT_2016_10K 52|AMCOR_2023Q4_EARNINGS 12 10
"""
"""The pages of the statements that the rules were made on: never held out."""
DEV_FILES = (
    "3M_2018_10K", "BOEING_2022_10K", "NETFLIX_2015_10K", "MICROSOFT_2023_10K", "AMCOR_2023_10K", "BLOCK_2020_10K",
)  # fmt: skip
"""The second dev list is drawn from these alone, so that the held-out list also has files nobody looked at."""

VALUE = re.compile(r"-?\(?[$€£]?[-(]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?\)?%?\)?|[$€£]?[—–-]%?")
LONGEST_LABEL = 16
"""Words; a line with more before its numbers is prose."""
LETTERS = re.compile(r"[^\W\d_]{2}")
YEAR = re.compile(r"(?:19|20)\d\d")
LOOSE = re.compile(r"[$€£(]$")


class Row(NamedTuple):
    """A label and its values, as the data folder writes them: `-12` for `(12)`, `—` for a dash."""

    label: str
    values: tuple[str, ...]


def value(token: str) -> str:
    """A printed value in that form."""
    plain = re.sub(r"[$€£,%\s]", "", token)
    if plain in ("—", "–", "-"):
        return "—"
    negative = plain.startswith(("(", "-"))
    return ("-" if negative else "") + plain.strip("()-")


def text_rows(text: str) -> Iterator[Row]:
    """The rows of a page's text."""
    for line in text.splitlines():
        tokens = glued(line.split())
        first = len(tokens)
        while first and is_value(tokens[first - 1]):
            first -= 1
        if 0 < first < len(tokens) and tokens[first - 1].endswith(",") and YEAR.fullmatch(tokens[first]):
            first += 1  # the year of a date
        values = tuple(value(token) for token in tokens[first:])
        label = " ".join(tokens[:first])
        if len(values) < FEWEST_VALUES or first > LONGEST_LABEL or not LETTERS.search(label):
            continue
        if not all(YEAR.fullmatch(one) for one in values):
            yield Row(label, values)


def glued(tokens: list[str]) -> list[str]:
    """Tokens with a currency sign, a percent sign and a bracket joined to their number."""
    joined: list[str] = []
    for token in tokens:
        if joined and (LOOSE.search(joined[-1]) or token in (")", "%", ")%")):
            joined[-1] += token
        else:
            joined.append(token)
    return joined


def is_value(token: str) -> bool:
    """Whether a token is a printed number or a dash."""
    return VALUE.fullmatch(token) is not None and (any(c.isdigit() for c in token) or token[-1:] in DASHES)


def page_text(document: pdfium.PdfDocument, number: int) -> str:
    """The text of a page (from 1), in the file's own order."""
    page = document[number - 1]
    text = page.get_textpage()
    try:
        return text.get_text_range()
    finally:
        text.close()
        page.close()


def _pages(folder: Path) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for path in sorted(folder.glob("*.pdf")):
        if path.stem.startswith("VERIZON"):
            continue
        document = pdfium.PdfDocument(path)
        found += [
            (path.name, number)
            for number in range(1, len(document) + 1)
            if len(list(text_rows(page_text(document, number)))) >= FEWEST_ROWS
        ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of the reports")
    folder: Path = parser.parse_args().folder
    used = {
        (f"{name}.pdf", int(page))
        for entry in re.split(r"[|\n]", STATEMENTS.strip())
        for name, *pages in [entry.split()]
        for page in pages
    }
    pages = [page for page in _pages(folder) if page not in used]
    draw = random.Random(SEED)  # noqa: S311 - a drawing that can be repeated
    held_out = set(draw.sample(pages, HELD_OUT_PAGES))
    rest = [page for page in pages if page not in held_out and Path(page[0]).stem in DEV_FILES]
    for name, chosen in (("held-out", held_out), ("dev", draw.sample(rest, DEV_PAGES))):
        (HERE / f"{name}.tsv").write_text("".join(f"{file}\t{page}\n" for file, page in sorted(chosen)), "utf-8")


if __name__ == "__main__":
    main()
