"""Find the words of a question in a passage."""

import sqlite3

from pincite.ranking.query import keyword_query
from pincite.text.excerpt import SURROGATES
from pincite.text.mapped import Mapped
from pincite.text.words import folded, folded_with_map

TOKENIZER = "porter unicode61 remove_diacritics 2 categories ''L* N* Co M*''"
"""The tokenizer of the full-text index (`store/sqlite/sqlite.sql`), so that the marked words are those that matched."""

_OPEN, _CLOSE = "\x02", "\x03"

_UNSAFE = dict.fromkeys((0, 2, 3, *SURROGATES), " ")
"""Characters that SQLite cannot store or that mark matches; each becomes a space, which keeps every position."""


def matches(text: str, query: str) -> list[tuple[int, int]]:
    """Return the spans of words in a text that match a question's words, in order, not overlapping.

    Args:
        text: The passage.
        query: As the user typed it.
    """
    keywords = keyword_query(query)
    typed = (*keywords.phrases, *keywords.terms, *keywords.synonyms)
    words = (folded(word.translate(_UNSAFE)).replace('"', '""') for word in typed)
    terms = [f'"{word}"' for word in words]
    if not terms:
        return []
    plain = folded_with_map(text.translate(_UNSAFE))
    # FTS5's own highlighter marks exactly what its tokenizer matches; rebuilding that in Python would drift.
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(f"CREATE VIRTUAL TABLE passage USING fts5(text, tokenize='{TOKENIZER}')")
        connection.execute("INSERT INTO passage VALUES (?)", (plain.text,))
        marked = connection.execute(
            "SELECT highlight(passage, 0, ?, ?) FROM passage WHERE passage MATCH ?", (_OPEN, _CLOSE, " OR ".join(terms))
        ).fetchone()
    finally:
        connection.close()
    return _spans(marked[0], plain) if marked else []


def _spans(marked: str, plain: Mapped) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    start = offset = 0
    for character in marked:
        if character == _OPEN:
            start = offset
        elif character == _CLOSE:
            span = plain.span(start, offset)
            # Pairs of letters overlap: they are marked as one.
            if spans and span[0] < spans[-1][1]:
                span = spans.pop()[0], span[1]
            spans.append(span)
        else:
            offset += 1
    return spans
