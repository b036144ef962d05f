"""Plain text: paragraphs between blank lines, no headings."""

import re
from collections.abc import Iterator, Sequence

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.decode import decode
from pincite.model.call import Call
from pincite.model.document import (
    INVISIBLE_CHARACTERS,
    Aside,
    AsideKind,
    Block,
    BlockKind,
    Head,
    Page,
    PageFailure,
)
from pincite.text import invisible
from pincite.text.lexical import LINE_END

_PARAGRAPH = re.compile(r"(?:[^\S\r\n]*[^\s][^\r\n]*(?:\r\n?|\n|\Z))+")


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    text, lost = decode(blob.data)
    yield Head()
    hidden = invisible_asides(text)
    blocks = tuple(_blocks(text, options.max_blocks, call))
    yield Page(None, text, blocks, (*failures(lost), *left_raw(hidden)), hidden)


def failures(lost: int) -> tuple[PageFailure, ...]:
    """Return the failure that reports how many places of a text could not be decoded; none if all could."""
    if not lost:
        return ()
    places = "1 place is" if lost == 1 else f"{lost:,} places are"
    return (PageFailure(None, f"{places} not valid in the file's encoding and shown as U+FFFD"),)


def invisible_asides(text: str) -> tuple[Aside, ...]:
    """Return an aside for each run of invisible characters in a text, decoded, with its line."""
    return tuple(
        Aside(
            AsideKind.HIDDEN,
            invisible.decoded(text[start:end]),
            place=f"line {len(LINE_END.findall(text, 0, start)) + 1}",
            reason=INVISIBLE_CHARACTERS,
        )
        for start, end in invisible.hidden_spans(text)
    )


def left_raw(hidden: Sequence[Aside]) -> tuple[PageFailure, ...]:
    """Return a failure that warns of hidden text. The page keeps its file's text, so that quotes match it."""
    if not hidden:
        return ()
    runs = "1 run" if len(hidden) == 1 else f"{len(hidden):,} runs"
    return (PageFailure(None, f"it holds {runs} of invisible characters, which no person wrote to be read"),)


def _blocks(text: str, limit: int, call: Call) -> Iterator[Block]:
    for number, match in enumerate(_PARAGRAPH.finditer(text), 1):
        call.check()
        if number >= limit:
            # The last block covers all remaining text, so that none of it is lost to a search.
            yield Block(BlockKind.OTHER, match.start(), len(text.rstrip()))
            return
        yield Block(BlockKind.PARAGRAPH, match.start(), match.start() + len(match[0].rstrip()))
