"""Score how well a label of the document names a field of the schema."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import inf, log

from pincite.agents.rules.typing import AMOUNTS
from pincite.model.schema import Node, Path
from pincite.text.terms.issuer import is_issuer
from pincite.text.terms.label_index import LabelIndex
from pincite.text.terms.labels import (
    DOCUMENTS,
    PERIOD_ENDS,
    TAX_REGISTRATIONS,
    WHOLE,
    contradicts,
    contrasts_of,
    label_terms,
    qualifiers,
    total_qualifiers,
)
from pincite.text.terms.pairs import Pair, Source
from pincite.text.terms.vocabulary import agreement, is_named, phrases_of, plain_words

MIN_SCORE = 0.6
"""Score below which a field stays empty; fitted on two thirds of the invoices."""
_SECTION_WEIGHT = 0.3
"""How much a term of the field's section counts, compared with one of its own name."""
_SOURCE_PENALTY = {Source.TABLE_ROW: 0.0, Source.TABLE_COLUMN: 0.02, Source.COLON: 0.0, Source.IN_TEXT: 0.05,
                   Source.BELOW: 0.12, Source.TITLE: 0.0, Source.ISSUER: 0.0}  # fmt: skip
_PROSE_PENALTY = 0.03
"""For a value in a sentence: what has a line or cell of its own describes the document."""
_MIN_PRECISION = 0.4
"""Least share of a label's words that are the field's: `Employee stock purchase plan` is no number of employees."""
_LABEL_ALTERNATIVES = re.compile(r"[/|()]")
_OTHER_NOUN_PENALTY = 0.2
_EXACT_BONUS = 0.2
_HEADER_BONUS = 0.1
_OTHER_KIND_PENALTY = 0.3
"""For a label that is of one party only, or of the number, the reference or another date of what the field names."""
_OTHER_DOCUMENT_PENALTY = 0.1
"""For a label such as `for invoice no.`: a credit note names the invoice that it is of, and has a number of its own."""
_REMAINDER = frozenset({"outstanding"})
_OTHER_DOCUMENT = re.compile(
    r"(?:for|to|against|your|re|zur?|ihre[rs]?|votre|sur|relative|alla|vostra|su|uw|bij)\b", re.IGNORECASE
)
_OTHER_DATES = frozenset({"due", "period", "validity", "delivered_on"})
_TOTALS = frozenset({"totals"})
_CURRENCY_CODES = frozenset({"eur", "usd", "gbp", "chf"})
_NUMBERED = DOCUMENTS | {"order"}
_BARE_TOTAL = frozenset({"total"})
_KINDS = frozenset({"number", "date", "name", "currency"})
_REPLACED = TAX_REGISTRATIONS | {"tax"}
"""Terms that a score may leave out of a label."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field that is looked for.

    Attributes:
        path: Its path.
        node: Its node.
        names: Its name, and the phrases that describe it, as terms.
        phrases: The same as plain words.
        section: Terms of the objects that it is in.
        required: Qualifiers that tell it from its siblings: a label must have them.
        total: What kind of total it is, for a name that says only that it is one.
        registrations: Which tax numbers it may be, if it is one and its name, its description or a sibling tells.
        kind: Terms that tell what its value looks like: those of its name, and what its description begins with.
    """

    path: Path
    node: Node
    names: tuple[frozenset[str], ...]
    phrases: frozenset[str]
    section: frozenset[str]
    required: frozenset[str]
    kind: frozenset[str]
    total: frozenset[str] = frozenset()
    registrations: frozenset[str] = frozenset()


def make_field(path: Path, node: Node, siblings: Iterable[str]) -> Field:
    """Return a field with the terms of its name, its description and its section."""
    key = str(path[-1]).removesuffix("_per_model")
    own = _terms_of(key)
    phrases = phrases_of(node.description)
    names = [own, *map(_terms_of, phrases)]
    siblings = [sibling for sibling in siblings if sibling != path[-1]]
    others = [_terms_of(sibling.removesuffix("_per_model")) for sibling in siblings]
    shared = [other for other in others if other - qualifiers(other) == own - qualifiers(own)]
    required = frozenset(term for term in qualifiers(own) if any(term not in other for other in shared))
    section = frozenset[str]().union(*(label_terms(str(step)) for step in path[:-1]))
    plain = frozenset(map(plain_words, (key, *phrases)))
    described = label_terms(phrases[0] if phrases else "")
    # An "amount with currency" is an amount.
    kind = own | (described & (_KINDS - {"currency"} if described & AMOUNTS else _KINDS))
    total = total_qualifiers(own, frozenset[str]().union(*names[1:])) if not own & section else frozenset[str]()
    if "document" in own:
        names += [own - {"document"} | {kind} for kind in DOCUMENTS]
    # "Balance due" has no word for a total, and is one.
    names.append(total & _REMAINDER)
    registrations = _registrations((key, *phrases), siblings)
    return Field(path, node, tuple(filter(None, names)), plain, section, required, kind, total, registrations)


