"""Read a candidate's text as a value of a field's type."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pincite.model.schema import Leaf, LeafType
from pincite.text.terms.fitting import AMOUNTS
from pincite.text.terms.issuer import company_end
from pincite.text.terms.labels import IDENTIFIERS, PARTIES, label_terms
from pincite.text.terms.vocabulary import BARE_AMOUNT
from pincite.text.values.booleans import read_boolean, read_boxes
from pincite.text.values.dates import read_dates
from pincite.text.values.formatting import normalize_text
from pincite.text.values.tokens import CURRENCY, Conventions, canonical_unit, parse_quantity, read_quantities

_UNITS_OF = {
    "voltage": ("V",),
    "current": ("A",),
    "power": ("W", "VA", "var", "VAr", "Wp"),
    "energy": ("Wh",),
    "capacity": ("Wh", "Ah"),
    "frequency": ("Hz",),
    "temperature": ("°C", "°F", "K"),
    "weight": ("g", "kg", "t", "lb"),
    "efficiency": ("%",),
    "distortion": ("%",),
    "humidity": ("%",),
    "altitude": ("m", "ft"),
    "noise": ("dB", "dB(A)", "dBA"),
}
"""Units of a concept's quantities, without the prefixes kilo, mega, giga and milli."""
_ALL_UNITS = frozenset(unit for units in _UNITS_OF.values() for unit in units)
_PREFIX = re.compile(r"^[kMGmµ](?=[A-Z])")
_SUFFIX = re.compile(r"(?<=[VAW])(?:dc|ac|DC|AC|p)$")
_CODES = re.compile(rf"(?<![^\W\d_]){CURRENCY}")
_CLAUSE_NUMBER = re.compile(r"[1-9]\d?(?:\.[1-9]\d?){2}")
"""`2.1.10`, which could also be an amount or a day of 2010; few dates are printed with neither zeros nor a century."""
_NOT_MONEY = re.compile(
    r"days?|hours?|months?|years?|weeks?|tag(?:en?)?|stunden?|std|monaten?|jahren?|jours?|mois|ans?|d[ií]as?|giorni|dagen"
    r"|stk|stück|pcs|pieces|units?|pièces?|kg|km|kwh|mm|cm|°c",
    re.IGNORECASE,
)
_STANDARD = re.compile(r"\b(?:ISO|IEC|EN|DIN|ASTM|UL|VDE|JIS|NF|BS|UNE|UNI|NEN|ANSI|GB/T|IP)[\s/-]*\Z")
"""Before the number of a standard, which is no measured one."""
_MONEY = re.compile(r"\b(EUR|USD|GBP|CHF|JPY|CNY|INR|PLN|SEK|NOK|DKK)\b|[€$£¥₹]")
"""What an identifier has not; rarer codes may be its letters."""
_LABELLED = re.compile(r":(?:\s|$)")
_HOUSE_NUMBER = re.compile(r"\d\s?[a-z]?\s*\Z", re.IGNORECASE)
_NUMERIC_TERMS = AMOUNTS | {"quantity"}
_COUNTED_TERMS = frozenset({"mppt", "strings", "phase", "quantity", "page"})
"""What is counted: its number is no identifier."""
_SUMS = frozenset({"grand", "net", "tax", "paid", "outstanding"})
_FOOTNOTE_MARKS = re.compile(r"(?:\s+[¹²³⁴-⁹*†‡]{1,3}|(?<=[^\s\d][^\s\d])[†‡]+)\Z")
"""Set apart from the text that they mark, or of no other use: `m²` has none."""
_WORDS_AFTER = re.compile(r"(?<=\d)(?:\s+[^\W\d_]{4,})+\s*\Z")
_ABSENT = frozenset({"", "-", "–", "—", "/", "n/a", "n.a.", "na", "none", "tbd"})
_PARTIES = PARTIES | {"customer_number"}
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_MAX_WORDS_AROUND = 4
_MAX_NAME_CHARS = 120
"""Length of a name; a longer text is a sentence."""
_ENDS = 2
"""Dates of a period: the value of a field for its start, and of one for its end."""
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PRICED = re.compile(r"[€$£¥₹]\s?\d")
"""What a name has not: `$50 gift card`."""
_MAX_IDENTIFIER_WORDS = 4
"""Words of an identifier, as in `GB 123 4567 89`."""


@dataclass(frozen=True, slots=True)
class TypedValue:
    """A value, and the span of it in the candidate's text."""

    value: Any
    start: int
    end: int


