# ruff: noqa: RUF001 - signs that look like letters are what this file is about
"""Repairs of the characters of a page; every index keeps its glyph.

- Right-to-left text in logical order: pdfium returns lines of Hebrew and Arabic so, but it also reverses the letters of
  some ligatures and the parts of a date, and leaves brackets, and words that Chromium draws as one run, as printed.
- Accents that are drawn apart from their letters, as `n¨amlich` for `nämlich`, and spaces that are taken back: pdfium
  may return an accent before its letter, or at the end of the line, and take the place where it was for a space.
- What the fonts of TeX need: codes of letters that are accents or signs, and words of formulas.
- Sizes of fonts that declare almost none: Type 3 fonts draw glyphs of any size at a size of 0.1 point.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, repeat
from typing import Any

import numpy as np

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import (
    character_matrices,
    character_origins,
    character_size,
    font_of,
    glyph_boxes,
    text_object,
)
from pincite.formats.pdf.page.rectangles import Grid, Indices

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
_CLOSING = {"(": ")", "[": "]", "{": "}"}
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
        if character in _CLOSING:
            closing.append(_CLOSING[character])
        elif character in ")]}" and (not closing or closing.pop() != character):
            return False
    return not closing


FILLER = "\u2060"
"""Place of a character that is part of another one; no part of a word's text."""
MAX_SHIFT_SHARE = 0.25
"""Distance of the middles of accent and letter, as a share of the accent's width: TeX centres one above the other."""
MAX_GAP_EM = 0.1
"""Gap between two letters of a word, in heights of a line, which are lower than an em."""
MAX_ACCENTS = 2_000
"""Accents of a page that are examined; each is compared with all its letters."""
MAX_NEAR = 16
"""Characters at one place that an accent is tried on: the nearest ones."""
_MARKS = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327",
}  # fmt: skip
_ACCENT = re.compile(f"[{''.join(_MARKS)}]")
_DOTLESS = {"ı": "i", "\u0237": "j"}
_GAPS = frozenset((" ", FILLER))
MAX_KERN_EM, MIN_KERN_EM = 0.03, -0.2
"""Distance of the letters at the sides of a space that is not seen, relative to their height."""
LEVEL_TOLERANCE_PT = 0.1
MAX_CANCELLED_SHARE = 0.1
"""Share of such spaces among a page's; of more, the font's widths are wrong."""
MAX_ADVANCE_SHARE = 0.5
"""Part of a space's width by which the next letter is behind its beginning."""
MIN_TYPED_SHARE, MIN_ADDED_SHARE = 0.3, 0.15
"""Shares of a page's spaces that are in its file and that pdfium adds within words. The former has all that split words
then; the latter are nearly none unless a file sets parts of words one by one, as some OCR layers do."""
MAX_ADDED_GAP_EM = 0.18
"""Distance of two letters that are one word where pdfium adds a space, relative to their height."""
_SPACE = re.compile(r" (?<=[^\W\d_] )(?=[^\W\d_]|[.,;:!?](?:\s(?!\.)|$))")
"""A space between letters, or before a stop that begins no leader. It begins with the space: the engine leaps to it."""


def join_accents(text: str, boxes: Grid) -> str:
    """Return the characters of a page with accents on their letters; every index keeps its glyph.

    Args:
        text: Characters of the page.
        boxes: Loose boxes of its characters in page space, shape (characters, 4): left, top, right, bottom. Those of
            fillers become empty ones at the edge of the letter before them.
    """
    accents = [match.start() for match in _ACCENT.finditer(text)][:MAX_ACCENTS]
    if not accents:
        return text
    letters = list(text)
    joined = [accent for accent in accents if _join(letters, boxes, accent)]
    for accent in joined:
        _close(letters, boxes, accent)
    return "".join(letters)


