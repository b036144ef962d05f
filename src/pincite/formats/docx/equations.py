r"""Equations (ECMA-376 part 1, 22.1) as a line of text: `(a+b)/c`, `x^2`, `√(x)`, `∑_(i=1)^n i`."""

from collections.abc import Callable

from pincite.formats.ooxml.package import Element, children, local_name, name
from pincite.formats.writing.page_writer import one_line

MAX_DEPTH = 50
"""Nesting below which only the letters are kept, which bounds the recursion."""

_VALUE = name("m:val")
_ROOTS = {"3": "∛", "4": "∜"}


def equation(element: Element, depth: int = 0) -> str:
    """Return `m:oMath`, or a part of it, as a line of text."""
    return one_line("".join(_text(child, depth) for child in children(element)))


def _text(element: Element, depth: int) -> str:
    kind = local_name(element)
    if kind.endswith("Pr"):
        return ""
    if depth > MAX_DEPTH:
        return "".join(letters.text or "" for letters in element.iter(name("m:t")))
    if kind == "t":
        return element.text or ""
    write = _WRITERS.get(kind)
    if write is None:
        return "".join(_text(child, depth + 1) for child in children(element))
    return write(element, depth + 1)


def _part(element: Element, tag: str, depth: int) -> str:
    part = element.find(name(tag))
    return equation(part, depth) if part is not None else ""


def _in_brackets(text: str) -> str:
    """Put an operand in brackets unless it is one word or character."""
    closed = text.startswith("(") and text.endswith(")") and text.count("(") == 1
    return text if text.isalnum() or len(text) == 1 or closed or not text else f"({text})"


def _property(element: Element, path: str, default: str) -> str:
    """A sign in the element's properties, the default if there is no such property; an empty one means no sign."""
    prop = element.find("/".join(name(tag) for tag in path.split("/")))
    return (prop.get(_VALUE) or "") if prop is not None else default


def _fraction(element: Element, depth: int) -> str:
    above, below = (_in_brackets(_part(element, tag, depth)) for tag in ("m:num", "m:den"))
    return f"{above}/{below}"


def _scripts(element: Element, depth: int) -> str:
    below, above = (_in_brackets(_part(element, tag, depth)) for tag in ("m:sub", "m:sup"))
    base = _part(element, "m:e", depth)
    base = base if local_name(element) == "nary" else _in_brackets(base)
    ends = (f"_{below}" if below else "") + (f"^{above}" if above else "")
    if local_name(element) == "sPre":
        return f"{ends} {base}".strip()
    if local_name(element) == "nary":
        return f"{_property(element, 'm:naryPr/m:chr', '∫')}{ends} {base}".strip()
    return base + ends


def _root(element: Element, depth: int) -> str:
    degree, radicand = _part(element, "m:deg", depth), _part(element, "m:e", depth)
    sign = _ROOTS.get(degree) or (f"root_{_in_brackets(degree)}" if degree and degree != "2" else "√")
    return f"{sign}({radicand})"


def _delimited(element: Element, depth: int) -> str:
    begin = _property(element, "m:dPr/m:begChr", "(")
    between = _property(element, "m:dPr/m:sepChr", "|")
    end = _property(element, "m:dPr/m:endChr", ")")
    return begin + between.join(equation(part, depth) for part in element.findall(name("m:e"))) + end


def _function(element: Element, depth: int) -> str:
    return f"{_part(element, 'm:fName', depth)} {_part(element, 'm:e', depth)}".strip()


def _limit(element: Element, depth: int) -> str:
    sign = "_" if local_name(element) == "limLow" else "^"
    return f"{_part(element, 'm:e', depth)}{sign}{_in_brackets(_part(element, 'm:lim', depth))}"


def _accent(element: Element, depth: int) -> str:
    return _part(element, "m:e", depth) + _property(element, "m:accPr/m:chr", "\N{COMBINING CIRCUMFLEX ACCENT}")


def _matrix(element: Element, depth: int) -> str:
    rows = [
        ", ".join(equation(part, depth) for part in row.findall(name("m:e"))) for row in element.findall(name("m:mr"))
    ]
    return "[" + "; ".join(rows) + "]"


def _lines(element: Element, depth: int) -> str:
    return "; ".join(equation(part, depth) for part in element.findall(name("m:e")))


_WRITERS: dict[str, Callable[[Element, int], str]] = {
    "f": _fraction,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts,
    "nary": _scripts,
    "rad": _root,
    "d": _delimited,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "acc": _accent,
    "m": _matrix,
    "eqArr": _lines,
}
