"""A story of an RTF file as WordprocessingML: paragraphs, and the tables that they form."""

from dataclasses import dataclass, field

from pincite.formats.doc.grid import OpenTable, Row, rows_markup

_MAX_DEPTH = 20
_MAX_CELLS = 63


@dataclass(slots=True)
class RowFormat:
    """The definition of the next row.

    Attributes:
        edges: Right edges of its cells in twips.
        merges: The flags of each cell that is merged with others, as `doc.grid` has them.
        is_header: True if it repeats on every page.
        flags: Those of the cell whose edge comes next.
    """

    edges: list[int] = field(default_factory=list[int])
    merges: list[int] = field(default_factory=list[int])
    is_header: bool = False
    flags: int = 0

    def edge(self, position: int) -> None:
        """End the definition of a cell."""
        if len(self.edges) < _MAX_CELLS:
            self.edges.append(position)
            self.merges.append(self.flags)
        self.flags = 0


@dataclass(slots=True)
class Story:
    """Builder of a story.

    Attributes:
        kind: What it is: `body`, `footnote`, `header`, …
        row: The definition of the next row.
        runs: The runs of the paragraph so far.
        label: Its label, as the file has it for programs that do not know lists.
    """

    kind: str = "body"
    row: RowFormat = field(default_factory=RowFormat)
    runs: list[str] = field(default_factory=list[str])
    label: str = ""
    _levels: list[OpenTable] = field(default_factory=lambda: [OpenTable()])

    def paragraph(self, properties: str, depth: int) -> None:
        """End a paragraph.

        Args:
            properties: The content of its `w:pPr`.
            depth: The number of tables that it is in.
        """
        self._close(min(depth, _MAX_DEPTH))
        while len(self._levels) <= min(depth, _MAX_DEPTH):
            self._levels.append(OpenTable())
        self._levels[-1].content.append(f"<w:p><w:pPr>{properties}</w:pPr>{''.join(self.runs)}</w:p>")
        self.runs.clear()

    def cell(self, properties: str, depth: int) -> None:
        """End a paragraph and its cell."""
        self.paragraph(properties, max(1, depth))
        level = self._levels[-1]
        level.cells.append("".join(level.content))
        level.content.clear()

    def end_row(self, depth: int) -> None:
        """End a row, as its definition says."""
        self._close(min(max(1, depth), _MAX_DEPTH))
        level = self._levels[-1]
        if len(self._levels) == 1 or not level.cells:
            return
        edges, merges = (min([0, *(edge - 1 for edge in self.row.edges)]), *self.row.edges), tuple(self.row.merges)
        if len(edges) != len(level.cells) + 1 or list(edges) != sorted(set(edges)):
            edges, merges = (), ()
        level.rows.append(Row(tuple(level.cells), edges, merges, self.row.is_header))
        level.cells.clear()

    def content(self) -> str:
        """Return the story."""
        if any(self.runs):
            self.paragraph("", 0)
        self._close(0)
        return "".join(self._levels[0].content)

    def _close(self, depth: int) -> None:
        while len(self._levels) > depth + 1:
            level = self._levels.pop()
            rest = "".join(level.content)
            if level.cells:
                level.rows.append(Row((*level.cells, *([rest] if rest else [])), (), (), is_header=False))
                rest = ""
            self._levels[-1].content.append(rows_markup(level.rows) + rest)
