"""Read a label or field name as terms: concepts of the lexicon, and its other words."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from pincite.text.words import folded

_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W\d_]+(?:['’][^\W\d_]+)?\.?|\d+|n°|nº|#", re.IGNORECASE)
PLURAL = re.compile(r"(?<=\w)\((s|es|n|en|e)\)")
"""The ending of a label that may be of several: `PC(s)`."""
POSSESSIVE = re.compile(r"(?<=\w)['’]s\b", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z]{2})(?=[A-Z])")
_NUMBER_SIGN = re.compile(r"\bn\.\s?[º°]", re.IGNORECASE)
"""Spanish and Italian `N.º`, which is `nº`."""
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
STOPWORDS = frozenset(
    (  # noqa: SIM905
        "the a an of for in on at to and or by with per as is are be this that its der die das den dem des und "
        "oder für im am zum zur mit je pro le la les de du et ou pour par avec un une au aux el los las y o para "
        "por con una il lo gli i e di della del een het en voor met op dat d l string value text unit units list "
        "integer boolean e.g eg ie example"
    ).split(" ")
)
"""Words that name nothing."""
_AGENTS = frozenset({"by", "par", "por"})
"""The last word of a name of who did something: what is filed by somebody is no date of filing."""
_MIN_COMPOUND_PART = 4
"""Letters of a word that is looked for inside a longer one: shorter ones occur by chance."""
DOCUMENTS = frozenset({"invoice", "report", "statement", "delivery_note", "certification"})
"""Kinds of documents: what is of one of them is of the document."""
IDENTIFIERS = frozenset({"number", "customer_number"})
"""Terms of numbers that something is called by."""
TAX_REGISTRATIONS = frozenset({"vat_number", "fiscal_number"})
"""The two numbers that a seller may have: a VAT number for trade between countries, and one of the tax office."""
PARTIES = frozenset({"seller", "buyer", "consignee", "payee", "name"})
"""Terms of who somebody is."""
PERIOD_ENDS = frozenset({"start", "end"})
"""What a date of a period is."""
_PLAIN_TOTAL = frozenset({"total", "invoice", "order"})
"""Terms of a name that says only that it is the document's total."""
WHOLE = frozenset({"grand", "outstanding"})
"""What a total is that no word says more of: with its tax, or what remains to be paid."""
INHERITED = frozenset({"supply", "ports", "directions", "charging", "parties", "extremes"})
"""Contrasts that a heading settles for what is under it."""
_RATES = frozenset({"rate", "transfer", "discount", "surcharge", "line"})
"""What is named in the rows and columns of items, too."""
_NEGATIONS = frozenset({"non", "not"})
"""What turns the words of a label into their opposite: `Non-taxable`."""
_STARTED_BY = frozenset({"voltage", "current", "power", "time"})
_KINDS = frozenset({"number", "date", "name"})
"""What a compound says that it is, and its other part of what."""
_ENDING = re.compile(r"(?<=\w{5})ion\Z|(?<=\w{4})(?:ing|ed)\Z")
"""What words of one verb end with: `created` and `creation`; who does it (`insurer`) is another thing."""
_LINKS = frozenset({"", "s", "n", "en", "es", "er"})
"""What is between the parts of a compound, or ends one."""
_LONG_WORD = 9
"""Letters above which a word of the lexicon may itself be a compound of two others."""


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The lexicon.

    Attributes:
        concepts: Concepts by word.
        compounds: Words that may be part of a compound, longest first.
        unspaced: Words of scripts without spaces, longest first.
        contrasts: The contrast of a concept that has one.
        names: The concepts.
    """

    concepts: Mapping[str, tuple[str, ...]]
    compounds: tuple[str, ...]
    unspaced: tuple[str, ...]
    contrasts: Mapping[str, str]
    names: frozenset[str]


@cache
def _lexicon() -> _Lexicon:
    concepts: dict[str, list[str]] = {}
    contrasts: dict[str, str] = {}
    text = files("pincite.text.terms").joinpath("lexicon.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        concept, contrast, *languages = line.split("\t")
        if contrast:
            contrasts[concept] = contrast
        for word in (word for words in languages for word in words.split("|") if word):
            known = concepts.setdefault(word.lower().replace("-", " ").rstrip("."), [])
            if concept not in known:
                known.append(concept)
    by_length = sorted(concepts, key=len, reverse=True)
    unspaced = tuple(word for word in by_length if _UNSPACED.fullmatch(word))
    compounds = tuple(word for word in by_length if len(word) >= _MIN_COMPOUND_PART and word.isalpha())
    return _Lexicon(
        {word: tuple(known) for word, known in concepts.items()},
        tuple(word for word in compounds if word not in unspaced),
        unspaced,
        contrasts,
        frozenset(name for known in concepts.values() for name in known),
    )


@lru_cache(maxsize=4_096)
def label_terms(text: str) -> frozenset[str]:
    """Return the terms of a label: concepts of the lexicon, and words that it lacks.

    A word with several meanings gives all of them; a compound gives the concepts of its parts.
    """
    lexicon = _lexicon()
    found: set[str] = set()
    plain = _CAMEL.sub(" ", _NUMBER_SIGN.sub("nº", PLURAL.sub(r"\1", POSSESSIVE.sub("", text.replace("_", " ")))))
    words = [match[0].lower().replace(".", "") for match in _WORD.finditer(plain)]
    index = 0
    while index < len(words):
        # "incl. 19 % VAT" is "incl. VAT".
        after = index + 1
        while after < len(words) - 1 and words[after].isdigit():
            after += 1
        pair = " ".join((words[index], *words[after : after + 1]))
        if index + 1 < len(words) and pair in lexicon.concepts:
            found.update(lexicon.concepts[pair])
            index = after + 1
            continue
        # No name ends with an article, as vitamin A, and one that ends so says by whom.
        is_word = index + 1 == len(words) > 1 and (words[index] in _AGENTS or len(words[index]) == 1)
        found.update((words[index],) if is_word and words[index] in STOPWORDS else _terms(words[index]))
        index += 1
    # "incl. VAT" that qualifies no amount may be the amount of the tax, too.
    if found == {"grand"} and len(words) > 1:
        found.add("tax")
    # A customer's number is no customer; and where no word says number, `client` is one.
    if found >= {"customer_number", "buyer"}:
        found -= {"buyer", "number"} if "number" in found else {"customer_number"}
    if found & TAX_REGISTRATIONS:
        found |= {"tax", "number"}
    # A type alone may be a model, that of a case is none.
    if found > {"type", "model"}:
        found.discard("model")
    # Machines start, and periods.
    if found >= {"start", "startup"} and not found & _STARTED_BY:
        found.discard("startup")
    # The date of a document that no word says more of is that of its issue.
    if "date" in found and found & DOCUMENTS and "dates" not in contrasts_of(frozenset(found)):
        found.add("issue")
    # `Unit` is a name where nothing else is.
    return frozenset(found) or frozenset(words)


@lru_cache(maxsize=4_096)
def _terms(word: str) -> tuple[str, ...]:
    lexicon = _lexicon()
    if word in lexicon.concepts:
        # A compound with an entry of its own keeps the terms of its parts.
        shorter = tuple(part for part in lexicon.compounds if part != word) if len(word) > _LONG_WORD else ()
        own = lexicon.concepts[word]
        # But what it says of a contrast as a whole, it says alone: a Warenempfänger is no Empfänger of the invoice.
        known = {lexicon.contrasts.get(concept) for concept in own} - {None}
        parts = _parts(word, shorter, lexicon, _MIN_COMPOUND_PART)
        return (*own, *(part for part in parts if lexicon.contrasts.get(part) not in known))
    if word in STOPWORDS:
        return ()
    if _UNSPACED.search(word):
        return _parts(word, lexicon.unspaced, lexicon, 1) or (word,)
    singular = word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 1 else word
    if singular in lexicon.concepts:
        return lexicon.concepts[singular]
    return _parts(word, lexicon.compounds, lexicon, _MIN_COMPOUND_PART) or (_ENDING.sub("", folded(singular)),)


def _parts(word: str, known: tuple[str, ...], lexicon: _Lexicon, shortest: int) -> tuple[str, ...]:
    """Return the concepts of a compound's parts: the longest first, then of what remains around it."""
    if len(word) < shortest:
        return ()
    for part in known:
        if part in word and (shortest == 1 or word.startswith(part) or word.endswith(part)):
            before, _, after = word.partition(part)
            rest = (*_parts(before, known, lexicon, shortest), *_parts(after, known, lexicon, shortest))
            # A Zählernummer is no mere number, and a mandate no date.
            is_open = not rest and before + after not in _LINKS and _KINDS.issuperset(lexicon.concepts[part])
            return (*lexicon.concepts[part], *rest, *((word,) if is_open and shortest > 1 else ()))
    return ()


