"""Detect text that is invisible against its background, by contrast ratio (WCAG 2.2, 1.4.3)."""

MIN_VISIBLE_CONTRAST = 1.1
"""Contrast ratio below which text counts as invisible. WCAG requires 4.5 for comfortable reading; the palest greys that
designers set on white (#eee: 1.16) are still visible; #fafafa (1.04), a typical colour of hidden text, is not."""
_MAX_COMPONENT_DIFFERENCE = 24
"""Red and green of the same luminance differ visibly: each component must be close, too."""

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)
NAMED = {"white": WHITE, "black": BLACK}

Background = Colour | None
"""The colour behind a text; None if it is not certain."""

# Relative luminance as WCAG 2.2 defines it, for the sRGB colour space.
_LINEAR_BELOW = 0.04045
_WEIGHTS = (0.2126, 0.7152, 0.0722)
_FLARE = 0.05
"""Light that a screen reflects, added to both luminances by WCAG's formula."""
_HEX_DIGITS = 6


def is_indistinct(text: Colour, background: Colour) -> bool:
    """Return True if nobody can see text of this colour on this background."""
    # The ratio divides the lighter colour by the darker one.
    darker, lighter = sorted((_luminance(text), _luminance(background)))
    near = max(abs(a - b) for a, b in zip(text, background, strict=True)) <= _MAX_COMPONENT_DIFFERENCE
    return near and (lighter + _FLARE) / (darker + _FLARE) < MIN_VISIBLE_CONTRAST


def from_hex(digits: str | None) -> Colour | None:
    """Return the colour of six hexadecimal digits; None for any other value, such as `auto`."""
    if not digits or len(digits) != _HEX_DIGITS:
        return None
    try:
        return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))
    except ValueError:
        return None


def _luminance(colour: Colour) -> float:
    return sum(weight * _linear(component / 255) for weight, component in zip(_WEIGHTS, colour, strict=True))


def _linear(share: float) -> float:
    return share / 12.92 if share <= _LINEAR_BELOW else ((share + 0.055) / 1.055) ** 2.4
