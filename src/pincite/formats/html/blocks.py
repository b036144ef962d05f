"""Group paragraphs and items into blocks: a list, a quotation and a note are one block each."""

import re
from dataclasses import dataclass, field

from pincite.formats.html.events import Attributes
from pincite.formats.html.lists import Counter, counter
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.model.document import BlockKind

MAX_INDENT = 30
"""Maximum levels of lists and quotations that are written as indents or marks."""

_IMAGE = re.compile(r"!\[([^\[\]]*)\](?:\((\S+)\))?")


@dataclass(slots=True)
class _Entry:
    text: str
    depth: int = 0
    label: str = ""


@dataclass(slots=True)
class _OpenBlock:
    """An open list, item, definition, quotation, note or table of contents.

    Attributes:
        kind: Its tag.
        label: The label of an item or a note.
        counter: The counter of an ordered list.
        entry: The text of an item so far; for a `dl`, its last term.
        is_over: True once a block that no list can hold has ended the item: its further text is written after it.
        level: The level of a list whose markup does not nest, or of its item, 0 for the outermost.
        is_described: True for a `dl` whose last term has a definition.
    """

    kind: str
    label: str = ""
    counter: Counter | None = None
    entry: _Entry | None = None
    is_over: bool = False
    level: int | None = None
    is_described: bool = False


