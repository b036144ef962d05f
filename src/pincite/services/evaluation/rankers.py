"""Rankers to evaluate: pincite's ranking methods, and a plain word search as a reference."""

import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from pincite.errors import ConfigError
from pincite.index.collection import Collection
from pincite.index.retriever import Method
from pincite.index.spans import section_spans
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.store import StoredChunk
from pincite.ranking.query import keyword_query
from pincite.text.counts import counted

CHUNKS = 100
"""Number of retrieved chunks: enough for ten targets after chunks of the same target are merged."""

GREP = "grep"
DEFAULT = "default"

METHODS = {"words": Method.KEYWORD, "meaning": Method.SEMANTIC, "rrf": Method.RRF, DEFAULT: Method.FUSED}
"""pincite's ranking methods by their names in the table."""


class Target(NamedTuple):
    """A ranked document or section.

    Attributes:
        document: The document's name.
        headings: From the outermost to the section's own, then the clause number if it has one; empty if documents are
            ranked.
    """

    document: str
    headings: tuple[str, ...] = ()


Ranker = Callable[[str], Sequence[Target]]
"""Returns the distinct targets for a question, best first."""


def rankers(view: View, call: Call, text: Mapping[Target, str], *, sections: bool) -> Mapping[str, Ranker]:
    """Return every ranker by its name in the table.

    Args:
        view: A view in which every document is embedded.
        call: Supplies the deadline.
        text: The result of `texts`.
        sections: Rank sections; else documents.
    """
    ours = {name: search(view, call, method, sections=sections) for name, method in METHODS.items()}
    return {GREP: grep(text), **ours}


def library_rankers(
    view: View, call: Call, text: Mapping[Target, str], knowledge_search: Ranker, *, sections: bool
) -> Mapping[str, Ranker]:
    """Return every ranker of a library by its name in the table.

    Args:
        view: A view of the library.
        call: Supplies the deadline.
        text: The result of `texts`.
        knowledge_search: Ranks as the tool does.
        sections: Rank clauses; else documents.
    """
    words = search(view, call, Method.BM25, sections=sections)
    meaning = search(view, call, Method.SEMANTIC, sections=sections)
    return {GREP: grep(text), "words": words, "meaning": meaning, DEFAULT: knowledge_search}


@contextmanager
def complete_view(collection: Collection, call: Call) -> Generator[View]:
    """Open a view with terms and vectors of every document. Loads the model first, to fail early without it.

    Args:
        collection: A collection with unlimited `grace` and `budget`.
        call: Supplies the deadline.

    Raises:
        ConfigError: The model is missing, or a document could not be indexed.
    """
    collection.embedder.start()
    if not collection.embedder.ready(math.inf):
        raise ConfigError(f"The evaluation needs the embedding model. {collection.embedder.failure}")
    with collection.view(call, semantic=True) as view:
        incomplete = view.index.unembedded + len(view.waiting)
        if incomplete:
            raise ConfigError(
                f"{counted(incomplete, 'document')} not fully indexed: {view.freshness.reason} Run it again."
            )
        yield view


def search(view: View, call: Call, method: Method, *, sections: bool) -> Ranker:
    """Return a ranker with one of pincite's methods."""

    def ranked(question: str) -> list[Target]:
        hits = view.search(call, question, CHUNKS, method=method).hits
        return targets((hit.chunk for hit in hits), sections=sections)

    return ranked


def grep(texts: Mapping[Target, str]) -> Ranker:
    """Return a ranker by plain word search, like an agent's `grep -i`.

    Targets are ranked by the number of the question's content words in their text (as typed, in any case, also inside
    longer words), then by the number of occurrences, then by name. Targets without any of them are not returned.
    """
    lowered = sorted((target, text.lower()) for target, text in texts.items())

    def ranked(question: str) -> list[Target]:
        query = keyword_query(question.lower())
        matches: list[tuple[int, int, Target]] = []
        for target, text in lowered:
            counts = [text.count(word) for word in (*query.terms, *query.phrases)]
            if any(counts):
                matches.append((-sum(count > 0 for count in counts), -sum(counts), target))
        return [target for _, _, target in sorted(matches)]

    return ranked


def texts(view: View, call: Call, *, sections: bool) -> dict[Target, str]:
    """Return the text of every document or section, including its heading and including empty documents."""
    text_of: dict[Target, str] = {}
    for document in view.snapshot.documents():
        call.check()
        if not sections:
            text_of[Target(document.name)] = view.text(document)
            continue
        text_of[Target(document.name)] = ""
        chunks_of: dict[Target, list[StoredChunk]] = {}
        for chunk in view.chunks(document):
            chunks_of.setdefault(_target(chunk, sections=True), []).append(chunk)
        text = view.text(document)
        for target, chunks in chunks_of.items():
            text_of[target] = "".join(text[start:end] for start, end in section_spans(chunks))
    return text_of


def targets(chunks: Iterable[StoredChunk], *, sections: bool) -> list[Target]:
    """Return the distinct targets of chunks, in the order of their first chunk."""
    return list(dict.fromkeys(_target(chunk, sections=sections) for chunk in chunks))


def _target(chunk: StoredChunk, *, sections: bool) -> Target:
    clause = chunk.chunk.tags.clause
    return section_target(chunk.document, chunk.chunk.heading_path, clause) if sections else Target(chunk.document)


def section_target(document: str, heading_path: Iterable[str], clause: str) -> Target:
    """Return a section; a row with a clause number of its own is a section of its own."""
    return Target(document, (*heading_path, clause) if clause else tuple(heading_path))
