"""Page marks in Markdown: a line `<!-- page N -->` before the text of each page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.markdown.reader import read
from pincite.formats.writing.builder import build
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Document, Head, Page, PageFailure

_MARK = re.compile(r"[ \t]*<!--[ \t]*page[ \t]+([0-9]{1,9})[ \t]*-->[ \t]*", re.IGNORECASE)

UNORDERED = "the converter's page marks do not rise, so that no page is known"
"""The warning about marks that cannot be true."""

Marked = tuple[int, Block]
"""A page number and the block that is its mark."""


def marked(document: Document) -> str:
    """Return a document's Markdown with a mark before each page; without marks if its format has no pages."""
    pages = document.coverage.pages
    if pages is None:
        return document.text
    parts: list[str] = []
    position, page = 0, 0
    for section in document.sections:
        for block in section.blocks:
            if block.page is not None and block.page > page:
                parts.append(document.text[position : block.start].rstrip())
                parts += [_mark(number) for number in range(page + 1, block.page + 1)]
                position, page = block.start, block.page
    parts.append(document.text[position:].rstrip())
    parts += [_mark(number) for number in range(page + 1, pages + 1)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _mark(number: int) -> str:
    return f"<!-- page {number} -->"


def paged(markdown: str, blob: Blob, media_type: str, options: ReadOptions, call: Call) -> Document:
    """Return the document of a file that was converted to Markdown, its page marks taken out and obeyed.

    Marks that do not rise, or exceed the limit of pages, are taken out and give no pages; the coverage says so.

    Args:
        markdown: The converted text.
        blob: The file.
        media_type: The media type of the file.
        options: The limits of reading.
        call: Checked for cancellation.
    """
    items = list(read(Blob(blob.name, markdown.encode("utf-8", "replace")), options, call))
    head, whole = items[0], items[1]
    assert isinstance(head, Head)  # noqa: S101 - as `Reader` has it
    assert isinstance(whole, Page)  # noqa: S101 - as above
    marks = list(_marks(whole))
    numbers = [number for number, _ in marks]
    rises = all(before < after for before, after in zip([0, *numbers], numbers, strict=False))
    known = bool(numbers) and rises and numbers[-1] <= options.max_pages
    if numbers and not known:
        whole = replace(whole, failures=(*whole.failures, PageFailure(None, UNORDERED)))
    pages = list(_cut(whole, marks, numbered=known))
    if known:
        head = replace(head, pages=numbers[-1])
    return build(blob.name, blob.fingerprint, media_type, [head, *pages])


def _marks(page: Page) -> Iterator[Marked]:
    for block in page.blocks:
        if block.kind is BlockKind.HTML and (mark := _MARK.fullmatch(page.text[block.start : block.end])):
            yield int(mark[1]), block


def _cut(whole: Page, marks: Sequence[Marked], *, numbered: bool) -> Iterator[Page]:
    """Yield the text between the marks; what is known of the whole is with the first."""
    if not marks:
        yield whole
        return
    ends = [mark.start for _, mark in marks]
    segments: list[tuple[int | None, int, int]] = [(None, 0, ends[0])]
    for (number, mark), end in zip(marks, [*ends[1:], len(whole.text)], strict=True):
        segments.append((number if numbered else None, _after_line_ends(whole.text, mark.end, end), end))
    if not whole.text[: ends[0]].strip():
        del segments[0]  # nothing is before the first page
    starts = frozenset(ends)
    blocks = iter(block for block in whole.blocks if block.start not in starts)
    block = next(blocks, None)
    for index, (number, start, end) in enumerate(segments):
        inside: list[Block] = []
        while block is not None and block.start < end:
            inside.append(replace(block, start=block.start - start, end=block.end - start))
            block = next(blocks, None)
        # A blank line at its end: a page never runs on into the next one.
        text = whole.text[start:end]
        page = Page(number, text if end == len(whole.text) else text.rstrip("\r\n") + "\n\n", tuple(inside))
        yield page if index else replace(whole, number=number, text=page.text, blocks=page.blocks)


def _after_line_ends(text: str, start: int, end: int) -> int:
    while start < end and text[start] in "\r\n":
        start += 1
    return start
