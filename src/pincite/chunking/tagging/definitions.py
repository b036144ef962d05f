"""Definitions: entries of a glossary, and sentences that define a term."""

import re
from collections.abc import Iterator, Sequence

MAX_TERM_WORDS = 10
"""Words of the longest term, its abbreviation included; a longer text before a colon is a sentence."""

MAX_PLAIN_TERM_WORDS = 5
"""Words of the longest term on a line of its own without emphasis or number; a longer line is part of a sentence."""

MIN_ACRONYM_LETTERS = 2
"""Capitals of the shortest abbreviation."""

_TERM = r"[^\s.:;|!?\u2013\u2014](?:[^.:;|!?\n\u2013\u2014]|\.(?=\w)){0,100}?"
_SENTENCE_VERB = (
    "is|are|was|were|be|has|have|had|do|does|can|may|must|shall|should|will|apply|applies|follows?|see|use|used"
)
"""Words of a sentence, which no term of an entry has and no definition begins with."""
_LEAD = r"[\s*+\u2022\u00b7-]*(?:\(?\d{1,3}[.)]\s+|\d{1,3}(?:\.\d{1,3})+\.?\s+)?"
_TWO_GAPS = r"(?!.*\S[ ]{3,}\S.*[ ]{3,}\S)"
"""The head or foot of a page in plain text, or a row: three columns; an entry has two."""
_EMPHASISED = r"(?:\*\*[^*\n]{1,100}\*\*|__[^_\n]{1,100}__|\*[^*\n]{1,100}\*|(?<!\w)_[^_\n]{1,100}_(?!\w))"
_ENTRY = re.compile(
    rf"{_LEAD}(?:{_EMPHASISED}[^.:;\n\u2013\u2014]{{0,60}}?\s*(?:[:\u2013\u2014]|\.\s|\s-\s|\n|(?=[A-Z(]))"
    rf"|(?P<strong>\*\*(?!(?:An?|The)\s)[^*\n]{{1,100}}\*\*)[ \t]+(?!(?:{_SENTENCE_VERB})\b)(?=\w)"
    rf"|{_TWO_GAPS}(?P<term>(?!\d+(?:\.\d+)+\.?\s){_TERM})"
    r"(?:\s+[\u2013\u2014]\s*|\s+-{1,2}\s+|\s+=\s+|\s*:\s+|\n~\s+|\t+|[ ]{3,}))\s*(?=\S)"
)
_IDENTIFIER = r"(?![*_]{1,2}(?:\w*[a-z]_?[A-Z]\w*|\w+_\w[\w ]*|\w+\([^*\n]*)[*_])"
_HANGING = re.compile(r"(?P<indent>[ \t]*)(?=\S)(?P<term>[^.:;,?!\n]{1,80})\n(?P=indent)[ \t]+(?=\S)")
_RUN_IN_PLAIN = re.compile(
    rf"{_LEAD}(?!(?:An?|The|It|This|These|That|Each|All|No)\s)(?P<term>[A-Z][\w/&'()-]*(?:\s[\w/&'()-]+){{0,3}})\.\s+"
    r"(?=(?:An?|The|Any|Each|One|That|Those|All)\s)"
)
_NOUN_PHRASE = re.compile(
    r"(?:The\s+)?(?!(?:All|As|For|If|In|It|There|These|They|This|We|When|You)\b)(?:"
    rf"(?!(?:{_SENTENCE_VERB}|consists?|depends?)\b)[\w'\u2019/,-]+\s+){{1,7}}(?:of|that|which|who|whose|used)\s",
    re.IGNORECASE,
)
"""Words that name a thing and say which, before any verb: "The amount of", "Program or device that"."""
_PLAIN_LINE = re.compile(r"(?!(?:An?|The|It|This|These|That|Each|All|No)\s)[\w/&'() -]+")
_PLAIN_DEFINITION = re.compile(r"\s*(?:An?|The|Any|One)\s[^.]{10,}(?:\.\w[^.]*)*\.(?:\s|\Z)")
_VERB = re.compile(rf"\b(?:{_SENTENCE_VERB})\b", re.IGNORECASE)
_ABBREVIATION = re.compile(rf"{_LEAD}{_TWO_GAPS}[A-Z][A-Za-z0-9/&.-]{{1,15}}(?:\t+|[ ]{{2,}})\S")
_BY_REFERENCE = re.compile(
    r"^\W*(?:(?:as|same\s+as)\s+(?:in|defined|specified|described|per)\b|see\b|defined\s+in\b|refer\s+to\b)",
    re.IGNORECASE,
)
_QUOTED_DEFINITION = re.compile(r":\s*[\"\u201c][^\"\u201c\u201d]{20,}[\"\u201d]")
_QUOTED = (
    rf"[\"\u201c\u2018'*_]{{1,3}}(?P<term>(?!(?:{_SENTENCE_VERB})[*_])[^\"\u201c\u201d*_\n]{{1,80}}?)"
    r"[\"\u201d\u2019'*_]{1,3}"
)
DEFINING_VERBS = r"(?:means?|refers?\s+to|denotes?|designates?|is\s+defined\s+(?:as|to\s+be)|stands?\s+for)"
_INLINE = (
    # The term "controller" refers to …; In this Act, "work" means …
    re.compile(rf"{_QUOTED}(?:\s*\([^)\n]{{1,40}}\)|\s+(?:of|in|for|or)\s[^,.;:\n]{{1,40}}?)?,?\s+{DEFINING_VERBS}\b"),
    re.compile(rf"^\W{{0,3}}(?:\(?\w{{1,3}}[.)]\s+)?{_QUOTED}\s+includes?\b"),
    # A **resource** is … ; An "origin server" is a program that …; but **tile_size** is a field
    re.compile(
        rf"^\W{{0,3}}(?:(?:An?|The|Each)\s+(?:[\w-]+\s+){{0,2}})?(?P<term>{_IDENTIFIER}{_EMPHASISED}|[\"\u201c](?=[^\"\u201d\n]*[^\W\d_])[^\"\u201d\n]{{1,80}}[\"\u201d])"
        r"(?:\s*\([^)\n]{1,40}\))?\s+(?:is|are)\s+(?:an?|the|any|one(?!\s+of\s+the\b)|those|that|certain)\b"
    ),
    # … is called a "message"; … are referred to as **singleton fields**
    re.compile(
        r"\b(?:is|are|be)\s+(?:also\s+|then\s+|collectively\s+)?"
        rf"(?:called|termed|known\s+as|referred\s+to\s+as|denoted(?:\s+by)?|named)\s+(?:an?\s+|the\s+)?{_QUOTED}"
    ),
    # We define a *threat* as …
    re.compile(rf"\bdefines?\s+(?:an?\s+|the\s+|its\s+)?{_QUOTED}\s+(?:as|to\s+(?:be|mean))\b"),
    # For the purposes of this document, a widget is …
    re.compile(
        r"^\W{0,3}for\s+(?:the\s+)?purposes?\s+of\s+th(?:is|ese)\s+[\w ]{3,40},\s+"
        r"(?!we\b)(?P<term>[^,.;]{1,80}?)\s+(?:means?|is|are)\b",
        re.IGNORECASE,
    ),
    # Controller means the natural or legal person …
    re.compile(
        r"^\W{0,3}(?:\(?\w{1,3}[.)]\s+)?(?:An?\s+|The\s+)?(?!(?:It|Note|That|These|This|Which)\s)"
        r"(?P<term>[A-Z][\w-]*(?:\s[\w-]+){0,4}?)\s+means\s+(?!a\s+(?:lot|great)\b)(?:an?|the|any|all)\b"
    ),
    # The term controller refers to …
    re.compile(
        rf"\bthe\s+terms?\s+(?P<term>[\w *_\"\u201c\u201d-]{{1,60}}?)(?:[ ]to)?\s+"
        rf"(?:(?:is|are)\s+used\s+to\s+)?{DEFINING_VERBS}\b",
        re.IGNORECASE,
    ),
)
_SHALL_MEAN = re.compile(
    rf"{_QUOTED}(?:\s*\([^)\n]{{1,40}}\))?,?\s+(?:shall|must|will)\s+(?:mean|refer\s+to|denote|be\s+(?:taken|construed)\s+(?:to\s+mean|as))\b"
)
_NO_DEFINITION = re.compile(
    r"[?][\"\u201d')]*\s*\Z|\bwhat\s+(?:do|does|did)\b|\b(?:not|never|avoid)\s+(?:to\s+)?us(?:e|ing)\s+the\s+terms?\b",
    re.IGNORECASE,
)
"""A question what a term means, and a term that nobody should use."""
_TRIGGERS = (
    " mean", " refer", " denote", " define", " called ", " termed ", " known as ", " stands for", " designate",
    " named ", "purpose",
)  # fmt: skip
_MARKS = ('"', "\u201c", "*", "_")
_COPULA = re.compile(r"\W{0,3}(?:(?:An?|The|Each)\s+(?:[\w-]+\s+){0,2})?[*_\"\u201c]")
_PLACE = re.compile(r"(?:available\b|at\b)?[^\w]*\[?https?://|available\s+(?:at|from|on)\b", re.IGNORECASE)
"""What follows the name of a web site, not a term."""
_NO_ENTRY = re.compile(r"`|\[[^\]]*\]$|.*\b(?:is|are|can|may|must|shall|should|will)\b")
"""A field of a program, the address of a link, the beginning of a sentence."""
_INTRODUCTION = re.compile(
    r".{0,200}\bfollowing\s+(?:terms|definitions|abbreviations|acronyms|symbols)\b"
    r"|\W*for\s+(?:the\s+)?purposes?\s+of\s[^,]{1,60},\s+(?:the\s+)?(?:following|terms|definitions)\b",
    re.IGNORECASE | re.DOTALL,
)
_ACRONYM = re.compile(rf"{_LEAD}(?P<letters>[A-Za-z][A-Za-z0-9/&-]{{1,11}})\s+(?P<words>[^.:;\n]{{3,160}})\.?\s*")
_ABBREVIATION_LINE = re.compile(
    rf"{_LEAD}([A-Za-z0-9][\w/&.+-]{{0,15}}(?:\s[A-Z0-9]{{2,8}})?)(?:\s+|\s*[:=]\s*)[^.:;?\n]{{3,120}}\.?\s*"
)
_SYNONYM = re.compile(
    r"\s*(?:(?:deprecated|admitted|preferred|synonyms?|alt|also)\s*:\s*.{1,100}"
    r"|[^.:;]{1,100}\((?:admitted|deprecated|preferred)(?:\s+term)?\))\s*",
    re.IGNORECASE,
)
_NO_TERM = re.compile(
    r"(?:note|example|important|warning|caution|see|source|the\s+following|for\s+the\s+purposes?|in\s+this|this\s+(?:section|document|clause))\b",
    re.IGNORECASE,
)


