"""Cut a text into typed tokens: quantities, dates and identifiers. A part of a token is never a value."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from pincite.text.values.dates import DateOrder, date_order, days_of_months, read_dates
from pincite.text.values.units import UNITS

CURRENCY = (
    "(?:[€$£¥₹]|(?:AED|ARS|AUD|BGN|BRL|CAD|CHF|CLP|CNY|COP|CZK|DKK|EGP|EUR|GBP|HKD|HUF|IDR|ILS|INR|ISK|JPY|KES|KRW|KWD|MAD"
    "|MXN|MYR|NGN|NOK|NZD|PEN|PHP|PKR|PLN|QAR|RON|RSD|RUB|SAR|SEK|SGD|THB|TRY|TWD|UAH|USD|VND|ZAR)(?![^\\W\\d_]))"
)
"""A currency's sign, or its code."""
_SPACE = "[ \u00a0\u2009\u202f]"
_FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_NUMBER = re.compile(
    r"(?:(?<![.,'’^])(?<!\d:)(?<![^\W\u2e80-\u9fff])|(?<=\.\.)(?=\d)|(?<=EUR|USD|GBP|CHF))(?P<sign>[-+\u2212–](?=[\d.,]))?"
    rf"(?P<body>(?:\d{{1,4}}{_SPACE}?)?[{_FRACTIONS}]"
    rf"|\d{{1,3}}(?:{_SPACE}\d{{3}})+(?:[.,]\d{{1,10}})?(?!\d)"
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
_SIGN_BEFORE = re.compile(rf"(?<![\w.,)])[{_MINUS}]{CURRENCY}\s?\Z|(?<=:)[{_MINUS}]\Z")
"""A minus before the currency of an amount, as in `-$5.00`, or directly after a colon."""
_MAX_SIGN_CHARS = 6
_TRAILING_MINUS = re.compile(rf"(?<=[.,]\d\d)[{_MINUS}](?=\s*(?:\Z|[\n|]|{CURRENCY}))")
"""A minus after an amount with cents, as bookkeeping prints it: `5,00-`."""
_OPENING = re.compile(rf"(?P<outer>{CURRENCY})?\(\s?(?P<inner>{CURRENCY}\s?)?\Z")
_CLOSING = re.compile(rf"\s?(?P<mark>%|{CURRENCY})?\s?\)")
_ALONE_BEFORE, _ALONE_AFTER = re.compile(r"(?:\A|[\n|:=：]|\s\s)\s*\Z"), re.compile(r"\s?%?(?:\s*(?:\Z|[\n|])|\s\s)")  # noqa: RUF001 - the colon of CJK text
_UNSIGNED = re.compile(r"(?:19|20)\d\d|0\d*|\d{1,2}")
"""A number in brackets that is no amount: a year, an area code, the number of a note."""
_CREDIT = re.compile(r"\s?(?:CR|DR)\b\.?", re.IGNORECASE)
"""Credit or debit after an amount: whose sign that is depends on whose account it is."""
_AFTER_VALUE = re.compile(r"(?:[\w%°)]|\d\s)\Z")
_POWERS = {
    word: power
    for power, words in (
        (3, "thousand thousands tausend tsd mila duizend 千"),
        (4, "万 萬"),
        (5, "lakh lakhs"),
        (6, "million millions millionen mio mln mn millones millón milioni milione miljoen 百万"),
        (7, "crore crores"),
        (8, "亿 億"),
        (9, "billion billions bn mrd mld milliarde milliarden milliard milliards miliardi miliardo miljard"),
        (12, "trillion trillions 兆"),
    )
    for word in words.split()
}
_LETTER_POWERS = {"k": 3, "m": 6, "b": 9}
"""Of amounts of money; `k` of any number: `5 m` is a length."""
_MAGNITUDE = re.compile(
    rf"\s?(?P<word>{'|'.join(sorted(_POWERS, key=len, reverse=True))})(?![a-z])\.?|(?P<letter>[kmb])(?![\w/])",
    re.IGNORECASE,
)
_MONEY = re.compile(r"\d([.,])\d\d(?![\d.,])")
_PRICE = re.compile(rf"{CURRENCY}\s?\d[\d.,]*[.,]\d\d(?!\d)")
_MIN_PRICES = 3
"""Amounts with a currency and cents from which a document writes all of its amounts so."""
_GROUPS = re.compile(r"(?<![\d.,])\d{1,3}([.,])\d{3}\1\d{3}(?!\d)")
_MIN_LEAD = 5
"""How many times more often one decimal mark must occur than the other to be the document's."""
_GROUP_DIGITS = 3
_POINT_WORDS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\b(?:the|and|is|of)\b", re.IGNORECASE)
_COMMA_WORDS = re.compile(
    r"\b(?:der|die|das|und|für|nicht|les?|des|pour|avec|los|las|para|della|per|che|het|een|voor)\b", re.IGNORECASE
)
"""Words of languages that write decimals with a point, as Chinese, Japanese and English do, and with a comma."""
_IDENTIFIER = re.compile(
    rf"(?<![\w/.-])(?!{CURRENCY}\d)(?:[A-Z]{{2}}\d{{2}}(?: ?[A-Z]{{4}})?(?: [A-Z]{{0,3}}\d[A-Z\d]{{0,10}}){{2,8}}"
    r"|(?![\u2e80-\u9fff])[^\W\d_][\w/-]*\d[\w/.-]*|\d[\d/.-]*[^\W\d][\w/-]*\d[\w/-]*"
    r"|\(\d{2,5}\) ?\d{2,5}[ -]\d{2,}(?:[ -]\d{2,})*|\+\d{1,3}(?:[ -]\d{2,}){2,}|\+\d{1,3} \d(?: \d{2,}){2,}"
    r"|\d{4,}-[A-Z]{1,2}(?!\w)|10\.\d{4,9}/[\w./-]*\w|\d+(?:[-/.]\d+){2,}"
    r"|0\d*[-/]\d+|\d+[-/]0\d+|\d{3,}(?: \d{3,}){2,})(?:\s\d{2,})?(?<![/.-])"
)
"""A word with letters and digits, a telephone number, a DOI, an IBAN, or three groups of digits: `TM-447821`."""
RANGE_MARKS = "–—−~～∼〜…-"  # noqa: RUF001 - the marks that ranges are printed with
_RANGE = re.compile(
    rf"\s?(?P<unit>[^\s\d{RANGE_MARKS}]{{1,12}})?\s*(?:[{RANGE_MARKS}]|\.{{2,3}}|(?<![^\W\d_])(?:to|bis|à|al?|tot)|至|から)\s*\Z",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[\s\u00a0]{0,2}(?P<unit>[A-Za-zµμΩΩ°℃%‰€$£¥₹\u4e00-\u9fff][\w°%²³·/*^().-]{0,14})?")
_KNOWN_UNIT = re.compile(
    r"(?:[kcmµμn]?[glL]/[dmµμ]?[lL]|[mµμ]?mol(?:/[lL])?|ft|lbs?|oz|k?cal|kJ|[kcm]?m[23²³]|km/h|U/[lL]|mmHg|‰"
    rf"|{UNITS}|{CURRENCY})(?:dc|ac|DC|AC)?"
)
_SPELLINGS = str.maketrans({"μ": "µ", "Ω": "Ω", "²": "2", "³": "3", "^": "", "·": "", "*": "", " ": "", "\u00a0": ""})
_CODES = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "eur": "EUR", "euro": "EUR", "euros": "EUR"}
CURRENCIES = frozenset(re.findall("[A-Z]{3}", CURRENCY))
"""The codes of currencies, which are also the spelling of their signs."""
_CURRENCY_BEFORE = re.compile(rf"(?P<unit>{CURRENCY}|Rs\.?)\s{{0,2}}[-+\u2212]?\Z")
_CURRENCY_INSIDE = re.compile(rf"[({_MINUS}]\s?(?P<unit>{CURRENCY})\s?(?=[\d.,])|(?P<outer>{CURRENCY})\(")
_UNIT_IN_LABEL = re.compile(r"[(\[]\s*(?P<unit>[^\s()\[\]\d][^()\[\]]{0,14}?)\s*[)\]]|,\s*(?P<after>[^\s,\d]{1,6})\s*$")
_COMPARATOR = re.compile(r"\s*(?:[<>≤≥≈~±]=?|≦|≧|max\.?|min\.?|up to|bis zu)?\s*", re.IGNORECASE)
_KEPT_TEXTS, _MAX_KEPT_CHARS = 1_024, 1_000
"""Texts whose tokens are kept, since one is read for each field: some 3 MB at most."""


class DecimalMark(StrEnum):
    """The decimal mark of a document; `UNKNOWN` if it uses both or none."""

    POINT = "."
    COMMA = ","
    UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class Conventions:
    """How a document writes numbers and dates.

    Where it does not tell its decimal mark, a comma before exactly three digits groups, and a point is a decimal mark.
    With `has_cents`, a number with neither cents nor a currency is no amount of money.
    """

    mark: DecimalMark = DecimalMark.UNKNOWN
    order: DateOrder = DateOrder.UNKNOWN
    has_cents: bool = False


UNKNOWN_CONVENTIONS, XML_CONVENTIONS = Conventions(), Conventions(DecimalMark.POINT)
"""Those of a text that does not tell them, and of attached data."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text.

    Attributes:
        start: Its first character: of its sign, or of the bracket that is one.
        end: One past its last character, its magnitude and the mark of credit or debit included.
        readings: What it may be: two values for `Loss (5.00)`, which bookkeeping writes for a negative amount.
    """

    start: int
    end: int
    readings: frozenset[Decimal]


@dataclass(frozen=True, slots=True)
class Token:
    """A quantity, a date or an identifier.

    Attributes:
        start: First character; the currency before a number is included.
        end: One past its last character, a known unit included.
        numbers: The number of a quantity, or both ends of a range; empty for another token.
        unit: The unit of a quantity in one spelling; empty without one.
        unit_end: One past the unit, even if that is a mere word.
        days: What a date may be: two days where the order of day and month is open; empty for another token.
    """

    start: int
    end: int
    numbers: tuple[Number, ...] = ()
    unit: str = ""
    unit_end: int = 0
    days: frozenset[date] = frozenset()


@lru_cache(maxsize=1)
def conventions(text: str) -> Conventions:
    """Return how a document writes numbers and dates, by the unambiguous ones and by its language."""
    mark, order = _decimal_mark(text), date_order(text)
    # Where decimals have a comma, the day comes before the month.
    is_day_first = order is DateOrder.UNKNOWN and mark is DecimalMark.COMMA
    has_cents = len(_PRICE.findall(text)) >= _MIN_PRICES
    return Conventions(mark, DateOrder.DAY_FIRST if is_day_first else order, has_cents)


def _decimal_mark(text: str) -> DecimalMark:
    marks = [match[1] for match in _MONEY.finditer(text)]
    marks += [",."[match[1] == ","] for match in _GROUPS.finditer(text)]
    points, commas = marks.count("."), marks.count(",")
    if not marks:
        points, commas = len(_POINT_WORDS.findall(text)), len(_COMMA_WORDS.findall(text))
    if points > _MIN_LEAD * commas:
        return DecimalMark.POINT
    return DecimalMark.COMMA if commas > _MIN_LEAD * points else DecimalMark.UNKNOWN


def read_tokens(text: str, form: Conventions = UNKNOWN_CONVENTIONS) -> tuple[Token, ...]:
    """Return the tokens of a text in order, each as long as it can be."""
    return (_kept_tokens if len(text) <= _MAX_KEPT_CHARS else _tokens)(text, form)


def _tokens(text: str, form: Conventions) -> tuple[Token, ...]:
    candidates = [Token(day.start, day.end, days=day.readings) for day in read_dates(text, form.order)]
    candidates += [Token(*match.span()) for match in _IDENTIFIER.finditer(text)]
    candidates += [Token(*span) for span in days_of_months(text)]
    candidates += _quantities(text, list(_numbers(text, form.mark)))
    kept: list[Token] = []
    for token in sorted(candidates, key=lambda match: (match.start, -match.end)):
        while kept and token.start < kept[-1].end and _precedence(token, kept[-1]) > _precedence(kept[-1], token):
            kept.pop()
        if not kept or token.start >= kept[-1].end:
            kept.append(token)
    return tuple(kept)


def _precedence(token: Token, other: Token) -> tuple[bool, bool, bool]:
    """Rank overlapping tokens: `1.234.567` and `5-10 V` are quantities, `2024` of `INV-2024` is none."""
    holds = token.start <= other.start and other.end <= token.end
    return bool(token.days), holds and bool(token.numbers), not token.numbers


_kept_tokens = lru_cache(maxsize=_KEPT_TEXTS)(_tokens)


def read_quantities(text: str, form: Conventions = UNKNOWN_CONVENTIONS) -> list[Token]:
    """Return the quantities of a text in order; the two ends of a range are one."""
    return [token for token in read_tokens(text, form) if token.numbers]


def read_numbers(text: str, form: Conventions = UNKNOWN_CONVENTIONS) -> list[Number]:
    """Return the numbers of a text in order."""
    return [number for token in read_tokens(text, form) for number in token.numbers]


def parse_quantity(text: str) -> Token | None:
    """Return the quantity that a whole text is, perhaps with a comparator before it; None if it is more or less."""
    quantities = read_quantities(text)
    if len(quantities) != 1 or not _COMPARATOR.fullmatch(text[: quantities[0].start]):
        return None
    return None if text[max(quantities[0].end, quantities[0].unit_end) :].strip(" .,;)") else quantities[0]


def canonical_unit(unit: str) -> str:
    """Return a unit in one spelling; case is kept, for it tells milli from mega."""
    text = unit.translate(_SPELLINGS).strip("().,;")
    return _CODES.get(text.lower(), text.replace("℃", "°C"))


def is_unit(text: str) -> bool:
    """Return True if a text is a unit or the sign of a currency: `MΩ`, `S$`."""
    return _KNOWN_UNIT.fullmatch(text.removeprefix("S")) is not None


def stated_unit(labels: Iterable[str]) -> str:
    """Return the unit that the first of these labels states, as `Power (kW)` or `Spannung [V]`; empty without one."""
    for label in labels:
        match = _UNIT_IN_LABEL.search(label)
        if match:
            return match["unit"] or match["after"]
    return ""


def _numbers(text: str, mark: DecimalMark) -> Iterator[Number]:
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        sign = match["sign"] or ""
        # A hyphen after a value is the mark of a range.
        if sign not in ("", "+") and _AFTER_VALUE.search(text[max(0, start - 2) : start]):
            sign, start = "", start + 1
        before = text[max(0, start - _MAX_SIGN_CHARS) : start]
        power, end = _magnitude(text, end, is_money=_CURRENCY_BEFORE.search(before) is not None)
        value, power = _value(match["body"], mark), power + int((match["exponent"] or "e0")[1:])
        value = value.scaleb(power) if power else value
        if not sign and (signed := _signed_amount(text, start, end)):
            sign, (start, end) = _MINUS[0], signed
        # Arithmetic would round to 28 digits, and two long numbers become one.
        values = {value.copy_negate() if sign and sign in _MINUS else value}
        if not sign and (bracketed := _bracketed(text, start, end, match["body"])):
            start, end, is_alone = bracketed
            values = {value.copy_negate()} if is_alone else {value, value.copy_negate()}
        credit = _CREDIT.match(text, end)
        yield Number(start, credit.end() if credit else end, frozenset(values))


def _value(body: str, mark: DecimalMark) -> Decimal:
    if body[-1] in _FRACTIONS:
        whole = re.sub(_SPACE, "", body[:-1])
        return Decimal(whole or 0) + Decimal(str(round(unicodedata.numeric(body[-1]), 6)))
    plain = re.sub(rf"{_SPACE}|['’]", "", body)
    separators = [character for character in plain if character in ".,"]
    if not separators:
        return Decimal(plain)
    last = separators[-1]
    whole, _, fraction = plain.rpartition(last)
    decimal = Decimal(f"{re.sub('[.,]', '', whole) or '0'}.{fraction}")
    grouped = Decimal(re.sub("[.,]", "", plain))
    if len(separators) > 1:
        # A single kind of separator, repeated, separates thousands; of two kinds the last is the decimal mark.
        return grouped if len(set(separators)) == 1 else decimal
    may_be_grouped = len(fraction) == _GROUP_DIGITS and plain == body and 0 < len(whole) <= _GROUP_DIGITS
    if not may_be_grouped or whole.startswith("0"):
        return decimal
    return decimal if last == (mark or DecimalMark.POINT) else grouped


def _magnitude(text: str, end: int, *, is_money: bool) -> tuple[int, int]:
    """Return the power of ten after a number, and where the number ends with it."""
    match = _MAGNITUDE.match(text, end)
    if match is None or (match["letter"] and match["letter"] != "k" and not is_money):
        return 0, end
    return (_LETTER_POWERS | _POWERS)[(match["word"] or match["letter"]).lower()], match.end()


def _signed_amount(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of an amount with the minus before its currency or after its cents; None without one."""
    before = _SIGN_BEFORE.search(text[max(0, start - _MAX_SIGN_CHARS) : start])
    if before and not _AFTER_VALUE.search(text[max(0, start - len(before[0]) - 2) : start - len(before[0])]):
        return start - len(before[0]), end
    after = _TRAILING_MINUS.match(text, end)
    return (start, after.end()) if after else None


def _bracketed(text: str, start: int, end: int, body: str) -> tuple[int, int, bool] | None:
    """Return the span of an amount in brackets, and whether it is alone in its line, cell or column.

    Alone the brackets are its sign. Among other words they may be mere brackets.
    """
    opening = _OPENING.search(text[max(0, start - _MAX_SIGN_CHARS) : start])
    closing = _CLOSING.match(text, end)
    if opening is None or closing is None:
        return None
    first, last = start - len(opening[0]), closing.end()
    is_alone = _ALONE_BEFORE.search(text[max(0, first - 2) : first]) and _ALONE_AFTER.match(text, last)
    has_mark = opening["outer"] or opening["inner"] or closing["mark"] or text[last : last + 1] == "%"
    if not has_mark and _UNSIGNED.fullmatch(body):
        return None
    # A rate behind a name, as in `VAT (20 %)`, is no loss.
    is_amount = closing["mark"] != "%" and (has_mark or any(mark in body for mark in ".,"))
    return (first, last, bool(is_alone)) if is_alone or is_amount else None


def _quantities(text: str, numbers: list[Number]) -> Iterator[Token]:
    index = 0
    while index < len(numbers):
        ends = numbers[index : index + 2]
        is_range = len(ends) > 1 and _RANGE.fullmatch(text[ends[0].end : ends[1].start])
        # A leading zero is of an identifier: `63-0065650`.
        if not is_range or re.match(r"0\d", text[ends[1].start : ends[1].end]):
            ends = ends[:1]
        yield _quantity(text, tuple(ends))
        index += len(ends)


def _quantity(text: str, numbers: tuple[Number, ...]) -> Token:
    start, last = numbers[0].start, numbers[-1].end
    # A bracket may hold the unit as well as the sign.
    own = _UNIT.match(text, last)
    unit = ((own["unit"] or "") if own else "").rstrip(".-*")
    unit = unit if "(" in unit else unit.rstrip(")")
    if text[last - 1] == ")" and (closing := re.search(rf"(%|{CURRENCY})\s?\)\Z", text[start:last])):
        return Token(start, last, numbers, canonical_unit(closing[1]), last)
    unit_end = own.start("unit") + len(unit) if own and unit else last
    known = _KNOWN_UNIT.match(unit)
    end = (
        last if known is None or (unit[known.end() : known.end() + 1].isalnum()) else unit_end - len(unit) + known.end()
    )
    inside = _CURRENCY_INSIDE.match(text, start)
    before = None if inside else _CURRENCY_BEFORE.search(text[max(0, start - _MAX_SIGN_CHARS) : start])
    if inside:
        return Token(start, last, numbers, canonical_unit(inside["unit"] or inside["outer"]), last)
    if before:
        start -= len(before[0])
        if not re.fullmatch(CURRENCY, unit):
            return Token(start, last, numbers, canonical_unit(before["unit"]), last)
    return Token(start, end, numbers, canonical_unit(unit), unit_end)
