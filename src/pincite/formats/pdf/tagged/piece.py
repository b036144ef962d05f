"""Blocks of a tagged page before they are written."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tagged.tables import TaggedTable
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import BlockKind


@dataclass(slots=True)
class Piece:
    """A block to be written.

    Attributes:
        kind: Block kind.
        text: Text with boxes, except for lists and tables.
        level: Heading level; 0 for other kinds.
        items: List items, each with its placed text.
        table: The table, for tables only.
        code: Lines of a paragraph that is code by its fonts: it may be a part of a block.
        is_group: True for such a line that is tagged as a group.
    """

    kind: BlockKind
    text: PlacedText = field(default_factory=PlacedText)
    level: int = 0
    items: Sequence[tuple[Item, PlacedText]] = ()
    table: TaggedTable | None = None
    code: Sequence[Line] = ()
    is_group: bool = False

    @property
    def top(self) -> float | None:
        """Top edge on the page in points; None for a block without boxes."""
        return min((line.box.y0 for line in self._boxes()), default=None)

    def write(self, writer: PageWriter) -> None:
        """Write the block."""
        text, boxes = self.text.text, tuple(self._boxes())
        if self.table:
            writer.table(self.table.table, boxes=boxes)
        elif self.kind is BlockKind.HEADING:
            writer.heading(self.level, text, boxes=boxes)
        elif self.kind is BlockKind.LIST:
            writer.items([item for item, _ in self.items], boxes=boxes)
        elif self.kind is BlockKind.CODE:
            writer.code(text, boxes=boxes)
        elif self.kind is BlockKind.FIGURE and not boxes:
            writer.figure(text)
        else:
            writer.block(self.kind, text, boxes=boxes)

    def _boxes(self) -> Iterator[TextBox]:
        if self.table:
            return iter(self.table.boxes)
        if self.items:
            return (box for row, (_, text) in enumerate(self.items) for box in text.boxes_at(row))
        return iter(self.text.boxes)