def is_entry(text: str) -> bool:
    """Return True for an entry of a glossary: "Term — text", "**Term**: text", "MFA  Multi-factor authentication"."""
    found = _ENTRY.match(text) or _HANGING.match(text)
    if found is None:
        return _ABBREVIATION.match(text) is not None or _is_run_in_plain(text)
    term, text = found["term"] or found.groupdict().get("strong") or "", text[found.end() :]
    term = term.strip("*")
    if _PLACE.match(text) or _NO_ENTRY.match(term):
        return False
    return len(term.split()) <= MAX_TERM_WORDS and not _NO_TERM.match(term) and bool(text.strip())


def plain_term(text: str) -> str:
    """Return the term of an entry that nothing marks: "Term — text", "Hazard. A state that can cause harm"."""
    found = _ENTRY.match(text) or _RUN_IN_PLAIN.match(text)
    return (found["term"] or "") if found else ""


def _is_run_in_plain(text: str) -> bool:
    """Return True for an entry whose term ends in a full stop: "Hazard. A state that can cause harm"."""
    found = _RUN_IN_PLAIN.match(text)
    return found is not None and not _VERB.search(found["term"]) and not _NO_TERM.match(found["term"])


def introduces(text: str) -> bool:
    """Return True for a paragraph that announces definitions: "The following terms are used:".

    A colon at the end of an identifier ("did:example:") announces nothing, and one at the end of an entry what is
    part of it ("**Registrar**: A person or entity that registers names by agreement with:").
    """
    entry = _ENTRY.match(text)
    if entry and begins_definition(text[entry.end() :]) and not _NO_TERM.match(text, entry.end()):
        return False
    last = text.split()[-1:]
    is_open = bool(last) and last[0].find(":") == len(last[0]) - 1
    return is_open or _INTRODUCTION.match(text) is not None


