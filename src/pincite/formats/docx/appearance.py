"""Detect invisible text in a Word document, by its size, its colour on its background and the position of its box.

A background counts only if it is certain: inside shapes without a plain fill, in tables whose style shades cells and
over pictures behind the text, every colour is taken for visible.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from pincite.formats.docx.names import VAL, VANISH, number, toggle, value, w
from pincite.formats.docx.styles import Styles
from pincite.formats.ooxml.package import Element, local_name, name, whole_number
from pincite.formats.ooxml.theme import Theme
from pincite.formats.writing.contrast import NAMED, WHITE, Background, Colour, from_hex, is_indistinct

MIN_HALF_POINTS = 4
"""Type smaller than two points is hidden text, in all formats (docs/decisions/0010)."""

MIN_SCALE_PERCENT = 10
"""Letters at less than a tenth of their width are illegible."""

OFF_PAGE_EMU = 22 * 914_400
OFF_PAGE_TWIPS = 22 * 1440
"""22 inches, Word's maximum length of a page: a box with a larger offset is on no page."""

MIN_LINE_TWIPS = 40
"""An exact line or row height below two points clips all letters."""

_MIN_BACKDROP_EMU = 914_400
"""Size of a picture behind the text, one inch, from which it may be the background of white letters."""

UNKNOWN = None
"""A background that is not certain."""

_COLOR, _SIZE, _SHADING, _HIGHLIGHT = w("color"), w("sz"), w("shd"), w("highlight")
_CELL_SHADING, _ROW_HEIGHT = f"{w('tcPr')}/{_SHADING}", f"{w('trPr')}/{w('trHeight')}"
_SCALE, _STYLE = w("w"), w("rStyle")
_FILL = "{http://schemas.microsoft.com/office/word/2010/wordml}textFill"
_APPEARANCE_TAGS = frozenset((_COLOR, _SIZE, _SHADING, _HIGHLIGHT, _SCALE, _STYLE, VANISH, _FILL))


