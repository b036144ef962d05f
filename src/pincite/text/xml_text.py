"""Texts as XML 1.0 has them: some characters are allowed in no form, others are written as entities."""

import re

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def allowed(text: str, instead: str = "") -> str:
    """Return a text without the characters that XML does not allow (XML 1.0, 2.2), or with `instead` for each."""
    return _FORBIDDEN.sub(instead, text)


def escaped(text: str, instead: str = "") -> str:
    """Return a text as it is written between tags or double quotes; see `allowed`."""
    return allowed(text, instead).translate(_ESCAPES)