@dataclass(slots=True)
class Blocks:
    """Writes blocks from the start and end of elements and the text between."""

    writer: PageWriter
    _open_blocks: list[_OpenBlock] = field(default_factory=list[_OpenBlock])
    _lists: int = 0
    _quotes: int = 0
    _contents: int = 0
    _note: _OpenBlock | None = None
    _kind: BlockKind | None = None
    _role: str = ""
    _pending: list[_Entry] = field(default_factory=list[_Entry])

    def open(self, kind: str, attributes: Attributes) -> None:
        """Begin a list, an item, a quotation or a note."""
        block = _OpenBlock(kind)
        if kind in ("ul", "ol", "dl"):
            self._begin_list(block, attributes)
        elif kind == "li":
            block.label = self._label(attributes)
        elif kind == "item":
            block.label = attributes.get("label") or ""
            block.level = int(attributes.get("level") or 0)
        elif kind == "dd":
            block.entry = self._list_entry()
            block.is_over = block.entry is not None and not self._is_last(block.entry)
        else:
            self._begin_quotation_or_note(block, attributes)
        self._open_blocks.append(block)

    def close(self, kind: str) -> None:
        """End the innermost open block, which is of this kind."""
        block = self._open_blocks.pop()
        if kind in ("ul", "ol", "dl"):
            self._lists -= 1
            # The next level is a list of its own after this one.
            if block.level is None and not self._lists and self._kind in (BlockKind.LIST, BlockKind.CONTENTS):
                self.end()
        elif kind == "dd":
            if self._open_blocks and self._open_blocks[-1].kind == "dl":
                self._open_blocks[-1].is_described = True
        elif kind == "blockquote":
            self._quotes -= 1
            if not self._quotes:
                self.end()
        elif kind == "contents":
            self._contents -= 1
            self.end()
        elif kind == "note" and block is self._note:
            self.end()
            self._note = None

    def paragraph(self, text: str) -> None:
        """Add a paragraph to the innermost open block, or write it if none is open."""
        block = self._open_blocks[-1] if self._open_blocks else None
        item = block if block and block.kind in ("li", "dd", "item") and not block.is_over else None
        if self._note:
            self._add(BlockKind.FOOTNOTE, _Entry(text))
        elif self._quotes:
            self._add(BlockKind.QUOTE, _Entry(text, self._quotes, self._mark(item)))
        elif item:
            self._item(item, text)
        else:
            self.end()
            image = _IMAGE.fullmatch(text)
            if image:
                self.writer.figure(image[1], target=image[2] or "")
            else:
                self.writer.paragraph(text)

    def term(self, text: str) -> None:
        """Add a term of a definition list."""
        term = f"**{text}**"
        owner = self._open_blocks[-1] if self._open_blocks and self._open_blocks[-1].kind == "dl" else None
        if self._note or self._quotes:
            self.paragraph(term)
        elif owner and owner.entry and self._is_last(owner.entry) and not owner.is_described:
            owner.entry.text += f"\n{term}"
        else:
            entry = _Entry(term, self._depth())
            self._add(BlockKind.CONTENTS if self._contents else BlockKind.LIST, entry)
            if owner:
                owner.entry, owner.is_described = entry, False

    def interrupt(self) -> None:
        """Write pending blocks before a heading, table or code, which no list, quotation or note can hold."""
        self.end()
        for block in self._open_blocks[::-1]:
            if block.is_over:
                break
            # What follows the block in its item can no longer be part of the list, which ended before the block.
            block.is_over = block.kind in ("li", "dd", "item")

    def pause(self) -> None:
        """Write the pending block, unless the list, quotation or note around it continues."""
        if not self._open_blocks:
            self.end()

    def end(self) -> None:
        """Write the pending block."""
        kind, entries, role = self._kind, self._pending, self.writer.role
        self._kind, self._pending, self.writer.role = None, [], self._role if self._kind else role
        if kind is BlockKind.FOOTNOTE:
            self.writer.footnote(self._note.label if self._note else "", "\n".join(entry.text for entry in entries))
        elif kind is BlockKind.QUOTE:
            self.writer.block(BlockKind.QUOTE, "\n>\n".join(map(_quoted, entries)))
        elif kind:
            min_depth = min(entry.depth for entry in entries)
            items = (Item(entry.text, min(entry.depth - min_depth, MAX_INDENT), entry.label) for entry in entries)
            self.writer.items(items, kind=kind)
        self.writer.role = role

    def _begin_list(self, block: _OpenBlock, attributes: Attributes) -> None:
        self._lists += 1
        block.counter = counter(attributes) if block.kind == "ol" else None

    def _begin_quotation_or_note(self, block: _OpenBlock, attributes: Attributes) -> None:
        if block.kind == "blockquote":
            if not self._quotes and not self._note:
                self.end()
            self._quotes += 1
        elif block.kind == "contents":
            self.end()
            self._contents += 1
        # A note inside a note belongs to the outer one.
        elif self._note is None:
            self.end()
            block.label = attributes.get("label") or ""
            self._note = block

    def _item(self, block: _OpenBlock, text: str) -> None:
        if block.entry is None:
            depth = self._depth() if block.level is None else block.level
            block.entry = _Entry(text, depth, block.label)
            self._add(BlockKind.CONTENTS if self._contents else BlockKind.LIST, block.entry)
        elif self._is_last(block.entry):
            block.entry.text += f"\n{text}"
            block.is_over = block.kind == "dd"
        else:
            self.end()
            block.is_over = True
            self.writer.paragraph(text)

    def _add(self, kind: BlockKind, entry: _Entry) -> None:
        if kind is not self._kind:
            self.end()
            self._kind, self._role = kind, self.writer.role
        self._pending.append(entry)

    def _is_last(self, entry: _Entry) -> bool:
        return bool(self._pending) and self._pending[-1] is entry

    def _list_entry(self) -> _Entry | None:
        """Return the term that a definition belongs to; None without one, or behind another one's list or table."""
        owner = self._open_blocks[-1] if self._open_blocks else None
        if owner is None or owner.kind != "dl" or owner.entry is None:
            return None
        return None if owner.is_described and not self._is_last(owner.entry) else owner.entry

    def _label(self, attributes: Attributes) -> str:
        owner = self._open_blocks[-1] if self._open_blocks else None
        return owner.counter.label(attributes) if owner and owner.counter else ""

    def _mark(self, item: _OpenBlock | None) -> str:
        """The mark before the first paragraph of an item inside a quotation."""
        if item is None or item.kind != "li" or item.entry:
            return ""
        # Marks the label as written, so that further paragraphs of the item get none.
        item.entry = _Entry("")
        return item.label or "-"

    def _depth(self) -> int:
        return max(0, self._lists - 1)


def _quoted(entry: _Entry) -> str:
    mark = "> " * min(entry.depth, MAX_INDENT)
    text = f"{entry.label} {entry.text}" if entry.label else entry.text
    return "\n".join(mark + line for line in text.split("\n"))
