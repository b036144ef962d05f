"""Formulas in presentation MathML as a line of text: `(a+b)/c`, `x^2`, `√(x)`."""

from collections.abc import Callable, Sequence

from selectolax.lexbor import LexborNode

from pincite.formats.writing.formulas import accented, fraction, is_accent, joined, root, scripted, scripts
from pincite.formats.writing.page_writer import one_line

MAX_DEPTH = 50
"""Nesting below which only the letters are kept, which bounds the recursion."""

_UNSEEN = frozenset({"-text", "annotation", "annotation-xml", "mphantom", "none", "mprescripts"})
_TEX = frozenset("\\{}")
"""Characters by which an alternative text is TeX, as converters write it."""
_INVISIBLE = str.maketrans("", "", "\u2061\u2062\u2063\u2064")
"""Function application, invisible times, separator and plus."""


def formula(math: LexborNode) -> str:
    """Return a formula: an alternative text for people, what its elements say, or, without any, its TeX."""
    alternative = math.attributes.get("alttext") or ""
    if alternative and not _TEX.intersection(alternative):
        return alternative
    if text := one_line(_row(math, 0)):
        return text
    source = math.css_first('annotation[encoding="application/x-tex"]')
    return alternative or (source.text() if source else "")


def _text(node: LexborNode, depth: int) -> str:
    if node.tag in _UNSEEN:
        return ""
    if depth > MAX_DEPTH:
        return node.text()
    write = _WRITERS.get(node.tag or "")
    parts = _elements(node)
    if node.tag == "mfenced":
        return _fenced(node, [_text(part, depth + 1) for part in parts])
    if node.tag == "mmultiscripts":
        return _multiscripts(parts, depth + 1)
    if write is None:
        # Letters and signs have no elements in them.
        return _row(node, depth + 1) if parts else node.text(strip=True).translate(_INVISIBLE)
    return write([_text(part, depth + 1) for part in parts])


def _elements(node: LexborNode) -> list[LexborNode]:
    return [child for child in node.iter() if child.tag not in ("annotation", "annotation-xml")]


def _row(node: LexborNode, depth: int) -> str:
    return joined(_text(child, depth) for child in _elements(node))


def _padded(parts: Sequence[str], count: int) -> list[str]:
    return [*parts[:count], *[""] * (count - len(parts))]


def _power(parts: Sequence[str]) -> str:
    base, above = _padded(parts, 2)
    return scripted(base, "", above)


def _index(parts: Sequence[str]) -> str:
    return scripted(*_padded(parts, 2))


def _index_and_power(parts: Sequence[str]) -> str:
    return scripted(*_padded(parts, 3))


def _over(parts: Sequence[str]) -> str:
    base, above = _padded(parts, 2)
    return accented(base, above) if is_accent(above) else scripted(base, "", above)


def _multiscripts(parts: Sequence[LexborNode], depth: int) -> str:
    """Return a base with the first index and power after it, and those before it."""
    tags = [part.tag for part in parts]
    at = tags.index("mprescripts") if "mprescripts" in tags else len(parts)
    texts = [_text(part, depth) for part in parts]
    base, below, above = _padded(texts[:at], 3)
    before = scripts(*_padded(texts[at + 1 :], 2))
    return f"{before} {scripted(base, below, above)}".strip()


def _fenced(node: LexborNode, parts: Sequence[str]) -> str:
    """Return an `mfenced`, whose brackets and separators are attributes."""
    given = node.attributes
    begin, end, between = (given.get(name) for name in ("open", "close", "separators"))
    separator = "," if between is None else between[:1]
    return f"{'(' if begin is None else begin}{separator.join(parts)}{')' if end is None else end}"


def _fraction(parts: Sequence[str]) -> str:
    return fraction(*_padded(parts, 2))


def _root(parts: Sequence[str]) -> str:
    return root(*_padded(parts, 2))


def _square_root(parts: Sequence[str]) -> str:
    return root(joined(parts))


def _cells(parts: Sequence[str]) -> str:
    return ", ".join(parts)


def _rows(parts: Sequence[str]) -> str:
    return f"[{'; '.join(parts)}]"


_WRITERS: dict[str, Callable[[Sequence[str]], str]] = {
    "msup": _power,
    "msub": _index,
    "msubsup": _index_and_power,
    "munder": _index,
    "mover": _over,
    "munderover": _index_and_power,
    "mfrac": _fraction,
    "mroot": _root,
    "msqrt": _square_root,
    "mtr": _cells,
    "mtable": _rows,
}
