"""What a slide takes from its layout and its master: places of placeholders, styles of their lists."""

from dataclasses import dataclass

from pincite.errors import InvalidInput
from pincite.formats.ooxml.package import Element, Package, children, find
from pincite.formats.pptx.shapes import TITLES, EmuRectangle, Placeholder, placeholder, rectangles

_BODIES = frozenset({"body", "obj", "subTitle", "tbl", "chart", "dgm", "media", "clipArt", "pic"})


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout with its master.

    Attributes:
        trees: Their shape trees, the layout's first.
        styles: The master's text styles (`p:txStyles`).
        master: The master (`p:sldMaster`).
        theme: Its theme.
    """

    trees: tuple[Element, ...] = ()
    styles: Element | None = None
    master: Element | None = None
    theme: Element | None = None


def layout(package: Package, slide: str) -> Layout:
    """The layout of a slide; an empty one where it cannot be read: that costs places and bullets, no text."""
    roots: list[Element] = []
    theme = None
    try:
        part = package.related(slide, "slideLayout")
        roots += [package.xml(part)] if part else []
        master = package.related(part, "slideMaster") if part else None
        roots += [package.xml(master)] if master else []
        colours = package.related(master, "theme") if master else None
        theme = package.xml(colours) if colours else None
    except InvalidInput:
        pass
    trees = tuple(tree for root in roots if (tree := find(root, "p:cSld/p:spTree")) is not None)
    styles = next((found for root in roots if (found := find(root, "p:txStyles")) is not None), None)
    return Layout(trees, styles, roots[1] if len(roots) > 1 else None, theme)


def inherited_rectangles(found: Layout, tree: Element) -> dict[Placeholder, EmuRectangle]:
    """Where the layout puts the placeholders of a slide."""
    held = [rectangles(one) for one in found.trees]
    inherited: dict[Placeholder, EmuRectangle] = {}
    for holder in filter(None, map(placeholder, children(tree))):
        for one in held:
            other = _match(one, holder)
            if other is not None:
                inherited.setdefault(holder, one[other])
    return inherited


def list_styles(found: Layout, holder: Placeholder) -> list[Element]:
    """The list styles that a placeholder inherits, the nearest first."""
    styles: list[Element | None] = []
    for tree in found.trees:
        held = {other: child for child in children(tree) if (other := placeholder(child)) is not None}
        other = _match(held, holder)
        styles.append(find(held[other], "p:txBody/a:lstStyle") if other is not None else None)
    if found.styles is not None:
        kind = holder[0]
        styles.append(
            find(found.styles, f"p:{'title' if kind in TITLES else 'body' if kind in _BODIES else 'other'}Style")
        )
    return [style for style in styles if style is not None]


def _match(
    held: dict[Placeholder, EmuRectangle] | dict[Placeholder, Element], holder: Placeholder
) -> Placeholder | None:
    """The placeholder that a slide's own goes back to: of its family, by index, else by type."""
    family = [other for other in held if _family(other[0]) == _family(holder[0])]
    by_index = [other for other in family if other[1] == holder[1]]
    by_type = [other for other in family if other[0] == holder[0]]
    return next(iter(by_index or by_type or family), None)


def _family(kind: str) -> str:
    return "title" if kind in TITLES else "body" if kind in _BODIES else kind
