"""Tagged pages, read as their tags say."""

from pincite.model.document import Document
from support.pdf_read import document
from support.tagged_pdfs import Show, Tag, tagged_pdf


def read(*pages: list[Tag | Show], roles: dict[str, str] | None = None) -> Document:
    data = tagged_pdf(*pages, roles=roles)
    return document(data)
