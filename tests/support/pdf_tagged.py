"""Tagged pages, read as their tags say."""

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Block, Document
from pincite.registry import FORMATS
from support.tagged_pdfs import Show, Tag, tagged_pdf

FORMAT = next(row for row in FORMATS if row.name == "pdf")


def read(*pages: list[Tag | Show], roles: dict[str, str] | None = None) -> Document:
    data = tagged_pdf(*pages, roles=roles)
    return read_document(FORMAT, Blob("a.pdf", data), ReadOptions(), Call())


def blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]


def shown(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in blocks(document)]
