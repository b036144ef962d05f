"""Pages whose tags are trusted, and levels of headings that are tagged on one level and printed on several."""

import ctypes
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput
from pincite.formats.pdf.layout.bookmarks import fold_title
from pincite.formats.pdf.layout.heading_levels import derive_styles, known_level
from pincite.formats.pdf.layout.headings import Look, body_look, count_looks, tagged_look
from pincite.formats.pdf.layout.page_content import read_words
from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.page.code_text import DocumentCode, code_fonts
from pincite.formats.pdf.page.hyphens import Hyphenation, Vocabulary
from pincite.formats.pdf.page.margin_numbers import REASON, line_numbers
from pincite.formats.pdf.page.page import PdfPage, open_page
from pincite.formats.pdf.page.pdfium import Handle
from pincite.formats.pdf.page.placed_text import split_baselines, text_of
from pincite.formats.pdf.page.words import PageWords, Word, lines_of
from pincite.formats.pdf.tagged.blocks import Blocks, LevelOf
from pincite.formats.pdf.tagged.structure import Element, heading_kind, read_structure
from pincite.formats.pdf.tagged.tables import Piece, header_key
from pincite.formats.pdf.tagged.trust import contradict_print
from pincite.formats.writing.page_writer import MAX_HEADING_LEVEL, PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind

MIN_TAGGED_SHARE = 0.95
"""Share of a page's characters that tags must reach; an annual report with good tags leaves 1.2 % untagged."""
MIN_PAGE_TAGGED_SHARE = 0.8
"""Share that is enough for one page if all pages so far reach `MIN_TAGGED_SHARE`: labels of a chart may be untagged."""
HEAD_MARGIN_SHARE = 0.1
"""Share of a page's height, at top and bottom, in which untagged text is a running head."""
MAX_HEAD_SHARE, FREE_HEAD_CHARS = 0.5, 200
"""Share and number of a page's characters that may be running heads; more means that body text is untagged."""
_ARTIFACT = "Artifact"
"""Mark of content that is no part of the document, such as running heads."""
_MAX_MARK_NAME_CHARS = 64
"""Length of the name of a mark that is read; a longer one is no mark of the standard."""


