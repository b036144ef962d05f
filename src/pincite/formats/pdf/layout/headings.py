"""Headings: paragraphs whose look differs from body text, where they are in their column, and names of authors.

Found all 164 headings of ASVS read as if untagged, without a false one.
"""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from enum import Enum
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from pincite.formats.pdf.layout.paragraphs import ADDRESS, Paragraph
from pincite.formats.pdf.layout.run_in_titles import MAX_TITLE_WORDS, MIN_DEPTH
from pincite.formats.pdf.page.code_text import MIN_OTHER_SHARE, is_monospaced
from pincite.formats.pdf.page.markers import (
    is_bullet,
    is_caption,
    is_note_label,
    section_depth,
    without_section_number,
)
from pincite.formats.pdf.page.words import Word

MIN_TEXT_LINES, MIN_TEXT_CHARS = 2, 100
"""Size of a paragraph that shows the edges of its column; titles are shorter."""
MAX_PARTS_AWAY = 8
"""Parts below a title, and above it, among which the text of its column is."""
MAX_EDGE_DIFFERENCE_EM = 0.5
"""Distance of a title's edge from that of its column, at which it is set there."""
MIN_WHITE_EM = 3.0
"""White at the left of a title that is centred or at the right; that of others is an indent."""
MIN_INDENT_EM = 0.9
"""Indent of titles of a lower level."""
MAX_CENTRE_DIFFERENCE_EM = 1.5
"""Difference of the white at both sides of a centred title: the text's right margin may be ragged."""
MAX_RAGGED_EM = 3.0
"""White at the right of the longest line of some texts whose right margin is ragged."""
BOLD_SIZE_RATIO, PLAIN_SIZE_RATIO = 1.1, 1.25
"""Font size relative to body text that makes a heading by itself, for bold and for plain text."""
MIN_SIZE_RATIO = 0.9
"""Font size of the smallest headings relative to body text."""
MIN_PAGE_LOOK_CHARS = 500
"""Characters of one look, more than half of a page, that replace the document's body look on that page."""
MIN_TEXT_LOOK_SHARE = 0.33
"""Characters of a look relative to those of the commonest one, from which it may be that of the text."""
MAX_HEADING_LINES, MAX_HEADING_CHARS = 7, 300
"""Maximum size of a heading in larger type, which narrow columns wrap often; also the first test for all others."""
MAX_BODY_SIZE_LINES = 4
"""Lines of a heading in type of body size."""
SHORT_HEADING_CHARS = 100
"""Length of a heading recognised by colour, slant or capitals; twice as many characters for one by bold type."""
MAX_SENTENCE_CHARS = 200
"""Length of a title in larger type that is a sentence: risks in annual reports have such titles."""
MAX_DIGIT_SHARE = 0.5
"""Share of digits among letters and digits; more make a row of figures."""
_CHAPTER_NUMBER = (
    r"(?:\d{1,3}|[a-z]|[ivxlc]{1,7}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen"
    r"|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)[.:]?"
)
_CHAPTER_LABEL = re.compile(
    rf"(?:chapter|kapitel|chapitre|cap[ií]tulo|capitolo|hoofdstuk)?\s*(?:{_CHAPTER_NUMBER})?"
    rf"|(?:appendix|annex|anhang|annexe|ap[eé]ndice|appendice|bijlage)\s+{_CHAPTER_NUMBER}"
    rf"|(?:article|artikel|art[ií]culo|artigo|articolo|section)\s+{_CHAPTER_NUMBER}",
    re.IGNORECASE,
)
"""What is above the title of a chapter or article; parts of a document, and its appendix, have chapters below them."""
_FORMULA_FONTS = re.compile(r"^(?:cm|lm|eu|tx|px|ms|nx)(?:mi|sy|ex|bm|am|r?bsy|mib)b?\d|math", re.IGNORECASE)
"""Names of fonts of letters and signs in formulas, TeX's included."""
MIN_LEADER_EM = 2.0
"""White space between a title and its page number in a table of contents without leaders."""
_CODE_SIGNS = re.compile(r"[_=<>{}%]")
"""Signs of names in code, which may be all capitals."""
_CODE_START = re.compile(r"[<>|+={}\[\]&#*/\\~^@_-]")
"""Signs with which code begins, in bold or coloured type of any font, and no title of body size."""
_SENTENCE_ENDS = (".", ",", ";", ":", "。", "、", "\uff0c", "\uff1b", "\uff1a")
_YEAR = re.compile(r"\s(?:19|20)\d{2}$")
"""End of a title such as `3M 2022`, whose digits are no figures where other titles are in its look."""
_MIN_CAPITALS = 4
"""Letters from which a text in capitals is set so, and not an abbreviation."""
_MIN_UNDERLINED = 3
"""Letters from which a text above a rule is underlined, and not the upper part of a fraction."""
_LOOK_OF_WORD: Callable[[Word], tuple[float, str, bool, bool, int]] = attrgetter(
    "size", "font", "bold", "italic", "colour"
)
"""As `Word.look`."""