def typed_value(text: str, leaf: Leaf, terms: frozenset[str], form: Conventions) -> TypedValue | None:
    """Return the value that a text is for a field; None if it is of another type or unit.

    Args:
        text: The candidate's text.
        leaf: The field.
        terms: The field's terms, which tell what an untyped value must look like.
        form: How the document writes numbers and dates.
    """
    if text.strip().lower() in _ABSENT:
        return None
    if leaf.choices:
        return _choice(text, leaf)
    if leaf.type in (LeafType.NUMBER, LeafType.INTEGER):
        return _number(text, leaf, terms, form)
    if leaf.type is LeafType.DATE or ("date" in terms and leaf.type is not LeafType.QUANTITY):
        return _date(text, leaf, terms, form)
    if leaf.type is LeafType.QUANTITY:
        return _quantity(text, terms, form)
    terms = terms | {"email"} if leaf.format == "email" else terms
    return _boolean(text) if leaf.type is LeafType.BOOLEAN else _text(text, terms, form)


def is_formed(leaf: Leaf, terms: frozenset[str]) -> bool:
    """Return True if the values of a field have a form of their own: dates, quantities, identifiers, choices."""
    return leaf.type is not LeafType.STRING or bool(leaf.choices or terms & (IDENTIFIERS | {"date", "email"}))


def _boolean(text: str) -> TypedValue | None:
    value = read_boolean(text)
    return None if value is None else TypedValue(value, 0, len(text))


def _choice(text: str, leaf: Leaf) -> TypedValue | None:
    """Return the only choice that a text has; of choices with boxes the ticked one."""
    ticked = [box for box in read_boxes(text) if box.is_ticked and box.option]
    spans = [(box.start, box.end) for box in ticked] or [(0, len(text))]
    lowered = text.lower()
    matches = [
        TypedValue(choice, match.start(), match.end())
        for choice in leaf.choices
        if isinstance(choice, str)
        for match in [re.search(rf"(?<!\w){re.escape(choice.lower())}(?!\w)", lowered)]
        if match and any(start <= match.start() and match.end() <= end for start, end in spans)
    ]
    # `not applicable` has `applicable`, and is no other choice for it.
    whole = [
        part
        for part in matches
        if not any(other.start <= part.start and part.end <= other.end for other in matches if other is not part)
    ]
    return whole[0] if len(whole) == 1 else None


def _number(text: str, leaf: Leaf, terms: frozenset[str], form: Conventions) -> TypedValue | None:
    quantities = read_quantities(text, form)
    is_standard = bool(quantities) and _STANDARD.search(text[: quantities[0].start]) is not None
    numbers = [number for quantity in quantities for number in quantity.numbers]
    if len(numbers) != 1 or is_standard or not _unit_fits(quantities[0].unit, terms):
        return None
    if leaf.type is LeafType.INTEGER and quantities[0].unit in ("%", "‰"):
        return None
    around = text[: quantities[0].start] + text[max(quantities[0].end, quantities[0].unit_end) :]
    is_count = form.has_cents and not quantities[0].unit and text[numbers[0].start : numbers[0].end].isdigit()
    is_sum = terms & _SUMS and not terms & (_COUNTED_TERMS | IDENTIFIERS)
    if (is_sum and is_count) or len(_LETTERS.findall(around)) > _MAX_WORDS_AROUND:
        return None  # the number of something, or a phrase that has one
    number = numbers[0]
    if len(number.readings) > 1 or next(read_dates(text), None):
        return None
    (value,) = number.readings
    # What no JSON number can be, as a serial number of hundreds of digits, is no value of a measurement.
    if (leaf.type is LeafType.INTEGER and value != value.to_integral_value()) or not math.isfinite(value):
        return None
    return TypedValue(_plain(value, leaf), number.start, number.end)


def _plain(value: Decimal, leaf: Leaf) -> int | float:
    return int(value) if leaf.type is LeafType.INTEGER or value == value.to_integral_value() else float(value)


def _date(text: str, leaf: Leaf, terms: frozenset[str], form: Conventions) -> TypedValue | None:
    dates = list(read_dates(text, form.order))
    is_start, is_end = ("start" in terms, "end" in terms)
    if len(dates) == _ENDS and is_start != is_end:
        dates = dates[:1] if is_start else dates[1:]
    if len(dates) != 1:
        return None
    days, printed = sorted(dates[0].readings), text[dates[0].start : dates[0].end]
    # A day whose order is open stays as it is printed.
    is_iso = len(days) == 1 and (leaf.type is LeafType.DATE or leaf.is_typed or leaf.format == "date")
    return TypedValue(days[0].isoformat() if is_iso else printed, dates[0].start, dates[0].end)