class TaggedPages:
    """Writer of one file's tagged pages, to be called in page order: a table may continue on the next page."""

    def __init__(self, level_of: LevelOf | None = None) -> None:
        self._level_of = level_of
        self.headings: dict[str, int] = {}
        """Level by folded title of the headings that are tagged on the last page that `write` refused."""
        self._previous_header: tuple[str, ...] = ()
        self._body_chars = self._untagged_chars = 0
        self._vocabulary = Vocabulary()
        self._code = DocumentCode()

    def write(self, writer: PageWriter, page: PdfPage, extracted: PageWords, call: Call) -> bool:
        """Write a page by its tags.

        Args:
            writer: Receives the blocks.
            page: The open page.
            extracted: Its words.
            call: Checked for cancellation.

        Returns:
            True if the page was written, False without writing anything if tags reach too little of it or contradict
            its print.
        """
        previous_header, self._previous_header = self._previous_header, ()
        self.headings = {}
        self._code.add(extracted.words)
        fonts = code_fonts(extracted.words, is_typeset=self._code.is_typeset)
        numbers = line_numbers([word for word in extracted.words if not word.turns], fonts) if fonts else []
        in_numbers = {word.first for run in numbers for word in run}
        # Tagged or not: a style sheet's numbers have no tags, and Typst's are a part of the code.
        own_words = [word for word in extracted.words if word.first not in in_numbers]
        contents = _words_by_mcid(own_words)
        tree = read_structure(page.raw, call) if contents.keys() - {-1} else ()
        reached = {content for element in tree for content in element.content_ids()}
        unreached = [word for content, words in contents.items() if content not in reached for word in words]
        heads, untagged_body = _split_untagged(page, sorted(unreached, key=lambda word: word.first))
        # No tags reach what annotations draw.
        counted, lost = (
            [word for word in some if word.first < page.own_characters] for some in (own_words, untagged_body)
        )
        if not self._is_enough(counted, heads, lost):
            return False
        self._vocabulary.add(extracted.words, extracted.inner_hyphens)
        hyphenation = self._vocabulary.hyphenation(extracted.words)
        blocks = Blocks(contents, previous_header, hyphenation, fonts, self._level_of)
        for element in tree:
            blocks.add(element)
        blocks.join_code(self._code.leadings)
        # Nothing is written above: a page with too few tags, or with wrong ones, is read by its layout.
        if contradict_print(blocks.pieces):
            headings = (piece for piece in blocks.pieces if piece.kind is BlockKind.HEADING)
            self.headings = {fold_title(piece.text.text): piece.level for piece in headings}
            return False
        pieces = _insert_untagged(blocks.pieces, untagged_body)
        for piece in pieces:
            piece.write(writer)
        for line in split_baselines(heads):
            kind = AsideKind.HEADER if line[0].y0 < page.space.height / 2 else AsideKind.FOOTER
            writer.aside(kind, text_of(line).text)
        for run in numbers:
            writer.aside(AsideKind.SURROUNDINGS, " ".join(word.text for word in run), reason=REASON)
        last = pieces[-1].table if pieces else None
        self._previous_header = header_key(last.table) if last else ()
        return True

    def hyphenation(self) -> Hyphenation:
        """Return what the pages so far show about hyphens."""
        return self._vocabulary.hyphenation(())

    def _is_enough(self, words: Sequence[Word], heads: Sequence[Word], untagged_body: Sequence[Word]) -> bool:
        """Return True if tags reach enough of the body text, of this page or of all pages so far.

        A page that is mostly running heads is not trusted.
        """
        chars, head_chars, untagged = (sum(len(word.text) for word in some) for some in (words, heads, untagged_body))
        body = chars - head_chars
        if (
            not body
            or head_chars > MAX_HEAD_SHARE * chars + FREE_HEAD_CHARS
            or body - untagged < MIN_PAGE_TAGGED_SHARE * body
        ):
            return False
        all_body, all_untagged = self._body_chars + body, self._untagged_chars + untagged
        if untagged > (1 - MIN_TAGGED_SHARE) * body and all_untagged > (1 - MIN_TAGGED_SHARE) * all_body:
            return False
        self._body_chars, self._untagged_chars = all_body, all_untagged
        return True


def _words_by_mcid(words: Sequence[Word]) -> dict[int, list[Word]]:
    words_by_mcid: dict[int, list[Word]] = {}
    for word in words:
        words_by_mcid.setdefault(word.mcid, []).append(word)
    return words_by_mcid


def _split_untagged(page: PdfPage, words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Split words without a tag into running heads, and text left untagged by mistake."""
    is_artifact: dict[int, bool] = {}
    heads: list[Word] = []
    body: list[Word] = []
    low, high = HEAD_MARGIN_SHARE * page.space.height, (1 - HEAD_MARGIN_SHARE) * page.space.height
    for word in words:
        if word.object not in is_artifact:
            is_artifact[word.object] = _is_artifact(word.object)
        in_margin = word.y1 <= low or word.y0 >= high
        (heads if is_artifact[word.object] or in_margin else body).append(word)
    return heads, body


def _is_artifact(address: int) -> bool:
    """Return True if a text object is marked as an artifact (ISO 32000-1, 14.8.2.2)."""
    if not address:
        return False
    handle = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
    name, length = (ctypes.c_ushort * _MAX_MARK_NAME_CHARS)(), ctypes.c_ulong()
    for index in range(max(0, pdfium.FPDFPageObj_CountMarks(handle))):
        mark = pdfium.FPDFPageObj_GetMark(handle, index)
        if pdfium.FPDFPageObjMark_GetName(mark, name, ctypes.sizeof(name), length):
            mark_name = bytes(name)[: length.value].decode("utf-16-le", "replace").rstrip("\0")
            if mark_name == _ARTIFACT:
                return True
    return False


def _insert_untagged(pieces: list[Piece], untagged_body: Sequence[Word]) -> list[Piece]:
    """Insert untagged lines as paragraphs, each before the first block that begins below it."""
    for line in split_baselines(untagged_body):
        text = text_of(line)
        index = next((n for n, piece in enumerate(pieces) if (piece.top or 0.0) > line[0].y0), len(pieces))
        pieces.insert(index, Piece(BlockKind.PARAGRAPH, text))
    return pieces


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