class Place(Enum):
    """Place of a title between the edges of its column."""

    UNKNOWN = 0
    CENTRE = 1
    LEFT = 2
    INDENTED = 3
    RIGHT = 4


def title_place(parts: Sequence[object], index: int) -> Place:
    """Return the place of a title on its page; unknown without text in its column, or if its one line fills that.

    Args:
        parts: Paragraphs and regions of the page, in reading order.
        index: Number of the title among them.
    """
    title = parts[index]
    if not isinstance(title, Paragraph):
        return Place.UNKNOWN
    column = _column_of(title, list(_texts_near(parts, index)))
    if column is None:
        return Place.UNKNOWN
    place = _place(title, *column)
    return place if place is not Place.UNKNOWN else _place_of_lines(title)


def _texts_near(parts: Sequence[object], index: int) -> Iterator[Paragraph]:
    """Yield the paragraphs of text near a title, those below it before those above it."""
    for number in (*range(index + 1, index + 1 + MAX_PARTS_AWAY), *range(index - 1, index - 1 - MAX_PARTS_AWAY, -1)):
        part = parts[number] if 0 <= number < len(parts) else None
        if isinstance(part, Paragraph) and len(part.lines) >= MIN_TEXT_LINES and len(part.text.text) >= MIN_TEXT_CHARS:
            yield part


def _column_of(title: Paragraph, texts: Sequence[Paragraph]) -> tuple[float, float] | None:
    """Return the edges of the first text in the column of a title, as wide as the widest of those at its left edge."""
    em, (title_left, title_right) = title.lines[0].size, _edges(title)
    edges = [_edges(text) for text in texts]
    for left, _ in edges:
        right = max(other_right for other, other_right in edges if abs(other - left) <= em)
        # The longest line of a text whose right margin is ragged ends left of a title that is set at the right.
        if min(right + MAX_RAGGED_EM * em, title_right) - max(left, title_left) >= (title_right - title_left) / 2:
            return left, right
    return None


def _edges(paragraph: Paragraph) -> tuple[float, float]:
    return min(line.x0 for line in paragraph.lines), max(line.x1 for line in paragraph.lines)


def _place(title: Paragraph, left: float, right: float) -> Place:
    em = title.lines[0].size
    title_left, title_right = _edges(title)
    white_left, white_right = title_left - left, right - title_right
    if white_left <= MAX_EDGE_DIFFERENCE_EM * em:
        return Place.LEFT if white_right > MIN_WHITE_EM * em else Place.UNKNOWN
    if white_left < MIN_WHITE_EM * em:
        return Place.INDENTED if white_left >= MIN_INDENT_EM * em and white_right > MIN_WHITE_EM * em else Place.UNKNOWN
    if -MAX_RAGGED_EM * em <= white_right <= MAX_EDGE_DIFFERENCE_EM * em:
        return Place.RIGHT
    return Place.CENTRE if abs(white_left - white_right) <= MAX_CENTRE_DIFFERENCE_EM * em else Place.UNKNOWN


