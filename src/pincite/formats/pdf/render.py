"""Pictures of pages: as they are, or with their blocks drawn on them, to check by eye what was read."""

import ctypes
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import pypdfium2.raw as pdfium
from PIL import Image, ImageDraw

from pincite.errors import NotFound
from pincite.formats.base import MAX_OCR_SIDE_PIXELS, OCR_DPI, Blob, Raster, ReadOptions, Target
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.images import parse_picture_name
from pincite.formats.pdf.page.page import PdfPage, open_page
from pincite.formats.pdf.page.pdfium import Handle
from pincite.formats.pdf.page.visibility import visible_words
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.picture import picture_size, png
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Box, PageSizes
from pincite.model.sizes import POINTS_PER_INCH

PIXELS_PER_POINT = 2.0
"""Resolution: 144 dpi."""

MAX_SIDE_PIXELS = 3000
"""Longer side of the picture; larger pages are scaled down."""

COLOURS: Mapping[BlockKind, tuple[str, str]] = {
    BlockKind.HEADING: ("red", "#d62728"),
    BlockKind.PARAGRAPH: ("blue", "#1f77b4"),
    BlockKind.LIST: ("green", "#2ca02c"),
    BlockKind.TABLE: ("orange", "#ff7f0e"),
    BlockKind.CODE: ("brown", "#8c564b"),
    BlockKind.QUOTE: ("pink", "#e377c2"),
    BlockKind.FIGURE: ("purple", "#9467bd"),
    BlockKind.FOOTNOTE: ("olive", "#bcbd22"),
    BlockKind.CONTENTS: ("cyan", "#17becf"),
}
"""Name and hex value of each block kind's colour."""

OTHER_COLOUR = ("grey", "#7f7f7f")
_FILL_ALPHA = 0x28
_PATH_ALPHA = 0x60
"""Opacities of drawn marks, of 255: the text below must be read through them."""


def render(blob: Blob, page: int, width: int, options: ReadOptions, call: Call) -> bytes:  # noqa: ARG001 - see `Renderer`
    """Implements `Renderer`."""
    call.check()
    with _open_numbered(blob.data, page) as opened:
        return png(_render(opened.raw, *picture_size(opened.space.width, opened.space.height, width)))


def measure(blob: Blob, options: ReadOptions, call: Call) -> PageSizes:
    """Implements `Measurer`: reads no page's content, which takes microseconds a page."""
    with open_document(blob.data) as file:
        count = min(pdfium.FPDF_GetPageCount(file.document), options.max_pages)
        return PageSizes(tuple(_page_size(file.document, number, call) for number in range(count)))


def _page_size(document: Handle, index: int, call: Call) -> tuple[float, float]:
    """Return a page's width and height; those of a damaged page are 0."""
    call.check()
    size = pdfium.FS_SIZEF()
    pdfium.FPDF_GetPageSizeByIndexF(document, index, ctypes.byref(size))
    return round(size.width, 2), round(size.height, 2)


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:  # noqa: ARG001
    """Implements `Rasteriser`: a picture inside a page without the words that the page prints over it."""
    with open_document(blob.data) as file:
        for target in targets:
            call.check()
            number, box = (target, None) if isinstance(target, int) else parse_picture_name(target)
            with open_page(file.document, number) as page:
                area = box or Box(0, 0, page.space.width, page.space.height)
                width, height = area.x1 - area.x0, area.y1 - area.y0
                scale = min(OCR_DPI / POINTS_PER_INCH, MAX_OCR_SIDE_PIXELS / max(width, height, 1.0))
                whole = (round(page.space.width * scale), round(page.space.height * scale))
                corner = (-round(area.x0 * scale), -round(area.y0 * scale))
                picture = _render(page.raw, round(width * scale), round(height * scale), (*corner, *whole))
                if box is not None:
                    _erase(picture, (_within(word, box) for word in visible_words(page).words), scale)
                yield Raster(number if box is None else 1, width, height, picture)


