"""Signs that a page draws instead of setting them: boxes to tick, lines through text, underscores."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Word, is_on_baseline

TICKED, EMPTY = "☒", "☐"
STRUCK = "~~"
"""Mark of struck text at both ends, as Markdown has it."""
MIN_STRIKE_SHARE, MAX_STRIKE_SHARE = 0.35, 0.75
"""Height of a line through text, from the upper edge of its glyphs to the lower."""
MIN_STRUCK_CHARS = 2
"""Letters and digits of struck text; a line through fewer is a part of a drawing."""
MAX_STRIKE_EM = 0.5
"""Distance of its ends from those of the words."""
MIN_SIDE_PT, MAX_SIDE_PT = 5.0, 16.0
"""Sides of a box to tick."""
CORNER_TOLERANCE_PT = 1.0
MAX_LABEL_EM = 2.0
"""Distance of a box from its label at its right."""
MAX_PAIRS = 3_000_000
"""Lines times words that are compared; bounds the time for drawings."""
MIN_WIDTH_EM, MAX_WIDTH_EM = 0.2, 0.7
"""Width of the rule: TeX draws .3 em, typewriter fonts .5 em wide."""
MAX_GAP_EM = 0.12
"""Distance of the rule from either word: TeX leaves .06 em before it."""
MAX_HEIGHT_EM = 0.35
"""Height of the rule above the lower edge of a word's loose box, which is .2 to .25 em below the baseline."""
_MAX_WIDTH_PT = 12.0


def with_drawn_signs(words: Sequence[Word], rules: Rules) -> list[Word]:
    """Return the words of a page with its drawn boxes as words before their labels, and struck words marked.

    Args:
        words: The words, in file order.
        rules: The page's ruling lines.
    """
    return _with_boxes(_with_strikes(words, rules.horizontal), rules)


def _with_strikes(words: Sequence[Word], horizontal: Sequence[Rule]) -> list[Word]:
    marked = list(words)
    if not words or not horizontal or len(words) * len(horizontal) > MAX_PAIRS:
        return marked
    x0, x1, above, below, size, turns = np.array([(w.x0, w.x1, w.above, w.below, w.size, w.turns) for w in words]).T
    with np.errstate(invalid="ignore"):
        heights = np.where(turns == 0, below - above, np.inf)
        for rule in horizontal:
            level = (rule.position - above) / heights
            is_through = (level >= MIN_STRIKE_SHARE) & (level <= MAX_STRIKE_SHARE)
            reach = MAX_STRIKE_EM * size
            struck = np.flatnonzero(is_through & (x1 > rule.start) & (x0 < rule.end))
            if not struck.size or (x0[struck] < rule.start - reach[struck]).any():
                continue
            first, last = int(struck[np.argmin(x0[struck])]), int(struck[np.argmax(x1[struck])])
            text = "".join(words[number].text for number in struck.tolist())
            if sum(map(str.isalnum, text)) < MIN_STRUCK_CHARS:
                continue
            if rule.start >= x0[first] - reach[first] and abs(rule.end - x1[last]) <= reach[last]:
                marked[first] = replace(marked[first], text=STRUCK + marked[first].text)
                marked[last] = replace(marked[last], text=marked[last].text + STRUCK)
    return marked


def _with_boxes(words: Sequence[Word], rules: Rules) -> list[Word]:
    boxes = list(_boxes(rules))
    if not boxes:
        return list(words)
    signs: dict[int, list[Word]] = {}
    ticks: set[int] = set()
    for number, (left, top, right, bottom) in enumerate(boxes):
        inside = [w for w in words if left < (w.x0 + w.x1) / 2 < right and top < (w.y0 + w.y1) / 2 < bottom]
        level = [w for w in words if not w.turns and w.y0 < (top + bottom) / 2 < w.y1 and w.x0 >= right]
        label = min(level, key=lambda word: word.x0, default=None)
        is_filled = any(x0 < right and x1 > left and y0 < bottom and y1 > top for x0, y0, x1, y1 in rules.shades)
        # A filled one is the key of a chart, and text in one that of a field, unless it is a letter that ticks it.
        if (
            is_filled
            or label is None
            or label.x0 - right > MAX_LABEL_EM * label.size
            or any(len(w.text) > 1 for w in inside)
        ):
            continue
        drawn = any(left < x < right and top < y < bottom for x, y in (*rules.slants, *rules.curves))
        ticks |= {word.first for word in inside}
        text = TICKED if drawn or inside else EMPTY
        # No character of the file is its own.
        sign = replace(
            label, text=text, x0=left, y0=top, x1=right, y1=bottom, first=-2 * number - 2, last=-2 * number - 2
        )
        signs.setdefault(label.first, []).append(replace(sign, above=top, below=bottom))
    return [sign for word in words if word.first not in ticks for sign in (*signs.get(word.first, ()), word)]


