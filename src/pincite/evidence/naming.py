"""Decide whether what a document calls a value is the name of its field, and of no other field better."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from pincite.evidence.association import row_labels
from pincite.text.periods import is_year_field, years_in
from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.tables.headers import headers_of
from pincite.text.terms.fitting import (
    BRACKETS,
    MARGIN,
    MIN_FIT,
    FieldName,
    fit,
    fit_of,
    is_better,
    is_exact,
    is_partial,
    unknown_words,
)
from pincite.text.terms.issuer import COMPANY_FORM, company_end
from pincite.text.terms.label_index import LabelIndex
from pincite.text.terms.labels import (
    IDENTIFIERS,
    PARTIES,
    PERIOD_ENDS,
    STOPWORDS,
    contrasts_of,
    is_amount_label,
    label_terms,
)
from pincite.text.terms.pairs import MAX_VALUE_CHARS, OWN_LABEL, PREPOSITIONS, Pair, Source, value_end
from pincite.text.terms.vocabulary import Vocabulary
from pincite.text.values.dates import DAY_OF_WEEK, days_of_months
from pincite.text.values.tokens import CURRENCIES, CURRENCY, Token, parse_quantity, read_quantities, read_tokens

LETTERHEAD_RULE = "letterhead"
"""The rule of the name of who issued a document, which no label says."""
_AMOUNTS = frozenset({"total", "price", "quantity", "invoice", "order"})
_DATED = PERIOD_ENDS | {"date", "birth"}
_TOTAL_CELLS = 2
"""Cells of the total of a list: its name and one figure. With more, each column is an element and has its own."""
_LABEL_FIT = 0.7
"""Fit of a text with another field from which it is its label: its whole name, and some words more."""
_MAX_ALTERNATIVES = 2
"""Names of one thing in a label; more are those of several: `Year / make / model`."""
_MAX_CODE_TERMS = 3
"""Terms of a label such as `Product ID`; a longer one may have an initial that reads as `no.`"""
_MIN_CODE_DIGITS = 5
"""Digits from which a bare number is one to call by."""
_NUMBERED = frozenset(
    {"number", "customer_number", "date", "phone", "vat_number", "iban", "total", "price", "quantity"}
)
_WORDED = frozenset({"name", "address", "city", "country", "author", "title", "description"})
"""Fields whose values have letters."""
_CODES = IDENTIFIERS | {"code", "serial"}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MONEY = frozenset({"total", "grand", "net", "tax", "price", "paid", "outstanding", "invoice", "order"})
"""Words of the names of amounts of money; one more word and it may be a weight or a count."""
_PERCENT = re.compile(r"\s?[%‰]")
_SIGN_AFTER = re.compile(r"\s?[€$£¥₹](?!\s?\d)")
_CENTS = re.compile(r"\d[.,]\d\d(?!\d)")
_CURRENCY_SIGNS = frozenset("€$£¥₹")
_EDGES = " \t*_#|`-•·:,;.\"'“”()[]†‡¹²³~=\n€$£¥₹"
_TRAILER = re.compile(rf"\A\s*(?:\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>|{CURRENCY})")
"""What may follow a value that is whole: a remark in brackets, an address, a currency."""
_WORD = re.compile(rf"[^\W\d_]|{CURRENCY}|%")
_ELEMENT_START = re.compile(r"(?:[,;/|•]|\b(?:and|und|et|y|e|en)|&)\s*\Z")
_GOES_ON = re.compile(r"\n\w[^\n:]*(?:\n|\Z)")
_ELEMENT_END = re.compile(r"\s*(?:[,;/|•]|(?:and|und|et|y|e|en|&)\s)")

Span = tuple[int, int]


class Pairs:
    """The pairs of label and value of a document, by place and by field."""

    def __init__(self, labels: LabelIndex) -> None:
        """Index the pairs of a document."""
        self.labels, self._pairs = labels, labels.pairs
        self._starts = [one.start for one in labels.pairs]
        self._headers: dict[int, list[tuple[range, Mapping[int, str]]]] = {}

    def at(self, span: Span) -> Iterator[Pair]:
        """Yield the pairs whose values have a span."""
        number = bisect_right(self._starts, span[0])
        while number and self._starts[number - 1] + MAX_VALUE_CHARS >= span[0]:
            number -= 1
            if self._pairs[number].end >= span[1]:
                yield self._pairs[number]

    def headers_over(self, grid: TextGrid, cell: TextCell) -> Iterator[Mapping[int, str]]:
        """Yield the headers that a cell of a table may be under, by column."""
        if grid.start not in self._headers:
            self._headers[grid.start] = headers_of(grid)
        return (headers for rows, headers in self._headers[grid.start] if rows.stop <= cell.row)


@dataclass(frozen=True, slots=True)
class Naming:
    """The label of a value.

    Attributes:
        label: The label; empty if none is known.
        fit: How well it names the field.
        problem: Why it does not; empty if it does.
        rule: What tells it where no label does; empty for a label.
    """

    label: str = ""
    fit: float = 0.0
    problem: str = ""
    rule: str = ""


def wrong_kind(field: FieldName, value: str, vocabulary: Vocabulary, *, is_text: bool, is_date: bool) -> str:
    """Return why a value cannot be of a field, whatever names it; empty if it can.

    Args:
        field: Its field.
        value: The value, as the document has it.
        vocabulary: What labels of the document may be called.
        is_text: Whether the value is a text, and no number.
        is_date: Whether the field's value is one date.
    """
    tokens, names = read_tokens(value), field.own
    days, has_letters = sum(bool(one.days) for one in tokens), any(map(str.isalpha, value))
    is_more = days > 1 or (days and not tokens[0].days)
    has_words = days and any(map(str.isalpha, DAY_OF_WEEK.sub("", value[: tokens[0].start], count=1)))
    if is_date and (is_more or has_words or not (days or _YEAR.search(value) or [*days_of_months(value)])):
        return "it is more than one date" if is_more else "it is no date"
    is_number = names & _WORDED and not has_letters and not field.terms & _CODES
    if is_text and (is_number or (len(value) > 1 and value.lower() in STOPWORDS)):
        return "it is a number or a word that names nothing, and the field's value a text"
    if (
        days
        and (has_letters or "/" in value or _YEAR.search(value))
        and names & IDENTIFIERS
        and "date" not in field.terms
    ):
        return "it is a date, and the field's value a number"
    if _is_amount(field) and any(one.numbers and one.unit and one.unit not in CURRENCIES for one in tokens):
        return "it has a unit, and the field's value is an amount"
    is_company = any(map(COMPANY_FORM.search, value.split()))
    is_party = is_text and names & PARTIES and "address" not in field.terms
    if is_party and company_end(value) < len(value):
        return "it is a name with its address"
    has_label = OWN_LABEL.match(value) or (not is_company and vocabulary.has_value(value))
    return "it has a label of its own" if has_label and not is_date else ""


def _is_amount(field: FieldName) -> bool:
    return is_amount_label(field.key) and label_terms(field.key) <= _MONEY


def name_value(
    pairs: Pairs,
    text: str,
    span: Span,
    field: FieldName,
    rivals: Sequence[FieldName],
    *,
    is_part: bool = False,
    is_text: bool = False,
) -> Naming:
    """Return the label of a value that is alone in its document.

    Args:
        pairs: The document's pairs.
        text: Its text.
        span: The value.
        field: Its field.
        rivals: The other fields.
        is_text: Whether it is a text, no part of which is a number alone.
        is_part: Whether the value may be a part of what the label names, as one of several choices.
    """
    near = list(pairs.at(span))
    here = [one for one in near if is_part or _is_whole(one, text, span, field, is_text=is_text)]
    if not here:
        part = next((one for one in near if fit(field, one) >= MIN_FIT), None)
        return Naming(problem=f"it is a part of {part.value[:60]!r}" if part else "no label names it")
    best = max(here, key=lambda one: fit(field, one))
    own, label, value = fit(field, best), repr(best.label[:60]), text[slice(*span)]
    if own < MIN_FIT:
        return Naming(best.label, own, f"its label does not name the field: {label}")
    exact = (one for _, one in pairs.labels.named(field) if is_exact(field, one.label))
    better = next((one for one in exact if _is_alike(one, text, span)), None)
    problem = ""
    if other := _other_kind(field, best, value, is_text=is_text):
        problem = f"the label {label} is that of {other}"
    elif _is_amount(field) and not best.dates and _is_plain(text, span, is_named=best.source is Source.TABLE_COLUMN):
        problem = "it has no currency or decimals, and another amount of its row has"
    elif better and label_terms(best.label) == label_terms(better.label) and not is_exact(field, best.label):
        problem = f"the label {better.label[:60]!r} names the field, not {label}"
    elif rival := next((one for one in rivals if is_better(one, field, best)), None):
        problem = f"the label {label} is that of the field {rival.key!r}"
    elif is_text and not any(map(str.isdigit, value)) and (named := _named_by(value, rivals)):
        problem = f"it is the label of the field {named!r}"
    elif pairs.labels.is_open(field, best):
        problem = f"several places have the label {label}, and nothing says of what"
    elif best.source < Source.TITLE and is_partial(field, best):
        problem = f"the label {label} is a part of the field's name, or more than it"
    else:
        others = (
            one for score, one in pairs.labels.named(field) if score > own + MARGIN and _is_alike(one, text, span)
        )
        better = next(others, None)
        problem = f"the label {better.label[:60]!r} names the field, not {label}" if better else ""
    return Naming(best.label, own, problem, LETTERHEAD_RULE if best.source is Source.ISSUER else "")


def _named_by(value: str, fields: Sequence[FieldName]) -> str:
    """Return the field whose name of several words a text has, and few others: it is the next label of a form."""
    terms = label_terms(value)
    several = (one for one in fields if len(one.own) > 1 and one.own <= terms)
    return next((one.key for one in several if fit_of(one, terms) >= _LABEL_FIT), "")


def _other_kind(field: FieldName, pair: Pair, value: str, *, is_text: bool) -> str:
    """Return what kind of value a label is of, if it is no kind of the field's; empty if it may be."""
    names, label = field.terms, pair.labels[0]
    sums = frozenset(term for term in label if "totals" in contrasts_of(frozenset({term})))
    is_amount = sums and is_amount_label(pair.label) and "%" not in pair.value
    if is_amount and parse_quantity(value) and not names & (sums | _AMOUNTS):
        return "an amount"
    if is_text and (
        len(BRACKETS.sub("", pair.label).split("/")) > _MAX_ALTERNATIVES or (" / " in value and "/" in pair.label)
    ):
        return "several fields"
    is_dated = any("date" in label_terms(word) for word in pair.label.split() if word.lower() not in PREPOSITIONS)
    if is_text and is_dated and not (names & _DATED or "dates" in contrasts_of(names)):
        return "a date, and the field's value a text"
    if is_text and _is_of_code(field, label):
        return "a number, and the field's value a text"
    # One date of a label with both ends of a period may be either.
    is_one_end = label >= PERIOD_ENDS and len(names & PERIOD_ENDS) == 1
    return "several dates" if is_one_end and pair.dates < len(PERIOD_ENDS) else ""


