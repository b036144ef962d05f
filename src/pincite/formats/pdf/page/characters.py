"""Characters of a page with boxes and styles, read from pdfium in bulk because each call into it has its cost."""

import ctypes
import math
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.character_repairs import (
    FILLER,
    MIN_FONT_SIZE_PT,
    join_accents,
    math_encoding,
    restore_letters,
    restore_logical_order,
    restore_signs,
    restore_sizes,
    without_cancelled_spaces,
)
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import (
    POINTER,
    Handle,
    address,
    character_matrices,
    character_size,
    fast_binding,
    fill_colours,
    font_of,
    has_map_error,
    loose_boxes,
    pointer,
    text_object,
    untyped_binding,
)
from pincite.formats.pdf.page.rectangles import Grid, displayed, reduceat_offsets
from pincite.formats.symbols import in_private_use
from pincite.text.excerpt import REPLACEMENT, SURROGATE
from pincite.text.lexicon import english_words

_PRIVATE = re.compile("[\uf000-\uf8ff]")
_LETTERS_OF = {
    0xF6D9: "©®™1", 0xF6E0: "¢,,$$--..abdeilmorst˘ˇˆ˙˝ŁŒ˛˚Š˜", 0xF6FF: "Ž", 0xF8E8: "®©™",  # noqa: RUF001 - signs that look like letters
    0xF8E6: "⏐⎯", 0xF8EB: "⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭",
}  # fmt: skip
_ADOBE = {
    **{start + place: letter for start, letters in _LETTERS_OF.items() for place, letter in enumerate(letters)},
    **{0xF700 + code: chr(code).upper() for code in (*range(0x21, 0x7F), *range(0xA1, 0xDF), *range(0xE0, 0x100))},
    0xF6DE: "—", 0xF6DF: "¢",
}  # fmt: skip
"""Adobe Glyph List for the names of expert fonts: superiors, old-style digits, small capitals, parts of brackets.

Its codes from F721 are 0xF700 above those of Latin-1, with small capitals at the codes of small letters.
"""
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
SOFT_BREAK = "\x02"
"""pdfium's code for a hyphen at the end of a line, whether it belongs to the word or only to the break."""
SOFT_HYPHEN = "\u00ad"
"""A hyphen of the print alone; also for one that a tagged file marks apart from its word."""
KEPT_BREAK = "\x03"
"""A hyphen at the end of a line that the file says is the word's own."""
LONE_BREAK = "\x04"
"""A hyphen at the end of a line that the file draws by itself, as some do with those of the print alone."""
BREAKS = (SOFT_BREAK, KEPT_BREAK, LONE_BREAK)
AS_HYPHENS = str.maketrans(dict.fromkeys(BREAKS, "-"))
"""Translation of the codes to what is printed."""
UNMAPPED = REPLACEMENT
"""Replacement for a character without a Unicode value."""
MIN_BOLD_WEIGHT = 600
"""Font weight from which a font counts as bold: semi-bold on the OpenType scale."""
BOLD_WEIGHTS = 700, 1000
"""The same for a font whose name is that of a family and has no word for bold. pdfium makes weights of the width of
stems, and of a wrong width more than there is: Arial has 695, and 1340."""
_BOLD_NAMES = re.compile(r"bold|black|heavy|demi|-medi|cmbx|^(?:sf|ec)(?:sx|so|xc)\d|^(?:cm|sf|lm|ec)\w{0,3}b(?:x|\d)")
_PLAIN_NAMES = ("regular", "-italic", "-oblique")
"""Ends of a name that say that the font is not bold, whatever the weight in its descriptor or the stems that pdfium
measures: Chromium's part of a variable font may have the weight of another part."""
_FAMILY = re.compile(r"^(?!cidfont|font|type)[a-z]{4}")
"""Name that is no mere number of a font, as `F1` and `CIDFont+F2` are."""
_TEX_NAMES = re.compile(r"^(?:cm|sf|lm|ec)[a-z]{1,6}\d")
"""TeX's fonts: their names alone tell the weight, because pdfium takes thick stems for bold where none is declared."""
_ITALIC_NAMES = re.compile(r"ital|obli|slanted|^(?:cm|sf|lm|ec)\w{0,3}(?:ti|sl)\d")
"""Both patterns cover TeX's fonts, whose descriptors have no weight: CMBX10, SFTI1000, NimbusRomNo9L-Medi."""
_CONTROL = re.compile(r"[\x00\x01\x03-\x08\x0e-\x1f\x7f]")
"""Control characters other than white space and `SOFT_BREAK`."""
_INNER_SOFT_HYPHEN = re.compile(r"(?<=\w)\u00ad(?=\w)")
_UNICODES = range(0x110000)
_LONE_SURROGATE = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")
MAX_SKEW_DEGREES = 5.0
"""Angle up to which text counts as turned by quarters: scans are askew, and their text layers with them."""


