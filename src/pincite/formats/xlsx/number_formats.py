"""Format numbers by the number formats of a workbook (ECMA-376, 18.8.30 and 18.8.31)."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from enum import Enum
from functools import lru_cache
from math import isfinite

from pincite.formats.ooxml.numbers import DAY, GENERAL

BUILTIN: dict[int, str] = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "m/d/yy h:mm",
    37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    41: "#,##0;-#,##0",
    42: '"$"#,##0;-"$"#,##0',
    43: "#,##0.00;-#,##0.00",
    44: '"$"#,##0.00;-"$"#,##0.00',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
}
"""Built-in formats, which a file refers to by number alone; widths of literal spaces are left out."""

EXACT_INTEGERS = 2.0**53
"""Integers below this are exact as floats."""
MAX_DECIMALS = 30
"""The limit of Excel."""

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|[_*].|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<exponent>[eE][+-]0+)|(?P<digits>[0#?][0#?,.]*|\.[0#?]+)|(?P<percent>%)|(?P<plain>.)",
    re.DOTALL,
)
_SECTION = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[_*].|[^;])*', re.DOTALL)
_LITERALS = re.compile(r'"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE | re.DOTALL)
_DATE = re.compile(r"[ymdhs]", re.IGNORECASE)
_TIME = re.compile(r"[hs]|AM/PM", re.IGNORECASE)
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_CONDITION = re.compile(r"[<>=]")


class DateKind(Enum):
    """The part of a date and time that a format shows."""

    DATE = "date"
    TIME = "time"
    BOTH = "both"
    ELAPSED = "elapsed"


@dataclass(frozen=True, slots=True)
class _Section:
    """One section of a format: literals around one run of digits."""

    before: str
    after: str
    digits: str
    percents: int
    exponent: str


@lru_cache(maxsize=1024)
def date_kind(code: str) -> DateKind | None:
    """Return which part of a date a format shows; None for a format of numbers."""
    bare = _LITERALS.sub("", code.partition(";")[0])
    if _ELAPSED.search(bare):
        return DateKind.ELAPSED
    if not _DATE.search(bare) or "general" in bare.lower():
        return None
    if not _TIME.search(bare):
        return DateKind.DATE
    return DateKind.BOTH if DAY.search(bare) else DateKind.TIME


def date_text(serial: float, kind: DateKind, *, from_1904: bool = False) -> str | None:
    """Return a serial date in ISO form; None if it is outside the calendar.

    Days count from 1899-12-30 (before March 1900 from 1899-12-31, as that year is a leap year in Excel)
    or from 1904-01-01; milliseconds are rounded.
    """
    if kind is DateKind.ELAPSED:
        return _elapsed(serial)
    # Excel's serial 60 is 29 February 1900, which did not exist.
    start = datetime(1904, 1, 1) if from_1904 else datetime(1899, 12, 30 if serial >= 60 else 31)  # noqa: DTZ001, PLR2004
    try:
        moment = start + timedelta(milliseconds=round(serial * 86_400_000))
    except (OverflowError, ValueError):
        return None
    if serial < 0:
        return None
    if kind is DateKind.DATE:
        return moment.date().isoformat()
    precision = "milliseconds" if moment.microsecond else "seconds"
    if kind is DateKind.TIME and serial < 1:
        return moment.time().isoformat(precision)
    return moment.isoformat(" ", precision)


def _elapsed(days: float) -> str | None:
    try:
        seconds = round(abs(days) * 86_400)
    except (OverflowError, ValueError):
        return None
    sign = "-" if days < 0 else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def formatted(number: float, code: str, *, from_1904: bool = False) -> str | None:
    """Return a number or date in its format; None if it is in the general one, or in one that is not supported."""
    kind = date_kind(code)
    return number_text(number, code) if kind is None else date_text(number, kind, from_1904=from_1904)


def general(value: float) -> str:
    """Return a number in the general format: 15 digits, without `.0`; exact integers with all their digits."""
    if abs(value) < EXACT_INTEGERS and value.is_integer():
        return str(int(value))
    return format(value, GENERAL)


def number_text(value: float, code: str) -> str | None:
    """Return a number in its format; None if the format is not for numbers, or not supported."""
    # Sections with conditions (`[>100]`) and those with unsupported parts are left to the general format.
    sections = _sections(code)
    if sections is None or not isfinite(value):
        return None
    section, shown = _section_for(sections, value)
    if section is None:
        return None
    sign = "-" if shown < 0 else ""
    if not section.digits:
        return (section.before + section.after).strip() or None
    try:
        body = _digits(abs(shown), section)
    except (InvalidOperation, ValueError, OverflowError):
        return None
    return f"{sign}{section.before}{body}{section.after}".strip()


def _section_for(sections: tuple[_Section | None, ...], value: float) -> tuple[_Section | None, float]:
    """The section for a number (positive; negative; zero), and the number to show in it."""
    if value < 0 and len(sections) > 1:
        return sections[1], -value
    if value == 0 and len(sections) > 2:  # noqa: PLR2004 - the third one
        return sections[2], value
    return next(iter(sections), None), value


@lru_cache(maxsize=1024)
def _sections(code: str) -> tuple[_Section | None, ...] | None:
    parts: list[str] = []
    position = 0
    while position <= len(code):
        match = _SECTION.match(code, position)
        parts.append(match[0] if match else "")
        position = (match.end() if match else position) + 1
    if any(_CONDITION.search(bracket) for bracket in re.findall(r"\[([^$\]][^\]]*)\]", code)):
        return None
    return tuple(map(_section, parts[:3]))


def _section(code: str) -> _Section | None:
    before, after = "", ""
    digits, exponent, percents = "", "", 0
    for token in _TOKEN.finditer(code):
        kind = token.lastgroup
        literal = ""
        if kind == "digits" and not digits:
            digits = token[0]
        elif kind == "exponent" and digits:
            exponent = token[0]
        elif kind in ("digits", "exponent"):
            return None  # several runs of digits, as in fractions and telephone numbers, are not supported
        elif kind == "percent":
            percents += 1
            literal = "%"
        elif kind == "plain" and token[0] in "/@GgeE":
            return None
        elif kind in ("quoted", "escaped", "currency", "plain"):
            literal = token[kind]
        if digits:
            after += literal
        else:
            before += literal
    return _Section(before, after, digits, percents, exponent)


def _digits(value: float, section: _Section) -> str:
    whole, _, fraction = section.digits.partition(".")
    # Each comma after the last digit divides by 1,000.
    scale = len(section.digits) - len(section.digits.rstrip(","))
    places = sum(mark in "0#?" for mark in fraction)
    if places > MAX_DECIMALS:
        raise ValueError
    # `repr` is the number that was typed: binary fractions would round 2.675 down.
    number = Decimal(repr(value)) * Decimal(100) ** section.percents / Decimal(1000) ** scale
    if section.exponent:
        mantissa, power = f"{number:.{places}E}".split("E")
        width = section.exponent.count("0")
        sign = power[0] if power[0] == "-" or section.exponent[1] == "+" else ""
        return f"{mantissa}E{sign}{power[1:].zfill(width)}"
    with localcontext() as context:
        context.prec = 400  # the largest float has 309 digits
        rounded = number.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    integer, _, decimals = f"{rounded:f}".partition(".")
    min_decimals = len(fraction.rstrip("#?,"))
    decimals = decimals[:min_decimals] + decimals[min_decimals:].rstrip("0")
    integer = integer.lstrip("0").zfill(whole.count("0"))
    if "," in whole.rstrip(",") and integer:
        integer = f"{int(integer):,}".zfill(len(integer))
    return f"{integer}.{decimals}" if decimals else integer