def _is_of_code(field: FieldName, label: frozenset[str]) -> bool:
    """Return True if a short label names the number or code of what the field names or describes in words."""
    is_short = len(label) <= _MAX_CODE_TERMS
    return bool(is_short and field.terms & _WORDED and label & _CODES and not field.terms & _CODES)


def _is_plain(text: str, span: Span, *, is_named: bool) -> bool:
    """Return True for a per cent, and if a number has no currency or decimals and another of its row or line has.

    An amount whose column has its name needs no currency.
    """
    if _PERCENT.match(text, span[1]):
        return True
    end = text.find("\n", span[1])
    line = text.rfind("\n", 0, span[0]) + 1, end if end >= 0 else len(text)
    before = {*text[max(0, span[0] - 2) : span[0]].strip()[-1:], text[span[0]], text[span[1] - 1]}
    if before & _CURRENCY_SIGNS or _SIGN_AFTER.match(text, span[1]):
        return False
    is_other = text[slice(*span)].isdecimal() and _CENTS.search(text, *line) is not None
    return is_other or bool(not is_named and _CURRENCY_SIGNS & set(text[slice(*line)]))


def _is_alike(other: Pair, text: str, span: Span) -> bool:
    """Return True if another pair's value is another one, of the same kind."""
    if other.start < span[1] and span[0] < other.end:
        return False
    value = text[slice(*span)]
    if " ".join(other.value.split()).casefold() == " ".join(value.split()).casefold():
        return False
    own, others = read_tokens(value), read_tokens(other.value)
    days = frozenset[date]().union(*(one.days for one in own))
    numbers = frozenset[Decimal]().union(*(number.readings for one in own[:1] for number in one.numbers))
    if days:
        return any(one.days and not one.days & days for one in others)
    if numbers and len(own) == 1:
        return any(one.numbers and not one.numbers[0].readings & numbers for one in others)
    return any(map(str.isalnum, other.value)) and not other.is_prose


