"""The grammar of labels in lines: what a form or running text says as label and value.

A label is right or left of its value, above it, in one line with it, with a colon or without. Where its words end is
told by a colon, a wide gap, the kind of the value, or the names of the schema's fields; else the pair is open.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

from pincite.model.chunk import Chunk, ChunkKind
from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.terms.defined import read_defined
from pincite.text.terms.labels import PERIOD_ENDS, is_entry, is_known, known_terms, label_terms
from pincite.text.terms.vocabulary import (
    COLON,
    COLONS,
    ENUMERATOR,
    MARKS,
    REMARK,
    Vocabulary,
    implied_terms,
    label_parts,
    plain_words,
)
from pincite.text.values.booleans import read_boxes
from pincite.text.values.dates import days_of_months
from pincite.text.values.tokens import CURRENCIES, read_quantities, read_tokens

MAX_VALUE_CHARS = 300
"""Maximum length of a value: a longer one is a paragraph."""
_MAX_LABEL_WORDS = 7
"""Words of a line before a value that may be its label."""
_LAST_WORDS = re.compile(r"(?:\S+\s+){0,3}\S+\s*\Z")
_BARE_PERCENT = re.compile(r"\(?\d{1,3}(?:[.,]\d{1,3})?\s?%\)?")
_MIN_PROSE_WORDS = 12
_MIN_SENTENCE_WORDS = 6
"""The same of a line that ends with a full stop."""
_MIN_PROSE_SHARE = 0.5
"""Share of a line's words that are of small letters alone from which a long one is a sentence, and no row of values."""
PREPOSITIONS = frozenset("nr nr. no no. n° nº numéro vom von am du le de del dated of from on van op il".split(" "))  # noqa: SIM905
_DANGLING = re.compile(r"\s*(?:\)|\s/)\Z")
_URL = re.compile(r"\S+://\S+")
_BRACKETED = MARKS + "()[]"
_BOX_NUMBER = re.compile(r"\d{1,2}[a-z]?")
BOX_LABEL = re.compile(r"(?:(?<=[|$] )|(?<=[a-z.)] ))\d{1,2}[a-z]?\s+(?=[A-Z][a-z]+ [a-z])")
"""The number of a box of a form before its label, in a cell or behind another label."""
LONG_NUMBER = re.compile(r"\d{5}")
"""Of a number to call by, which no label and no header has."""
_MIN_CODE_CHARS = 4
"""Length of a word of digits that is no mark of a column."""
_INDENT = re.compile(r"[ \t]+\S")
_MAX_HEAD_WORDS = 4
_COLUMN_GAP = re.compile(r"[ \u00a0]{3,}[$€£]?")
_WIDE_GAP = re.compile(r"(?<=\S)(?:[ \u00a0]{2,}|[ ]?\t+[ ]?)(?=\S)")
_MAX_ROW_LABEL_WORDS = 18
"""Words of the name of a row; more are a text."""
_MAX_NAMED_WORDS = 12
"""Words of a label together with its value where no colon is between them."""
_MAX_MEASURED_WORDS = 4
"""Words of a quantity with its unit and what is said of it: `circa 0,21 kg`."""
_PERIODS = frozenset({"date", "period"})
_CALLED_BY = frozenset({"date", "number"})
OWN_LABEL = re.compile(r"[^\W\d_]+\.?(?: [^\W\d_]+\.?){0,2}(?::| =|  -)\s")
"""What begins with its own label is no value of the label above it."""
_DIGITS = tuple("0123456789")
_DURATION = re.compile(
    r"(?:days?|tagen?|tag|jours?|d[ií]as?|giorn[oi]|dag(?:en)?|months?|monate?n?|mois|mes(?:es|[ei])?|maand(?:en)?"
    r"|weeks?|wochen?|semaines?|semanas?|years?|jahren?|jahre?|ans|años?|ann[io]|jaar|jaren|hours?|stunden?|heures?)\Z",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?:(?<=[^\W\d_]{3})|(?<=[\"”)]))\.\s+(?=[^\W\d_]{3})")
"""Not after an abbreviation, as `Inv. no.`"""
_DATE_RANGE = re.compile(r"\s*(?:[-–—~～]|to|until|bis|au|al|hasta|tot)\s*", re.IGNORECASE)  # noqa: RUF001 - CJK text
_WORD_AFTER = re.compile(r"\s(?P<word>[^\W\d_]+)")


TITLE_TERMS = frozenset({"title"})
"""What the document's first heading is."""
ISSUER_TERMS = frozenset({"seller", "name"})
"""What the name in a letterhead is, which no label says."""


class Source(IntEnum):
    """Where a candidate was read, the most reliable first."""

    TABLE_ROW = 0
    TABLE_COLUMN = 1
    COLON = 2
    IN_TEXT = 3
    BELOW = 4
    TITLE = 5
    ISSUER = 6


@dataclass(frozen=True)
class Pair:
    """A label and a value of a document.

    Attributes:
        label: The text that names the value.
        context: Texts that qualify the label: group of rows, heading.
        start: The value's first character in the document's text.
        end: One past its last character.
        value: The value's text.
        quote_start: First character of the smallest passage that has label and value.
        source: Where it was read.
        grid: Its table.
        cell: Its cell there.
        header: The header of its column; empty without one.
        row: The name of its row, where the header is the label; empty without one.
        is_of_item: Whether it is of an item of a table of goods: its amounts are none of the document.
        is_prose: Whether it is in a sentence, which may speak of other years and documents.
        quote_end: One past the last character of that passage; 0 if the value ends it.
        is_open: Whether words of the next label may end it: only a typed part of it is a value.
    """

    label: str
    context: tuple[str, ...]
    start: int
    end: int
    value: str
    quote_start: int
    source: Source
    grid: TextGrid | None = None
    cell: TextCell | None = None
    header: str = ""
    row: str = ""
    is_of_item: bool = False
    is_prose: bool = False
    quote_end: int = 0
    is_open: bool = False

    @property
    def is_attached(self) -> bool:
        """True if it is of an attached file."""
        return self.grid is not None and self.grid.attachment != ""

    @cached_property
    def labels(self) -> Sequence[frozenset[str]]:
        """The terms of the label, and of the first of its names if it has several; see `label_parts`.

        The dates of a period are its start and its end.
        """
        if self.source is Source.ISSUER:
            return [ISSUER_TERMS]
        parts = [*label_parts(self.label), *([TITLE_TERMS] if self.source is Source.TITLE else [])]
        if not parts[0] & _PERIODS or self.dates != len(PERIOD_ENDS):
            return parts
        return [*parts, parts[0] | PERIOD_ENDS, *(parts[0] - {"date"} | {end} for end in sorted(PERIOD_ENDS))]

    @cached_property
    def dates(self) -> int:
        """The number of dates in the value."""
        return sum(bool(one.days) for one in read_tokens(self.value))

    @cached_property
    def header_terms(self) -> frozenset[str]:
        """The terms of the header."""
        return label_terms(self.header)

    @cached_property
    def context_terms(self) -> frozenset[str]:
        """The terms of the header and of what qualifies the label."""
        return self.header_terms.union(*map(label_terms, self.context))

    @cached_property
    def implied(self) -> frozenset[str]:
        """What the value says of itself."""
        return implied_terms(self.value)


def may_name_row(text: str) -> bool:
    """Return True if a text is short enough for a label and has no number to call by and no amount."""
    is_short = len(text.split()) <= _MAX_ROW_LABEL_WORDS and any(map(str.isalpha, text))
    is_short = is_short and not LONG_NUMBER.search(text)
    return is_short and not any(one.unit in CURRENCIES for one in read_quantities(text))


def of_text(chunk: Chunk, context: tuple[str, ...], vocabulary: Vocabulary) -> Iterator[Pair]:
    """Yield the pairs of a passage outside of its table, whose labels the words of a context qualify."""
    offset = chunk.start
    for one in read_defined(chunk.text) if chunk.kind is not ChunkKind.TABLE else ():
        label, value = chunk.text[slice(*one.label)], chunk.text[slice(*one.value)]
        quote = offset + min(one.label[0], one.value[0])
        start, end = offset + one.value[0], offset + one.value[1]
        yield Pair(
            label, (), start, end, value, quote, Source.COLON, quote_end=offset + max(one.label[1], one.value[1])
        )
    yield from of_lines(_lines(chunk), context, vocabulary)


def _lines(chunk: Chunk) -> Iterator[tuple[int, str]]:
    """Yield the lines of a passage with their positions, without those of its table."""
    offset = chunk.start
    for line in chunk.text.splitlines(keepends=True):
        if chunk.kind is ChunkKind.TABLE and line.lstrip().startswith("|"):
            return  # the heading of the section is in the chunk, too, and no row of its table
        yield offset, line.rstrip("\r\n")
        offset += len(line)


def of_lines(lines: Iterable[tuple[int, str]], context: tuple[str, ...], vocabulary: Vocabulary) -> Iterator[Pair]:
    """Yield the pairs of lines, each with its position: of each line, and of a label and the value below it."""
    above: list[tuple[int, str]] = []
    line_above, over = "", context
    for offset, text in lines:
        is_prose = _is_prose(text)
        # A line alone heads the indented lines below it.
        is_indented = bool(above) and _INDENT.match(text) is not None
        if not is_indented:
            is_head = len(text.split()) <= _MAX_HEAD_WORDS and not COLON.search(text)
            over = (*context, text) if is_head else context
        for one in of_line(text, offset, over if is_indented else context, vocabulary):
            # A colon inside of a sentence goes on with it.
            is_inside = is_prose and one.source is Source.COLON and text[: one.quote_start - offset].strip(MARKS)
            if not is_inside:
                # A hard line break goes on with what is before it.
                is_broken = text.endswith("\\") and one.end == offset + len(text.rstrip(MARKS))
                is_of_sentence = is_prose and one.source is Source.IN_TEXT
                yield replace(one, is_prose=is_of_sentence, is_open=one.is_open or is_broken)
        parts = _parts(text, offset)
        if parts:
            is_heading = line_above.startswith("#") and label_terms(line_above.lstrip("#")) in vocabulary.names
            is_marked = len(parts) > 1 or is_heading or _ends_label(line_above)
            if not _ends_label(text):
                yield from _below(above, parts, context, vocabulary, is_marked=is_marked)
            above, line_above = parts, text


def _ends_label(line: str) -> bool:
    return line.rstrip(" *_")[-1:] in COLONS


def _parts(line: str, offset: int) -> list[tuple[int, str]]:
    """Return the parts of a line between wide gaps, as columns have them in plain text, with their positions."""
    cuts = [0, *(end for match in _WIDE_GAP.finditer(line.rstrip()) for end in match.span()), len(line)]
    spans = [_stripped(line[:last], first, MARKS) for first, last in zip(cuts[::2], cuts[1::2], strict=True)]
    return [(offset + start, line[start:end]) for start, end in spans if start < end]


def _below(
    above: Sequence[tuple[int, str]], parts: Sequence[tuple[int, str]], context: tuple[str, ...],
    vocabulary: Vocabulary, *, is_marked: bool,
) -> Iterator[Pair]:  # fmt: skip
    """Yield the parts of a line that are below labels: those of one line alone or of as many columns.

    Below a label alone, without the colon that would mark it, only a date, a quantity or a number to call by is its
    value; below the whole name of a field also words that name nothing.
    """
    labels = [_BARE_PERCENT.sub("", text) for _, text in above]
    is_labels = (
        len(above) == len(parts)
        and all(len(text.split()) <= _MAX_LABEL_WORDS and not any(map(str.isdigit, text)) for text in labels)
        and not any(vocabulary.has_value(text) for text in labels)
    )
    known = [vocabulary.is_label(text) or is_known(text) for text in labels]
    if not is_labels or not (all(known) or (len(known) > 1 and any(known))):
        return
    if all(vocabulary.is_only_label(text) for _, text in parts):
        return
    for (quote, label), (start, text) in zip(above, parts, strict=True):
        is_measured = len(text.split()) <= _MAX_MEASURED_WORDS and any(one.unit for one in read_quantities(text))
        is_named = label_terms(label) in vocabulary.names and text[:1].isalpha() and not is_known(text)
        is_typed = is_measured or is_named or implied_terms(text) <= _CALLED_BY
        is_value = not (vocabulary.is_only_label(text) or OWN_LABEL.match(text) or text.startswith("!["))
        if is_value and (is_marked or is_typed):
            value = text[:MAX_VALUE_CHARS]
            yield Pair(label, context, start, start + len(value), value, quote, Source.BELOW)


def _is_prose(line: str) -> bool:
    words = line.split()
    plain = sum(word.strip(".,;()").isalpha() and word.islower() for word in words)
    is_long = len(words) >= _MIN_PROSE_WORDS or (len(words) >= _MIN_SENTENCE_WORDS and line.rstrip().endswith("."))
    return is_long and plain >= _MIN_PROSE_SHARE * len(words)


def _boxes(line: str, offset: int, context: tuple[str, ...]) -> Iterator[Pair]:
    """Yield the boxes to tick of a line, each with its option as the label."""
    boxes = [one for one in read_boxes(line) if one.option]
    for one in boxes if any(box.is_ticked for box in boxes) or len(boxes) == 1 else ():
        start, mark_end, end = offset + one.start, offset + one.mark_end, offset + one.end
        mark = line[one.start : one.mark_end]
        yield Pair(one.option, context, start, mark_end, mark, offset, Source.COLON, quote_end=end)


def of_line(line: str, offset: int, context: tuple[str, ...], vocabulary: Vocabulary) -> Iterator[Pair]:
    """Yield the pairs of a line or of the text of a cell, which begins at an offset of the document."""
    yield from _colons(line, offset, context, vocabulary)
    yield from _boxes(line, offset, context)
    yield from _named(line, offset, context, vocabulary)
    previous = 0
    above, above_quote = "", offset
    values = _values(line, vocabulary)
    for (start, end), (following, _) in zip(values, [*values[1:], (0, 0)], strict=False):
        between = line[previous:start]
        # A label with several values behind it, as columns have them, names none of them.
        is_of_row = _COLUMN_GAP.fullmatch(line, end, following)
        plain = REMARK.sub(" ", between).strip(_BRACKETED)
        words = _URL.split(plain)[-1].split()[-_MAX_NAMED_WORDS:]
        label = " ".join(words)
        quote = offset + line.index(words[0], previous) if words else offset + start
        # "Invoice no. 5 of 3 May": a preposition goes on with the label before it.
        if above and words and PREPOSITIONS.issuperset(word.lower() for word in words):
            label = f"{above} {label}"
        # "VAT (20 %) 450.00": a rate goes with the label before it.
        elif above and line[:previous].endswith("%") and not any(map(str.isalpha, between)):
            label, quote = above, above_quote
        above, above_quote = label, quote
        last_part = label.rpartition(": ")[2]
        label = last_part if vocabulary.is_label(last_part) else label
        # "30 days" is a duration: its unit names nothing that follows.
        is_unit = line[:previous].endswith(_DIGITS) and words and _DURATION.match(words[0])
        if (
            label
            and not (is_unit or is_of_row)
            and may_name_row(label)
            and (is_known(label) or label_terms(label) & vocabulary.words)
        ):
            # The unit of a duration is a part of it: "net 30 days" is no amount.
            word = _WORD_AFTER.match(line, end)
            is_part = word and line[end - 1] in _DIGITS and _DURATION.match(word["word"])
            last = word.end() if word and is_part else end
            is_open = _WORD_AFTER.match(line, last) is not None
            yield Pair(
                label, context, offset + start, offset + last, line[start:last], quote, Source.IN_TEXT, is_open=is_open
            )
        previous = end


def _named(line: str, offset: int, context: tuple[str, ...], vocabulary: Vocabulary) -> Iterator[Pair]:
    """Yield what goes on after a field's name at the beginning of a line, part of a line or cell without a colon."""
    for position, text in _parts(line, offset) if not COLON.search(line) else ():
        words = list(re.finditer(r"\S+", text))[: _MAX_NAMED_WORDS + 1]
        first = next((match for match in words if match[0][:1].isalpha()), None)
        for number in range(1, min(len(words), _MAX_LABEL_WORDS)) if first else ():
            label, value = text[: words[number - 1].end()], text[words[number].start() :]
            plain = plain_words(label)
            # A compound may be a name: `Beispielmieter`.
            if not (plain in vocabulary.phrases or all(map(is_entry, plain.split()))):
                continue
            terms = label_terms(ENUMERATOR.sub("", label))
            following = label_terms(words[number][0])
            is_other = bool(following & vocabulary.words or known_terms(following) or ENUMERATOR.match(value)) or not (
                value[0].isupper() or not (value[0].isalpha() or value[0] in "([")
            )
            is_named = terms in vocabulary.names and not is_other and len(words) <= _MAX_NAMED_WORDS
            if is_named and _is_apart(words[number - 1][0], words[number][0], label):
                start = position + words[number].start()
                yield Pair(label, context, start, start + len(value), value, position, Source.IN_TEXT)
                break


def _is_apart(last: str, first: str, label: str) -> bool:
    """Return True if letter case or digits tell that a label without a colon ends between two words.

    `Agency Est` and `BILL OF LADING` may be one label.
    """
    is_code = any(map(str.isdigit, first)) and (any(map(str.isalpha, first)) or len(first) >= _MIN_CODE_CHARS)
    is_name = last.islower() and first[:1].isupper()
    return is_code or is_name or (any(map(str.isalpha, first)) and first.isupper() != label.isupper())


def _colons(line: str, offset: int, context: tuple[str, ...], vocabulary: Vocabulary) -> Iterator[Pair]:
    """Yield what a line has as `label: value`, also several in one line."""
    colons = list(COLON.finditer(line))
    labels = [_label_before(line, colons[number - 1].end() if number else 0, colon.start(), vocabulary.words,
              is_first=not number) for number, colon in enumerate(colons)]  # fmt: skip
    for number, colon in enumerate(colons):
        until = labels[number + 1] if number + 1 < len(colons) else len(line)
        start, end = _stripped(line[:until], colon.end(), MARKS + ",;")
        if start == end:
            continue
        # `Docket #` is a number.
        label = line[labels[number] : colon.start()].lstrip(MARKS).rstrip(MARKS.replace("#", ""))
        value = line[start : min(end, start + MAX_VALUE_CHARS)]
        is_open = number + 1 < len(colons) and _is_open(line, until, colons[number + 1].start(), vocabulary)
        gap = _WIDE_GAP.search(value)
        if gap is not None and not vocabulary.is_label(value[: gap.start()]):
            value, is_open = value[: gap.start()], False
        if not vocabulary.is_only_label(value):
            yield Pair(
                label, context, offset + start, offset + start + len(value), value, offset + labels[number],
                Source.COLON, is_open=is_open,
            )  # fmt: skip


def next_label(text: str, vocabulary: Vocabulary) -> tuple[int, bool]:
    """Return where the first label with a colon begins in a text after a value, and whether it may begin before.

    Without one it is the length of the text.
    """
    colon = COLON.search(text)
    start = _label_before(text, 0, colon.start(), vocabulary.words, is_first=False) if colon else 0
    end = len(text[:start].rstrip(MARKS + ",;"))
    return end or len(text), bool(colon and end and _is_open(text, start, colon.start(), vocabulary))


def value_end(text: str, vocabulary: Vocabulary) -> tuple[int, bool]:
    """Return where a value ends: before the first label in its cell or line that is known as one.

    Also whether words of that label may be the value's.
    """
    end, is_open = next_label(text, vocabulary)
    colon = COLON.search(text, end)
    return (end, is_open) if colon and is_known(text[end : colon.start()]) else (len(text), False)


def _is_open(line: str, start: int, colon: int, vocabulary: Vocabulary) -> bool:
    """Return True unless something tells that the next label of a line begins at an index."""
    before = line[:start]
    is_apart = not before.rstrip()[-1:].isalpha() or before.endswith(("  ", "\t"))
    label = plain_words(line[start:colon])
    is_entire = label_terms(label) in vocabulary.names or (" " in label and is_entry(label))
    return not is_apart and not is_entire


def _stripped(text: str, first: int, marks: str) -> tuple[int, int]:
    """Return the span of a text from an index on without marks around it; the minus of an amount is none."""
    rest = text[first:]
    start, end = first + len(rest) - len(rest.lstrip(marks + "<" * ("://" in rest))), first + len(rest.rstrip(marks))
    if "<" in text[start:end] and text[end : end + 1] == ">":
        end += 1  # of an address, no mark of a quote
    if end <= start:
        return start, start
    # Behind a label it is a bound, and no mark of a quote: `LD50: > 5000 mg/kg`.
    if first and text[start].isdigit() and ">" in text[first:start]:
        start = text.index(">", first)
    # A bracket that was opened before the label closes behind the value: `(Case No.: 12/3)`.
    dangling = _DANGLING.search(text, start, end)
    end = dangling.start() if dangling and "(" not in text[start:end] else end
    numbers = [one for token in read_tokens(text[first:]) for one in token.numbers]
    starts, ends = [start, *(first + one.start for one in numbers)], [end, *(first + one.end for one in numbers)]
    return min(starts), max(ends)


def _label_before(line: str, first: int, end: int, names: frozenset[str], *, is_first: bool) -> int:
    """Return where the label before a colon begins: where its line or sentence does, or with its last known words."""
    sentences = list(_SENTENCE_END.finditer(line, first, end))
    if sentences:
        first, is_first = sentences[-1].end(), True
    if is_first:
        words = line[first:end].split()
        if len(words) <= _MAX_LABEL_WORDS:
            return first + len(line[first:end]) - len(line[first:end].lstrip(MARKS))
    match = _LAST_WORDS.search(line, first, end)
    if match is None:
        return end
    words = list(re.finditer(r"\S+", line[match.start() : end]))
    start = words[-1].start() if words else 0
    for word in reversed(words[:-1]):
        if any(map(str.isdigit, word[0])) or not (is_known(word[0]) or label_terms(word[0]) & names):
            break
        start = word.start()
    return match.start() + start


def _values(line: str, vocabulary: Vocabulary) -> list[tuple[int, int]]:
    """Return the spans of dates, identifiers and quantities in a line, in order and apart."""
    spans: list[tuple[int, int]] = []
    previous = False
    certain = [one for one in read_tokens(line) if all(len(number.readings) == 1 for number in one.numbers)]
    is_of_boxes = vocabulary.is_boxed or len(BOX_LABEL.findall(line)) > 1
    for token, after in zip(certain, [*certain[1:], None], strict=False):
        # The number of a box is the beginning of its label, and a day before a value the end of one.
        box = ENUMERATOR.match(line, token.start)
        following = _WORD_AFTER.match(line, box.end() - 1) if box else None
        is_label = following and not _DURATION.match(following["word"])
        if vocabulary.is_boxed and _BOX_NUMBER.fullmatch(line, token.start, token.end):
            continue
        if is_label and following and (is_of_boxes or vocabulary.is_label(following["word"])):
            continue
        is_day = (
            after is not None and not (token.numbers or token.days) and [*days_of_months(line[token.start : token.end])]
        )
        if is_day and after and not line[token.end : after.start].strip(" $€£"):
            continue
        # From one day to another is one value: neither day is the date of what the label names.
        is_range = previous and token.days and _DATE_RANGE.fullmatch(line, spans[-1][1], token.start)
        start = spans.pop()[0] if is_range else token.start
        spans.append((start, token.end))
        previous = bool(token.days)
    return spans
