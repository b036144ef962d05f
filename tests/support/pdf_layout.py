"""Untagged pages, read in the order in which they are read, as what their print shows."""

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Block, Document
from pincite.registry import FORMATS
from support.pdfs import PARAGRAPH, Content, Leaf, pdf

FORMAT = next(row for row in FORMATS if row.name == "pdf")


JOINED = " ".join(PARAGRAPH)


def read(*pages: Content | Leaf, outline: tuple[tuple[str, int], ...] = ()) -> Document:
    data = pdf(*pages, outline=outline)
    return read_document(FORMAT, Blob("a.pdf", data), ReadOptions(), Call())


def blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]


def shown(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in blocks(document)]
