"""How well a label of a document names a field of a schema: one definition, for who answers and for who verifies."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pincite.text.periods import is_of_another_period, is_period_field, years_in
from pincite.text.terms.issuer import is_issuer
from pincite.text.terms.labels import (
    DOCUMENTS,
    PERIOD_ENDS,
    TAX_REGISTRATIONS,
    WHOLE,
    contradicts,
    contrasts_of,
    known_terms,
    label_terms,
    qualifiers,
    total_qualifiers,
)
from pincite.text.terms.pairs import TITLE_TERMS, Pair, Source
from pincite.text.terms.vocabulary import ENUMERATOR, GENERAL, agreement, is_named, label_parts, phrases_of, plain_words
from pincite.text.values.tokens import CURRENCIES

MIN_FIT = 0.55
"""Least agreement of a label with a field's name: half of its words, and few others."""
MARGIN = 0.08
"""By how much another label, or another field, must agree better."""
_MIN_PRECISION = 0.25
"""Least share of a label's words that are the field's."""
_TITLE_FIT = 0.6
AMOUNTS = frozenset({"total", "tax", "net", "grand", "base", "price", "outstanding", "paid"})
"""Terms of sums of money."""
_TOTALS = frozenset({"totals"})
_BARE_TOTAL = frozenset({"total", "grand"})
KINDS = frozenset({"number", "date", "name", "currency"})
"""What a value is, whatever it is of."""
_GENERAL = KINDS | PERIOD_ENDS
_DATES = frozenset({"date"})
_RATE = frozenset({"rate"})
BRACKETS = re.compile(r"(?<=\S)\s?[(\[][^()\[\]]*(?:[)\]]|\Z)")
"""A unit or remark behind a name; the last bracket may be cut."""
_DATED_KEY = re.compile(r"[ _](?:on|until|since)\Z")
"""The end of a name such as `filed_on`, which says that it is a date."""
_CURRENCIES = frozenset(map(str.lower, CURRENCIES))
_UNSAID = DOCUMENTS | {"document", "issue", "order"}
"""What the date or number of a document is of, without a word for it."""
_SELDOM_SAID = _UNSAID | WHOLE | {"total", "fy"}
"""Words of fields that labels often lack: what kind of document or total it is, the letters before a year."""
_SAID_OF_DATES = frozenset({"dates", "ends"})
"""Contrasts of dates: a mere `Date` is no date to pay by."""
_OTHERS = frozenset(
    (  # noqa: SIM905
        "number reference code bic iban phone email website address trial due period validity delivered_on"
    ).split(" ")
)
"""What a label says that it is, and what its field must be then: the number of an agency is no agency."""
_OTHER_PENALTY = 0.35
_OTHER_DOCUMENT = re.compile(
    r"(?:for|to|against|your|re|zur?|ihre[rs]?|votre|sur|relative|alla|vostra|su|uw|bij)\b", re.IGNORECASE
)
_OTHER_DOCUMENT_PENALTY = 0.1
"""For a label such as `for invoice no.`: a credit note names the invoice that it is of, and has a number of its own."""

_MIN_ABBREVIATION = 3
"""Letters of an abbreviation, and that it leaves out: `Schedule` is none of `scheduled`."""

Names = tuple[frozenset[str], ...]


