"""Survey of a sample of pages before the first is written: styles and running heads of the document."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from pincite.formats.pdf.layout.bookmarks import outlined_title
from pincite.formats.pdf.layout.heading_levels import Styles, derive_styles, stopped_looks
from pincite.formats.pdf.layout.headings import (
    Look,
    body_look,
    count_looks,
    heading_look,
    is_chapter_label,
    page_look,
)
from pincite.formats.pdf.layout.layout import Layout, Region
from pincite.formats.pdf.layout.page_content import PageContent
from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.layout.running_heads import PageEdges, RunningHeads, running_heads
from pincite.formats.pdf.layout.title_places import title_place

SURVEY_RUNS, PAGES_PER_RUN = 6, 8
"""Number of sampled runs and pages in each. Runs, because neighbours share the heads that change with the chapter; few,
because the first page of a long file must come within the time limit of a read."""
MIN_TEXT_SHARE = 0.1
"""Share of a document's characters that are its text beside tables in small type; titles of statements are fewer."""


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
