"""Index files of one-line documents."""

from pathlib import Path

from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.store import UNTRUSTED, DocumentRow
from pincite.store.sqlite.store import SqliteStore
from support.stores import written

CHUNK = Chunk(0, "h0-c1", ChunkKind.TEXT, (), 0, 1, 1, 0, 4, "text", "")


def opened(path: Path, *, source: str = "/docs", journal: str = "wal", owned: bool = True) -> SqliteStore:
    return SqliteStore(path, embedder="m", source=source, journal=journal, owned=owned)


def filled(path: Path, names: int = 1) -> None:
    store = opened(path)
    rows = [written(DocumentRow(f"{n}.md", None, UNTRUSTED, 1, "f", "r"), [CHUNK]) for n in range(names)]
    store.replace(rows, is_current=lambda row: bool(row.name))
    store.close()


def documents(path: Path) -> int:
    store = opened(path)
    count = len(store.states()[1])
    store.close()
    return count