def _join(letters: list[str], boxes: Grid, accent: int) -> bool:
    """Put an accent on the letter below it; return False if there is none that can have it."""
    left, top, right, bottom = boxes[accent]
    shifts = np.abs((boxes[:, 0] + boxes[:, 2] - left - right) / 2)
    heights = np.minimum(boxes[:, 1], top) - np.maximum(boxes[:, 3], bottom)
    near = np.flatnonzero((shifts <= MAX_SHIFT_SHARE * (right - left)) & (2 * heights > top - bottom))
    if near.size > MAX_NEAR:
        near = near[np.argpartition(shifts[near], MAX_NEAR)[:MAX_NEAR]]
    for index in sorted(near.tolist(), key=lambda index: (shifts[index], abs(index - accent))):
        base = _DOTLESS.get(letters[index], letters[index])
        composed = unicodedata.normalize("NFC", base + _MARKS[letters[accent]])
        if base.isalpha() and len(composed) == 1:
            letters[index], letters[accent] = composed, FILLER
            return True
    return False


def _close(letters: list[str], boxes: Grid, accent: int) -> None:
    """Close the gap that a joined accent leaves: within a word and at its edges by fillers, elsewhere by a space."""
    before, after = accent - 1, accent + 1
    while before >= 0 and letters[before] in _GAPS:
        before -= 1
    while after < len(letters) and letters[after] in _GAPS:
        after += 1
    has_before = before >= 0 and not letters[before].isspace()
    has_after = after < len(letters) and not letters[after].isspace()
    if has_before and has_after and _are_adjacent(boxes, before, after):
        fill, edge = range(before + 1, after), boxes[before, 2]
    elif has_after and after == accent + 1:
        fill, edge = range(accent, after), boxes[after, 0]
    elif has_before and before == accent - 1:
        fill, edge = range(accent, accent + 1), boxes[before, 2]
    else:
        letters[accent] = " "
        return
    level = before if has_before and edge == boxes[before, 2] else after
    for index in fill:
        letters[index] = FILLER
        boxes[index] = (edge, boxes[level, 1], edge, boxes[level, 3])


def _are_adjacent(boxes: Grid, before: int, after: int) -> bool:
    """Return True if no space is between two characters of a line."""
    height = float(boxes[before, 1] - boxes[before, 3])
    is_level = 2 * (min(boxes[before, 1], boxes[after, 1]) - max(boxes[before, 3], boxes[after, 3])) > height
    return is_level and abs(float(boxes[after, 0] - boxes[before, 2])) <= MAX_GAP_EM * height


def without_cancelled_spaces(page: PdfPage, text: str, edges: Grid) -> str:
    """Return the characters of a page with `FILLER` for spaces between letters that touch.

    Args:
        page: The page.
        text: The characters.
        edges: Their boxes on the page as displayed; shape (4, characters).
    """
    spaces = np.array([found.start() for found in _SPACE.finditer(text)], np.int64)
    if not spaces.size:
        return text
    characters = list(text)
    for index in added_spaces(spaces, edges):
        characters[index] = FILLER
    cancelled = touched_spaces(spaces, edges)
    if cancelled:
        # Boxes of slanted letters reach over the space before them, which their origins do not.
        indices = [index for space in cancelled for index in (space, space + 1)]
        origins = character_origins.read(page.text_pointer, indices)
        advances = np.hypot(*(origins[1::2] - origins[::2]).T)
        widths = (edges[2] - edges[0])[cancelled]
        for index, advance, width in zip(cancelled, advances.tolist(), widths.tolist(), strict=True):
            if advance < MAX_ADVANCE_SHARE * width:
                characters[index] = FILLER
    return "".join(characters)


def added_spaces(spaces: Indices, edges: Grid) -> list[int]:
    """Return the spaces that pdfium added within words; none if the file has no spaces of its own."""
    x0, _, x1, _ = edges
    # Those that pdfium adds have no width.
    is_added = x1[spaces] <= x0[spaces]
    if is_added.sum() > (1 - MIN_TYPED_SHARE) * spaces.size:
        return []
    gaps, heights, is_level = _letters_beside(spaces, edges)
    inner = spaces[is_added & is_level & (gaps <= MAX_ADDED_GAP_EM * heights) & (gaps >= 0)]
    indices: list[int] = inner.tolist()
    return indices if inner.size >= MIN_ADDED_SHARE * spaces.size else []


