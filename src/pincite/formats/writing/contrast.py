"""Whether a text can be told from what is behind it, by the contrast of their colours (WCAG 2.2, 1.4.3)."""

MIN_VISIBLE_CONTRAST = 1.1
"""Ratio of luminances below which text is taken for invisible. WCAG asks for 4.5 to read with ease; the palest greys
that designers set on white (#eee: 1.16) can still be seen; #fafafa (1.04), as hidden text is coloured, cannot."""

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

WHITE: Colour = (255, 255, 255)
BLACK: Colour = (0, 0, 0)

_LINEAR_BELOW = 0.04045
_WEIGHTS = (0.2126, 0.7152, 0.0722)
_GLARE = 0.05
_HEX_DIGITS = 6


def is_indistinct(text: Colour, background: Colour) -> bool:
    """Return True if nobody can see text of this colour on this background."""
    one, other = sorted((_luminance(text), _luminance(background)))
    near = max(abs(a - b) for a, b in zip(text, background, strict=True)) <= _NEAR_COMPONENTS
    return near and (other + _GLARE) / (one + _GLARE) < MIN_VISIBLE_CONTRAST


_NEAR_COMPONENTS = 24
"""Red and green of one luminance are told apart all the same: each component must be near, too."""


def from_hex(digits: str | None) -> Colour | None:
    """Return the colour of six hexadecimal digits; None for anything else (`auto`)."""
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
