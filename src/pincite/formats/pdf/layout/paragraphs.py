"""Lines as paragraphs and list items."""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.formats.pdf.page.markers import is_bullet, is_label
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Line, Word, is_rtl

LEADING = 1.2
"""Distance of two lines in em, where a page does not show it."""
WIDER = 1.2
"""Lines that are further apart than the page's own leading by this factor are of two paragraphs."""
OTHER_SIZE = 0.06
COLUMN, LEAST_COLUMN = 2.0, 5
"""Lines of one column begin no further apart (em); so many tell where it ends."""
INDENT = 0.8
"""Of a first line, in em."""
_SPACE = 0.5
_ENDS = (".", "!", "?", ":", ";", "”", '"', ")", "。", "؟")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines that belong together.

    Attributes:
        lines: At least one, from the top.
        text: What they say, and where each of them stands.
        alone: Whether nothing stands to the left or right of the first.
    """

    lines: tuple[Line, ...]
    text: PlacedText
    alone: bool = True

    @property
    def words(self) -> Iterator[Word]:
        """Of all its lines."""
        return (word for line in self.lines for word in line.words)

    @property
    def label(self) -> str:
        """The mark or number of a list item; empty for running text."""
        return self.lines[0].words[0].text if _is_item(self.lines[0]) else ""

    @property
    def unlabelled(self) -> PlacedText:
        """Its text without its label."""
        text = self.text.text
        count = len(self.label)
        return self.text.without_prefix(count + len(text[count:]) - len(text[count:].lstrip()))


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines that stand under each other without a gap.

    Attributes:
        right: Right edge of the longest.
    """

    lines: list[Line]
    left: float
    right: float


def paragraphs(
    lines: Sequence[Line], beside: Container[int], say: Callable[[Sequence[Word]], PlacedText]
) -> list[Paragraph]:
    """Lines in reading order as paragraphs.

    Args:
        lines: The lines.
        beside: First characters of the words that have another line beside them.
        say: What words of lines say that follow each other as the page's width breaks them.
    """
    leading = _leading(lines)
    return [
        Paragraph(tuple(part), _text(part, hard, say), part[0].words[0].first not in beside)
        for run in _runs(lines, leading)
        for part, hard in _parts(run, _margin(run, lines))
    ]


def _text(lines: Sequence[Line], hard: Sequence[bool], say: Callable[[Sequence[Word]], PlacedText]) -> PlacedText:
    """Lines as text; a break that the width does not ask for is kept."""
    text, words = PlacedText(), list[Word]()
    for line, ended in zip(lines, (*hard, True), strict=True):
        words += line.words
        if ended:
            text = text.joined(say(words), "\n")
            words = []
    return text


def _leading(lines: Sequence[Line]) -> float:
    """The commonest distance of two lines, in em."""
    steps = Counter(
        round((below.y1 - line.y1) / line.size, 1)
        for line, below in pairwise(lines)
        if _alike(line, below) and line.size and 0.8 < (below.y1 - line.y1) / line.size < 2.5  # noqa: PLR2004 - in em
    )
    common = steps.most_common(1)
    return common[0][0] if common and common[0][1] > 1 else LEADING


def _alike(line: Line, below: Line) -> bool:
    """Whether two lines have one size and stand in one column."""
    return (
        abs(line.size - below.size) <= OTHER_SIZE * max(line.size, below.size)
        and min(line.x1, below.x1) > max(line.x0, below.x0)
        and line.words[0].turns == below.words[0].turns
    )


def _runs(lines: Sequence[Line], leading: float) -> Iterator[_Run]:
    run: list[Line] = []
    for line in lines:
        if run and not (_alike(run[-1], line) and _follows(run[-1], line, leading)):
            yield _run(run)
            run = []
        run.append(line)
    if run:
        yield _run(run)


def _follows(line: Line, below: Line, leading: float) -> bool:
    if line.words[0].turns:
        return True
    step = below.y1 - line.y1
    return 0 < step <= WIDER * leading * max(line.size, below.size)


def _run(lines: list[Line]) -> _Run:
    return _Run(lines, min(line.x0 for line in lines), max(line.x1 for line in lines))


def _margin(run: _Run, lines: Sequence[Line]) -> float:
    """How far lines reach that begin where a run does."""
    column = sorted(line.x1 for line in lines if abs(line.x0 - run.left) <= COLUMN * line.size)
    return column[len(column) * 4 // 5] if len(column) >= LEAST_COLUMN else max(line.x1 for line in lines)


def _parts(run: _Run, margin: float) -> Iterator[tuple[list[Line], list[bool]]]:
    """A run, cut where a paragraph or an item begins; for each line but the last of a part, whether it ends early."""
    part: list[Line] = []
    hard: list[bool] = []
    for line in run.lines:
        if part:
            ended = _has_room(part[-1], line, run.right)
            if _begins(part, line, run, margin, ended=ended):
                yield part, hard
                part, hard = [], []
            else:
                hard.append(ended)
        part.append(line)
    yield part, hard


def _has_room(line: Line, below: Line, right: float) -> bool:
    """Whether the next line's first word had room behind a line."""
    first = below.words[0]
    if any(map(is_rtl, line.words)):
        return False
    return right - line.x1 > first.x1 - first.x0 + _SPACE * line.size


def _begins(part: Sequence[Line], line: Line, run: _Run, margin: float, *, ended: bool) -> bool:
    """Whether a line begins a paragraph of its own."""
    last = part[-1]
    if _changes_style(last, line) or _begins_item(part, line, ended=ended):
        return True
    if _is_whole(last) and _is_whole(line) and abs(last.x0 - line.x0) < 1 and _has_room(last, line, margin):
        return True
    if _is_item(part[0]):
        return False
    stops = last.words[-1].text.endswith(_ENDS)
    if ended and stops and not line.words[0].text[0].islower():
        return True
    indented = line.x0 - run.left > INDENT * line.size and last.x0 - run.left < INDENT * line.size / 2
    return indented and (ended or stops)


def _begins_item(part: Sequence[Line], line: Line, *, ended: bool) -> bool:
    """Whether a line begins an item, or ends the one before."""
    first, item = line.words[0].text, _is_item(part[0])
    if _is_item(line):
        stops = part[-1].words[-1].text.endswith(_ENDS) and not first[0].isdigit()
        return ended or item or stops or (is_bullet(first) and first not in "-–—")
    return item and line.x0 < part[0].words[1].x0 - 0.5 * line.size and (ended or _hangs(part))


def _is_item(line: Line) -> bool:
    first = line.words[0].text
    return len(line.words) > 1 and (is_bullet(first) or is_label(first))


def _hangs(part: Sequence[Line]) -> bool:
    """Whether the lines of an item stand under its text and not under its mark."""
    return len(part) > 1 and part[1].x0 > part[0].x0 + 0.5 * part[0].size


def _changes_style(line: Line, below: Line) -> bool:
    """Whether one of two lines is bold, italic or coloured as a whole, and the other begins or ends differently."""
    return (_is_whole(line) or _is_whole(below)) and _look(line.words[-1]) != _look(below.words[0])


def _look(word: Word) -> tuple[bool, bool, int]:
    return word.bold, word.italic, word.colour


def _is_whole(line: Line) -> bool:
    """Whether all words of a line look the same, and not plain."""
    look = _look(line.words[0])
    return look != (False, False, 0) and all(_look(word) == look for word in line.words)
