"""Word documents, read: the file made here or given as bytes."""

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Block, Document
from pincite.registry import FORMATS
from support.word import Word

DOCX = next(row for row in FORMATS if row.name == "docx")


MAIN = "word/document.xml"


def read(source: Word | bytes, max_blocks: int = 100_000) -> Document:
    data = source if isinstance(source, bytes) else source.saved()
    return read_document(DOCX, Blob("a.docx", data), ReadOptions(max_blocks=max_blocks), Call())


def all_blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]
