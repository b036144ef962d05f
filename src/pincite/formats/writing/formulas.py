r"""Formulas as a line of text that a person would type, the same from every format: `(a+b)/c`, `x_i^2`, `√(x)`."""

from collections.abc import Iterable

_ROOTS = {"3": "∛", "4": "∜"}
_PRIMES = frozenset("\u2032\u2033\u2034\u2057'*†°")
"""Marks that are written after their base without `^`."""
_DEGREES = str.maketrans({"∘": "°", "º": "°"})
_ACCENTS = {
    "^": "\N{COMBINING CIRCUMFLEX ACCENT}",
    "\u02c6": "\N{COMBINING CIRCUMFLEX ACCENT}",
    "~": "\N{COMBINING TILDE}",
    "\u02dc": "\N{COMBINING TILDE}",
    "¯": "\N{COMBINING OVERLINE}",
    "‾": "\N{COMBINING OVERLINE}",
    "―": "\N{COMBINING OVERLINE}",
    "_": "\N{COMBINING OVERLINE}",
    "→": "\N{COMBINING RIGHT ARROW ABOVE}",
    "˙": "\N{COMBINING DOT ABOVE}",
    "¨": "\N{COMBINING DIAERESIS}",
    "ˇ": "\N{COMBINING CARON}",
}
_LARGE_OPERATORS = frozenset("∑∏∐∫∬∭∮∯\u22c3\u22c2\u22c1\u22c0⨁⨂")


def operand(text: str) -> str:
    """Return a text in brackets, unless it is one word or character or has some already."""
    closed = text.startswith("(") and text.endswith(")") and text.count("(") == 1
    return text if text.isalnum() or len(text) == 1 or closed or not text else f"({text})"


def fraction(above: str, below: str) -> str:
    """Return a fraction on one line, `a/(b + c)`."""
    return f"{operand(above)}/{operand(below)}"


def root(radicand: str, degree: str = "") -> str:
    """Return a root; without a degree it is a square root."""
    sign = _ROOTS.get(degree) or (f"root_{operand(degree)}" if degree and degree != "2" else "√")
    return f"{sign}({radicand})"


def scripted(base: str, below: str = "", above: str = "") -> str:
    """Return a base with an index and a power, each of which may be empty."""
    above = above.translate(_DEGREES)
    is_mark = bool(above) and set(above) <= _PRIMES
    base = base if is_operator(base) else operand(base)
    return base + (above if is_mark else "") + scripts(below, "" if is_mark else above)


def scripts(below: str, above: str) -> str:
    """Return an index and a power without a base."""
    return (f"_{operand(below)}" if below else "") + (f"^{operand(above)}" if above else "")


def accented(base: str, accent: str) -> str:
    """Return a base under an accent; of several characters each but white space has it."""
    mark = _ACCENTS.get(accent, accent)
    return "".join(character if character.isspace() else character + mark for character in base)


def is_accent(text: str) -> bool:
    """Return True if a sign above a base is an accent and not a limit."""
    return text in _ACCENTS


def is_operator(text: str) -> bool:
    """Return True for a sum, product, integral or union, with or without its limits."""
    return text[:1] in _LARGE_OPERATORS


def joined(parts: Iterable[str]) -> str:
    """Return the parts of a formula in one line, with spaces where they would run together.

    `xy` and `2x` are products; `sin x` has a word, `x^2 y` a power that ends before `y`.
    """
    row = before = ""
    for part in parts:
        if not part:
            continue
        has_word = (len(before) > 1 and before.isalpha()) or (len(part) > 1 and part[:2].isalpha())
        is_compound = not before.isalnum() and any(sign in before for sign in "^_/")
        meets = before[-1:].isalnum() and part[:1].isalnum()
        is_summand = is_operator(before) and (part[:1].isalnum() or part[:1] in "([{√∛∜" or is_operator(part))
        row += f" {part}" if (meets and (has_word or is_compound)) or is_summand else part
        before = part
    return row
