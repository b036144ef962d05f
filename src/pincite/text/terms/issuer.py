"""Find who issued an invoice where no label says it: the name in the letterhead or beside the bank account."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from unicodedata import normalize

from pincite.text.terms.labels import is_known, label_terms
from pincite.text.terms.pairs import ISSUER_TERMS, Pair, Source

COMPANY_FORM = re.compile(
    r"(?:\b(?:inc|llc|ltd|limited|plc|corp|llp|lp|gmbh|ag|kg|ohg|ug|se|sarl|sas|sa|sl|srl|spa|bv|nv|oy|ab|pty)"
    r"|S\.A|B\.V|N\.V|N\.A|S\.p\.A|S\.r\.l|S\.L)\.?\Z",
    re.IGNORECASE,
)
"""The form of a company, with which its name ends."""
_ADDRESS = re.compile(r"(?P<kind>://|\bwww\.|@)(?P<host>[\w-]+(?:\.[\w-]+)+)", re.IGNORECASE)
_SEGMENT = re.compile(r"(?:[^\n|•·–—:-]|:(?!\s)|(?<!\s)-|-(?!\s))+")
_WORD = re.compile(r"[^\s,;:|]+")
_MAX_NAME_WORDS = 7
_MAX_LINES_ABOVE = 2
_MAX_PLACE_WORDS = 2
"""Words of a country or place and a form behind a name, as in `Akretion France`."""
_MIN_HOST_CHARS = 4
_PUBLIC_SUFFIXES = frozenset({"co", "com", "org", "net", "gov", "ac", "edu"})
"""Parts of a host before the country, as in `co.uk`."""
_NAME = frozenset({"name"})
_INVOICE_TERMS = frozenset({"invoice", "number", "date", "issue"})
_OTHER_PARTIES = frozenset({"buyer", "consignee", "manufacturer"})
_NAMING = frozenset({"seller", "payee", "company", "name", "invoice"})
"""Terms of labels that may stand before the issuer's name."""
_MAX_CONTACT_DISTANCE = 400
"""Characters between a company's name and the web address, e-mail address or bank account of its letterhead."""
_ACCOUNT = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}")

Span = tuple[int, int]


