"""The lines of financial statements from which the ratios that a question names are computed."""

from functools import cache
from importlib.resources import files

from pincite.ranking.stopwords import STOPWORDS
from pincite.ranking.synonyms import Synonyms, parse

_FILE = "accounting.txt"


def statement_words(question: str) -> tuple[str, ...]:
    """Return the distinct words of the lines behind each term of accounting in a question, without function words."""
    return tuple(word for word in _terms().of(question) if word not in STOPWORDS)


@cache
def _terms() -> Synonyms:
    return parse(files("pincite.ranking").joinpath(_FILE).read_text(encoding="utf-8"), _FILE)
