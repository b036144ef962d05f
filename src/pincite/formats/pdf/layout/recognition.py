"""What was recognised in the pictures of a file's pages, and what is reported of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pincite.formats.base import OCR_NOT_INSTALLED, ReadOptions
from pincite.formats.pdf.layout.inner_pictures import PagesWithPictures
from pincite.formats.pdf.page.images import PagePicture
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.quality import unmapped_text
from pincite.formats.pdf.page.recognised import TextSource
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Page
from pincite.model.recognition import RecognisedPage

OCR_PAGES = "ocr_pages"
"""The limit of recognised pages, as `ReadOptions` names it."""


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
