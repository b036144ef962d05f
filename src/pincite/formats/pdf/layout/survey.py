"""A look at some pages of a document before the first is written: its styles and its running heads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite.formats.pdf.layout.bookmarks import folded
from pincite.formats.pdf.layout.headings import Look, Styles, heading_look, page_look, styles
from pincite.formats.pdf.layout.layout import Layout
from pincite.formats.pdf.layout.page_content import PageContent
from pincite.formats.pdf.layout.running_heads import Edge, Heads, running_heads

RUNS, RUN = 6, 8
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


def sample(pages: int) -> list[range]:
    """Runs of pages that are looked at: all pages of a short document, spread over a long one."""
    if pages <= RUNS * RUN:
        return [range(start, min(start + RUN, pages + 1)) for start in range(1, pages + 1, RUN)]
    return [range(start, start + RUN) for start in (1 + run * (pages - RUN) // (RUNS - 1) for run in range(RUNS))]


def heads_of(content: PageContent, edges: Mapping[int, Sequence[Edge]], body: Look) -> Heads:
    """A page's running heads, by the edges of other pages."""
    others = (other for number, other in edges.items() if number != content.number)
    return running_heads(content.rows, content.edges, others, body.size)


def heading_styles(layouts: Mapping[int, Layout], outline: Mapping[int, Mapping[str, int]], body: Look) -> Styles:
    """The levels of headings, by the pages that were looked at.

    Args:
        layouts: Those pages, by their numbers.
        outline: Depth by folded title, for each page that bookmarks lead to.
        body: How running text looks.
    """
    found = [(number, look, text) for number, layout in layouts.items() for look, text in _candidates(layout, body)]
    known = [
        (look, depth)
        for number, look, text in found
        if (depth := outline.get(number, {}).get(folded(text))) is not None
    ]
    return styles([(look, text) for _, look, text in found], body, known)


def _candidates(layout: Layout, body: Look) -> Iterator[tuple[Look, str]]:
    own = page_look(layout.looks, body)
    for paragraph in layout.paragraphs:
        look = heading_look(paragraph, own)
        if look is not None:
            yield look, paragraph.text.text
