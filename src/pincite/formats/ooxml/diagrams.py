"""The text of a SmartArt diagram (ECMA-376 part 1, 21.4): its points, nested by its connections."""

from pincite.formats.ooxml.package import Element, find, find_all, whole_number
from pincite.formats.ooxml.text import plain_text
from pincite.formats.writing.page_writer import Item

_CONTENT_TYPES = frozenset({"", "node", "asst", "doc"})
"""Types of points with content; the others define the presentation."""


def diagram_items(root: Element) -> list[Item]:
    """Return the points with text in the order of the diagram; those without a connection are last.

    Args:
        root: Root of a data part, `dgm:dataModel`.
    """
    points = {element.get("modelId") or "": element for element in find_all(root, "dgm:ptLst/dgm:pt")}
    children_of: dict[str, list[tuple[int, str]]] = {}
    for element in find_all(root, "dgm:cxnLst/dgm:cxn"):
        if (element.get("type") or "parOf") == "parOf":
            order = whole_number(element.get("srcOrd"))
            children_of.setdefault(element.get("srcId") or "", []).append((order, element.get("destId") or ""))
    tops = [key for key, point in points.items() if point.get("type") == "doc"]
    # The document point is the root and has no text; all points follow it, for those without a connection.
    stack = [(key, -1) for key in [*reversed(points), *reversed(tops)]]
    visited: set[str] = set()
    items: list[Item] = []
    while stack:
        key, depth = stack.pop()
        point = points.get(key)
        if key in visited or point is None or (point.get("type") or "") not in _CONTENT_TYPES:
            continue
        visited.add(key)
        body = find(point, "dgm:t")
        text = plain_text(body) if body is not None else ""
        if text:
            items.append(Item(text, max(depth, 0)))
        child_depth = depth + 1 if text or depth < 0 else depth
        stack += [(child, child_depth) for _, child in sorted(children_of.get(key, ()), reverse=True)]
    return items