def _place_of_lines(title: Paragraph) -> Place:
    """Return the place of a title whose first line fills its column, by where its shortest line is."""
    em = title.lines[0].size
    widest, shortest = (one(title.lines, key=lambda line: line.x1 - line.x0) for one in (max, min))
    white_left, white_right = shortest.x0 - widest.x0, widest.x1 - shortest.x1
    if white_left + white_right <= MIN_WHITE_EM * em:
        return Place.UNKNOWN
    if abs(white_right) <= MAX_EDGE_DIFFERENCE_EM * em:
        return Place.RIGHT
    if abs(white_left) <= MAX_EDGE_DIFFERENCE_EM * em:
        return Place.LEFT
    return Place.CENTRE if abs(white_left - white_right) <= MAX_EDGE_DIFFERENCE_EM * em else Place.UNKNOWN


class Look(NamedTuple):
    """Visual style of a paragraph.

    Attributes:
        size: Font size, rounded to half a point.
        bold: True if the words are bold.
        italic: True if all words are italic.
        colour: 0xRRGGBB; that of body text if words differ.
        capitals: True if all letters are capitals.
        depth: Components of the section number, for looks whose headings have numbers of several depths; else 0.
        run_in: True for titles without a number that begin a paragraph.
        underlined: True for an underlined line in plain type of body text.
        place: Place in the column, for looks whose headings are at several; else unknown.
    """

    size: float
    bold: bool
    italic: bool
    colour: int
    capitals: bool
    depth: int = 0
    run_in: bool = False
    underlined: bool = False
    place: Place = Place.UNKNOWN


def count_looks(words: Iterable[Word]) -> Counter[Look]:
    """Count characters by look; those in monospaced fonts only if there are few others: code is no body text."""
    counts: Counter[tuple[float, str, bool, bool, int]] = Counter()
    # Words of one look follow each other: a look is taken from each without a call of Python.
    for look, run in groupby(words, _LOOK_OF_WORD):
        counts[look] += sum([len(word.text) for word in run])
    monospaced = set(filter(is_monospaced, {font for _, font, *_ in counts}))
    others = sum(count for (_, font, *_), count in counts.items() if font not in monospaced)
    left_out = monospaced if others >= MIN_OTHER_SHARE * counts.total() else ()
    by_look: Counter[Look] = Counter()
    for (size, font, bold, italic, colour), count in counts.items():
        if font not in left_out:
            by_look[Look(_round_to_half(size), bold, italic, colour, capitals=False)] += count
    return by_look


def body_look(counts: Counter[Look]) -> Look:
    """Return the look of most characters."""
    common = counts.most_common(1)
    return common[0][0] if common else Look(10.0, bold=False, italic=False, colour=0, capitals=False)


def largest_text_look(counts: Counter[Look]) -> Look:
    """Return the look in the largest type of those that the text may have: tables in small type may be most of it."""
    body = body_look(counts)
    texts = [look for look, count in counts.items() if count >= MIN_TEXT_LOOK_SHARE * counts[body]]
    return max([body, *texts], key=lambda look: look.size)


def page_look(counts: Counter[Look], body: Look) -> Look:
    """Return the look of body text on a page: the page's own if most of it is set in another look."""
    common = counts.most_common(1)
    has_own = bool(common) and common[0][1] > max(MIN_PAGE_LOOK_CHARS, counts.total() / 2)
    return common[0][0] if has_own else body


