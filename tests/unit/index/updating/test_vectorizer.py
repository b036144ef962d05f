"""Vectors are made by the call where they fit its budget, else by the background thread."""

import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite.app import App
from pincite.embedding.hashing import HashEmbedder
from pincite.model.call import Call
from pincite.toolkit import IndexState
from support.serving import MakeApp, ask
from support.waiting import pause

if TYPE_CHECKING:
    from pincite.model.vector import Vector


LONG = "\n\n".join(f"## Part {n}\n\nThe zebra of part {n}." for n in range(300))


BUDGET = 2.0


@pytest.mark.parametrize("documents", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_no_search_waits_for_vectors_that_do_not_fit_its_budget(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, documents: int
) -> None:
    embedded = slow_down(monkeypatch, texts_per_second=50)
    (folder / "short.md").write_text("# Short\n\nA walrus.\n")
    app = make_app(PINCITE_FRESH_BUDGET=BUDGET)
    ask(app, "walrus")
    for n in range(documents):
        (folder / f"{n}.md").write_text(f"# Long {n}\n\n{LONG}\n")
    while (index := freshness(app, "zebra")).stale:
        assert 1 <= index.pending <= documents
    assert embedded[threading.get_ident()] <= BUDGET * 50 < embedded.total() / 2


def test_what_fits_the_budget_is_embedded_by_the_call(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_down(monkeypatch, texts_per_second=50)
    (folder / "short.md").write_text("# Short\n\nA walrus.\n")
    app = make_app(PINCITE_FRESH_BUDGET=BUDGET)
    ask(app, "walrus")
    for n in range(5):
        (folder / f"{n}.md").write_text(f"# Page {n}\n\nA zebra.\n")
    assert not freshness(app, "zebra").stale


def slow_down(monkeypatch: pytest.MonkeyPatch, *, texts_per_second: float) -> Counter[int]:
    """Let texts be embedded slowly, and return how many are, by thread."""
    embed = HashEmbedder.embed
    embedded: Counter[int] = Counter()

    def slow(self: HashEmbedder, texts: Sequence[str], call: Call) -> "Vector":
        embedded[threading.get_ident()] += len(texts)
        pause(len(texts) / texts_per_second, "a slow model")
        return embed(self, texts, call)

    monkeypatch.setattr(HashEmbedder, "embed", slow)
    return embedded


def freshness(app: App, query: str) -> IndexState:
    answer = ask(app, query)
    assert answer.index is not None
    return answer.index
