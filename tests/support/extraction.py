"""Documents as extraction reads them."""

from dataclasses import replace

from pincite.chunking.elements import ElementPolicy
from pincite.model.call import Call
from pincite.model.chunk import PlacedText
from pincite.model.document import Box
from pincite.model.extraction import Material
from support.markdown_read import document


class WordCounter:
    """Counts words as tokens."""

    def count(self, text: str) -> int:
        return len(text.split())

    def cut(self, text: str, limit: int) -> int:
        return len(text) if self.count(text) <= limit else 1


def material(markdown: str) -> Material:
    """A Markdown document and its chunks."""
    read = document(markdown)
    return Material(read, tuple(ElementPolicy().cut(read, WordCounter(), Call())))


def on_page(*runs: tuple[str, float, float]) -> Material:
    """Texts with their left and upper edges, each in a paragraph of its own."""
    whole = material("# List\n\n" + "\n".join(text for text, _, _ in runs) + "\n")
    (chunk,) = whole.chunks
    boxes: list[PlacedText] = []
    for text, x, y in runs:
        start = chunk.text.index(text, boxes[-1].end if boxes else 0)
        boxes.append(PlacedText(1, Box(x, y, x + 5 * len(text), y + 8), start, start + len(text)))
    return replace(whole, chunks=(replace(chunk, boxes=tuple(boxes)),))


SHEET = """\
# SunStar 5-8K hybrid inverter

- Seamless switch to backup in 10 ms
- Quiet: no fan

| Technical data | SS-5K | SS-8K |
| --- | --- | --- |
| PV input |  |  |
| Max. DC voltage | 1100 V | 1100 V |
| Min. DC voltage | 160 V | 160 V |
| Max. PV power | 7.5 kW | 12 kW |
| Number of MPPTs | 2 | 2 |
| AC output |  |  |
| Nominal AC power | 5 kW | 8 kW |
| THD | < 3 % | < 3 % |

## General data

Protection class: IP65

Weight: 25 kg

Certificates: IEC 62109, EN 50549, VDE 4105

## Spare parts

| Part | Quantity | Price |
| --- | --- | --- |
| Fan | 2 | 10.50 € |
| Fuse | 12 | 1.20 € |
"""
"""A datasheet with what the engine reads: columns by model, groups of rows, lines, bullets and records."""
