"""What answers a question with a ranked list of places: pincite's ways to order, and a plain word search beside."""

import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from pincite.errors import ConfigError
from pincite.index.index import Index
from pincite.index.retriever import Method
from pincite.index.view import IndexView
from pincite.model.call import Call
from pincite.model.store import StoredChunk
from pincite.ranking.query import keyword_query

CHUNKS = 100
"""Chunks asked for, so that ten places are left when chunks of one place are taken together."""

GREP = "grep"
DEFAULT = "default"

WAYS = {"words": Method.KEYWORD, "meaning": Method.SEMANTIC, "rrf": Method.RRF, DEFAULT: Method.FUSED}
"""pincite's own ways to order, by their names in the table."""


class Target(NamedTuple):
    """Where an answer stands.

    Attributes:
        document: Its name.
        headings: From the outermost to the section's own; empty where documents are ranked.
    """

    document: str
    headings: tuple[str, ...] = ()


Ranker = Callable[[str], Sequence[Target]]
"""Gives the places for a question, best first, each once."""


def rankers(
    index: Index, view: IndexView, call: Call, text: Mapping[Target, str], *, sections: bool
) -> Mapping[str, Ranker]:
    """Every way that is measured, by its name in the table.

    Args:
        index: Its model loaded.
        view: All of it embedded.
        call: Whose time counts.
        text: What `texts` gives.
        sections: Rank sections; else documents.
    """
    ours = {name: search(index, view, call, method, sections=sections) for name, method in WAYS.items()}
    return {GREP: grep(text), **ours}


@contextmanager
def settled(index: Index, call: Call) -> Generator[IndexView]:
    """All of a folder, with words and vectors; the model comes first, so that its lack is told at once.

    Args:
        index: It waits for its model and brings everything in (`grace` and `budget` without limit).
        call: Whose time counts.

    Raises:
        ConfigError: The model is not there, or something could not be brought in.
    """
    index.embedder.start()
    if not index.embedder.ready(math.inf):
        raise ConfigError(f"The evaluation needs the embedding model. {index.embedder.failure}")
    with index.view(call, semantic=True) as view:
        left_out = view.unembedded + len(view.waiting)
        if left_out:
            raise ConfigError(f"{left_out} documents are not fully indexed: {view.freshness.reason} Run it again.")
        yield view


def search(index: Index, view: IndexView, call: Call, method: Method, *, sections: bool) -> Ranker:
    """One of pincite's own ways to order."""

    def ranked(question: str) -> list[Target]:
        hits = index.search(view, call, question, CHUNKS, method=method).hits
        return targets((hit.chunk for hit in hits), sections=sections)

    return ranked


def grep(texts: Mapping[Target, str]) -> Ranker:
    """A plain word search, as an agent does it with `grep -i`.

    Function words are dropped from the question. A place counts by how many of the other words stand in its text,
    as they are typed, in any case, inside longer words too; then by how often they stand there; then by name.
    A place that holds none of them is not found.
    """
    lowered = sorted((target, text.lower()) for target, text in texts.items())

    def ranked(question: str) -> list[Target]:
        query = keyword_query(question.lower())
        found: list[tuple[int, int, Target]] = []
        for target, text in lowered:
            counts = [text.count(word) for word in (*query.terms, *query.phrases)]
            if any(counts):
                found.append((-sum(count > 0 for count in counts), -sum(counts), target))
        return [target for _, _, target in sorted(found)]

    return ranked


def texts(view: IndexView, call: Call, *, sections: bool) -> dict[Target, str]:
    """The text of every document or section, its heading in it; an empty document is there too."""
    found: dict[Target, str] = {}
    for document in view.snapshot.documents():
        call.check()
        found[Target(document.name)] = ""
        for chunk in view.snapshot.document_chunks(document.id):
            target = _target(chunk, sections=sections)
            found[target] = found.get(target, "") + chunk.chunk.text
    return found


def targets(chunks: Iterable[StoredChunk], *, sections: bool) -> list[Target]:
    """Where chunks stand, each place once, at its first chunk."""
    return list(dict.fromkeys(_target(chunk, sections=sections) for chunk in chunks))


def _target(chunk: StoredChunk, *, sections: bool) -> Target:
    return Target(chunk.document, chunk.chunk.heading_path if sections else ())
