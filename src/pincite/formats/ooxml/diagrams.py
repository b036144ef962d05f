"""The text of a SmartArt diagram (ECMA-376 part 1, 21.4): its points, nested as its connections say."""

from pincite.formats.ooxml.package import Element, find, find_all, whole_number
from pincite.formats.ooxml.text import plain_text
from pincite.formats.writing.page_writer import Item

_KINDS = frozenset({"", "node", "asst", "doc"})
"""Points that a person wrote; the others say how a diagram looks."""


def diagram_items(root: Element) -> list[Item]:
    """The points with text in the order of the diagram; those that no connection reaches stand last.

    Args:
        root: Of a data part, `dgm:dataModel`.
    """
    points = {found.get("modelId") or "": found for found in find_all(root, "dgm:ptLst/dgm:pt")}
    below: dict[str, list[tuple[int, str]]] = {}
    for found in find_all(root, "dgm:cxnLst/dgm:cxn"):
        if (found.get("type") or "parOf") == "parOf":
            order = whole_number(found.get("srcOrd"))
            below.setdefault(found.get("srcId") or "", []).append((order, found.get("destId") or ""))
    tops = [key for key, point in points.items() if point.get("type") == "doc"]
    stack = [(key, -1) for key in [*reversed(points), *reversed(tops)]]
    seen: set[str] = set()
    items: list[Item] = []
    while stack:
        key, depth = stack.pop()
        point = points.get(key)
        if key in seen or point is None or (point.get("type") or "") not in _KINDS:
            continue
        seen.add(key)
        body = find(point, "dgm:t")
        text = plain_text(body) if body is not None else ""
        if text:
            items.append(Item(text, max(depth, 0)))
        deeper = depth + 1 if text or depth < 0 else depth
        stack += [(child, deeper) for _, child in sorted(below.get(key, ()), reverse=True)]
    return items
