"""The shapes of a slide in reading order, with their positions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pincite.formats.ooxml.package import Element, children, find, flag, local_name, whole_number
from pincite.model.document import Box

EMU_PER_POINT = 12_700
ROW_EMU = 457_200
"""Height of a row for reading order, half an inch: shapes with tops in the same row are read from left to right."""

TITLES = frozenset({"title", "ctrTitle"})
_SHAPES = frozenset({"sp", "pic", "graphicFrame", "grpSp", "cxnSp", "contentPart"})

EmuRectangle = tuple[int, int, int, int]
"""Left, top, width, height in EMU."""

Placeholder = tuple[str, str]
"""Type and index of a placeholder."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The transformation from coordinates in a group to the slide's: `position * scale + shift`, in EMU."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0

    def box(self, rectangle: EmuRectangle) -> Box:
        """Return a rectangle in points from the top left of the slide."""
        left, top, width, height = rectangle
        x0, y0 = left * self.scale_x + self.shift_x, top * self.scale_y + self.shift_y
        corners = (x0, y0, x0 + width * self.scale_x, y0 + height * self.scale_y)
        return Box(*(round(corner / EMU_PER_POINT, 2) for corner in corners))


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape other than a group.

    Attributes:
        element: `p:sp`, `p:pic`, `p:graphicFrame`, …
        placeholder: Type and index, if it is a placeholder.
        boxes: Its position on the slide; empty if unknown.
        hidden: True if it or a group around it is hidden.
    """

    element: Element
    placeholder: Placeholder | None
    boxes: tuple[Box, ...]
    hidden: bool = False


def shapes(tree: Element, inherited: Mapping[Placeholder, EmuRectangle]) -> Iterator[Shape]:
    """Yield the shapes in reading order: the title, then rows from left to right, with groups at their own position.

    Args:
        tree: The `p:spTree`.
        inherited: Rectangles that placeholders inherit.
    """
    yield from _ordered(tree, inherited, Frame(), hidden=False)


def _ordered(
    tree: Element, inherited: Mapping[Placeholder, EmuRectangle], frame: Frame, *, hidden: bool
) -> Iterator[Shape]:
    elements = [child for child in children(tree) if local_name(child) in _SHAPES]
    placed = [(child, placeholder(child), _inherited_rectangle(child, inherited)) for child in elements]
    for child, holder, rectangle in sorted(placed, key=_order):
        is_hidden = hidden or flag(named(child), "hidden")
        if local_name(child) == "grpSp":
            yield from _ordered(child, inherited, _inner(child, frame), hidden=is_hidden)
        else:
            yield Shape(child, holder, (frame.box(rectangle),) if rectangle else (), is_hidden)


def _order(placed: tuple[Element, Placeholder | None, EmuRectangle | None]) -> tuple[bool, int, int]:
    _, holder, rectangle = placed
    left, top = rectangle[:2] if rectangle else (0, 0)
    # False sorts before True: titles first.
    return (holder is None or holder[0] not in TITLES, round(top / ROW_EMU), left)


def placeholder(element: Element) -> Placeholder | None:
    """Return type and index of a placeholder; None for any other shape."""
    for child in children(element):
        if local_name(child).startswith("nv"):
            holder = find(child, "p:nvPr/p:ph")
            if holder is not None:
                return holder.get("type") or "obj", holder.get("idx") or "0"
    return None


def named(element: Element) -> Element | None:
    """Return the element with a shape's name and alternative text (`p:cNvPr`)."""
    for child in children(element):
        if local_name(child).startswith("nv"):
            return find(child, "p:cNvPr")
    return None


def rectangles(tree: Element | None) -> dict[Placeholder, EmuRectangle]:
    """Return the rectangles of the placeholders of a layout or master."""
    result: dict[Placeholder, EmuRectangle] = {}
    for child in children(tree) if tree is not None else ():
        holder, rectangle = placeholder(child), _inherited_rectangle(child, {})
        if holder is not None and rectangle is not None:
            result[holder] = rectangle
    return result


def _inherited_rectangle(element: Element, inherited: Mapping[Placeholder, EmuRectangle]) -> EmuRectangle | None:
    transform = find(element, "p:grpSpPr/a:xfrm" if local_name(element) == "grpSp" else "p:spPr/a:xfrm")
    transform = find(element, "p:xfrm") if transform is None else transform
    rectangle = _rectangle(transform, "a:off", "a:ext")
    holder = placeholder(element) if rectangle is None else None
    return inherited.get(holder) if holder is not None else rectangle


def _rectangle(transform: Element | None, corner: str, extent: str) -> EmuRectangle | None:
    at = find(transform, corner) if transform is not None else None
    size = find(transform, extent) if transform is not None else None
    if at is None or size is None:
        return None
    return (
        whole_number(at.get("x")),
        whole_number(at.get("y")),
        whole_number(size.get("cx")),
        whole_number(size.get("cy")),
    )


def _inner(group: Element, frame: Frame) -> Frame:
    """The frame of a group's children: it maps `chOff` and `chExt` to `off` and `ext`."""
    transform = find(group, "p:grpSpPr/a:xfrm")
    outer = _rectangle(transform, "a:off", "a:ext")
    inner = _rectangle(transform, "a:chOff", "a:chExt")
    if outer is None or inner is None:
        return frame
    # A group of lines may have no width or height: nothing to scale.
    scale_x = outer[2] / inner[2] if inner[2] else 1.0
    scale_y = outer[3] / inner[3] if inner[3] else 1.0
    return Frame(
        frame.scale_x * scale_x,
        frame.scale_y * scale_y,
        frame.scale_x * (outer[0] - inner[0] * scale_x) + frame.shift_x,
        frame.scale_y * (outer[1] - inner[1] * scale_y) + frame.shift_y,
    )
