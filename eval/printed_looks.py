"""How headings look in the third set of prints: by level, in manners that tell levels by other things than size."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """The look of one level of headings.

    Attributes:
        size: Relative to the text.
        case: `upper`, `small` for small capitals, or empty.
        colour: Six hexadecimal digits; empty for black.
        align: `left`, `center` or `right`.
        run_in: The title begins the line of the paragraph below it.
    """

    size: float = 1.0
    bold: bool = True
    italic: bool = False
    case: str = ""
    colour: str = ""
    align: str = "left"
    run_in: bool = False


_BLUE, _RED = "1f4e79", "8c1c13"
_SMALLEST = Look(bold=False, italic=True)
LOOKS: dict[str, tuple[Look, ...]] = {
    "bold": (Look(1.5), Look(1.2), Look(), Look(italic=True)),
    "upper": (Look(1.3, case="upper", align="center"), Look(1.1, case="upper"), Look(), _SMALLEST),
    "small": (Look(1.7, bold=False, case="small"), Look(1.3, bold=False, case="small"), Look(), _SMALLEST),
    "coloured": (Look(1.6, bold=False, colour=_BLUE), Look(1.3, bold=False, colour=_BLUE), Look(colour=_BLUE)),
    "tinted": (Look(1.4, colour=_RED), Look(1.15, colour=_RED), Look(colour=_RED), Look(bold=False, colour=_RED)),
    "centred": (Look(1.5, align="center"), Look(1.2, align="center"), Look(align="center"), _SMALLEST),
    "right": (Look(1.5, align="right"), Look(1.2, align="right"), Look(), _SMALLEST),
    "numbered": (Look(), Look(), Look(), Look()),
    "slanted": (Look(1.5, bold=False), Look(1.2, bold=False, italic=True), Look(1.0, bold=False, italic=True)),
    "run-in": (Look(1.4), Look(1.15), Look(run_in=True), Look(run_in=True)),
}
"""Looks by manner, from level 1; the last is that of all deeper levels."""


def look_of(manner: str, level: int) -> Look:
    """Return the look of a level."""
    looks = LOOKS[manner]
    return looks[min(level, len(looks)) - 1]
