"""Untagged pages: read in order, each compared with the pages around it."""

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

from pincite.errors import InvalidInput
from pincite.formats.pdf.annotations.annotations import Annotations, has_shown_annotations
from pincite.formats.pdf.annotations.links import page_links, write_links
from pincite.formats.pdf.document import PdfFile
from pincite.formats.pdf.layout.author_lines import MIN_PAGES
from pincite.formats.pdf.layout.heading_levels import heading_level
from pincite.formats.pdf.layout.headings import Look, body_look, largest_text_look, page_look
from pincite.formats.pdf.layout.layout import Layout, lay_out, write_layout
from pincite.formats.pdf.layout.page_content import PageContent, page_content
from pincite.formats.pdf.layout.recognition import NO_RECOGNITION, Recognition
from pincite.formats.pdf.layout.running_heads import PageEdges
from pincite.formats.pdf.layout.survey import Survey, heading_styles, heads_of, sample_runs
from pincite.formats.pdf.page.code_text import DocumentCode
from pincite.formats.pdf.page.hyphens import Hyphenation, Vocabulary
from pincite.formats.pdf.page.images import PagePicture
from pincite.formats.pdf.page.line_numbers import REASON
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, Box

NEIGHBOUR_PAGES = 6
"""Pages before and after a page that are compared for running heads: some change with the chapter."""
MAX_OPEN_PAGES = 16
"""Pages open at once; bounds memory. More than a survey run, whose pages are laid out while open."""
_NO_TITLES: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class _Extras:
    """What is written of a page besides its text, found while the page is open: opening it again takes as long.

    Attributes:
        pictures: Pictures inside it.
        has_annotations: True if it has form fields or comments.
        links: Addresses that it links to, with the box of each link.
    """

    pictures: tuple[PagePicture, ...] | None
    has_annotations: bool
    links: tuple[tuple[str, Box], ...]


