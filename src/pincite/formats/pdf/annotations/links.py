"""Link annotations: addresses on the web, each with the words that it is drawn over."""

import ctypes
from collections.abc import Iterator, Sequence

import pypdfium2.raw as pdfium

from pincite.formats.pdf.annotations.form_fields import text_inside
from pincite.formats.pdf.page.page import MAX_ANNOTATIONS, PdfPage
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import AsideKind, Box

MAX_ADDRESS_BYTES = 4096
"""Length of an address; longer ones are left out."""
_WEB = ("http://", "https://")


def page_links(page: PdfPage) -> tuple[tuple[str, Box], ...]:
    """Return the addresses that an open page links to, with the box of each link."""
    return tuple(_links(page))


def write_links(writer: PageWriter, links: Sequence[tuple[str, Box]], words: Sequence[Word]) -> None:
    """Write links as asides: the address, and as its place the words that it is drawn over."""
    for address, box in links:
        writer.aside(AsideKind.LINK, address, place=text_inside(words, box))


def _links(page: PdfPage) -> Iterator[tuple[str, Box]]:
    position, link, rectangle = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    for _ in range(MAX_ANNOTATIONS):
        if not pdfium.FPDFLink_Enumerate(page.annotated, position, link):
            return
        address = _address(page, link)
        if address.lower().startswith(_WEB) and pdfium.FPDFLink_GetAnnotRect(link, rectangle):
            x0, y0, x1, y1 = page.space.rectangle(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
            yield address, Box(x0, y0, x1, y1)


def _address(page: PdfPage, link: "pdfium.FPDF_LINK") -> str:
    action = pdfium.FPDFLink_GetAction(link)
    length = pdfium.FPDFAction_GetURIPath(page.document, action, None, 0) if action else 0
    if not 1 < length <= MAX_ADDRESS_BYTES:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAction_GetURIPath(page.document, action, buffer, length)
    return buffer.value.decode("utf-8", "replace").strip()
