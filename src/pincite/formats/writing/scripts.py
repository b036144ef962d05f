"""Superscripts and subscripts as a person would type them: `m^2`, `x_1`, but `H2O` and `2nd`."""

import re

_POWER = re.compile(r"[-+−]?\w+")  # noqa: RUF001 - a minus sign
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
    if not last.isalnum() and last not in (")", "]"):
        return text
    if is_super:
        is_ordinal = last.isdigit() and text.isalpha() and len(text) > 1
        return f"^{text}" if _POWER.fullmatch(text) and not is_ordinal else text
    # A number after a number is an index; after the letters of a formula (H2O) it needs no mark.
    is_index = (last.isdigit() and text[:1].isdigit()) or (_VARIABLE.search(before[-2:]) and _POWER.fullmatch(text))
    return f"_{text}" if is_index else text
