"""The format at a position of an RTF file, which a group restores at its end."""

from dataclasses import dataclass

from pincite.formats.doc.markup import value
from pincite.formats.rtf.header import Header
from pincite.text.xml_text import escaped


@dataclass(slots=True)
class State:
    """A format.

    Attributes:
        target: Where text goes: `text`, `instruction`, a table of the header, or `skip`.
        skipped: Characters after one in Unicode that repeat it for older programs.
        is_field: True if the group is a field.
        story: True if the group is a story of its own, as a note is.
    """

    target: str = "text"
    skipped: int = 1
    is_field: bool = False
    story: bool = False
    font: int = -1
    size: int = 0
    bold: bool = False
    italic: bool = False
    caps: bool = False
    hidden: bool = False
    deleted: bool = False
    script: str = ""
    colour: int = 0
    background: bool = False
    style: int = 0
    base: int | None = None
    list_number: int = 0
    level: int = 0
    outline: int | None = None
    in_table: bool = False
    depth: int = 1
    shaded: bool = False

    def reset_paragraph(self) -> None:
        """Set the defaults of a paragraph (`pard`)."""
        self.style, self.list_number, self.level, self.outline = 0, 0, 0, None
        self.in_table, self.depth, self.shaded = False, 1, False

    def reset_characters(self) -> None:
        """Set the defaults of characters (`plain`)."""
        self.font, self.size, self.colour, self.script = -1, 0, 0, ""
        self.bold = self.italic = self.caps = self.hidden = self.deleted = self.background = False

    @property
    def tables(self) -> int:
        """The number of tables that the paragraph is in."""
        return self.depth if self.in_table else 0

    def paragraph(self, header: Header) -> str:
        """Return the content of `w:pPr`."""
        parts = [value("pStyle", self.style)] if self.style in header.styles else []
        if self.list_number in header.lists.numbers:
            parts.append(f"<w:numPr>{value('ilvl', self.level)}{value('numId', self.list_number)}</w:numPr>")
        if self.outline is not None:
            parts.append(value("outlineLvl", self.outline))
        return "".join(parts)

    def run(self, header: Header) -> str:
        """Return the `w:rPr`; empty if there is nothing to say."""
        name = header.fonts.get(self.font, "")
        parts = [f'<w:rFonts w:ascii="{escaped(name)}" w:hAnsi="{escaped(name)}"/>'] if name else []
        flags = (("b", self.bold), ("i", self.italic), ("caps", self.caps), ("vanish", self.hidden))
        parts += [f"<w:{tag}/>" for tag, is_set in flags if is_set]
        # In tables and where a background is set every colour is taken for visible.
        if 0 < self.colour < len(header.colours) and not (self.in_table or self.background or self.shaded):
            parts.append(value("color", header.colours[self.colour]))
        parts += [value("sz", self.size)] if self.size else []
        parts += [value("vertAlign", self.script)] if self.script else []
        return f"<w:rPr>{''.join(parts)}</w:rPr>" if parts else ""