def restore_private(text: str, font_of: Callable[[int], str]) -> str:
    """Return the characters of a page with letters and signs for private ones; every index keeps its glyph.

    Args:
        text: Characters of the page.
        font_of: Returns the name of a character's font.
    """
    if text.isascii() or not _PRIVATE.search(text):
        return text
    letters = list(text)
    for match in _PRIVATE.finditer(text):
        index, character = match.start(), match[0]
        letters[index] = _ADOBE.get(ord(character)) or in_private_use(font_of(index), character)
    return "".join(letters)


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
    # The letter itself may be right, as in names with capitals within: `opName`.
    for glyph in (text[indices[0]], *_LIGATURES):
        letters = unicodedata.normalize("NFKC", glyph).lower()
        counts[glyph] = sum(_is_english(before, letters, after) for before, after in parts)
    best, second = sorted(counts, key=lambda glyph: -counts[glyph])[:2]
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


@dataclass(slots=True)
class Style:
    """Style that the characters of a word share, fields as in `Word`; not frozen, for the same reason.

    Attributes:
        painted: False for the invisible text rendering mode and a fully transparent fill.
        face: Address of pdfium's font; 0 for none.
        slant: Clockwise angle in degrees of text that is not turned by quarters; 0 for all other.
    """

    size: float
    font: str
    bold: bool
    italic: bool
    colour: int
    mcid: int
    turns: int
    painted: bool
    face: int
    slant: int

    @property
    def look(self) -> tuple[float, str, bool, bool, int]:
        """Size, font, bold, italic and colour."""
        return self.size, self.font, self.bold, self.italic, self.colour


@dataclass(slots=True)
class Run:
    """Character range of one word: first and last index, style, and address of the text object."""

    first: int
    last: int
    style: Style
    object: int


_unicode = untyped_binding(pdfium.FPDFText_GetUnicode, ctypes.c_uint)


_render_mode = fast_binding(pdfium.FPDFTextObj_GetTextRenderMode, POINTER)


_mcid = fast_binding(pdfium.FPDFPageObj_GetMarkedContentID, POINTER)


