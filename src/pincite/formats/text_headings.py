"""Headings of plain text: underlined lines, lines of AsciiDoc, and titles that are numbered in sequence.

Written from how Sphinx and reStructuredText, RFCs, standards of consortia and bylaws are set as text. A wrong
heading does more harm than a missed one, so that a number counts only where it continues the sequence.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.formats.writing.page_writer import MAX_HEADING_LEVEL

MAX_TITLE_CHARS = 120
MAX_TITLE_WORDS = 14
"""Length of the longest line that is a title without an underline."""

MAX_UNDERLINE_DIFFERENCE = 3
"""Characters by which an underline may be longer or shorter than its title; a ruler is as wide as the page."""

MAX_INDENT = 4
"""Columns before a numbered title; what is indented further is an item of a list, or centred."""

MIN_CENTRED_INDENT = 8
"""Columns before the title of a document that is centred above its text."""

MAX_TITLE_PARAGRAPHS = 12
"""Paragraphs at the top among which the title of a document is sought: authors and dates may come before it."""

MIN_NUMBERED = 3
"""Numbered titles in sequence that a document has at least; two are as likely items of a list."""

MAX_SKIPPED = 2
"""Numbers that may be missing between two titles of the same level."""

MAX_TITLES_WITHOUT_TEXT = 3
"""Titles that may follow one another without text ("Void"), unless each is under the one before; more are contents."""

MAX_BEGINNINGS = 5
"""Numbers from which the longest sequence is sought: the first number of a text may be an amount."""

_LINE = re.compile(r"[^\r\n]+")
_UNDERLINE = re.compile(r"\s*(?P<mark>[=~*^\"#+`':._<>-])(?P=mark){2,}\s*")
_USUAL_MARKS = '=~*^"#+-'
"""Marks of an underline that may be longer or shorter than its title; of others, dotted lines are as frequent."""

MAX_OUTER_SHARE = 0.1
"""Share of the paragraphs that may be as far left as titles in a text whose paragraphs are indented."""

_FRONT_MATTER = "---"
_COLUMNS = re.compile(r"\S\s{2,}\S")
_MARKED = re.compile(r"(?P<marks>={1,6}) +(?:\[\[[^\[\]]*\]\] *)?(?P<title>[^\s=].{0,250}?)(?: +={1,6})?\s*")
_ATTRIBUTE = re.compile(r"\[.*\]\s*$|:[\w-]+:|//")
"""What AsciiDoc has above a title: labels, attributes, comments."""
_NUMBERED = re.compile(
    r"(?P<number>(?:(?:chapter|section|article|appendix|annex)\s+)?(?:\d{1,3}(?:\.\d{1,3})*"
    r"|(?-i:[A-Z])(?:(?:\.\d{1,3})+|(?=[.):]|\s{2}|\s-))|(?<=\s)(?-i:[A-Z]))[.):]?)(?:\s+|\s+[\u2013\u2014-]\s+)(?P<title>\S.*)",
    re.IGNORECASE,
)
_FIELD = re.compile(r"\w+:\s")
"""A line of the cover: "Date: 2020-07-27"."""
_CONTENTS_ENTRY = re.compile(r"(?:\s\.){3}|\.{4}|\s\d{1,4}$")
_TITLE_BEGIN = "\"'([<\u201c\u2018/"
_TITLE_END = (".", ":", ";", ",", "?", "!")
_LETTERS = re.compile(r"[^\W\d_]")
_ROLE = re.compile(r":[\w:+.-]+:`([^`<>]*)(?:\s<[^`<>]*>)?`|``([^`]+)``")
"""A name as reStructuredText writes it: ":mod:`shutil`", "``--verbose``"."""
_PERMALINK = "\u00b6# \t"
"""What pages have after a heading as a link to itself, as their text has it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a text.

    Attributes:
        start: Its first character.
        end: One past its last character, its underline included.
        level: 1 to 6.
        title: Its text in one line, with its number.
    """

    start: int
    end: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    @property
    def indent(self) -> int:
        return len(self.text.expandtabs()) - len(self.text.expandtabs().lstrip())

    @property
    def title(self) -> str:
        plain = _ROLE.sub(lambda name: name[1] or name[2] or "", self.text)
        return " ".join(plain.rstrip(_PERMALINK).split())


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A paragraph that may be a numbered title.

    Attributes:
        position: The index of its paragraph.
        parts: Its number: ("4", "2") of "4.2".
        heading: The heading that it may be.
        indent: Columns before it.
    """

    position: int
    parts: tuple[str, ...]
    heading: Heading
    indent: int

    @property
    def is_named(self) -> bool:
        return self.heading.title.split()[0].isalpha() and len(self.heading.title.split()[0]) > 1


