"""Plain text: paragraphs between blank lines, and the headings that are underlined or numbered."""

import re
from collections.abc import Iterator, Sequence

from pincite.formats.admonitions import with_roles
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.decode import Decoded, decode
from pincite.formats.text_headings import Heading, headings, title
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
from pincite.text.counts import counted
from pincite.text.lexical import LINE_END

_PARAGRAPH = re.compile(r"(?:[^\S\r\n]*[^\s][^\r\n]*(?:\r\n?|\n|\Z))+")


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    decoded = decode(blob.data)
    text = decoded.text
    paragraphs = _paragraphs(text, options.max_blocks, call)
    outline = headings(text, paragraphs)
    # A numbered heading names a part, not the document: without a title that is known by its file name.
    yield Head(title(text, paragraphs, outline) or (blob.name.rpartition("/")[2] if outline else None))
    hidden = invisible_asides(text)
    blocks = with_roles(text, _blocks(text, paragraphs, outline, options.max_blocks))
    yield Page(None, text, tuple(blocks), (*gaps(decoded), *left_raw(hidden)), hidden)


def failures(lost: int) -> tuple[PageFailure, ...]:
    """Return the failure that reports how many sequences of a text could not be decoded; none if all could."""
    if not lost:
        return ()
    are = "is" if lost == 1 else "are"
    return (PageFailure(None, f"{counted(lost, 'place')} {are} not valid in the file's encoding and shown as U+FFFD"),)


def gaps(decoded: Decoded) -> tuple[PageFailure, ...]:
    """Return the failures of a text file: that it is empty, that its encoding is a guess, or what was not decoded."""
    reasons = ["it is blank" if decoded.text else "it is empty"] * (not decoded.text.strip())
    reasons += [f"it is not UTF-8 and names no encoding, so {decoded.encoding} is a guess"] * decoded.guessed
    return (*(PageFailure(None, reason) for reason in reasons), *failures(decoded.lost))


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
    runs = counted(len(hidden), "run")
    return (PageFailure(None, f"it holds {runs} of invisible characters, which no person wrote to be read"),)


def _paragraphs(text: str, limit: int, call: Call) -> list[tuple[int, int]]:
    """Return the spans between blank lines, at most `limit`; the last one covers all remaining text."""
    spans: list[tuple[int, int]] = []
    for match in _PARAGRAPH.finditer(text):
        call.check()
        if len(spans) + 1 >= limit:
            spans.append((match.start(), len(text.rstrip())))
            break
        spans.append((match.start(), match.start() + len(match[0].rstrip())))
    return spans


def _blocks(text: str, spans: Sequence[tuple[int, int]], outline: Sequence[Heading], limit: int) -> Iterator[Block]:
    """Yield a block for each heading and each paragraph, or what of it follows a heading."""
    by_start = {heading.start: heading for heading in outline}
    for number, (start, end) in enumerate(spans, 1):
        if number >= limit:
            # All remaining text, so that none of it is lost to a search.
            yield Block(BlockKind.OTHER, start, end)
            return
        if heading := by_start.get(start):
            yield Block(BlockKind.HEADING, start, heading.end, heading.level, heading.title)
        rest = end - len(text[heading.end : end].lstrip("\r\n")) if heading else start
        if rest < end:
            yield Block(BlockKind.PARAGRAPH, rest, end)