def name_element(
    pairs: Pairs, grid: TextGrid | None, cell: TextCell | None, text: str, span: Span, field: FieldName,
    siblings: Sequence[FieldName], headings: Sequence[str], vocabulary: Vocabulary, *, is_text: bool,
) -> Naming:  # fmt: skip
    """Return the label of a value of a list: that of its column or row, or of the text that lists it."""
    first, last = (cell.start, cell.end) if cell else (text.rfind("\n", 0, span[0]) + 1, text.find("\n", span[1]))
    length, is_open = value_end(text[span[0] : last if last >= 0 else len(text)], vocabulary)
    last = span[0] + length
    if is_open and span[1] >= last:
        return Naming(problem="words of the next label may belong to it")
    if not _is_element(text, (first, last), span, is_listed=not siblings, is_text=is_text):
        return Naming(problem="it is a part of a text")
    named = [one for one in pairs.at(span) if cell is None or one.source is Source.COLON]
    near = [(fit(field, one), one.label) for one in named if not is_partial(field, one)]
    over = {one: label_terms(one) for one in headings[-1:] if cell is None}
    near += [(fit_of(field, terms), one) for one, terms in over.items() if not unknown_words(field, terms)]
    own, label = max(near, default=(0.0, ""))
    named = Naming(label, own, "" if own >= MIN_FIT else "no label names it")
    if grid is None or cell is None:
        return named
    is_of_total = _is_of_total(grid, cell)
    if is_of_total:
        found = [Naming(problem="its row is that of a total")]
    else:
        found = [_name_in_column(pairs, grid, cell, field, siblings), named]
    headers = (one for over in pairs.headers_over(grid, cell) for one in over.values())
    # What has a column is named by no row: `Discounted item` is not the discount.
    is_alone = is_of_total and len(grid.rows[cell.row]) == _TOTAL_CELLS
    if not is_alone and all(fit_of(field, label_terms(one)) < MIN_FIT for one in headers):
        found.append(_name_in_row(grid, cell, field, siblings))
    return max(found, key=_rank)


