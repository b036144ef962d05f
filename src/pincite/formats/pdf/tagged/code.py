"""Code on tagged pages, by its fonts: many programs tag it as any other paragraph, or each line by itself."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from pincite.formats.pdf.layout.code_spacing import parted_by_white
from pincite.formats.pdf.page.code_text import are_evenly_set, can_be_code, code_text, is_indented, is_next_line
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Line, Word, lines_of
from pincite.formats.pdf.tagged.piece import Piece


class PageCode:
    """Code of a page and the text around it.

    Attributes:
        fonts: Fonts of the page's code.
    """

    def __init__(self, contents: Mapping[int, Sequence[Word]], fonts: frozenset[str]) -> None:
        """Begin a page.

        Args:
            contents: Words by marked-content id.
            fonts: Fonts of the page's code.
        """
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

    def text(self, lines: Sequence[Line]) -> PlacedText:
        """Return lines of code with their indents and blank lines."""
        left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
        # The edge of the text may be a margin of all code.
        return code_text(lines, [line.x0 for line in self._code_lines if line.x0 < right and line.x1 > left])

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
        if not (run and piece.code and is_next_line(run[-1], piece.code[0], is_measured=len(run) > 1)):
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
