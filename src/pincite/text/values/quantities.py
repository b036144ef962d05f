"""Read quantities: a number or a range with its unit or currency."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from pincite.text.values.numbers import DecimalMark, Number, read_numbers

RANGE_MARKS = "–—−~～∼〜…-"  # noqa: RUF001 - the marks that ranges are printed with
_RANGE = re.compile(rf"\s*(?:[{RANGE_MARKS}]|\.{{2,3}}|to|bis|à|al?|tot|至|から)\s*\Z", re.IGNORECASE)
_RANGE_WITH_UNIT = re.compile(
    rf"\s?(?P<unit>[^\s\d{RANGE_MARKS}]{{1,12}})\s*(?:[{RANGE_MARKS}]|\.{{2,3}}|to|bis|à|tot|至)\s*\Z", re.IGNORECASE
)
_UNIT = re.compile(r"[\s\u00a0]{0,2}(?P<unit>[A-Za-zµμΩΩ°℃%‰€$£¥\u4e00-\u9fff][\w°%²³·/*^().-]{0,14})?")
_SPELLINGS = str.maketrans({"μ": "µ", "Ω": "Ω", "²": "2", "³": "3", "^": "", "·": "", "*": "", " ": "", "\u00a0": ""})
_CURRENCIES = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "₹": "INR", "eur": "EUR", "euro": "EUR", "euros": "EUR"}
_CURRENCY_BEFORE = re.compile(r"(?P<unit>[€$£¥₹]|EUR|USD|GBP|CHF|JPY|INR|Rs\.?)\s{0,2}[-+\u2212]?\Z")
_CURRENCY_INSIDE = re.compile(r"[-\u2212–](?P<unit>[€$£¥₹]|EUR|USD|GBP|CHF)\s?(?=[\d.,])")
_UNIT_IN_LABEL = re.compile(r"[(\[]\s*(?P<unit>[^\s()\[\]\d][^()\[\]]{0,14}?)\s*[)\]]|,\s*(?P<after>[^\s,\d]{1,6})\s*$")
_COMPARATOR = re.compile(r"\s*(?:[<>≤≥≈~±]=?|≦|≧|max\.?|min\.?|up to|bis zu)?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number or a range, with a unit.

    Attributes:
        start: First character, the currency before it included.
        end: One past its last character.
        low: What its first number may be.
        high: What its second number may be; empty unless it is a range.
        unit: Its unit in one spelling; empty without one.
    """

    start: int
    end: int
    low: frozenset[Decimal]
    high: frozenset[Decimal]
    unit: str


def canonical_unit(unit: str) -> str:
    """Return a unit in one spelling; case is kept, for it tells milli from mega."""
    text = unit.translate(_SPELLINGS).strip("().,;")
    return _CURRENCIES.get(text.lower(), text.replace("℃", "°C"))


def stated_unit(labels: Iterable[str]) -> str:
    """Return the unit that the first of these labels states, as `Power (kW)` or `Spannung [V]`; empty without one."""
    for label in labels:
        match = _UNIT_IN_LABEL.search(label)
        if match:
            return match["unit"] or match["after"]
    return ""


def read_quantities(text: str, mark: DecimalMark = DecimalMark.UNKNOWN) -> list[Quantity]:
    """Return the quantities of a text in order; the two ends of a range are one."""
    numbers = list(read_numbers(text, mark))
    found: list[Quantity] = []
    index = 0
    while index < len(numbers):
        first = numbers[index]
        second = numbers[index + 1] if index + 1 < len(numbers) else None
        if second is not None and _is_range(text[first.end : second.start]):
            found.append(_quantity(text, first, second))
            index += 2
        else:
            found.append(_quantity(text, first, None))
            index += 1
    return found


def parse_quantity(text: str) -> Quantity | None:
    """Return the quantity that a whole text is, perhaps with a comparator before it; None if it is more or less."""
    found = read_quantities(text)
    if len(found) != 1:
        return None
    quantity = found[0]
    is_whole = _COMPARATOR.fullmatch(text[: quantity.start]) and not text[quantity.end :].strip(" .,;)")
    return quantity if is_whole else None


def _is_range(between: str) -> bool:
    return _RANGE.fullmatch(between) is not None or _RANGE_WITH_UNIT.fullmatch(between) is not None


def _quantity(text: str, first: Number, second: Number | None) -> Quantity:
    last = second or first
    after = _UNIT.match(text, last.end)
    unit = (after["unit"] or "") if after else ""
    end = after.end() if after and unit else last.end
    start = first.start
    inside = _CURRENCY_INSIDE.match(text, start)
    before = None if inside else _CURRENCY_BEFORE.search(text[max(0, start - 6) : start])
    if inside:
        unit, end = inside["unit"], last.end
    elif before:
        start -= len(before[0])
        if canonical_unit(unit) not in _CURRENCIES.values():
            unit, end = before["unit"], last.end
    return Quantity(start, end, first.readings, second.readings if second else frozenset(), canonical_unit(unit))
