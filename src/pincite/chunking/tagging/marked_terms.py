"""Terms that a web page marks where it defines them (`<dfn>`), and the sentences that say what a marked term is."""

import re
from itertools import islice

from pincite.chunking.tagging.definitions import DEFINING_VERBS
from pincite.model.document import Document

MIN_MARKED_TERMS = 3
"""Marked terms from which a page counts as one that marks the terms that it defines."""

TERM = r"\*(?P<term>(?=[^\W_])[^*\n=<>|;\"]{0,99}[\w)])\*(?![*\w/])"
"""A term as the HTML reader writes `<dfn>`; it writes no other emphasis."""
_TERM = TERM.replace("?P<term>", "?:")
MARKED = re.compile(rf"(?<![^\s(\[\"\u201c\u2018'-]){TERM}")
"""Asterisks of the text itself, as in media types and grammars ("text/*, */*;q=0.5"), are none."""

_NOTE = r"(?:\s*(?:\([^()\n]{1,80}\)|\[[^\n\s]{1,80}\))){0,3},?"
"""A remark or link between a term and its verb."""
_PASSIVE = r"\w+(?:ed|en)\s+(?:by|for|from|in|into|on|only|to|with|within)\b"
_STATES = rf"(?:{DEFINING_VERBS}|(?:is|are)\s+(?!{_PASSIVE})|(?!(?:has|was|does|is)\b)[a-z]{{3,}}s\s)"
_IS_SUBJECT = re.compile(
    # A *gateway* (a.k.a. *reverse proxy*) is an intermediary that …; The terms *sender* and *recipient* refer to …
    r"\W{0,3}(?:(?:for\s+example|in\s+contrast|in\s+this\s+context),\s+)?"
    r"(?:(?:An?|The|Each|Any)\s+(?:[\w/-]+\s+){0,2})?"
    rf"{_TERM}(?:\s+(?:and|or)\s+(?:the\s+)?{_TERM})?{_NOTE}\s+(?:[a-z]+ly\s+)?{_STATES}",
    re.IGNORECASE,
)
_IS_NAME = (
    # … is called a *resource*; … are considered *safe* if …
    re.compile(
        r"\b(?:called|considered|known\s+as|named|referred\s+to\s+as|termed)\s+(?:to\s+be\s+)?"
        rf"(?:(?:an?|the)\s+)?{_TERM}"
    ),
    # A response is *cacheable* if …
    re.compile(rf"\b(?:is|are)\s+(?:said\s+to\s+be\s+)?{_TERM}{_NOTE}\s+(?:if|when|unless)\b"),
)


def marks_terms(document: Document) -> bool:
    """Return True for a web page whose author marked the terms that it defines."""
    if document.media_type != "text/html":
        return False
    return len([*islice(MARKED.finditer(document.text), MIN_MARKED_TERMS)]) == MIN_MARKED_TERMS


def has_marked_term(text: str) -> bool:
    """Return True for a text of such a page with a marked term."""
    return "*" in text and MARKED.search(text) is not None


def defines_marked_term(sentence: str) -> bool:
    """Return True for a sentence of such a page that says what a marked term is.

    The term is the sentence's subject, or what something is called. A mark elsewhere ("A client sends requests in a
    *request* message") names a term that other sentences explain; so does the head of a list.
    """
    if not has_marked_term(sentence) or sentence.rstrip("* _\n\t").endswith(":"):
        return False
    return _IS_SUBJECT.match(sentence) is not None or any(pattern.search(sentence) for pattern in _IS_NAME)