def _quantity(text: str, terms: frozenset[str], form: Conventions) -> TypedValue | None:
    quantities = read_quantities(text, form)
    if not quantities or not any(_unit_fits(quantity.unit, terms) for quantity in quantities):
        return None
    return TypedValue(normalize_text(text), 0, len(text))


def with_unit(typed: TypedValue | None, leaf: Leaf, terms: frozenset[str], unit: str) -> TypedValue | None:
    """Return a quantity that is printed without its unit with the one that its header or label states."""
    if typed is None or leaf.type is not LeafType.QUANTITY or not unit:
        return typed
    quantity = parse_quantity(str(typed.value))
    if quantity is None or quantity.unit or not canonical_unit(unit) or not _unit_fits(canonical_unit(unit), terms):
        return typed
    return TypedValue(normalize_text(f"{typed.value} {unit}"), typed.start, typed.end)


def _text(text: str, terms: frozenset[str], form: Conventions) -> TypedValue | None:
    """Return a text as it is, if it has the form that the field's name implies."""
    ticked = [box for box in read_boxes(text) if box.is_ticked and box.option]
    if len(ticked) == 1:
        start = text.index(ticked[0].option, ticked[0].mark_end)
        return TypedValue(normalize_text(ticked[0].option), start, start + len(ticked[0].option))
    text = _FOOTNOTE_MARKS.sub("", text)
    if "email" in terms:
        addresses = list(_EMAIL.finditer(text))
        return TypedValue(addresses[0][0], *addresses[0].span()) if len(addresses) == 1 else None
    text = text[: company_end(text)] if terms & _PARTIES and "address" not in terms else text
    whole = TypedValue(normalize_text(text), 0, len(text))
    if "currency" in terms:
        match = _CODES.search(text)
        return TypedValue(match[0], match.start(), match.end()) if match else None
    quantities = read_quantities(text, form)
    if terms & IDENTIFIERS and not terms & _COUNTED_TERMS:
        return _identifier(text)
    if terms & _NUMERIC_TERMS and len(quantities) != 1:
        return None
    is_other = quantities and not all(_unit_fits(quantity.unit, terms) for quantity in quantities)
    return None if is_other or ("name" in terms and not _is_name(text)) else whole


def _is_name(text: str) -> bool:
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    if _HOUSE_NUMBER.search(text) and "address" in label_terms(text):
        return False  # a street
    if (terms := label_terms(text)) and terms <= _PARTIES:
        return False  # the next header, as in `Seller | Customer`
    is_other = bool(_LABELLED.search(text) or _PRICED.search(text))
    is_other |= len(read_quantities(text)) > 1
    return len(text) <= _MAX_NAME_CHARS and letters > digits and not is_other


def _identifier(text: str) -> TypedValue | None:
    """Return an identifier without the words that go on after it: `TM-447821 Points`."""
    if not _is_identifier(text):
        return None
    own = _WORDS_AFTER.sub("", text)
    return TypedValue(normalize_text(own), 0, len(own))


def _is_identifier(text: str) -> bool:
    is_clause = _CLAUSE_NUMBER.fullmatch(text.strip())
    is_figure = not is_clause and (BARE_AMOUNT.fullmatch(text.strip()) or list(read_dates(text)))
    is_other = "%" in text or is_figure or _MONEY.search(text)
    return (
        len(text.strip()) > 1
        and any(map(str.isdigit, text))
        and not is_other
        and len(text.split()) <= _MAX_IDENTIFIER_WORDS
    )


def _unit_fits(unit: str, terms: frozenset[str]) -> bool:
    """Return True unless a unit is one of another kind of quantity than the field's name says."""
    if "rate" in terms:
        return unit in ("%", "‰", "")
    if "quantity" in terms and unit in ("%", "‰"):
        return False
    if terms & AMOUNTS and not terms & _UNITS_OF.keys() and (unit in ("%", "‰") or _NOT_MONEY.fullmatch(unit)):
        return False
    units = {name for term in terms for name in _UNITS_OF.get(term, ())}
    plain = _SUFFIX.sub("", _PREFIX.sub("", unit))
    return not units or not unit or plain in units or unit in units or plain not in _ALL_UNITS
