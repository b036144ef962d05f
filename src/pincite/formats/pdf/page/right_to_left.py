"""Right-to-left text in logical order, where pdfium's reversal of lines leaves characters in the printed one.

pdfium returns lines of Hebrew and Arabic in logical order, but it also reverses the letters of some ligatures and the
parts of a date, and leaves brackets, and words that Chromium draws as one run, as they are printed.
"""

import re
import unicodedata
from itertools import pairwise

from pincite.formats.pdf.page.rectangles import Grid

RTL_LETTER = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms."""
_LINE = re.compile(r"[^\r\n]+")
_DIGITS = r"[\d\u0660-\u0669\u06f0-\u06f9]+"
_NUMBER = re.compile(rf"{_DIGITS}(?:[/.:,\u066b\u066c]{_DIGITS})+")
"""Number or date of several groups of digits. A hyphen between Arabic numbers runs with the letters: no part of it."""
_WORD = re.compile(r"[\u05d0-\u05ea\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff]{2,}")
"""Letters of Hebrew or Arabic without vowel signs."""
_PRESENTATION_FORM = re.compile(r"[\ufb00-\ufb06\ufb1d-\ufdff\ufe70-\ufefc]")
_LAM, _ALEFS = "\u0644", "\u0622\u0623\u0625\u0627"
"""Letters of the one ligature that Arabic requires, lam-alef."""
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_MIRRORED = str.maketrans("()[]{}", ")(][}{")


def restore_logical_order(text: str, edges: Grid) -> str:
    """Return the text of a page with each right-to-left line in logical order; every index keeps its glyph.

    Args:
        text: Characters of the page, lines parted by line breaks.
        edges: Boxes of the characters; shape (4, characters): left, top, right, bottom.
    """
    if text.isascii() or not RTL_LETTER.search(text):
        return text
    boxes = [tuple(box) for box in edges.T.tolist()]
    lefts = [box[0] for box in boxes]
    characters = list(text)
    for line in _LINE.finditer(text):
        if not RTL_LETTER.search(line[0]):
            continue
        start, end = line.span()
        _reverse_ligatures(characters, boxes, start, end)
        for word in _WORD.finditer(text, start, end):
            first, last = word.span()
            # Letters run to the left.
            if all(left < following for left, following in pairwise(lefts[first:last])):
                characters[first:last] = reversed(characters[first:last])
        for number in _NUMBER.finditer(text, start, end):
            first, last = number.span()
            # Digits run to the right; if the last one is further left, the groups are in the order of the letters.
            if lefts[last - 1] < lefts[first]:
                characters[first:last] = [characters[n] for n in sorted(range(first, last), key=lambda n: lefts[n])]
        characters[start:end] = _mirror_brackets("".join(characters[start:end]))
    return "".join(characters)


def fold_presentation_forms(text: str) -> str:
    """Return a text with letters instead of their shapes: initial, medial, final forms and ligatures."""
    if text.isascii():
        return text
    return _PRESENTATION_FORM.sub(lambda shape: unicodedata.normalize("NFKC", shape[0]), text)


def _reverse_ligatures(characters: list[str], boxes: list[tuple[float, ...]], start: int, end: int) -> None:
    """Put the lam before the alef where both are one glyph: which fonts have in either order, but no other way."""
    for index in range(start + 1, end):
        if characters[index] == _LAM and characters[index - 1] in _ALEFS and boxes[index] == boxes[index - 1]:
            characters[index - 1 : index + 1] = characters[index], characters[index - 1]


def _mirror_brackets(line: str) -> str:
    """Return a line with mirrored brackets if these, but not its own, are in pairs."""
    mirrored = line.translate(_MIRRORED)
    return mirrored if mirrored != line and not _is_paired(line) and _is_paired(mirrored) else line


def _is_paired(line: str) -> bool:
    closing: list[str] = []
    for character in line:
        if character in _BRACKETS:
            closing.append(_BRACKETS[character])
        elif character in ")]}" and (not closing or closing.pop() != character):
            return False
    return not closing
