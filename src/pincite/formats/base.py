"""The interface of a reader: from bytes to one `Head`, then pages in order."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from pincite.model.call import Call
from pincite.model.document import Head, Page, PageSizes
from pincite.model.recognition import RecognisedPage, RecognisedPicture

if TYPE_CHECKING:
    from PIL import Image

OCR_NOT_INSTALLED = "text recognition (OCR) needs pip install 'pincite[ocr]'"
MAX_RENDER_WIDTH = 4000
"""Maximum width of a rendered page in pixels: an A4 page at 480 dpi, more than any model or screen takes."""


@dataclass(frozen=True)
class Blob:
    """The bytes of a document and its name.

    Attributes:
        name: Its name in its collection, or its file name.
        data: The bytes.
        digest: Their fingerprint, if it is known already; empty to compute it at its first use.
    """

    name: str
    data: bytes
    digest: str = field(default="", repr=False, compare=False)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the bytes, in hex; computed once."""
        return self.digest or hashlib.sha256(self.data).hexdigest()


OCR_DPI = 200
"""Resolution at which pages are recognised: 300 dpi takes longer, and its error rate is the same."""
MAX_OCR_SIDE_PIXELS = 4000
"""Longer side of a picture for recognition: A3 at `OCR_DPI` has 3307; the engine itself works at 2000."""


@dataclass(frozen=True, slots=True)
class ZipLimits:
    """Limits for unpacking a zipped format (DOCX, XLSX, EPUB …), against zip bombs.

    Attributes:
        entries: Maximum number of parts.
        part_bytes: Maximum size of one part, unpacked.
        total_bytes: Maximum size of all parts, unpacked.
        ratio: Maximum compression ratio of a part larger than 10 MB.
    """

    # Generous for real files: each limit may be raised by a setting.
    entries: int = 10_000
    part_bytes: int = 200_000_000
    total_bytes: int = 400_000_000
    ratio: int = 500


@dataclass(frozen=True, slots=True)
class AttachmentLimits:
    """Limits for the files that are attached to an e-mail.

    Attributes:
        count: Maximum number that are read.
        bytes: Maximum size of one.
        depth: Maximum levels of messages that are attached to messages.
    """

    count: int = 100
    bytes: int = 50_000_000
    depth: int = 5


MAX_CRASHED_PARTS = 3
"""Files inside a document that may end the process that reads it; others like them are then not tried."""


@dataclass(frozen=True, slots=True)
class UnreadPart:
    """A file inside a document that is not read, as it ended the process that read it.

    Attributes:
        number: See `Page.next_part`.
        reason: How the process ended.
    """

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Limits that every reader enforces.

    Attributes:
        max_pages: Maximum pages of a document; a reader stops there and reports it.
        max_blocks: Maximum blocks of a page; the remaining text becomes one block, and the reader reports it.
        max_pixels: Maximum pixels of a picture; a larger one is refused.
        zip: Limits for zipped formats, enforced before a reader receives the bytes.
        attachments: Limits for files attached to e-mails.
        ocr: Identity of the engine that recognises text in pictures, without spaces; empty for none.
        ocr_pages: Maximum number of pages of a document that are recognised.
        ocr_pictures: Maximum number of pictures inside a document's pages that are recognised; 0 for none.
        min_picture_pixels: Minimum number of pixels of such a picture; smaller ones are taken for icons.
        no_ocr: Why pictures of text are not recognised, as the end of a sentence.
        recognised: Pages whose text was recognised; a reader uses it where the page itself has no good text.
        recognised_pictures: Pictures inside pages whose text was recognised; a reader writes it where they are.
        unread_parts: Files inside the document that are not read, at most `MAX_CRASHED_PARTS`, by number.
    """

    max_pages: int = 5000
    max_blocks: int = 100_000
    max_pixels: int = 100_000_000
    zip: ZipLimits = ZipLimits()
    attachments: AttachmentLimits = AttachmentLimits()
    ocr: str = ""
    ocr_pages: int = 100
    ocr_pictures: int = 20
    min_picture_pixels: int = 10_000
    no_ocr: str = OCR_NOT_INSTALLED
    recognised: tuple[RecognisedPage, ...] = ()
    recognised_pictures: tuple[RecognisedPicture, ...] = ()
    unread_parts: tuple[UnreadPart, ...] = ()


class Reader(Protocol):
    """The function `read` of one format's module.

    Yields exactly one `Head` first, then at least one `Page`.

    Raises:
        Unsupported: The bytes are not of this format.
        InvalidInput: The bytes are damaged or encrypted, and nothing can be read.
    """

    def __call__(self, blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
        """Yield the head, then the pages."""
        ...


Target = int | str
"""What is to be recognised: a page by its number from 1, or a picture inside a page by its format's name of it."""


@dataclass(frozen=True, slots=True)
class Raster:
    """A page, or a picture inside one, as pixels.

    Attributes:
        number: Page number from 1; 1 for a picture.
        width: Width of the page as displayed in points; in pixels, if the file is a picture.
        height: Its height.
        picture: The page as displayed, in RGB.
    """

    number: int
    width: float
    height: float
    picture: "Image.Image"


class Rasteriser(Protocol):
    """The function `rasterise` of a format whose pages may be, or contain, pictures of text.

    Raises:
        Unsupported: The bytes are not of this format.
        InvalidInput: The file or a page is damaged or encrypted.
    """

    def __call__(self, blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
        """Yield pages, and pictures inside them, as pixels: at `OCR_DPI`, or less if they exceeded
        `MAX_OCR_SIDE_PIXELS`.
        """
        ...


class Renderer(Protocol):
    """The function `render` of a format whose pages can be shown.

    Raises:
        NotFound: The page does not exist; the message has the number of pages.
        Unsupported: The bytes are not of this format.
        InvalidInput: The file or the page is damaged or encrypted.
    """

    def __call__(self, blob: Blob, page: int, width: int, options: ReadOptions, call: Call) -> bytes:
        """Return a page as a PNG.

        Args:
            blob: The file.
            page: Page number from 1.
            width: Width of the picture in pixels; an extremely high page becomes narrower.
            options: The limits of reading.
            call: Checked for cancellation.
        """
        ...


class Measurer(Protocol):
    """The function `measure` of a format whose pages can be shown.

    Raises:
        Unsupported: The bytes are not of this format.
        InvalidInput: The file is damaged or encrypted.
    """

    def __call__(self, blob: Blob, options: ReadOptions, call: Call) -> PageSizes:
        """Return the size of each page as displayed, in points; of a picture in pixels."""
        ...
