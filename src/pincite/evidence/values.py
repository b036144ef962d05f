"""Find a value in a text by its type: the text must parse to the value, however it prints it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

from pincite.evidence.search import Prepared, occurrences, prepare, readings
from pincite.text.values.booleans import read_boolean
from pincite.text.values.tokens import (
    CURRENCIES,
    CURRENCY,
    UNKNOWN_CONVENTIONS,
    Conventions,
    Token,
    canonical_unit,
    parse_quantity,
    read_tokens,
)

_RANGE_MARKS = str.maketrans("~～∼〜", "----")  # noqa: RUF001 - the marks that normalising a value replaces
MAX_VALUE_CHARS = 20_000
"""Maximum length of a text value that is searched; a longer one is no value but a document."""
_MAX_CELL_CHARS, _KEPT_CELLS = 200, 500
"""Cells that are kept prepared: a row's cells are searched once for each of its values. Some 3 MB at most."""
_SIGNS = "€$£¥₹%‰°"
LOWER_END, UPPER_END = "lower end of a range", "upper end of a range"
TRUTH_WORD = "word for true or false"
CHOICE_CASE = "choice in another letter case"
_LEADING_ZERO = re.compile(r"0\d")


@dataclass(frozen=True, slots=True)
class ValueMatch:
    """An occurrence of a value in a text.

    Attributes:
        start: First character in the text.
        end: One past its last character.
        rule: The rule by which the value was derived from the text; empty if the text is the value itself.
        is_ambiguous: Whether the text could also be another value: `03/04/2024`.
    """

    start: int
    end: int
    rule: str = ""
    is_ambiguous: bool = False


def find_value(
    value: Any,
    text: str,
    *,
    within: tuple[int, int] | None = None,
    form: Conventions = UNKNOWN_CONVENTIONS,
    unit: str = "",
    is_choice: bool = False,
) -> list[ValueMatch]:
    """Return where a text has a value, the most literal matches first; a part of a token is none.

    Args:
        value: Text, a number or a boolean.
        text: The text, cut from a document.
        within: The span of the text that has the value; the rest tells how far the tokens at its edges go on.
        form: How the document writes numbers and dates.
        unit: The unit that the text's header or label states, for a number that is printed without one.
        is_choice: Whether the value is one of a schema's choices, whose letter case is the schema's.
    """
    first, last = within or (0, len(text))
    if isinstance(value, bool):
        return [
            replace(hit, start=first + hit.start, end=first + hit.end) for hit in _booleans(value, text[first:last])
        ]
    tokens = read_tokens(text, form)
    if isinstance(value, int | float | Decimal):
        found = list(_numbers(Decimal(str(value)), tokens))
    elif not isinstance(value, str) or not value.strip() or len(value) > MAX_VALUE_CHARS:
        found = []
    else:
        found = _literal(value, text, (first, last), tokens)
        if not found:
            in_another_case = _choices(value, text) if is_choice else ()
            # What begins with a zero is a number to call by: none of its digits may lack.
            is_code = _LEADING_ZERO.match(value.strip())
            alike = () if is_code else _quantities(value, tokens, unit)
            quantities = (one for one in alike if not _LEADING_ZERO.match(text, one.start))
            found = [*in_another_case, *quantities, *_dates(value, tokens, form)]
    return [match for match in found if first <= match.start and match.end <= last]


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
    return any(token.numbers or token.days for token in read_tokens(text))


def _literal(value: str, text: str, within: tuple[int, int], tokens: Sequence[Token]) -> list[ValueMatch]:
    """Find a text by strict normalisation; it must not cut a quantity, a date or an identifier."""
    if not any(map(str.isalnum, value)):
        # The sign of a currency or unit has no letters to normalise.
        found = text.find(value.strip(), *within)
        return [ValueMatch(found, found + len(value.strip()))] if found >= 0 and value.strip() in _SIGNS else []
    marked = text[slice(*within)].translate(_RANGE_MARKS)
    prepared = _prepared_cell(marked) if len(marked) <= _MAX_CELL_CHARS else prepare(marked)
    for wording in readings(value.translate(_RANGE_MARKS), prepared):
        found = occurrences(wording, prepared, (0, len(marked)))
        spans = [(within[0] + start, within[0] + end) for start, end in found]
        spans = [span for span in spans if not any(_cuts(span, value, token) for token in tokens)]
        if parse_quantity(value) is not None:
            # Two numbers side by side are not the one that their digits would be.
            spans = [span for span in spans if sum(span[0] < hit.end and hit.start < span[1] for hit in tokens) == 1]
        if spans:
            days = [token for token in tokens if len(token.days) > 1]
            return [ValueMatch(*span, "", any(span[0] <= day.start < span[1] for day in days)) for span in spans]
    return []


def _cuts(span: tuple[int, int], value: str, token: Token) -> bool:
    """Return True if a match has a part of a token; an amount without its currency is whole, and so is a currency."""
    is_overlapping = token.start < span[1] and span[0] < token.end
    if not is_overlapping or (span[0] <= token.start and token.end <= span[1]):
        return False
    if token.unit and re.fullmatch(CURRENCY, value):
        return False
    is_amount = token.unit in CURRENCIES and len(token.numbers) == 1 and any(map(str.isdigit, value))
    return not (is_amount and span[0] <= token.numbers[0].start and token.numbers[0].end <= span[1])


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


def _numbers(value: Decimal, tokens: Iterable[Token]) -> Iterator[ValueMatch]:
    for token in tokens:
        rules = (LOWER_END, UPPER_END) if len(token.numbers) > 1 else ("",)
        for number, rule in zip(token.numbers, rules, strict=False):
            # Of `Loss (5.00)` nothing tells the sign.
            if number.readings == frozenset({value}):
                yield ValueMatch(number.start, number.end, rule)


def _quantities(value: str, tokens: Iterable[Token], unit: str) -> Iterator[ValueMatch]:
    claimed = parse_quantity(value)
    if claimed is None:
        return
    ends = [number.readings for number in claimed.numbers]
    for token in tokens:
        printed = [number.readings for number in token.numbers]
        if not printed or not _units_agree(claimed, token, unit):
            continue
        end = token.unit_end if claimed.unit and token.unit == claimed.unit else token.end
        if printed == ends and all(len(values) == 1 for values in printed):
            rule = "" if token.unit or not claimed.unit else "unit of the header"
            yield ValueMatch(token.start, max(end, token.end), rule)
        elif len(printed) > len(ends) and ends[0] in printed:
            yield ValueMatch(token.start, max(end, token.end), LOWER_END if ends[0] == printed[0] else UPPER_END)


def _units_agree(claimed: Token, printed: Token, header_unit: str) -> bool:
    if not claimed.unit:
        # A unit is a part of the value, and a per cent a scale: 0 % is not 0. A mere word is none.
        return printed.unit in CURRENCIES or printed.end < printed.unit_end or not printed.unit
    return claimed.unit == printed.unit or (
        claimed.unit == canonical_unit(header_unit) and (not printed.unit or printed.unit == claimed.unit)
    )


def _dates(value: str, tokens: Iterable[Token], form: Conventions) -> Iterator[ValueMatch]:
    # Day and month of a claim have the document's order, or a name.
    claimed = read_tokens(value.strip(), form)
    is_whole = len(claimed) == 1 and not (value[: claimed[0].start] + value[claimed[0].end :]).strip(" .,")
    for token in tokens if is_whole else ():
        # A day whose order the document leaves open is only what it prints.
        if len(token.days) == 1 and token.days <= claimed[0].days:
            yield ValueMatch(token.start, token.end)
