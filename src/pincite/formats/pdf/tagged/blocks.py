"""Conversion of structure elements to blocks (ISO 32000-1, 14.8.4)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pincite.formats.pdf.layout.headings import MAX_HEADING_CHARS
from pincite.formats.pdf.page.hyphens import Hyphenation
from pincite.formats.pdf.page.placed_text import PlacedText, text_of
from pincite.formats.pdf.page.word_repairs import in_line_order
from pincite.formats.pdf.page.words import Line, Word, lines_of
from pincite.formats.pdf.tables.draft import NON_WORD
from pincite.formats.pdf.tagged.code import PageCode, join_code
from pincite.formats.pdf.tagged.structure import (
    Element,
    child_elements,
    descendants,
    flatten,
    has_blocks,
    has_child,
    heading_kind,
    is_inline,
)
from pincite.formats.pdf.tagged.tables import Piece, header_key, read_table, title_rows, without_rows
from pincite.formats.writing.page_writer import Item
from pincite.model.document import BlockKind

_SECTIONS = frozenset({"Sect", "Part", "Art"})
"""Types that make an unnumbered `H` in them one level deeper."""
_GROUPS = frozenset({"Document", "DocumentFragment", "Part", "Art", "Sect", "Div", "NonStruct", "BlockQuote", "Aside"})
"""Grouping types (14.8.4.2), whose inline content is paragraphs of its own."""
_FLOATING = frozenset({"Note", "FENote", "Figure"})
"""Elements inside a paragraph that are moved behind it instead of ending it."""
_KINDS = {"Note": BlockKind.FOOTNOTE, "FENote": BlockKind.FOOTNOTE}
"""Block kinds of elements without blocks in them."""
_BULLET = re.compile(r"[•◦▪▫●○■□‣\u2043∙·–—*o§\uf000-\uf0ff-](?=\s|$)\s*")
"""Bullet before an item, including private-use characters of symbol fonts."""
_LABEL = re.compile(r"(?:\d{1,3}(?:\.\d{1,3})*[.)]?|\(?(?:[A-Za-z]|[ivxIVX]{1,5}|\d{1,3})[.)])(?=\s)\s*")
"""Number before an item."""
_LEADERS = re.compile(r"\s*(?:[.…·_] ?){4,}\s*")
_UNREADABLE = re.compile("[\0\ufffd\ue000-\uf8ff]")
"""Characters without a meaning, which `ActualText` may replace by any text."""


LevelOf = Callable[[Sequence[Word]], int]
"""The level of a heading by its words; 0 for one that is printed as text is."""


class Blocks:
    """Builder of the blocks of one page."""

    def __init__(
        self,
        contents: Mapping[int, Sequence[Word]],
        previous_header: tuple[str, ...],
        hyphenation: Hyphenation,
        code_fonts: frozenset[str] = frozenset(),
        level_of: LevelOf | None = None,
    ) -> None:
        """Begin a page.

        Args:
            contents: Words by marked-content id.
            previous_header: `header_key` of the table at the end of the previous page; empty for none.
            hyphenation: What is known about the page's hyphens.
            code_fonts: Fonts of the page's code.
            level_of: The level of headings by their print, where the tags have one for all.
        """
        self.pieces: list[Piece] = []
        self._contents = dict(contents)
        self._previous_header = previous_header
        self._replacements: dict[int, str] = {}
        self._hyphenation = hyphenation
        self._code = PageCode(contents, code_fonts)
        self._level_of = level_of

    def add(self, element: Element, depth: int = 0) -> None:
        """Append the blocks of an element; `depth` counts the sections around it."""
        level = self._level(element, depth)
        if level:
            self._heading(element, level)
        elif element.kind == "L":
            self._list(element)
        elif element.kind == "Table":
            self._table(element)
        elif element.kind in ("TOC", "Index"):
            self._append(Piece(BlockKind.CONTENTS, self._entries(element)))
        elif element.kind == "Figure":
            self._figure(element)
        elif element.kind == "BlockQuote":
            self._quote(element)
        elif element.kind == "Code" and all(one.kind == "P" or is_inline(one) for one in child_elements(element)):
            lines = lines_of(self._words(element))
            self._append(Piece(BlockKind.CODE, self._code.text(lines) if lines else PlacedText()))
        elif self._is_code_of_lines(element):
            self._append(Piece(BlockKind.CODE, self._code.text(lines_of(self._words(element)))))
        elif element.kind in _KINDS and not has_blocks(element):
            self._append(Piece(_KINDS[element.kind], self._text(element)))
        else:
            self._container(element, depth + (element.kind in _SECTIONS))

    def _heading(self, element: Element, level: int) -> None:
        words = self._words(element)
        text = text_of(words, " ", self._replacements, self._hyphenation)
        # Some programs tag the text below a heading as a part of it, or as one.
        if len(text.text) > MAX_HEADING_CHARS:
            self._append(Piece(BlockKind.PARAGRAPH, text))
        else:
            self._append(Piece(BlockKind.HEADING, text, (self._level_of and self._level_of(words)) or level))

    def _append(self, piece: Piece) -> None:
        if piece.text.text.strip() or piece.items or piece.table:
            self.pieces.append(piece)

    def _container(self, element: Element, depth: int) -> None:
        """Append the blocks in an element, and the inline content between them as paragraphs."""
        run: list[Element | int] = []
        floating: list[Element] = []
        for child in element.children:
            # These are blocks in a grouping element and inline in a paragraph.
            is_block = element.kind in _GROUPS and not isinstance(child, int) and child.kind in ("Code", "NonStruct")
            if isinstance(child, int) or (is_inline(child) and not is_block):
                run.append(child)
            elif child.kind in _FLOATING and element.kind not in _GROUPS:
                floating.append(child)
            else:
                self._paragraph(run, element)
                run = []
                self.add(child, depth)
        self._paragraph(run, element)
        for child in floating:
            self.add(child, depth)

    def _paragraph(self, run: Sequence[Element | int], owner: Element) -> None:
        whole = len(run) == len(owner.children)
        element = replace(owner, children=tuple(run), actual=owner.actual * whole)
        code = self._code_lines_of(element)
        if code:
            # Several lines that are no paragraph are a block of their own.
            is_group = element.kind != "P"
            is_part = not is_group or len(code) == 1
            piece = Piece(BlockKind.CODE, self._code.text(code), code=code if is_part else (), is_group=is_group)
            self._append(piece)
            return
        words = self._words(element)
        self._append(Piece(BlockKind.PARAGRAPH, text_of(words, " ", self._replacements, self._hyphenation)))

    def _code_lines_of(self, element: Element) -> list[Line]:
        """Consume a paragraph that is code by its fonts, which some programs tag as any other; empty for other ones."""
        words = self._words_in(element)
        is_code = self._code.is_paragraph(words, self.pieces[-1] if self.pieces else None)
        return lines_of(self._words(element)) if is_code else []

    def _is_code_of_lines(self, element: Element) -> bool:
        """Return True for code whose lines are elements of their own: Chromium tags those that a style sets apart."""
        if not self._code.fonts or element.kind not in _GROUPS:
            return False
        # Content without words is the ground.
        parts = [child for child in element.children if not isinstance(child, int) or self._contents.get(child)]
        if len(parts) < 2 or not all(isinstance(child, int) or is_inline(child) for child in parts):  # noqa: PLR2004 - parts
            return False
        words = self._words_in(element)
        return self._code.are_lines(words) or self._code.is_line(words)

    def join_code(self, leadings: dict[float, float]) -> None:
        """Join lines of code that are blocks of their own; see `join_code`."""
        self.pieces = join_code(self.pieces, self._code, leadings)

    @staticmethod
    def _level(element: Element, depth: int) -> int:
        """Return the level of a heading, 0 for other elements; an unnumbered `H` has the depth of its sections."""
        if element.kind == "H":
            return max(1, depth)
        return heading_kind(element.kind)

    def _text(self, element: Element, between: str = " ") -> PlacedText:
        return text_of(self._words(element), between, self._replacements, self._hyphenation)

    def _words(self, element: Element) -> list[Word]:
        """Return the words of an element and record their `ActualText`; consumes content, which is written once."""
        return in_line_order(list(self._tagged_words(element)))

    def _tagged_words(self, element: Element) -> Iterator[Word]:
        if element.actual:
            words = [word for content in element.content_ids() for word in self._contents.pop(content, ())]
            self._replacements |= _actual_text(element.actual, words)
            yield from words
            return
        for child in element.children:
            if isinstance(child, int):
                yield from self._contents.pop(child, ())
            else:
                yield from self._tagged_words(child)

    def _words_in(self, element: Element) -> list[Word]:
        """Return the words of an element without consuming them."""
        return [word for content in element.content_ids() for word in self._contents.get(content, ())]

    def _figure(self, element: Element) -> None:
        self._append(Piece(BlockKind.FIGURE, PlacedText(" ".join(element.alternative.split()))))
        self._append(Piece(BlockKind.FIGURE, self._text(element)))

    def _quote(self, element: Element) -> None:
        first = len(self.pieces)
        self._container(element, 0)
        for piece in self.pieces[first:]:
            if piece.kind is BlockKind.PARAGRAPH:
                piece.kind = BlockKind.QUOTE
                piece.text = PlacedText("> ").joined(piece.text, "")

    def _entries(self, element: Element) -> PlacedText:
        """Return the text of a table of contents, one line for each entry."""
        joined = PlacedText()
        for child in element.children:
            if isinstance(child, Element) and (child.kind in ("TOC", "Index") or has_child(child, "TOC")):
                joined = joined.joined(self._entries(child), "\n")
            else:
                entry = self._text(child if isinstance(child, Element) else Element("TOCI", (child,)))
                joined = joined.joined(_without_leaders(entry), "\n")
        return joined

    def _table(self, element: Element) -> None:
        titles = title_rows(element, self._words_in)
        for row, level in titles:
            self._append(Piece(BlockKind.HEADING, self._text(row), level))
        if titles:
            element = without_rows(element, {id(row) for row, _ in titles})
        tagged = read_table(element, self._cell, self._in_file_order)
        if tagged is None:
            return
        # Only the first block of a page can continue the table before it.
        is_continued = not self.pieces and self._previous_header and header_key(tagged.table) == self._previous_header
        table = replace(tagged.table, continued=True) if is_continued else tagged.table
        self._append(Piece(BlockKind.TABLE, table=replace(tagged, table=table)))

    def _cell(self, element: Element) -> PlacedText:
        """Return the text of a cell, one line for each block in it."""
        joined, run = PlacedText(), list[Element | int]()
        for child in element.children:
            if isinstance(child, int) or is_inline(child):
                run.append(child)
                continue
            joined = joined.joined(self._text(Element("P", tuple(run))), "\n")
            run = []
            block_text = self._cell(child) if has_blocks(child) else self._text(child)
            # Label and body of a list item are one line.
            joined = joined.joined(block_text, " " if child.kind == "LBody" else "\n")
        return joined.joined(self._text(Element("P", tuple(run))), "\n")

    def _in_file_order(self, element: Element) -> str:
        words = {word.first: word for word in self._words_in(element)}
        return text_of([words[first] for first in sorted(words)], "\n", self._replacements).text

    def _list(self, element: Element) -> None:
        items: list[tuple[Item, PlacedText]] = []
        self._items(element, 0, items)
        self._flush(items)

    def _flush(self, items: list[tuple[Item, PlacedText]]) -> None:
        self._append(Piece(BlockKind.LIST, items=tuple(items)))
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
        """Append an item (`LI`, or another child of a list): its own text, then nested lists, tables and figures."""
        run: list[Element | int] = []
        blocks = self._code_in_item(element)
        for child in flatten(element, blocks):
            if isinstance(child, Element) and child.kind == "L":
                self._item(run, depth, items)
                run = []
                self._items(child, depth + 1, items)
            elif isinstance(child, Element) and (child.kind in ("Table", "Figure") or id(child) in blocks):
                self._item(run, depth, items)
                run = []
                self._flush(items)
                self._code.in_item = True
                self.add(child)
                self._code.in_item = False
            else:
                run.append(child)
        self._item(run, depth, items)

    def _code_in_item(self, element: Element) -> set[int]:
        """Return the identities of the elements in an item that are blocks of code."""
        if not self._code.fonts:
            return set()
        rows = self._code.rows(self._words_in(element))
        inner = (child for child in descendants(element) if child.kind in ("Code", "NonStruct", "Div", "P"))
        return {id(child) for child in inner if self._code.is_alone(self._words_in(child), rows)}

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
        elif match := _LABEL.match(text.text):
            label, text = match[0].strip(), text.without_prefix(match.end())
        items.append((Item(text.text, depth, label), text))


def _without_leaders(text: PlacedText) -> PlacedText:
    """Replace the dot leaders of a table of contents' entry by a space."""
    match = _LEADERS.search(text.text)
    if not match:
        return text
    cut = f"{text.text[: match.start()]} {text.text[match.end() :]}".strip()
    return PlacedText(cut, tuple(replace(box, start=min(box.start, len(cut))) for box in text.boxes))


def _actual_text(actual: str, words: Sequence[Word]) -> dict[int, str]:
    """Return replacements by `ActualText`, only if it has the same letters or the words are unreadable.

    Any other replacement could say something else than the page shows.
    """
    shown = "".join(word.text for word in words)
    has_same_letters = NON_WORD.sub("", actual).casefold() == NON_WORD.sub("", shown).casefold()
    if not words or not (has_same_letters or _UNREADABLE.search(shown)):
        return {}
    return {word.first: actual.strip() if number == 0 else "" for number, word in enumerate(words)}
