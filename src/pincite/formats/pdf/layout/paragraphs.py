"""Grouping of lines into paragraphs and list items."""

import math
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.formats.pdf.layout.run_in_titles import MIN_DEPTH, split_run_in_title
from pincite.formats.pdf.page.code_text import is_monospaced
from pincite.formats.pdf.page.hyphens import ends_in_break
from pincite.formats.pdf.page.markers import ARROW, is_bullet, is_field, is_label, section_depth
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Line, Word, have_rtl

DEFAULT_LEADING_EM = 1.2
"""Distance of two lines of a paragraph on pages with too few lines to measure it."""
MIN_LEADING_STEPS = 4
"""Equal distances of lines that show the leading of a part of the page; of fewer, some are between paragraphs."""
MAX_SIZE_DIFFERENCE_SHARE = 0.06
"""Share of the larger font size by which lines of one paragraph may differ."""
MIN_CODE_SIZE_RATIO = 0.75
"""Size of code within a text, relative to the text's: Typst sets it at .8, browsers at .8 to .9."""
MAX_LEADING_RATIO = 1.2
"""Distance of two lines relative to the measured leading above which they are two paragraphs."""
MAX_BROKEN_STEP_EM = 1.8
"""Distance of two lines of which the first ends within a word or title: marks of notes, and titles, are higher."""
COLUMN_TOLERANCE_EM, MIN_COLUMN_LINES = 2.0, 5
"""Distance of the left edges of lines in one column, and the lines needed to measure its right margin."""
MIN_COLUMN_PART_LINES, COLUMN_RISE_EM = 2, 3.0
"""Lines at the foot of a column, and the rise to the next column, of a paragraph that goes on there."""
MIN_TITLE_SIZE_RATIO = 1.25
"""Size of a title relative to the text: plain type of this size makes a heading (`headings.PLAIN_SIZE_RATIO`)."""
MIN_INDENT_EM = 0.8
"""Indent of a paragraph's first line."""
MIN_LEAD_SIZE_RATIO, MAX_LEAD_STEP_EM = 1.1, 3.0
"""Size of a title relative to the paragraph below it, and the distance of their baselines."""
MAX_LEAD_LINES = 3
"""Lines of such a title."""
MAX_NAME_CHARS, MAX_NAME_WORDS = 40, 2
"""Length of a name of code in capitals; contracts begin with their longer title."""
_SPACE_WIDTH_EM = 0.5
"""Width of a space, for the question whether another word would have fitted."""
_NUMBER_STARTS = "0123456789["
"""Beginnings of labels that begin a line of running text, too, behind the end of a sentence: `[3] shows that`."""
ADDRESS = re.compile(r"://|www\.|@")
"""A part of an address on the web or of e-mail."""
_CONNECTIVE = re.compile(
    r"an?|and|as|at|by|for|from|in|of|on|or|the|to|with|und|de[rsm]|die|das|für|im|mit|von|zu[rm]|et|de|du|l[ae]s?|pour|"
    r"sur|y|del|los|las|para|da|dos?|il|della|per|en|van|het|voor|met",
    re.IGNORECASE,
)
"""Word with which no title ends."""
_SENTENCE_ENDS = (".", "!", "?", ":", ";", "”", '"', ")", "。", "؟")
"""Ends of a line after which a paragraph may begin."""


def leading_of_page(lines: Sequence[Line]) -> float:
    """Return the commonest distance of two lines of a page, in em; infinity if few lines show it."""
    leading, count = _commonest_step(lines)
    return leading if count >= MIN_LEADING_STEPS else math.inf


def leading_of_part(lines: Sequence[Line], page_leading: float) -> float:
    """Return the commonest distance of two lines, in em; the page's if it is smaller and few of the lines show it."""
    own, count = _commonest_step(lines)
    if count >= MIN_LEADING_STEPS:
        return own
    return min(own if count > 1 else DEFAULT_LEADING_EM, page_leading)