def _terms_of(text: str) -> frozenset[str]:
    """Return the terms that are matched: a label that says only `VAT` is of either registration."""
    return label_terms(text) - TAX_REGISTRATIONS


def _registrations(phrases: Iterable[str], siblings: Iterable[str]) -> frozenset[str]:
    """Return which tax numbers a field may be; with a field for the one, a mere tax number is the other."""
    own, *described = map(label_terms, phrases)
    known = own.union(*described) & TAX_REGISTRATIONS
    if known or not {"tax", "number"} <= own:
        return known
    of_siblings = (label_terms(sibling) & TAX_REGISTRATIONS for sibling in siblings if _terms_of(sibling) == own)
    return next((TAX_REGISTRATIONS - one for one in of_siblings if one), frozenset[str]())


class WeightedLabels:
    """The labels of a document with the weight of each term: the rarer it is among them, the more it tells."""

    def __init__(self, labels: LabelIndex) -> None:
        """Weight the terms of the labels."""
        self._labels = labels
        terms = {pair.label: pair.labels[0] for pair in labels.pairs}
        counts, number = Counter(chain.from_iterable(terms.values())), len(terms)
        weights = {term: 1 + log((1 + number) / (1 + count)) for term, count in counts.items()}
        rarest = max(weights.values(), default=1.0)
        self.weights: Mapping[str, float] = defaultdict(lambda: rarest, weights)

    def near(self, field: Field) -> Iterator[tuple[float, Pair]]:
        """Yield the pairs that share a term with a field, each with the most that its score can be."""
        for most, pair in self._labels.agreeing(field.names, field.section, self._weight, field.total):
            # A score may leave out a part of such a label, or add to that of a whole name.
            is_changed = pair.labels[0] & _REPLACED or pair.labels[0] in field.names or pair.source >= Source.TITLE
            added = _SECTION_WEIGHT * 0.1 + _HEADER_BONUS * (bool(pair.header) + ("number" in field.kind))
            yield inf if is_changed else most + added, pair

    def _weight(self, terms: frozenset[str]) -> float:
        return sum(map(self.weights.__getitem__, terms))


def score(field: Field, candidate: Pair, weights: Mapping[str, float]) -> float:
    """Return how well a candidate's label names a field, from 0 to 1.2."""
    label = candidate.labels[0]
    if candidate.value.rstrip().endswith("%") and "tax" in label:
        label = label - {"tax"} | {"rate"}  # `VAT 20 %`
    own = (field.names[0] if field.names else frozenset[str]()) | field.total
    terms = _Terms(label, own, plain_words(candidate.label) in field.phrases)
    if _is_opposite(field, candidate, terms) or _is_other_sum(field, candidate, terms):
        return 0.0
    if not _is_told_from_siblings(field, candidate, terms):
        return 0.0
    if candidate.source is Source.ISSUER:
        return MIN_SCORE if is_issuer(field.names, field.section) else 0.0
    if candidate.source is Source.TITLE:
        # A title names a product by its series: a part of the field's name is enough, but a name it must be.
        return MIN_SCORE if "name" in own and own & label else 0.0
    if candidate.is_prose and not any(name <= label for name in field.names):
        return 0.0  # a sentence must have the whole name
    return max(0.0, _graded(field, candidate, terms, weights))


@dataclass(frozen=True, slots=True)
class _Terms:
    """Terms that are compared.

    Attributes:
        label: Those of the label.
        own: Those of the field's name.
        is_exact: Whether the label is one of the field's phrases as they are.
    """

    label: frozenset[str]
    own: frozenset[str]
    is_exact: bool


def _is_opposite(field: Field, candidate: Pair, terms: _Terms) -> bool:
    """Return True if the label, its column or a heading names the opposite of the field."""
    own, label = terms.own | field.registrations, terms.label
    if contradicts(own, label) or contradicts(own, candidate.header_terms):
        return True
    return any(contradicts(own | field.section, label_terms(one) - label, is_context=True) for one in candidate.context)


def _is_other_sum(field: Field, candidate: Pair, terms: _Terms) -> bool:
    """Return True if an amount is of an item, of its row, or of no kind that the label names."""
    if candidate.is_of_item and field.kind & AMOUNTS:
        return True
    if candidate.row and _is_of_row(field, terms, label_terms(candidate.row)):
        return True
    # A tax, a base, a payment is named as such, where a mere total may be that of everything.
    kinds = frozenset(term for term in terms.own if contrasts_of(frozenset({term})) == _TOTALS)
    return bool(kinds) and not terms.is_exact and not kinds & (WHOLE | terms.label | candidate.header_terms)


