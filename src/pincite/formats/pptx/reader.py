"""Reader for presentations (PPTX): a page and a section for each slide."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.ooxml.package import Element, Package, Relation, find, find_all, name
from pincite.formats.ooxml.pictures import PictureParts
from pincite.formats.ooxml.properties import properties
from pincite.formats.ooxml.text import plain_text
from pincite.formats.pptx.appearance import appearance
from pincite.formats.pptx.content import HEADING_LEVEL, Sheet, title, write
from pincite.formats.pptx.layouts import inherited_rectangles, layout, running_texts
from pincite.formats.pptx.remarks import authors, comments, notes
from pincite.formats.pptx.shapes import TITLES, Shape, shapes
from pincite.formats.writing.page_writer import PageWriter, hidden_page, one_line
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind, Head, Page

_DEFAULT_TITLES = frozenset({"powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint"})
"""Titles that PowerPoint writes for presentations without one."""


@dataclass(frozen=True, slots=True)
class _Deck:
    """An open presentation.

    Attributes:
        package: The file.
        slides: The parts of its slides, in order.
        authors: Names of the authors of comments by id.
        size: The size of its slides (`p:sldSz`).
        pictures: Writes the text of its pictures.
        running_texts: The texts of layouts and masters that were written.
    """

    package: Package
    slides: list[str]
    authors: dict[str, str]
    size: Element | None
    pictures: PictureParts
    running_texts: set[str] = field(default_factory=set[str])


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    call.check()
    deck = _open(blob.data, options)
    metadata = properties(deck.package)
    own_title = metadata.get("title", "")
    first_title = "" if own_title and own_title.lower() not in _DEFAULT_TITLES else _first_title(deck)
    yield Head(first_title or own_title or None, metadata, metadata.get("language"), len(deck.slides))
    visible = 0
    for number, part in enumerate(deck.slides[: options.max_pages], 1):
        call.check()
        page = _slide(deck, part, PageWriter(options.max_blocks, number), number, call)
        visible += bool(page.text)
        yield page
    cut = len(deck.slides) > options.max_pages
    if cut or not visible:
        yield _summary_page(deck, cut=cut, visible=visible)


def _summary_page(deck: _Deck, *, cut: bool, visible: int) -> Page:
    """Return a page without text that reports limits and failures of the whole presentation."""
    writer = PageWriter(1)
    if cut:
        writer.limit("max_pages")
    if not visible:
        writer.fail("no slide is shown: all are hidden or damaged" if deck.slides else "it has no slides")
    return writer.page()


def _open(data: bytes, options: ReadOptions) -> _Deck:
    package = Package(data)
    main = package.related("", "officeDocument")
    if main is None or not main.lower().startswith("ppt/"):
        raise Unsupported("The file is not a presentation: it has no slides. Give it the extension of its format.")
    root = package.xml(main)
    relations = package.relations(main)
    ids = [element.get(name("r:id")) or "" for element in find_all(root, "p:sldIdLst/p:sldId")]
    slides = [relations[key].target if key in relations else f"(slide {number})" for number, key in enumerate(ids, 1)]
    try:
        author_names = authors(package, main)
    except InvalidInput:
        author_names = {}
    return _Deck(package, slides, author_names, find(root, "p:sldSz"), PictureParts(package, options))


def _first_title(deck: _Deck) -> str:
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
    """Return the page of a slide; a hidden slide becomes an aside."""
    try:
        root = deck.package.xml(part, writer.fail)
        relations = deck.package.relations(part)
    except InvalidInput as damage:
        writer.fail(f"slide {number}: {damage.message}")
        return writer.page()
    _content(deck, part, root, relations, writer, number, call)
    page = writer.page()
    return hidden_page(page, "hidden slide") if _is_off(root, "show") else page


def _is_off(element: Element, attribute: str) -> bool:
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
    links = {key: relation.target for key, relation in relations.items() if relation.external}
    tree = find(root, "p:cSld/p:spTree")
    slide_layout = layout(deck.package, part)
    slide_appearance = appearance(
        [*([tree] if tree is not None else []), *slide_layout.trees], slide_layout.theme, slide_layout.master, deck.size
    )
    sheet = Sheet(deck.package, relations, links, slide_layout, slide_appearance, deck.pictures)
    slide_shapes = list(shapes(tree, inherited_rectangles(sheet.layout, tree))) if tree is not None else []
    # `shapes` yields the title first.
    first = slide_shapes[0] if slide_shapes and _is_title(slide_shapes[0]) else None
    if first is None or not title(writer, sheet, first):
        writer.heading(HEADING_LEVEL, f"Slide {number}")
    for shape in slide_shapes:
        call.check()
        if shape is not first:
            _shape(writer, sheet, shape, number)
    for text in running_texts(slide_layout, root):
        if text not in deck.running_texts:
            deck.running_texts.add(text)
            writer.aside(AsideKind.HEADER, text)
    try:
        writer.block(BlockKind.QUOTE, notes(deck.package, part))
        for comment in comments(deck.package, part, deck.authors):
            writer.aside(AsideKind.COMMENT, comment)
    except InvalidInput as damage:
        writer.fail(f"slide {number}: {damage.message}")


def _shape(writer: PageWriter, sheet: Sheet, shape: Shape, number: int) -> None:
    """Write a shape: hidden text as an aside, damage as a failure."""
    reason = "hidden shape" if shape.hidden else "off the page" if sheet.appearance.is_off_slide(shape) else ""
    target = PageWriter(1, number) if reason else writer
    sheet = replace(sheet, pictures=None) if reason else sheet
    try:
        write(target, sheet, shape)
    except InvalidInput as damage:
        writer.fail(f"slide {number}: {damage.message}")
    if reason:
        writer.aside(AsideKind.HIDDEN, target.page().text, reason=reason)