@dataclass(frozen=True)
class FieldName:
    """What a field is called.

    Attributes:
        key: Its own name.
        names: The terms of its name and of the phrases that describe it.
        section: The terms of the objects that it is in.
        qualified: The terms of its own name and section, and which total or registration it is: what no label and
            nothing around it may contradict.
    """

    key: str
    names: Names
    section: frozenset[str]
    qualified: frozenset[str]

    @cached_property
    def own(self) -> frozenset[str]:
        """The terms of its own name."""
        return self.names[0] if self.names else frozenset()

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of all its names."""
        return frozenset[str]().union(*self.names)


@lru_cache(maxsize=4_000)
def field_name(field: str, section: str = "") -> FieldName:
    """Return the name of a field that is given as `name: description`."""
    key, _, description = field.partition(":")
    own, around = label_terms(key) | (_DATES if _DATED_KEY.search(key) else frozenset[str]()), label_terms(section)
    # What describes a number or a date need not say that it is one.
    described = [terms | own & {"number", "date"} for one in phrases_of(description) if (terms := label_terms(one))]
    also = frozenset[str]().union(*described)
    # The total of an item may be without tax.
    total = frozenset[str]() if around else total_qualifiers(own, also)
    names = filter(None, (own, *described, total & {"outstanding"}))
    return FieldName(key.strip(), tuple(names), around, own | total | around - {"line"} | also & TAX_REGISTRATIONS)


def fit(field: FieldName, pair: Pair) -> float:
    """Return how well a pair's label names a field, from 0 to 1.08."""
    if pair.source is Source.ISSUER:
        return _TITLE_FIT if is_issuer(field.names, field.section) else 0.0
    if pair.source is Source.TITLE:
        # A title of several words is one (`Sheet1` is none), and names a product by its series.
        is_title = field.names == (TITLE_TERMS,) and " " in pair.value
        return _TITLE_FIT if is_title or ("name" in field.own and field.own & pair.labels[0]) else 0.0
    row, label = label_terms(pair.row), pair.labels[0]
    header, implied, around = pair.header_terms, pair.implied, pair.context_terms | row
    header = frozenset[str]() if "line" in header else header  # the totals of the items have their own
    is_of_row = row and not row & (field.qualified | _BARE_TOTAL) and not qualifiers(label) & field.qualified
    if field.qualified & AMOUNTS and (pair.is_of_item or is_of_row):
        return 0.0  # a part of the amount
    # A header qualifies what the label leaves open.
    is_opposite = not contrasts_of(label) & contrasts_of(header) and contradicts(field.qualified, header)
    contexts = (label_terms(one) - label for one in pair.context)
    if is_opposite or any(contradicts(field.qualified, one, is_context=True) for one in contexts):
        return 0.0
    best = 0.0
    for label in pair.labels:
        if "tax" in label and pair.value.rstrip(" )").endswith("%"):
            label = label - {"tax"} | {"rate"}  # noqa: PLW2901 - `VAT 20 %`
        # The row of the totals has those of its columns.
        whole = label | header if header and label <= _BARE_TOTAL and field.terms & label else label
        for one in {whole, whole - (implied & _DATES)}:
            best = max(best, fit_of(field, one, around, implied))
    return best - _OTHER_DOCUMENT_PENALTY * bool(_OTHER_DOCUMENT.match(pair.label))


def is_general(field: FieldName, pair: Pair) -> bool:
    """Return True if a label says only that it is a date, a number or a name, and the field of what."""
    label, around = label_terms(pair.label), pair.context_terms | label_terms(pair.row)
    return label <= _GENERAL and all(_unsaid(field, label, around))


def _unsaid(field: FieldName, label: frozenset[str], around: frozenset[str]) -> list[frozenset[str]]:
    """Return what a general label and the words around it leave unsaid of each name of a field."""
    return [name - KINDS - _UNSAID - field.section - label - around for name in field.names]


def is_partial(field: FieldName, pair: Pair) -> bool:
    """Return True if a label lacks words of each name of a field, or all of its names have words of something else.

    What a date is of is often left unsaid, and of which period something is, its column says.
    """
    if is_period_field(field.key) or is_of_another_period(field.key) or years_in(field.key):
        return False
    around = pair.context_terms | pair.header_terms | label_terms(pair.row) | field.section | pair.implied
    said = around | KINDS | _SELDOM_SAID | (_RATE if pair.value.rstrip(" )").endswith("%") else frozenset[str]())
    text = BRACKETS.sub(" ", pair.label).partition(": ")[0]
    words = text.split() if pair.source is Source.IN_TEXT and not pair.is_prose else []
    # What a line has before a label is no part of it.
    ends = (label_terms(" ".join(words[first:])) for first in range(1, len(words)))
    parts = [
        *map(label_terms, text.split("/")),
        *label_parts(text),
        *(one for one in ends if one & field.terms - KINDS and one <= field.terms | said),
    ]
    labels = (frozenset(_in_full(term, field) for term in label) for label in (*pair.labels[1:], *parts))
    is_dated = pair.implied == _DATES and (_DATES | PERIOD_ENDS) & field.terms
    return not any(
        not unknown_words(field, label)
        and (is_dated or any(not frozenset(filter(str.isalpha, name - label - said)) for name in field.names))
        for label in labels
    )