def page_picture(data: bytes, number: int, blocks: Sequence[Block]) -> bytes:
    """Render a page as PNG, with each box framed in its kind's colour and a line from block to block in reading order.

    Loads an unchecked file into this process: not for use in a server's own process.

    Args:
        data: Bytes of the file.
        number: Page number from 1.
        blocks: Blocks of the document, or of the page alone.

    Raises:
        NotFound: The file has no such page.
        InvalidInput: The file or the page is damaged.
        Unsupported: The file is no PDF.
    """
    with _open_numbered(data, number) as page:
        scale = min(PIXELS_PER_POINT, MAX_SIDE_PIXELS / max(page.space.width, page.space.height, 1.0))
        picture = _render(page.raw, round(page.space.width * scale), round(page.space.height * scale))
    _draw(picture, [block for block in blocks if block.page == number], scale)
    return png(picture)


def colour(kind: BlockKind) -> str:
    """Return the name of a block kind's colour."""
    return COLOURS.get(kind, OTHER_COLOUR)[0]


@contextmanager
def _open_numbered(data: bytes, number: int) -> Generator[PdfPage]:
    """Open a page of a file for the duration of a `with` block."""
    with open_document(data) as file:
        count = pdfium.FPDF_GetPageCount(file.document)
        if not 1 <= number <= count:
            raise NotFound(f"There is no page {number}. The file has pages 1 to {count}.")
        with open_page(file.document, number) as page:
            yield page


def _within(word: Word, area: Box) -> Box:
    """Return the box of a word from the top left of a part of its page."""
    return Box(word.x0 - area.x0, word.y0 - area.y0, word.x1 - area.x0, word.y1 - area.y0)


def _erase(picture: Image.Image, boxes: Iterable[Box], scale: float) -> None:
    """Paint the places of a page's own words white."""
    draw = ImageDraw.Draw(picture)
    for box in boxes:
        draw.rectangle(_scaled(box, scale), fill="white")


def _render(page: Handle, width: int, height: int, position: tuple[int, int, int, int] | None = None) -> Image.Image:
    """Return a page in a picture of this size.

    Args:
        page: pdfium's page.
        width: Width of the picture in pixels.
        height: Its height.
        position: Left, top, width and height of the page in the picture; None for the whole picture.
    """
    # pdfium creates no bitmap without pixels.
    width, height = max(1, width), max(1, height)
    bitmap = pdfium.FPDFBitmap_Create(width, height, 0)
    try:
        # A page has no background of its own.
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, *(position or (0, 0, width, height)), 0, pdfium.FPDF_ANNOT)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        pixels = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return Image.frombuffer("RGB", (width, height), pixels, "raw", "BGRX", stride, 1)


def _draw(picture: Image.Image, blocks: Sequence[Block], scale: float) -> None:
    draw = ImageDraw.Draw(picture, "RGBA")
    last: tuple[float, float] | None = None
    for block in blocks:
        block_colour = COLOURS.get(block.kind, OTHER_COLOUR)[1]
        for box in block.boxes:
            x0, y0, x1, y1 = _scaled(box, scale)
            draw.rectangle((x0, y0, x1, y1), fill=f"{block_colour}{_FILL_ALPHA:02x}")
            draw.rectangle((x0 - 2, y0 - 2, x1 + 2, y1 + 2), outline=block_colour)
        if block.boxes:
            left, top, _, _ = _scaled(block.boxes[0], scale)
            if last is not None:
                draw.line([last, (left, top)], fill=f"#000000{_PATH_ALPHA:02x}", width=1)
            last = (left, top)


def _scaled(box: Box, scale: float) -> tuple[float, float, float, float]:
    # Pillow refuses rectangles whose right or lower edge comes first.
    return box.x0 * scale, box.y0 * scale, max(box.x0, box.x1) * scale, max(box.y0, box.y1) * scale
