"""Formulas in presentation MathML as a line of text: `(a+b)/c`, `x^2`, `√(x)`."""

from collections.abc import Callable, Sequence

from selectolax.lexbor import LexborNode

from pincite.formats.writing.page_writer import one_line

MAX_DEPTH = 50
"""Nesting below which only the letters are kept, which bounds the recursion."""

_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
"""Function application, invisible times, separator and plus."""


def formula(math: LexborNode) -> str:
    """Return a formula: its alternative text, its TeX, or what its elements say."""
    if text := math.attributes.get("alttext"):
        return text
    source = math.css_first('annotation[encoding="application/x-tex"]')
    return source.text() if source else one_line(_row(math, 0))


def _text(node: LexborNode, depth: int) -> str:
    if node.tag in ("-text", "annotation", "annotation-xml"):
        return ""
    if depth > MAX_DEPTH:
        return node.text()
    write = _WRITERS.get(node.tag or "")
    parts = _elements(node)
    if write is None:
        # Letters and signs have no elements in them.
        return _row(node, depth + 1) if parts else node.text(strip=True).translate(_INVISIBLE)
    return write([_text(part, depth + 1) for part in parts])


def _elements(node: LexborNode) -> list[LexborNode]:
    return [child for child in node.iter() if child.tag not in ("annotation", "annotation-xml")]


def _row(node: LexborNode, depth: int) -> str:
    row = before = ""
    for child in _elements(node):
        text = _text(child, depth)
        # `xy` and `2x` are products, `sin x` and `12 apples` have words.
        has_word = (len(before) > 1 and before.isalpha()) or (len(text) > 1 and text[:2].isalpha())
        row += f" {text}" if has_word and before[-1:].isalnum() and text[:1].isalnum() else text
        before = text or before
    return row


def _operand(text: str) -> str:
    return text if text.isalnum() or len(text) == 1 or not text else f"({text})"


def _script(*signs: str) -> Callable[[Sequence[str]], str]:
    def write(parts: Sequence[str]) -> str:
        base, *scripts = parts or ("",)
        marks = (f"{sign}{_operand(text)}" for sign, text in zip(signs, scripts, strict=False) if text)
        return f"{_operand(base)}{''.join(marks)}"

    return write


def _fraction(parts: Sequence[str]) -> str:
    return "/".join(map(_operand, parts))


def _root(parts: Sequence[str]) -> str:
    radicand, *degree = parts or ("",)
    return f"root_{_operand(degree[0])}({radicand})" if degree else f"√({radicand})"


def _square_root(parts: Sequence[str]) -> str:
    return f"√({''.join(parts)})"


def _cells(parts: Sequence[str]) -> str:
    return ", ".join(parts)


def _rows(parts: Sequence[str]) -> str:
    return f"[{'; '.join(parts)}]"


_WRITERS: dict[str, Callable[[Sequence[str]], str]] = {
    "msup": _script("^"),
    "msub": _script("_"),
    "msubsup": _script("_", "^"),
    "munder": _script("_"),
    "mover": _script("^"),
    "munderover": _script("_", "^"),
    "mfrac": _fraction,
    "mroot": _root,
    "msqrt": _square_root,
    "mtr": _cells,
    "mtable": _rows,
}
