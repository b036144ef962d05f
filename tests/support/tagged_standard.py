"""A tagged standard of 71 pages (ASVS 4.0.3) as it is read, beside the Markdown and JSON that it was made from."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from pincite.model.document import BlockKind, Document
from support import pdf_read

PAGE_PREFIX = 45
"""So many characters of a requirement's text tell its page: it may go on on the next."""
MIN_LIKENESS = 95


@dataclass(frozen=True)
class Score:
    """How much of the truth was found.

    Attributes:
        headings: Those with their level.
        order: One minus the normalised insertions and deletions of words.
        rows: Requirements whose number and text are in one row, of these exact to the letter and on their page.
    """

    headings: int
    headings_all: int
    headings_wanted: int
    order: float
    rows: int
    exact: int
    pages: int
    requirements: int
    tables: int
    items: int


def score(folder: Path) -> Score:
    """Read the standard in a folder; contents pages and running heads do not count."""
    file = folder / "asvs-4.0.3-en.pdf"
    shown, found_pages = _markdown(pdf_read.document(file.read_bytes()))
    truth = _source(folder)
    wanted, found = _headings(truth), _headings(shown)
    rows = [_cells(line) for line in shown.splitlines() if line.startswith("|")]
    counts, texts = Counter(one[0] for one in rows if one), {one[0]: one for one in rows if one}
    listed = json.loads((folder / "asvs-4.0.3-en.flat.json").read_text())["requirements"]
    numbers = {one["req_id"].removeprefix("V"): _solid(one["req_description"]) for one in listed}
    once = {number: text for number, text in numbers.items() if counts[number] == 1}
    return Score(
        headings=(wanted & found).total(),
        headings_all=found.total(),
        headings_wanted=wanted.total(),
        order=Indel.normalized_similarity(_tokens(truth), _tokens(shown)),
        rows=sum(any(_is_alike(text, cell) for cell in texts[number][1:]) for number, text in once.items()),
        exact=sum(text in map(_solid, texts[number]) for number, text in once.items()),
        pages=sum(found_pages.get(number) == page for number, page in _pages(file, numbers).items()),
        requirements=len(numbers),
        tables=len(re.findall(r"(?m)^\|(?=.*-)[ :|-]+\|$", shown)),
        items=len(re.findall(r"(?m)^ *(?:[-*]|\d+\.) ", shown)),
    )


def _markdown(document: Document) -> tuple[str, Mapping[str, int | None]]:
    """The blocks joined again, where a table that goes on counts once, and the page of each row's first cell."""
    parts: list[str] = []
    pages: dict[str, int | None] = {}
    for block in (block for section in document.sections for block in section.blocks):
        text = document.text[block.start : block.end]
        if block.kind is BlockKind.CONTENTS:
            continue
        if block.table is not None:
            pages |= {cell.text: block.page for cell in block.table.cells if cell.column == 0}
            if block.table.continued:
                text = "\n".join(text.split("\n")[1 + block.table.header_rows :])
        parts.append(text)
    return re.sub(r"\|\n\n(?=\| [^#])", "|\n", "\n\n".join(parts)), pages


def _source(folder: Path) -> str:
    """The Markdown, without pictures, addresses of links and HTML."""
    text = "\n".join(file.read_text() for file in sorted((folder / "md").glob("*.md")))
    for pattern, by in ((r"!\[[^\]]*\]\([^)]*\)", ""), (r"\]\([^)]*\)", "]"), (r"<[^>]+>", "")):
        text = re.sub(pattern, by, text)
    return text


def _pages(file: Path, numbers: Mapping[str, str]) -> Mapping[str, int]:
    """The page on which the beginning of each requirement's text stands, by pdfium's own text."""
    texts = [_solid(page.get_textpage().get_text_range()) for page in pypdfium2.PdfDocument(file)]
    starts = {number: number.replace(".", "") + text[:PAGE_PREFIX] for number, text in numbers.items()}
    return {
        number: next((page for page, text in enumerate(texts, 1) if start in text), 0)
        for number, start in starts.items()
    }


def _headings(markdown: str) -> Counter[tuple[int, str]]:
    found = re.findall(r"(?m)^(#{1,6}) +(.+)$", markdown)
    return Counter((len(marks), " ".join(_tokens(title))) for marks, title in found)


def _tokens(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _cells(line: str) -> Sequence[str]:
    return [cell.strip().strip("*") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def _solid(text: str) -> str:
    """Letters and digits of a text without its links' addresses, and without white space."""
    return "".join(_tokens(re.sub(r"\]\([^)]*\)", "]", text)))


def _is_alike(text: str, cell: str) -> bool:
    """Return True if a cell holds a whole text, a few characters apart."""
    return fuzz.ratio(text, _solid(cell), score_cutoff=MIN_LIKENESS) > 0
