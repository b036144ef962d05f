"""Read calendar dates as documents print them, in eight languages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from enum import Enum

_MONTHS = (
    "january jan januar janvier janv enero ene gennaio gen januari",
    "february feb februar février fevrier févr fevr febrero febbraio febbr februari",
    "march mar märz maerz mrz mars marzo maart mrt",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag mei",
    "june jun juni juin junio giugno giu",
    "july jul juli juillet juil julio luglio lug",
    "august aug août aout agosto ago augustus",
    "september sep sept septembre septiembre set settembre",
    "october oct okt oktober octobre octubre ottobre ott",
    "november nov novembre noviembre",
    "december dec dez dezember décembre déc decembre diciembre dic dicembre",
)
"""Names and abbreviations of the months in English, German, French, Spanish, Italian and Dutch."""
MONTH_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}

_WEEKDAYS = (
    "mon(?:day|tag)?|lun(?:di|es|edì)?|maandag|tue(?:s|sday)?|dienstag|mar(?:di|tes|tedì)|dinsdag|wed(?:nesday)?|mittwoch"
    "|mer(?:credi|coledì)|miércoles|woensdag|thu(?:r|rs|rsday)?|donnerstag|jeu(?:di)?|jueves|giovedì|donderdag"
    "|fri(?:day)?|freitag|ven(?:dredi|erdì)|viernes|vrijdag|sat(?:urday)?|sa(?:mstag|medi)|sábado|sabato|zaterdag"
    "|sun(?:day)?|sonntag|dim(?:anche)?|domingo|domenica|zondag"
)
DAY_OF_WEEK = re.compile(rf"(?:{_WEEKDAYS})(?:[.,]|\b)\s*(?:the\s|den\s|le\s|el\s)?", re.IGNORECASE)
"""The day of the week before a date, with what is between them."""

_NAMES = "|".join(sorted(MONTH_OF, key=len, reverse=True))
_DATE = re.compile(
    r"(?<![\d.,/-])(?P<y1>\d{4})(?P<s1>[-/.])(?P<m1>\d{1,2})(?P=s1)(?P<d1>\d{1,2})(?!\d|[-/.]\d)"
    r"|(?<![\d.,/-])(?P<a>\d{1,2})(?P<s2>[-/.])(?P<b>\d{1,2})(?P=s2)(?P<y2>\d{4}|\d{2})(?!\d|[-/.]\d)"
    rf"|(?<!\d)(?P<d3>\d{{1,2}})(?:er|st|nd|rd|th|º|\.)?[\s-]{{1,3}}(?:de\s|(?:day\s)?of\s)?(?P<m3>{_NAMES})\.?,?"
    r"[\s-]{1,3}(?:de\s|del\s)?(?P<y3>\d{4}|\d{2})(?!\d|[.,]\d)"
    rf"|(?<!\w)(?P<m4>{_NAMES})\.?\s(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\s?[,.]?\s(?P<y4>\d{{4}})(?!\d)"
    r"|(?<!\d)(?P<y5>\d{4})\s?[年년]\s?(?P<m5>\d{1,2})\s?[月월]\s?(?P<d5>\d{1,2})\s?[日일号]?",
    re.IGNORECASE,
)
_DAY_OF_MONTH = re.compile(
    rf"(?<![\d.,/-])\d{{1,2}}(?:st|nd|rd|th|\.)?[\s-](?:of\s|de\s)?(?P<m1>{_NAMES})\b\.?(?!\w)"
    rf"|(?<!\w)(?P<m2>{_NAMES})\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:\s?[-–]\s?\d{{1,2}})?(?:,?\s\d{{4}})?(?![\d:%])(?![.,]\d)",
    re.IGNORECASE,
)
_PIVOT = 70
"""Two-digit years below are of this century (POSIX uses 69)."""


@dataclass(frozen=True, slots=True)
class DateSpan:
    """A date in a text.

    Attributes:
        start: Its first character.
        end: One past its last character.
        readings: What it may be: two days for `03/04/2024`, whose order a text does not tell.
    """

    start: int
    end: int
    readings: frozenset[date]


class DateOrder(Enum):
    """Whether the day or the month comes first in a document's dates of numbers."""

    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"
    UNKNOWN = "unknown"


def date_order(text: str) -> DateOrder:
    """Return the order in a text's dates, by those that can be read in one order only."""
    orders = {_order(match) for match in _DATE.finditer(text)} - {DateOrder.UNKNOWN}
    return orders.pop() if len(orders) == 1 else DateOrder.UNKNOWN


def _order(match: re.Match[str]) -> DateOrder:
    if not match["y2"] or match["s2"] == ".":
        return DateOrder.UNKNOWN
    day_first, month_first = _date(match["y2"], match["b"], match["a"]), _date(match["y2"], match["a"], match["b"])
    if (day_first is None) == (month_first is None):
        return DateOrder.UNKNOWN
    return DateOrder.MONTH_FIRST if day_first is None else DateOrder.DAY_FIRST


def read_dates(text: str, order: DateOrder = DateOrder.UNKNOWN) -> Iterator[DateSpan]:
    """Yield the dates of a text in order; what is on no calendar is none.

    Args:
        text: The text.
        order: The document's order, which decides what `03/04/2024` is.
    """
    for match in _DATE.finditer(text):
        readings = frozenset(filter(None, _readings(match, order)))
        if readings:
            yield DateSpan(match.start(), match.end(), readings)


def days_of_months(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of days without a year, and of several days: `31 December`, `May 20-22, 2003`."""
    for match in _DAY_OF_MONTH.finditer(text):
        # A verb or a name has a small letter: "Section 5 may".
        if (match["m1"] or match["m2"])[0].isupper():
            yield match.span()


def _readings(match: re.Match[str], order: DateOrder) -> Iterator[date | None]:
    if match["y1"]:
        yield _date(match["y1"], match["m1"], match["d1"])
    elif match["y2"]:
        # Points occur between day and month only in that order.
        has_points = match["s2"] == "."
        if has_points or order is not DateOrder.MONTH_FIRST:
            yield _date(match["y2"], match["b"], match["a"])
        if not has_points and order is not DateOrder.DAY_FIRST:
            yield _date(match["y2"], match["a"], match["b"])
    elif match["y3"]:
        yield _date(match["y3"], str(MONTH_OF[match["m3"].lower()]), match["d3"])
    elif match["y4"]:
        yield _date(match["y4"], str(MONTH_OF[match["m4"].lower()]), match["d4"])
    else:
        yield _date(match["y5"], match["m5"], match["d5"])


def _date(year: str, month: str, day: str) -> date | None:
    century = 0 if len(year) > 2 else 2000 if int(year) < _PIVOT else 1900  # noqa: PLR2004 - digits of a full year
    try:
        return date(century + int(year), int(month), int(day))
    except ValueError:
        return None
