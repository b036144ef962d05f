"""Tagged pages: what the structure tree names, in its order; what it leaves out are running heads."""

import ctypes
from collections.abc import Sequence

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.placed_text import split_baselines, text_of
from pincite.formats.pdf.page.words import PageWords, Word
from pincite.formats.pdf.tagged.blocks import Blocks, Piece
from pincite.formats.pdf.tagged.structure import read_structure
from pincite.formats.pdf.tagged.tables import header_of
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind

ENOUGH = 0.95
"""Share of a page's characters that its tags must reach (`measured`)."""

LEAST = 0.8
"""Share of a page's characters that will do where its tags reach `ENOUGH` of the pages so far: a chart's labels."""

MARGIN = 0.1
"""Share of a page's height, above and below, in which text that no tag reaches is a running head."""

MOST_HEADS, FREE_HEADS = 0.5, 200
"""Share of a page's characters, and their number, that running heads may be; else the file hides its text as such."""

_ARTIFACT = "Artifact"
_LONGEST_NAME = 64


class TaggedPages:
    """The tagged pages of one file, which must come in order: a table may go on on the next page."""

    def __init__(self) -> None:
        self._before: tuple[str, ...] = ()
        self._body = self._missed = 0

    def write(self, writer: PageWriter, page: PdfPage, found: PageWords, call: Call) -> bool:
        """Write a page by its tags.

        Args:
            writer: Takes the blocks.
            page: The open page.
            found: Its words.
            call: Asked now and then.

        Returns:
            Whether the tags reach enough of the page; nothing is written where they do not.
        """
        before, self._before = self._before, ()
        contents = _by_content(found.words)
        tree = read_structure(page.raw, call) if contents.keys() - {-1} else ()
        reached = {content for element in tree for content in element.contents()}
        beyond = [word for content, words in contents.items() if content not in reached for word in words]
        heads, rest = _parted(page, sorted(beyond, key=lambda word: word.first))
        if not self._is_enough(found.words, heads, rest):
            return False
        blocks = Blocks(contents, before)
        for element in tree:
            blocks.add(element)
        pieces = _with_rest(blocks.pieces, rest)
        for piece in pieces:
            piece.write(writer)
        for line in split_baselines(heads):
            kind = AsideKind.HEADER if line[0].y0 < page.space.height / 2 else AsideKind.FOOTER
            writer.aside(kind, text_of(line).text)
        last = pieces[-1].table if pieces else None
        self._before = header_of(last.table) if last else ()
        return True

    def _is_enough(self, words: Sequence[Word], heads: Sequence[Word], rest: Sequence[Word]) -> bool:
        """Whether tags reach enough of what is no running head, of the page or of all pages so far.

        A page that is mostly running head is not trusted.
        """
        total, beside, missed = (sum(len(word.text) for word in some) for some in (words, heads, rest))
        body = total - beside
        if not body or beside > MOST_HEADS * total + FREE_HEADS or body - missed < LEAST * body:
            return False
        all_body, all_missed = self._body + body, self._missed + missed
        if missed > (1 - ENOUGH) * body and all_missed > (1 - ENOUGH) * all_body:
            return False
        self._body, self._missed = all_body, all_missed
        return True


def _by_content(words: Sequence[Word]) -> dict[int, list[Word]]:
    found: dict[int, list[Word]] = {}
    for word in words:
        found.setdefault(word.mcid, []).append(word)
    return found


def _parted(page: PdfPage, words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Words that no tag reaches: running heads, and what was left untagged by mistake."""
    known: dict[int, bool] = {}
    heads: list[Word] = []
    rest: list[Word] = []
    low, high = MARGIN * page.space.height, (1 - MARGIN) * page.space.height
    for word in words:
        if word.object not in known:
            known[word.object] = _is_artifact(word.object)
        in_margin = word.y1 <= low or word.y0 >= high
        (heads if known[word.object] or in_margin else rest).append(word)
    return heads, rest


def _is_artifact(address: int) -> bool:
    """Whether a text object is marked as no part of the document."""
    if not address:
        return False
    handle = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
    name, length = (ctypes.c_ushort * _LONGEST_NAME)(), ctypes.c_ulong()
    for index in range(max(0, pdfium.FPDFPageObj_CountMarks(handle))):
        mark = pdfium.FPDFPageObj_GetMark(handle, index)
        if pdfium.FPDFPageObjMark_GetName(mark, name, ctypes.sizeof(name), length):
            artifact = bytes(name)[: length.value].decode("utf-16-le", "replace").rstrip("\0")
            if artifact == _ARTIFACT:
                return True
    return False


def _with_rest(pieces: list[Piece], rest: Sequence[Word]) -> list[Piece]:
    """The blocks and, as paragraphs, what was left untagged: before the first block that stands below it."""
    for line in split_baselines(rest):
        text = text_of(line)
        place = next((n for n, piece in enumerate(pieces) if (piece.top or 0.0) > line[0].y0), len(pieces))
        pieces.insert(place, Piece(BlockKind.PARAGRAPH, text))
    return pieces
