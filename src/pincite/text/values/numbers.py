"""Read numbers as documents print them, under both decimal conventions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

_SPACE = "[ \u00a0\u2009\u202f]"
_NUMBER = re.compile(
    rf"(?<![\w.,:'’^])(?P<sign>[-+\u2212–](?=[\d.,]))?"
    rf"(?P<body>\d{{1,3}}(?:{_SPACE}\d{{3}})+(?:[.,]\d{{1,10}})?(?!\d)"
    r"|\d{1,3}(?:['’]\d{3})+(?:[.,]\d{1,10})?(?!\d)"
    r"|\d{1,3}(?:\.\d{3})+,\d{1,10}|\d{1,3}(?:,\d{2,3})*,\d{3}\.\d{1,10}"
    r"|\d{1,3}(?:\.\d{3}){2,}(?!\d)|\d{1,2}(?:,\d{2})+,\d{3}(?!\d)|\d{1,3}(?:,\d{3}){2,}(?!\d)"
    r"|\d{1,30}(?:[.,]\d{1,20})?|[.,]\d{1,20})"
    r"(?P<exponent>[eE][-+]?\d{1,3})?"
    r"(?![\d]|[.,:'’]\d)"
)
"""A number with separators used consistently; no part of a word, a version, a time or a date with points, no power or
mark of a note."""
_MINUS = "-\u2212–"
_CURRENCY = r"(?:[€$£¥₹]|EUR|USD|GBP|CHF)"
_SIGN_BEFORE = re.compile(rf"(?<![\w.,)])[{_MINUS}]{_CURRENCY}\s?\Z|(?<=:)[{_MINUS}]\Z")
"""A minus before the currency of an amount, as in `-$5.00`, or directly after a colon."""
_MAX_SIGN_CHARS = 6
_TRAILING_MINUS = re.compile(rf"(?<=[.,]\d\d)[{_MINUS}](?=\s*(?:\Z|[\n|]|{_CURRENCY}))")
"""A minus after an amount with cents, as bookkeeping prints it: `5,00-`."""
_IN_BRACKETS = re.compile(rf"\(\s?(?:{_CURRENCY}\s?)?\Z"), re.compile(rf"\s?(?:{_CURRENCY})?\s?\)")
_YEAR = re.compile(r"(?:19|20)\d\d|0\d*|\d{1,2}")
"""A number in brackets that is no amount: a year, an area code, the number of a note."""
_AFTER_VALUE = re.compile(r"(?:[\w%°)]|\d\s)\Z")
_MONEY = re.compile(r"\d([.,])\d\d(?![\d.,])")
_MIN_LEAD = 5
"""How many times more often one decimal mark must occur than the other to be the document's."""
_GROUP_DIGITS = 3


class DecimalMark(StrEnum):
    """The decimal mark of a document; `UNKNOWN` if it uses both or none."""

    POINT = "."
    COMMA = ","
    UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text.

    Attributes:
        start: Its first character, the sign included.
        end: One past its last character.
        readings: What it may be: two values for `1.234` where the decimal mark is not known, and for `(5.00)`, which
            is negative in bookkeeping.
    """

    start: int
    end: int
    readings: frozenset[Decimal]


_POINT_SCRIPTS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
"""Chinese and Japanese write decimals with a point, and thousands with a comma."""


def decimal_mark(text: str) -> DecimalMark:
    """Return the decimal mark of a text, by its numbers with two decimals, as sums of money have."""
    marks = [match[1] for match in _MONEY.finditer(text)]
    points, commas = marks.count("."), marks.count(",")
    if not marks and _POINT_SCRIPTS.search(text):
        return DecimalMark.POINT
    if points > _MIN_LEAD * commas:
        return DecimalMark.POINT
    return DecimalMark.COMMA if commas > _MIN_LEAD * points else DecimalMark.UNKNOWN


def read_numbers(text: str, mark: DecimalMark = DecimalMark.UNKNOWN) -> Iterator[Number]:
    """Yield the numbers of a text in order.

    Args:
        text: The text.
        mark: The document's decimal mark, which decides what `1.234` is.
    """
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        sign = match["sign"] or ""
        # A hyphen after a value is the mark of a range.
        if sign not in ("", "+") and _AFTER_VALUE.search(text[max(0, start - 2) : start]):
            sign, start = "", start + 1
        values = _readings(match["body"], mark)
        if match["exponent"]:
            values = {value.scaleb(int(match["exponent"][1:])) for value in values}
        if not sign and (signed := _signed_amount(text, start, end)):
            sign, (start, end) = _MINUS[0], signed
        # Arithmetic would round to 28 digits, and two long numbers become one.
        negative = {value.copy_negate() for value in values}
        if sign and sign in _MINUS:
            values = negative
        elif _is_in_brackets(text, start, end) and not _YEAR.fullmatch(match["body"]):
            values |= negative
        yield Number(start, end, frozenset(values))


def _signed_amount(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of an amount with the minus before its currency or after its cents; None without one."""
    before = _SIGN_BEFORE.search(text[max(0, start - _MAX_SIGN_CHARS) : start])
    if before and not _AFTER_VALUE.search(text[max(0, start - len(before[0]) - 2) : start - len(before[0])]):
        return start - len(before[0]), end
    after = _TRAILING_MINUS.match(text, end)
    return (start, after.end()) if after else None


def _is_in_brackets(text: str, start: int, end: int) -> bool:
    opening, closing = _IN_BRACKETS
    return bool(opening.search(text[max(0, start - _MAX_SIGN_CHARS) : start]) and closing.match(text, end))


def _readings(body: str, mark: DecimalMark) -> set[Decimal]:
    plain = re.sub(rf"{_SPACE}|['’]", "", body)
    separators = [character for character in plain if character in ".,"]
    if not separators:
        return {Decimal(plain)}
    last = separators[-1]
    whole, _, fraction = plain.rpartition(last)
    decimal = Decimal(f"{re.sub('[.,]', '', whole) or '0'}.{fraction}")
    grouped = Decimal(re.sub("[.,]", "", plain))
    if len(separators) > 1:
        # One kind of separator repeated is that of thousands; of two kinds the last is the decimal mark.
        return {grouped} if len(set(separators)) == 1 else {decimal}
    may_be_grouped = len(fraction) == _GROUP_DIGITS and plain == body and 0 < len(whole) <= _GROUP_DIGITS
    if not may_be_grouped or whole.startswith("0"):
        return {decimal}
    if mark is DecimalMark.UNKNOWN:
        return {decimal, grouped}
    return {decimal} if mark.value == last else {grouped}
