"""Numbers beside prose and code: those that count lines are left out, paragraphs' are set before their paragraph.

Both stand in a column that is clear of other words: a margin, or the gutter between two columns. What is beside them
tells prose from the rows of a table: full lines without gaps, most of which go on with a sentence.
"""

import re
from collections import defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.formats.pdf.page.words import Line, Word, line_of, visual_lines

MAX_DIGITS = 4
EDGE_TOLERANCE_PT = 1.5
"""Distance of the edges of two numbers of one column."""
MIN_LINE_NUMBERS, MIN_PARAGRAPH_NUMBERS = 3, 2
"""Numbers of one column on a page."""
MIN_COUNTED_SHARE = 0.6
"""Share of the pairs of numbers that differ by the lines between them: headings and blank lines may count."""
MIN_CONTINUED_SHARE = 0.3
"""Share of lines that begin in the middle of a sentence: half and more of prose, next to none of rows."""
MIN_FULL_SHARE, FULL_SHARE = 0.5, 0.85
"""Share of lines that reach the column's other edge, within a part of its width."""
MAX_GAP_EM, MAX_MARGIN_EM = 2.0, 16.0
"""White inside a line of prose, and between it and its number."""
MIN_LINES, MIN_LINE_WORDS = 4, 4
"""Lines beside the numbers of a page, and words of most."""
REASON = "numbers of the lines"
"""Why they are no part of the text."""
MIN_NUMBERS = 3
"""Consecutive numbers below each other that number lines, however near they are."""
MAX_STEP_EM = 4.0
"""Distance of two numbers, relative to the size of the code: a line may be wrapped."""
MAX_CODE_GAP_EM = 15.0
"""Distance of a number from the code at its right, which may be indented."""
MIN_SHORT_GAP_EM = 0.7
"""Distance of the numbers of one or two lines from the code: a space in code is .6 em wide."""
CODE_EDGE_TOLERANCE_PT = 1.0
_PROMPT = re.compile(r"(?:In|Out) ?\[ ?\d* ?\]:")
"""Prompt of a cell of a notebook: of the print, as numbers of lines are."""


@dataclass(frozen=True, slots=True)
class MarginNumbers:
    """Words of a page without the numbers of its lines.

    Attributes:
        words: The other words, in file order.
        lines: The numbers of lines, in runs.
    """

    words: list[Word]
    lines: list[str]


def without_line_numbers(words: Sequence[Word]) -> MarginNumbers:
    """Take out numbers that count lines of prose, and move those at the right of paragraphs before them.

    Args:
        words: Visible words of a page, in file order.
    """
    numbers = [word for word in words if len(word.text) <= MAX_DIGITS and word.text.isdecimal() and not word.turns]
    chains = [chain for chain in _chains(numbers) if len(chain) >= MIN_PARAGRAPH_NUMBERS]
    if not chains:
        return MarginNumbers(list(words), [])
    left_out: dict[int, list[Word]] = {}
    labels: dict[int, Word] = {}
    for chain in chains:
        sides = [side for side in _sides(chain, words) if len(side) >= MIN_LINES]
        if not sides or not all(map(_are_prose, sides)):
            continue
        if any(_count_lines(chain, side) for side in sides):
            left_out[chain[0].first] = chain
        elif len(sides) == 1:
            labels |= _labels(chain, sides[0])
    removed = {number.first for chain in left_out.values() for number in chain}
    moved = {label.first for label in labels.values()}
    ordered: list[Word] = []
    for word in words:
        if word.first in labels:
            ordered.append(labels[word.first])
        if word.first not in removed and word.first not in moved:
            ordered.append(word)
    return MarginNumbers(ordered, [" ".join(number.text for number in chain) for chain in left_out.values()])


def _chains(numbers: Sequence[Word]) -> list[list[Word]]:
    """Return runs of numbers below each other at one edge that grow by one step."""
    chains: list[list[Word]] = []
    # A page of figures has a thousand numbers: each is compared with those near one of its edges alone.
    by_edge: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for number in sorted(numbers, key=lambda word: word.y0):
        places = _edge_places(number)
        near = {index for edge, place in places for step in (-1, 0, 1) for index in by_edge[edge, place + step]}
        found = next((index for index in sorted(near, reverse=True) if _follows(chains[index], number)), None)
        if found is None:
            found = len(chains)
            chains.append([])
        else:
            for place in _edge_places(chains[found][-1]):
                by_edge[place].discard(found)
        chains[found].append(number)
        for place in places:
            by_edge[place].add(found)
    return chains


