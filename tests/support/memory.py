"""The memory of a process and all below it, and long PDFs to fill it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pypdfium2


def joined(files: Sequence[Path], target: Path, count: int) -> None:
    """Write so many pages of the files as one PDF, from the first again if they do not suffice."""
    book = pypdfium2.PdfDocument.new()
    while len(book) < count:
        for file in files:
            source = pypdfium2.PdfDocument(file)
            # Without any number, all pages would be imported.
            if numbers := list(range(min(len(source), count - len(book)))):
                book.import_pages(source, numbers)
    with target.open("wb") as out:
        book.save(out)


def family(pid: int) -> Iterator[int]:
    """A process and all below it; a copy of its parent that is about to become another program is none."""
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            if Path(f"/proc/{child}/cmdline").read_bytes() != Path(f"/proc/{pid}/cmdline").read_bytes():
                yield from family(child)


def megabytes(pid: int, kind: str = "Pss") -> float:
    """What a process takes, its share of what it shares with others included; `Pss_Anon` leaves out mapped files."""
    match = re.search(rf"^{kind}:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    return int(match[1]) / 1024 if match else 0.0
