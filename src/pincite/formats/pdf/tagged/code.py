"""Code on tagged pages, by its fonts: many programs tag it as any other paragraph, or each line by itself."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, pairwise, takewhile

from pincite.formats.pdf.layout.code import parted_by_white
from pincite.formats.pdf.page.code_text import are_evenly_set, can_be_code, code_text, is_indented, is_next_line
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Line, Word, lines_of
from pincite.formats.pdf.tagged.tables import Piece


class PageCode:
    """Code of a page and the text around it.

    Attributes:
        fonts: Fonts of the page's code.
        in_item: True while an item of a list is read.
    """

    def __init__(self, contents: Mapping[int, Sequence[Word]], fonts: frozenset[str]) -> None:
        """Begin a page.

        Args:
            contents: Words by marked-content id.
            fonts: Fonts of the page's code.
        """
        self.in_item = False
        self._contents = dict(contents)
        self.fonts = fonts

    def is_paragraph(self, words: Sequence[Word], last: Piece | None) -> bool:
        """Return True if a paragraph is code.

        Args:
            words: Its words.
            last: The block before it.
        """
        if not words or not self._are_all_code(words):
            return False
        lines = lines_of(words)
        is_shown = last is not None and last.text.text.endswith(":")
        can_be = is_shown or len(lines) > 1 or can_be_code(lines[0].text)
        if can_be or is_indented(lines, self._column_edge(lines)):
            return True
        # It goes on code right above it.
        return last is not None and bool(last.code) and is_next_line(last.code[-1], lines[0])

    def are_lines(self, words: Sequence[Word]) -> bool:
        """Return True for words that are lines of code, one below the other."""
        return self._are_all_code(words) and are_evenly_set(lines_of(words))

    def is_line(self, words: Sequence[Word]) -> bool:
        """Return True for words that are one line of code."""
        if not words or not self._are_all_code(words):
            return False
        lines = lines_of(words)
        return len(lines) == 1 and can_be_code(lines[0].text)

    @staticmethod
    def rows(words: Iterable[Word]) -> list[tuple[float, int]]:
        """Return the middle heights of words, with their first characters, from the top."""
        return sorted(((word.y0 + word.y1) / 2, word.first) for word in words)

    def is_alone(self, words: Sequence[Word], rows: Sequence[tuple[float, int]]) -> bool:
        """Return True for code next to which no other words are.

        Args:
            words: Its words.
            rows: What `rows` returns for all words around it.
        """
        if not words or not self._are_all_code(words):
            return False
        top, bottom = min(word.y0 for word in words), max(word.y1 for word in words)
        own = {word.first for word in words}
        level = takewhile(lambda row: row[0] <= bottom, islice(rows, bisect_left(rows, (top, -1)), None))
        is_shared = any(first not in own for _, first in level)
        return not is_shared and len(own) < len(rows)

    def text(self, lines: Sequence[Line]) -> PlacedText:
        """Return lines of code with their indents and blank lines."""
        first, *others = _by_columns(lines)
        left, right = min(line.x0 for line in first), max(line.x1 for line in first)
        # The edge of the text may be a margin of all code. That of an item is the list's.
        text = code_text(
            first,
            [line.x0 for line in self._code_lines if line.x0 < right and line.x1 > left] if not self.in_item else (),
        )
        for part in others:
            edges = self._column_edge(part)
            start = edges[0] + left - self._column_edge(first)[0] if edges and self._column_edge(first) else None
            text = text.joined(code_text(part, left=start), "\n")
        return text

    def _are_all_code(self, words: Iterable[Word]) -> bool:
        return all(word.font in self.fonts for word in words)

    def _column_edge(self, lines: Sequence[Line]) -> list[float]:
        """Return the left edge of most lines of text in the column of lines of code."""
        left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
        edges = Counter(round(line.x0, 1) for line in self._text_lines if line.x0 < right and line.x1 > left)
        return [edge for edge, _ in edges.most_common(1)]

    @cached_property
    def _text_lines(self) -> list[Line]:
        """The lines of the page that are no code."""
        text = (word for word in self._words if word.font not in self.fonts)
        return lines_of(sorted(text, key=lambda word: word.first))

    @cached_property
    def _code_lines(self) -> list[Line]:
        """The lines of the page that begin with code."""
        lines = lines_of(sorted(self._words, key=lambda word: word.first))
        return [line for line in lines if line.words[0].font in self.fonts]

    @property
    def _words(self) -> Iterator[Word]:
        return (word for content in self._contents.values() for word in content)


def _by_columns(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Yield the parts of a block in each column of the page."""
    start = 0
    for number, (line, below) in enumerate(pairwise(lines), 1):
        if below.y1 < line.y0 and below.x0 > line.x0:
            yield lines[start:number]
            start = number
    yield lines[start:]


def join_code(pieces: Sequence[Piece], code: PageCode, leadings: dict[float, float]) -> list[Piece]:
    """Join lines of code that are blocks of their own: office programs tag each line as a paragraph.

    Args:
        pieces: The blocks of a page.
        code: Its code.
        leadings: Distance of two adjoining lines of code by font size, to which this page's are added.
    """
    runs: dict[int, list[Line]] = {}
    run: list[Line] = []
    for number, piece in enumerate(pieces):
        # Paragraphs and groups are parts of one block only without white between them.
        is_measured = len(run) > 1 and piece.is_group == pieces[number - 1].is_group
        if not (run and piece.code and is_next_line(run[-1], piece.code[0], is_measured=is_measured)):
            run = []
            runs[number] = run
        run += piece.code
    runs = {number: run for number, run in runs.items() if run}
    blocks = dict(zip(runs, parted_by_white(list(runs.values()), leadings), strict=True))
    joined: list[Piece] = []
    for number, piece in enumerate(pieces):
        joined += [replace(piece, text=code.text(part), code=part) for part in blocks.get(number, ())]
        joined += [] if piece.code else [piece]
    return joined