def _commonest_step(lines: Sequence[Line]) -> tuple[float, int]:
    """Return the commonest distance of two lines, in em, and how often it occurs."""
    # Steps outside of 0.8 to 2.5 em are gaps between paragraphs or overprinted lines.
    steps = Counter(
        [
            round(step, 1)
            for line, below in pairwise(lines)
            # The step first, as it takes the least time.
            if line.size and 0.8 < (step := (below.y1 - line.y1) / line.size) < 2.5  # noqa: PLR2004 - in em
            if is_same_block(line, below)
        ]
    )
    return steps.most_common(1)[0] if steps else (0.0, 0)


def is_same_block(line: Line, below: Line) -> bool:
    """Return True if two lines have the same font size and overlap horizontally."""
    return min(line.x1, below.x1) > max(line.x0, below.x0) and is_same_size(line, below)


def is_same_size(line: Line, other: Line) -> bool:
    """Return True if two lines are in type of one size; code within a text may be smaller than it."""
    if _are_near(line.size, other.size):
        return True
    size, other_size = text_size(line), text_size(other)
    if size and other_size:
        return _are_near(size, other_size)
    # A line that is all code, between lines of text: not two of them, which may be a title and a block.
    code_size, body_size = (line.size, other_size) if other_size else (other.size, size)
    return MIN_CODE_SIZE_RATIO * body_size <= code_size <= body_size and body_size > 0


def _are_near(size: float, other: float) -> bool:
    return size == other or abs(size - other) <= MAX_SIZE_DIFFERENCE_SHARE * max(size, other)


def text_size(line: Line) -> float:
    """Return the size of most characters of a line that are not in a monospaced font; 0 without any."""
    fonts = {word.font for word in line.words}
    if not any(map(is_monospaced, fonts)):
        return line.size
    sizes: Counter[float] = Counter()
    for word in line.words:
        if not is_monospaced(word.font):
            sizes[word.size] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


@dataclass(slots=True, unsafe_hash=True)
class Paragraph:
    """Lines of one paragraph or list item.

    Nothing changes one; see `Word` for why it is not frozen.

    Attributes:
        lines: At least one, from the top.
        text: Their text, with a box for each line.
        alone: True if nothing is printed to the left or right of the first line.
        sideways: True for text on its side on a page that is mostly upright, such as a stamp, and for slanted text.
        run_in: True for a numbered title in bold type that begins a paragraph of other type, which is the next one.
        in_drawing: True for a label of a drawing.
        leads: True for lines in larger type right above those of a paragraph, or a sentence.
        is_name: True for words in capitals that the paragraph below has, too, as it explains a name of code.
        is_term: True for the term of a list of definitions.
        underlined: True for a line with a rule right below its words, and no further.
    """

    lines: tuple[Line, ...]
    text: PlacedText
    alone: bool = True
    sideways: bool = False
    run_in: bool = False
    in_drawing: bool = False
    leads: bool = False
    is_name: bool = False
    is_term: bool = False
    underlined: bool = False

    @property
    def words(self) -> Iterator[Word]:
        """The words of all lines."""
        return (word for line in self.lines for word in line.words)

    @property
    def label(self) -> str:
        """The bullet or number of a list item; empty for body text."""
        return _label(self.lines[0])

    @property
    def unlabelled(self) -> PlacedText:
        """The text without the label."""
        text = self.text.text
        count = len(self.label)
        return self.text.without_prefix(count + len(text[count:]) - len(text[count:].lstrip()))


def part_title(paragraph: Paragraph, count: int, title: PlacedText) -> tuple[Paragraph, Paragraph] | None:
    """Return a title that is the first lines of a paragraph, and the rest; None if they are joined within a word.

    Args:
        paragraph: The paragraph, of more lines.
        count: Lines of the title.
        title: Their text.
    """
    text, length = paragraph.text, len(title.text) + 1
    if text.text[:length].split() != title.text.split():
        return None
    boxes = tuple(box for box in text.boxes if box.start >= length)
    rest = Paragraph(paragraph.lines[count:], PlacedText(text.text, boxes).without_prefix(length))
    return replace(paragraph, lines=paragraph.lines[:count], text=title), rest


@dataclass(frozen=True, slots=True)
class _Run:
    """Lines below each other at the page's leading, with their outermost left and right edges in points."""

    lines: list[Line]
    left: float
    right: float