@dataclass
class Appearance:
    """The visible appearance of a document's text.

    Attributes:
        styles: The styles of the document.
        theme: The colours of its theme.
        page: The background of its pages.
        behind: The background of the current cell or box; the walker sets it.
    """

    styles: Styles
    theme: Theme = field(default_factory=Theme)
    page: Background = WHITE
    _style_chains: dict[str | None, list[Element]] = field(default_factory=dict[str | None, "list[Element]"])
    _reasons: dict[tuple[str | None, Background], str] = field(
        default_factory=dict[tuple["str | None", "Background"], str]
    )

    def __post_init__(self) -> None:
        self.behind: Background = self.page

    @cached_property
    def _defaults(self) -> list[Element]:
        return self.styles.default_run_properties()

    def reason(self, run: Element | None, style: str | None, paragraph: Element | None) -> str:
        """Return the reason why a run is invisible; empty if it is visible.

        Args:
            run: The run's `w:rPr`, if any.
            style: Id of the paragraph's style.
            paragraph: The paragraph's `w:pPr`, if any.
        """
        if style not in self._style_chains:
            properties = (*self.styles.run_properties(style), *self._defaults)
            self._style_chains[style] = [
                element for element in properties if not _APPEARANCE_TAGS.isdisjoint(child.tag for child in element)
            ]
        chain = self._style_chains[style]
        if run is not None and not _APPEARANCE_TAGS.isdisjoint(child.tag for child in run):
            named = value(run, _STYLE)
            # Formatting of the run, its character style, the paragraph's style, the defaults: the first that sets a
            # property wins.
            chain = [run, *(self.styles.run_properties(named, is_paragraph=False) if named else ()), *chain]
        elif not chain:
            return ""
        elif paragraph is None or paragraph.find(_SHADING) is None:
            # Most runs have no properties of their own: the reason depends on style and background alone.
            key = style, self.behind
            if key not in self._reasons:
                self._reasons[key] = self._reason(chain, style, None)
            return self._reasons[key]
        return self._reason(chain, style, paragraph)

    def _reason(self, chain: list[Element], style: str | None, paragraph: Element | None) -> str:
        if next((vanish for properties in chain if (vanish := toggle(properties, VANISH)) is not None), False):
            return "hidden text"
        if _number_of(chain, _SIZE, MIN_HALF_POINTS) < MIN_HALF_POINTS:
            return "type smaller than 2 points"
        if _number_of(chain, _SCALE, 100) < MIN_SCALE_PERCENT:
            return "letters without width"
        return self._by_colour(chain, style, paragraph)

    def _by_colour(self, chain: list[Element], style: str | None, paragraph: Element | None) -> str:
        fill = _first(chain, _FILL)
        if fill is not None:
            kind = next((local_name(child) for child in fill), "")
            if kind == "noFill" or _alpha(fill) >= 95_000:  # noqa: PLR2004 - of 100,000: 95 % transparent
                return "transparent"
            return ""
        colour = self._colour(_first(chain, _COLOR))
        if colour is None:
            return ""
        behind = self._background(chain, style, paragraph)
        return "the colour of its background" if behind is not None and is_indistinct(colour, behind) else ""

    def _colour(self, element: Element | None) -> Colour | None:
        """A colour; None for automatic, which is always visible."""
        if element is None:
            return None
        if themed := element.get(w("themeColor")):
            return self.theme.colour(themed, element.get(w("themeTint")), element.get(w("themeShade")))
        return from_hex(element.get(VAL))

    def _background(self, chain: list[Element], style: str | None, paragraph: Element | None) -> Background:
        marker = _first(chain, _HIGHLIGHT)
        if marker is not None and marker.get(VAL) not in (None, "none"):
            return NAMED.get(marker.get(VAL) or "", UNKNOWN)
        # From the innermost to the outermost: run, paragraph, paragraph style; the cell is in `behind`.
        shadings = [_first(chain, _SHADING)]
        shadings += [properties.find(_SHADING) for properties in ([paragraph] if paragraph is not None else [])]
        shadings += [properties.find(_SHADING) for properties in self.styles.paragraph_properties(style)]
        for shading in shadings:
            if shading is not None and is_filled(shading):
                return self.fill(shading)
        return self.behind

    def fill(self, shading: Element) -> Background:
        """Return the colour of a `w:shd`; unknown for a pattern."""
        if shading.get(VAL) not in ("clear", "nil", None):
            return UNKNOWN
        if themed := shading.get(w("themeFill")):
            return self.theme.colour(themed, shading.get(w("themeFillTint")), shading.get(w("themeFillShade")))
        return from_hex(shading.get(w("fill")))

    def table(self, table: Element) -> Background:
        """Return the background of those cells of a table that have none of their own."""
        shading = table.find(f"{w('tblPr')}/{_SHADING}")
        if shading is not None and is_filled(shading):
            return self.fill(shading)
        style = value(table, w("tblPr"), w("tblStyle"))
        return UNKNOWN if style and self.styles.has_shading(style) else self.behind

    def cell(self, cell: Element, table: Background) -> Background:
        """Return the background of a cell in a table with background `table`."""
        shading = cell.find(_CELL_SHADING)
        return self.fill(shading) if shading is not None and is_filled(shading) else table


def is_filled(shading: Element) -> bool:
    """Return True if a `w:shd` is opaque."""
    plain = shading.get(VAL) in ("clear", "nil", None)
    return not plain or bool(shading.get(w("themeFill"))) or shading.get(w("fill")) not in ("auto", None)


def clips_lines(paragraph: Element | None) -> bool:
    """Return True if a paragraph's lines are too low for any letter, or begin off the page."""
    if paragraph is None:
        return False
    spacing, indent, frame = (paragraph.find(w(tag)) for tag in ("spacing", "ind", "framePr"))
    if spacing is not None and spacing.get(w("lineRule")) == "exact":
        height = whole_number(spacing.get(w("line")), MIN_LINE_TWIPS)
        if 0 <= height < MIN_LINE_TWIPS:
            return True
    shifts = [(indent, "left"), (indent, "start"), (frame, "x"), (frame, "y")]
    return any(
        element is not None and whole_number(element.get(w(side))) <= -OFF_PAGE_TWIPS for element, side in shifts
    )


def clips_row(row: Element) -> bool:
    """Return True if a row of a table is too low for any letter."""
    heights = row.findall(_ROW_HEIGHT)
    return any(
        height.get(w("hRule")) == "exact" and number(height.get(VAL), MIN_LINE_TWIPS) < MIN_LINE_TWIPS
        for height in heights
    )