@dataclass(slots=True)
class Characters:
    """Characters of a page, with a cache of their styles.

    Attributes:
        text: One character for each of pdfium's, by the same index.
        edges: Loose boxes on the page as displayed, in points; shape (4, characters): left, top, right, bottom.
        gaps: Distance from each character to the next along either axis, in points; shape (characters - 1,).
        restored_sizes: Address of each font that declares less than the size of its glyphs → that size in points.
    """

    page: PdfPage
    text: str
    edges: Grid
    gaps: Grid
    restored_sizes: Mapping[int, float] = field(default_factory=dict[int, float])
    _fonts: dict[int, tuple[str, bool, bool]] = field(default_factory=lambda: {0: ("", False, False)})
    _styles: dict[int, Style] = field(default_factory=dict[int, Style])

    def objects(self, indices: Sequence[int]) -> list[int]:
        """Return the addresses of the characters' text objects; 0 for none."""
        return text_objects(self.page, indices)

    def styles(self, indices: Sequence[int], objects: Sequence[int]) -> list[Style]:
        """Return the styles of characters, read once for each text object: all its characters share one."""
        cache = self._styles
        # A generated character has no object: its own index, made negative, is its key.
        keys = [item or ~index for index, item in zip(indices, objects, strict=True)]
        missing = {key: index for key, index in zip(keys, indices, strict=True) if key not in cache}
        if missing:
            cache.update(
                zip(missing, self._read_styles(list(missing.values()), [max(key, 0) for key in missing]), strict=True)
            )
        return [cache[key] for key in keys]

    def restore_signs(self, fonts: Mapping[int, str]) -> None:
        """Put the signs of TeX's mathematical fonts in place of their codes.

        Args:
            fonts: Names of the page's fonts by address.
        """
        encodings = {face: encoding for face, name in fonts.items() if (encoding := math_encoding(name))}
        if encodings:
            text_page = self.page.text_pointer
            self.text = restore_signs(
                self.text,
                encodings,
                partial(_face, text_page),
                partial(_is_guess, text_page),
            )

    def are_uniform(
        self, firsts: Sequence[int], lasts: Sequence[int], objects: Sequence[int], styles: Sequence[Style]
    ) -> list[bool]:
        """Return, for each word, True if its first and last characters share font, height and marked content.

        Args:
            firsts: Indices of the words' first characters.
            lasts: Indices of their last characters.
            objects: Text objects of the first characters.
            styles: Styles of the first characters.
        """
        _, tops, _, bottoms = self.edges
        level = (tops[firsts] == tops[lasts]) & (bottoms[firsts] == bottoms[lasts])
        return [
            one == other or (one != 0 != other and same and font_of(other) == style.face and _mcid(other) == style.mcid)
            for one, other, style, same in zip(objects, self.objects(lasts), styles, level.tolist(), strict=True)
        ]

    def widest_gaps(self, firsts: Sequence[int], lasts: Sequence[int]) -> list[float]:
        """Return the widest gap within each range of characters, in points; 0 for a single character."""
        gaps = np.append(self.gaps, 0.0)
        # The gap behind a word is not inside of it.
        gaps[lasts] = 0.0
        widest: list[float] = np.maximum.reduceat(gaps, reduceat_offsets(firsts, lasts, gaps.size))[::2].tolist()
        return widest

    def _read_styles(self, indices: Sequence[int], objects: Sequence[int]) -> Iterator[Style]:
        count, text_page = len(indices), self.page.text_pointer
        # Generated characters have no object and no colour; they count as black.
        matrices, colours = character_matrices.read(text_page, indices), fill_colours.read_objects(objects)
        faces = list(map(font_of, objects))
        for face in set(faces) - self._fonts.keys():
            self._fonts[face] = _font_style(face)
        modes = np.fromiter(map(_render_mode, objects), np.int32, count)
        a, b, c, d = matrices.T[:4].astype(np.float64)
        red, green, blue, alpha = colours.T
        styles: dict[tuple[Any, ...], Style] = {}
        for key in zip(
            faces,
            # Many files set a size of 1 or 416 points and scale it by the matrix.
            np.multiply(list(map(character_size, repeat(text_page), indices)), np.hypot(c, d)).tolist(),
            (red << 16 | green << 8 | blue).tolist(),
            map(_mcid, objects),
            *_turns(a, b, self.page.space.turns),
            ((alpha > 0) & (modes != pdfium.FPDF_TEXTRENDERMODE_INVISIBLE)).tolist(),
            strict=True,
        ):
            style = styles.get(key)
            if style is None:
                face, size, colour, mcid, turns, slant, painted = key
                if abs(size) < MIN_FONT_SIZE_PT:
                    size = self.restored_sizes.get(face, size)
                # A negative size turns the text on its head, which the angle of its matrix does not show.
                elif size < 0:
                    size, turns, slant = -size, (turns + 2) % 4, (slant + 180) % 360 if slant else 0
                style = Style(round(size, 1), *self._fonts[face], colour, mcid, turns, painted, face, slant)
                styles[key] = style
            yield style


def text_objects(page: PdfPage, indices: Sequence[int]) -> list[int]:
    """Return the addresses of the text objects of characters; 0 for none."""
    return list(map(text_object, repeat(page.text_pointer), indices))


def characters(page: PdfPage) -> Characters:
    """Read the characters of a page."""
    text = page_characters(page.text)
    loose = loose_boxes.read(page.text_pointer, range(len(text))).astype(np.float64)
    restored = restore_sizes(page, text, loose)
    text = join_accents(text, loose)
    edges = displayed(loose, page.space)
    text = without_cancelled_spaces(page, text, edges)
    x0, y0, x1, y1 = edges
    # Within a line a soft hyphen is what its glyph draws; at the end it is only for the break.
    text = _INNER_SOFT_HYPHEN.sub(lambda found: "-" if x1[found.start()] > x0[found.start()] else FILLER, text)
    # Along whichever axis two characters are apart, so that rotated text needs no case of its own.
    across = np.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:])
    along = np.maximum(y0[1:] - y1[:-1], y0[:-1] - y1[1:])
    return Characters(page, restore_logical_order(text, edges), edges, np.maximum(across, along), restored)