def paragraphs(
    lines: Sequence[Line],
    page_leading: float,
    shared_rows: Container[int],
    to_text: Callable[[Sequence[Word]], PlacedText],
) -> list[Paragraph]:
    """Group lines in reading order into paragraphs.

    Args:
        lines: The lines, of a part of the page.
        page_leading: Leading of the page in em, that of a part with few lines.
        shared_rows: Words, by first character, whose visual row has more words than their line.
        to_text: Joins words of consecutive lines to text.
    """
    leading, body_size = leading_of_part(lines, page_leading), _body_size(lines)
    # Where the page shows its leading, lines that are further apart are two titles.
    runs = _runs(lines, leading)
    parts = (part for run in runs for part in _split_run(run, lines, body_size))
    found: list[Paragraph] = []
    for part, hard_breaks in _join_columns(parts):
        title, rest = split_run_in_title(part)
        if title:
            words = [word for line in title for word in line.words]
            found.append(Paragraph(tuple(title), to_text(words), run_in=True))
        text = _text(rest, hard_breaks[len(part) - len(rest) :], to_text)
        if found:
            is_name, leads = _is_name(found[-1].text.text, text.text), _leads(found[-1].lines, rest)
            found[-1] = replace(found[-1], is_name=is_name, leads=leads) if is_name or leads else found[-1]
        found.append(Paragraph(tuple(rest), text, rest[0].words[0].first not in shared_rows))
    return found


def _leads(lines: Sequence[Line], below: Sequence[Line]) -> bool:
    line, first = lines[-1], below[0]
    # Most are as large as the paragraph below them.
    if line.size < MIN_LEAD_SIZE_RATIO * first.size:
        return False
    is_text = len(below) > 1 or first.words[-1].text.endswith(".")
    is_larger = all(one.size >= MIN_LEAD_SIZE_RATIO * first.size for one in lines)
    is_near = 0 < first.y1 - line.y1 <= MAX_LEAD_STEP_EM * line.size
    return len(lines) <= MAX_LEAD_LINES and is_text and is_larger and is_near


def _is_name(text: str, below: str) -> bool:
    is_short = len(text) <= MAX_NAME_CHARS and text.isupper() and text.count(" ") < MAX_NAME_WORDS
    # A contract begins with its title: "THIS AGREEMENT".
    return is_short and re.search(rf"(?<!THIS )\b{re.escape(text)}\b", below) is not None


def _join_columns(parts: Iterable[tuple[list[Line], list[bool]]]) -> Iterator[tuple[list[Line], list[bool]]]:
    """Join the two parts of each paragraph that goes on in the next column."""
    last: tuple[list[Line], list[bool]] | None = None
    for part, hard_breaks in parts:
        if last is not None and _goes_on(last[0], part):
            last = [*last[0], *part], [*last[1], False, *hard_breaks]
            continue
        if last is not None:
            yield last
        last = part, hard_breaks
    if last is not None:
        yield last


def _goes_on(part: Sequence[Line], following: Sequence[Line]) -> bool:
    """Return True if a part ends within a sentence at the foot of a column, and the next begins at its side."""
    line, first = part[-1], following[0]
    if len(part) < MIN_COLUMN_PART_LINES or first.y1 > line.y1 - COLUMN_RISE_EM * line.size or first.x0 < line.x1:
        return False
    if _is_item(first) or not first.words[0].text[0].islower():
        return False
    is_same_look = is_same_size(line, first) and not _changes_style(line, first)
    is_ended = line.words[-1].text.endswith(_SENTENCE_ENDS) or _has_room(line, first, max(one.x1 for one in part))
    return is_same_look and not is_ended


def _text(
    lines: Sequence[Line], hard_breaks: Sequence[bool], to_text: Callable[[Sequence[Word]], PlacedText]
) -> PlacedText:
    """Join lines to text, with a line break after each hard break."""
    text, words = PlacedText(), list[Word]()
    for line, is_hard in zip(lines, (*hard_breaks, True), strict=True):
        words += line.words
        if is_hard:
            text = text.joined(to_text(words), "\n")
            words = []
    return text


def _body_size(lines: Sequence[Line]) -> float:
    """Return the font size of most characters; 0 without lines."""
    # Most texts have one size.
    if len({line.size for line in lines}) == 1:
        return lines[0].size
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _runs(lines: Sequence[Line], leading: float) -> Iterator[_Run]:
    run: list[Line] = []
    for line in lines:
        if run and not (is_same_block(run[-1], line) and _follows(run[-1], line, leading)):
            yield _run(run)
            run = []
        run.append(line)
    if run:
        yield _run(run)