def introduces_terms(text: str) -> bool:
    """Return True for a sentence that announces a list of terms outside a glossary: "… uses the following terms:"."""
    return "ollowing" in text and text.rstrip().endswith(":") and _INTRODUCTION.match(text) is not None


def is_acronym(text: str) -> bool:
    """Return True for a line of letters and the words that they stand for: "IdP Identity Provider"."""
    found = _ACRONYM.fullmatch(text)
    if found is None or sum(letter.isupper() for letter in found["letters"]) < MIN_ACRONYM_LETTERS:
        return False
    letters = iter(found["words"].lower())
    initials = [letter.lower() for letter in found["letters"] if letter.isupper()]
    return found["words"][0].lower() == initials[0] and all(letter in letters for letter in initials)


def is_by_reference(text: str) -> bool:
    """Return True for an entry that only names the place of its definition: "Advisory — as in ISO/IEC 29147".

    One that quotes that definition has it.
    """
    found = _ENTRY.match(text)
    if found is None or _BY_REFERENCE.match(text[found.end() :]) is None:
        return False
    return _QUOTED_DEFINITION.search(text, found.end()) is None


def is_term(text: str) -> bool:
    """Return True for a line that may be the term of an entry, whose definition is the next paragraph."""
    plain = text.strip()
    return bool(plain) and len(plain.split()) <= MAX_TERM_WORDS and plain[-1] not in ".:;,?!" and "\n" not in plain