def _boxes(rules: Rules) -> Iterable[tuple[float, float, float, float]]:
    """Yield small squares of four rules that end at each other."""
    verticals = [rule for rule in rules.vertical if MIN_SIDE_PT <= rule.end - rule.start <= MAX_SIDE_PT]
    horizontals = [rule for rule in rules.horizontal if MIN_SIDE_PT <= rule.end - rule.start <= MAX_SIDE_PT]
    if len(verticals) * len(horizontals) > MAX_PAIRS:
        return
    # Drawings have thousands of short lines: each is compared with those near its corners alone.
    by_start = _by_place(horizontals, lambda rule: rule.start)
    by_position = _by_place(verticals, lambda rule: rule.position)
    for left in verticals:
        beginning = _near(by_start, left.position)
        tops, bottoms = ([rule for rule in beginning if _meets(rule, left, at)] for at in (left.start, left.end))
        for top in tops:
            is_square = abs((top.end - top.start) - (left.end - left.start)) <= 2 * CORNER_TOLERANCE_PT
            has_right = any(
                abs(rule.position - top.end) <= CORNER_TOLERANCE_PT
                and abs(rule.start - left.start) <= CORNER_TOLERANCE_PT
                for rule in _near(by_position, top.end)
            )
            if is_square and has_right and bottoms:
                yield left.position, left.start, top.end, left.end
                break


def _by_place(rules: Sequence[Rule], place_of: Callable[[Rule], float]) -> Mapping[int, list[tuple[int, Rule]]]:
    """Return numbered rules by a coordinate, in steps of the tolerance."""
    by_place: dict[int, list[tuple[int, Rule]]] = {}
    for numbered in enumerate(rules):
        by_place.setdefault(int(place_of(numbered[1]) // CORNER_TOLERANCE_PT), []).append(numbered)
    return by_place


def _near(by_place: Mapping[int, list[tuple[int, Rule]]], coordinate: float) -> list[Rule]:
    """Return the rules whose coordinate is within the tolerance of one, and a few more, in their order."""
    place = int(coordinate // CORNER_TOLERANCE_PT)
    numbered = [pair for step in (-1, 0, 1) for pair in by_place.get(place + step, ())]
    return [rule for _, rule in sorted(numbered, key=lambda pair: pair[0])]


def _meets(horizontal: Rule, left: Rule, at: float) -> bool:
    is_level = abs(horizontal.position - at) <= CORNER_TOLERANCE_PT
    return is_level and abs(horizontal.start - left.position) <= CORNER_TOLERANCE_PT


def with_underscores(words: Sequence[Word], horizontal: Sequence[Rule]) -> list[Word]:
    """Return the words of a page; two that a rule joins as an underscore does are one: `work` and `mem`.

    Args:
        words: The words, in file order.
        horizontal: Horizontal rules of the page.
    """
    if not any(rule.end - rule.start <= _MAX_WIDTH_PT for rule in horizontal):
        return list(words)
    by_position: defaultdict[int, list[Rule]] = defaultdict(list)
    for rule in horizontal:
        by_position[int(rule.position)].append(rule)
    joined: list[Word] = []
    for word in words:
        if joined and _is_underscore_between(joined[-1], word, by_position):
            joined[-1] = _joined(joined[-1], word)
        else:
            joined.append(word)
    return joined


def _is_underscore_between(one: Word, other: Word, by_position: dict[int, list[Rule]]) -> bool:
    size, gap = one.size, other.x0 - one.x1
    if not MIN_WIDTH_EM * size <= gap <= (MAX_WIDTH_EM + 2 * MAX_GAP_EM) * size or one.turns or other.turns:
        return False
    margin, lowest = MAX_GAP_EM * size, one.y1
    rows = range(int(lowest - MAX_HEIGHT_EM * size), int(lowest) + 1)
    # Most words have no rule near: this runs for every pair of words of a page.
    if by_position.keys().isdisjoint(rows):
        return False
    if not (one.text[-1].isalnum() and other.text[0].isalnum() and is_on_baseline(one, other)):
        return False
    rules = [rule for row in rows for rule in by_position.get(row, ()) if rule.start < other.x0 and rule.end > one.x0]
    is_drawn = any(
        MIN_WIDTH_EM * size <= rule.end - rule.start <= MAX_WIDTH_EM * size
        and abs(rule.start - one.x1) <= margin
        and abs(other.x0 - rule.end) <= margin
        and 0 <= lowest - rule.position <= MAX_HEIGHT_EM * size
        for rule in rules
    )
    # A rule below the word's end, too, underlines both words and the space between them.
    return is_drawn and not any(rule.start < one.x1 - margin < rule.end for rule in rules)


def _joined(one: Word, other: Word) -> Word:
    return replace(
        one,
        text=f"{one.text}_{other.text}",
        y0=min(one.y0, other.y0),
        x1=other.x1,
        y1=max(one.y1, other.y1),
        last=other.last,
        above=min(one.above, other.above),
        below=max(one.below, other.below),
    )
