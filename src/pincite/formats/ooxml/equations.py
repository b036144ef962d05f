r"""Equations (ECMA-376 part 1, 22.1) as a line of text: `(a+b)/c`, `x^2`, `√(x)`, `∑_(i=1)^n i`."""

from collections.abc import Callable

from pincite.formats.ooxml.package import Element, children, local_name, name
from pincite.formats.writing.formulas import accented, fraction, joined, root, scripted, scripts
from pincite.formats.writing.page_writer import one_line

MAX_DEPTH = 50
"""Nesting below which only the letters are kept, which bounds the recursion."""

_VALUE = name("m:val")


def equation(element: Element, depth: int = 0) -> str:
    """Return `m:oMath`, or a part of it, as a line of text."""
    return one_line(joined(_text(child, depth) for child in children(element)))


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
        return joined(_text(child, depth + 1) for child in children(element))
    return write(element, depth + 1)


def _part(element: Element, tag: str, depth: int) -> str:
    part = element.find(name(tag))
    return equation(part, depth) if part is not None else ""


def _property(element: Element, path: str, default: str) -> str:
    """A sign in the element's properties, the default if there is no such property; an empty one means no sign."""
    prop = element.find("/".join(name(tag) for tag in path.split("/")))
    return (prop.get(_VALUE) or "") if prop is not None else default


def _fraction(element: Element, depth: int) -> str:
    return fraction(_part(element, "m:num", depth), _part(element, "m:den", depth))


def _scripts(element: Element, depth: int) -> str:
    base, below, above = (_part(element, tag, depth) for tag in ("m:e", "m:sub", "m:sup"))
    if local_name(element) == "sPre":
        return f"{scripts(below, above)} {base}".strip()
    if local_name(element) == "nary":
        return f"{_property(element, 'm:naryPr/m:chr', '∫')}{scripts(below, above)} {base}".strip()
    return scripted(base, below, above)


def _root(element: Element, depth: int) -> str:
    return root(_part(element, "m:e", depth), _part(element, "m:deg", depth))


def _delimited(element: Element, depth: int) -> str:
    begin = _property(element, "m:dPr/m:begChr", "(")
    between = _property(element, "m:dPr/m:sepChr", "|")
    end = _property(element, "m:dPr/m:endChr", ")")
    return begin + between.join(equation(part, depth) for part in element.findall(name("m:e"))) + end


def _function(element: Element, depth: int) -> str:
    return f"{_part(element, 'm:fName', depth)} {_part(element, 'm:e', depth)}".strip()


def _limit(element: Element, depth: int) -> str:
    base, limit = _part(element, "m:e", depth), _part(element, "m:lim", depth)
    return base + (scripts(limit, "") if local_name(element) == "limLow" else scripts("", limit))


def _accent(element: Element, depth: int) -> str:
    sign = _property(element, "m:accPr/m:chr", "\N{COMBINING CIRCUMFLEX ACCENT}")
    return accented(_part(element, "m:e", depth), sign)


def _bar(element: Element, depth: int) -> str:
    is_above = _property(element, "m:barPr/m:pos", "bot") == "top"
    base = _part(element, "m:e", depth)
    return accented(base, "\N{COMBINING OVERLINE}" if is_above else "\N{COMBINING LOW LINE}")


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
    "bar": _bar,
    "m": _matrix,
    "eqArr": _lines,
}
