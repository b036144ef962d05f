"""What a section is about and whether it binds, by its title and by what it says of itself."""

import re
from collections.abc import Iterator
from enum import StrEnum


class Topic(StrEnum):
    """What a section is about; its sub-sections are about the same unless their titles say otherwise."""

    BODY = "body"
    OVERVIEW = "overview"
    TERMS = "terms"
    REFERENCES = "references"
    EXAMPLES = "examples"
    RATIONALE = "rationale"
    CHANGES = "changes"
    CONTENTS = "contents"
    FRONT = "front"
    BACK = "back"


NEVER_BINDING = frozenset(
    {Topic.REFERENCES, Topic.EXAMPLES, Topic.RATIONALE, Topic.CHANGES, Topic.CONTENTS, Topic.FRONT, Topic.BACK}
)
"""Sections that oblige nobody, whatever words they use."""

_DOCUMENT = r"(?:this\s+)?(?:standard|document|specification|handbook|memo|report|part|recommendation|section|guide)"
_TERMS_WORD = (
    r"(?:list\s+of\s+)?(?:key\s+|common\s+|general\s+|basic\s+|defined\s+|specia?l?\s+|technical\s+|specific\s+|abbreviated\s+"
    r"|acronyms?\s+)?"
    r"(?:terms?(?:\s+definitions?)?|terminolog(?:y|ies)|definitions?|defined\s+terms|glossar(?:y|ies)|vocabular(?:y|ies)|nomenclature"
    r"|abbreviations?|abbreviated\s+terms|acronyms?|symbols?(?:\s+and\s+units)?|initialisms|interpretation)"
)
_CONVENTIONS = r"(?:(?:requirements?\s+|notational\s+|document\s+)?(?:conventions?|notations?|language|key\s?words))"
_REFERENCE_WORD = (
    r"(?:normative|informative|non-?normative|applicable|referenced?|related|cited|other|external|supporting|source)"
)
_TITLES: tuple[tuple[Topic, str], ...] = (
    (
        Topic.TERMS,
        (
            rf"(?:{_CONVENTIONS}\s*(?:,|/|and|&|,\s*and)\s*)*{_TERMS_WORD}(?:\s*(?:,|/|and|&|or|of|,\s*and)\s*(?:their\s+)?(?:{_TERMS_WORD}|{_CONVENTIONS}))*"
            rf"(?:\s+(?:defined\s+elsewhere|(?:(?:used|defined)\s+)?(?:in|throughout|of|for)\s+{_DOCUMENT}))?"
        ),
    ),
    (
        Topic.REFERENCES,
        (
            rf"(?:{_REFERENCE_WORD}(?:\s*(?:,|/|and|&)\s*{_REFERENCE_WORD})*\s+)?"
            r"(?:references?(?:\s+(?:documents?|standards?|publications?|list))?|documents|publications|bibliograph(?:y|ies)"
            r"|works\s+cited|literature)"
        ),
    ),
    (
        Topic.CONTENTS,
        r"(?:table\s+of\s+)?contents|(?:list|table|index)\s+of\s+(?:figures|tables|illustrations).*|(?:subject\s+)?index",
    ),
    (
        Topic.CHANGES,
        (
            r"(?:document\s+)?(?:(?:revision|change|version|amendment)s?\s+(?:history|log|record|control|sheet|notes?)|history)"
            r"|changes?(?:\s+(?:from|since|in|to|between|for|made)\b.*)?|change\s*log|errata|release\s+notes"
            r"|(?:major\s+|significant\s+)?(?:differences|modifications)\s+(?:between|from|with|since)\b"
            r".*(?:\b(?:versions?|editions?|releases?|drafts?|revisions?|previous|earlier|prior|since|rfc)\b|\bv\d|:\d{4}).*|what'?s\s+new.*"
        ),
    ),
    (
        Topic.FRONT,
        (
            r"foreword|prefaces?|abstract|executive\s+summary|status\s+of\s+th(?:is|e)\s+(?:memo|document|\w+).*|copyright(?:\s+(?:notice|statement|and|\u00a9|\(c\)|\d).*)?"
            r"|legal(?:\s+(?:notices?|information))?|notices?|disclaimers?|licen[cs]e(?:\s+(?:terms|agreement|notice|and\b.*))?"
            r"|.*\blicen[cs]e,?(?:\s+version)?\s+\d[\d.]*(?:\s+\w+)?|(?:the\s+)?gnu\s+(?:\w+\s+){1,3}licen[cs]e|frontispiece|warranty|trademarks?|authority|intellectual\s+property(?:\s+rights?)?|ipr(?:\s+\w+)?|patent\s+(?:notice|rights)"
            r"|cover(?:\s+page)?|document\s+control"
        ),
    ),
    (
        Topic.BACK,
        (
            r"acknowledge?ments?|contributors?|authors?'?s?(?:'|\u2019)?(?:\s+address(?:es)?)?|participants|colophon"
            r"|(?:editors?|contact)(?:'?s'?)?\s+(?:address(?:es)?|information)|about\s+the\s+authors?"
        ),
    ),
    (
        Topic.EXAMPLES,
        (
            r"(?:(?:non-?normative|informative|further|complete|worked|sample|illustrative|usage|additional)\s+)*examples?"
            r"(?:\s+(?:of|for|\d+)\b.*)?|test\s+vectors"
        ),
    ),
    (Topic.RATIONALE, r"(?:design\s+)?rationale(?:\s+(?:for|behind)\b.*)?|commentary"),
    (
        Topic.OVERVIEW,
        (
            r"(?:general\s+)?introduction(?:\s+.{0,40})?|scope(?:\s+.{0,40})?|(?:purpose|objectives?|aims?)(?:\s+.{0,40})?"
            r"|(?:document\s+)?overview(?:\s+.{0,40})?|background|field\s+of\s+application|motivation|audience|context"
        ),
    ),
)
_TOPICS = tuple((topic, re.compile(rf"(?:{pattern})[\s.:]*", re.IGNORECASE)) for topic, pattern in _TITLES)
_PARENTHESES = re.compile(r"[\[(][^\])]{0,40}[\])]")
_INFORMATIVE_TITLE = re.compile(
    r"[\[(\u2013\u2014:-]\s*(?:(?:informative|non-?\s?normative|not\s+normative)\b"
    r"|(?:informational|for\s+information)(?:\s+(?:only|purposes))*\s*(?:[\])]|$))"
    r"|^(?:informative|non-?normative)\b|\b(?:informative|non-?normative)\s+(?:annex|appendix|section|references|examples?)\b"
    r"|\b(?:informative|non-?normative)$",
    re.IGNORECASE,
)
_NORMATIVE_TITLE = re.compile(
    r"[\[(]\s*(?:normative|mandatory|integral)\b[^)\]]{0,20}[\])]|^normative\b", re.IGNORECASE
)
_SUBJECT = (
    r"(?:this|the\s+(?:present|following|entire|whole)|these|all)\s+(?:and\s+all\s+)?(?:of\s+this\s+)?"
    r"(?:sub-?)?(?:sections?|clauses?|annex(?:es)?|appendi(?:x|ces)|chapters?|parts?|paragraphs?|content|material|text)"
)
_SELF = re.compile(
    rf"\b{_SUBJECT}\b(?:[^.]{{0,60}}?)\b(?:is|are|contains?|provides?|has)\s+(?P<words>[^.;]{{0,160}})", re.IGNORECASE
)
_INFORMATIVE = re.compile(
    r"\b(?:informative|non-?\s?normative|not\s+(?:\w+\s+)?normative|informational|for\s+information(?:al)?(?:\s+purposes)?(?:\s+only)?"
    r"|not\s+(?:form\s+)?(?:an?\s+)?(?:integral|mandatory)\s+part|not\s+(?:a\s+)?(?:normative|mandatory)|explanatory\s+nature)\b",
    re.IGNORECASE,
)
_NORMATIVE = re.compile(r"\bnormative\b", re.IGNORECASE)
_INTEGRAL = re.compile(
    r"\b(?P<no>does\s+not\s+|do\s+not\s+|not\s+)?forms?\s+(?:an\s+)?integral\s+part\b", re.IGNORECASE
)
_ALONE = re.compile(
    r"[\s*_(\[]*(?P<word>informative|non-?normative|normative|mandatory)\b"
    r"(?:\s+(?:annex|appendix|section|clause|part))?[\s*_)\].]*",
    re.IGNORECASE,
)
_BOTH = re.compile(
    r"\bboth\b|\bnormative\s+(?:and|or)\s+(?:informative|non)|\binformative\s+(?:and|or)\s+normative", re.IGNORECASE
)
_LISTED = re.compile(
    r"(?P<list>(?:sections?|clauses?|annex(?:es)?|appendi(?:x|ces)|chapters?)\s+(?:[^.;:]|\.(?=\d)){1,120}?)\s+(?:is|are)\s+"
    r"(?:all\s+|considered\s+)?(?P<word>informative|non-?normative|normative)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.])(?:\d{1,3}(?:\.\d{1,3})*|[A-Z](?:\.\d{1,3})*)(?![\w])")