def _edge_places(number: Word) -> list[tuple[int, int]]:
    """Return where the left edge, the right edge and the middle of a number are, in steps of the tolerance."""
    edges = number.x0, number.x1, (number.x0 + number.x1) / 2
    return [(kind, int(edge // EDGE_TOLERANCE_PT)) for kind, edge in enumerate(edges)]


def _follows(chain: Sequence[Word], number: Word) -> bool:
    last = chain[-1]
    step = int(number.text) - int(last.text)
    left, right = number.x0 - last.x0, number.x1 - last.x1
    is_aligned = min(abs(left), abs(right), abs(left + right) / 2) <= EDGE_TOLERANCE_PT
    is_step = step > 0 and (len(chain) == 1 or step == int(last.text) - int(chain[-2].text))
    return is_step and is_aligned and number.y0 >= last.y1 - number.size / 2


def _sides(chain: Sequence[Word], words: Sequence[Word]) -> list[list[Line]]:
    """Return the lines right beside a column of numbers, of its left and of its right; none if words are in it."""
    top, bottom = chain[0].y0 - chain[0].size / 2, chain[-1].y1 + chain[0].size / 2
    left, right = min(number.x0 for number in chain), max(number.x1 for number in chain)
    firsts = {number.first for number in chain}
    level = [word for word in words if word.y1 > top and word.y0 < bottom and not word.turns]
    near = [word for word in level if word.first not in firsts]
    if any(word.x0 < right and word.x1 > left for word in near):
        return []
    behind = [_beside(line.words, right) for line in visual_lines(word for word in near if word.x0 >= right)]
    before = [_beside(line.words[::-1], left) for line in visual_lines(word for word in near if word.x1 <= left)]
    return [[line for line in side if line is not None] for side in (behind, before) if side]


def _beside(words: Sequence[Word], edge: float) -> Line | None:
    """Return the words of a row up to the first gap, from those next to a column's edge; None if they are far away."""
    distance = min(abs(words[0].x0 - edge), abs(words[0].x1 - edge))
    if distance > MAX_MARGIN_EM * words[0].size:
        return None
    run = [words[0]]
    for word in words[1:]:
        if max(word.x0 - run[-1].x1, run[-1].x0 - word.x1) > MAX_GAP_EM * word.size:
            break
        run.append(word)
    return line_of(sorted(run, key=lambda word: word.x0))


def _are_prose(lines: Sequence[Line]) -> bool:
    edges = sorted(line.x1 for line in lines)
    full = edges[-1 - len(edges) // 10] - (1 - FULL_SHARE) * (edges[-1] - min(line.x0 for line in lines))
    return (
        sum(line.words[0].text[0].islower() for line in lines) >= MIN_CONTINUED_SHARE * len(lines)
        and sum(line.x1 >= full for line in lines) >= MIN_FULL_SHARE * len(lines)
        and sum(len(line.words) for line in lines) >= MIN_LINE_WORDS * len(lines)
    )


def _count_lines(chain: Sequence[Word], lines: Sequence[Line]) -> bool:
    if len(chain) < MIN_LINE_NUMBERS:
        return False
    middles = [(line.y0 + line.y1) / 2 for line in lines]
    counted = sum(
        sum(above.y0 < middle <= below.y0 for middle in middles) == int(below.text) - int(above.text)
        for above, below in pairwise(chain)
    )
    return counted >= MIN_COUNTED_SHARE * (len(chain) - 1)


def _labels(chain: Sequence[Word], lines: Sequence[Line]) -> dict[int, Word]:
    """Return numbers at the right of lines, placed before them, by the first word of the line."""
    labels: dict[int, Word] = {}
    if int(chain[1].text) != int(chain[0].text) + 1:
        return labels
    for number in chain:
        line = next((line for line in lines if line.y0 < (number.y0 + number.y1) / 2 < line.y1), None)
        if line is None or line.x0 > number.x0 or number.x0 - line.x1 < number.size:
            return {}
        x1 = line.x0 - line.size / 2
        labels[line.words[0].first] = replace(number, x0=x1 - (number.x1 - number.x0), x1=x1)
    return labels


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
        chain = next((chain for chain in reversed(chains) if _is_next(chain[-1], number)), None)
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


def _is_next(number: Word, below: Word) -> bool:
    is_next = int(below.text) == int(number.text) + 1 and _look(number) == _look(below)
    is_aligned = min(abs(number.x1 - below.x1), abs(number.x0 - below.x0)) <= CODE_EDGE_TOLERANCE_PT
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
        if right.font not in monospaced or _look(right) == _look(number):
            return ()
        numbered += 1
    return chain if numbered >= (len(chain) if is_short else len(chain) / 2) else ()


def _goes_on(number: Word, words: Sequence[Word], monospaced: Container[str]) -> bool:
    """Return True if the code at the right of a number goes on below it, where no numbers begin anew."""
    reach = MAX_STEP_EM * number.size
    left, right = number.x1 - 2 * number.size, number.x1 + MAX_CODE_GAP_EM * number.size
    below = [word for word in words if left < word.x0 < right and 0 < word.y1 - number.y1 - number.size / 2 < reach]
    is_begun = any(word.text == "1" and _look(word) == _look(number) for word in below)
    return not is_begun and any(word.font in monospaced and word.x0 > number.x1 for word in below)
