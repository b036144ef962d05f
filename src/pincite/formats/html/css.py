"""Decide by its CSS declarations whether an element is invisible, and why."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from pincite.formats.writing.contrast import Colour

Declarations = Mapping[str, str]
"""Property → value, both in lower case, without `!important`."""

MIN_FONT_POINTS = 2
"""Smaller type counts as hidden text (as in PDF): it is hardly taller than a line is thick."""

OFF_SCREEN_PIXELS = 999
"""Negative offset beyond every screen: image replacement techniques use 999 and 9999."""

TOGGLED = frozenset(("display: none", "visibility: hidden", "opacity: 0", "no height or width"))
"""Reasons that scripts often reverse: in tabs, accordions and content that fades in."""

RELEVANT = frozenset((
    "display", "visibility", "opacity", "font", "font-size", "text-indent", "position", "left", "right", "top",
    "bottom", "margin-left", "margin-top", "clip", "clip-path", "height", "max-height", "width", "max-width",
    "overflow", "overflow-x", "overflow-y", "color", "background", "background-color", "background-image",
    "background-clip",
    "-webkit-background-clip", "-webkit-text-fill-color", "text-shadow", "animation", "animation-name",
    "transition", "padding", "padding-top", "padding-bottom", "-webkit-text-stroke",
))  # fmt: skip

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_LENGTH = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(px|pt|pc|in|cm|mm|r?em|ex|ch|%|vw|vh)?")
_PIXELS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78, "rem": 16.0, "em": 16.0, "ex": 8.0,
           "ch": 8.0, "%": 0.16}  # fmt: skip
"""Pixels of one unit, at the browsers' default type size of 16 pixels."""
_FONT = re.compile(r"(?:^|\s)([\d.]+(?:px|pt|r?em|%)?)(?:/\S+)?\s")
_NO_AREA = re.compile(
    r"inset\((?:50|100)%|(?:circle|ellipse)\(0(?:px|%)?[ )]"
    r"|polygon\(0(?:px|%)? 0(?:px|%)?(?:, ?0(?:px|%)? 0(?:px|%)?)*\)"
)
_TRANSPARENT = re.compile(
    r"transparent|(?:rgb|hsl)a?\((?:(?:[^(),]*,){3}|[^()/]*/) ?0?\.?0+%?\)|#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)"
)
"""Colours without opacity: their fourth component is 0, while the third of black is, too."""

_MAX_STYLE_CHARACTERS = 4000
"""Characters of a style attribute that are parsed; longer ones contain embedded pictures."""


@lru_cache(maxsize=1024)
def inline(style: str) -> Declarations:
    """Return the relevant declarations of a `style` attribute."""
    return {name: value for name, value, _ in parse(style[:_MAX_STYLE_CHARACTERS])}


def parse(body: str) -> list[tuple[str, str, bool]]:
    """Return the relevant declarations of a block in order: property, value and whether it is `!important`."""
    declarations: list[tuple[str, str, bool]] = []
    for part in _COMMENT.sub("", body).lower().split(";"):
        name, _, value = part.partition(":")
        name = name.strip()
        if name in RELEVANT:
            value, mark, _ = value.partition("!")
            declarations.append((name, " ".join(value.split()), bool(mark)))
    return declarations


def concealment(declarations: Declarations) -> str:
    """Return the reason why an element with these declarations is invisible, colours aside; empty if it is visible."""
    return next((reason for reason, hides in _REASONS if hides(declarations)), "")


def _is_faded(declarations: Declarations) -> bool:
    opacity = _number(declarations.get("opacity", ""))
    return opacity is not None and opacity <= 0.01 and not _is_animated(declarations)  # noqa: PLR2004 - 1 % is invisible


def _is_animated(declarations: Declarations) -> bool:
    """Return True if an animation or transition may show the element."""
    return "animation" in declarations or "animation-name" in declarations or "transition" in declarations


def is_tiny(declarations: Declarations) -> bool:
    """Return True if the type is too small to be visible."""
    size = declarations.get("font-size", "")
    if not size and (font := _FONT.search(declarations.get("font", "") + " ")):
        size = font[1]
    pixels = _length(size)
    return pixels is not None and pixels < MIN_FONT_POINTS * _PIXELS["pt"]


