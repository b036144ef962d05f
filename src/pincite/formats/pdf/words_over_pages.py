"""Join words that a hyphen parts at the end of a page: the block before the break gets the whole word."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pincite.formats.pdf.page.hyphens import HYPHENS, Hyphenation, is_english_form
from pincite.formats.writing.page_writer import BLANK_LINE
from pincite.model.document import Block, BlockKind, Page, RecognisedSpan

MAX_BLOCKS = 4
"""Blocks at the end and at the beginning of a page among which the two parts of a word are: there may be notes below
the first, and a figure with its caption above the second."""

_BROKEN_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.QUOTE))
_PASSED_OVER = frozenset((BlockKind.FIGURE, BlockKind.TABLE, BlockKind.PARAGRAPH, BlockKind.FOOTNOTE))
_LAST_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*(?=[^\w]*\Z)")


def join_words(pages: Iterable[Page], hyphenation: Callable[[], Hyphenation]) -> Iterator[Page]:
    """Yield pages, in which no word is parted between two of them.

    Args:
        pages: The pages in order. One that ends with a hyphen is held back until the next is read.
        hyphenation: Returns what the document so far shows about its hyphens.
    """
    waiting: Page | None = None
    for page in pages:
        following = page
        if waiting is not None:
            # The text has lost which hyphens were the print's: all are written as `-`.
            before, following = _joined(waiting, page, replace(hyphenation(), all_marked=False))
            yield before
        waiting = following if _broken_block(following) is not None else None
        if waiting is None:
            yield following
    if waiting is not None:
        yield waiting


def _joined(page: Page, following: Page, hyphenation: Hyphenation) -> tuple[Page, Page]:
    """Return two pages with the rest of the word in the first, and unchanged if the hyphen parts none."""
    broken, rest = _broken_block(page), _continuing_block(following)
    if broken is None or rest is None:
        return page, following
    block, other = page.blocks[broken], following.blocks[rest]
    text, continued = page.text[block.start : block.end], following.text[other.start : other.end]
    resolved = hyphenation.resolve(text, continued)
    if resolved.endswith(" "):
        # A hyphen in place of the rest of a later word: short- and long-term.
        return page, following
    word, _, _ = continued.partition(" ")
    word = word.partition("\n")[0]
    if not _is_one_word(text, resolved, word, hyphenation, is_adjoining=broken == len(page.blocks) - 1 and rest == 0):
        return page, following
    return _with_text(page, broken, f"{resolved}{word}"), _without_beginning(following, rest, len(word))


def _is_one_word(text: str, resolved: str, rest: str, hyphenation: Hyphenation, *, is_adjoining: bool) -> bool:
    """Return True if the rest on the next page belongs to the word before the break.

    Args:
        text: The text before the break, with its hyphen.
        resolved: The same as it is written before the rest: without the hyphen, unless it is the word's own.
        rest: The beginning of the text after the break, up to white space.
        hyphenation: What the document shows about hyphens.
        is_adjoining: True if nothing is between the two texts, so that an unknown word is one, too.
    """
    if _is_word(f"{resolved}{rest}", hyphenation):
        return True
    if len(resolved) < len(text):
        # The text goes on elsewhere, if a word of its own is after the break.
        return is_adjoining and not _is_word(rest, hyphenation)
    # Where words are parted often, the hyphen of a compound is seldom at the end of a page.
    return not hyphenation.breaks


def _broken_block(page: Page) -> int | None:
    """Return the index of the last text on a page, if it ends with a letter and a hyphen."""
    for index in range(len(page.blocks) - 1, max(-1, len(page.blocks) - 1 - MAX_BLOCKS), -1):
        block = page.blocks[index]
        if block.kind is BlockKind.HEADING:
            return None
        text = page.text[block.start : block.end]
        if block.kind in _BROKEN_KINDS and text[-1:] in HYPHENS and text[-2:-1].isalpha():
            return index
    return None


def _continuing_block(page: Page) -> int | None:
    """Return the index of the first text on a page that begins with a small letter."""
    for index, block in enumerate(page.blocks[:MAX_BLOCKS]):
        if block.kind is BlockKind.PARAGRAPH and page.text[block.start].islower():
            return index
        if block.kind not in _PASSED_OVER:
            return None
    return None


def _is_word(text: str, hyphenation: Hyphenation) -> bool:
    """Return True if the last word of a text is one of the document's, or of English in an English one."""
    word = _LAST_WORD.search(text)
    if word is None:
        return False
    return hyphenation.is_word(word[0]) or (not hyphenation.is_foreign and is_english_form(word[0].lower()))


def _with_text(page: Page, index: int, text: str) -> Page:
    """Return a page with another text, longer at its end, of one block."""
    block = page.blocks[index]
    more = len(text) - (block.end - block.start)
    blocks = (
        *page.blocks[:index],
        replace(block, end=block.end + more),
        *(_moved(one, more) for one in page.blocks[index + 1 :]),
    )
    spans = tuple(
        RecognisedSpan(
            span.start + more * (span.start >= block.end), span.end + more * (span.end >= block.end), span.confidence
        )
        for span in page.ocr_spans
    )
    return replace(
        page, text=f"{page.text[: block.start]}{text}{page.text[block.end :]}", blocks=blocks, ocr_spans=spans
    )


def _without_beginning(page: Page, index: int, count: int) -> Page:
    """Return a page without the first characters of one block and the white space after them."""
    block = page.blocks[index]
    text = page.text[block.start : block.end]
    count += len(text[count:]) - len(text[count:].lstrip())
    kept: tuple[Block, ...] = ()
    if count < len(text):
        starts = tuple(max(0, start - count) for start in block.box_starts)
        kept = (replace(block, end=block.end - count, box_starts=starts),)
    elif page.text.startswith(BLANK_LINE, block.end):
        count += len(BLANK_LINE)
    blocks = (*page.blocks[:index], *kept, *(_moved(one, -count) for one in page.blocks[index + 1 :]))
    end = block.start + count
    spans = tuple(
        RecognisedSpan(
            span.start - min(count, max(0, span.start - block.start)),
            span.end - min(count, max(0, span.end - block.start)),
            span.confidence,
        )
        for span in page.ocr_spans
    )
    spans = tuple(span for span in spans if span.end > span.start)
    return replace(page, text=page.text[: block.start] + page.text[end:], blocks=blocks, ocr_spans=spans)


def _moved(block: Block, by: int) -> Block:
    return replace(block, start=block.start + by, end=block.end + by)
