"""Levels of tagged headings by their print, for files whose tags have one level for all of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pincite.errors import InvalidInput
from pincite.formats.pdf.layout.heading_levels import derive_styles, known_level
from pincite.formats.pdf.layout.headings import Look, body_look, count_looks, tagged_look
from pincite.formats.pdf.layout.page_content import read_words
from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.pdfium import Handle
from pincite.formats.pdf.page.placed_text import text_of
from pincite.formats.pdf.page.words import Word, lines_of
from pincite.formats.pdf.tagged.blocks import LevelOf
from pincite.formats.pdf.tagged.elements import heading_kind
from pincite.formats.pdf.tagged.structure import Element, read_structure
from pincite.formats.writing.page_writer import MAX_HEADING_LEVEL
from pincite.model.call import Call


def printed_levels(document: Handle, numbers: Iterable[int], call: Call) -> LevelOf:
    """Return what tells the level of a heading by its look; one that is printed as text, underlined, has the lowest.

    Args:
        document: The file.
        numbers: Pages whose headings are compared.
        call: Checked for cancellation.
    """
    counts: Counter[Look] = Counter()
    headings: list[Paragraph] = []
    for number in numbers:
        call.check()
        try:
            with open_page(document, number) as page:
                words = read_words(page).words.words
                contents: dict[int, list[Word]] = {}
                for word in words:
                    contents.setdefault(word.mcid, []).append(word)
                elements = [one for element in read_structure(page.raw, call) for one in _headings(element)]
        except InvalidInput:
            continue
        counts += count_looks(words)
        texts = ([word for content in one.content_ids() for word in contents.get(content, ())] for one in elements)
        headings += (_paragraph(text) for text in texts if text)
    body = body_look(counts)
    looks = ((tagged_look(heading, body), heading.text.text) for heading in headings)
    candidates = [(look, text) for look, text in looks if look is not None]
    # Twice, because a look needs two uses: what is tagged as a heading needs no other proof.
    styles = derive_styles(candidates * 2, body)

    def level_of(words: Sequence[Word]) -> int:
        heading = _paragraph(words) if words else None
        look = tagged_look(heading, body) if heading else None
        if heading and look is None:
            return min(max(styles.levels.values()) + 1, MAX_HEADING_LEVEL) if styles.levels else 0
        return known_level(look, heading.text.text, styles) if heading and look else 0

    return level_of


def _headings(element: Element) -> Iterator[Element]:
    if heading_kind(element.kind):
        yield element
        return
    for child in element.children:
        if isinstance(child, Element):
            yield from _headings(child)


def _paragraph(words: Sequence[Word]) -> Paragraph:
    return Paragraph(tuple(lines_of(words)), text_of(words))
