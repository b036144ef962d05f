# ruff: noqa: RUF001 - signs that look like letters are what this file is about
"""Unicode characters for the glyphs of symbol fonts, which have the codes of letters."""

import re
from functools import lru_cache

from pincite.text.excerpt import REPLACEMENT

# Characters of symbol fonts are stored in this range of the private use area, or without the offset.
_PRIVATE_START = 0xF000
_PRIVATE_END = 0xF0FF

_WINGDINGS = {
    0x21: "✏", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x36: "⌛", 0x3E: "✇", 0x3F: "✍", 0x41: "✌", 0x43: "👍", 0x44: "👎",
    0x45: "☜", 0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4B: "😐", 0x4C: "☹", 0x4D: "💣", 0x4E: "☠", 0x4F: "⚐",
    0x51: "✈", 0x52: "☼", 0x53: "💧", 0x54: "❄", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "□", 0x71: "❑",
    0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "⌧", 0x7B: "❀", 0x7C: "✿",
    0x80: "⓪", **{0x81 + index: chr(ord("①") + index) for index in range(10)},
    0x8B: "⓿", **{0x8C + index: chr(ord("❶") + index) for index in range(10)},
    0x9E: "·", 0x9F: "•", 0xA1: "○", 0xA4: "◉", 0xA5: "◎", 0xA7: "▪", 0xA8: "◻", 0xAB: "★", 0xAC: "✶", 0xB6: "✰",
    0xD5: "⌫", 0xD6: "⌦", 0xD8: "➢", 0xDC: "➲", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE3: "↖", 0xE4: "↗",
    0xE5: "↙", 0xE6: "↘", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨", 0xF1: "⇧", 0xF2: "⇩", 0xF3: "⇔", 0xF4: "⇕", 0xFB: "✗",
    0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2 = {
    0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0x98: "•", 0xA2: "■", 0xA3: "□",
}  # fmt: skip
_WINGDINGS_3 = {
    0x66: "←", 0x67: "→", 0x68: "↑", 0x69: "↓", 0x6A: "↖", 0x6B: "↗", 0x6C: "↙", 0x6D: "↘", 0x70: "▲", 0x71: "▼",
    0x74: "◀", 0x75: "▶", 0x7D: "▶", 0x84: "◂", 0x85: "▸",
}  # fmt: skip
_WEBDINGS = {
    0x33: "◀", 0x34: "▶", 0x35: "▲", 0x36: "▼", 0x61: "✓", 0x63: "□", 0x67: "■", 0x69: "ℹ", 0x6E: "●", 0x72: "✗",
}  # fmt: skip
_GREEK = dict(zip(range(0x41, 0x5B), "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ", strict=True))
_GREEK_SMALL = dict(zip(range(0x61, 0x7B), "αβχδεφγηιϕκλμνοπθρστυϖωξψζ", strict=True))
_SIGNS = dict(
    zip(
        range(0xA1, 0xF0),
        "ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
        strict=True,
    )
)
_SAME = {code: chr(code) for code in b" !#%&()+,./0123456789:;<=>?[]_{|}"}
_SYMBOL = {
    **_SAME, **_GREEK, **_GREEK_SMALL, **_SIGNS,
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥", 0x7E: "∼", 0xA0: "€",
    0xF1: "〉", 0xF2: "∫", 0xF3: "⌠", 0xF5: "⌡",
}  # fmt: skip
_FAMILIES = {
    "wingdings": _WINGDINGS,
    "wingdings2": _WINGDINGS_2,
    "wingdings3": _WINGDINGS_3,
    "webdings": _WEBDINGS,
    "symbol": _SYMBOL,
}
_STYLE = re.compile(r"[ _-]|(?<=symbol)mt$|-?(?:regular|normal)$")


@lru_cache(maxsize=256)
def _family(font: str) -> str:
    """Return the key of a symbol font in `_FAMILIES` (`SymbolMT`, `Wingdings 2`); empty for other fonts."""
    name = _STYLE.sub("", font.lower())
    return name if name in _FAMILIES else ""


def is_symbol_font(font: str) -> bool:
    """Return True for a font with pictures or Greek letters at the codes of letters."""
    return bool(_family(font))


@lru_cache(maxsize=256)
def has_pictures(font: str) -> bool:
    """Return True for a symbol font with pictures alone, at the codes of letters."""
    return _family(font) not in ("", "symbol")


def symbol(font: str, code: str) -> str:
    """Return the character of a `w:sym`; U+FFFD if it is unknown.

    Args:
        font: Its font.
        code: Its code, four hex digits (`F0FE`).
    """
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    return _character(font, number)


def in_font(font: str, text: str) -> str:
    """Return a text that is set in a symbol font as Unicode."""
    return "".join(letter if letter.isspace() else _character(font, ord(letter)) for letter in text)


def in_private_use(font: str, character: str) -> str:
    """Return what a character of the private use area shows in a symbol font; itself in other fonts, or if unknown."""
    return _FAMILIES.get(_family(font), {}).get(ord(character) - _PRIVATE_START, character)


def _character(font: str, code: int) -> str:
    glyphs = _FAMILIES.get(_family(font), {})
    if _PRIVATE_START <= code <= _PRIVATE_END:
        code -= _PRIVATE_START
        # In the private range an unmapped code is an unknown picture, unless it is a digit's.
        letter = chr(code) if chr(code).isdigit() else REPLACEMENT
    else:
        letter = chr(code) if code < _PRIVATE_START and chr(code).isprintable() else REPLACEMENT
    return glyphs.get(code) or letter