def are_entries(lines: Sequence[str]) -> bool:
    """Return True for the lines of a paragraph that are an entry each."""
    return len(lines) > 1 and all(_has_entry(line) for line in lines)


def _has_entry(line: str) -> bool:
    found = _ENTRY.match(line)
    return (found is not None and len((found["term"] or "").split()) <= MAX_TERM_WORDS) or is_acronym(line)


def is_abbreviation(text: str) -> bool:
    """Return True for a line of a list of abbreviations: "mTLS mutual TLS", "MBS FSAI  MBS Frequency Selection …"."""
    found = _ABBREVIATION_LINE.fullmatch(text)
    return found is not None and sum(not letter.islower() for letter in found[1]) >= MIN_ACRONYM_LETTERS


def is_synonym(text: str) -> bool:
    """Return True for a line with another name of a term: "DEPRECATED: drive", "engine (admitted term)"."""
    return _SYNONYM.fullmatch(text) is not None


def begins_definition(text: str) -> bool:
    """Return True for a text that begins as a definition and no other first sentence of a section."""
    first = text.lstrip()
    if first[:1].islower() or first.startswith(
        ("A ", "An ", "Any ", "One ", "Each ", "Denotes ", "Means ", "Refers to ")
    ):
        return True
    return _NOUN_PHRASE.match(first) is not None


def is_plain_term(line: str) -> bool:
    """Return True for a line without emphasis or number that may be the term of an entry: "conffile"."""
    term = line.strip()
    if not is_term(term) or len(term.split()) > MAX_PLAIN_TERM_WORDS or not _PLAIN_LINE.fullmatch(term):
        return False
    return not (_VERB.search(term) or _NO_TERM.match(term))


def is_plain_definition(paragraph: str) -> bool:
    """Return True for a paragraph that begins by saying what something is: "A file that …"."""
    return _PLAIN_DEFINITION.match(paragraph) is not None


def is_definition_by_shall(sentence: str) -> bool:
    """Return True if the "shall" of a sentence defines, as in `"Work" shall mean any artistic work`."""
    return _SHALL_MEAN.search(sentence) is not None


def may_define(lowered: str) -> bool:
    """Return False for a text in lower case of which no sentence `defines`: a fast check."""
    return any(mark in lowered for mark in (*_MARKS, *_TRIGGERS))


def defines(sentence: str) -> bool:
    """Return True for a sentence that defines a term: "X means …", "… is called a "message"."""
    if _NO_DEFINITION.search(sentence):
        return False
    lowered = sentence.lower()
    if any(trigger in lowered for trigger in _TRIGGERS) or _COPULA.match(sentence):
        return any(pattern.search(sentence) for pattern in _INLINE)
    return False


def defined(text: str) -> Iterator[re.Match[str]]:
    """Yield the parts of a text that define; the group `term` of each is what it defines."""
    patterns = (_SHALL_MEAN, *_INLINE)
    first = next((pattern for pattern in patterns if pattern.search(text)), None)
    yield from first.finditer(text) if first else ()