def _is_off_screen(declarations: Declarations) -> bool:
    indent = declarations.get("text-indent", "")
    if (_length(indent) or 0) <= -OFF_SCREEN_PIXELS or (indent.startswith("100%") and _clips_overflow(declarations)):
        return True
    # `left` and the like move only positioned elements, margins move all.
    shifts = [declarations.get(name, "") for name in ("margin-left", "margin-top")]
    if declarations.get("position", "static") != "static":
        shifts += [declarations.get(side, "") for side in ("left", "right", "top", "bottom")]
    return any(not shift.endswith("%") and (_length(shift) or 0) <= -OFF_SCREEN_PIXELS for shift in shifts)


def _is_clipped(declarations: Declarations) -> bool:
    clip = declarations.get("clip", "")
    if clip.startswith("rect(") and declarations.get("position") in ("absolute", "fixed"):
        sides = [_length(side) for side in re.split(r"[ ,]+", clip[5:].rstrip(") "))]
        if len(sides) == 4 and None not in sides:  # noqa: PLR2004 - top, right, bottom, left
            top, right, bottom, left = (side or 0 for side in sides)
            # The classic rule for screen readers alone leaves one pixel.
            return bottom - top <= 1 or right - left <= 1
    return _NO_AREA.match(declarations.get("clip-path", "")) is not None


def _is_flat(declarations: Declarations) -> bool:
    if (
        not _clips_overflow(declarations)
        or _is_animated(declarations)
        # Padding keeps an element open whatever its height, as in accordions.
        or any(declarations.get(name, "0").strip("0px ") for name in ("padding", "padding-top", "padding-bottom"))
    ):
        return False
    sizes = (_length(declarations.get(name, "")) for name in ("height", "max-height", "width", "max-width"))
    return any(size is not None and size <= 1 for size in sizes)


def _clips_overflow(declarations: Declarations) -> bool:
    return any(
        declarations.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y")
    )


_REASONS: tuple[tuple[str, Callable[[Declarations], bool]], ...] = (
    ("display: none", lambda declarations: declarations.get("display") == "none"),
    ("visibility: hidden", lambda declarations: declarations.get("visibility") in ("hidden", "collapse")),
    ("opacity: 0", _is_faded),
    (f"type smaller than {MIN_FONT_POINTS} points", is_tiny),
    ("off the page", _is_off_screen),
    ("clipped away", _is_clipped),
    ("no height or width", _is_flat),
)


def is_transparent(declarations: Declarations) -> bool:
    """Return True if the text colour is transparent, and no background, shadow or stroke draws the letters instead."""
    clip = declarations.get("background-clip", "") + declarations.get("-webkit-background-clip", "")
    if "text" in clip or declarations.get("text-shadow", "none") != "none" or "-webkit-text-stroke" in declarations:
        return False
    fill = declarations.get("-webkit-text-fill-color") or declarations.get("color", "")
    return _TRANSPARENT.fullmatch(fill) is not None


@lru_cache(maxsize=1024)
def colour(value: str) -> Colour | None:
    """Return an opaque CSS colour; None if it is translucent or unknown (`inherit`, `var(--x)`)."""
    from PIL import ImageColor  # noqa: PLC0415 - few pages need it

    try:
        # Pillow has no syntax with a slash. An alpha of 1 adds nothing, so `rgba` is read as `rgb`.
        rgb = value.replace(" / ", ", ").replace("rgba", "rgb") if value.endswith("1)") else value
        components = ImageColor.getrgb(rgb)
    except ValueError:
        return None
    red, green, blue, *alpha = components
    return (red, green, blue) if alpha in ([], [255], [1]) else None


def background(declarations: Declarations) -> str:
    """Return the background that an element declares; empty if it is transparent."""
    image = declarations.get("background-image", "none")
    value = declarations.get("background-color") or declarations.get("background", "")
    if image != "none":
        return image
    return "" if value in ("", "none", "transparent", "inherit", "initial", "unset", "0", "0 0") else value


def _number(value: str) -> float | None:
    match = _LENGTH.fullmatch(value)
    return float(match[1]) / (100 if match[2] == "%" else 1) if match and match[2] in (None, "%") else None


def _length(value: str) -> float | None:
    """Pixels of a length; None if it is not one. Only 0 needs no unit."""
    match = _LENGTH.fullmatch(value)
    if match is None:
        return None
    number = float(match[1])
    if match[2] is None:
        return 0.0 if number == 0 else None
    # The size of a viewport is unknown: its units are large, so that no such length counts as tiny.
    return number * _PIXELS.get(match[2], 1000.0 if number else 0.0)