def _ends_with_figure(text: str) -> bool:
    *words, last = text.split()
    return bool(words) and any(map(str.isdigit, last)) and not any(map(str.isalpha, last))


def _rank(naming: Naming) -> tuple[bool, float]:
    return not naming.problem, naming.fit


def _name_in_row(grid: TextGrid, cell: TextCell, field: FieldName, siblings: Sequence[FieldName]) -> Naming:
    """Return the name of a cell in a table whose columns are the elements."""
    if cell.row < grid.header_rows:
        is_period = is_year_field(field.key) and years_in(cell.text)
        # The columns of a specification are models, named by letters and digits.
        is_model = any("model" in name for name in field.names) and any(map(str.isdigit, cell.text))
        return Naming(cell.text, 1.0) if is_period or is_model else Naming(problem="it is a header")
    label = " ".join(one.text for one in row_labels(grid, cell))
    own = fit_of(field, label_terms(label))
    is_other = own < MIN_FIT or any(fit_of(one, label_terms(label)) > own for one in siblings)
    return Naming(label, own, f"its row is {label[:60]!r}" if is_other else "")


def _is_of_total(grid: TextGrid, cell: TextCell) -> bool:
    """Return True if the row of a cell is that of a total, and so no element of a list."""
    first = grid.rows[cell.row][0]
    return first is not cell and is_amount_label(first.text) and label_terms(first.text) <= _MONEY


