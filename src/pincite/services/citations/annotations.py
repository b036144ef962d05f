"""Evidence as annotations of the W3C Web Annotation Data Model, which other viewers show."""

from collections.abc import Mapping, Sequence
from typing import Any

from pincite.model.document import Box

PDF_FRAGMENTS = "http://tools.ietf.org/rfc/rfc3778"
"""The specification of `page` and `viewrect`, by the address that the data model has for it."""


def annotation(
    source: str, field: str, value: object, quote: str, *, page: int | None = None, boxes: Sequence[Box] = ()
) -> Mapping[str, Any]:
    """Return a value with its position in a document as an annotation.

    Args:
        source: The document's IRI.
        field: The path of the value's field, which becomes a tag.
        value: The value, which becomes the text.
        quote: The document's own words.
        page: Its page, from 1.
        boxes: Its boxes on that page.
    """
    selectors: list[Mapping[str, Any]] = [{"type": "TextQuoteSelector", "exact": quote}]
    if page is not None:
        views = [f"page={page}&viewrect={_rectangle(box)}" for box in boxes] or [f"page={page}"]
        selectors += [{"type": "FragmentSelector", "conformsTo": PDF_FRAGMENTS, "value": view} for view in views]
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "type": "Annotation",
        "motivation": "describing",
        "body": [
            {"type": "TextualBody", "purpose": "tagging", "value": field},
            {"type": "TextualBody", "purpose": "describing", "value": str(value), "format": "text/plain"},
        ],
        "target": {"source": source, "selector": selectors},
    }


def _rectangle(box: Box) -> str:
    """Return left, top, width and height in points."""
    return ",".join(f"{number:g}" for number in (box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0))
