"""Numbers of the lines of code, printed at its left: of the print, as the code has none of them."""

import re
from collections.abc import Container, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.words import Word

REASON = "numbers of the lines"
"""Why they are no part of the text."""
MIN_NUMBERS = 3
"""Consecutive numbers below each other that number lines, however near they are."""
MIN_LISTING_NUMBERS = 4
"""Numbers from 1 that number lines although they look as the code does, if that is indented."""
MAX_DIGITS = 4
MAX_STEP_EM = 4.0
"""Distance of two numbers, relative to the size of the code: a line may be wrapped."""
MAX_CODE_GAP_EM = 15.0
"""Distance of a number from the code at its right, which may be indented."""
MIN_SHORT_GAP_EM = 0.7
"""Distance of the numbers of one or two lines from the code: a space in code is .6 em wide."""
EDGE_TOLERANCE_PT = 1.0
_PROMPT = re.compile(r"(?:In|Out) ?\[ ?\d* ?\]:")
"""Prompt of a cell of a notebook: of the print, as numbers of lines are."""


def line_numbers(words: Sequence[Word], monospaced: Container[str]) -> list[Sequence[Word]]:
    """Return the words that number lines of code, in runs of consecutive ones.

    They are consecutive, below each other at one edge, and differ from the code at their right in size, colour or font.

    Args:
        words: Upright words of a page.
        monospaced: Fonts of the page's code.
    """
    numbers = [word for word in words if len(word.text) <= MAX_DIGITS and word.text.isdecimal()]
    chains: list[list[Word]] = []
    # Two columns may have numbered code at the same height.
    for number in sorted(numbers, key=lambda word: word.y1):
        chain = next((chain for chain in reversed(chains) if _follows(chain[-1], number)), None)
        if chain is None:
            chains.append([number])
        else:
            chain.append(number)
    return [proved for chain in chains if (proved := _proved(chain, words, monospaced))]


def cell_prompts(words: Sequence[Word], monospaced: Container[str]) -> set[int]:
    """Return the words, by first character, that are prompts at the left of a notebook's cells: `In [1]:`."""
    prompts: set[int] = set()
    for word, following in pairwise(words):
        text = f"{word.text} {following.text}"
        if word.font in monospaced and _PROMPT.fullmatch(text):
            prompts |= {word.first, following.first}
    return prompts | {word.first for word in words if word.font in monospaced and _PROMPT.fullmatch(word.text)}


def _look(word: Word) -> tuple[str, float, int]:
    return word.font, round(word.size, 1), word.colour


def _follows(number: Word, below: Word) -> bool:
    is_next = int(below.text) == int(number.text) + 1 and _look(number) == _look(below)
    is_aligned = min(abs(number.x1 - below.x1), abs(number.x0 - below.x0)) <= EDGE_TOLERANCE_PT
    return is_next and is_aligned and 0 < below.y1 - number.y1 <= 2 * MAX_STEP_EM * number.size


def _proved(chain: Sequence[Word], words: Sequence[Word], monospaced: Container[str]) -> Sequence[Word]:
    """Return a chain of numbers if code in another look is at the right of half, and nothing else is next to any.

    One or two numbers must begin at 1, with code at the right of each and none below; they are further away than a
    space.
    """
    is_short = len(chain) < MIN_NUMBERS
    if is_short and (chain[0].text != "1" or _goes_on(chain[-1], words, monospaced)):
        return ()
    top, bottom = chain[0].y0, chain[-1].y1
    near = [word for word in words if word.y1 > top and word.y0 < bottom]
    min_gap = MIN_SHORT_GAP_EM if is_short else 0.0
    is_listing = len(chain) >= MIN_LISTING_NUMBERS and chain[0].text == "1" and _is_indented(chain, near)
    numbered = 0
    for number in chain:
        row = [word for word in near if word.y0 < (number.y0 + number.y1) / 2 < word.y1 and word is not number]
        right = min((word for word in row if word.x0 >= number.x1), key=lambda word: word.x0, default=None)
        if any(0 <= number.x0 - word.x1 < number.size for word in row):
            return ()
        if right is None or right.x0 - number.x1 > MAX_CODE_GAP_EM * right.size:
            continue
        if right.x0 - number.x1 < min_gap * right.size:
            return ()
        if right.font not in monospaced or (_look(right) == _look(number) and not is_listing):
            return ()
        numbered += 1
    return chain if numbered >= (len(chain) if is_short else len(chain) / 2) else ()


def _is_indented(chain: Sequence[Word], words: Sequence[Word]) -> bool:
    """Return True if what is at the right of numbers begins at several edges, as code does, and with no digit."""
    firsts: list[Word] = []
    for number in chain:
        middle = (number.y0 + number.y1) / 2
        row = [word for word in words if word.x0 > number.x1 and word.y0 < middle < word.y1]
        firsts += [min(row, key=lambda word: word.x0)] if row else []
    edges = [word.x0 for word in firsts]
    are_values = any(word.text[0].isdigit() for word in firsts)
    return not are_values and max(edges, default=0.0) - min(edges, default=0.0) >= chain[0].size


def _goes_on(number: Word, words: Sequence[Word], monospaced: Container[str]) -> bool:
    """Return True if the code at the right of a number goes on below it, where no numbers begin anew."""
    reach = MAX_STEP_EM * number.size
    left, right = number.x1 - 2 * number.size, number.x1 + MAX_CODE_GAP_EM * number.size
    below = [word for word in words if left < word.x0 < right and 0 < word.y1 - number.y1 - number.size / 2 < reach]
    is_begun = any(word.text == "1" and _look(word) == _look(number) for word in below)
    return not is_begun and any(word.font in monospaced and word.x0 > number.x1 for word in below)
