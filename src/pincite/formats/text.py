"""Plain text: paragraphs between blank lines, no headings."""

import re
from collections.abc import Iterator

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.decode import decode
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Head, Page, PageFailure

_PARAGRAPH = re.compile(r"(?:[^\S\r\n]*[^\s][^\r\n]*(?:\r\n?|\n|\Z))+")


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    text, lost = decode(blob.data)
    yield Head()
    yield Page(None, text, tuple(_blocks(text, options.max_blocks, call)), failures(lost))


def failures(lost: int) -> tuple[PageFailure, ...]:
    """What is said of a text of which some places could not be decoded."""
    if not lost:
        return ()
    places = "1 place is" if lost == 1 else f"{lost:,} places are"
    return (PageFailure(None, f"{places} not valid in the file's encoding and shown as U+FFFD"),)


def _blocks(text: str, limit: int, call: Call) -> Iterator[Block]:
    for number, match in enumerate(_PARAGRAPH.finditer(text), 1):
        call.check()
        if number >= limit:
            yield Block(BlockKind.OTHER, match.start(), len(text.rstrip()))
            return
        yield Block(BlockKind.PARAGRAPH, match.start(), match.start() + len(match[0].rstrip()))