def is_off_page(box: Element) -> bool:
    """Return True if a text box is hidden, has no size, or is positioned off the page."""
    for ancestor in box.iterancestors():
        kind = local_name(ancestor)
        if kind == "docPr" or (kind in ("anchor", "inline") and _is_anchor_off_page(ancestor)):
            return True
        if kind in ("shape", "rect", "textbox") and _is_style_off_page(ancestor.get("style") or ""):
            return True
        if kind in ("p", "body"):
            return False
    return False


def _is_anchor_off_page(anchor: Element) -> bool:
    # The height of a box that grows with its text is nominal: Word writes 635 for the captions that it inserts.
    grows = any(local_name(element) == "spAutoFit" for element in anchor.iter())
    sides = ("cx",) if grows else ("cx", "cy")
    size = [[whole_number(child.get(side)) for side in sides] for child in anchor if local_name(child) == "extent"]
    if any(local_name(child) == "docPr" and child.get("hidden") in ("1", "true") for child in anchor):
        return True
    if anchor.get("hidden") in ("1", "true") or any(min(lengths) < 12_700 for lengths in size):  # noqa: PLR2004 - a point
        return True
    positions = (position for position in anchor if local_name(position) in ("positionH", "positionV"))
    offsets = (
        whole_number(child.text) for position in positions for child in position if local_name(child) == "posOffset"
    )
    return any(abs(offset) >= OFF_PAGE_EMU for offset in offsets)


def _is_style_off_page(style: str) -> bool:
    declarations = dict(part.strip().lower().split(":", 1) for part in style.split(";") if ":" in part)
    shifts = (declarations.get(side, "0").strip() for side in ("left", "top", "margin-left", "margin-top"))
    points = (whole_number(shift.removesuffix("pt").partition(".")[0]) for shift in shifts)
    return declarations.get("visibility", "").strip() == "hidden" or any(
        abs(shift) >= OFF_PAGE_TWIPS / 20 for shift in points
    )


def page_background(root: Element, theme: Theme) -> Background:
    """Return the background of a document's pages: white, their own colour, or unknown if a picture covers it."""
    for anchor in root.iter(name("wp:anchor")):
        if anchor.get("behindDoc") in ("1", "true"):
            for child in anchor:
                sides = (whole_number(child.get("cx")), whole_number(child.get("cy")))
                if local_name(child) == "extent" and min(sides) >= _MIN_BACKDROP_EMU:
                    return UNKNOWN
    element = root.find(w("background"))
    if element is None:
        return WHITE
    if themed := element.get(w("themeColor")):
        return theme.colour(themed, element.get(w("themeTint")), element.get(w("themeShade")))
    return from_hex(element.get(w("color")))


def box_background(box: Element, theme: Theme) -> Background:
    """Return the plain fill of the shape around a text box; unknown if it has none."""
    shape = next((ancestor for ancestor in box.iterancestors() if local_name(ancestor) == "wsp"), None)
    for properties in shape if shape is not None else ():
        if local_name(properties) == "spPr":
            for fill in properties:
                if local_name(fill) == "solidFill":
                    return _drawn_colour(fill, theme)
    return UNKNOWN


def _drawn_colour(fill: Element, theme: Theme) -> Colour | None:
    """A plain colour of DrawingML; None if it is modified (lighter, translucent) or unknown."""
    element = next(iter(fill), None)
    if element is None or len(element):
        return None
    return (
        theme.colour(element.get("val") or "", None, None)
        if local_name(element) == "schemeClr"
        else from_hex(element.get("val"))
    )


def _first(chain: Iterable[Element], tag: str) -> Element | None:
    return next((element for properties in chain if (element := properties.find(tag)) is not None), None)


def _number_of(chain: Iterable[Element], tag: str, default: int) -> int:
    element = _first(chain, tag)
    return number(element.get(VAL), default) if element is not None else default


def _alpha(fill: Element) -> int:
    """The transparency of a fill, 0..100,000."""
    return max(
        (whole_number(_any_value(element)) for element in fill.iter() if local_name(element) == "alpha"), default=0
    )


def _any_value(element: Element) -> str | None:
    return next(iter(_values(element)), None)


def _values(element: Element) -> Iterator[str]:
    for key, text in element.attrib.items():
        if str(key).endswith("val"):
            yield str(text)