_STATEMENT_WORDS = ("normative", "inform", "integral", "mandatory")
_EMPHASIS = re.compile(r"[*_]+")

MAX_STATEMENT_CHARS = 400
"""Length of the longest paragraph that is read for what its section says about itself."""


def topic(title: str) -> Topic:
    """Return what a section is about by its title, given without its number."""
    plain = _PARENTHESES.sub("", title).strip(" \t:.-\u2013\u2014*_")
    return next((name for name, pattern in _TOPICS if pattern.fullmatch(plain)), Topic.BODY)


def binding_by_title(title: str) -> bool | None:
    """Return whether a title says that its section binds: "Annex B (informative)"; None if it does not say."""
    if _INFORMATIVE_TITLE.search(title):
        return False
    return True if _NORMATIVE_TITLE.search(title) else None


def binding_by_statement(text: str) -> bool | None:
    """Return whether a paragraph says that its section binds: "This section is non-normative."; None if not."""
    if len(text) > MAX_STATEMENT_CHARS or not any(word in text.lower() for word in _STATEMENT_WORDS):
        return None
    text = _EMPHASIS.sub("", text)
    if alone := _ALONE.fullmatch(text):
        return alone["word"].lower() in {"normative", "mandatory"}
    if integral := _INTEGRAL.search(text):
        return not integral["no"]
    return next((binds for sentence in _SELF.finditer(text) if (binds := _binds(sentence)) is not None), None)


def _binds(sentence: re.Match[str]) -> bool | None:
    if _BOTH.search(sentence[0]):
        return None
    if _INFORMATIVE.search(sentence["words"]):
        return False
    return True if _NORMATIVE.search(sentence["words"]) else None


def bindings_by_list(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the clauses that a sentence names as binding or not: "Sections 1, 2 and Annex C are informative"."""
    for listed in _LISTED.finditer(text):
        binds = listed["word"].lower() == "normative"
        for number in _NUMBER.finditer(listed["list"]):
            yield number[0], binds
