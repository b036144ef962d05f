"""Fold characters that readers take for the same: dashes, quotes, spaces, ligatures, widths, accents."""

import re
import unicodedata
from collections.abc import Sequence

from pincite.model.call import Call
from pincite.text.mapped import Mapped, MappedBuilder

CELL = "\x1f"
"""Separates two table cells in folded text. The three marks are C0 controls, which no folded text contains."""
SOFT = "\x1e"
"""Replaces a hyphen at a line's end, which may belong to the word or only mark its break."""
APART = "\x1d"
"""Separates two digits with only markup between them, so that `1<b>2</b>` does not match a quoted 12."""

Edit = tuple[int, int, str]
"""Start and end of a span of a text, and the text that replaces it."""

_CLASSES = {
    **dict.fromkeys("\u2010\u2011\u2012–\u2212\ufe58\u2043", "-"),
    **dict.fromkeys("—―⸺⸻", " - "),
    **dict.fromkeys("“”„‟«»″〝〞〟", '"'),
    **dict.fromkeys("‘’‚‛‹›′´ʼ", "'"),  # noqa: RUF001 - the marks that fold to an apostrophe
    **dict.fromkeys("\u0640\ufe0e\ufe0f", ""),
}
_KEPT_DECOMPOSITIONS = ("<super>", "<sub>", "<fraction>", "<circle>")
"""Decompositions that change a value: 10² is not 102, and 1½ is not 11/2."""
_MAX_CLUSTER_CHARACTERS = 30
"""Combining marks on one letter: the bound of Unicode's stream-safe text (UAX 15, section 13)."""

# Possessive quantifiers (`++`, `*+`) never backtrack: folding takes linear time, whatever the text.
_SPECIAL = re.compile(
    r"[^!-,.-~](?:"
    r"(?P<hyphen>(?<=\w[-\u2010\u00ad\u00ac])[ \t]*+\r?\n[ \t]*+(?=\w))"
    r"|(?P<dash>(?<=[^\W\d_]-)-{1,2}(?=[^\W\d_])|(?<![\w-]-)-{1,2}(?![\w-]))"
    r"|(?P<space>(?<=\s)\s++|(?<=[^\S ]))"
    r"|(?P<other>(?<=[^\x00-\x7f\s])[^\x00-\x7f\s]*+)"
    r")"
)
"""What folding may change. A single space never is, so the common case copies long stretches unchanged."""


def fold(text: str, edits: Sequence[Edit] = (), call: Call | None = None) -> Mapped:
    """Return a text with edits applied and each character folded to one form, mapped back to the original.

    Compatibility forms, dashes, quotes and spaces become one form each (NFKD, so that no character depends on the
    one before it); numbers keep their value. White space that spans a line's end becomes two spaces, to differ from
    the single space that may separate thousands.

    Args:
        text: The text to fold.
        edits: Replacements in order, not overlapping.
        call: Checked for cancellation between edits.
    """
    folding = _Folding(text)
    position = 0
    for start, end, reading in edits:
        if call:
            call.check()
        folding.copy(position, start)
        folding.replace(reading, start, end)
        position = end
    folding.copy(position, len(text))
    return folding.builder.done()


class _Folding:
    def __init__(self, text: str) -> None:
        self.text = text
        self.builder = MappedBuilder()
        self.known: dict[str, str] = {}
        self.joint: tuple[int, int] | None = None

    def replace(self, reading: str, start: int, end: int) -> None:
        if not reading:
            self.joint = (start, end)
        elif reading in (CELL, SOFT, APART):
            self._put(reading, start, end)
        else:
            self._put("".join(self._folded(character) for character in reading), start, end)

    def copy(self, start: int, end: int) -> None:
        position = start
        for match in _SPECIAL.finditer(self.text, start, end):
            self._put(self.text[position : match.start()], position, match.start())
            position = match.end()
            self._special(match)
        self._put(self.text[position:end], position, end)

    def _put(self, piece: str, start: int, end: int) -> None:
        if not piece:
            return
        # Markup was removed just before: digits on both of its sides are two numbers.
        if self.joint and self.builder.last().isdigit() and piece[0].isdigit():
            self.builder.put(APART, *self.joint)
        self.joint = None
        self.builder.put(piece, start, end)

    def _special(self, match: re.Match[str]) -> None:
        start, end = match.span()
        match match.lastgroup:
            case "hyphen":
                letters = self.text[start - 1].isalpha() and self.text[end : end + 1].isalpha()
                self._put(SOFT if letters else "-", start, end)
            case "dash":
                self._put(" - ", start, end)
            case "space":
                single = end - start == 1 and self.text[start] not in "\n\r\t\v\f"
                self._put(" " if single else "  ", start, end)
            case _:
                self._others(start, end)

    def _others(self, start: int, end: int) -> None:
        position = start
        while position < end:
            stop = position + 1
            # Marks of one letter are folded together: NFD sorts them, so that equal clusters compare equal.
            while stop < end and stop - position < _MAX_CLUSTER_CHARACTERS and unicodedata.combining(self.text[stop]):
                stop += 1
            piece = "".join(self._folded(character) for character in self.text[position:stop])
            self._put(unicodedata.normalize("NFD", piece) if stop - position > 1 else piece, position, stop)
            position = stop

    def _folded(self, character: str) -> str:
        # Few distinct characters make up a text: each is folded once.
        folded = self.known.get(character)
        if folded is None:
            folded = self.known[character] = _fold(character)
        return folded


def _fold(character: str) -> str:
    if character in _CLASSES:
        return _CLASSES[character]
    if character.isspace():
        return " "
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    plain = unicodedata.normalize("NFKD", character)
    # A circled or superscript digit is not category Nd: folding it to a plain digit would change the number.
    numbers = category != "Nd" and any(part.isdigit() for part in plain)
    is_kept = unicodedata.decomposition(character).startswith(_KEPT_DECOMPOSITIONS)
    if plain == character or numbers or plain[0] == " " or is_kept:
        return character
    return "".join(_CLASSES.get(part, part) for part in plain)
