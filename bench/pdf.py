"""What indexing PDF files costs, stage by stage: read, chunk, embed, store.

    python bench/pdf.py [FILE ...] [--no-embedding] [--peers PYTHON]

The annual reports of the shared data where no file is named. Processor time of one process; the target of reading is
20 ms a page, tables and all. `--peers` names an interpreter that has some of kreuzberg, markitdown and pdfplumber:
then only reading is measured, ours and theirs, each in a process of its own.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pypdfium2.raw as pdfium

from pincite.app import App
from pincite.chunking.sections import SectionPolicy
from pincite.embedding.wordpiece import WordPiece
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.document import open_document
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.chunk import text_hash
from pincite.model.store import DocumentRow, NewDocument
from pincite.registry import FORMATS
from pincite.runtime.garbage import collect_rarely
from pincite.settings import load
from pincite.store.sqlite.store import SqliteStore
from pincite.text.embed_text import text_to_embed

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
PDF = next(row for row in FORMATS if row.name == "pdf")
STAGES = ("read", "chunk", "embed", "store")
MS_A_PAGE = 20.0

SCRIPT = """
import sys, time, warnings, logging
warnings.simplefilter("ignore"); logging.disable()
{setup}
start = time.process_time()
for path in sys.argv[1:]:
    {read}
print(time.process_time() - start)
"""
READERS = {
    "pincite": SCRIPT.format(
        setup="""
from pathlib import Path
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.registry import FORMATS
PDF = next(row for row in FORMATS if row.name == "pdf")""",
        read="read_document(PDF, Blob(path, Path(path).read_bytes()), ReadOptions(), Call())",
    ),
    "kreuzberg": SCRIPT.format(
        setup="from kreuzberg import ExtractionConfig, extract_file_sync",
        read='extract_file_sync(path, config=ExtractionConfig(output_format="markdown"))',
    ),
    "markitdown": SCRIPT.format(
        setup="from markitdown import MarkItDown; peer = MarkItDown()", read="peer.convert(path).markdown"
    ),
    "pdfplumber": SCRIPT.format(
        setup="import pdfplumber",
        read="[(page.extract_text(), page.extract_tables()) for page in pdfplumber.open(path).pages]",
    ),
}
"""Each reads whole files: text and tables in Markdown; pdfplumber text and what it takes for tables."""

T = TypeVar("T")


def main() -> int:
    """Print a row for each file; 1 if reading takes longer a page than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--no-embedding", action="store_true")
    parser.add_argument("--peers", type=Path)
    given = parser.parse_args()
    files: list[Path] = given.files or sorted((DATA / "financebench" / "pdfs").glob("*.pdf"))
    if given.peers:
        return beside(given.peers, files)
    app = App(load({"PINCITE_FETCH_MODEL": False}), ROOT / "docs")
    # As the processes that read files do.
    collect_rarely()
    if not given.no_embedding:
        app.embedder.load(Call())
    print(f"{'':36}{'pages':>6}{'chunks':>8}" + "".join(f"{stage + ' s':>9}" for stage in STAGES) + f"{'ms/page':>9}")
    total = [0.0] * 6
    with tempfile.TemporaryDirectory() as place:
        store = SqliteStore(Path(place) / "index.db", embedder="bench", source="bench")
        for path in files:
            row = measure(path, app, store, embedding=not given.no_embedding)
            total = [one + other for one, other in zip(total, row, strict=True)]
            show(path.stem, row)
        store.close()
    app.close()
    show("all", total)
    return int(1000 * total[2] > MS_A_PAGE * total[0])


def beside(peers: Path, files: Sequence[Path]) -> int:
    """Print the processor milliseconds a page of every reader; 1 if ours takes longer than it may."""
    pages = sum(map(page_count, files))
    took: dict[str, float] = {}
    for name, code in READERS.items():
        python = sys.executable if name == "pincite" else str(peers)
        ran = subprocess.run([python, "-c", code, *map(str, files)], capture_output=True, text=True, check=False)
        if ran.returncode:
            print(f"{name:12} {ran.stderr.strip().splitlines()[-1]}")
            continue
        took[name] = 1000 * float(ran.stdout.split()[-1]) / pages
        print(f"{name:12} {took[name]:8.1f} ms a page", flush=True)
    return int(took["pincite"] > MS_A_PAGE)


def page_count(path: Path) -> int:
    with open_document(path.read_bytes()) as file:
        return pdfium.FPDF_GetPageCount(file.document)


def measure(path: Path, app: App, store: SqliteStore, *, embedding: bool) -> list[float]:
    """Pages, chunks and the seconds of each stage."""
    blob = Blob(path.name, path.read_bytes())
    document, reading = timed(lambda: read_document(PDF, blob, ReadOptions(), Call()))
    pieces, cutting = timed(lambda: list(SectionPolicy(256).cut(document, WordPiece(), Call())))
    texts = [text_to_embed(piece) for piece in pieces]
    vectors, embedded = np.zeros((len(texts), 384), np.float32), 0.0
    if embedding:
        vectors, embedded = timed(lambda: app.embedder.embed(texts, Call()))
    row = DocumentRow(path.name, document.title, (len(blob.data),), 1, document.fingerprint, "bench")
    row = replace(row, coverage=document.coverage)
    hashes = [text_hash(text) for text in texts]

    def write() -> None:
        store.replace([NewDocument(row, document.text, pieces, hashes)], is_current=yes)
        store.put_vectors({embed_hash: vectors[place] for place, embed_hash in enumerate(hashes)})

    _, storing = timed(write)
    return [document.coverage.pages or 0, len(pieces), reading, cutting, embedded, storing]


def yes(row: DocumentRow) -> bool:
    return bool(row)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.process_time()
    return work(), time.process_time() - start


def show(name: str, row: list[float]) -> None:
    pages, chunks, *seconds = row
    print(
        f"{name[:35]:36}{pages:6.0f}{chunks:8.0f}"
        + "".join(f"{value:9.2f}" for value in seconds)
        + f"{1000 * seconds[0] / max(pages, 1):9.1f}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
