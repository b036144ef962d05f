"""Map the boxes of a text to offsets in the Markdown written from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from pincite.model.document import Box

CAPTION = -1
"""`TextBox.row` of a table's caption."""


@dataclass(slots=True, unsafe_hash=True)
class TextBox:
    """A box on a page, and the start of its text in a writer's argument.

    Nothing changes one; each line of a page has one, and only that it is not frozen lets it be made in a third of the
    time.

    Attributes:
        box: Its rectangle on the page.
        start: Offset of its first character in the text, title, item or cell.
        row: Number of the item or row (`CAPTION`: the table's caption); 0 in any other block.
        column: Column of the cell; 0 in any other block.
    """

    box: Box
    start: int = 0
    row: int = 0
    column: int = 0


Boxes = Sequence[Box] | Sequence[TextBox]
"""Boxes of a block: all of them with their texts' starts, or none."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The boxes of a block, and the offsets of their texts in its Markdown."""

    boxes: tuple[Box, ...]
    starts: tuple[int, ...] = ()

    def moved(self, by: int) -> "Placed":
        """Return the boxes for a text with `by` more characters before it."""
        return Placed(self.boxes, tuple(max(0, start + by) for start in self.starts)) if by else self

    def without(self, spans: Sequence[tuple[int, int]]) -> "Placed":
        """Return the boxes for a text from which these spans were removed."""
        removed = [sum(max(0, min(end, offset) - start) for start, end in spans) for offset in self.starts]
        return Placed(self.boxes, tuple(offset - by for offset, by in zip(self.starts, removed, strict=True)))


def placed(boxes: Boxes, source: str, written: str, prefix: str = "") -> Placed:
    """Return the boxes of a source text, placed in the Markdown written from it.

    Args:
        boxes: Boxes, with starts in `source` if known.
        source: The writer's argument.
        written: Its Markdown: `prefix`, then the source with other white space.
        prefix: The marks that the writer put before the text.
    """
    text_boxes = [box for box in boxes if isinstance(box, TextBox)]
    if not text_boxes:
        return Placed(tuple(box for box in boxes if isinstance(box, Box)))
    starts = positions([text_box.start for text_box in text_boxes], source, written, prefix)
    return Placed(tuple([text_box.box for text_box in text_boxes]), starts)


def positions(starts: Sequence[int], source: str, written: str, prefix: str = "") -> tuple[int, ...]:
    """Return the offsets in the Markdown of offsets in its source text.

    Both have the same characters but for the prefix and white space: offsets correspond if as many characters other
    than white space precede them.
    """
    if written.endswith(source):  # only a prefix was added: the common case, and worth a shortcut for long blocks
        by = len(written) - len(source)
        return tuple([min(start, len(source)) + by for start in starts])
    solid = [index for index, character in enumerate(written) if not character.isspace()] or [0]
    counts = [sum(not character.isspace() for character in prefix)]
    for character in source:
        counts.append(counts[-1] + (not character.isspace()))
    return tuple(solid[min(counts[min(start, len(source))], len(solid) - 1)] for start in starts)


def in_order(positioned: Iterator[tuple[int, Box]]) -> Placed:
    """Return boxes in the order of their texts."""
    ordered = sorted(positioned, key=itemgetter(0))
    return Placed(tuple([box for _, box in ordered]), tuple([start for start, _ in ordered]))