class UntaggedPages:
    """Writer of one file's untagged pages, to be called in page order; reads some pages ahead."""

    def __init__(
        self,
        file: PdfFile,
        pages: int,
        outline: Mapping[int, Mapping[str, int]],
        annotations: Annotations | None = None,
        recognition: Recognition = NO_RECOGNITION,
    ) -> None:
        self._file = file
        self.recognition = recognition
        self._annotations = annotations
        self._pages = pages
        self._outline = outline
        self._open: dict[int, tuple[ExitStack, PdfPage]] = {}
        self._contents: dict[int, PageContent | str] = {}
        self._extras: dict[int, _Extras] = {}
        self._layouts: dict[int, Layout] = {}
        self._near_edges: dict[int, PageEdges] = {}
        self._survey: Survey | None = None
        self._vocabulary = Vocabulary()
        self._code = DocumentCode()

    def write(self, writer: PageWriter, number: int, call: Call, tagged: Mapping[str, int] = _NO_TITLES) -> None:
        """Write a page.

        Args:
            writer: Receives the blocks.
            number: Number of the page from 1.
            call: Checked for cancellation.
            tagged: Level by folded title of headings that are tagged.

        Raises:
            InvalidInput: The page is damaged.
        """
        survey = self._surveyed(call)
        # The following pages show which rows are repeated.
        for other in range(number, min(number + NEIGHBOUR_PAGES, self._pages) + 1):
            self._content(other, call)
        content = self._contents.pop(number)
        if isinstance(content, str):
            raise InvalidInput(content)
        self._near_edges = {
            other: edges for other, edges in self._near_edges.items() if other >= number - NEIGHBOUR_PAGES
        }
        layout = self._layouts.pop(number, None) or self._lay_out(content, survey.edges, survey.styles.body)
        has_authors = number == 1 and self._pages >= MIN_PAGES
        titles = {**self._outline.get(number, {}), **tagged}
        write_layout(writer, layout, survey.styles, titles, has_authors=has_authors)
        _write_asides(writer, content, layout)
        extras = self._extras.pop(number)
        self.recognition.report(writer, number, content.source, extras.pictures)
        write_links(writer, extras.links, content.words)
        if self._annotations and extras.has_annotations:
            self._annotations.write(writer, self._page(number), content.words, call)
        self._close(number)

    def count_headings(self, call: Call) -> int:
        """Return the number of headings on the sampled pages; call it before the first page is written."""
        styles = self._surveyed(call).styles
        return sum(
            heading_level(paragraph, styles, page_look(layout.looks, styles.body)) > 0
            for layout in self._layouts.values()
            for paragraph in layout.paragraphs
        )

    def hyphenation(self) -> Hyphenation:
        """Return what the pages so far show about hyphens."""
        return self._vocabulary.hyphenation(())

    def _surveyed(self, call: Call) -> Survey:
        if self._survey is None:
            self._survey = self._survey_document(call)
        return self._survey

    def close(self) -> None:
        """Close all pages."""
        for number in list(self._open):
            self._close(number)

    def _survey_document(self, call: Call) -> Survey:
        """Read and lay out the sampled pages, run by run, so that no page is opened twice."""
        edges: dict[int, PageEdges] = {}
        look_counts: Counter[Look] = Counter()
        for run in sample_runs(self._pages):
            contents = [content for number in run if (content := self._content(number, call)) is not None]
            # All pages of a run are read before the first is laid out: neighbours show its running heads.
            edges |= {content.number: content.edges for content in contents}
            for content in contents:
                look_counts.update(content.looks)
            for content in contents:
                call.check()
                self._layouts[content.number] = self._lay_out(content, edges, largest_text_look(look_counts))
        body = body_look(look_counts)
        return Survey(heading_styles(self._layouts, self._outline, body), edges)

    def _lay_out(self, content: PageContent, edges: Mapping[int, PageEdges], body: Look) -> Layout:
        heads = heads_of(content, {**edges, **self._near_edges}, body)
        hyphenation = self._vocabulary.hyphenation(content.words)
        return lay_out(content, heads, self._pages, hyphenation, self._code)

    def _content(self, number: int, call: Call) -> PageContent | None:
        """Return the content of a page, read at most once; None if it is damaged."""
        if number not in self._contents:
            call.check()
            try:
                page = self._page(number)
                content = page_content(page, self.recognition.pages.get(number))
                self._extras[number] = _Extras(
                    self.recognition.pictures(page, content.source), has_shown_annotations(page), page_links(page)
                )
            except InvalidInput as damage:
                self._contents[number] = damage.message
                return None
            self._contents[number] = content
            self._code.add(content.words)
            self._vocabulary.add(content.words, content.source.words.inner_hyphens)
            self._near_edges[number] = content.edges
        cached = self._contents[number]
        return cached if isinstance(cached, PageContent) else None

    def _page(self, number: int) -> PdfPage:
        if number not in self._open:
            while len(self._open) >= MAX_OPEN_PAGES:
                # The page opened first; a dict keeps the order.
                self._close(next(iter(self._open)))
            stack = ExitStack()
            turns = self.recognition.turns(number)
            self._open[number] = (stack, stack.enter_context(self._file.page(number, turns)))
        return self._open[number][1]

    def _close(self, number: int) -> None:
        if number in self._open:
            stack, _ = self._open.pop(number)
            stack.close()


def _write_asides(writer: PageWriter, content: PageContent, layout: Layout) -> None:
    """Write running heads, hidden text and numbers of lines of code."""
    for kind, texts in (
        (AsideKind.HEADER, layout.header),
        (AsideKind.FOOTER, layout.footer),
        (AsideKind.HIDDEN, content.hidden),
    ):
        for text in texts:
            writer.aside(kind, text)
    for numbers in (*content.line_numbers, *layout.numbers):
        writer.aside(AsideKind.SURROUNDINGS, numbers, reason=REASON)
