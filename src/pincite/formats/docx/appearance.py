"""Whether text of a Word document can be seen: its size, its colour on what is behind it, where its box stands.

What is behind a text counts only where the file says it for sure: inside shapes without a plain fill, in tables whose
style shades cells, over pictures that lie behind the text every colour is taken for visible.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from pincite.formats.docx.names import VAL, number, toggle, value, w
from pincite.formats.docx.styles import Styles
from pincite.formats.ooxml.package import Element, local_name, name, whole_number
from pincite.formats.ooxml.theme import Theme
from pincite.formats.writing.contrast import BLACK, WHITE, Colour, from_hex, is_indistinct

MIN_HALF_POINTS = 4
"""Smaller type than two points is hidden text (contract: coverage)."""

MIN_SCALE_PERCENT = 10
"""Letters of a tenth of their width cannot be read."""

FAR_OFF_EMU = 22 * 914_400
"""The longest side that Word gives a page, 22 inches: a box that begins further off is on none."""
FAR_OFF_TWIPS = 22 * 1440

MIN_LINE_TWIPS = 40
"""An exact line height or row height below two points cuts all letters away."""

_BACKDROP_EMU = 914_400
"""A picture behind the text that is an inch high and wide may be what white letters stand on."""

UNKNOWN = None
"""A background that the file does not tell for sure."""

_COLOR, _SIZE, _SHADING, _HIGHLIGHT = w("color"), w("sz"), w("shd"), w("highlight")
_CELL_SHADING, _ROW_HEIGHT = f"{w('tcPr')}/{_SHADING}", f"{w('trPr')}/{w('trHeight')}"
_SCALE, _STYLE, _VANISH = w("w"), w("rStyle"), w("vanish")
_FILL = "{http://schemas.microsoft.com/office/word/2010/wordml}textFill"
_TELLING = frozenset((_COLOR, _SIZE, _SHADING, _HIGHLIGHT, _SCALE, _STYLE, _VANISH, _FILL))
_HIGHLIGHTS = {"white": WHITE, "black": BLACK}

Behind = Colour | None


@dataclass
class Appearance:
    """What a document looks like, as far as that hides text.

    Attributes:
        styles: Of the document.
        theme: Its colours.
        page: The background of its pages.
        behind: The background of the cell or box that is being read.
    """

    styles: Styles
    theme: Theme = field(default_factory=Theme)
    page: Behind = WHITE
    _looks: dict[str | None, list[Element]] = field(default_factory=dict[str | None, "list[Element]"])
    _reasons: dict[tuple[str | None, Behind], str] = field(default_factory=dict[tuple["str | None", "Behind"], str])

    def __post_init__(self) -> None:
        self.behind: Behind = self.page

    @cached_property
    def _defaults(self) -> list[Element]:
        return self.styles.default_run_properties()

    def reason(self, run: Element | None, style: str | None, paragraph: Element | None) -> str:
        """Return why a run cannot be seen; empty where it can.

        Args:
            run: Its `w:rPr`, if it has one.
            style: Id of its paragraph's style.
            paragraph: Its paragraph's `w:pPr`, if it has one.
        """
        if style not in self._looks:
            properties = (*self.styles.run_properties(style), *self._defaults)
            self._looks[style] = [one for one in properties if not _TELLING.isdisjoint(child.tag for child in one)]
        chain = self._looks[style]
        if run is not None and not _TELLING.isdisjoint(child.tag for child in run):
            named = value(run, _STYLE)
            chain = [run, *(self.styles.run_properties(named, is_paragraph=False) if named else ()), *chain]
        elif not chain:
            return ""
        elif paragraph is None or paragraph.find(_SHADING) is None:
            key = style, self.behind
            if key not in self._reasons:
                self._reasons[key] = self._reason(chain, style, None)
            return self._reasons[key]
        return self._reason(chain, style, paragraph)

    def _reason(self, chain: list[Element], style: str | None, paragraph: Element | None) -> str:
        if next((found for one in chain if (found := toggle(one, _VANISH)) is not None), False):
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
            if kind == "noFill" or _alpha(fill) >= 95_000:  # noqa: PLR2004 - of 100,000: no trace is left
                return "transparent"
            return ""
        colour = self._colour(_first(chain, _COLOR))
        if colour is None:
            return ""
        behind = self._background(chain, style, paragraph)
        return "the colour of its background" if behind is not None and is_indistinct(colour, behind) else ""

    def _colour(self, element: Element | None) -> Colour | None:
        """A colour; None for automatic, which is always seen."""
        if element is None:
            return None
        if themed := element.get(w("themeColor")):
            return self.theme.colour(themed, element.get(w("themeTint")), element.get(w("themeShade")))
        return from_hex(element.get(VAL))

    def _background(self, chain: list[Element], style: str | None, paragraph: Element | None) -> Behind:
        marker = _first(chain, _HIGHLIGHT)
        if marker is not None and marker.get(VAL) not in (None, "none"):
            return _HIGHLIGHTS.get(marker.get(VAL) or "", UNKNOWN)
        shadings = [_first(chain, _SHADING)]
        shadings += [one.find(_SHADING) for one in ([paragraph] if paragraph is not None else [])]
        shadings += [one.find(_SHADING) for one in self.styles.paragraph_properties(style)]
        for shading in shadings:
            if shading is not None and is_filled(shading):
                return self.fill(shading)
        return self.behind

    def fill(self, shading: Element) -> Behind:
        """The colour of a `w:shd`; unknown for a pattern."""
        if shading.get(VAL) not in ("clear", "nil", None):
            return UNKNOWN
        if themed := shading.get(w("themeFill")):
            return self.theme.colour(themed, shading.get(w("themeFillTint")), shading.get(w("themeFillShade")))
        return from_hex(shading.get(w("fill")))

    def table(self, table: Element) -> Behind:
        """The background of the cells of a table that have none of their own."""
        shading = table.find(f"{w('tblPr')}/{_SHADING}")
        if shading is not None and is_filled(shading):
            return self.fill(shading)
        style = value(table, w("tblPr"), w("tblStyle"))
        return UNKNOWN if style and self.styles.shades(style) else self.behind

    def cell(self, cell: Element, table: Behind) -> Behind:
        """The background of a cell in a table with this one."""
        shading = cell.find(_CELL_SHADING)
        return self.fill(shading) if shading is not None and is_filled(shading) else table


def is_filled(shading: Element) -> bool:
    """Return True if a `w:shd` covers what is behind it."""
    plain = shading.get(VAL) in ("clear", "nil", None)
    return not plain or bool(shading.get(w("themeFill"))) or shading.get(w("fill")) not in ("auto", None)


def cuts_lines(paragraph: Element | None) -> bool:
    """Return True if a paragraph's lines are lower than any letter, or begin far off the page."""
    if paragraph is None:
        return False
    spacing, indent, frame = (paragraph.find(w(tag)) for tag in ("spacing", "ind", "framePr"))
    if spacing is not None and spacing.get(w("lineRule")) == "exact":
        height = whole_number(spacing.get(w("line")), MIN_LINE_TWIPS)
        if 0 <= height < MIN_LINE_TWIPS:
            return True
    shifts = [(indent, "left"), (indent, "start"), (frame, "x"), (frame, "y")]
    return any(one is not None and whole_number(one.get(w(side))) <= -FAR_OFF_TWIPS for one, side in shifts)