def headings(text: str, paragraphs: Sequence[tuple[int, int]]) -> list[Heading]:
    """Return the headings of a text, in order.

    Args:
        text: The text.
        paragraphs: The spans between its blank lines.
    """
    lines = [_lines(text, start, end) for start, end in paragraphs]
    underlined = dict(_underlined(lines))
    outer = [*underlined.values()]
    if len(marked := list(_marked(lines))) > len(outer):
        # The title of the document may be underlined all the same.
        outer = [*(heading for heading in outer if heading.start < marked[0].start), *marked]
    # A text that underlines titles underlines them all: a number elsewhere belongs to an item.
    if len(outer) > 1:
        return outer
    numbered = _longest([*_numbered(lines, underlined)])
    if not numbered or (len(numbered) < MIN_NUMBERED and not all(item.is_named for item in numbered)):
        return outer
    inner = [item.heading for item in numbered]
    inner += _unnumbered(lines, numbered)
    nested = (replace(heading, level=min(MAX_HEADING_LEVEL, heading.level + len(outer))) for heading in inner)
    return sorted([*outer, *nested], key=lambda heading: heading.start)


def title(text: str, paragraphs: Sequence[tuple[int, int]], outline: Sequence[Heading]) -> str | None:
    """Return the title of a text: its only outermost heading, one at its top, or a line above; None without one.

    A line above them is the first of the text, or centred.

    Args:
        text: The text.
        paragraphs: The spans between its blank lines.
        outline: Its headings.
    """
    is_outermost = len(outline) > 1 and all(heading.level > outline[0].level for heading in outline[1:])
    if outline and (is_outermost or (outline[0].start == paragraphs[0][0] and not _NUMBERED.match(outline[0].title))):
        return outline[0].title
    first = outline[0].start if outline else len(text)
    for position, (start, end) in enumerate(paragraphs[:MAX_TITLE_PARAGRAPHS]):
        if start >= first:
            break
        lines = [line for line in _lines(text, start, end) if not _ATTRIBUTE.match(line.text)]
        if not lines:
            continue
        is_centred = all(line.indent >= MIN_CENTRED_INDENT for line in lines)
        is_first = position == 0 and len(lines) == 1
        words = " ".join(line.title for line in lines)
        if (is_centred or is_first) and _is_title(words) and not _COLUMNS.search(lines[0].text):
            return words
    return None


def _lines(text: str, start: int, end: int) -> list[_Line]:
    return [_Line(line.start(), line.end(), line[0]) for line in _LINE.finditer(text, start, end)]


def _underlined(paragraphs: Sequence[Sequence[_Line]]) -> Iterator[tuple[int, Heading]]:
    """Yield the underlined lines that paragraphs begin with, with their positions; each new kind is a level down."""
    levels: dict[tuple[str, bool], int] = {}
    for position, lines in enumerate(paragraphs):
        over = _is_framed(lines)
        titled = lines[1:] if over else lines
        if len(titled) < 2:  # noqa: PLR2004 - a title and the line below
            continue
        if not over and not _is_underlined(titled):
            continue
        mark = titled[1].text.strip()[0]
        level = levels.setdefault((mark, over), min(MAX_HEADING_LEVEL, len(levels) + 1))
        yield position, Heading(lines[0].start, titled[1].end, level, titled[0].title)


def _marked(paragraphs: Sequence[Sequence[_Line]]) -> Iterator[Heading]:
    """Yield the titles of AsciiDoc that paragraphs begin with, below labels and attributes: "== Title"."""
    for lines in paragraphs:
        for line in lines:
            if match := _MARKED.fullmatch(line.text):
                words = " ".join(match["title"].split())
                yield Heading(lines[0].start, line.end, len(match["marks"]), words)
            if match or not _ATTRIBUTE.match(line.text):
                break


