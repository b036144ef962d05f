"""Texts as CSV has them: a spreadsheet runs some that begin like a formula."""

import re

_FORMULA = re.compile(r"[=+@\t\r]|-(?![\d.,]+%?\Z)")
"""Begins what a spreadsheet would run, not show: a minus sign does, unless a number is all that follows."""


def inert(text: str) -> str:
    """Return a text as a spreadsheet shows it, with an apostrophe before what it would run."""
    return f"'{text}" if _FORMULA.match(text) else text
