"""Find a value in a text by its type: the text must parse to the value, however it prints it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from pincite.evidence.search import Prepared, occurrences, prepare, readings
from pincite.text.values.booleans import read_boolean
from pincite.text.values.dates import DateSpan, read_dates
from pincite.text.values.numbers import DecimalMark, read_numbers
from pincite.text.values.quantities import Quantity, canonical_unit, parse_quantity, read_quantities

_RANGE_MARKS = str.maketrans("~～∼〜", "----")  # noqa: RUF001 - the marks that normalising a value replaces
MAX_VALUE_CHARS = 20_000
"""Maximum length of a text value that is searched; a longer one is no value but a document."""
_MAX_CELL_CHARS, _KEPT_CELLS = 200, 2_000
"""Cells that are kept prepared: those of a row are searched once for each of its values. Some 10 MB at most."""
_SIGNS = "€$£¥₹"
LOWER_END, UPPER_END = "lower end of a range", "upper end of a range"
TRUTH_WORD = "word for true or false"
CHOICE_CASE = "choice in another letter case"


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """A place where a text has a value.

    Attributes:
        start: First character in the text.
        end: One past its last character.
        rule: The rule by which the value was derived from the text; empty if the text is the value itself.
        is_ambiguous: Whether the text could also be another value: `1.234`, `03/04/2024`.
    """

    start: int
    end: int
    rule: str = ""
    is_ambiguous: bool = False


def find_value(
    value: Any, text: str, *, mark: DecimalMark = DecimalMark.UNKNOWN, unit: str = "", is_choice: bool = False
) -> list[ValueMatch]:
    """Return where a text has a value, the most literal matches first.

    Args:
        value: Text, a number or a boolean.
        text: The text, cut from a document.
        mark: The document's decimal mark.
        unit: The unit that the text's header or label states, for a number that is printed without one.
        is_choice: Whether the value is one of a schema's choices, whose letter case is the schema's.
    """
    if isinstance(value, bool):
        return _booleans(value, text)
    if isinstance(value, int | float | Decimal):
        return list(_numbers(Decimal(str(value)), text, mark))
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_VALUE_CHARS:
        return []
    literal = _literal(value, text)
    if literal:
        return literal
    in_another_case = _choices(value, text) if is_choice else ()
    return [*in_another_case, *_quantities(value, text, mark, unit), *_dates(value, text)]


def _choices(value: str, text: str) -> Iterator[ValueMatch]:
    wording = r"\s+".join(map(re.escape, value.split()))
    for match in re.finditer(rf"(?<!\w){wording}(?!\w)", text, re.IGNORECASE):
        yield ValueMatch(*match.span(), CHOICE_CASE)


@lru_cache(maxsize=_KEPT_CELLS)
def _prepared_cell(text: str) -> Prepared:
    return prepare(text)


def has_other_value(value: Any, text: str) -> bool:
    """Return True if a text has a number or date where a number or date was to be found."""
    if isinstance(value, bool) or not (isinstance(value, int | float) or any(map(str.isdigit, str(value)))):
        return False
    return next(read_numbers(text), None) is not None


def _literal(value: str, text: str) -> list[ValueMatch]:
    """Find a text by strict normalisation; a number that is the whole value must not be a part of a range."""
    if not any(map(str.isalnum, value)):
        # A currency's sign has no letters to normalise.
        found = text.find(value.strip())
        return [ValueMatch(found, found + len(value.strip()))] if found >= 0 and value.strip() in _SIGNS else []
    marked = text.translate(_RANGE_MARKS)
    prepared = _prepared_cell(marked) if len(marked) <= _MAX_CELL_CHARS else prepare(marked)
    for wording in readings(value.translate(_RANGE_MARKS), prepared):
        spans = list(occurrences(wording, prepared, (0, len(text))))
        quantity = parse_quantity(value)
        if quantity is not None and spans:
            whole = read_quantities(text)
            spans = [span for span in spans if not _is_cut(quantity, span, whole)]
        if spans:
            return [ValueMatch(*span) for span in spans]
    return []


def _is_cut(quantity: Quantity, span: tuple[int, int], printed: list[Quantity]) -> bool:
    """Return True if a match is one end of a printed range, or a number whose unit it lacks the rest of."""
    return any(one.start <= span[0] and span[1] <= one.end and one.high and not quantity.high for one in printed)


def _booleans(value: bool, text: str) -> list[ValueMatch]:
    matches: list[ValueMatch] = []
    start = 0
    # Cells and lines apart: a sentence that mentions "no" somewhere says nothing.
    for piece in text.replace("\n", "|").split("|"):
        if piece.strip() and read_boolean(piece) is value:
            offset = start + len(piece) - len(piece.lstrip())
            matches.append(ValueMatch(offset, offset + len(piece.strip()), TRUTH_WORD))
        start += len(piece) + 1
    return matches


def _numbers(value: Decimal, text: str, mark: DecimalMark) -> Iterator[ValueMatch]:
    dates = list(read_dates(text))
    ends: dict[int, str] = {}
    for one in read_quantities(text, mark):
        if one.high:
            inside = [number for number in read_numbers(text, mark) if one.start <= number.start < one.end]
            ends.update({number.start: rule for number, rule in zip(inside, (LOWER_END, UPPER_END), strict=False)})
    for number in read_numbers(text, mark):
        if value in number.readings and not any(one.start <= number.start < one.end for one in dates):
            yield ValueMatch(number.start, number.end, ends.get(number.start, ""), len(number.readings) > 1)


def _quantities(value: str, text: str, mark: DecimalMark, unit: str) -> Iterator[ValueMatch]:
    claimed = parse_quantity(value)
    if claimed is None:
        return
    dates = list(read_dates(text))
    for one in read_quantities(text, mark):
        if any(day.start <= one.start < day.end for day in dates) or not _units_agree(claimed, one, unit):
            continue
        ambiguous = len(one.low) > 1 or len(one.high) > 1
        if bool(claimed.high) == bool(one.high) and claimed.low & one.low and (not one.high or claimed.high & one.high):
            yield ValueMatch(
                one.start, one.end, "" if one.unit or not claimed.unit else "unit of the header", ambiguous
            )
        elif one.high and not claimed.high and claimed.low & (one.low | one.high):
            yield ValueMatch(one.start, one.end, LOWER_END if claimed.low & one.low else UPPER_END, ambiguous)


def _units_agree(claimed: Quantity, printed: Quantity, header_unit: str) -> bool:
    if not claimed.unit:
        # A per cent is a scale, not a name: 0 % is not 0.
        return printed.unit not in ("%", "‰")
    return claimed.unit == printed.unit or (
        claimed.unit == canonical_unit(header_unit) and (not printed.unit or printed.unit == claimed.unit)
    )


def _dates(value: str, text: str) -> Iterator[ValueMatch]:
    claimed = _whole_date(value)
    for one in read_dates(text) if claimed else ():
        if claimed & one.readings:
            yield ValueMatch(one.start, one.end, "", len(one.readings) > 1)


def _whole_date(value: str) -> frozenset[date]:
    found: list[DateSpan] = list(read_dates(value))
    if len(found) == 1 and not (value[: found[0].start] + value[found[0].end :]).strip(" .,"):
        return found[0].readings
    return frozenset()
