"""How binding a sentence is, by its words."""

import re
from enum import IntEnum

MIN_LISTED_KEYWORDS = 4
"""Distinct keywords from which a sentence lists them ("The key words "MUST", "MUST NOT" …") and uses none."""


class Strength(IntEnum):
    """How binding a sentence is; of several keywords the strongest decides."""

    NONE = 0
    RECOMMENDATION = 1
    REQUIREMENT = 2


_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|\u201c[^\u201c\u201d]{1,400}\u201d|\u2018[^\u2018\u2019]{1,80}\u2019|(?<!\w)'[^'\n]{1,80}'(?!\w)"
    r"|`[^`]{1,400}`|~~.{1,4000}?~~",
    re.DOTALL,
)
"""Quoted words, code and withdrawn text: mentioned, not stated."""
_EMPHASIS = re.compile(r"[*_]{1,3}(?=\w)|(?<=\w)[*_]{1,3}(?!\w)")
_REQUIREMENT = re.compile(
    r"\b(?:shall|must(?!-))\b(?!\s+be\s+emphasi[sz]ed)"
    r"|\b(?:is|are|be|been|being|was|were)\s+(?:also\s+|always\s+|hereby\s+)?required\s+to\b"
    r"|\b(?-i:REQUIRED)\b",
    re.IGNORECASE,
)
_NOT_BINDING = re.compile(
    r"(?:\bnot\s+(?:be\s+|strictly\s+)?|\ba\s+|\bif\s+|\b(?:than|that|which|who|what|whatever)\s+)$", re.IGNORECASE
)
"""Before a keyword: "is not required to", "a must", "if REQUIRED", "a sensor that is required to"."""
_RELATIVE = frozenset({"than", "that", "which", "who", "what", "whatever"})
_RECOMMENDATION = re.compile(
    r"\bshould\b|\b(?:is|are|be|been)\s+(?:not\s+|strongly\s+|highly\s+|therefore\s+|also\s+)?recommended\b"
    r"|\b(?-i:RECOMMENDED)\b",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\b(?:(?:shall|must|should|may)(?:\s+not)?|(?:not\s+)?recommended|required|optional|can(?:not)?)\b", re.IGNORECASE
)
_MENTION = re.compile(
    r"\bkey\s?words?\b|\binterpreted\s+as\s+(?:described|defined|specified)\b"
    r"|\b(?:terms?|words?|verbs?|verbal\s+forms?|auxiliar(?:y|ies)|phrases?|use\s+of)\s+[\"\u201c'*_]*"
    r"(?:shall|must|should|may|will)\b(?:\s+not\b)?(?:[\"\u201d'*_]*(?:\s*,|\s+and\b|\s+or\b)+\s*[\"\u201c'*_]*"
    r"(?:shall|must|should|may)\b(?:\s+not\b)?)*"
    r"|\b(?:shall|must|should)\b[\"\u201d'*_]*\s+(?:indicates|denotes|expresses|means|signifies|is\s+used\s+to)\b"
    r"|\b(?:shall|must|should)\b[\"\u201d'*_]*\s+(?:and|or)\s+[\"\u201c'*_]*(?:shall|must|should)\s+not\b[\"\u201d'*_]*"
    r"\s+(?:indicates?|denotes?|express(?:es)?|means?|signif(?:y|ies)|(?:is|are)\s+used\s+to)\b",
    re.IGNORECASE,
)
"""What talks about key words: 'The word "shall" indicates a requirement'."""
_LICENCE = re.compile(
    r"\b(?:above\s+copyright\s+notice|this\s+permission\s+notice|in\s+no\s+event\s+shall"
    r"|shall\s+not\s+be\s+used\s+in\s+advertising|this\s+document\s+itself\s+may\s+not\s+be\s+modified)\b",
    re.IGNORECASE,
)
"""What the licence of a document says to those who copy it, wherever it is printed."""


_STATEMENT = re.compile(
    r"[^\W\d_][\W_]+(?:(?:shall|must|should)[\W_]+\w|(?:is|are|be)\s+(?:not\s+)?(?:required|recommended)\b)",
    re.IGNORECASE,
)


def is_statement(title: str) -> bool:
    """Return True for a title that may bind: "You MUST collect these metrics", but not "REQUIRED Attributes"."""
    return _STATEMENT.search(title) is not None


def has_keyword(lowered: str) -> bool:
    """Return True if a text in lower case may have a keyword: a fast check before `strength`."""
    # Written out: three times as fast as a pattern, and it sees every paragraph.
    return (
        "shall" in lowered
        or "must" in lowered
        or "should" in lowered
        or "required" in lowered
        or "recommended" in lowered
    )


def strength(sentence: str) -> Strength:
    """Return how binding a sentence is.

    Capitals change nothing. Quoted words, code and struck-out text do not count, and a sentence about key words has
    none of its own, nor has one of a licence to copy the document.
    """
    if not has_keyword(sentence.lower()) or is_about_keywords(sentence) or _LICENCE.search(sentence):
        return Strength.NONE
    plain = _EMPHASIS.sub("", _QUOTED.sub(" _ ", sentence))
    if any(_binds(plain, match) for match in _REQUIREMENT.finditer(plain)):
        return Strength.REQUIREMENT
    return Strength.RECOMMENDATION if _RECOMMENDATION.search(plain) else Strength.NONE


def is_about_keywords(sentence: str) -> bool:
    """Return True for a sentence that explains key words: "The key words "MUST" … are to be interpreted as"."""
    if not _MENTION.search(sentence):
        return False
    listed = {" ".join(match[0].lower().split()) for match in _LISTED.finditer(sentence)}
    return len(listed) >= MIN_LISTED_KEYWORDS or _only_mentions(sentence)


def _only_mentions(sentence: str) -> bool:
    """Return True if no keyword is left once those that the sentence talks about are taken out."""
    rest = _QUOTED.sub(" ", _MENTION.sub(" ", sentence))
    return not _REQUIREMENT.search(_EMPHASIS.sub("", rest))


def _binds(plain: str, match: re.Match[str]) -> bool:
    before = _NOT_BINDING.search(plain, max(0, match.start() - 20), match.start())
    if before is None:
        return True
    # "A door that must be locked" and "a REQUIRED field" oblige, "a must" and "one that is required to start" do not.
    word = before[0].split()[0].lower()
    return (word in _RELATIVE and "required" not in match[0].lower()) or (word == "a" and match[0] == "REQUIRED")
