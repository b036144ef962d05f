"""The second look that a search takes before it says that the documents miss the question."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pincite.app import App
from pincite.errors import TimeoutExceeded
from pincite.index.retriever import Method, RetrievalResult
from pincite.index.searcher import Ranking
from pincite.model.call import Call
from pincite.ranking.relevance import COMPARED_HITS, DOUBT
from support.searched import write
from support.serving import MakeApp

if TYPE_CHECKING:
    from pincite.model.vector import Vector

PAGES = {f"{name}.md": f"# {name.title()}\n\nThe {name} sleeps.\n" for name in ("zebra", "walrus", "heron", "lynx")}


QUESTION = "why does a heron sleep standing"


def found(app: App, query: str, n: int = 5) -> RetrievalResult:
    with app.collection().view(Call(), semantic=True) as view:
        return view.search(Call(), query, n)


@pytest.fixture
def app(folder: Path, make_app: MakeApp) -> App:
    write(folder, PAGES)
    return make_app()


@pytest.fixture
def compared(app: App, monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The texts that were compared with each question; all their tokens are alike."""
    calls: list[Sequence[str]] = []

    def embed_tokens(texts: Sequence[str], _: Call) -> "list[Vector]":
        calls.append(texts)
        return [np.ones((2, 1), np.float32) for _ in texts]

    # Of the instance: whether a class is a protocol's is remembered beyond the test.
    monkeypatch.setattr(app.collection().embedder.embedder, "embed_tokens", embed_tokens, raising=False)
    return calls


@pytest.mark.parametrize("n", [1, 5])
def test_the_first_hits_of_a_doubtful_search_are_compared(app: App, compared: list[Sequence[str]], n: int) -> None:
    result = found(app, QUESTION, n)
    ((question, *passages),) = compared
    assert question == QUESTION
    assert len(passages) == COMPARED_HITS
    assert all(passage in PAGES.values() for passage in passages)
    assert len(result.hits) == min(n, len(PAGES))
    assert result.evidence is not None
    assert result.evidence.weak_similarity == 1
    assert result.relevance is not None
    assert result.relevance > DOUBT[1]


def test_a_search_without_doubt_takes_no_second_look(app: App, compared: list[Sequence[str]]) -> None:
    result = found(app, "the zebra sleeps")
    assert result.relevance is not None
    assert result.relevance > DOUBT[1]
    assert compared == []


def test_without_time_for_it_the_first_look_counts(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    first = found(app, QUESTION)

    def embed_tokens(_: Sequence[str], __: Call) -> "list[Vector]":
        raise TimeoutExceeded("The time ran out.")

    monkeypatch.setattr(app.collection().embedder.embedder, "embed_tokens", embed_tokens, raising=False)
    assert found(app, QUESTION).relevance == first.relevance
    assert first.relevance is not None
    assert first.relevance < DOUBT[1]


BALANCE = "Total current assets, inventories, marketable securities, accounts receivable and total current liabilities."
RATIO = "which quick ratio had the zebra"


@pytest.fixture
def embedded(app: App, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were embedded, a query last."""
    embedder = app.collection().embedder.embedder
    texts: list[str] = []
    plain = embedder.embed_query

    def embed_query(text: str, call: Call | None = None) -> "Vector":
        texts.append(text)
        return plain(text, call)

    monkeypatch.setattr(embedder, "embed_query", embed_query)
    return texts


def test_a_ratio_finds_the_statement_that_it_is_computed_from(app: App, folder: Path, embedded: list[str]) -> None:
    write(folder, {"balance.md": f"# Balance sheet\n\n{BALANCE}\n"})
    assert "balance.md" in found(app, RATIO).hits[0].chunk.document
    assert embedded[-1].startswith(f"{RATIO} ")
    assert {"inventories", "receivable", "liabilities"} <= set(embedded[-1].split())


def test_a_ratio_implies_nothing_where_no_statement_is(app: App, folder: Path, embedded: list[str]) -> None:
    write(folder, {"tap.md": f"# Tap\n\n{BALANCE.replace('receivable', 'of the tap')}\n"})
    assert "zebra.md" in found(app, RATIO).hits[0].chunk.document
    assert embedded[-1] == RATIO


def test_a_search_by_keywords_has_the_words_that_were_typed(app: App, folder: Path) -> None:
    write(folder, {"balance.md": f"# Balance sheet\n\n{BALANCE}\n"})
    with app.collection().view(Call(), semantic=True) as view:
        hits = view.ranked(Call(), RATIO, 5, Ranking(Method.KEYWORD)).hits
    assert [hit.chunk.document for hit in hits] == ["zebra.md"]
