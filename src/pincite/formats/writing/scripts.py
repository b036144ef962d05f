"""Superscripts and subscripts as a person would type them: `m^2`, `x_1`, `1,204^1`, but `H2O` and `2nd`."""

import re

BASE = re.compile(r"[\w)\]%.,;:!?\"'”’»]\Z")
"""What has a power or the mark of a note: a word or number, or what ends a clause. Unmarked, 1,204 would be 12,041."""
_POWER = re.compile(r"[-+−]?\w+|\(\d{1,2}\)")  # noqa: RUF001 - a minus sign
_NOTE_NUMBER = re.compile(r"\d{1,3}|\(\d{1,2}\)")
_VARIABLE = re.compile(r"(?:^|[^\w^])[a-z]$")
"""A text that ends in a variable: a lower-case letter by itself."""


def scripted(text: str, before: str, *, is_super: bool) -> str:
    """Return a superscript or subscript with its mark, or as it is where no mark is needed.

    Args:
        text: The raised or lowered text.
        before: The text in front of it; its last three characters count.
        is_super: True for a superscript.
    """
    last = before[-1:]
    follows = last.isalnum() or last in (")", "]")
    if is_super:
        is_ordinal = last.isdigit() and text.isalpha() and len(text) > 1
        is_based = BASE.search(last) if _NOTE_NUMBER.fullmatch(text) else follows
        return f"^{text}" if is_based and not is_ordinal and _POWER.fullmatch(text) else text
    if not follows:
        return text
    # A number after a number is an index; after the letters of a formula (H2O) it needs no mark.
    is_index = (last.isdigit() and text[:1].isdigit()) or (_VARIABLE.search(before[-2:]) and _POWER.fullmatch(text))
    return f"_{text}" if is_index else text
