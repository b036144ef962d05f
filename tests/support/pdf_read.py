"""PDF files, read: what is kept, what is kept apart, and the words of a page."""

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.words import Word, page_words
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, Block, Document
from pincite.registry import FORMATS
from support.pdfs import Content, Filled, Leaf, Text, pdf

FORMAT = next(row for row in FORMATS if row.name == "pdf")


def document(data: bytes, options: ReadOptions | None = None) -> Document:
    return read_document(FORMAT, Blob("a.pdf", data), options or ReadOptions(), Call())


def read(*pages: Content | Leaf, info: str = "", catalog: str = "") -> Document:
    return document(pdf(*pages, info=info, catalog=catalog))


def blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]


def shown(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in blocks(document)]


def hidden(document: Document) -> list[str]:
    return [aside.text for aside in document.asides if aside.kind is AsideKind.HIDDEN]


ENCRYPTED = {"aes-128.pdf", "aes-256-r6.pdf", "encrypted.pdf", "rc4-128.pdf"}


def words(*content: Text | Filled) -> list[Word]:
    with open_document(pdf(content)) as file, open_page(file.document, 1) as page:
        return page_words(page).words