def page_characters(text_page: Handle) -> str:
    """Return the text of a text page, one character for each of pdfium's, by the same index.

    A character above U+FFFF is two surrogates, as pdfium has it: `join_surrogates` makes one of them.
    """
    count = pdfium.FPDFText_CountChars(text_page)
    if count <= 0:
        return ""
    buffer = (ctypes.c_ushort * (count * 2 + 2))()
    written = pdfium.FPDFText_GetText(text_page, 0, count, buffer) - 1
    if written == count:
        text = bytes(buffer)[: written * 2].decode("utf-16-le", "replace").replace("\ufffe", SOFT_BREAK)
        if len(text) == count:
            return _mapped(text_page, text)
    # FPDFText_GetText drops characters without a value, so ask one by one.
    codes = map(_unicode, repeat(pointer(address(text_page))), range(count))
    single = "".join([chr(code) if code in _UNICODES else UNMAPPED for code in codes])
    return _mapped(text_page, _LONE_SURROGATE.sub(UNMAPPED, single))


def _mapped(text_page: Handle, text: str) -> str:
    """Return characters with letters for codes of TeX's fonts and private ones, `UNMAPPED` for other control codes."""
    characters_of = pointer(address(text_page))
    face_of = partial(_face, characters_of)
    name_of = cache(_font_name)
    text = restore_ligatures(restore_letters(text, face_of), face_of, partial(_is_guess, characters_of))
    return _CONTROL.sub(UNMAPPED, restore_private(text, lambda index: name_of(face_of(index))))


def _face(text_page: Any, index: int) -> int:
    return font_of(text_object(text_page, index))


def _is_guess(text_page: Any, index: int) -> bool:
    """Return True for a character without a Unicode value in the file, for which pdfium returns its code."""
    return has_map_error(text_page, index) > 0


def join_surrogates(text: str) -> str:
    """Return a text of `page_characters` with one character for each pair of surrogates."""
    if text.isascii() or not SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _turns(a: Grid, b: Grid, page_turns: int) -> tuple[list[int], list[int]]:
    """Return clockwise quarter turns and slants on the page as displayed, from text matrices and its own rotation."""
    angles = (90 * page_turns - np.degrees(np.arctan2(b, a))) % 360
    quarters = np.rint(angles / 90)
    slants = np.where(np.abs(angles - 90 * quarters) > MAX_SKEW_DEGREES, np.rint(angles), 0)
    turns: list[int] = (quarters.astype(np.int64) % 4).tolist()
    angles_of_slants: list[int] = slants.astype(np.int64).tolist()
    return turns, angles_of_slants


def _font_style(font: int) -> tuple[str, bool, bool]:
    """Return name, bold, italic."""
    name = _font_name(font)
    handle = ctypes.cast(font, pdfium.FPDF_FONT)
    lower = name.lower()
    angle = ctypes.c_int()
    pdfium.FPDFFont_GetItalicAngle(handle, ctypes.byref(angle))
    least, most = BOLD_WEIGHTS if _FAMILY.search(lower) else (MIN_BOLD_WEIGHT, math.inf)
    is_heavy = least <= pdfium.FPDFFont_GetWeight(handle) <= most and _TEX_NAMES.match(lower) is None
    is_heavy = is_heavy and not lower.endswith(_PLAIN_NAMES)
    bold = is_heavy or _BOLD_NAMES.search(lower) is not None
    return name, bold, bool(angle.value) or _ITALIC_NAMES.search(lower) is not None


def _font_name(font: int) -> str:
    """Return the name of a font by its address, without the tag of a subset; empty for no font."""
    if not font:
        return ""
    buffer = ctypes.create_string_buffer(128)
    length = pdfium.FPDFFont_GetBaseFontName(ctypes.cast(font, pdfium.FPDF_FONT), buffer, len(buffer))
    name = buffer.raw[: max(0, min(length, len(buffer)) - 1)].decode("utf-8", "replace")
    return name[7:] if name[6:7] == "+" else name  # ABCDEF+Name
