"""Untagged pages: read in order, each with a look at the pages around it."""

from collections.abc import Mapping, Sequence

from pincite.errors import InvalidInput
from pincite.formats.canonical import PageWriter
from pincite.formats.pdf.content import PageContent, page_content
from pincite.formats.pdf.layout import laid_out, write
from pincite.formats.pdf.page import Handle, open_page
from pincite.formats.pdf.running_heads import Edge
from pincite.formats.pdf.survey import Survey, heads_of, sample, survey
from pincite.model.call import Call
from pincite.model.document import AsideKind

NEAR = 6
"""Pages before and after a page that show its running heads."""


class UntaggedPages:
    """The untagged pages of one file; each page is opened once, some of them before their turn."""

    def __init__(self, document: Handle, pages: int, outline: Mapping[int, Mapping[str, int]]) -> None:
        self._document = document
        self._pages = pages
        self._ahead: dict[int, PageContent | str] = {}
        self._near: dict[int, Sequence[Edge]] = {}
        self._survey: Survey | None = None
        self._outline = outline

    def write(self, writer: PageWriter, number: int, call: Call) -> None:
        """Write a page.

        Raises:
            InvalidInput: It is damaged.
        """
        known = self._surveyed(call)
        for other in range(number, min(number + NEAR, self._pages) + 1):
            self._load(other, call)
        content = self._ahead.pop(number)
        if isinstance(content, str):
            raise InvalidInput(content)
        self._near = {other: edges for other, edges in self._near.items() if other >= number - NEAR}
        heads = heads_of(content, {**known.edges, **self._near}, known.styles.body.size)
        layout = laid_out(content, heads, self._pages)
        write(writer, layout, known.styles, self._outline.get(number, {}))
        for text in layout.header:
            writer.aside(AsideKind.HEADER, text)
        for text in layout.footer:
            writer.aside(AsideKind.FOOTER, text)
        for text in content.hidden:
            writer.aside(AsideKind.HIDDEN, text)
        if content.problem:
            writer.fail(content.problem)
        if content.warning:
            writer.warn(content.warning)

    def _surveyed(self, call: Call) -> Survey:
        if self._survey is None:
            numbers = sample(self._pages)
            for number in numbers:
                self._load(number, call)
            contents = [content for number in numbers if isinstance(content := self._ahead[number], PageContent)]
            self._survey = survey(contents, self._outline, self._pages)
        return self._survey

    def _load(self, number: int, call: Call) -> None:
        if number in self._ahead:
            return
        call.check()
        try:
            with open_page(self._document, number) as page:
                content = page_content(page)
        except InvalidInput as damage:
            self._ahead[number] = damage.message
            return
        self._ahead[number] = content
        self._near[number] = content.edges
