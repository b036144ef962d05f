"""The pictures of a document."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.model.document import Block, BlockKind, Document, RecognisedSpan
from pincite.services.documents.locations import Locations, blocks

_FIGURE = re.compile(r"!\[(?P<caption>.*)\](?:\([^()\s]*\))?")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a document.

    Attributes:
        name: Its name inside the document: `page 3/figure 1`, numbered by page, slide, sheet or section.
        location: Where it is, see `Locations.at`.
        caption: Its caption or alternative text; empty without one.
        text: The text that was recognised in it; empty without any.
        confidence: The mean confidence of that text, 0..1; 0 without any.
    """

    name: str
    location: str
    caption: str
    text: str = ""
    confidence: float = 0.0


def pictures(document: Document) -> Iterator[Picture]:
    """Yield the pictures that have a caption, an alternative text or recognised text, in order."""
    shown = list(_figures(document))
    if not shown:
        return
    locations = Locations(document)
    numbers: dict[str, int] = {}
    for block, span in shown:
        location = locations.location_at(block.start if block else span.start if span else 0)
        numbers[location] = numbers.get(location, 0) + 1
        name = f"{location}/figure {numbers[location]}"
        caption = _FIGURE.sub(r"\g<caption>", document.text[block.start : block.end].strip()) if block else ""
        if span is None:
            yield Picture(name, location, caption)
        else:
            yield Picture(name, location, caption, document.text[span.start : span.end], span.confidence)


def _figures(document: Document) -> Iterator[tuple[Block | None, RecognisedSpan | None]]:
    """Yield the block and the recognised span of each picture; one of them may be missing."""
    spans = sorted(document.coverage.ocr_spans, key=lambda span: span.start)
    for block in blocks(document):
        if block.kind is not BlockKind.FIGURE:
            continue
        while spans and spans[0].start < block.end:
            yield None, spans.pop(0)
        # A picture's text follows its caption.
        follows = spans and not document.text[block.end : spans[0].start].strip()
        yield block, spans.pop(0) if follows else None
    yield from ((None, span) for span in spans)
