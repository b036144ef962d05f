"""Words that labels are known by: those of the lexicon, and the names and descriptions of a schema's fields."""

import re
from dataclasses import dataclass
from functools import lru_cache

from pincite.model.schema import ObjectNode, leaves_of
from pincite.text.terms.labels import (
    DOCUMENTS,
    INHERITED,
    PLURAL,
    POSSESSIVE,
    STOPWORDS,
    contrasts_of,
    known_terms,
    label_terms,
    qualifiers,
)
from pincite.text.values.tokens import is_unit, read_tokens

_ALTERNATIVES = re.compile(r"[,;:/|()]|\bor\b|\boder\b|\bou\b|\bo\b")
_RELATION = re.compile(r"(?:per|in|from|at|by|pro|je|par|por)\b", re.IGNORECASE)
"""What begins so says in which unit or of how much something is, and is no name: `per serving`, `in minutes`."""
_WORDS = re.compile(r"\w+")
_OR = re.compile(r"/|\s(?:or|oder|ou)\s")
_COVERAGE, _PRECISION, _CONTEXT_WEIGHT = 0.65, 0.35, 0.4
"""Weights of the field's words that the label has, of the label's that the field has, and of words around it."""
GENERAL = frozenset({"number", "date", "name", "total", "document", "issue"})
"""Terms that say nothing of what something is the name or number of."""
_TYPE_WORDS = frozenset(
    (  # noqa: SIM905
        "a an the of with unit units its number numeric string text integer int float decimal boolean bool date "
        "list array object value values range true false yes no per model models optional required iso format "
        "daily weekly monthly quarterly yearly annual annually year to ytd this"
    ).split(" ")
)
"""Words of a description that say what form a value has, not what it is called in the document."""
COLON = re.compile(
    r"(?<=[^\s\d/])\s?[:：](?=\*{0,2}(?:\s|$))|(?<=[a-zß-ÿ]{2}):(?=[A-Z\"“])"  # noqa: RUF001 - the colon of CJK text
    r"|(?<=[\u2e80-\u9fff\uff21-\uff5a])[:：]"  # noqa: RUF001 - as above
)
MARKS = " \t\u3000*_#>|`-•·:：\\"  # noqa: RUF001 - as above
COLONS = frozenset(":：")  # noqa: RUF001 - as above
ENUMERATOR = re.compile(r"(?<!\w)(?:\(?\d{1,2}[a-z]?[.)]?|[a-z][.)]?)\s+(?=[^\W\d_]{2})")
"""The number or letter of a box of a form, before its label: `2a Total capital gain`."""
REMARK = re.compile(r"\((?:[^\s()]+\s+){2,}[^()]*\)")
"""Words in brackets that explain a label: `(including apt. no.)`; a unit is shorter."""
_MAX_CELL_LABEL_WORDS = 10
BARE_AMOUNT = re.compile(r"[-+]?\d[\d.,'’ ]*[.,]\d{2}")
_MIN_IDENTIFIER_DIGITS, _MAX_IDENTIFIER_WORDS = 4, 4
_OTHERS, _MAX_OTHERS = frozenset({"date", "phone", "email", "vat_number", "iban"}), 3
"""What a few words without digits name, and are not: `Original Date / Revision`."""
_OPTIONS = frozenset({"options"})
_FORM_TERMS = frozenset({"number", "date", "name", "total", "phone", "email", "address", "vat_number", "iban"})
"""What a text without digits names, and is not: `Phone`."""