def unknown_words(field: FieldName, label: frozenset[str]) -> frozenset[str]:
    """Return the words of a label that neither the field nor the lexicon has."""
    own = field.terms | field.section | field.qualified
    return frozenset(filter(str.isalpha, label - own - known_terms(label) - _CURRENCIES))


@lru_cache(maxsize=16_384)
def fit_of(
    field: FieldName,
    label: frozenset[str],
    around: frozenset[str] = frozenset(),
    implied: frozenset[str] = frozenset(),
) -> float:
    """Return how well the terms of a label name a field.

    Args:
        field: The field.
        label: The label's terms.
        around: Those of its header and headings.
        implied: What the value says of itself.
    """
    label = frozenset(_in_full(term, field) for term in label)
    if not label or contradicts(field.qualified, label):
        return 0.0
    # A tax, a base, a payment is named as such, where a mere total may be that of everything.
    sums = frozenset(term for term in field.own if contrasts_of(frozenset({term})) == _TOTALS)
    if sums and "number" not in field.own and not sums & (WHOLE | label | around):
        return 0.0
    if label <= _GENERAL and all(contrasts_of(rest) & _SAID_OF_DATES for rest in _unsaid(field, label, around)):
        return 0.0
    best = 0.0
    is_other = not label & _OTHERS <= field.terms | field.section and not label & (KINDS - _OTHERS) & field.own
    kind = (label & around) - GENERAL
    is_kind = around <= label and "parties" not in contrasts_of(around)
    kind = (kind if is_kind else frozenset[str]()) | label & DOCUMENTS
    # What says nothing but that heading has no number of its own, and a mere number is of what stands around it.
    kind = kind if label & GENERAL - kind else frozenset[str]()
    things = field.terms - KINDS | (_UNSAID if "document" in field.terms else frozenset[str]())
    if label == frozenset({"number"}) and things and not things & (around | field.section):
        return 0.0
    for name in field.names:
        # Under the heading of an invoice, its number is that of the document.
        own = label - kind | {"document"} if kind and "document" in name else label
        # What the value says of itself its label need not say: the number of a contract is behind `Contract`, a day
        # behind `Please pay by`.
        is_said = own <= name | field.section or (implied == _DATES and own & name & _OTHERS)
        is_implied = name > implied and is_said
        for asked in (name, name - implied) if is_implied else (name,):
            if asked & own and is_named(asked - implied, own, around | field.section):
                precise = len(own & (name | field.section | field.qualified)) / len(own)
                if precise < _MIN_PRECISION:
                    continue  # a sentence that has the word
                if 2 * len(asked & (own | around | field.section)) < len(asked):
                    continue
                value = agreement(asked, own, around | field.section, precise)
                best = max(best, value + MARGIN * ((asked == own) + (name == own)) / 2 * (not own <= WHOLE))
    return best - _OTHER_PENALTY * is_other


def _in_full(term: str, field: FieldName) -> str:
    """Return the word of a field that a term of a label abbreviates, as `Org.`; else the term."""
    is_short = len(term) >= _MIN_ABBREVIATION and not known_terms({term})
    in_full = (word for word in field.terms if word.startswith(term) and len(word) >= len(term) + _MIN_ABBREVIATION)
    return next(in_full, term) if is_short else term


def is_exact(field: FieldName, label: str) -> bool:
    """Return True if a label is the name of a field word for word, not by the meaning of its words."""
    return plain_words(ENUMERATOR.sub("", label)) == plain_words(field.key)


def is_better(rival: FieldName, field: FieldName, pair: Pair) -> bool:
    """Return True if a label names another field better: it has more of its words, or as many and all of its name."""
    if rival.names[:1] == field.names[:1]:
        return is_exact(rival, pair.label) and not is_exact(field, pair.label)
    kinds = pair.implied & field.own
    if kinds and rival.own & KINDS and not kinds & rival.own:
        return False  # a date is no number to call by
    label = label_terms(pair.label)
    own, others = (len(label & one.terms) for one in (field, rival))
    is_whole = any(name <= label for name in rival.names)
    return (others > own or (others == own and is_whole)) and fit(rival, pair) > fit(field, pair) + MARGIN / 2