@lru_cache(maxsize=4_096)
def contradicts(field: frozenset[str], label: frozenset[str], *, is_context: bool = False) -> bool:
    """Return True if a label names the opposite of a field: minimum for maximum, AC for DC.

    A label that names both, as `charge / discharge`, contradicts neither.

    Args:
        field: The field's terms.
        label: The label's terms.
        is_context: Whether the label is a heading or header around the value: only what holds for all that is under it
            counts, as AC does, and a date or a sum does not.
    """
    contrasts = _lexicon().contrasts
    if not is_context and not label & _NEGATIONS <= field:
        return True
    for contrast in contrasts_of(field) & (INHERITED if is_context else contrasts_of(field)):
        of_field = {term for term in field if contrasts.get(term) == contrast}
        of_label = {term for term in label if contrasts.get(term) == contrast}
        if of_label and not of_field & of_label:
            return True
    return False


def total_qualifiers(name: AbstractSet[str], described: AbstractSet[str]) -> frozenset[str]:
    """Return what kind of total a field is whose name says only that it is one; empty for any other name.

    Args:
        name: The terms of its name.
        described: The terms of its description, which may say which one it is.
    """
    if "total" not in name or not name <= _PLAIN_TOTAL:
        return frozenset()
    contrasts = _lexicon().contrasts
    return frozenset(term for term in described if contrasts.get(term) == "totals") or WHOLE


