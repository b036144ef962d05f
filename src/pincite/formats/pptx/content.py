"""Write shapes as blocks: text, lists, tables, charts, diagrams, pictures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from pincite.errors import InvalidInput
from pincite.formats.ooxml.charts import chart_tables, chart_words
from pincite.formats.ooxml.diagrams import diagram_items
from pincite.formats.ooxml.package import (
    RELATION,
    Element,
    Package,
    Relation,
    children,
    descendants,
    find,
    flag,
    local_name,
    name,
)
from pincite.formats.ooxml.pictures import PictureParts
from pincite.formats.ooxml.tables import table
from pincite.formats.ooxml.text import Conceals, Paragraph, link_to, paragraphs
from pincite.formats.pptx.appearance import Appearance
from pincite.formats.pptx.layouts import Layout, list_styles
from pincite.formats.pptx.shapes import Shape, named
from pincite.formats.writing.contrast import Background
from pincite.formats.writing.page_writer import Item, PageWriter, one_line
from pincite.model.document import AsideKind, Block, BlockKind, Box

HEADING_LEVEL = 2
"""Level of a slide's title; below the title of the document."""
_PICTURE_PATHS = ("p:blipFill/a:blip", "p:spPr/a:blipFill/a:blip")
_RUNNING_KINDS = {"ftr": AsideKind.FOOTER, "dt": AsideKind.FOOTER, "sldNum": AsideKind.FOOTER, "hdr": AsideKind.HEADER}


@dataclass(frozen=True, slots=True)
class Sheet:
    """The context of the shapes of one slide.

    Attributes:
        package: The file.
        relations: The slide's relations by id.
        links: The URLs among the relations, by id.
        layout: The slide's layout.
        appearance: The visibility of the slide's text.
        pictures: Writes the text of pictures; None to leave them out.
    """

    package: Package
    relations: Mapping[str, Relation]
    links: Mapping[str, str]
    layout: Layout
    appearance: Appearance = field(default_factory=Appearance)
    pictures: PictureParts | None = None


def title(writer: PageWriter, sheet: Sheet, shape: Shape) -> bool:
    """Write the slide's title; return False if it is empty."""
    body = find(shape.element, "p:txBody")
    conceals = _conceals(writer, sheet, sheet.appearance.behind(shape))
    lines = paragraphs(body, sheet.links, conceals=conceals) if body is not None else []
    plain = one_line(" ".join(line.plain for line in lines))
    linked = one_line(" ".join(line.text for line in lines))
    block = Block(BlockKind.HEADING, 0, 0, HEADING_LEVEL, plain, boxes=shape.boxes)
    writer.add(block, f"{'#' * HEADING_LEVEL} {linked}" if plain else "")
    return bool(plain)


def write(writer: PageWriter, sheet: Sheet, shape: Shape) -> None:
    """Write the content of a shape.

    Raises:
        InvalidInput: A part of the shape (a chart, a diagram) is missing or damaged.
    """
    body = find(shape.element, "p:txBody")
    if body is not None:
        _text(writer, sheet, shape, body)
    # Alternative texts describe shapes without text; on a shape with text they repeat it.
    if not _has_text(body):
        _figure(writer, sheet, shape)
    if sheet.pictures is not None:
        for part in _picture_parts(sheet, shape):
            sheet.pictures.write(writer, part, shape.boxes)
    if local_name(shape.element) == "graphicFrame":
        _graphic(writer, sheet, shape)


def _conceals(writer: PageWriter, sheet: Sheet, behind: Background) -> Conceals:
    """Return a callable that writes runs which are invisible on this background as asides."""

    def conceals(properties: Sequence[Element], text: str) -> bool:
        reason = sheet.appearance.reason(properties, behind)
        if reason:
            writer.aside(AsideKind.HIDDEN, text, reason=reason)
        return bool(reason)

    return conceals


def _has_text(body: Element | None) -> bool:
    """Return True if a text body has visible characters."""
    return body is not None and any(
        (element.text or "").strip() for element in descendants(body) if local_name(element) == "t"
    )


