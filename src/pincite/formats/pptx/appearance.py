"""Detect invisible text on a slide, by the position of its shape, its size and its colour on a known background.

Only plain colours are compared, and only if nothing else is behind the text: over a picture, a filled shape or a
gradient, the visible contrast is unknown.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.formats.ooxml.package import Element, children, find, local_name, whole_number
from pincite.formats.ooxml.theme import Theme
from pincite.formats.pptx.shapes import EMU_PER_POINT, Shape, shapes
from pincite.formats.writing.contrast import NAMED, Background, Colour, from_hex, is_indistinct
from pincite.model.document import Box

MIN_HUNDREDTHS_OF_POINT = 200
"""Type smaller than two points is hidden text, in all formats (docs/decisions/0010)."""

MIN_ALPHA = 5_000
"""Minimum opacity of visible letters, of 100,000: below 5 % nothing shows on a screen."""

_FILLS = frozenset(("solidFill", "gradFill", "blipFill", "pattFill", "grpFill"))
_PLAIN_BACKGROUND = "1001"
"""The theme's first background fill, which is one colour (20.1.10.57)."""


@dataclass(slots=True)
class Appearance:
    """The visible appearance of a slide's text.

    Attributes:
        theme: The theme colours of its master.
        names: The master's colour map (`bg1` → `lt1`).
        background: The background of the slide.
        width: Width of the slide in points; 0 if unknown.
        height: Height of the slide in points; 0 if unknown.
        backdrops: Filled shapes and pictures that may be behind a text.
    """

    theme: Theme = field(default_factory=Theme)
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    background: Background = None
    width: float = 0
    height: float = 0
    backdrops: Sequence[Shape] = ()

    def is_off_slide(self, shape: Shape) -> bool:
        """Return True if a shape is positioned outside the slide."""
        return bool(shape.boxes) and self.width > 0 and all(self._is_outside(box) for box in shape.boxes)

    def _is_outside(self, box: Box) -> bool:
        return box.x1 <= 0 or box.y1 <= 0 or box.x0 >= self.width or box.y0 >= self.height

    def reason(self, run_properties: Iterable[Element], behind: Background) -> str:
        """Return the reason why a run is invisible; empty if it is visible.

        Args:
            run_properties: `a:rPr` and the inherited `a:defRPr`, the most specific first.
            behind: The colour behind the run.
        """
        chain = list(run_properties)
        size = next((properties.get("sz") for properties in chain if properties.get("sz")), None)
        if size is not None and whole_number(size, MIN_HUNDREDTHS_OF_POINT) < MIN_HUNDREDTHS_OF_POINT:
            return "type smaller than 2 points"
        fill = next((fill for properties in chain for fill in children(properties) if _is_fill(fill)), None)
        if fill is None:
            return ""
        if local_name(fill) == "noFill":
            # An outline still draws the letters.
            return "" if any(find(properties, "a:ln") is not None for properties in chain) else "transparent"
        if any(
            whole_number(element.get("val"), MIN_ALPHA) < MIN_ALPHA
            for element in fill.iter()
            if local_name(element) == "alpha"
        ):
            return "transparent"
        colour = self.colour(fill) if local_name(fill) == "solidFill" else None
        if colour is None or behind is None:
            return ""
        return "the colour of its background" if is_indistinct(colour, behind) else ""

    def behind(self, shape: Shape) -> Background:
        """Return the background of a shape's text."""
        properties = find(shape.element, "p:spPr")
        fill = (
            next((child for child in children(properties) if _is_fill(child)), None) if properties is not None else None
        )
        if fill is not None and local_name(fill) != "noFill":
            return self.colour(fill) if local_name(fill) == "solidFill" else None
        if fill is None and _is_filled_by_style(shape.element):
            return None
        return None if any(self._may_be_behind(backdrop, shape) for backdrop in self.backdrops) else self.background

    def _may_be_behind(self, backdrop: Shape, shape: Shape) -> bool:
        if backdrop.element is shape.element:
            return False
        # Without a position, the shape may be behind.
        if not backdrop.boxes or not shape.boxes:
            return True
        return any(_overlap(back, front) for back in backdrop.boxes for front in shape.boxes)

    def colour(self, fill: Element) -> Colour | None:
        """Return the plain colour of a `solidFill`; None if it is modified (darker, translucent) or unknown."""
        element = next(children(fill), None)
        if element is None or len(element):
            return None
        value = element.get("val") or ""
        match local_name(element):
            case "srgbClr":
                return from_hex(value)
            case "sysClr":
                return from_hex(element.get("lastClr"))
            case "prstClr":
                return NAMED.get(value)
            case _:
                return self.theme.colour(self.names.get(value, value), None, None)


def appearance(
    trees: Sequence[Element], theme: Element | None, master: Element | None, size: Element | None
) -> Appearance:
    """Return the appearance of a slide.

    Args:
        trees: The shape trees of the slide, its layout and its master.
        theme: The master's theme.
        master: `p:sldMaster`.
        size: `p:sldSz`.
    """
    mapping = find(master, "p:clrMap") if master is not None else None
    result = Appearance(Theme.of(theme), dict(mapping.attrib) if mapping is not None else {})
    if size is not None:
        result.width, result.height = (whole_number(size.get(side)) / EMU_PER_POINT for side in ("cx", "cy"))
    result.background = _background(trees, result)
    result.backdrops = [shape for tree in trees for shape in shapes(tree, {}) if _is_filled(shape.element)]
    return result


def _background(trees: Sequence[Element], result: Appearance) -> Background:
    for tree in trees:
        parent = tree.getparent()
        element = find(parent, "p:bg") if parent is not None else None
        for kind in children(element) if element is not None else ():
            if local_name(kind) == "bgRef":
                return result.colour(kind) if kind.get("idx") == _PLAIN_BACKGROUND else None
            plain = find(kind, "a:solidFill")
            return result.colour(plain) if plain is not None else None
    return None


def _is_fill(element: Element) -> bool:
    return local_name(element) in _FILLS or local_name(element) == "noFill"


def _is_filled(element: Element) -> bool:
    if local_name(element) in ("pic", "graphicFrame", "contentPart"):
        return True
    properties = find(element, "p:spPr")
    fill = next((child for child in children(properties) if _is_fill(child)), None) if properties is not None else None
    return local_name(fill) in _FILLS if fill is not None else _is_filled_by_style(element)


def _is_filled_by_style(element: Element) -> bool:
    reference = find(element, "p:style/a:fillRef")
    return reference is not None and reference.get("idx") != "0"


def _overlap(a: Box, b: Box) -> bool:
    return a.x0 < b.x1 and b.x0 < a.x1 and a.y0 < b.y1 and b.y0 < a.y1