def cuts_row(row: Element) -> bool:
    """Return True if a row of a table is lower than any letter."""
    heights = row.findall(_ROW_HEIGHT)
    return any(
        found.get(w("hRule")) == "exact" and number(found.get(VAL), MIN_LINE_TWIPS) < MIN_LINE_TWIPS
        for found in heights
    )


def is_off_page(box: Element) -> bool:
    """Return True if a text box is hidden, has no size, or stands where no page is."""
    for place in box.iterancestors():
        kind = local_name(place)
        if kind == "docPr" or (kind in ("anchor", "inline") and _is_lost(place)):
            return True
        if kind in ("shape", "rect", "textbox") and _is_lost_style(place.get("style") or ""):
            return True
        if kind in ("p", "body"):
            return False
    return False


def _is_lost(anchor: Element) -> bool:
    size = [
        (whole_number(found.get("cx")), whole_number(found.get("cy")))
        for found in anchor
        if local_name(found) == "extent"
    ]
    if any(local_name(found) == "docPr" and found.get("hidden") in ("1", "true") for found in anchor):
        return True
    if anchor.get("hidden") in ("1", "true") or any(min(sides) < 12_700 for sides in size):  # noqa: PLR2004 - a point
        return True
    sides = (place for place in anchor if local_name(place) in ("positionH", "positionV"))
    offsets = (whole_number(found.text) for place in sides for found in place if local_name(found) == "posOffset")
    return any(abs(offset) >= FAR_OFF_EMU for offset in offsets)