def read_issuer(text: str, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the name of who issued an invoice, labelled by what tells: its web address, or its bank account.

    Its own host names it first; else it is the holder of the account, or the only company beside an address on the
    web or an account. Nobody is named where two names fit as well, or in a document that is no invoice.

    Args:
        text: The document's text.
        pairs: Its other pairs: a name that a label gives to another party is not the issuer's.
    """
    if not any(map(_is_of_invoice, pairs)):
        return
    addresses = [(match.start(), match["host"]) for match in _ADDRESS.finditer(text)]
    contacts = sorted([*addresses, *((match.start(), match[0]) for match in _ACCOUNT.finditer(text))])
    hosts = {_host(host): host for _, host in reversed(addresses)}
    letters = (_letters(one.value) for one in pairs if _is_other_party(one))
    others = {one for one in letters if len(one) >= _MIN_HOST_CHARS}
    ordered = sorted(others)
    names = [one for one in _names(text, hosts) if not _is_one_of(_letters(text[slice(*one)]), others, ordered)]
    own = [(host, *one) for one in names if (host := _begins_with_host(text[slice(*one)].split(), hosts))]
    near = [(contact, *one) for one in names if not _is_labelled(text, one) and (contact := _nearest(one, contacts))]
    labelled = [
        (one.label, one.start, one.end)
        for one in pairs
        if "payee" in one.labels[0] and one.implied == _NAME and one.end <= len(text)
    ]
    found = own or labelled or near
    called = {_letters(_without_form(text[start:end])) for _, start, end in found}
    if called and all(max(called, key=len).startswith(one) for one in called):
        label, start, end = max(found, key=lambda one: one[2] - one[1])
        yield Pair(label, (), start, end, text[start:end], start, Source.ISSUER)


def is_issuer(names: Sequence[frozenset[str]], section: frozenset[str]) -> bool:
    """Return True if a field asks for the name of the seller.

    Args:
        names: The terms of the field's name and of the phrases that describe it.
        section: The terms of the objects that it is in.
    """
    return any("seller" in name | section and name <= ISSUER_TERMS for name in names)


def company_end(text: str) -> int:
    """Return the end of a company's name before its address: `Acme Ltd 12 Main St`; else the length of the text."""
    words = list(_WORD.finditer(text))
    ends = (word.end() for word, after in pairwise(words) if COMPANY_FORM.search(word[0]) and after[0][0].isdigit())
    return next(ends, len(text))


def _is_of_invoice(pair: Pair) -> bool:
    terms = label_terms(pair.label)
    is_numbered = terms <= _INVOICE_TERMS and any(map(str.isdigit, pair.value))
    return "invoice" in terms and (is_numbered or (pair.source is Source.TITLE and len(terms) == 1))


def _is_labelled(text: str, name: Span) -> bool:
    """Return True if a line above a name says that it is another party's."""
    above = text[max(0, name[0] - _MAX_CONTACT_DISTANCE) : name[0]].split("\n")[:-1]
    lines = [line for line in above if any(map(str.isalpha, line))][-_MAX_LINES_ABOVE:]
    return any(label_terms(line) & _OTHER_PARTIES for line in lines if len(line.split()) <= _MAX_NAME_WORDS)


def _is_other_party(pair: Pair) -> bool:
    terms = label_terms(pair.label).union(pair.context_terms)
    return bool(terms & _OTHER_PARTIES) or (pair.source is Source.COLON and not terms & _NAMING)


def _is_one_of(name: str, others: AbstractSet[str], ordered: Sequence[str]) -> bool:
    """Return True if a name begins with one of others, or one of them with it."""
    place = bisect_left(ordered, name)
    is_beginning = any(other.startswith(name) for other in ordered[place : place + 1])
    return is_beginning or any(name[:length] in others for length in range(_MIN_HOST_CHARS, len(name)))


def _names(text: str, hosts: Mapping[str, str]) -> Iterator[Span]:
    """Yield the beginnings of parts of lines that are names: of a host, or with the form of a company."""
    for segment in _SEGMENT.finditer(text):
        words = list(_WORD.finditer(text, *segment.span()))[:_MAX_NAME_WORDS]
        while words and not any(map(str.isalnum, words[0][0])):
            words.pop(0)
        if not words or not text[words[0].start()].isalpha() or "." in words[0][0].rstrip("."):
            continue
        forms = (number for number, word in enumerate(words[1:], 2) if COMPANY_FORM.search(word[0]))
        ends = [number for number in range(len(words), 0, -1) if number == len(words) or words[number][0][0].isdigit()]
        hosted = (number for number in ends if _begins_with_host([word[0] for word in words[:number]], hosts))
        if number := next(forms, 0) or next(hosted, 0):
            yield words[0].start(), words[number - 1].end()


def _begins_with_host(words: Sequence[str], hosts: Mapping[str, str]) -> str:
    """Return the address that has the first words of a name, all but the place or form at its end; empty for none."""
    for number in range(len(words), max(0, len(words) - _MAX_PLACE_WORDS - 1), -1):
        address = hosts.get(_letters(" ".join(words[:number])), "")
        if address and all(word[0].isupper() and not is_known(word) for word in words[number:]):
            return address
    return ""


def _nearest(name: Span, contacts: Sequence[tuple[int, str]]) -> str:
    """Return the next address or account behind a name, of those in the order of the text; empty without one."""
    place = bisect_left(contacts, (name[1], ""))
    following = contacts[place : place + 1]
    return next((contact for start, contact in following if start - name[1] <= _MAX_CONTACT_DISTANCE), "")


def _host(host: str) -> str:
    """Return the part of a host's name that is its owner's."""
    parts = host.lower().split(".")[:-1]
    own = parts[-2] if len(parts) > 1 and parts[-1] in _PUBLIC_SUFFIXES else parts[-1]
    return _letters(own) if len(own) >= _MIN_HOST_CHARS else " "


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFKD", text.casefold())))


def _without_form(name: str) -> str:
    words = name.split()
    while len(words) > 1 and COMPANY_FORM.search(words[-1]):
        words.pop()
    return " ".join(words)
