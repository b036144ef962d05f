"""A document whose chunks overlap, as a policy of windows cuts them, in a store of its own."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pincite.model.chunk import Chunk, ChunkKind, PlacedText, SourceText
from pincite.model.document import Box
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument, StoredChunk
from pincite.store.base import Snapshot
from pincite.text.embed_text import embed_hash
from support.stores import open_store

REVISION = "0123abcd"

TEXT = "# Keys\n\nOne two three four five six.\n\n## Vault\n\nSeven eight nine.\n"
"""The first section is characters 0 to 37, the second the rest."""

VAULT = TEXT.index("## Vault")


def chunk(ordinal: int, locator: str, start: int, end: int, *, part: int = 1, parts: int = 1, **more: Any) -> Chunk:
    """A chunk of `TEXT`."""
    path = ("Keys",) if start < VAULT else ("Keys", "Vault")
    return Chunk(
        ordinal, locator, ChunkKind.TEXT, path, len(path), part, parts, start, end, TEXT[start:end], "", **more
    )


def placed(start: int, end: int, line: int) -> PlacedText:
    """A span of a chunk, on a line of the first page."""
    return PlacedText(1, Box(10, 10 * line, 90, 10 * line + 8), start, end)


ONE_TWO_THREE, THREE_FOUR_FIVE = (TEXT.index(words) for words in ("One two", "three four"))

WINDOWS = (
    chunk(0, "h1-c1", 0, ONE_TWO_THREE + 13, parts=2, boxes=(placed(0, 6, 1), placed(8, 21, 2))),
    chunk(
        1,
        "h1-c2",
        THREE_FOUR_FIVE,
        VAULT,
        part=2,
        parts=2,
        boxes=(placed(0, 5, 2), placed(6, 20, 3)),
        sources=(SourceText(0, 10, "four three"),),
    ),
    chunk(2, "h2-c1", VAULT, VAULT + 24, part=1, parts=3),
    chunk(3, "h2-c2", VAULT + 10, len(TEXT), part=2, parts=3),
    chunk(4, "h2-t1", VAULT + 12, VAULT + 20, part=3, parts=3),
)
"""Windows of the two sections; `three` is in two of the first, and the last is a table inside of another."""


def stored(chunks: Sequence[Chunk] = WINDOWS) -> list[StoredChunk]:
    """The chunks as a store returns them."""
    return [StoredChunk(chunk.ordinal, 7, "keys.md", REVISION, 0, chunk.breadcrumb, chunk) for chunk in chunks]


@contextmanager
def snapshot(folder: Path, chunks: Sequence[Chunk] = WINDOWS) -> Generator[Snapshot]:
    """A snapshot of a store in this folder that has this document alone."""
    store = open_store(folder / "windows.db")
    row = DocumentRow("keys.md", None, UNTRUSTED, 0, "ff" * 32, REVISION)
    hashes = [embed_hash(chunk) for chunk in chunks]
    store.replace([NewDocument(row, TEXT, chunks, hashes)], is_current=lambda row: bool(row.name))
    with store.snapshot() as opened:
        yield opened
    store.close()