def _foot(line: Line) -> float:
    """Return the lower edge of a line, without that of an index below it."""
    return next(word.y1 for word in line.words if word.size == line.size)


def _follows(line: Line, below: Line, leading: float) -> bool:
    # TeX sets lines further apart where an index hangs below one.
    foot = _foot(below)
    step, most = foot - line.y1, MAX_LEADING_RATIO * leading
    if foot <= _foot(line):
        return False
    size = max(line.size, below.size)
    # Most lines of a text are as near as all of it, whatever they are.
    if step <= most * size:
        return True
    # In a line of code and text, the text's size tells the distance.
    size = max(size, text_size(line), text_size(below))
    is_title = _is_styled(line) and _is_styled(below) and not _changes_style(line, below)
    is_open = _CONNECTIVE.fullmatch(line.words[-1].text) or _begins_numbered_title(line, below)
    if (is_title and is_open) or (
        ends_in_break(line.words[-1].text, marked=False) and below.words[0].text[0].islower()
    ):
        most = max(most, MAX_BROKEN_STEP_EM)
    return step <= most * size


def _begins_numbered_title(line: Line, below: Line) -> bool:
    """Return True for `2.1 Terms of` above a line without a number, at the left or where the words begin."""
    if section_depth(line.words[0].text) < MIN_DEPTH or section_depth(below.words[0].text):
        return False
    return any(abs(below.x0 - word.x0) <= MIN_INDENT_EM * line.size for word in line.words[:2])


def _run(lines: list[Line]) -> _Run:
    return _Run(lines, min([line.x0 for line in lines]), max([line.x1 for line in lines]))


