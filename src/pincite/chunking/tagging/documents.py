"""What a library calls a document: its title, its type."""

import re
from collections import Counter

from pincite.model.document import Document

DOCUMENT_TYPES = ("standard", "handbook", "guide", "specification", "report", "policy", "custom")

OPENING_CHARS = 20_000
"""Characters of a text that are read for what it calls itself: its front matter and introduction."""

COVER_CHARS = 1000
"""Characters of a text that are read as its first page: its series, or the period that it reports on."""

COVER_HEADINGS = 4
"""Headings that a cover has: title, subtitle, version."""

MAX_TITLES = 8
"""Headings of a cover and an opening among which a title is sought that no other document begins with."""

MIN_SELF_NAMES = 2
"""How often a document must call itself "this standard" to count as one: once may be another document."""

MIN_SHALL = 5
"""Uses of "shall" in the opening that make a document without a name a standard."""

MIN_STEM_CHARS = 4
"""Characters of the shortest word that counts as the beginning of another ("auth", but not the "10" of "10K")."""

_NOUNS = {
    "standard": r"standards?|norm",
    "handbook": r"handbooks?|hdbk",
    "guide": r"guides?|guidelines?|guidance|manuals?|tutorial|best\s+practices?|cookbook|primer|playbook",
    "specification": r"specifications?|specs?|protocols?|rfc|requirements?|schema",
    "report": r"reports?|study|studies|survey|assessment|analysis|white\s?paper|findings|10-?[kq]",
    "policy": r"polic(?:y|ies)|procedures?|directives?|regulations?|act|bylaws?|terms\s+of\s+(?:use|service)|charter",
}
_NOUN = re.compile("|".join(rf"\b(?P<{name}>{pattern})\b" for name, pattern in _NOUNS.items()), re.IGNORECASE)
_PREPOSITION = re.compile(r"\s(?:to|of|for|on|about|in|under|concerning|with)\s", re.IGNORECASE)
_SERIES = (
    ("handbook", re.compile(r"\b(?:MIL-HDBK|NASA-HDBK|ECSS-\w-HB)\b|\bHDBK-\d", re.IGNORECASE)),
    (
        "standard",
        re.compile(
            r"\b(?:ISO(?:/\w+)*|IEC|IEEE(?:\s+Std)?|EN|DIN|ANSI|ASTM|MIL-STD|NASA-STD|ECSS-\w-ST|STANAG|DO|ED)[\s-]+\d",
            re.IGNORECASE,
        ),
    ),
    ("specification", re.compile(r"\bRFC[\s-]?\d{3,5}\b|\bRequest for Comments\b", re.IGNORECASE)),
)
_SELF = re.compile(
    r"\bthis\s+(?:technical\s+|international\s+|interim\s+|draft\s+)?"
    r"(?P<noun>standard|handbook|guide|guideline|specification|report|policy|manual|directive|regulation|act)\b",
    re.IGNORECASE,
)
_SUBTITLE = re.compile(
    r"\b(?P<noun>standard|specification|handbook|guide|manual|report|policy|protocol)"
    r"(?:,?\s+(?:version|revision|release|edition|draft|v\.?\s?\d|\d).*)?$",
    re.IGNORECASE,
)
_PERIODIC = re.compile(
    r"^[^\w\n]*(?:[xo]\s+)?(?:annual|half-yearly|semi-?annual|quarterly|interim|transition|current)\s+report\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A report that a line of a cover names, after a box that may be ticked (as an "x" or an "o" in some fonts)."""

_PERIOD = re.compile(
    r"\b(?P<period>(?:(?:fiscal|financial|quarterly|transition|reporting)\s+)?"
    r"(?:year|period|quarter|half-?year|(?:three|six|nine|twelve)\s+months)\s+end(?:ed|ing):?\s+"
    r"(?:[A-Z][a-z]+\s+\d{1,2}\s?,?\s+|\d{1,2}\.?\s+[A-Z][a-z]+\s+|\d{4}-\d\d?-)\d{2,4})(?!\d)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_PARTS = re.compile(r"[^\W_]+")
_SHALL = re.compile(r"\bshall\b", re.IGNORECASE)
_KEY_WORDS = re.compile(r"\bkey\s?words?\b[^.]{0,200}\bMUST\b")


def document_title(document: Document) -> str:
    """Return the title of a document's front matter or properties, else the first of its possible titles."""
    return own_title(document) or possible_titles(document)[0]


def own_title(document: Document) -> str:
    """Return the title of a document's front matter or properties; empty without one."""
    is_own = document.title != document.first_h1 or document.title == document.properties.get("title")
    return document.title if document.title and is_own else ""


def possible_titles(document: Document) -> tuple[str, ...]:
    """Return what a document may be called that does not say so, the best first.

    The largest headings of its cover, then its largest and its first heading, then the name of its file.
    """
    headings = [section for section in document.sections if section.path and section.path[-1]]
    cover, opening = (
        [heading for heading in headings if heading.start < chars] for chars in (COVER_CHARS, OPENING_CHARS)
    )
    largest = [
        heading for group in (cover, opening) for heading in group if heading.level == min(each.level for each in group)
    ]
    titles = (" ".join(heading.path[-1].split()) for heading in (*largest[:MAX_TITLES], *headings[:1]))
    return tuple(dict.fromkeys((*titles, document.name.rpartition("/")[2])))


def reported_period(document: Document) -> str:
    """Return the period that a document's cover says it reports on: "fiscal year ended December 31, 2018"."""
    period = _PERIOD.search(document.text[:COVER_CHARS])
    return " ".join(period["period"].split()) if period else ""


def context_title(document: Document, document_id: str) -> str | None:
    """Return the title that a document's chunks are found under, if its own does not tell which document it is.

    Reports of one kind often have the title of their form ("UNITED STATES SECURITIES AND EXCHANGE COMMISSION"): then
    only the id says which report it is (`ACME_2023_10K`, `2023/10K.pdf`). Of a series, only the id may have the year
    that a report is about: its title has that of its filing, or none. None if id and title share a word, and the title
    has the years of the id.

    Args:
        document: The document under the name of its file.
        document_id: What the library calls it: front matter's id, the name of its file, or its path.
    """
    title, name = document_title(document), " ".join(_PARTS.findall(_without_extension(document_id, document.name)))
    own = {word for word in _words(name) if not word.isdigit()}
    named = any(_alike(one, other) for one in own for other in _words(title))
    has_year = {*_YEAR.findall(name)} <= {*_YEAR.findall(title)}
    return None if (named and has_year) or not own else f"{name}: {title}"


def _without_extension(document_id: str, file: str) -> str:
    """Return an id without its file's extension; other full stops in it are parts of versions ("CSAF 2.1")."""
    extension = file.rpartition("/")[2].removeprefix(stem(file))
    return document_id.removesuffix(extension)


def _alike(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= MIN_STEM_CHARS and longer.startswith(shorter))


def _words(text: str) -> set[str]:
    return {word for word in map(str.casefold, _PARTS.findall(text)) if len(word) > 1}


def document_type(document: Document) -> str:
    """Return one of `DOCUMENT_TYPES`: the front matter's, else classified from title, file name and content."""
    stated = document.properties.get("document_type", "").strip().lower()
    if stated in DOCUMENT_TYPES:
        return stated
    named = (_by_name(name) for name in (document_title(document), stem(document.name).replace("_", " ")))
    return next(filter(None, named), "") or _by_subtitle(document) or _by_content(document.text[:OPENING_CHARS])


def stem(name: str) -> str:
    """Return a file name without folders and extension."""
    last = name.rpartition("/")[2]
    return last.rpartition(".")[0] or last


def _by_name(name: str) -> str:
    """Return the type that a title names: "Guide to the standard" is a guide, "Verification Standard" a standard."""
    plain = name.replace("-", " ") if " " not in name else name
    head = _PREPOSITION.split(plain, maxsplit=1)[0]
    for part in (head, plain):
        nouns = [match.lastgroup for match in _NOUN.finditer(part)]
        if nouns:
            return nouns[-1] or ""
    return next((kind for kind, pattern in _SERIES if pattern.search(name)), "")


def _by_subtitle(document: Document) -> str:
    """Return the type that a heading of the cover ends in: "X Consortium Standard", "Protocol version 2.1"."""
    cover = (section for section in document.sections[1:COVER_HEADINGS] if section.start < COVER_CHARS)
    found = (_SUBTITLE.search(section.path[-1]) for section in cover if section.path)
    return next((_by_name(match["noun"]) for match in found if match), "")


def _by_content(opening: str) -> str:
    """Return the type by what a document calls itself, else by how it speaks."""
    calls = Counter(match["noun"].lower() for match in _SELF.finditer(opening))
    if calls and calls.most_common(1)[0][1] >= MIN_SELF_NAMES:
        return _by_name(calls.most_common(1)[0][0])
    cover = opening[:COVER_CHARS]
    if _PERIODIC.search(cover):
        return "report"
    by_series = next((kind for kind, pattern in _SERIES if pattern.search(cover)), "")
    if by_series or _KEY_WORDS.search(opening):
        return by_series or "specification"
    return "standard" if len(_SHALL.findall(opening)) >= MIN_SHALL else "custom"
