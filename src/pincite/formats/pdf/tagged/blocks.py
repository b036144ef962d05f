"""Elements of a structure tree as blocks (ISO 32000-1, 14.8.4)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pincite.formats.pdf.page.hyphens import breaks_words
from pincite.formats.pdf.page.placed_text import PlacedText, text_of
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tagged.structure import Element
from pincite.formats.pdf.tagged.tables import TaggedTable, header_of, read_table
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import BlockKind

_HEADING = re.compile(r"h(?:eading)?[ _]?([1-9])", re.IGNORECASE)
_INLINE = frozenset({
    *("Span", "Em", "Strong", "Sub", "Quote", "Code", "Lbl", "Formula", "Form", "Link", "Annot", "Reference"),
    *("BibEntry", "Ruby", "RB", "RT", "RP", "Warichu", "WT", "WP"),
})  # fmt: skip
_SECTIONS = frozenset({"Sect", "Part", "Art"})
_GROUPS = frozenset({"Document", "DocumentFragment", "Part", "Art", "Sect", "Div", "NonStruct", "BlockQuote", "Aside"})
_ASIDE_OF_TEXT = frozenset({"Note", "FENote", "Figure"})
"""What may stand in the middle of a paragraph without ending it."""
_KINDS = {"Note": BlockKind.FOOTNOTE, "FENote": BlockKind.FOOTNOTE, "Code": BlockKind.CODE}
_BULLET = re.compile(r"[•◦▪▫●○■□‣\u2043∙·–—*o§\uf000-\uf0ff-](?=\s|$)\s*")
_LABEL = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*[.)]?|\(?(?:[A-Za-z]|[ivxIVX]{1,5}|\d{1,3})[.)])(?=\s)\s*")
_LEADERS = re.compile(r"\s*(?:[.…·_] ?){4,}\s*")
_LETTERS = re.compile(r"[\W_]+")
_UNREADABLE = re.compile("[\0\ufffd\ue000-\uf8ff]")


@dataclass(slots=True)
class Piece:
    """A block on its way to the writer.

    Attributes:
        kind: What it is.
        text: Its text, if it is neither a list nor a table.
        level: Of a heading.
        items: Of a list, each with its text's places.
        table: A table.
    """

    kind: BlockKind
    text: PlacedText = field(default_factory=PlacedText)
    level: int = 0
    items: Sequence[tuple[Item, PlacedText]] = ()
    table: TaggedTable | None = None

    @property
    def top(self) -> float | None:
        """Where on the page it begins, if that is known."""
        return min((found.box.y0 for found in self._boxes()), default=None)

    def write(self, writer: PageWriter) -> None:
        """Write it as a block."""
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


class Blocks:
    """Makes the blocks of one page."""

    def __init__(self, contents: Mapping[int, Sequence[Word]], before: tuple[str, ...]) -> None:
        """Begin a page.

        Args:
            contents: Its words by marked content.
            before: The header of a table with which the page before ended.
        """
        self.pieces: list[Piece] = []
        self._contents = dict(contents)
        self._before = before
        self._said: dict[int, str] = {}
        self._breaks = breaks_words(word for words in contents.values() for word in words)

    def add(self, element: Element, depth: int = 0) -> None:
        """The blocks of an element."""
        level = self._level(element, depth)
        if level:
            self._put(Piece(BlockKind.HEADING, self._text(element), level))
        elif element.kind == "L":
            self._list(element)
        elif element.kind == "Table":
            self._table(element)
        elif element.kind in ("TOC", "Index"):
            self._put(Piece(BlockKind.CONTENTS, self._entries(element)))
        elif element.kind == "Figure":
            self._figure(element)
        elif element.kind == "BlockQuote":
            self._quote(element)
        elif element.kind in _KINDS and not _has_blocks(element):
            between = "\n" if element.kind == "Code" else " "
            self._put(Piece(_KINDS[element.kind], self._text(element, between)))
        else:
            self._container(element, depth + (element.kind in _SECTIONS))

    def _put(self, piece: Piece) -> None:
        if piece.text.text.strip() or piece.items or piece.table:
            self.pieces.append(piece)

    def _container(self, element: Element, depth: int) -> None:
        """What stands in an element: blocks, and runs of text between them as paragraphs."""
        run: list[Element | int] = []
        beside: list[Element] = []
        for child in element.children:
            if isinstance(child, int) or (_is_inline(child) and not (child.kind == "Code" and element.kind in _GROUPS)):
                run.append(child)
            elif child.kind in _ASIDE_OF_TEXT and element.kind not in _GROUPS:
                beside.append(child)
            else:
                self._paragraph(run, element)
                run = []
                self.add(child, depth)
        self._paragraph(run, element)
        for child in beside:
            self.add(child, depth)

    def _paragraph(self, run: Sequence[Element | int], owner: Element) -> None:
        whole = len(run) == len(owner.children)
        self._put(
            Piece(BlockKind.PARAGRAPH, self._text(replace(owner, children=tuple(run), actual=owner.actual * whole)))
        )

    @staticmethod
    def _level(element: Element, depth: int) -> int:
        """The level of a heading; 0 for anything else. One without a number is as deep as the sections around it."""
        if element.kind == "Title":
            return 1
        if element.kind == "H":
            return max(1, depth)
        match = _HEADING.fullmatch(element.kind)
        return int(match[1]) if match else 0

    def _text(self, element: Element, between: str = " ") -> PlacedText:
        return text_of(self._words(element), between, self._said, breaks=self._breaks)

    def _words(self, element: Element) -> Iterator[Word]:
        """The words of an element, each content once; what they say instead of themselves is noted."""
        if element.actual:
            words = [word for content in element.contents() for word in self._contents.pop(content, ())]
            self._said |= _instead(element.actual, words)
            yield from words
            return
        for child in element.children:
            if isinstance(child, int):
                yield from self._contents.pop(child, ())
            else:
                yield from self._words(child)

    def _figure(self, element: Element) -> None:
        self._put(Piece(BlockKind.FIGURE, PlacedText(" ".join(element.alternative.split()))))
        self._put(Piece(BlockKind.FIGURE, self._text(element)))

    def _quote(self, element: Element) -> None:
        first = len(self.pieces)
        self._container(element, 0)
        for piece in self.pieces[first:]:
            if piece.kind is BlockKind.PARAGRAPH:
                piece.kind = BlockKind.QUOTE
                piece.text = PlacedText("> ").joined(piece.text, "")

    def _entries(self, element: Element) -> PlacedText:
        """A table of contents, an entry a line."""
        found = PlacedText()
        for child in element.children:
            if isinstance(child, Element) and (child.kind in ("TOC", "Index") or _holds(child, "TOC")):
                found = found.joined(self._entries(child), "\n")
            else:
                entry = self._text(child if isinstance(child, Element) else Element("TOCI", (child,)))
                found = found.joined(_without_leaders(entry), "\n")
        return found

    def _table(self, element: Element) -> None:
        read = read_table(element, self._cell, self._in_file_order)
        if read is None:
            return
        goes_on = not self.pieces and self._before and header_of(read.table) == self._before
        table = replace(read.table, continued=True) if goes_on else read.table
        self._put(Piece(BlockKind.TABLE, table=replace(read, table=table)))

    def _cell(self, element: Element) -> PlacedText:
        """The text of a cell, a line for each block in it."""
        found, run = PlacedText(), list[Element | int]()
        for child in element.children:
            if isinstance(child, int) or _is_inline(child):
                run.append(child)
                continue
            found = found.joined(self._text(Element("P", tuple(run))), "\n")
            run = []
            inner = self._cell(child) if _has_blocks(child) else self._text(child)
            found = found.joined(inner, " " if child.kind == "LBody" else "\n")
        return found.joined(self._text(Element("P", tuple(run))), "\n")

    def _in_file_order(self, element: Element) -> str:
        words = {word.first: word for content in element.contents() for word in self._contents.get(content, ())}
        return text_of([words[first] for first in sorted(words)], "\n", self._said).text

    def _list(self, element: Element) -> None:
        items: list[tuple[Item, PlacedText]] = []
        self._items(element, 0, items)
        self._flush(items)

    def _flush(self, items: list[tuple[Item, PlacedText]]) -> None:
        self._put(Piece(BlockKind.LIST, items=tuple(items)))
        items.clear()

    def _items(self, element: Element, depth: int, items: list[tuple[Item, PlacedText]]) -> None:
        for child in element.children:
            if not isinstance(child, Element):
                self._item((child,), depth, items)
            elif child.kind == "L":
                self._items(child, depth + 1, items)
            else:
                self._entry(child, depth, items)

    def _entry(self, element: Element, depth: int, items: list[tuple[Item, PlacedText]]) -> None:
        """An item (`LI`), or what stands in its place: its own text, then the lists and tables in it."""
        run: list[Element | int] = []
        for child in _unfolded(element):
            if isinstance(child, Element) and child.kind == "L":
                self._item(run, depth, items)
                run = []
                self._items(child, depth + 1, items)
            elif isinstance(child, Element) and child.kind in ("Table", "Figure"):
                self._item(run, depth, items)
                run = []
                self._flush(items)
                self.add(child)
            else:
                run.append(child)
        self._item(run, depth, items)

    def _item(self, run: Iterable[Element | int], depth: int, items: list[tuple[Item, PlacedText]]) -> None:
        parts = list(run)
        labels = [child for child in parts if isinstance(child, Element) and child.kind == "Lbl"]
        body = [child for child in parts if not (isinstance(child, Element) and child.kind == "Lbl")]
        text = self._text(Element("LI", tuple(labels))).joined_on_line(self._text(Element("LI", tuple(body))))
        if not text.text.strip():
            return
        label = ""
        bullet = _BULLET.match(text.text)
        if bullet:
            text = text.without_prefix(bullet.end())
        elif found := _LABEL.match(text.text):
            label, text = found[0].strip(), text.without_prefix(found.end())
        items.append((Item(text.text, depth, label), text))


def _unfolded(element: Element) -> Iterator[Element | int]:
    """What stands in an item, its `LBody` and `Div` opened."""
    for child in element.children:
        if isinstance(child, Element) and child.kind in ("LBody", "LI", "Div", "Sect", "NonStruct"):
            yield from _unfolded(child)
        else:
            yield child


def _is_inline(element: Element) -> bool:
    return element.kind in _INLINE and not _has_blocks(element)


def _has_blocks(element: Element) -> bool:
    return any(isinstance(child, Element) and not _is_inline(child) for child in element.children)


def _holds(element: Element, kind: str) -> bool:
    return any(isinstance(child, Element) and child.kind == kind for child in element.children)


def _without_leaders(text: PlacedText) -> PlacedText:
    """An entry of a table of contents without the dots before its page number."""
    match = _LEADERS.search(text.text)
    if not match:
        return text
    cut = f"{text.text[: match.start()]} {text.text[match.end() :]}".strip()
    return PlacedText(cut, tuple(replace(box, start=min(box.start, len(cut))) for box in text.boxes))


def _instead(actual: str, words: Sequence[Word]) -> dict[int, str]:
    """What words say by `ActualText`: only where it is the same in other characters, or they cannot be read."""
    shown = "".join(word.text for word in words)
    same = _LETTERS.sub("", actual).casefold() == _LETTERS.sub("", shown).casefold()
    if not words or not (same or _UNREADABLE.search(shown)):
        return {}
    return {word.first: actual.strip() if number == 0 else "" for number, word in enumerate(words)}