def _is_framed(lines: Sequence[_Line]) -> bool:
    """Return True if a paragraph begins with a title between two equal lines.

    A third line is below a table, and between hyphens AsciiDoc has code.
    """
    if len(lines) < 3 or not _UNDERLINE.fullmatch(lines[0].text):  # noqa: PLR2004 - a line above, the title, one below
        return False
    above, title, below, *rest = (line.text.rstrip() for line in lines)
    words = title.strip()
    return (
        above == below
        and above not in (_FRONT_MATTER, *rest)
        and len(words) <= MAX_TITLE_CHARS
        and _LETTERS.search(words) is not None
        and ("-" not in above or _is_title(words))
    )


def _is_underlined(lines: Sequence[_Line]) -> bool:
    """Return True if the second line of a paragraph underlines the first.

    An underline that is as long as its title may be of any mark; one that is longer, as a ruler is, has no text below.
    """
    above, line, *below = lines
    words, mark = above.text.strip(), line.text.strip()
    if not _UNDERLINE.fullmatch(mark) or _UNDERLINE.fullmatch(words) or not _may_be_underlined(words):
        return False
    longer, further = len(mark) - len(words), abs(line.indent - above.indent)
    is_as_long = longer == further == 0
    if not _LETTERS.search(words):  # a version; an amount is added up below
        return is_as_long and (not below or words.count(".") > 1)
    return is_as_long or (
        mark[0] in _USUAL_MARKS
        and further <= MAX_UNDERLINE_DIFFERENCE
        and (abs(longer) <= MAX_UNDERLINE_DIFFERENCE or (longer > 0 and not below and _is_short(words)))
    )


def _may_be_underlined(words: str) -> bool:
    """Return True unless a line is the head of a table, or names the listing below in AsciiDoc: "[source,java]"."""
    number = _NUMBERED.match(words)
    plain = number["title"] if number else words
    return (
        len(plain) <= MAX_TITLE_CHARS
        and "|" not in plain
        and not _COLUMNS.search(plain)
        and not (plain.startswith("[") and plain.endswith("]"))
    )


def _numbered(paragraphs: Sequence[Sequence[_Line]], taken: Collection[int]) -> Iterator[_Numbered]:
    """Yield the paragraphs that are a numbered line alone, outside tables of contents."""
    run: list[_Numbered] = []
    for position, lines in enumerate(paragraphs):
        words = "" if position in taken else _one_line(lines)
        if not words:
            continue
        parts = _parts(words)
        heading = Heading(lines[0].start, lines[-1].end, min(MAX_HEADING_LEVEL, len(parts)), words)
        item = _Numbered(position, parts, heading, lines[0].indent)
        if run and not _continues(item, run[-1]):
            yield from _without_contents(run)
            run = []
        run.append(item)
    yield from _without_contents(run)


def _continues(numbered: _Numbered, before: _Numbered) -> bool:
    """Return True if a title may be the next entry of the contents: right after, the next number, no less indented."""
    return (
        numbered.position == before.position + 1
        and _follows(numbered.parts, before.parts)
        and (numbered.indent >= before.indent or len(numbered.parts) < len(before.parts))
    )


def _without_contents(run: Sequence[_Numbered]) -> Iterator[_Numbered]:
    """Yield titles that follow one another without text between them, unless they are a table of contents."""
    is_nested = all(len(after.parts) > len(before.parts) for before, after in pairwise(run))
    if is_nested or len(run) <= MAX_TITLES_WITHOUT_TEXT:
        yield from (item for item in run if _is_placed(item))


def _is_placed(numbered: _Numbered) -> bool:
    """Return True for a number at the margin, and for the number of a centred chapter title."""
    return numbered.indent <= MAX_INDENT or (len(numbered.parts) == 1 and numbered.indent >= MIN_CENTRED_INDENT)


def _one_line(lines: Sequence[_Line]) -> str:
    """Return a numbered title, of one line or continued where its words begin; empty for other paragraphs."""
    if not 1 <= len(lines) <= 2:  # noqa: PLR2004 - a title and its continuation
        return ""
    number = _NUMBERED.match(lines[0].text.strip())
    if number is None or _COLUMNS.search(number["title"]) or _CONTENTS_ENTRY.search(lines[-1].text):
        return ""
    if len(lines) > 1 and lines[1].indent != lines[0].indent + number.start("title"):
        return ""
    joined = " ".join(line.title for line in lines)
    return joined if _is_title(" ".join([number["title"], *(line.title for line in lines[1:])])) else ""


