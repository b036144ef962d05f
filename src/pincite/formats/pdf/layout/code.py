"""Code on untagged pages: lines in a monospaced font, with their indents and blank lines."""

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.formats.pdf.page.code_text import code_text
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Line, Word, lines_of

MIN_OTHER_SHARE = 0.1
"""Share of a page's characters in other fonts from which monospaced ones are code, and not the page's type."""
MAX_STEP_EM = 3.5
"""Distance of two lines of one block: a blank line or two may be between them."""
MIN_SHARED_LINES = 3
"""Lines of code next to other text, as in a column; fewer may be cells of a table."""
MIN_CHARS = 3
"""Characters of a single line of code; fewer are a label of a figure."""
MAX_TEXT_LEADING_EM = 1.3
"""Distance of two lines of a paragraph; code is further from the text around it."""
MAX_FONT_NAMES = 1024
"""Font names whose kind is kept."""
_ADDRESS = re.compile(r"\S+@\S+|(?:https?://|www\.)\S+(?:\s+\d+\.)?")

_MONOSPACED = re.compile(
    r"mono|courier|consol|menlo|typewriter|inconsolata|fixed|terminal|sourcecode|firacode|cascadia|jetbrains|"
    r"^(?:cm|ec|lm|sf)\w{0,2}tt|nimbusmon|lettergothic|andale|hack-|ocr-?b",
    re.IGNORECASE,
)
"""Names of monospaced fonts, those of TeX included."""


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A block of code.

    Attributes:
        text: Its lines, with their indents, and a box for each.
        words: All its words.
    """

    text: PlacedText
    words: tuple[Word, ...]


@lru_cache(MAX_FONT_NAMES)
def is_monospaced(font: str) -> bool:
    """Return True if the name of a font is that of a monospaced one."""
    return _MONOSPACED.search(font) is not None


def has_code_font(words: Iterable[Word]) -> bool:
    """Return True if any of the words is in a monospaced font; most pages have none."""
    return any(map(is_monospaced, {word.font for word in words}))


def code_blocks(words: Sequence[Word], shared: Container[int]) -> list[CodeBlock]:
    """Return the blocks of code of a page, in file order.

    Args:
        words: Visible words of the page, in file order.
        shared: Words, by first character, whose visual row has more words than their line.
    """
    upright = [word for word in words if not word.turns]
    monospaced = set(filter(is_monospaced, {word.font for word in upright}))
    other = sum(len(word.text) for word in upright if word.font not in monospaced)
    total = sum(len(word.text) for word in upright)
    if not monospaced or other < MIN_OTHER_SHARE * total:
        return []
    lines = lines_of(upright)
    return [
        _block(lines[run.start : run.stop])
        for run in _runs(lines, monospaced)
        if len(run) >= MIN_SHARED_LINES
        or not (
            any(lines[number].words[0].first in shared for number in run)
            or (len(run) == 1 and _is_part_of_text(lines, run.start))
        )
    ]


def _runs(lines: Sequence[Line], monospaced: Container[str]) -> Iterator[range]:
    """Yield runs of lines in monospaced fonts, one below the other."""
    start: int | None = None
    for number, line in enumerate(lines):
        is_code = all(word.font in monospaced for word in line.words)
        if start is not None and not (is_code and _follows(lines[number - 1], line)):
            yield range(start, number)
            start = None
        if is_code and start is None:
            start = number
    if start is not None:
        yield range(start, len(lines))


def _is_part_of_text(lines: Sequence[Line], number: int) -> bool:
    """Return True if a single line is an address, or a line of the paragraph around it."""
    line = lines[number]
    if len(line.text) < MIN_CHARS or _ADDRESS.fullmatch(line.text):
        return True
    around = (lines[other] for other in (number - 1, number + 1) if 0 <= other < len(lines))
    return any(
        abs(line.y1 - other.y1) <= MAX_TEXT_LEADING_EM * max(line.size, other.size)
        and min(line.x1, other.x1) > max(line.x0, other.x0)
        for other in around
    )


def _follows(line: Line, below: Line) -> bool:
    return 0 < below.y1 - line.y1 <= MAX_STEP_EM * line.size and abs(line.size - below.size) < 1


def _block(lines: Sequence[Line]) -> CodeBlock:
    return CodeBlock(code_text(lines), tuple(word for line in lines for word in line.words))
