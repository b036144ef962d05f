"""Underscores that are drawn as a short rule between two words: TeX's older text fonts have none."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Word, is_on_baseline

MIN_WIDTH_EM, MAX_WIDTH_EM = 0.2, 0.7
"""Width of the rule: TeX draws .3 em, typewriter fonts .5 em wide."""
MAX_GAP_EM = 0.12
"""Distance of the rule from either word: TeX leaves .06 em before it."""
MAX_HEIGHT_EM = 0.35
"""Height of the rule above the lower edge of a word's loose box, which is .2 to .25 em below the baseline."""
_MAX_WIDTH_PT = 12.0


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
