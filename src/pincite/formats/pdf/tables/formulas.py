"""Lines of displayed formulas, whose numbers and indexes are aligned like values."""

import re
from collections.abc import Sequence

_EQUATION_NUMBER = re.compile(r"\((?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,2})?[a-z]?\)")
"""Number of an equation at its right: `(12)`, `(A.3)`, `(4a)`."""
_RELATION = re.compile(r"[=\u2243-\u224d\u2260-\u2265\u2208\u2282-\u2287\u2190-\u2194\u21d0-\u21d4]")
"""Signs between the sides of a formula, arrows included."""
_BRACKET_PIECE = re.compile("[\u239b-\u23b3\uf8e5-\uf8fe]")
"""Pieces of brackets over several lines, by Unicode or as Symbol and TeX's fonts of extensions have them."""


def is_formula(words: Sequence[str]) -> bool:
    """Return True if words from the left are a line of a formula: with its number, or a piece of a tall bracket."""
    if any(map(_BRACKET_PIECE.search, words)):
        return True
    return bool(_EQUATION_NUMBER.fullmatch(words[-1])) and any(map(_RELATION.search, words))