def _text(writer: PageWriter, sheet: Sheet, shape: Shape, body: Element) -> None:
    styles = list_styles(sheet.layout, shape.placeholder) if shape.placeholder else []
    conceals = _conceals(writer, sheet, sheet.appearance.behind(shape))
    lines = paragraphs(body, sheet.links, styles, _shape_link(sheet, shape), conceals)
    kind = _RUNNING_KINDS.get(shape.placeholder[0]) if shape.placeholder else None
    if kind is not None:
        writer.aside(kind, "\n".join(line.plain for line in lines))
        return
    write_lines(writer, lines, shape.boxes)


def write_lines(writer: PageWriter, lines: list[Paragraph], boxes: tuple[Box, ...] = ()) -> None:
    """Write paragraphs; consecutive ones with bullets are one list."""
    for bullet, group in groupby(lines, key=lambda line: line.bullet):
        if bullet:
            bulleted = list(group)
            outermost = min(line.level for line in bulleted)
            writer.items([Item(line.text, line.level - outermost, line.label) for line in bulleted], boxes=boxes)
        else:
            for line in group:
                writer.paragraph(line.text, boxes=boxes)


def _shape_link(sheet: Sheet, shape: Shape) -> str:
    properties = named(shape.element)
    click = find(properties, "a:hlinkClick") if properties is not None else None
    return sheet.links.get(click.get(RELATION) or "", "") if click is not None else ""


def _figure(writer: PageWriter, sheet: Sheet, shape: Shape) -> None:
    """Write the alternative text of a shape without text, unless it is marked as decorative."""
    properties = named(shape.element)
    if properties is None or any(
        local_name(element) == "decorative" and flag(element, "val") for element in properties.iter()
    ):
        return
    alternative = properties.get("descr") or properties.get("title") or ""
    writer.figure(alternative, boxes=shape.boxes)
    url = _shape_link(sheet, shape)
    if url:
        writer.paragraph(link_to(one_line(alternative) or "link", url), boxes=shape.boxes)


def _picture_parts(sheet: Sheet, shape: Shape) -> Iterator[str]:
    """Yield the parts of the pictures that a shape shows: its own, or that which fills it."""
    for path in _PICTURE_PATHS:
        blip = find(shape.element, path)
        relation = None if blip is None else sheet.relations.get(blip.get(name("r:embed")) or "")
        if relation is not None and not relation.external:
            yield relation.target


def _graphic(writer: PageWriter, sheet: Sheet, shape: Shape) -> None:
    data = find(shape.element, "a:graphic/a:graphicData")
    for element in children(data) if data is not None else ():
        kind = local_name(element)
        if kind == "tbl":
            # A table's style may fill its cells: the background of their text is unknown.
            writer.table(table(element, sheet.links, _conceals(writer, sheet, None)), boxes=shape.boxes)
        elif kind == "chart":
            _chart(writer, sheet.package.xml(_part(sheet, element, "id")), shape)
        elif kind == "relIds":
            root = sheet.package.xml(_part(sheet, element, "dm"))
            writer.items(diagram_items(root), boxes=shape.boxes)
        elif kind == "oleObj":
            program = element.get("progId") or "of an unknown kind"
            writer.warn(f"an embedded object ({program}) was not opened: its content is not in the text")


def _chart(writer: PageWriter, root: Element, shape: Shape) -> None:
    tables = chart_tables(root)
    for chart in tables:
        writer.table(chart, boxes=shape.boxes)
    if not tables:
        writer.paragraph(chart_words(root), boxes=shape.boxes)


def _part(sheet: Sheet, element: Element, attribute: str) -> str:
    """Return the part that `r:id` or another relation attribute refers to.

    Raises:
        InvalidInput: There is no such part.
    """
    relation = sheet.relations.get(element.get(name(f"r:{attribute}")) or "")
    if relation is None or relation.external:
        raise InvalidInput(f"The part of a {local_name(element)} is missing.")
    return relation.target
