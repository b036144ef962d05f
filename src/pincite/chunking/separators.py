"""Lay a document out with lines that separate its pages, slides, sheets and blocks."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from pincite.chunking.profiles import document_type
from pincite.model.document import Block, BlockKind, Document, Section

RULE = "---"
"""The line between two slides, and before each block of a sheet."""

SHEET_LEVEL = 2
"""Level of the headings that name sheets."""

_MAX_PAGES = "max_pages"

Edit = tuple[int, int, str]
"""A span of the text, and what replaces it; an empty span for an insertion before the block that begins there."""


def page_line(number: int) -> str:
    """Return the line that begins a page."""
    return f"--- Page {number} ---"


def sheet_line(name: str) -> str:
    """Return the line that begins a sheet."""
    return f"=== {name} ==="


def lay_out(document: Document) -> Document:
    """Return a document whose text has the separating lines of its type; others and those without text as they are.

    A page begins with `--- Page N ---`, an empty one too. Slides have a line `---` between them. A sheet begins with
    `=== name ===` instead of a heading, and each of its blocks with `---`. Spans of sections and blocks refer to the
    new text; the lines are in no block.
    """
    edits_of = _EDITS.get(document_type(document.media_type))
    edits = list(edits_of(document)) if edits_of and document.text else []
    return _edited(document, edits) if edits else document


def _pages(document: Document) -> Iterator[Edit]:
    page = 0
    for block in _blocks(document):
        if block.page is not None and block.page > page:
            yield _inserted(document, block.start, *map(page_line, range(page + 1, block.page + 1)))
            page = block.page
    # Of a document that was cut, the pages beyond the cut were not read.
    last = 0 if _MAX_PAGES in document.coverage.limits_hit else document.coverage.pages or 0
    if last > page:
        yield _inserted(document, len(document.text), *map(page_line, range(page + 1, last + 1)))


def _slides(document: Document) -> Iterator[Edit]:
    slide: int | None = None
    for block in _blocks(document):
        if block.page is not None and block.page != slide:
            if slide is not None:
                yield _inserted(document, block.start, RULE)
            slide = block.page


def _sheets(document: Document) -> Iterator[Edit]:
    for block in _blocks(document):
        if block.kind is BlockKind.HEADING and block.level == SHEET_LEVEL:
            yield block.start, block.end, _gap(document, block.start) + sheet_line(block.title)
        elif block.table is not None and not block.table.continued:
            yield _inserted(document, block.start, RULE)


_EDITS: dict[str, Callable[[Document], Iterator[Edit]]] = {"pdf": _pages, "pptx": _slides, "xlsx": _sheets}
"""What separates the parts of a document, by its type."""


def _inserted(document: Document, start: int, *lines: str) -> Edit:
    """Return the insertion of lines with blank lines around each."""
    return start, start, _gap(document, start) + "".join(f"{line}\n\n" for line in lines)


def _gap(document: Document, start: int) -> str:
    """Return what a blank line before a position lacks: under a line of text, a rule would make that a heading."""
    before = document.text[max(0, start - 2) : start]
    return "\n" * (2 - len(before) + len(before.rstrip("\n"))) if start else ""


def _blocks(document: Document) -> Iterator[Block]:
    return (block for section in document.sections for block in section.blocks)


def _edited(document: Document, edits: list[Edit]) -> Document:
    """Return a document with edits of its text, which are given in order and begin where blocks do, or at its end."""
    parts: list[str] = []
    shifts: list[tuple[int, int]] = []
    done = shift = 0
    for start, end, new in edits:
        parts += [document.text[done:start], new]
        done = end
        shift += len(new) - (end - start)
        shifts.append((start, shift))
    text = "".join([*parts, document.text[done:]])
    return replace(document, text=text, sections=tuple(_moved(document.sections, edits, shifts, len(text))))


def _moved(
    sections: tuple[Section, ...], edits: list[Edit], shifts: list[tuple[int, int]], length: int
) -> Iterator[Section]:
    """Yield the sections with spans in the new text. What is inserted before a section's first block begins it."""
    replaced = {start: new for start, end, new in edits if end > start}
    position = shift = begin = 0

    def advance(to: int) -> int:
        nonlocal position, shift
        while position < len(shifts) and shifts[position][0] <= to:
            shift = shifts[position][1]
            position += 1
        return shift

    for number, section in enumerate(sections):
        blocks: list[Block] = []
        for block in section.blocks:
            before = shift
            start = block.start + advance(block.start)
            if block.start in replaced:
                new = replaced[block.start]
                end = block.start + before + len(new)
                blocks.append(replace(block, start=end - len(new.lstrip()), end=end, box_starts=()))
            else:
                blocks.append(replace(block, start=start, end=block.end + shift))
        following = sections[number + 1].start if number + 1 < len(sections) else None
        # The next section's insertions are not counted yet: it begins with them.
        end = length if following is None else following + shift
        yield replace(section, start=begin, end=end, blocks=tuple(blocks))
        begin = end
