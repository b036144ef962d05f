"""Ligatures whose glyphs have names that mean nothing, such as `/FF` for fi: known by the words around them.

pdfium returns the sign that other fonts have at their code (`simpli#ed`, `diLerent`), and that it is a guess.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from pincite.text.lexicon import english_words

_ODD = re.compile(r"[^a-z\s'-](?:(?<=[a-z][^’\x02])(?=[a-z])|(?<=(?<!\S)[^\w\"([])(?=[a-z]{2}))")
"""A sign or capital within a word, and a sign before one: where the search for such glyphs begins.

The expression begins with the sign, as the engine leaps to it then.
"""
_BEFORE, _AFTER = re.compile(r"[A-Za-z]*$"), re.compile(r"[a-z]*")
MAX_PART_LETTERS = 20
"""Letters before and after a ligature that are looked at."""
MIN_LETTERS, MIN_END_LETTERS = 2, 3
"""Letters next to a ligature without which a word proves nothing, and after it in the end of a word."""
MAX_GLYPHS = 50
"""Glyphs of a page whose places are sought, each in all its text; fonts have five ligatures."""
_LIGATURES = "\ufb01\ufb02\ufb00\ufb03\ufb04"


def restore_ligatures(text: str, face_of: Callable[[int], int], is_guess: Callable[[int], bool]) -> str:
    """Return the characters of a page with ligatures where they make English words; every index keeps its glyph.

    Args:
        text: Characters of the page.
        face_of: Returns the address of a character's font; 0 for none.
        is_guess: Returns True for a character without a Unicode value in the file.
    """
    odd = [match.start() for match in _ODD.finditer(text)]
    glyphs = {(face_of(index), text[index]) for index in odd if is_guess(index)}
    if not glyphs:
        return text
    letters = list(text)
    for face, character in sorted(glyphs)[:MAX_GLYPHS]:
        places = (match.start() for match in re.finditer(re.escape(character), text))
        indices = [index for index in places if is_guess(index) and face_of(index) == face]
        ligature = _ligature(text, indices)
        for index in indices if ligature else ():
            letters[index] = ligature
    return "".join(letters)


def _ligature(text: str, indices: Sequence[int]) -> str:
    """Return the ligature that makes more words than any other at some places of a text; empty without one."""
    parts = set(_parts(text, indices))
    counts: dict[str, int] = {}
    for ligature in _LIGATURES:
        letters = unicodedata.normalize("NFKC", ligature)
        counts[ligature] = sum(_is_english(before, letters, after) for before, after in parts)
    best, second = sorted(counts, key=lambda ligature: -counts[ligature])[:2]
    return best if counts[best] > counts[second] else ""


def _is_english(before: str, letters: str, after: str) -> bool:
    """Return True for a word, and for what ends in one, as names do (`hyperfloor`)."""
    words = english_words()
    return before + letters + after in words or (len(after) >= MIN_END_LETTERS and letters + after in words)


def _parts(text: str, indices: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the letters before and after each place, in lower case."""
    for index in indices:
        before = _BEFORE.search(text, max(0, index - MAX_PART_LETTERS), index)
        after = _AFTER.match(text, index + 1, index + 1 + MAX_PART_LETTERS)
        if before and after and len(before[0]) + len(after[0]) >= MIN_LETTERS:
            yield before[0].lower(), after[0]