def _is_lost_style(style: str) -> bool:
    declarations = dict(part.strip().lower().split(":", 1) for part in style.split(";") if ":" in part)
    shifts = (declarations.get(side, "0").strip() for side in ("left", "top", "margin-left", "margin-top"))
    points = (whole_number(shift.removesuffix("pt").partition(".")[0]) for shift in shifts)
    return declarations.get("visibility", "").strip() == "hidden" or any(
        abs(shift) >= FAR_OFF_TWIPS / 20 for shift in points
    )


def page_background(root: Element, theme: Theme) -> Behind:
    """What a document's text stands on: white, the page's own colour, or unknown where a picture lies behind it."""
    for anchor in root.iter(name("wp:anchor")):
        if anchor.get("behindDoc") in ("1", "true"):
            for found in anchor:
                sides = (whole_number(found.get("cx")), whole_number(found.get("cy")))
                if local_name(found) == "extent" and min(sides) >= _BACKDROP_EMU:
                    return UNKNOWN
    element = root.find(w("background"))
    if element is None:
        return WHITE
    if themed := element.get(w("themeColor")):
        return theme.colour(themed, element.get(w("themeTint")), element.get(w("themeShade")))
    return from_hex(element.get(w("color")))


def box_background(box: Element, theme: Theme) -> Behind:
    """The plain fill of the shape that holds a text box; unknown where it has none."""
    shape = next((place for place in box.iterancestors() if local_name(place) == "wsp"), None)
    for properties in shape if shape is not None else ():
        if local_name(properties) == "spPr":
            for fill in properties:
                if local_name(fill) == "solidFill":
                    return _drawn_colour(fill, theme)
    return UNKNOWN


def _drawn_colour(fill: Element, theme: Theme) -> Colour | None:
    """A plain colour of DrawingML; None where it is changed (lighter, half seen) or not known."""
    element = next(iter(fill), None)
    if element is None or len(element):
        return None
    return (
        theme.colour(element.get("val") or "", None, None)
        if local_name(element) == "schemeClr"
        else from_hex(element.get("val"))
    )


def _first(chain: Iterable[Element], tag: str) -> Element | None:
    return next((found for one in chain if (found := one.find(tag)) is not None), None)


def _number_of(chain: Iterable[Element], tag: str, default: int) -> int:
    found = _first(chain, tag)
    return number(found.get(VAL), default) if found is not None else default


def _alpha(fill: Element) -> int:
    """How transparent a fill is, of 100,000."""
    return max((whole_number(_any_value(found)) for found in fill.iter() if local_name(found) == "alpha"), default=0)


def _any_value(element: Element) -> str | None:
    return next(iter(_values(element)), None)


def _values(element: Element) -> Iterator[str]:
    for key, text in element.attrib.items():
        if str(key).endswith("val"):
            yield str(text)
