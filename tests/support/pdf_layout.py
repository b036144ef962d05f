"""Untagged pages, read in the order in which they are read, as what their print shows."""

from pincite.model.document import Document
from support.pdf_read import document
from support.pdfs import PARAGRAPH, Content, Leaf, pdf

JOINED = " ".join(PARAGRAPH)


def read(*pages: Content | Leaf, outline: tuple[tuple[str, int], ...] = ()) -> Document:
    data = pdf(*pages, outline=outline)
    return document(data)
