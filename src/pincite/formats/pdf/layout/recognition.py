"""What was recognised in the pictures of a file's pages or inside them, and what is reported of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite.formats.base import OCR_DPI, OCR_NOT_INSTALLED, ReadOptions
from pincite.formats.pdf.page.images import PagePicture, page_pictures, picture_name
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.quality import TextSource, unmapped_text
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.inner_pictures import InnerPictures, with_picture
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Box, Page
from pincite.model.recognition import RecognisedPage, RecognisedPicture
from pincite.model.sizes import POINTS_PER_INCH

MAX_OWN_WORDS = 4
"""Words of the page's own that may be printed over a picture: with more it is their background, or its labels are
text."""
OCR_PAGES = "ocr_pages"
"""The limit of recognised pages, as `ReadOptions` names it."""


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


@dataclass(frozen=True, slots=True)
class Recognition:
    """Recognised pages of a file.

    Attributes:
        pages: By page number; one without text that has a problem could not be recognised.
        no_ocr: Why pictures are not recognised; empty if they are, or were.
        inner: The pictures inside pages that have text of their own; None to leave them out.
    """

    pages: Mapping[int, RecognisedPage] = field(default_factory=dict[int, RecognisedPage])
    no_ocr: str = OCR_NOT_INSTALLED
    inner: PagesWithPictures | None = None

    @classmethod
    def of(cls, options: ReadOptions) -> "Recognition":
        """Return the pages that were recognised before this reading."""
        pages = {page.number: page for page in options.recognised}
        return cls(pages, "" if options.ocr else options.no_ocr, PagesWithPictures(options))

    def turns(self, number: int) -> int:
        """Return the clockwise quarter turns that make a page upright; 0 if its text was not recognised."""
        page = self.pages.get(number)
        return page.turns if page is not None and page.lines else 0

    def pictures(self, page: PdfPage, source: TextSource) -> tuple[PagePicture, ...] | None:
        """Return the pictures of an open page that has good text of its own; None for any other page."""
        if self.inner is None or source.is_recognised or source.is_layer or source.problem:
            return None
        return self.inner.find(page)

    def report(
        self, writer: PageWriter, number: int, source: TextSource, pictures: tuple[PagePicture, ...] | None
    ) -> None:
        """Report whether the text of a page or of pictures inside it was recognised, or why it cannot be used.

        Args:
            writer: Receives the report.
            number: Number of the page from 1.
            source: Where its text is from.
            pictures: The pictures inside it, as `pictures` returned them.
        """
        if self.inner is not None and pictures is not None:
            self.inner.survey(writer, number, pictures, source.words.words)
        if source.is_recognised or source.is_layer:
            writer.recognised()
        problem = source.problem
        if not problem:
            if unread := unmapped_text(source.words.words):
                writer.fail(unread)
            return
        if number in self.pages:
            writer.fail(problem)
            return
        if self.pages:
            writer.limit(OCR_PAGES)
        writer.unrecognised(f"{problem}; {self.no_ocr}" if self.no_ocr else problem)

    def finished(self, page: Page) -> Page:
        """Return the page that was reported last, with the text of pictures inside it and its boxes as displayed."""
        return self.displayed(page if self.inner is None else self.inner.inserted(page))

    def displayed(self, page: Page) -> Page:
        """Return a page with its boxes on the page as displayed, if its text was read from a turned picture."""
        recognised = self.pages.get(page.number or 0)
        if recognised is None or not recognised.lines or not (recognised.turns or recognised.skew):
            return page
        blocks = (replace(block, boxes=tuple(map(recognised.displayed, block.boxes))) for block in page.blocks)
        return replace(page, blocks=tuple(blocks))


NO_RECOGNITION = Recognition()
