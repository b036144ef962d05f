"""Reader for Markdown (CommonMark, tables, front matter, HTML headings)."""

import re
from collections.abc import Iterator

from pincite.formats.admonitions import with_roles
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.decode import decode
from pincite.formats.markdown import front_matter, html_headings
from pincite.formats.markdown.outline import Outline, Outlined
from pincite.formats.text import gaps, invisible_asides, left_raw
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Head, Page, PageFailure
from pincite.text import invisible
from pincite.text.lexical import LINE_END, WHITE_SPACE

_KINDS = {
    "heading_open": BlockKind.HEADING,
    "paragraph_open": BlockKind.PARAGRAPH,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "blockquote_open": BlockKind.QUOTE,
    "html_block": BlockKind.HTML,
}
_ATTRIBUTES = re.compile(r"(?:^|\s)(?:#+[ \t]+)?\{(?:(?:[#.][\w-]|:[ .#\w])[^{}]{0,200}|/\*\s*#[^{}*]{0,200}\*/)\}\s*$")
"""`{#id}`, `{.class}` (Pandoc), `{: .class}` (kramdown), `{/* #id */}` (MDX) after a heading, or its `##`."""
_ONLY_TAGS = re.compile(r"(?:[ \t]|<[^<>]{0,1000}>)*")


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    decoded = decode(blob.data)
    text = decoded.text
    matter = front_matter.find(text)
    yield Head(matter.title, matter.properties, matter.language) if matter else Head()
    start = matter.end if matter else 0
    body = text[start:]
    outline = Outline(LINE_END.sub("\n", body) if "\r" in body else body, options.max_blocks, call)
    blocks = [Block(BlockKind.FRONT_MATTER, 0, start)] if matter else []
    end = len(text.rstrip(WHITE_SPACE))
    cut = _fill(blocks, _blocks(text, start, outline, call), options.max_blocks, end) or outline.cut
    failure = PageFailure(None, f"headings after the first {options.max_blocks:,} blocks were not looked for")
    hidden = invisible_asides(text)
    failures = (*gaps(decoded), *([failure] if cut else []), *left_raw(hidden))
    yield Page(None, text, tuple(with_roles(text, blocks)), failures, hidden, limits_hit=("max_blocks",) if cut else ())


def _fill(blocks: list[Block], source: Iterator[Block], limit: int, end: int) -> bool:
    """Append blocks up to a limit, then one for all that remain; return True if there was one."""
    for block in source:
        if len(blocks) >= limit:
            blocks.append(Block(BlockKind.OTHER, block.start, end))
            return True
        blocks.append(block)
    return False


def _blocks(text: str, start: int, outline: Outline, call: Call) -> Iterator[Block]:
    # Lines as the parser counts them: `str.splitlines` splits at a dozen more characters.
    lines = [start, *(match.end() for match in LINE_END.finditer(text, start)), len(text)]
    for outlined in outline.blocks():
        call.check()
        first = lines[outlined.first]
        end = first + len(text[first : lines[min(outlined.end, len(lines) - 1)]].rstrip(WHITE_SPACE))
        yield from _block(text, first, end, outlined, outline)


def _block(text: str, start: int, end: int, outlined: Outlined, outline: Outline) -> Iterator[Block]:
    kind = _KINDS.get(outlined.kind, BlockKind.OTHER)
    if kind is BlockKind.HEADING:
        title = invisible.without_hidden(outline.title(_ATTRIBUTES.sub("", outlined.content)))
        yield Block(kind, start, end, outlined.level, title)
    elif kind is BlockKind.CODE:
        yield Block(kind, start, end, language=outlined.content.partition(" ")[0].strip())
    elif _may_hold_headings(text, start, end, kind):
        yield from _html(text, start, end, kind)
    else:
        yield Block(kind, start, end)


def _may_hold_headings(text: str, start: int, end: int, kind: BlockKind) -> bool:
    """Return True for a heading in HTML, or in a paragraph that begins with a tag (`<a name="x"></a><h2>…`)."""
    if kind is BlockKind.PARAGRAPH and not text.startswith("<", start):
        return False
    return kind in (BlockKind.HTML, BlockKind.PARAGRAPH) and html_headings.may_occur(text, start, end)


def _html(text: str, start: int, end: int, kind: BlockKind) -> Iterator[Block]:
    """Split a block before and after each heading in it; a heading includes the start of its line."""
    position = start
    for heading in html_headings.headings(text, start, end):
        line = max(text.rfind("\n", position, heading.start), text.rfind("\r", position, heading.start)) + 1
        begin = max(line, position)
        # In a paragraph a heading counts only at the beginning of a line, after nothing but tags.
        if kind is BlockKind.PARAGRAPH and not _ONLY_TAGS.fullmatch(text, begin, heading.start):
            continue
        yield from _part(text, position, begin, kind)
        position = min(heading.end, end)
        yield Block(BlockKind.HEADING, begin, position, heading.level, invisible.without_hidden(heading.title))
    yield from _part(text, position, end, kind)


def _part(text: str, start: int, end: int, kind: BlockKind) -> Iterator[Block]:
    part = text[start:end]
    if part.strip(WHITE_SPACE):
        yield Block(kind, start + len(part) - len(part.lstrip(WHITE_SPACE)), start + len(part.rstrip(WHITE_SPACE)))