def _name_in_column(
    pairs: Pairs, grid: TextGrid, cell: TextCell, field: FieldName, siblings: Sequence[FieldName]
) -> Naming:
    best = Naming(problem="no header names its column")
    for headers in pairs.headers_over(grid, cell):
        label = headers.get(cell.column, "")
        terms = label_terms(label)
        own = fit_of(field, terms)
        other = max(
            (
                fit_of(field, label_terms(one))
                for column, one in headers.items()
                if column != cell.column and one != label
            ),
            default=0.0,
        )
        # What is the whole name of several fields is a value of each.
        others = [one for one in siblings if terms not in set(field.names) & set(one.names)]
        rival = max((fit_of(one, terms) for one in others), default=0.0)
        # A column of two fields has a text of the one and a figure of the other; one name may be over several columns.
        is_shared = (_ends_with_figure(cell.text) or list(headers.values()).count(label) > 1) and any(
            name <= terms - whole for one in siblings for name in one.names[:1] for whole in field.names[:1]
        )
        is_tied = own in {other, rival} and not is_exact(field, label)
        problem = ""
        if own < MIN_FIT or _is_of_code(field, terms) or OWN_LABEL.search(label.rstrip(" :")):
            problem = f"its column is {label[:60]!r}"
        elif is_shared:
            problem = f"its column {label[:60]!r} is that of several fields"
        elif other > own + MARGIN / 2 or rival > own + MARGIN / 2 or is_tied:
            problem = f"its column {label[:60]!r} is that of another field"
        if not problem and own > best.fit:
            best = Naming(label, own)
        elif best.problem:
            best = Naming(label, 0.0, problem)
    return best


def _is_element(text: str, segment: Span, span: Span, *, is_listed: bool, is_text: bool) -> bool:
    """Return True if a span is all of a cell or line, or what commas separate there; a remark may follow."""
    before = text[segment[0] : span[0]].rstrip(_EDGES.replace(",", "").replace(";", ""))
    # A remark may follow an element of a list; what names a record is whole.
    after = text[span[1] : segment[1]] if is_text and not is_listed else _TRAILER.sub("", text[span[1] : segment[1]])
    quantities = read_quantities(text[slice(*segment)])
    # The number of `1.00 kg` is all of its cell that a number can be.
    if len(quantities) == 1 and (span[0] - segment[0], span[1] - segment[0]) in _spans(quantities[0]):
        return not is_text or not (before + after).strip(_EDGES)
    separators = {before[-1:], after[:1]} & {",", ";"}
    if is_listed and (COMPANY_FORM.match(text, *span) or any(one in text[slice(*span)] for one in separators)):
        return False  # the end of a name, or two elements
    if is_listed and _ELEMENT_START.search(before) and not after and _GOES_ON.match(text, segment[1]):
        return False  # its other half may be in the next line
    head = text[segment[0] : segment[1]].lstrip(_EDGES)[:1]
    if before.strip(_EDGES) and head.isupper() and text[span[0]].islower() and before[-1:] == ",":
        return False  # what is said of the element before
    begins = not before.strip(_EDGES) or bool(is_listed and _ELEMENT_START.search(before))
    is_label = text[segment[0] : span[0]].rstrip("* _\t").endswith((":", "："))  # noqa: RUF001 - the colon of CJK text
    ends = not after.strip(_EDGES) or bool(is_listed and _ELEMENT_END.match(after))
    return (begins or is_label) and ends and span[1] <= segment[1]


