"""Fonts without a name, as Type 3 fonts are: those of code, and bold ones, are known by the widths of their letters."""

from collections import Counter
from collections.abc import Iterable, Mapping
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
MIN_BOLD_RATIO, MAX_BOLD_RATIO = 1.04, 1.3
"""Width of each letter of a bold font relative to that in the font of the text: Computer Modern has 1.09 to 1.19,
its fonts of formulas .8 to 1.6, slanted and italic ones 1.02 and less."""
MIN_SHARED_LETTERS = 4
MIN_WIDER_SHARE = 0.9
"""Share of the letters that are so much wider: a part of a ligature has a width of its own."""


def bold_faces(letters: Iterable[tuple[int, str, float]]) -> frozenset[int]:
    """Return the fonts whose letters are wider than those of the font with most letters.

    Args:
        letters: Address of the font, letter, and width in em.
    """
    counts: Counter[int] = Counter()
    widths: dict[int, dict[str, float]] = {}
    for face, letter, width in letters:
        counts[face] += 1
        widths.setdefault(face, {}).setdefault(letter, width)
    if not counts:
        return frozenset()
    text = widths.pop(counts.most_common(1)[0][0])
    return frozenset(face for face, own in widths.items() if _is_wider(own, text))


def _is_wider(widths: Mapping[str, float], text: Mapping[str, float]) -> bool:
    """Return True if nearly all letters that two fonts have are wider in the first one, by about the same."""
    ratios = [width / text[letter] for letter, width in widths.items() if text.get(letter)]
    wider = sum(MIN_BOLD_RATIO <= ratio <= MAX_BOLD_RATIO for ratio in ratios)
    return len(ratios) >= MIN_SHARED_LETTERS and wider >= MIN_WIDER_SHARE * len(ratios)


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
