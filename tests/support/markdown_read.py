"""Markdown, read: paths of sections, blocks, titles."""

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.markdown.reader import read
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Document, Page
from pincite.registry import FORMATS


def document(text: str | bytes, max_blocks: int = 100_000) -> Document:
    data = text if isinstance(text, bytes) else text.encode()
    return read_document(FORMATS[0], Blob("a.md", data), ReadOptions(max_blocks=max_blocks), Call())


def paths(text: str | bytes) -> list[str]:
    return [" > ".join(section.path) for section in document(text).sections]


def blocks(text: str, max_blocks: int = 100_000) -> list[tuple[str, str]]:
    _, page = read(Blob("a.md", text.encode()), ReadOptions(max_blocks=max_blocks), Call())
    assert isinstance(page, Page)
    return [(block.kind.value, page.text[block.start : block.end]) for block in page.blocks]


def titles(text: str) -> list[tuple[int, str]]:
    _, page = read(Blob("a.md", text.encode()), ReadOptions(), Call())
    assert isinstance(page, Page)
    return [(block.level, block.title) for block in page.blocks if block.level]
