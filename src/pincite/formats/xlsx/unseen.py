"""Detect invisible cell styles: a format that shows nothing, tiny type, letters in the colour of their cell."""

from collections.abc import Iterator

from pincite.formats.ooxml.package import Element
from pincite.formats.writing.contrast import BLACK, WHITE, Colour, from_hex, is_indistinct

MIN_POINTS = 2
"""Smaller type is hidden text, in all formats (docs/decisions/0010)."""

BY_COLOUR = "the colour of its background"
"""A reason that is certain only if nothing else colours the cell: no table style, no conditional format."""

ANY = "{*}"
"""A tag in any namespace."""

_WHITE_INDEXES = ("1", "9")
_BLACK_INDEXES = ("0", "8", "64")
"""Indexed colours (18.8.27)."""
_ARGB_DIGITS = 8


def unseen_styles(root: Element, codes: tuple[str, ...]) -> dict[str, str]:
    """Return the reason why a cell style is invisible, by the style's number in cells, for those that are.

    Args:
        root: Root of `xl/styles.xml`.
        codes: The number format of each cell style.
    """
    fonts, fills = _members(root, "fonts"), _members(root, "fills")
    reasons: dict[str, str] = {}
    for number, style in enumerate(_members(root, "cellXfs")):
        if number < len(codes) and is_blank(codes[number]):
            reasons[str(number)] = "a number format that shows nothing"
        elif reason := _reason(_at(fonts, style.get("fontId")), _at(fills, style.get("fillId"))):
            reasons[str(number)] = reason
    return reasons


def is_blank(code: str) -> bool:
    """Return True for a number format of empty sections (`;;;`), texts included."""
    return code.strip() in (";;;", ";;;;")


def _reason(font: Element | None, fill: Element | None) -> str:
    if font is None:
        return ""
    size = font.find(f"{ANY}sz")
    if size is not None and 0 < _number(size.get("val")) < MIN_POINTS:
        return f"type smaller than {MIN_POINTS} points"
    text, behind = _colour(font.find(f"{ANY}color")), _behind(fill)
    return BY_COLOUR if text is not None and behind is not None and is_indistinct(text, behind) else ""


def _behind(fill: Element | None) -> Colour | None:
    """The background of a cell: white without a fill, None for a pattern or an unknown colour."""
    pattern = fill.find(f"{ANY}patternFill") if fill is not None else None
    if fill is None or (pattern is not None and pattern.get("patternType") in (None, "none")):
        return WHITE
    if pattern is None or pattern.get("patternType") != "solid":
        return None
    return _colour(pattern.find(f"{ANY}fgColor"))


def _colour(element: Element | None) -> Colour | None:
    """A colour that is white, black or given as RGB; None for any other."""
    if element is None or element.get("tint") not in (None, "0"):
        return None
    digits = element.get("rgb")
    if digits:
        return from_hex(digits[2:] if len(digits) == _ARGB_DIGITS else digits)
    index, theme = element.get("indexed"), element.get("theme")
    # Index 0 of a theme is its light colour, 1 its dark one; themes change the others.
    if theme == "0" or index in _WHITE_INDEXES:
        return WHITE
    return BLACK if theme == "1" or index in _BLACK_INDEXES else None


def _members(root: Element, name: str) -> list[Element]:
    element = root.find(f"{ANY}{name}")
    return [] if element is None else list(_elements(element))


def _elements(parent: Element) -> Iterator[Element]:
    return (child for child in parent if isinstance(child.tag, str))


def _at(members: list[Element], number: str | None) -> Element | None:
    index = int(number) if number and number.isdecimal() else 0
    return members[index] if index < len(members) else None


def _number(text: str | None) -> float:
    try:
        return float(text or "")
    except ValueError:
        return 0.0
