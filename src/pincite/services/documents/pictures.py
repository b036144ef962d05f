"""The pictures of a document."""

from collections.abc import Iterator
from dataclasses import dataclass

from pincite.model.document import BlockKind, Document
from pincite.services.documents.places import Locations, blocks

_MARKS = "![]"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a document.

    Attributes:
        name: Its name inside the document: `page 3/figure 1`, numbered by place.
        location: Where it is, see `Locations.at`.
        caption: Its caption or alternative text.
        text: The text that was recognised in it; empty without recognition.
        confidence: The mean confidence of that text, 0..1; 0 without recognition.
    """

    name: str
    location: str
    caption: str
    text: str = ""
    confidence: float = 0.0


def pictures(document: Document) -> Iterator[Picture]:
    """Yield the pictures that the reader found, in order."""
    figures = [block for block in blocks(document) if block.kind is BlockKind.FIGURE]
    if not figures:
        return
    locations = Locations(document)
    numbers: dict[str, int] = {}
    for block in figures:
        place = locations.at(block.start)
        numbers[place] = numbers.get(place, 0) + 1
        caption = document.text[block.start : block.end].strip().strip(_MARKS)
        yield Picture(f"{place}/figure {numbers[place]}", place, caption)
