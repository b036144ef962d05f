"""Web pages, read: their blocks, texts and tables."""

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Document, Table
from pincite.registry import FORMATS

ROW = next(row for row in FORMATS if row.name == "html")


def read(markup: str | bytes, max_blocks: int = 100_000) -> Document:
    data = markup.encode() if isinstance(markup, str) else markup
    return read_document(ROW, Blob("a.html", data), ReadOptions(max_blocks=max_blocks), Call())


def blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]


def texts(markup: str) -> list[str]:
    document = read(markup)
    return [document.text[block.start : block.end] for block in blocks(document)]


def kinds(markup: str) -> list[BlockKind]:
    return [block.kind for block in blocks(read(markup))]


def only_table(markup: str) -> Table:
    (table,) = (block.table for block in blocks(read(markup)) if block.table)
    return table
