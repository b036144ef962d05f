"""Properties that a slide inherits from its layout and master: positions of placeholders, styles of their lists."""

from collections.abc import Iterator
from dataclasses import dataclass

from pincite.errors import InvalidInput
from pincite.formats.ooxml.package import Element, Package, children, find
from pincite.formats.ooxml.text import plain_text
from pincite.formats.pptx.shapes import TITLES, EmuRectangle, Placeholder, placeholder, rectangles, shapes

_BODY_TYPES = frozenset({"body", "obj", "subTitle", "tbl", "chart", "dgm", "media", "clipArt", "pic"})


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout with its master.

    Attributes:
        trees: The shape trees of both, the layout's first.
        shows_master: False if the layout hides the shapes of its master.
        styles: The master's text styles (`p:txStyles`).
        master: The master (`p:sldMaster`).
        theme: The master's theme.
    """

    trees: tuple[Element, ...] = ()
    styles: Element | None = None
    master: Element | None = None
    theme: Element | None = None
    shows_master: bool = True


def layout(package: Package, slide: str) -> Layout:
    """Return the layout of a slide; an empty one if it is damaged, which loses positions and bullets but no text."""
    roots: list[Element] = []
    theme = None
    try:
        part = package.related(slide, "slideLayout")
        roots += [package.xml(part)] if part else []
        master = package.related(part, "slideMaster") if part else None
        roots += [package.xml(master)] if master else []
        colours = package.related(master, "theme") if master else None
        theme = package.xml(colours) if colours else None
    # A damaged layout must not cost the slide.
    except InvalidInput:
        pass
    trees = tuple(tree for root in roots if (tree := find(root, "p:cSld/p:spTree")) is not None)
    styles = next((element for root in roots if (element := find(root, "p:txStyles")) is not None), None)
    return Layout(
        trees, styles, roots[1] if len(roots) > 1 else None, theme, _shows_master(roots[0]) if roots else True
    )


def inherited_rectangles(slide_layout: Layout, tree: Element) -> dict[Placeholder, EmuRectangle]:
    """Return the rectangles that the placeholders of a slide inherit from its layout or master."""
    rectangles_by_tree = [rectangles(layout_tree) for layout_tree in slide_layout.trees]
    inherited: dict[Placeholder, EmuRectangle] = {}
    for holder in filter(None, map(placeholder, children(tree))):
        for inheritable in rectangles_by_tree:
            match = _match(inheritable, holder)
            if match is not None:
                inherited.setdefault(holder, inheritable[match])
    return inherited


def running_texts(slide_layout: Layout, slide: Element) -> Iterator[str]:
    """Yield the texts of its layout and master that a slide shows: shapes other than placeholders.

    Args:
        slide_layout: The layout.
        slide: The slide (`p:sld`).
    """
    if not _shows_master(slide):
        return
    for tree in slide_layout.trees if slide_layout.shows_master else slide_layout.trees[:1]:
        for shape in shapes(tree, {}):
            body = find(shape.element, "p:txBody")
            if (
                shape.placeholder is None
                and not shape.hidden
                and body is not None
                and (text := plain_text(body).strip())
            ):
                yield text


def _shows_master(root: Element) -> bool:
    return root.get("showMasterSp") not in ("0", "false")


def list_styles(slide_layout: Layout, holder: Placeholder) -> list[Element]:
    """Return the list styles that a placeholder inherits, the most specific first."""
    styles: list[Element | None] = []
    for tree in slide_layout.trees:
        elements = {inherited: child for child in children(tree) if (inherited := placeholder(child)) is not None}
        inherited = _match(elements, holder)
        styles.append(find(elements[inherited], "p:txBody/a:lstStyle") if inherited is not None else None)
    if slide_layout.styles is not None:
        kind = holder[0]
        styles.append(
            find(
                slide_layout.styles,
                f"p:{'title' if kind in TITLES else 'body' if kind in _BODY_TYPES else 'other'}Style",
            )
        )
    return [style for style in styles if style is not None]


def _match(
    candidates: dict[Placeholder, EmuRectangle] | dict[Placeholder, Element], holder: Placeholder
) -> Placeholder | None:
    """The inherited placeholder of the same family: with the same index, else type, else the first."""
    family = [candidate for candidate in candidates if _family(candidate[0]) == _family(holder[0])]
    by_index = [candidate for candidate in family if candidate[1] == holder[1]]
    by_type = [candidate for candidate in family if candidate[0] == holder[0]]
    return next(iter(by_index or by_type or family), None)


def _family(kind: str) -> str:
    return "title" if kind in TITLES else "body" if kind in _BODY_TYPES else kind
