"""Fonts without a name, as Type 3 fonts are: those of code are known by the widths of their letters."""

from collections.abc import Iterable
from itertools import islice, pairwise, repeat

import numpy as np

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import character_origins, font_of, text_object

MONOSPACED = "Monospaced"
"""Name of a font without one whose characters have one width."""
SAMPLED_PLACES, PLACE_CHARS, MIN_SAMPLED_LETTERS = 50, 20, 8
"""Places of a page, the characters at either side of each that are compared, and the distinct ones that are needed."""
NARROW = frozenset("ijl.,:;'|!()[]It")
"""Characters of which other fonts have narrow forms."""
MAX_WIDTH_DIFFERENCE_SHARE = 0.1
"""Difference of the widths of characters in one font: TeX rounds their places to dots of a printer, up to .05 of a
width; a narrow letter of another font has half the width of a wide one."""


def name_by_widths(page: PdfPage, text: str, face: int, places: Iterable[int]) -> str:
    """Return `MONOSPACED` for a font whose characters have one width, else nothing.

    Args:
        page: The page.
        text: Its characters.
        face: Address of the font.
        places: Indices of some characters in it.
    """
    indices = sorted(
        {
            index
            for place in islice(places, SAMPLED_PLACES)
            for index in range(max(place - PLACE_CHARS, 0), min(place + PLACE_CHARS, len(text)))
        }
    )
    if len(indices) < MIN_SAMPLED_LETTERS:
        return ""
    # Some programs draw each character as an object of its own.
    fonts = [font_of(item) if item else 0 for item in map(text_object, repeat(page.text_pointer), indices)]
    origins = character_origins.read(page.text_pointer, indices)
    advances = np.hypot(*np.diff(origins, axis=0).T).tolist()
    widths: dict[str, float] = {}
    for (index, following), (font, next_font), advance in zip(
        pairwise(indices), pairwise(fonts), advances, strict=True
    ):
        # Digits have one width in most fonts.
        is_letter = "!" <= text[index] <= "~" and not text[index].isdigit()
        is_followed = following == index + 1 and not text[following].isspace()
        if is_letter and is_followed and font == next_font == face:
            widths[text[index]] = min(advance, widths.get(text[index], advance))
    if len(widths) < MIN_SAMPLED_LETTERS or NARROW.isdisjoint(widths):
        return ""
    widest = max(widths.values())
    return MONOSPACED if widest - min(widths.values()) <= MAX_WIDTH_DIFFERENCE_SHARE * widest else ""
