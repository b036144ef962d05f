"""Boxes on their way into a block: which character of its Markdown each one's text begins with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.model.document import Box

CAPTION = -1
"""The row of a table's caption."""


@dataclass(frozen=True, slots=True)
class TextBox:
    """A box, and where its text begins in what a writer is given.

    Attributes:
        box: Where it stands on the page.
        start: First character, counted in the text, title, item or cell.
        row: Number of the item or row (`CAPTION`: the table's caption); 0 in any other block.
        column: Column of the cell; 0 in any other block.
    """

    box: Box
    start: int = 0
    row: int = 0
    column: int = 0


Boxes = Sequence[Box] | Sequence[TextBox]
"""Boxes of a block; how they share its text is known of all of them or of none."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The boxes of a block, and where their texts begin in its Markdown."""

    boxes: tuple[Box, ...]
    starts: tuple[int, ...] = ()

    def moved(self, by: int) -> "Placed":
        """The same in a text with as many characters before it."""
        return Placed(self.boxes, tuple(max(0, start + by) for start in self.starts)) if by else self

    def without(self, spans: Sequence[tuple[int, int]]) -> "Placed":
        """The same in a text from which these spans were taken."""
        lost = [sum(max(0, min(end, place) - start) for start, end in spans) for place in self.starts]
        return Placed(self.boxes, tuple(place - by for place, by in zip(self.starts, lost, strict=True)))


def placed(boxes: Boxes, given: str, written: str, before: str = "") -> Placed:
    """The boxes of a text in what a writer made of it.

    Args:
        boxes: With starts in `given`, if they are known.
        given: The text that the writer was given.
        written: What it made of it: marks before it, and other white space.
        before: Those marks.
    """
    known = [found for found in boxes if isinstance(found, TextBox)]
    if not known:
        return Placed(tuple(found for found in boxes if isinstance(found, Box)))
    starts = positions([found.start for found in known], given, written, before)
    return Placed(tuple(found.box for found in known), starts)


def positions(starts: Sequence[int], given: str, written: str, before: str = "") -> tuple[int, ...]:
    """Positions of one text in another that says the same after some marks, with other white space.

    They are told by how many characters before them are no white space.
    """
    if written.endswith(given):  # nothing but marks were added: most blocks are so, and many are long
        by = len(written) - len(given)
        return tuple(min(start, len(given)) + by for start in starts)
    solid = [place for place, character in enumerate(written) if not character.isspace()] or [0]
    counts = [sum(not character.isspace() for character in before)]
    for character in given:
        counts.append(counts[-1] + (not character.isspace()))
    return tuple(solid[min(counts[min(start, len(given))], len(solid) - 1)] for start in starts)


def in_order(found: Iterator[tuple[int, Box]]) -> Placed:
    """Boxes by where their texts begin."""
    ordered = sorted(found, key=lambda pair: pair[0])
    return Placed(tuple(box for _, box in ordered), tuple(start for start, _ in ordered))
