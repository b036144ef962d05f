"""Labels that wrap in a narrow column, in lines as far apart as rows are."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.hyphens import HYPHENS
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.records import MIN_LABEL_FILL_SHARE

MIN_WRAPPED_LABELS = 2
"""Lines of labels that begin with a small letter; a single one may be a name written so."""
MIN_WRAPPED_LINES = 2
"""Lines of a text that wraps."""


def wrapped_labels(lines: Sequence[Mapping[int, Sequence[Word]]]) -> set[int]:
    """Return the numbers of the lines that go on in the label above them; none unless several prove that labels wrap.

    Those prove it that begin with a small letter, if all such ones would not have fitted behind the words above them,
    and some labels begin with capitals.

    Args:
        lines: Words by column of each line of a table's body, from the top; labels are in column 0.
    """
    labels = [line.get(0, ()) for line in lines]
    widest = max((words[-1].x1 - words[0].x0 for words in labels if words), default=0.0)
    small = {n for n, words in enumerate(labels) if words and words[0].text[0].islower()}
    capitals = sum(bool(words) and words[0].text[0].isupper() for words in labels)
    if min(len(small), capitals) < MIN_WRAPPED_LABELS or not all(_is_full(labels, n, widest) for n in small):
        return set()
    # Of words with capitals, those alone in their line go on, too.
    alone = {n for n, line in enumerate(lines) if set(line) == {0} and _is_full(labels, n, widest)}
    return small | alone


def _is_full(labels: Sequence[Sequence[Word]], number: int, widest: float) -> bool:
    """Return True if the first word of a label does not fit behind the last one of the line above, or ends it."""
    above, label = labels[number - 1] if number else (), labels[number]
    if not above:
        return False
    width = above[-1].x1 - above[0].x0 + label[0].x1 - label[0].x0
    return above[-1].text[-1] in HYPHENS or width >= MIN_LABEL_FILL_SHARE * widest


def is_text_wrapped(lines: Sequence[Mapping[int, Sequence[Word]]]) -> bool:
    """Return True if lines between two rules have one text that wraps: the label, or one that is in all lines.

    It begins with a capital, and goes on within a word or in small letters.

    Args:
        lines: Words by column of each line, from the top; labels are in column 0.
    """
    whole = {column for column in lines[0] if column == 0 or all(column in line for line in lines)}
    return any(_goes_on([line[column] for line in lines if column in line]) for column in whole)


def _goes_on(texts: Sequence[Sequence[Word]]) -> bool:
    if len(texts) < MIN_WRAPPED_LINES or not texts[0][0].text[0].isupper():
        return False
    return all(above[-1].text[-1] in HYPHENS or text[0].text[0].islower() for above, text in pairwise(texts))