@lru_cache(maxsize=4_096)
def contrasts_of(terms: frozenset[str]) -> frozenset[str]:
    """Return the contrasts that terms belong to."""
    contrasts = _lexicon().contrasts
    return frozenset(contrasts[term] for term in terms if term in contrasts)


def qualifiers(terms: AbstractSet[str]) -> frozenset[str]:
    """Return the terms that belong to a contrast."""
    contrasts = _lexicon().contrasts
    return frozenset(term for term in terms if term in contrasts)


def known_terms(terms: AbstractSet[str]) -> frozenset[str]:
    """Return the terms that the lexicon has."""
    return _lexicon().names & terms


def is_entry(word: str) -> bool:
    """Return True if the lexicon has a word as it is, and not only parts of it."""
    return word.lower().rstrip(".:") in _lexicon().concepts


def is_known(text: str) -> bool:
    """Return True if a text has a word of the lexicon."""
    return bool(known_terms(label_terms(text)))


def is_amount_label(text: str) -> bool:
    """Return True if a text without digits and per cents names a sum of money: a total, a tax, what is paid."""
    terms = label_terms(text)
    is_text = not any(map(str.isdigit, text)) and "%" not in text
    return is_text and ("totals" in contrasts_of(terms - _RATES) or ("total" in terms and terms <= _PLAIN_TOTAL))