def touched_spaces(spaces: Indices, edges: Grid) -> list[int]:
    """Return the spaces whose letters at both sides touch; none if many of a page are such."""
    x0, _, x1, _ = edges
    gaps, heights, is_level = _letters_beside(spaces, edges)
    is_touched = (gaps <= MAX_KERN_EM * heights) & (gaps >= MIN_KERN_EM * heights)
    touched = spaces[is_level & (x1[spaces] > x0[spaces]) & is_touched]
    indices: list[int] = touched.tolist()
    return indices if touched.size <= MAX_CANCELLED_SHARE * spaces.size else []


def _letters_beside(spaces: Indices, edges: Grid) -> tuple[Grid, Grid, "np.ndarray[Any, np.dtype[np.bool_]]"]:
    """Return the distance of the letters beside each space, the height of the first, and if they are on one line."""
    x0, y0, x1, y1 = edges
    before, after = spaces - 1, spaces + 1
    is_level = np.abs(y1[after] - y1[before]) <= LEVEL_TOLERANCE_PT
    return x0[after] - x1[before], y1[before] - y0[before], is_level


_CODES = re.compile("[\x0b\x0c\x0e\x0f\x1b\x1c\x1e\x1f]")
"""Codes of ff, fi, ffi and ffl in either encoding. Those of fl prove nothing: one is the line break of pdfium, too."""
_LETTERS_BEFORE, _LETTERS_AFTER = re.compile("[a-z]*$"), re.compile("[a-z]*")
MIN_WORD_LETTERS = 3
"""Lower-case letters around a code that prove a word: Greek letters of formulas have such codes, but few neighbours."""
MIN_PROVED_SHARE = 0.4
"""Share of the codes of a font that are within words from which all of them are letters."""
_LIGATURES = "\ufb00\ufb01\ufb02\ufb03\ufb04"
_OT1 = dict(zip(range(0x0B, 0x10), _LIGATURES, strict=True)) | {
    0x10: "\u0131", 0x11: "ȷ", 0x19: "ß", 0x1A: "æ", 0x1B: "œ", 0x1C: "ø", 0x1D: "Æ", 0x1E: "Œ", 0x1F: "Ø",
    ord("{"): "–", ord("|"): "—", ord("\\"): "“", ord('"'): "”",
}  # fmt: skip
"""Encoding of Computer Modern, where it differs from ASCII."""
_T1 = dict(zip(range(0x1B, 0x20), _LIGATURES, strict=True)) | {
    0x10: "“", 0x11: "”", 0x12: "„", 0x13: "«", 0x14: "»", 0x15: "–", 0x16: "—", 0x19: "\u0131", 0x1A: "ȷ",
}  # fmt: skip
"""Encoding of European Computer Modern ("Cork"), below the codes of letters."""
_MAPPED = frozenset(map(chr, _OT1.keys() | _T1.keys()))
# The codes of control characters are left out: pdfium's own marks have some of them.
_SYMBOLS = dict(
    zip(
        (*range(0x20, 0x41), *range(0x5B, 0x80)),
        "←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽\u0338↦∀∃¬∅ℜℑ⊤⊥ℵ∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕\\≀√∐∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠",
        strict=True,
    )
)
"""Encoding of `cmsy`, OMS, but for its capitals."""
_LETTERS = dict(zip(range(0x28, 0x30), "↼↽⇀⇁↩↪▹◃", strict=True)) | {0x3F: "⋆", 0x60: "ℓ"}
"""Signs of the encoding of `cmmi`, OML, besides its letters and digits."""
_BRACKETS = "[]⌊⌋⌈⌉{}⟨⟩"
_LARGE = {
    **dict(enumerate(f"(){_BRACKETS}|‖/\\()()")),
    **dict(enumerate(f"{_BRACKETS}/\\(){_BRACKETS}/\\/\\", 0x14)),
    **dict(enumerate("∑∏∫⋃⋂⊎⋀⋁∑∏∫⋃⋂⊎⋀⋁∐∐", 0x50)),
    **dict(enumerate("[]⌊⌋⌈⌉{}√√√√", 0x68)),
}
"""Encoding of `cmex`, OMX, without parts of brackets."""
# dvips moves the codes of control characters to where printers accept them.
_MOVED = dict(zip((*range(0x0A), *range(0x0A, 0x21)), (*range(0xA1, 0xAB), *range(0xAD, 0xC4)), strict=True))
_FIRST_PRINTED = 0x20
_ENCODINGS = {"sy": _SYMBOLS, "mi": _LETTERS, "ex": _LARGE}
_FONT = re.compile(r"CM(?:B?(SY)|(MI)B?|(EX))\d{1,2}", re.IGNORECASE)
_EURO_FONT = re.compile(r"(?:TeX-)?fey[mb][rol]?\d{1,2}", re.IGNORECASE)
"""Fonts of the package `eurosym`, which call the glyph of their sign `e`."""
_EURO = {"e": "€"}
_NEGATION = re.compile("\u0338(.)")


