"""What of a question the keyword leg looks for."""

import re

from pincite.model.search import KeywordQuery
from pincite.ranking.stopwords import STOPWORDS

IDENTIFIER = re.compile(r"[_./:=\\]|--|\d-|-\d|[a-z][A-Z]")
"""A word with one of these inside is a name in code, an option, a path or a version (`measured`: retrieval, 2)."""

QUOTED = re.compile(r'(?<![^\s([{])(?:"([^"]+)"|[“„]([^“”„]+)[”“]|«([^«»]+)»)(?!\w)')
"""A phrase in quotation marks. A mark inside a word or after a digit (`27" monitor`) opens nothing."""

_EDGES = "\"'`“”„«»‘’()[]{}<>,;:!?.…"
_GENITIVE = re.compile(r"(?<=\w)'s$", re.IGNORECASE)
_MANY = 64


def keyword_query(text: str) -> KeywordQuery:
    """The words of a question: function words dropped (unless nothing else is left), identifiers as phrases.

    A genitive is searched as its noun: `metric's` would be a phrase of `metric` and `s`.
    """
    stripped = (token.strip(_EDGES) for token in text.replace("’", "'").split())
    typed = [_GENITIVE.sub("", word) for word in stripped if word]
    words = [word for word in typed if word.lower() not in STOPWORDS] or typed
    unique = tuple(dict.fromkeys(words))[:_MANY]
    phrases = tuple(word for word in unique if IDENTIFIER.search(word))
    return KeywordQuery(terms=tuple(word for word in unique if word not in phrases), phrases=phrases)


def quoted_phrases(text: str) -> tuple[str, ...]:
    """Return the phrases in quotation marks ("…", “…”, „…“, «…»), each once, in the order of the query."""
    found = (next(filter(None, match.groups())).strip() for match in QUOTED.finditer(text))
    return tuple(dict.fromkeys(phrase for phrase in found if any(map(str.isalnum, phrase))))
