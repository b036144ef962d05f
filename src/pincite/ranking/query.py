"""Extract the keyword query and the quoted phrases from a question."""

import re
from collections.abc import Callable

from pincite.model.search import KeywordQuery
from pincite.ranking.stopwords import STOPWORDS
from pincite.text.lexical import WORD
from pincite.text.quotation_marks import CLOSING
from pincite.text.words import divided, written_out

IDENTIFIER = re.compile(r"[_./:=\\]|--|\d-|-\d|[a-z][A-Z]")
"""Matches inside a name in code, an option, a path or a version."""

_BRACKETS = "「『"


def _quoted(mark: str, ends: str) -> str:
    phrase = f"{mark}([^{mark}{ends}]+)[{ends}]"
    return phrase if mark in _BRACKETS else rf"(?<![^\s([{{]){phrase}(?!\w)"


QUOTED = re.compile("|".join(_quoted(mark, ends) for mark, ends in CLOSING.items()))
"""A phrase in quotation marks. A mark inside a word or after a digit (`27" monitor`) is not an opening one; a
corner bracket is, as the words around it have no spaces."""

EDGES = "\"'`“”„«»‘’()[]{}<>,;:!?.…、。，！？；：「」『』（）【】《》،؟؛।"  # noqa: RUF001 - of other scripts, too
"""Signs before and after a word that are no part of it."""

_GENITIVE = re.compile(r"(?<=\w)'s$", re.IGNORECASE)
# The limit of the store (`KeywordLimits.terms`): more words would not be looked up.
_MAX_WORDS = 64


def keyword_query(text: str) -> KeywordQuery:
    """Return the words of a question without function words (unless there are no others), identifiers as phrases.

    A genitive is searched as its noun: the tokenizer would split `metric's` into a phrase of `metric` and `s`. What is
    written with an umlaut is also searched without.
    """
    stripped = (token.strip(EDGES) for token in divided(text.replace("’", "'")).split())
    typed = [_GENITIVE.sub("", word) for word in stripped if word]
    # A question of function words only ("what is it") still searches for them.
    words = [word for word in typed if word.lower() not in STOPWORDS] or typed
    unique = tuple(dict.fromkeys(words))[:_MAX_WORDS]
    phrases = tuple(word for word in unique if IDENTIFIER.search(word))
    terms = tuple(word for word in unique if word not in phrases)
    return KeywordQuery(terms, phrases, tuple(written_out(" ".join(terms))))


def english_share(text: str, is_english: Callable[[str], bool]) -> float:
    """Return the share of English among the words of a text; 1 for a text without words."""
    words = [word.lower() for word in WORD.findall(divided(text)) if not word.isdigit()]
    return sum(word in STOPWORDS or is_english(word) for word in words) / len(words) if words else 1.0


def quoted_phrases(text: str) -> tuple[str, ...]:
    """Return the distinct phrases in quotation marks ("…", “…”, „…“, «…», 「…」), in the order of the query."""
    quoted = (next(filter(None, match.groups())).strip() for match in QUOTED.finditer(text))
    return tuple(dict.fromkeys(phrase for phrase in quoted if any(map(str.isalnum, phrase))))
