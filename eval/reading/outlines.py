"""Headings against the outlines of files, which are not given to the reader: one command.

    python eval/reading/outlines.py [--misses] [FILE ...]

Every PDF of `PINCITE_DATA` with an outline of `MIN_ENTRIES` or more whose titles are printed where they lead, read by
its layout alone. A heading is right if an entry has its page and its title, numbers of sections left out. Entries count
if the text of their page has the title. Headings count from the page of the first entry on, because outlines leave out
titles and covers, and, in the second figure for precision, down to the deepest level that has an entry: outlines may
end at any level.
"""

import argparse
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import add
from pathlib import Path

from pincite.errors import PinciteError
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.layout.bookmarks import bookmarks, fold_title
from pincite.formats.pdf.reader import read_pages
from pincite.model.call import Call
from pincite.model.document import BlockKind, Page

DATA = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
MIN_ENTRIES = 3
"""Entries that make an outline: many files have one, the title."""
MIN_PRINTED_SHARE = 0.5
"""Share of the entries that must be printed on their pages: outlines of slides or scans name what is not text."""
_NUMBER = re.compile(
    r"^(?:(?:chapter|appendix)\s+)?(?:[a-z]?[\d.]+|[ivxlc]+\.|[a-z]\.|(?-i:[A-Z]))[:.]?\s+", re.IGNORECASE
)
"""Number of a section or letter of an annex, which outlines may leave out."""

Heading = tuple[int, str]
"""Page number from 1 and folded title."""


@dataclass(frozen=True)
class Score:
    """Headings of one file, by page and title.

    Attributes:
        outline: Those of its outline that are printed.
        read: Those that were read.
        shallow: Those of them that are no deeper than any with an entry.
    """

    outline: Counter[Heading]
    read: Counter[Heading]
    shallow: Counter[Heading]

    @property
    def right(self) -> int:
        """Number of headings that are in both."""
        return (self.outline & self.read).total()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--misses", action="store_true", help="show the headings that differ")
    options = parser.parse_args()
    counts = (0, 0, 0, 0)
    files = 0
    print(f"{'':52}{'entries':>8}{'read':>6}{'right':>6}{'P':>8}{'to depth':>9}{'R':>8}")
    for file in options.files or sorted(DATA.rglob("*.pdf")):
        score = compare(file)
        if score is None:
            continue
        files += 1
        row = (score.right, score.read.total(), score.shallow.total(), score.outline.total())
        counts = tuple(map(add, counts, row))
        print(_row(file.stem, *row), flush=True)
        if options.misses:
            print(*_misses(score), sep="\n")
    print(_row(f"all {files}", *counts))


def compare(file: Path) -> Score | None:
    """Read a file without its outline; None without one, or if it cannot be read."""
    data = file.read_bytes()
    try:
        with open_document(data) as opened:
            entries = {(entry.page, _folded(entry.title)) for entry in bookmarks(opened.document)}
        if len(entries) < MIN_ENTRIES:
            return None
        pages = [
            page
            for page in read_pages(Blob(file.name, data), ReadOptions(), Call(), by_tags=False, outline=False)
            if isinstance(page, Page)
        ]
    except PinciteError:
        return None
    texts = {page.number: fold_title(page.text) for page in pages}
    printed = Counter(entry for entry in entries if entry[1] and entry[1] in texts.get(entry[0], ""))
    if printed.total() < max(MIN_ENTRIES, MIN_PRINTED_SHARE * len(entries)):
        return None
    first = min(number for number, _ in printed)
    levels: dict[Heading, int] = {}
    read: Counter[Heading] = Counter()
    for page in pages:
        for block in page.blocks:
            if block.kind is BlockKind.HEADING and (page.number or 0) >= first:
                heading = (page.number or 0, _folded(block.title))
                read[heading] += 1
                levels[heading] = block.level
    deepest = max((level for heading, level in levels.items() if heading in printed), default=0)
    shallow = Counter({heading: count for heading, count in read.items() if levels[heading] <= deepest})
    return Score(printed, read, shallow)


def _folded(title: str) -> str:
    # Twice, because `2 A model` is the entry `A model`.
    return fold_title(_NUMBER.sub("", _NUMBER.sub("", title)))


def _misses(score: Score) -> Iterator[str]:
    for sign, missed in (("-", score.outline - score.read), ("+", score.read - score.outline)):
        for page, title in sorted(missed.elements()):
            yield f"  {sign} p. {page} {title[:90]}"


def _row(name: str, right: int, read: int, shallow: int, outlined: int) -> str:
    shares = (right / max(1, count) for count in (read, shallow, outlined))
    precision, to_depth, recall = shares
    return f"{name[:50]:52}{outlined:8}{read:6}{right:6}{precision:8.3f}{to_depth:9.3f}{recall:8.3f}"


if __name__ == "__main__":
    main()