Names = frozenset[frozenset[str]]
"""The terms of the names that labels may have: those of a schema's fields."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that labels are known by, beside those of the lexicon.

    Attributes:
        names: The terms of each field's name, and of the phrases that describe it.
        words: All of these terms.
        phrases: The same names as they are written.
        is_boxed: Whether the document is a form of numbered boxes, whose numbers are no values.
    """

    names: Names = frozenset()

    words: frozenset[str] = frozenset()
    phrases: frozenset[str] = frozenset()
    is_boxed: bool = False

    @classmethod
    def of(cls, root: ObjectNode) -> "Vocabulary":
        """Return the vocabulary of a schema."""
        named = ((str(path[-1]), node.description) for path, node in leaves_of(root, ()))
        texts = [text for key, described in named for text in (key, *phrases_of(described))]
        names = frozenset(terms for text in texts if (terms := label_terms(text)))
        return cls(names, frozenset[str]().union(*names), frozenset(map(plain_words, texts)))

    def is_label(self, text: str) -> bool:
        """Return True if a text may name a value: at least half of its words are known, and it has no value."""
        if text[:1].isdigit() and not self.is_boxed and ENUMERATOR.match(text) and text.split(maxsplit=1)[0].isdigit():
            return False
        plain = REMARK.sub(" ", ENUMERATOR.sub("", text)).strip(MARKS + "$€£")
        if not any(map(str.isalpha, plain)) or len(plain.split()) > _MAX_CELL_LABEL_WORDS:
            return False
        if text.rstrip()[-1:] in COLONS:
            return True
        if COLON.search(text):
            return False
        terms = label_terms(plain)
        return not read_tokens(plain) and 2 * len(known_terms(terms) | terms & self.words) >= len(terms) > 0

    def has_value(self, text: str) -> bool:
        """Return True if a field's name and other words are a label and its value: `Tariff type Variable`."""
        words = text.split()
        for number in range(1, len(words) if label_terms(text) not in self.names else 0):
            rest = label_terms(" ".join(words[number:]))
            # A `Department of the Navy` is one name.
            is_joined = not STOPWORDS.isdisjoint(map(str.lower, words[number - 1 : number + 1]))
            is_other = is_joined or rest & self.words or known_terms(rest)
            if label_terms(" ".join(words[:number])) in self.names and not is_other:
                return True
        return False

    def is_only_label(self, text: str) -> bool:
        """Return True if a text names something and is no value: `Phone:`, `15 State tax`, the name of a field."""
        if text.rstrip()[-1:] in COLONS:
            return True
        if self.is_boxed and text[:1].isdigit() and ENUMERATOR.match(text):
            return True
        terms = label_terms(text)
        if len(terms) > 1 and contrasts_of(terms) == _OPTIONS and qualifiers(terms) == terms:
            return True  # the options of a form whose boxes were not read
        if terms & _OTHERS and len(terms) <= _MAX_OTHERS and not any(map(str.isdigit, text)):
            return "@" not in text
        is_name = terms in self.names and (len(terms) > 1 or plain_words(text) in self.phrases)
        return bool(terms) and not any(map(str.isdigit, text)) and (is_name or terms <= _FORM_TERMS)


def plain_words(text: str) -> str:
    """Return the words of a name in small letters, without what parts them."""
    return " ".join(_WORDS.findall(POSSESSIVE.sub("", text.replace("_", " ")).lower()))


@lru_cache(maxsize=4_096)
def implied_terms(value: str) -> frozenset[str]:
    """Return what a value says of itself, and its label need not: that it is a date, a number to call by, or a name."""
    tokens = read_tokens(value)
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    if any(one.days for one in tokens):
        return frozenset({"date"})
    is_measured = (
        any(one.unit and one.numbers for one in tokens) or "%" in value or BARE_AMOUNT.fullmatch(value.strip())
    )
    if digits >= _MIN_IDENTIFIER_DIGITS and len(value.split()) <= _MAX_IDENTIFIER_WORDS and not is_measured:
        return frozenset({"number"})
    return frozenset({"name"}) if letters > digits else frozenset()


def label_parts(label: str) -> list[frozenset[str]]:
    """Return the terms of a label, and of its first known name if it has several: `Contract / Revision`."""
    parts = [label_terms(one) for one in _OR.split(label)]
    known = (one for one in parts if known_terms(one))
    return [label_terms(label), *filter(None, [next(known, parts[0])] if len(parts) > 1 else [])]


LEXICON_ALONE = Vocabulary()
"""The vocabulary of no schema."""


def phrases_of(description: str) -> list[str]:
    """Return the names that a field's description gives it, without the words that say what form its value has."""
    phrases = [phrase.strip() for phrase in _ALTERNATIVES.split(PLURAL.sub(r"\1", description))]
    # A `list of names` has names, and the `name of the seller` is at `Seller`; a `date of birth` is called so.
    halves = [phrase.partition(" of ") for phrase in phrases]
    listed = [whose for form, _, whose in halves if form == "name" or _is_form(form)]
    named = [one for one in (*phrases, *listed) if one and (known_terms(label_terms(one)) or not is_unit(one))]
    return [phrase for phrase in named if not (_is_form(phrase) or _RELATION.match(phrase))]


def is_named(name: frozenset[str], label: frozenset[str], around: frozenset[str]) -> bool:
    """Return True if a label has of a name what it is, not only whose or which: `Buyer` is no order of the buyer.

    Words around the label may have it, and a label such as `Name` leaves it open.
    """
    things = [one for one in name - GENERAL - DOCUMENTS if not contrasts_of(frozenset({one})) & INHERITED]
    return not things or label <= GENERAL or not (label | around).isdisjoint(things)


def agreement(name: frozenset[str], label: frozenset[str], around: frozenset[str], precise: float) -> float:
    """Return how well a label agrees with a name, from 0 to 1.

    Args:
        name: The name.
        label: The label.
        around: The words around the label, which count for less.
        precise: The share of the label that the field has.
    """
    shared = len(name & label) + _CONTEXT_WEIGHT * len((name - label) & around)
    return _COVERAGE * shared / len(name) + _PRECISION * precise


def _is_form(phrase: str) -> bool:
    return _TYPE_WORDS.issuperset(_WORDS.findall(phrase.lower()))
