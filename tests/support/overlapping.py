"""A document whose chunks overlap, as a policy of windows cuts them, in a snapshot of its own."""

from collections.abc import Sequence
from typing import Any, cast

from pincite.model.chunk import Chunk, ChunkKind, PlacedText, SourceText
from pincite.model.document import Box, Coverage
from pincite.model.store import PastRevision, StoredChunk, StoredDocument
from pincite.store.base import Snapshot

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

DOCUMENT = StoredDocument(
    7, "keys.md", "keys.md", None, "Keys", 0, REVISION, "ff" * 32, len(WINDOWS), len(TEXT), Coverage(), ""
)


def stored(chunks: Sequence[Chunk] = WINDOWS) -> list[StoredChunk]:
    """The chunks as a store returns them."""
    return [StoredChunk(one.ordinal, 7, "keys.md", REVISION, 0, one.breadcrumb, one) for one in chunks]


class Windows:
    """A snapshot of this document alone."""

    generation = 1

    def document(self, name: str) -> StoredDocument | None:
        """See `Snapshot.document`."""
        return DOCUMENT if name == DOCUMENT.name else None

    def documents(self) -> list[StoredDocument]:
        """See `Snapshot.documents`."""
        return [DOCUMENT]

    def document_chunks(self, document_id: int) -> list[StoredChunk]:
        """See `Snapshot.document_chunks`."""
        return stored() if document_id == DOCUMENT.id else []

    def section_chunks(self, document_id: int, breadcrumb: str) -> list[StoredChunk]:
        """See `Snapshot.section_chunks`."""
        return [each for each in self.document_chunks(document_id) if each.breadcrumb == breadcrumb]

    def text(self, document_id: int, start: int = 0, end: int | None = None) -> str:
        """See `Snapshot.text`."""
        return TEXT[start:end] if document_id == DOCUMENT.id else ""

    def past(self, name: str, revision: str) -> PastRevision | None:
        """See `Snapshot.past`."""
        del name, revision


def snapshot() -> Snapshot:
    """The snapshot, for what reads no other part of it."""
    return cast("Snapshot", Windows())
