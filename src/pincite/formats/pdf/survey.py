"""A look at some pages of a document before the first is written: its styles and its running heads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite.formats.pdf.bookmarks import folded
from pincite.formats.pdf.content import PageContent
from pincite.formats.pdf.headings import Look, Styles, body_look, heading_look, styles
from pincite.formats.pdf.layout import Layout, laid_out
from pincite.formats.pdf.running_heads import Edge, Heads, running_heads

RUNS, RUN = 8, 6
"""Runs of pages that are looked at, and pages in a run: neighbours show heads that change with the chapter."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What some pages of a document have in common.

    Attributes:
        styles: Of running text and of headings.
        edges: Of those pages, by page number.
    """

    styles: Styles
    edges: Mapping[int, Sequence[Edge]]


def sample(pages: int) -> list[int]:
    """Numbers of the pages that are looked at: all of a short document, runs spread over a long one."""
    if pages <= RUNS * RUN:
        return list(range(1, pages + 1))
    starts = (1 + run * (pages - RUN) // (RUNS - 1) for run in range(RUNS))
    return sorted({number for start in starts for number in range(start, start + RUN)})


def survey(contents: Sequence[PageContent], outline: Mapping[int, Mapping[str, int]], pages: int) -> Survey:
    """What the pages that were looked at have in common.

    Args:
        contents: Those pages.
        outline: Depth by folded title, for each page that bookmarks lead to.
        pages: Number of pages of the document.
    """
    body = body_look(word for content in contents for word in content.words)
    edges = {content.number: content.edges for content in contents}
    layouts = [
        (content, laid_out(content, heads_of(content, edges, body.size), pages)) for content in contents
    ]
    found = [entry for _, layout in layouts for entry in _candidates(layout, body)]
    known = [
        (look, depth)
        for content, layout in layouts
        for look, text in _candidates(layout, body)
        if (depth := outline.get(content.number, {}).get(folded(text)))
    ]
    return Survey(styles(found, body, known), edges)


def heads_of(content: PageContent, edges: Mapping[int, Sequence[Edge]], body: float) -> Heads:
    """A page's running heads, by the edges of other pages."""
    others = (other for number, other in edges.items() if number != content.number)
    return running_heads(content.edges, others, body)


def _candidates(layout: Layout, body: Look) -> Iterator[tuple[Look, str]]:
    for paragraph in layout.paragraphs:
        look = heading_look(paragraph, body)
        if look is not None:
            yield look, paragraph.text()[0]