def heading_look(
    paragraph: Paragraph, body: Look, known: Container[Look] = (), stopped: Container[Look] = ()
) -> Look | None:
    """Return the look of a paragraph that may be a heading, else None.

    Args:
        paragraph: The paragraph.
        body: Look of body text on its page.
        known: Looks of the document's headings.
        stopped: Those of its titles that begin a paragraph and end with a full stop: some are alone on their line.
    """
    text = paragraph.text.text
    if (
        paragraph.sideways
        or paragraph.in_drawing
        or paragraph.is_term
        or len(paragraph.lines) > MAX_HEADING_LINES
        or len(text) > MAX_HEADING_CHARS
        or _is_running_text(paragraph, text, body, has_stopped=bool(stopped))
    ):
        return None
    has_name = _has_name(text)
    if not (has_name or _has_name(_YEAR.sub("", text))) or _is_formula(paragraph) or _ends_in_page_number(paragraph):
        return None
    look = _look(paragraph, text, body)
    is_item = is_bullet(paragraph.lines[0].words[0].text)
    if look is None or look.size < MIN_SIZE_RATIO * body.size or is_item or not (has_name or look in known):
        return None
    run_in = look._replace(run_in=True) if stopped else look
    if run_in in stopped and text.endswith(".") and text[0].isupper() and text.count(" ") < MAX_TITLE_WORDS:
        return run_in
    if paragraph.run_in:
        return look._replace(run_in=section_depth(text) < MIN_DEPTH)
    return look if is_larger(look, body) or _is_marked(paragraph, look, body, known) else None


def _is_running_text(paragraph: Paragraph, text: str, body: Look, *, has_stopped: bool) -> bool:
    """Return True for what is no heading whatever its words look like: most paragraphs are told from titles so.

    It is not in larger type, and is long, or begins or ends as a sentence does, but for `2.1. Scope.`. A long sentence
    in larger type leads into a text.
    """
    if paragraph.run_in or (has_stopped and text.endswith(".")):
        return False
    count = len(paragraph.lines)
    is_long = _is_too_long(text, count)
    is_sentence = text.endswith(_SENTENCE_ENDS) and (count > 1 or text[-1] != ".")
    if not (is_long or text[:1].islower() or is_sentence):
        return False
    if is_sentence and len(text) > MAX_SENTENCE_CHARS:
        return True
    return _round_to_half(max([line.size for line in paragraph.lines])) < BOLD_SIZE_RATIO * body.size


def _is_too_long(text: str, lines: int) -> bool:
    """Return True for a text that is too long for a heading in type of body size."""
    return len(text) > 2 * SHORT_HEADING_CHARS or lines > MAX_BODY_SIZE_LINES


def _is_marked(paragraph: Paragraph, look: Look, body: Look, known: Container[Look]) -> bool:
    """Return True for a heading in type of body size, which its weight, slant, colour, rule or capitals tell."""
    text = paragraph.text.text
    # Sentences and items are no headings.
    is_long = _is_too_long(text, len(paragraph.lines))
    # A line with a number such as `2.1.`, in bold or as other titles are, may end with a full stop.
    is_set_so = look.bold or look in known
    is_numbered = is_set_so and section_depth(text) >= MIN_DEPTH and len(paragraph.lines) == 1 and text[-1] == "."
    is_sentence = text.endswith(_SENTENCE_ENDS) and not is_numbered
    if is_long or text[0].islower() or is_sentence or _CODE_START.match(text):
        return False
    if look.bold and not body.bold:
        return True
    has_capitals = look.capitals and not _CODE_SIGNS.search(text)
    # Formulas in larger type begin with signs.
    is_title = paragraph.leads or (look in known and text[0].isalnum())
    marked = (
        (is_title and look.size >= BOLD_SIZE_RATIO * body.size)
        or look.underlined
        or look.colour != body.colour
        or (look.italic and not body.italic)
        or has_capitals
    )
    is_code = all(is_monospaced(word.font) for word in paragraph.words)
    return marked and not is_code and paragraph.alone and len(text) <= SHORT_HEADING_CHARS


