"""Presentations (PPTX): a page and a section for each slide, with its tables, charts, diagrams and notes."""

from collections.abc import Iterator
from dataclasses import dataclass

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.ooxml.package import Element, Package, Relation, find, find_all, name
from pincite.formats.ooxml.properties import properties
from pincite.formats.ooxml.text import plain_text
from pincite.formats.pptx.appearance import appearance
from pincite.formats.pptx.content import HEADING_LEVEL, Sheet, title, write
from pincite.formats.pptx.layouts import inherited_rectangles, layout
from pincite.formats.pptx.remarks import authors, comments, notes
from pincite.formats.pptx.shapes import TITLES, Shape, shapes
from pincite.formats.writing.page_writer import PageWriter, one_line
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind, Head, Page

_NO_TITLES = frozenset({"powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint"})
"""What PowerPoint itself writes as the title of a presentation that has none."""


@dataclass(frozen=True, slots=True)
class _Deck:
    """A presentation that was opened: its slides' parts in order, and who commented."""

    package: Package
    slides: list[str]
    authors: dict[str, str]
    size: Element | None


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    call.check()
    deck = _open(blob.data)
    metadata = properties(deck.package)
    own = metadata.get("title", "")
    first = "" if own and own.lower() not in _NO_TITLES else _first_title(deck)
    yield Head(first or own or None, metadata, metadata.get("language"), len(deck.slides))
    shown = 0
    for number, part in enumerate(deck.slides[: options.max_pages], 1):
        call.check()
        page = _slide(deck, part, PageWriter(options.max_blocks, number), number, call)
        shown += bool(page.text)
        yield page
    cut = len(deck.slides) > options.max_pages
    if cut or not shown:
        yield _rest(deck, cut=cut, shown=shown)


def _rest(deck: _Deck, *, cut: bool, shown: int) -> Page:
    """What is said of the presentation as a whole."""
    writer = PageWriter(1)
    if cut:
        writer.limit("max_pages")
    if not shown:
        writer.fail("no slide is shown: all are hidden or damaged" if deck.slides else "it has no slides")
    return writer.page()


def _open(data: bytes) -> _Deck:
    package = Package(data)
    main = package.related("", "officeDocument")
    if main is None or not main.lower().startswith("ppt/"):
        raise Unsupported("The file is not a presentation: it has no slides. Give it the extension of its format.")
    root = package.xml(main)
    known = package.relations(main)
    ids = [found.get(name("r:id")) or "" for found in find_all(root, "p:sldIdLst/p:sldId")]
    slides = [known[key].target if key in known else f"(slide {place})" for place, key in enumerate(ids, 1)]
    try:
        people = authors(package, main)
    except InvalidInput:
        people = {}
    return _Deck(package, slides, people, find(root, "p:sldSz"))


def _first_title(deck: _Deck) -> str:
    """The title of the first slide."""
    try:
        tree = find(deck.package.xml(deck.slides[0]), "p:cSld/p:spTree") if deck.slides else None
    except InvalidInput:
        return ""
    for shape in shapes(tree, {}) if tree is not None else ():
        body = find(shape.element, "p:txBody")
        if _is_title(shape) and body is not None:
            return one_line(plain_text(body))
    return ""


def _is_title(shape: Shape) -> bool:
    return shape.placeholder is not None and shape.placeholder[0] in TITLES and not shape.hidden


def _slide(deck: _Deck, part: str, writer: PageWriter, number: int, call: Call) -> Page:
    """A slide; one that is hidden is kept apart as a whole."""
    try:
        root = deck.package.xml(part)
        relations = deck.package.relations(part)
    except InvalidInput as damage:
        writer.fail(f"slide {number}: {damage.message}")
        return writer.page()
    _content(deck, part, root, relations, writer, number, call)
    page = writer.page()
    if not _says_no(root, "show"):
        return page
    kept = PageWriter(1, number)
    kept.aside(AsideKind.HIDDEN, page.text, reason="hidden slide")
    hidden = kept.page()
    return Page(number, "", (), page.failures, (*hidden.asides, *page.asides), page.warnings, page.limits_hit)


def _says_no(element: Element, attribute: str) -> bool:
    """Whether an attribute says no."""
    return element.get(attribute) in ("0", "false", "off")


def _content(
    deck: _Deck,
    part: str,
    root: Element,
    relations: dict[str, Relation],
    writer: PageWriter,
    number: int,
    call: Call,
) -> None:
    links = {key: found.target for key, found in relations.items() if found.external}
    tree = find(root, "p:cSld/p:spTree")
    below = layout(deck.package, part)
    looks = appearance([*([tree] if tree is not None else []), *below.trees], below.theme, below.master, deck.size)
    sheet = Sheet(deck.package, relations, links, below, looks)
    found = list(shapes(tree, inherited_rectangles(sheet.layout, tree))) if tree is not None else []
    first = found[0] if found and _is_title(found[0]) else None
    if first is None or not title(writer, sheet, first):
        writer.heading(HEADING_LEVEL, f"Slide {number}")
    for shape in found:
        call.check()
        if shape is not first:
            _shape(writer, sheet, shape, number)
    try:
        writer.block(BlockKind.QUOTE, notes(deck.package, part))
        for comment in comments(deck.package, part, deck.authors):
            writer.aside(AsideKind.COMMENT, comment)
    except InvalidInput as damage:
        writer.fail(f"slide {number}: {damage.message}")


def _shape(writer: PageWriter, sheet: Sheet, shape: Shape, number: int) -> None:
    """A shape; what is hidden goes apart, what is damaged is said."""
    reason = "hidden shape" if shape.hidden else "off the page" if sheet.looks.is_off_slide(shape) else ""
    target = PageWriter(1, number) if reason else writer
    try:
        write(target, sheet, shape)
    except InvalidInput as damage:
        writer.fail(f"slide {number}: {damage.message}")
    if reason:
        writer.aside(AsideKind.HIDDEN, target.page().text, reason=reason)