def _is_told_from_siblings(field: Field, candidate: Pair, terms: _Terms) -> bool:
    """Return True if the label has what tells the field from its siblings."""
    label, context = terms.label, candidate.context_terms
    # A total that no word says more of is that of everything.
    is_bare = field.required == frozenset({"grand"}) and label == _BARE_TOTAL
    # A date that no word says more of, or only what the document is, is that of its issue.
    is_bare |= field.required == frozenset({"issue"}) and "date" in label and label - {"date"} <= context - _OTHER_DATES
    # Of a period the first date is its start.
    is_bare |= field.required <= PERIOD_ENDS and candidate.dates > 1
    return terms.is_exact or is_bare or field.required <= label | context


def _graded(field: Field, candidate: Pair, terms: _Terms, weights: Mapping[str, float]) -> float:
    label, header, context = terms.label, candidate.header_terms, candidate.context_terms
    own = terms.own
    # What the value says of itself its label need not say: the number of a contract is behind `Contract`.
    implied = candidate.implied
    labels = [label, *candidate.labels[1:]]
    named = [(name, one) for name in field.names for one in labels]
    named += [(name - implied, one) for name, one in named if name > implied and one <= name | field.section]
    named = [(name, one) for name, one in named if is_named(name - implied, one, context | field.section)]
    best = max((_match(name, field, one, context, weights) for name, one in named), default=0.0)
    if terms.is_exact:
        best = min(1.0, best) + _EXACT_BONUS
    best += _HEADER_BONUS * len(header & own) / max(1, len(own))
    # What holds for one party does not hold for the whole.
    is_of_party = "parties" in contrasts_of(context) and "parties" not in contrasts_of(own | field.section)
    is_number_of = "number" in label and "number" not in field.kind and not field.kind & label & _KINDS
    named = field.kind | field.section | own
    is_reference = "reference" in label and "reference" not in named
    is_of_trial = "trial" in label and "trial" not in named
    is_other_date = bool(label & _OTHER_DATES) and not named & _OTHER_DATES
    best -= _OTHER_KIND_PENALTY * (is_of_party + is_number_of + is_reference + is_of_trial + is_other_date)
    best -= _OTHER_NOUN_PENALTY * (not terms.is_exact and _names_other_thing(field, candidate.label))
    best -= _OTHER_KIND_PENALTY * _is_other_number(field, terms, context)
    best -= _OTHER_DOCUMENT_PENALTY * bool(_OTHER_DOCUMENT.match(candidate.label))
    # Of an invoice's name and its number, the number is the identifier.
    of_document = frozenset[str]().union(*field.names) - {"number"}
    is_its_number = bool(label & (of_document | _NUMBERED)) or label == frozenset({"number"})
    best += _HEADER_BONUS * ("number" in field.kind and "number" in label and is_its_number)
    return best - _SOURCE_PENALTY[candidate.source] - _PROSE_PENALTY * candidate.is_prose


def _is_of_row(field: Field, terms: _Terms, row: frozenset[str]) -> bool:
    """Return True if a column's value is that of its row: `Amount` of a payment, of an item, of a tax."""
    if not field.kind & AMOUNTS or qualifiers(terms.label) & terms.own:
        return False
    return contradicts(terms.own, row) or not row & (terms.own | _BARE_TOTAL)


def _names_other_thing(field: Field, label: str) -> bool:
    """Return True if most words of a label, in each of its languages, are not those of the field."""
    known = field.section.union(*field.names)
    for part in filter(None, map(label_terms, _LABEL_ALTERNATIVES.split(label))):
        own = {term for term in part if term.isalpha() or "_" in term} - DOCUMENTS - _CURRENCY_CODES - _REMAINDER
        if len(own & known) >= _MIN_PRECISION * len(own):
            return False
    return True


def _is_other_number(field: Field, terms: _Terms, context: frozenset[str]) -> bool:
    """Return True if a number is of something else, or of nothing that is named, and the field's name says of what."""
    things = frozenset[str]().union(*field.names) - {"number"}
    if "document" in terms.own:
        things |= _NUMBERED
    is_number = "number" in terms.own and "number" in terms.label and not terms.label & things
    return is_number and (bool(terms.label - {"number"}) or not (context | field.section) & things)


def _match(
    name: frozenset[str],
    field: Field,
    label: frozenset[str],
    context: frozenset[str],
    weights: Mapping[str, float],
) -> float:
    label = label - TAX_REGISTRATIONS
    if not name & label:
        return 0.0

    def weigh(terms: frozenset[str]) -> float:
        return sum(map(weights.__getitem__, terms))

    precise = weigh(label & (name | field.section)) / weigh(label)
    in_section = _SECTION_WEIGHT * bool(field.section & context) * 0.1
    return agreement(name, weigh(name), label, context | field.section, precise, weigh) + in_section
