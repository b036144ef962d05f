"""Whether text of a slide can be seen: where its shape stands, its size, its colour on a background that is known.

Of colours only plain ones are looked at, and only where nothing else lies behind the text: a picture, a filled shape or
a background with a gradient leave open what is seen.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pincite.formats.ooxml.package import Element, children, find, local_name, whole_number
from pincite.formats.ooxml.theme import Theme
from pincite.formats.pptx.shapes import EMU_PER_POINT, Shape, shapes
from pincite.formats.writing.contrast import BLACK, WHITE, Colour, from_hex, is_indistinct
from pincite.model.document import Box

MIN_HUNDREDTHS = 200
"""Type is measured in hundredths of a point: smaller than two points is hidden text (contract: coverage)."""

MIN_ALPHA = 5_000
"""Of 100,000: letters of a twentieth of their colour leave no trace on a screen."""

_PRESETS = {"white": WHITE, "black": BLACK}
_FILLS = frozenset(("solidFill", "gradFill", "blipFill", "pattFill", "grpFill"))
_PLAIN_BACKGROUND = "1001"
"""The theme's first background fill, which is one colour (20.1.10.57)."""

Behind = Colour | None
"""A colour; None where it is not known for sure."""


@dataclass(slots=True)
class Appearance:
    """What a slide looks like, as far as that hides text.

    Attributes:
        theme: The colours of its master.
        names: What the master's map calls them (`bg1` → `lt1`).
        background: Of the slide.
        width: Of the slide, in points; 0 where the file does not say.
        height: Likewise.
        backdrops: Shapes that text may stand on, each with its boxes.
    """

    theme: Theme = field(default_factory=Theme)
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    background: Behind = None
    width: float = 0
    height: float = 0
    backdrops: Sequence[Shape] = ()

    def is_off_slide(self, shape: Shape) -> bool:
        """Return True if a shape stands beside the slide."""
        return bool(shape.boxes) and self.width > 0 and all(self._is_outside(box) for box in shape.boxes)

    def _is_outside(self, box: Box) -> bool:
        return box.x1 <= 0 or box.y1 <= 0 or box.x0 >= self.width or box.y0 >= self.height

    def reason(self, sayings: Iterable[Element], behind: Behind) -> str:
        """Return why a run cannot be seen; empty where it can.

        Args:
            sayings: `a:rPr` and the `a:defRPr` that it inherits, the nearest first.
            behind: The colour behind it.
        """
        known = list(sayings)
        size = next((properties.get("sz") for properties in known if properties.get("sz")), None)
        if size is not None and whole_number(size, MIN_HUNDREDTHS) < MIN_HUNDREDTHS:
            return "type smaller than 2 points"
        fill = next((fill for properties in known for fill in children(properties) if _is_fill(fill)), None)
        if fill is None:
            return ""
        if local_name(fill) == "noFill":
            return "" if any(find(properties, "a:ln") is not None for properties in known) else "transparent"
        if any(
            whole_number(found.get("val"), MIN_ALPHA) < MIN_ALPHA
            for found in fill.iter()
            if local_name(found) == "alpha"
        ):
            return "transparent"
        colour = self.colour(fill) if local_name(fill) == "solidFill" else None
        if colour is None or behind is None:
            return ""
        return "the colour of its background" if is_indistinct(colour, behind) else ""

    def behind(self, shape: Shape) -> Behind:
        """What the text of a shape stands on."""
        properties = find(shape.element, "p:spPr")
        fill = (
            next((found for found in children(properties) if _is_fill(found)), None) if properties is not None else None
        )
        if fill is not None and local_name(fill) != "noFill":
            return self.colour(fill) if local_name(fill) == "solidFill" else None
        if fill is None and _is_filled_by_style(shape.element):
            return None
        return None if any(self._lies_behind(other, shape) for other in self.backdrops) else self.background

    def _lies_behind(self, other: Shape, shape: Shape) -> bool:
        if other.element is shape.element:
            return False
        if not other.boxes or not shape.boxes:
            return True
        return any(_overlap(one, two) for one in other.boxes for two in shape.boxes)

    def colour(self, fill: Element) -> Colour | None:
        """A plain colour of a `solidFill`; None for one that is made lighter, darker or half seen."""
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
                return _PRESETS.get(value)
            case _:
                return self.theme.colour(self.names.get(value, value), None, None)


def appearance(
    trees: Sequence[Element], theme: Element | None, master: Element | None, size: Element | None
) -> Appearance:
    """What a slide looks like.

    Args:
        trees: The shape trees of the slide, its layout and its master.
        theme: The master's theme.
        master: `p:sldMaster`.
        size: `p:sldSz`.
    """
    mapping = find(master, "p:clrMap") if master is not None else None
    made = Appearance(Theme.of(theme), dict(mapping.attrib) if mapping is not None else {})
    if size is not None:
        made.width, made.height = (whole_number(size.get(side)) / EMU_PER_POINT for side in ("cx", "cy"))
    made.background = _background(trees, made)
    made.backdrops = [shape for tree in trees for shape in shapes(tree, {}) if _is_filled(shape.element)]
    return made


def _background(trees: Sequence[Element], made: Appearance) -> Behind:
    for tree in trees:
        parent = tree.getparent()
        element = find(parent, "p:bg") if parent is not None else None
        for kind in children(element) if element is not None else ():
            if local_name(kind) == "bgRef":
                return made.colour(kind) if kind.get("idx") == _PLAIN_BACKGROUND else None
            plain = find(kind, "a:solidFill")
            return made.colour(plain) if plain is not None else None
    return None


def _is_fill(element: Element) -> bool:
    return local_name(element) in _FILLS or local_name(element) == "noFill"


def _is_filled(element: Element) -> bool:
    if local_name(element) in ("pic", "graphicFrame", "contentPart"):
        return True
    properties = find(element, "p:spPr")
    fill = next((found for found in children(properties) if _is_fill(found)), None) if properties is not None else None
    return local_name(fill) in _FILLS if fill is not None else _is_filled_by_style(element)


def _is_filled_by_style(element: Element) -> bool:
    reference = find(element, "p:style/a:fillRef")
    return reference is not None and reference.get("idx") != "0"


def _overlap(one: Box, two: Box) -> bool:
    return one.x0 < two.x1 and two.x0 < one.x1 and one.y0 < two.y1 and two.y0 < one.y1
