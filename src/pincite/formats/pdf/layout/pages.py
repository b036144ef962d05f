"""Untagged pages: surveyed, then read in order, each compared with the pages around it."""

from collections import Counter
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from itertools import zip_longest

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput
from pincite.formats.pdf.annotations import Annotations, has_shown_annotations, page_links, write_links
from pincite.formats.pdf.document import PdfFile, library_session
from pincite.formats.pdf.layout.bookmarks import outlined_title
from pincite.formats.pdf.layout.heading_levels import Styles, derive_styles, heading_level, stopped_looks
from pincite.formats.pdf.layout.headings import (
    Look,
    body_look,
    count_looks,
    heading_look,
    is_chapter_label,
    largest_text_look,
    page_look,
    title_place,
)
from pincite.formats.pdf.layout.layout import Layout, Region, lay_out, write_layout
from pincite.formats.pdf.layout.page_content import PageContent, page_content
from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.layout.recognition import NO_RECOGNITION, Recognition
from pincite.formats.pdf.layout.running_heads import PageEdges, RunningHeads, running_heads
from pincite.formats.pdf.page.code_text import DocumentCode
from pincite.formats.pdf.page.hyphens import Hyphenation, Vocabulary
from pincite.formats.pdf.page.images import PagePicture
from pincite.formats.pdf.page.margin_numbers import REASON
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, Box
from pincite.model.recognition import RecognisedPage

SURVEY_RUNS, PAGES_PER_RUN = 6, 8
"""Number of sampled runs and pages in each. Runs, because neighbours share the heads that change with the chapter; few,
because the first page of a long file must come within the time limit of a read."""
MIN_TEXT_SHARE = 0.1
"""Share of a document's characters that are its text beside tables in small type; titles of statements are fewer."""
NEIGHBOUR_PAGES = 6
"""Pages before and after a page that are compared for running heads: some change with the chapter."""
MAX_OPEN_PAGES = 16
"""Pages open at once; bounds memory. More than a survey run, whose pages are laid out while open."""
_NO_TITLES: Mapping[str, int] = {}


@dataclass(frozen=True, slots=True)
class Survey:
    """Findings from the sampled pages.

    Attributes:
        styles: Looks of body text and headings.
        edges: Edge rows of the sampled pages, by page number.
    """

    styles: Styles
    edges: Mapping[int, PageEdges]


def sample_runs(pages: int) -> list[range]:
    """Return the sampled runs of page numbers: all pages of a short document, spread over a long one."""
    if pages <= SURVEY_RUNS * PAGES_PER_RUN:
        return [range(start, min(start + PAGES_PER_RUN, pages + 1)) for start in range(1, pages + 1, PAGES_PER_RUN)]
    return [
        range(start, start + PAGES_PER_RUN)
        for start in (1 + run * (pages - PAGES_PER_RUN) // (SURVEY_RUNS - 1) for run in range(SURVEY_RUNS))
    ]


def heads_of(content: PageContent, edges: Mapping[int, PageEdges], body: Look) -> RunningHeads:
    """Detect a page's running heads, by the edge rows of other pages."""
    others = (other for number, other in edges.items() if number != content.number)
    return running_heads(content.rows, content.edges, others, body.size, is_first=content.number == 1)


def heading_styles(layouts: Mapping[int, Layout], outline: Mapping[int, Mapping[str, int]], body: Look) -> Styles:
    """Derive the levels of headings from the sampled pages.

    Args:
        layouts: Layouts of those pages, by page number.
        outline: Bookmark depths by folded title, by page number.
        body: Look of most characters.
    """
    body = _text_look(layouts.values(), body)
    candidates = list(_candidates(layouts, body))
    stopped = stopped_looks((look, text) for _, look, text in candidates)
    if stopped:
        candidates = list(_candidates(layouts, body, stopped))
    # Of several titles of one page with one text, the outline names that in larger type.
    outlined: dict[tuple[int, str], tuple[Look, int]] = {}
    for number, look, text in candidates:
        depths = outline.get(number, {})
        title = outlined_title(text, depths) if depths else None
        if title is None:
            continue
        larger, _ = outlined.setdefault((number, title), (look, depths[title]))
        if look.size > larger.size:
            outlined[number, title] = look, depths[title]
    return derive_styles([(look, text) for _, look, text in candidates], body, list(outlined.values()))


def _text_look(layouts: Iterable[Layout], body: Look) -> Look:
    """Return the commonest look outside of tables if it is larger than that of most characters, which tables have."""
    counts, in_tables = Counter[Look](), Counter[Look]()
    for layout in layouts:
        counts += layout.looks
        for part in layout.parts:
            if isinstance(part, Region) and part.table is not None:
                in_tables += count_looks(part.words)
    if 2 * in_tables[body] <= counts[body]:
        return body
    text = counts - in_tables
    look = body_look(text)
    is_text = look.size > body.size and text[look] >= MIN_TEXT_SHARE * counts.total()
    return look if is_text else body


def _candidates(
    layouts: Mapping[int, Layout], body: Look, stopped: Container[Look] = ()
) -> Iterator[tuple[int, Look, str]]:
    """Yield the page, look and text of each paragraph that may be a heading."""
    for number, layout in layouts.items():
        body_on_page = page_look(layout.looks, body)
        looks = [
            heading_look(part, body_on_page, stopped=stopped) if isinstance(part, Paragraph) else None
            for part in layout.parts
        ]
        for index, (part, look, look_below) in enumerate(zip_longest(layout.parts, looks, looks[1:])):
            if look is None or not isinstance(part, Paragraph):
                continue
            # The label of a chapter right above its title has no level, whatever its look is.
            if look_below is None or not is_chapter_label(part.text.text):
                yield number, look._replace(place=title_place(layout.parts, index)), part.text.text


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
        titles = {**self._outline.get(number, {}), **tagged}
        write_layout(writer, layout, survey.styles, titles)
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


@contextmanager
def picture_pages(recognised: Sequence[RecognisedPage]) -> Generator[UntaggedPages]:
    """Return a writer of recognised pages, over empty pages of their size, for the duration of a `with` block.

    Args:
        recognised: Pages 1 to the last, in order.
    """
    with ExitStack() as stack:
        stack.enter_context(library_session())
        document = pdfium.FPDF_CreateNewDocument()
        stack.callback(pdfium.FPDF_CloseDocument, document)
        for index, page in enumerate(recognised):
            size = (page.height, page.width) if page.turns % 2 else (page.width, page.height)
            pdfium.FPDF_ClosePage(pdfium.FPDFPage_New(document, index, *(max(1.0, side) for side in size)))
        recognition = Recognition({page.number: page for page in recognised}, "")
        yield stack.enter_context(closing(UntaggedPages(PdfFile(document), len(recognised), {}, None, recognition)))