def _margin(run: _Run, lines: Sequence[Line]) -> float:
    """Return the right margin of the run's column, in points."""
    column = sorted([line.x1 for line in lines if abs(line.x0 - run.left) <= COLUMN_TOLERANCE_EM * line.size])
    # The 80th percentile, so that a few overlong lines do not move the margin.
    return column[len(column) * 4 // 5] if len(column) >= MIN_COLUMN_LINES else max([line.x1 for line in lines])


def _split_run(run: _Run, lines: Sequence[Line], body_size: float) -> Iterator[tuple[list[Line], list[bool]]]:
    """Yield the paragraphs and items of a run; for each line but the last, True if it ends in a hard break."""
    # A page of titles and labels has as many runs as lines: their margin would take the square of these.
    margin = _margin(run, lines) if len(run.lines) > 1 else run.right
    part: list[Line] = []
    hard_breaks: list[bool] = []
    for line in run.lines:
        if part:
            ended = _has_room(part[-1], line, run.right) or (is_field(line.text) and is_field(part[0].text))
            if _begins_paragraph(part, line, run, margin, body_size, ended=ended):
                yield part, hard_breaks
                part, hard_breaks = [], []
            else:
                hard_breaks.append(ended)
        part.append(line)
    yield part, hard_breaks


def _has_room(line: Line, below: Line, right: float) -> bool:
    """Return True if the next line's first word would have fitted: the line ends in a hard break.

    A line that ends within a word goes on: in narrow columns the syllable below would often have fitted.
    """
    # The distance first: most lines are full.
    if not fits_behind(below.words[0], line, right):
        return False
    return not (have_rtl(line.words) or ends_in_break(line.words[-1].text, marked=False))


def fits_behind(word: Word, line: Line, right: float) -> bool:
    """Return True if there is space for a word between the end of a line and the right edge of its column."""
    return right - line.x1 > word.x1 - word.x0 + _SPACE_WIDTH_EM * line.size


def _begins_paragraph(
    part: Sequence[Line], line: Line, run: _Run, margin: float, body_size: float, *, ended: bool
) -> bool:
    last = part[-1]
    if _changes_style(last, line) or _begins_item(part, line, ended=ended):
        return True
    # Styled or larger lines that end early, one below the other, are headings of their own.
    is_marked = _is_styled(last) and _is_styled(line)
    is_larger = min(last.size, line.size) >= MIN_TITLE_SIZE_RATIO * body_size
    if (is_marked or is_larger) and abs(last.x0 - line.x0) < 1 and _has_room(last, line, margin):
        is_open = _goes_on_with(line.words[0].text) or _CONNECTIVE.fullmatch(last.words[-1].text) is not None
        if not is_open:
            return True
    if _is_item(part[0]):
        return False
    is_sentence_end = last.words[-1].text.endswith(_SENTENCE_ENDS)
    if ended and is_sentence_end and not line.words[0].text[0].islower():
        return True
    is_indented = line.x0 - run.left > MIN_INDENT_EM * line.size and last.x0 - run.left < MIN_INDENT_EM * line.size / 2
    return is_indented and (ended or is_sentence_end)


def _goes_on_with(first: str) -> bool:
    """Return True if a title may go on with a word: one in small letters that is no address."""
    return first[0].islower() and ADDRESS.search(first) is None


def _begins_item(part: Sequence[Line], line: Line, *, ended: bool) -> bool:
    """Return True if a line begins an item, or body text after one."""
    label, own_label = _label(line), _label(part[0])
    is_sentence_end = part[-1].words[-1].text.endswith(_SENTENCE_ENDS)
    if label and not (own_label and _goes_on_with_number(part, line, ended=ended or is_sentence_end)):
        begins = is_sentence_end and label[0] not in _NUMBER_STARTS
        return ended or own_label != "" or begins or (is_bullet(label) and label not in "-–—→")
    # Left of an item's text: body text after it, if the item ends early or hangs. A reference ends with a sentence.
    # A numbered title goes on in small letters.
    is_title = _is_styled(line) and _goes_on_with(line.words[0].text)
    is_left = own_label != "" and line.x0 < part[0].words[1].x0 - 0.5 * line.size and not is_title
    return is_left and (ended or _has_hanging_indent(part)) and (own_label[0] != "[" or is_sentence_end)


def _goes_on_with_number(part: Sequence[Line], line: Line, *, ended: bool) -> bool:
    """Return True if the text of an item goes on with a number: `in Section | 4.2`, `Astrophys. | J. 469`.

    It is of another form than the item's own, or further right, where only the text begins. A reference has no items.
    """
    label = _label(part[0])
    if label[0] == "[":
        return line.x0 > part[0].x0 + 0.5 * line.size
    is_below = len(part) > 1 and abs(line.x0 - part[-1].x0) < MIN_INDENT_EM * line.size
    return is_below and not ended and (_has_hanging_indent(part) or _form(_label(line)) != _form(label))


def _form(label: str) -> str:
    """Return a label with `9` for its number and `a` for its letters: all labels of a list have one form."""
    return re.sub(r"\d+", "9", re.sub("[a-z]+", "a", label.lower()))


def _is_item(line: Line) -> bool:
    return _label(line) != ""


def _label(line: Line) -> str:
    """Return the bullet or number at the beginning of a list item; empty for other lines."""
    first, *others = line.words
    if not others:
        return ""
    if first.text == "o" and is_monospaced(first.font) and not is_monospaced(others[0].font):
        return "•"  # Word's bullet of the second level is a letter of Courier New
    if first.text == ARROW and not others[0].text[0].isalpha():
        return ""  # that of a formula or a drawing
    return first.text if is_bullet(first.text) or is_label(first.text) else ""


def _has_hanging_indent(part: Sequence[Line]) -> bool:
    return len(part) > 1 and part[1].x0 > part[0].x0 + 0.5 * part[0].size


def _changes_style(line: Line, below: Line) -> bool:
    """Return True if one line is wholly bold, italic or coloured, and the other looks different where they meet."""
    return (_is_styled(line) or _is_styled(below)) and _look(line.words[-1]) != _look(below.words[0])


def _look(word: Word) -> tuple[bool, bool, int]:
    return word.bold, word.italic, word.colour


def _is_styled(line: Line) -> bool:
    """Return True if all words of a line are bold, italic or coloured alike."""
    first = line.words[0]
    # Most lines begin in plain type.
    if not (first.bold or first.italic or first.colour):
        return False
    look = _look(first)
    return all(_look(word) == look for word in line.words)