def _is_title(words: str) -> bool:
    return (
        _LETTERS.search(words) is not None
        and (words[0].isupper() or words[0].isdigit() or words[0] in _TITLE_BEGIN)
        and _is_short(words)
        and not _COLUMNS.search(words)
    )


def _is_short(words: str) -> bool:
    """Return True for words that are too few for a paragraph, and no sentence."""
    return not words.endswith(_TITLE_END) and len(words) <= MAX_TITLE_CHARS and len(words.split()) <= MAX_TITLE_WORDS


def _parts(heading: str) -> tuple[str, ...]:
    number = _NUMBERED.match(heading)
    return tuple(number["number"].split()[-1].strip(".):").split(".")) if number else ()


def _longest(entries: Sequence[_Numbered]) -> list[_Numbered]:
    """Return the longest sequence of titles; of one in the contents and above its text, the latter."""
    last = {_numbered_words(item): item.position for item in entries}
    kept = [item for item in entries if last[_numbered_words(item)] == item.position]
    sequences = [_sequence(kept[start:]) for start in range(min(len(kept), MAX_BEGINNINGS))]
    return max(sequences, key=len) if sequences else []


def _numbered_words(numbered: _Numbered) -> tuple[tuple[str, ...], str]:
    number = _NUMBERED.match(numbered.heading.title)
    return numbered.parts, number["title"] if number else ""


def _sequence(entries: Sequence[_Numbered]) -> list[_Numbered]:
    """Return the titles whose numbers continue those before; chapters are indented no further than the first one."""
    sequence = [*entries[:1]]
    margin: int | None = None
    for item in entries[1:]:
        is_chapter = len(item.parts) == 1
        if not _follows(item.parts, sequence[-1].parts) or (is_chapter and margin is not None and item.indent > margin):
            continue
        sequence.append(item)
        if is_chapter and not item.is_named:
            margin = item.indent
    return sequence


def _follows(parts: tuple[str, ...], last: tuple[str, ...]) -> bool:
    shared = next((n for n, (part, last_part) in enumerate(zip(parts, last, strict=False)) if part != last_part), None)
    if shared is None:
        return len(parts) == len(last) + 1 and _step("0", parts[-1])
    if len(parts) > shared + 1:
        # 2.1 may follow 1.4 where the title of 2 is not a line of its own.
        return len(parts) == shared + 2 and parts[-1] in {"0", "1"} and _step(last[shared], parts[shared])
    return _step(last[shared], parts[shared])


def _step(before: str, after: str) -> bool:
    if before.isdigit() and after.isdigit():
        return 0 <= int(after) - int(before) - 1 <= MAX_SKIPPED or (before == "0" and after == "0")
    if before.isdigit():
        return after == "A"
    return after.isalpha() and 0 <= ord(after[0]) - ord(before[0]) - 1 <= MAX_SKIPPED


def _unnumbered(paragraphs: Sequence[Sequence[_Line]], numbered: Sequence[_Numbered]) -> Iterator[Heading]:
    """Yield the lines as far left as the titles of chapters in a text whose paragraphs are indented: "References"."""
    own = {item.position for item in numbered}
    chapters = {item.indent for item in numbered if len(item.parts) == 1}
    body = paragraphs[numbered[0].position :]
    sentences = (lines for lines in body if lines[-1].text.rstrip().endswith(_TITLE_END))
    margins = sorted(min(line.indent for line in lines) for lines in sentences)
    if len(chapters) != 1 or not margins or margins[int(len(margins) * MAX_OUTER_SHARE)] <= max(chapters):
        return
    for position, lines in enumerate(paragraphs):
        if position in own or len(lines) != 1 or lines[0].indent not in chapters or _parts(lines[0].title):
            continue
        words = lines[0].text.strip()
        if _is_title(words) and not (_CONTENTS_ENTRY.search(words) or _FIELD.match(words)):
            yield Heading(lines[0].start, lines[0].end, 1, lines[0].title)