def restore_letters(text: str, face_of: Callable[[int], int]) -> str:
    """Return the characters of a page with letters for the codes of TeX's text fonts; every index keeps its glyph.

    Args:
        text: Characters of the page; those without a Unicode value have their codes.
        face_of: Returns the address of a character's font; 0 for none.
    """
    codes = [match.start() for match in _CODES.finditer(text)]
    if not codes:
        return text
    faces = {index: face_of(index) for index in codes}
    proved = Counter((faces[index], text[index] < "\x10") for index in codes if _is_in_word(text, index))
    counts = Counter(faces.values())
    encodings: dict[int, dict[int, str]] = {}
    for face in {face for face, _ in proved} - {0}:
        old, new = proved[face, True], proved[face, False]
        if old + new >= MIN_PROVED_SHARE * counts[face]:
            encodings[face] = _OT1 if old >= new else _T1
    if not encodings:
        return text
    letters = list(text)
    for index, character in enumerate(text):
        if character in _MAPPED and (encoding := encodings.get(face_of(index))):
            letters[index] = encoding.get(ord(character), character)
    return "".join(letters)


def _is_in_word(text: str, index: int) -> bool:
    before = _LETTERS_BEFORE.search(text, max(0, index - MIN_WORD_LETTERS), index)
    after = _LETTERS_AFTER.match(text, index + 1, index + 1 + MIN_WORD_LETTERS)
    return sum(len(letters[0]) for letters in (before, after) if letters) >= MIN_WORD_LETTERS


@lru_cache(maxsize=256)
def math_encoding(font: str) -> Mapping[str, str]:
    """Return the signs of a mathematical font of TeX by the characters of their codes; none for other fonts."""
    match = _FONT.fullmatch(font)
    if match is None:
        return _EURO if _EURO_FONT.fullmatch(font) else {}
    encoding = _ENCODINGS[(match[1] or match[2] or match[3]).lower()]
    return {chr(_MOVED.get(code, code)): sign for code, sign in encoding.items()} | {
        chr(code): sign for code, sign in encoding.items() if code >= _FIRST_PRINTED
    }


def restore_signs(
    text: str,
    encodings: Mapping[int, Mapping[str, str]],
    face_of: Callable[[int], int],
    is_code: Callable[[int], bool],
) -> str:
    """Return the characters of a page with signs for the codes of mathematical fonts; every index keeps its glyph.

    Args:
        text: Characters of the page.
        encodings: Signs by code, by the address of the font.
        face_of: Returns the address of a character's font; 0 for none.
        is_code: Returns True for a character without a Unicode value.
    """
    codes: Collection[str] = {code for encoding in encodings.values() for code in encoding}
    letters = list(text)
    for index, character in enumerate(text):
        if character in codes and not character.isspace():
            encoding = encodings.get(face_of(index), {})
            sign = encoding.get(character)
            if sign is not None and (encoding is _EURO or is_code(index)):
                letters[index] = sign
    return "".join(letters)