def _spans(quantity: Token) -> set[Span]:
    """Return the spans of a quantity and, if it is no range and no per cent, of its number."""
    is_counted = len(quantity.numbers) == 1 and quantity.unit not in ("%", "‰")
    numbers = quantity.numbers if is_counted else ()
    return {(one.start, one.end) for one in (quantity, *numbers)}


def _is_stray_number(pair: Pair, value: str, field: FieldName) -> bool:
    """Return True for the number of a page, a column or a note beside the name of a text."""
    is_loose = pair.source in (Source.IN_TEXT, Source.BELOW) or (
        pair.source is not Source.COLON and fit(field, pair) < 1
    )
    is_short = sum(map(str.isdigit, value)) < _MIN_CODE_DIGITS and not any(one.days for one in read_tokens(value))
    return is_loose and is_short and not _WORD.search(value) and not field.terms & _NUMBERED


def _is_whole(pair: Pair, text: str, span: Span, field: FieldName, *, is_text: bool) -> bool:
    """Return True if a span is all that a label names, or its only number or date."""
    # The day of the week belongs to its date.
    day = DAY_OF_WEEK.match(text, *span)
    if day and any(one.days and one.start == 0 for one in read_tokens(text[day.end() : span[1]])):
        span = day.end(), span[1]
    # Behind such a label the value has more words before it.
    value = text[slice(*span)]
    # `Kunden AG Mitte` is one name: its form is not the beginning of another.
    is_cut_name = pair.source is Source.IN_TEXT and " " in value and COMPANY_FORM.search(value.split()[0])
    if is_text and (": " in pair.label or is_cut_name or _is_stray_number(pair, value, field)):
        return False
    before, after = text[pair.start : span[0]], text[span[1] : pair.end]
    tokens = [(pair.start + one.start, pair.start + one.end, one) for one in read_tokens(pair.value)]
    own = next((token for start, end, token in tokens if _is_token(start, end, token, span, pair.start)), None)
    if not before.strip(_EDGES) and not _TRAILER.sub("", after).strip(_EDGES):
        is_called_by = bool(field.terms & (_NUMBERED | _CODES))
        return not pair.is_open or (own is not None and (not is_text or bool(own.days) or is_called_by))
    is_cut = own is not None and is_text and bool(own.numbers) and own.unit_end > span[1] - pair.start
    if own is None and not before.strip(_EDGES) and (after.startswith(",") or after.lstrip()[:1].isdigit()):
        # The form of a company ends its name: `Acme GmbH, Musterstadt`, `Acme Ltd 12 Main St`.
        return COMPANY_FORM.search(value) is not None
    if own is None or is_cut or pair.source >= Source.TITLE:
        return False
    alike = [
        token
        for _, _, token in tokens
        if bool(token.days) == bool(own.days) and bool(token.numbers) == bool(own.numbers)
    ]
    if len(alike) == 2 and own.days:  # noqa: PLR2004 - the two ends of a period
        wanted = field.terms
        return ("start" if own is alike[0] else "end") in wanted
    is_typed = bool(own.days) or (bool(own.numbers) and not is_text)
    is_code = bool(field.terms & IDENTIFIERS) and not before.strip(_EDGES)
    return len(alike) == 1 and (is_typed or is_code)


def _is_token(start: int, end: int, token: Token, span: Span, offset: int) -> bool:
    number = [(offset + one.start, offset + one.end) for one in token.numbers]
    return (
        span == (start, end)
        or span in number
        or (
            bool(token.numbers)
            and start <= span[0]
            and span[1] <= end
            and span[0] <= number[0][0]
            and number[-1][1] <= span[1]
        )
    )
