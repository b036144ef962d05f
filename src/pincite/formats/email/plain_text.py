"""The plain text of a message: its paragraphs, lists, and quotations of earlier messages."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import dedent

from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind

_LINE_END = re.compile(r"\r\n|\n|\r")
_QUOTE = re.compile(r">(?: {0,3}>)*")
_MARK = re.compile(r"([-*\u2022\u25cf\u00b7])[ \t]+(?=\S)")
_SIGNATURE = "-- "
_PGP_TEXT = re.compile(
    r"-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[A-Z][A-Za-z]{0,20}: [^\n]{0,200}\n){0,5}[ \t]*(?:\n|\Z)"
)
_PGP_SIGNATURE, _PGP_SIGNATURE_END = "-----BEGIN PGP SIGNATURE-----\n", "\n-----END PGP SIGNATURE-----"
_PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"
_MAX_LEVEL = 30
"""Levels of a list that are written as indents."""
_MIN_ITEMS = 2
"""Lines with a mark from which a paragraph is a list; one may be a dash."""


def unflowed(text: str, *, deletes_space: bool) -> str:
    """Return a text of `format=flowed` (RFC 3676) with each of its paragraphs in one line.

    Args:
        text: The text.
        deletes_space: True if the space at the end of a line is no part of the paragraph (`delsp=yes`).
    """
    parts: list[str] = []
    flowing: int | None = None
    for line in _LINE_END.split(text):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        if flowing == depth and content != _SIGNATURE:
            parts.append(content)
        else:
            if parts:
                parts.append("\n")
            parts.append(">" * depth + (" " if depth and content else "") + content)
        is_flowed = content.endswith(" ") and content != _SIGNATURE
        if is_flowed and deletes_space:
            parts[-1] = parts[-1][:-1]
        flowing = depth if is_flowed else None
    return "".join(parts)


def write(text: str, writer: PageWriter, call: Call) -> None:
    """Write a text as blocks."""
    text = "\n".join(_LINE_END.split(text))
    if "-----BEGIN PGP" in text:
        text = _without_armour(text, writer)
    lines = [line.rstrip() for line in text.split("\n")]
    for is_quoted, group in groupby(_marked(lines), key=lambda pair: pair[0]):
        call.check()
        part = [line for _, line in group]
        if is_quoted:
            writer.block(BlockKind.QUOTE, "\n".join(part))
        else:
            _write_own(part, writer, call)


def _marked(lines: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Yield each line, and whether it is quoted."""
    for number, line in enumerate(lines):
        is_quoted = _QUOTE.match(line) is not None
        # Programs write `>From` for `From` at the start of a line.
        if line.startswith(">From ") and not (number and lines[number - 1].startswith(">")):
            yield False, line[1:]
        else:
            yield is_quoted, line


def _write_own(lines: Sequence[str], writer: PageWriter, call: Call) -> None:
    paragraph: list[str] = []
    for line in lines:
        call.check()
        if not line.strip() or line == _SIGNATURE.rstrip():
            _write_paragraph(paragraph, writer)
            paragraph = []
        if line.strip():
            paragraph.append(line)
    _write_paragraph(paragraph, writer)


def _write_paragraph(lines: Sequence[str], writer: PageWriter) -> None:
    items = _items(lines)
    if len(items) >= _MIN_ITEMS:
        writer.items(items)
    else:
        writer.paragraph(dedent("\n".join(lines)))


def _items(lines: Sequence[str]) -> list[Item]:
    """Return the items of a list; none for a paragraph that is no list as a whole."""
    items: list[list[str]] = []
    indents: list[int] = []
    for line in lines:
        content = line.lstrip()
        indent = len(line) - len(content)
        mark = _MARK.match(content)
        if mark and (not indents or indent >= indents[0]):
            items.append([content[mark.end() :]])
            indents.append(indent)
        elif items and indent > indents[-1]:
            items[-1].append(content)
        else:
            return []
    levels = {indent: level for level, indent in enumerate(sorted(set(indents)))}
    return [Item("\n".join(item), min(levels[indent], _MAX_LEVEL)) for item, indent in zip(items, indents, strict=True)]


def _without_armour(text: str, writer: PageWriter) -> str:
    """Return a text without the lines of a signature for programs."""
    if _PGP_MESSAGE in text:
        writer.fail("the message is encrypted, and its text was not read")
    text = _PGP_TEXT.sub("", text)
    parts: list[str] = []
    at = 0
    while (start := text.find(_PGP_SIGNATURE, at)) >= 0 and (end := text.find(_PGP_SIGNATURE_END, start)) >= 0:
        parts.append(text[at:start])
        at = end + len(_PGP_SIGNATURE_END)
        writer.aside(AsideKind.SURROUNDINGS, text[start:at], reason="a signature that programs check")
    return "".join([*parts, text[at:]])