def tagged_look(paragraph: Paragraph, body: Look) -> Look | None:
    """Return the look of what is tagged as a heading, which need not look like one; None if it is that of body text."""
    look = heading_look(paragraph, body) or _look(paragraph, paragraph.text.text, body)
    return None if look == body else look


def is_chapter_label(text: str) -> bool:
    """Return True for the word or the number of a chapter, or both: `CHAPTER`, `FIVE`, `Appendix A`."""
    return _CHAPTER_LABEL.fullmatch(text) is not None


def is_larger(look: Look, body: Look) -> bool:
    """Return True for type that makes a heading by its size."""
    return look.size >= (BOLD_SIZE_RATIO if look.bold else PLAIN_SIZE_RATIO) * body.size


def _is_formula(paragraph: Paragraph) -> bool:
    """Return True if all letters are in fonts of formulas."""
    return all(_FORMULA_FONTS.search(word.font) for word in paragraph.words if any(map(str.isalpha, word.text)))


def _ends_in_page_number(paragraph: Paragraph) -> bool:
    """Return True for the entry of a table of contents: white space leads to the number at its end."""
    *others, last = paragraph.lines[-1].words
    return bool(others) and last.text.isdecimal() and last.x0 - others[-1].x1 >= MIN_LEADER_EM * last.size


def _look(paragraph: Paragraph, text: str, body: Look) -> Look | None:
    """Return the common look of a paragraph's words; None if they differ in weight."""
    # Punctuation and bullets are often set in another font.
    words = [word for word in paragraph.words if word.text.isalnum() or any(map(str.isalnum, word.text))]
    if paragraph.run_in:
        # Its number may be in the type of the text.
        words = words[1:] or words
    if not words:
        return None
    size = max(line.size for line in paragraph.lines)
    is_numbered = _has_bold_number(words[0]) and len(paragraph.lines) == 1
    if is_numbered or size >= BOLD_SIZE_RATIO * body.size:
        words = [*words[:is_numbered], *(word for word in words[is_numbered:] if not _has_one_weight(word))] or words
    first = words[0]
    if any(word.bold != first.bold for word in words):
        return None
    colours = {word.colour for word in words}
    # A title in italics may have its number in the type of the text: `1.2. Scope`.
    slanted = words[section_depth(words[0].text) >= MIN_DEPTH :]
    italic = bool(slanted) and all(word.italic for word in slanted)
    letters = list(filter(str.isalpha, text))
    has_capitals = bool(letters) and letters[0].isupper() and not any(map(str.islower, letters))
    # A name of code is in capitals wherever it is printed.
    is_name = paragraph.is_name or len(letters) < _MIN_CAPITALS
    capitals = has_capitals and not is_name
    look = Look(_round_to_half(size), first.bold, italic, first.colour if len(colours) == 1 else body.colour, capitals)
    if not paragraph.underlined:
        return look
    # Other titles are told by their type, underlined or not. The address of a page is a link, `N` above a rule a term.
    is_plain = look._replace(size=body.size) == body and len(letters) >= _MIN_UNDERLINED
    return look._replace(underlined=is_plain and not ADDRESS.search(text))


def _has_bold_number(word: Word) -> bool:
    return word.bold and section_depth(word.text) >= MIN_DEPTH


def _has_one_weight(word: Word) -> bool:
    """Return True for names of code, and for letters of scripts without cases: their fonts may have no bold type."""
    text = word.text
    return is_monospaced(word.font) or (any(map(str.isalpha, text)) and text.upper() == text.lower())


def is_label(text: str) -> bool:
    """Return True for the title of a table or figure, and for the label of a note."""
    return is_caption(text) or is_note_label(text)


def _has_name(text: str) -> bool:
    name = without_section_number(text)
    letters, digits = sum(map(str.isalpha, name)), sum(map(str.isdigit, name))
    return letters > 0 and digits <= MAX_DIGIT_SHARE * (letters + digits)


def _round_to_half(size: float) -> float:
    return round(size * 2) / 2
