"""Whether what stands in a block's boxes is its text: one command, one table.

    python eval/reading/boxes.py [FILE ...]

Each block's boxes are read with pdfium (`FPDFText_GetBoundedText`) and compared with its text: letters and digits only,
lower case. Without files: ASVS and three reports of PINCITE_DATA.
"""

import argparse
import ctypes
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Block, Box
from pincite.registry import FORMATS

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
REPORTS = ("3M_2018_10K", "AMCOR_2023_10K", "NETFLIX_2017_10K")
PICTURES = str.maketrans("⌧□", "xo")
"""Boxes to tick in Wingdings, with the letters that pdfium gives for them."""
FILES = ("asvs-4.0.3/asvs-4.0.3-en.pdf", *(f"financebench/pdfs/{name}.pdf" for name in REPORTS))


@dataclass(frozen=True)
class Miss:
    """A block whose boxes hold something else than its text."""

    page: int
    kind: str
    text: str
    inside: str


@dataclass(frozen=True)
class Score:
    """How many blocks have a text and boxes, and the misses among them."""

    blocks: int
    boxed: int
    misses: list[Miss]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", help="PDF files; default: those of PINCITE_DATA")
    parser.add_argument("-v", action="store_true", dest="show", help="print each block whose boxes hold another text")
    arguments = parser.parse_args()
    files = arguments.files or [DATA / name for name in FILES]
    print(f"{'':28}{'blocks':>8}{'boxed':>8}{'equal':>8}{'share':>9}")
    for file in files:
        found = score(file)
        equal = found.boxed - len(found.misses)
        print(f"{file.stem:28}{found.blocks:>8}{found.boxed:>8}{equal:>8}{equal / max(1, found.blocks):>9.4f}")
        for miss in found.misses if arguments.show else ():
            print(f"   p. {miss.page} {miss.kind}\n     text   {miss.text[:300]!r}\n     inside {miss.inside[:300]!r}")


def score(file: Path) -> Score:
    """The round trip of every block that has a text of its own."""
    row = next(row for row in FORMATS if row.name == "pdf")
    document = read_document(row, Blob(file.name, file.read_bytes()), ReadOptions(), Call())
    blocks = [block for section in document.sections for block in section.blocks]
    opened = PdfDocument(file)
    pages = {number: _Page(opened, number) for number in {block.page for block in blocks} if number is not None}
    total = boxed = 0
    misses: list[Miss] = []
    for block in blocks:
        text = folded(document.text[block.start : block.end].translate(PICTURES))
        if not text or block.page is None or (block.kind == "figure" and not block.boxes):
            continue
        total += 1
        boxed += bool(block.boxes)
        inside = folded("".join(pages[block.page].inside(box) for box in _boxes(block)))
        if block.boxes and inside != text:
            misses.append(Miss(block.page, block.kind, text, inside))
    return Score(total, boxed, misses)


def folded(text: str) -> str:
    """Letters and digits, in lower case."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).lower()


def _boxes(block: Block) -> Iterator[Box]:
    yield from block.boxes


class _Page:
    def __init__(self, document: PdfDocument, number: int) -> None:
        self._page = document[number - 1]
        self._text = self._page.get_textpage()
        left, _, _, top = self._page.get_bbox() if self._page.get_rotation() == 0 else (0.0, 0.0, 0.0, 0.0)
        self._left, self._top = left, top

    def inside(self, box: Box) -> str:
        """The text in a box of a page that is not turned."""
        corners = (box.x0 + self._left, self._top - box.y0, box.x1 + self._left, self._top - box.y1)
        count = pdfium.FPDFText_GetBoundedText(self._text.raw, *corners, None, 0)
        buffer = (ctypes.c_ushort * (count + 1))()
        pdfium.FPDFText_GetBoundedText(self._text.raw, *corners, buffer, count)
        return bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")


if __name__ == "__main__":
    main()
