"""Where the time of an ingestion goes: a PDF of 1,000 pages read, tagged, chunked, embedded and stored.

    python bench/library_stages.py [--pages 1000] [--only reports|papers]

One stage after the other in one process, wall and processor time of each. `pincite ingest` reads in a process of its
own and embeds in as many threads as there are cores, beside reading. The embedding model has to be in the cache.
"""

import argparse
import tempfile
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from memory import FILES, ROOT
from pincite.app import App
from pincite.chunking.clauses import ClausePolicy
from pincite.chunking.tagging.marked_terms import marks_terms
from pincite.chunking.tagging.outline import outline
from pincite.chunking.tagging.statements import Passages
from pincite.embedding.wordpiece import WordPiece
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import detect
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.chunk import text_hash
from pincite.model.document import Document
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument
from pincite.settings import load
from pincite.store.sqlite import SqliteStore
from pincite.text.embed_text import text_to_embed
from support.memory import joined

POLICY = ClausePolicy(minimum=200, maximum=800, overlap=100)
STAGES = ("read", "tag", "chunk", "embed", "store")


@contextmanager
def timed(times: dict[str, tuple[float, float]], stage: str) -> Generator[None]:
    wall, processor = time.monotonic(), time.process_time()
    yield
    times[stage] = time.monotonic() - wall, time.process_time() - processor


def tag(document: Document) -> None:
    """Run what recognises clauses and statements, as `ClausePolicy.cut` does before it measures and divides."""
    passages = Passages(document.text, outline(document, Call()), terms_are_marked=marks_terms(document))
    for section in document.sections:
        if section.blocks:
            for _ in passages.of(section.blocks, section.start, section.end):
                pass


def measure(name: str, data: Path, pages: int) -> None:
    """Print the row of one file."""
    times: dict[str, tuple[float, float]] = {}
    with (
        tempfile.TemporaryDirectory() as place,
        closing(App(load({"DATA_DIR": place}), None, toolsets=["knowledge"])) as app,
    ):
        book = Path(place, "book.pdf")
        joined(sorted(data.glob(FILES[name])), book, pages)
        row = detect(book.name, raw := book.read_bytes())
        assert row is not None
        with timed(times, "read"):
            document = read_document(row, Blob(book.name, raw), ReadOptions(), Call())
        with timed(times, "tag"):
            tag(document)
        with timed(times, "chunk"):
            chunks = [*POLICY.cut(document, WordPiece(), Call())]
        # Cutting tags once more.
        times["chunk"] = times["chunk"][0] - times["tag"][0], times["chunk"][1] - times["tag"][1]
        texts = [*map(text_to_embed, chunks)]
        app.embedder.load(Call())
        with timed(times, "embed"):
            vectors = app.embedder.embed(texts, Call())
        hashes = [*map(text_hash, texts)]
        new = NewDocument(
            DocumentRow(book.name, None, UNTRUSTED, 1, "f", "r"), document.text, chunks, embed_hashes=hashes
        )
        with closing(SqliteStore(Path(place, "x.db"), embedder="bench", source="/")) as store, timed(times, "store"):
            store.replace([new], is_current=lambda stored: bool(stored.name))
            store.put_vectors(dict(zip(hashes, vectors, strict=True)))
    cells = " | ".join(f"{times[stage][0]:.1f} ({times[stage][1]:.1f})" for stage in STAGES)
    total, spent = map(sum, zip(*times.values(), strict=True))
    print(f"| {name} | {pages} | {len(chunks)} | {cells} | {total:.0f} ({spent:.0f}) |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--only", choices=FILES)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    given = parser.parse_args()
    print(f"| file | pages | chunks | {' | '.join(STAGES)} | all |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name in [given.only] if given.only else ("reports", "papers"):
        measure(name, given.data, given.pages)


if __name__ == "__main__":
    main()
