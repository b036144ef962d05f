"""Untagged pages: read in order, each with a look at the pages around it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack

from pincite.errors import InvalidInput
from pincite.formats.pdf.annotations.annotations import Annotations
from pincite.formats.pdf.layout.headings import Look, body_look, looks
from pincite.formats.pdf.layout.layout import Layout, lay_out, write
from pincite.formats.pdf.layout.page_content import PageContent, page_content
from pincite.formats.pdf.layout.running_heads import Edge
from pincite.formats.pdf.layout.survey import Survey, heading_styles, heads_of, sample
from pincite.formats.pdf.page.page import Handle, PdfPage, open_page
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind

NEAR = 6
"""Pages before and after a page that show its running heads."""
MOST_OPEN = 16
"""Pages that are open at once."""


class UntaggedPages:
    """The untagged pages of one file, which must come in order; some are read before their turn."""

    def __init__(
        self,
        document: Handle,
        pages: int,
        outline: Mapping[int, Mapping[str, int]],
        annotations: Annotations | None = None,
    ) -> None:
        self._document = document
        self._annotations = annotations
        self._pages = pages
        self._outline = outline
        self._open: dict[int, tuple[ExitStack, PdfPage]] = {}
        self._contents: dict[int, PageContent | str] = {}
        self._layouts: dict[int, Layout] = {}
        self._near: dict[int, Sequence[Edge]] = {}
        self._survey: Survey | None = None

    def write(self, writer: PageWriter, number: int, call: Call) -> None:
        """Write a page.

        Raises:
            InvalidInput: It is damaged.
        """
        known = self._survey or self._look_around(call)
        self._survey = known
        for other in range(number, min(number + NEAR, self._pages) + 1):
            self._content(other, call)
        content = self._contents.pop(number)
        if isinstance(content, str):
            raise InvalidInput(content)
        self._near = {other: edges for other, edges in self._near.items() if other >= number - NEAR}
        layout = self._layouts.pop(number, None) or self._lay_out(content, known.edges, known.styles.body)
        write(writer, layout, known.styles, self._outline.get(number, {}))
        _say(writer, content, layout)
        if self._annotations:
            self._annotations.write(writer, self._page(number), call)
        self._close(number)

    def close(self) -> None:
        """Close all pages."""
        for number in list(self._open):
            self._close(number)

    def _look_around(self, call: Call) -> Survey:
        """Read some pages, run by run, so that none has to be opened again."""
        edges: dict[int, Sequence[Edge]] = {}
        seen: Counter[Look] = Counter()
        for run in sample(self._pages):
            contents = [content for number in run if (content := self._content(number, call)) is not None]
            edges |= {content.number: content.edges for content in contents}
            for content in contents:
                seen.update(looks(content.words))
            for content in contents:
                call.check()
                self._layouts[content.number] = self._lay_out(content, edges, body_look(seen))
        body = body_look(seen)
        return Survey(heading_styles(self._layouts, self._outline, body), edges)

    def _lay_out(self, content: PageContent, edges: Mapping[int, Sequence[Edge]], body: Look) -> Layout:
        heads = heads_of(content, {**edges, **self._near}, body)
        return lay_out(self._page(content.number), content, heads, self._pages)

    def _content(self, number: int, call: Call) -> PageContent | None:
        """What stands on a page; None where it is damaged."""
        if number not in self._contents:
            call.check()
            try:
                content = page_content(self._page(number))
            except InvalidInput as damage:
                self._contents[number] = damage.message
                return None
            self._contents[number] = content
            self._near[number] = content.edges
        known = self._contents[number]
        return known if isinstance(known, PageContent) else None

    def _page(self, number: int) -> PdfPage:
        if number not in self._open:
            while len(self._open) >= MOST_OPEN:
                self._close(next(iter(self._open)))
            stack = ExitStack()
            self._open[number] = (stack, stack.enter_context(open_page(self._document, number)))
        return self._open[number][1]

    def _close(self, number: int) -> None:
        if number in self._open:
            stack, _ = self._open.pop(number)
            stack.close()


def _say(writer: PageWriter, content: PageContent, layout: Layout) -> None:
    """What is kept apart of a page, and what could not be read."""
    for kind, texts in (
        (AsideKind.HEADER, layout.header),
        (AsideKind.FOOTER, layout.footer),
        (AsideKind.HIDDEN, content.hidden),
    ):
        for text in texts:
            writer.aside(kind, text)
    if content.problem:
        writer.fail(content.problem)
    if content.warning:
        writer.warn(content.warning)
