# pyright: reportPrivateUsage=false
# A unit test may look inside.

"""Sources over a folder, and files put into it."""

from collections.abc import Callable
from pathlib import Path

from pincite.model.call import Call
from pincite.sources.folder import FolderSource

Make = Callable[..., FolderSource]


def put(path: Path, data: bytes = b"text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def rest(source: FolderSource) -> FolderSource:
    """Bring a source to the point where it knows everything."""
    dirty = source.poll()
    source.listing(Call())
    source.mark((), dirty.ticket)
    source.acknowledge(source.poll().names)
    return source


def names(source: FolderSource) -> set[str]:
    return set(source.listing(Call()).states)


def dirty(source: FolderSource) -> set[str]:
    seen = source.poll()
    assert not seen.everything
    source.acknowledge(seen.names)
    return set(seen.names)