def with_negations(text: str) -> str:
    """Return a text with the stroke that TeX prints before a sign on it: `≠`."""
    return unicodedata.normalize("NFC", _NEGATION.sub("\\1\u0338", text)) if "\u0338" in text else text


MIN_FONT_SIZE_PT = 2.0
"""Smaller characters count as hidden, in every format alike (docs/decisions/0010)."""

SAMPLED_CHARACTERS = 100
"""Characters of a page whose size is read to see whether it has such fonts; all of them would take 1 ms a page."""

EM_PER_ADVANCE = 2.0
"""Font size relative to the median width of its characters, which is half an em in most fonts."""

ASCENT_EM, DESCENT_EM = 0.8, 0.25
"""Height of a line above and below its baseline: the boxes of such fonts may be as high as the page."""


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Declared sizes of characters in points, and whether their lines are level in page space."""

    points: Grid
    level: "np.ndarray[Any, np.dtype[np.bool_]]"


def restore_sizes(page: PdfPage, text: str, boxes: Grid) -> dict[int, float]:
    """Estimate the sizes of fonts that declare less than can be read, and correct the boxes of their characters.

    Args:
        page: The page.
        text: Its characters.
        boxes: Loose boxes of its characters in page space, shape (characters, 4): left, top, right, bottom. Those of
            characters in such fonts get the height of a line.

    Returns:
        Address of each font whose glyphs are larger than its size → its size in points.
    """
    count = len(boxes)
    # Spaces that pdfium generates have a size of 1.
    sample = [index for index in range(0, count, max(1, count // SAMPLED_CHARACTERS)) if not text[index].isspace()]
    if not sample or not (np.abs(_sizes(page, sample).points) < MIN_FONT_SIZE_PT).any():
        return {}
    sizes = _sizes(page, range(count))
    small = np.flatnonzero((np.abs(sizes.points) < MIN_FONT_SIZE_PT) & (boxes[:, 2] > boxes[:, 0]))
    objects = list(map(text_object, repeat(page.text_pointer), small.tolist()))
    faces = np.array([font_of(item) if item else 0 for item in objects], np.uint64)
    estimates: dict[int, float] = {}
    for face, size in _estimates(page, boxes, small, faces):
        estimates[face] = size
        _set_heights(page, boxes, [index for index in small[faces == face].tolist() if sizes.level[index]], size)
    return estimates


def _sizes(page: PdfPage, indices: Sequence[int]) -> _Sizes:
    a, b, c, d = character_matrices.read(page.text_pointer, indices).T[:4].astype(np.float64)
    points = np.multiply(list(map(character_size, repeat(page.text_pointer), indices)), np.hypot(c, d))
    return _Sizes(points, np.abs(b) < np.abs(a) / 10)


def _estimates(page: PdfPage, boxes: Grid, small: Any, faces: Any) -> Iterator[tuple[int, float]]:
    """Yield each font whose glyphs are wide and high enough to be read, with its estimated size."""
    for face in np.unique(faces[faces != 0]).tolist():
        indices = small[faces == face]
        size = round(EM_PER_ADVANCE * float(np.median(boxes[indices, 2] - boxes[indices, 0])))
        glyphs = glyph_boxes.read(page.text_pointer, indices.tolist())
        # Glyphs that are wide but flat cannot be read: text squeezed to a line stays hidden.
        height = float(np.max(glyphs[:, 1] - glyphs[:, 3], initial=0.0))
        if size >= MIN_FONT_SIZE_PT <= height:
            yield face, float(size)


def _set_heights(page: PdfPage, boxes: Grid, indices: list[int], size: float) -> None:
    origins = character_origins.read(page.text_pointer, indices)
    boxes[indices, 1] = origins[:, 1] + ASCENT_EM * size
    boxes[indices, 3] = origins[:, 1] - DESCENT_EM * size
