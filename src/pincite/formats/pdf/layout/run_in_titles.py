"""Titles that begin a paragraph, bold `5.1. Scope. This part`, `Scope. This part`, and bold or italic `Scope  This`."""

import re
from collections.abc import Sequence
from itertools import pairwise

from pincite.formats.pdf.page.markers import is_caption, is_note_label, section_depth
from pincite.formats.pdf.page.words import Line, Word, line_of

MAX_TITLE_WORDS = 14
"""Words of a title with its number; more in bold type are a sentence."""
MIN_DEPTH = 2
"""Components of its number: `1.` begins items of lists, too."""
MIN_WHITE_EM, MIN_WHITE_RATIO = 0.9, 1.25
"""White between a title without a number and the text, and relative to the widest space between other words: LaTeX sets
1 em, and justified text has wider spaces."""
MAX_EM_DIFFERENCE, MIN_STRETCH_DIFFERENCE_EM = 0.03, 0.02
"""Deviation of LaTeX's white from 1 em, and of the spaces from it: those of narrow columns are stretched, all of a line
to the same width, also beyond it; that white is not."""
MIN_NAME_CHARS, MIN_TEXT_WORDS = 4, 6
"""Length of a title that a full stop ends, and words behind it where its line is the only one."""
_STATEMENT = re.compile(
    r"(?:theorem|proposition|lemma|corollary|definition|proof|remarks?|examples?|claim|conjecture|satz|beweis|"
    r"bemerkung|beispiel|th[ée]or[èe]me|preuve|d[ée]monstration|remarque|exemple)\b.*|\w+ \d+(?:\.\d+)*",
    re.IGNORECASE,
)
"""Labels of statements in mathematics, `Lemma 4 (Bounds)`, `Question 7`, which are many and name no section."""


def split_run_in_title(lines: Sequence[Line]) -> tuple[Sequence[Line], Sequence[Line]]:
    """Split a paragraph with a run-in title.

    Args:
        lines: Lines of the paragraph.

    Returns:
        The lines of the title, with its number, and the rest of the lines. No line and all lines if these do not begin
        with bold words up to a full stop, italic ones behind a section number, and words in other type, which begin a
        sentence where no section number is before them; or with bold or italic words and the white that LaTeX sets
        behind the title of a paragraph.
    """
    first, *others = lines
    if others and _is_wrapped(first.words, others[0].words):
        count = _unnumbered_words(first.words, others[0].words, others[1:])
        if count:
            return (first, line_of(others[0].words[:count])), [line_of(others[0].words[count:]), *others[1:]]
    words = first.words[: MAX_TITLE_WORDS + 1]
    count = _unnumbered_words((), first.words, others)
    if count:
        return (line_of(first.words[:count]),), [line_of(first.words[count:]), *others]
    number, second = words[0].text, next(iter(words[1:]), None)
    if second is None or not (number[0].isdigit() and section_depth(number) >= MIN_DEPTH):
        return (), lines
    is_italic = second.italic and not second.bold
    end = next((i for i, word in enumerate(words) if i and not (word.italic if is_italic else word.bold)), len(words))
    if end < 2 or not second.text[:1].isupper() or not words[end - 1].text.endswith("."):  # noqa: PLR2004 - a number and a word
        return (), lines
    if end < len(first.words):
        return (line_of(first.words[:end]),), [line_of(first.words[end:]), *others]
    # The title fills its line: what follows shows that it is no heading of its own.
    is_title = others and end == len(first.words) and _weight_and_slant(others[0].words[0]) != _weight_and_slant(second)
    return ((first,), others) if is_title else ((), lines)


def _is_wrapped(words: Sequence[Word], below: Sequence[Word]) -> bool:
    """Return True if a line is in one bold or italic type that the next one begins with, and does not end with."""
    if _is_plain(words[0]):
        return False
    looks = {_weight_and_slant(word) for word in (*words, below[0])}
    return len(looks) == 1 and _weight_and_slant(below[-1]) not in looks


def _unnumbered_words(before: Sequence[Word], words: Sequence[Word], others: Sequence[Line]) -> int:
    """Return how many words of a line end a title without a number at the start of a paragraph; 0 for none.

    Args:
        before: The words of the title in the line above.
        words: The words of the line.
        others: The lines below it.
    """
    # Most paragraphs begin in plain type.
    if _is_plain(words[0]):
        return 0
    return _words_before_white(before, words, others) or _words_before_stop(before, words, others)


def _words_before_stop(before: Sequence[Word], words: Sequence[Word], others: Sequence[Line]) -> int:
    """Return how many bold words without a number, up to a full stop, are before text; 0 for none."""
    most = MAX_TITLE_WORDS + 1 - len(before)
    count = next((number for number, word in enumerate(words[: max(0, most)]) if not word.bold), 0)
    title, text = [*before, *words[:count]], words[count:]
    if not count or not title[-1].text.endswith(".") or _is_small(title[0]) or _is_small(text[0]):
        return 0
    name = " ".join(word.text for word in title)[:-1]
    is_statement = _STATEMENT.fullmatch(name) or is_note_label(name) or is_caption(name)
    if len(name) < MIN_NAME_CHARS or is_statement:
        return 0
    if not others:
        return count if len(text) >= MIN_TEXT_WORDS else 0
    return count if not others[0].words[0].bold and _is_flush(title, text, others) else 0


def _is_small(word: Word) -> bool:
    return word.text[0].islower() or not word.text[0].isalnum()


def _is_flush(title: Sequence[Word], text: Sequence[Word], others: Sequence[Line]) -> bool:
    """Return True if text goes on below a title; a term or a label at the side of its text has white below it."""
    return others[0].x0 <= title[0].x0 + MIN_WHITE_EM * text[0].size


def _words_before_white(before: Sequence[Word], words: Sequence[Word], others: Sequence[Line]) -> int:
    """Return how many words in bold or italic type white wider than a space parts from text below; 0 for none."""
    words = words[: max(1, MAX_TITLE_WORDS + 1 - len(before))]
    look = _weight_and_slant(words[0])
    count = next((number for number, word in enumerate(words) if _weight_and_slant(word) != look), 0)
    # Two spaces at least, of which one is the white.
    if not count or len(words) <= 2 or not others:  # noqa: PLR2004
        return 0
    title, after = [*before, *words[:count]], words[count]
    if after.bold or _weight_and_slant(others[0].words[0]) == look:
        return 0
    gaps = [following.x0 - word.x1 for word, following in pairwise(words)]
    white = gaps.pop(count - 1)
    if count > 1 and section_depth(words[0].text) >= MIN_DEPTH:
        # Behind its number is as much.
        gaps = gaps[1:]
    is_one_em = abs(white - after.size) <= MAX_EM_DIFFERENCE * after.size
    if is_one_em:
        is_apart = all(abs(white - gap) >= MIN_STRETCH_DIFFERENCE_EM * after.size for gap in gaps)
    else:
        is_apart = white >= max(MIN_WHITE_EM * after.size, MIN_WHITE_RATIO * max(gaps))
    is_begun = title[0].text[:1].isupper() or section_depth(title[0].text) >= MIN_DEPTH
    is_title = is_begun and title[-1].text[-1:].isalpha() and after.text[:1].isupper()
    return count if is_apart and is_title and _is_flush(title, words[count:], others) else 0


def _is_plain(word: Word) -> bool:
    return not (word.bold or word.italic)


def _weight_and_slant(word: Word) -> tuple[bool, bool]:
    return word.bold, word.italic and not word.bold
