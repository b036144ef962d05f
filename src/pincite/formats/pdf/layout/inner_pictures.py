"""Pictures inside pages that have a good text layer: found, named, and their recognised text inserted."""

from collections.abc import Iterable, Sequence

from pincite.formats.base import OCR_DPI, ReadOptions
from pincite.formats.pdf.page.images import PagePicture, page_pictures, picture_name
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.inner_pictures import InnerPictures, with_picture
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Box, Page
from pincite.model.recognition import RecognisedPicture
from pincite.model.sizes import POINTS_PER_INCH

MAX_OWN_WORDS = 4
"""Words of the page's own that may be printed over a picture: with more it is their background, or its labels are
text."""


class PagesWithPictures:
    """The pictures inside the pages of one file, to be called in page order."""

    def __init__(self, options: ReadOptions) -> None:
        self._pictures = InnerPictures(options)
        self._min_points = options.min_picture_pixels * (POINTS_PER_INCH / OCR_DPI) ** 2
        self._digests: set[str] = set()
        self._placed: list[tuple[Box, RecognisedPicture]] = []

    def find(self, page: PdfPage) -> tuple[PagePicture, ...]:
        """Return the pictures of an open page; none if they are left unread."""
        return tuple(page_pictures(page, self._min_points)) if self._pictures.is_sought else ()

    def survey(self, writer: PageWriter, number: int, pictures: Iterable[PagePicture], words: Sequence[Word]) -> None:
        """Report those pictures of a page that are not read.

        Args:
            writer: Receives the report.
            number: Number of the page from 1.
            pictures: Its pictures, as `find` returned them.
            words: Its visible words.
        """
        self._placed = []
        for picture in pictures:
            box = picture.box
            # What several pages show is a logo or a background, and read on the first of them.
            if picture.digest in self._digests or _count_inside(words, box) > MAX_OWN_WORDS:
                continue
            self._digests.add(picture.digest)
            pixels = round((box.x1 - box.x0) * (box.y1 - box.y0) * (OCR_DPI / POINTS_PER_INCH) ** 2)
            recognised = self._pictures.text_of(writer, picture_name(number, box), lambda pixels=pixels: pixels)
            if recognised is not None:
                self._placed.append((box, recognised))

    def inserted(self, page: Page) -> Page:
        """Return the page that was surveyed last, with the text of its pictures."""
        for box, recognised in self._placed:
            page = with_picture(page, recognised, box)
        self._placed = []
        return page


def _count_inside(words: Sequence[Word], box: Box) -> int:
    return sum(
        2 * box.x0 <= word.x0 + word.x1 <= 2 * box.x1 and 2 * box.y0 <= word.y0 + word.y1 <= 2 * box.y1
        for word in words
    )
