"""Vectors are made by the call where they fit its budget, else by the background thread."""

import statistics
import time
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
    slow_down(monkeypatch, texts_per_second=50)
    (folder / "short.md").write_text("# Short\n\nA walrus.\n")
    app = make_app(PINCITE_FRESH_BUDGET=BUDGET)
    ask(app, "walrus")
    for n in range(documents):
        (folder / f"{n}.md").write_text(f"# Long {n}\n\n{LONG}\n")
    seconds: list[float] = []
    while (index := timed(app, "zebra", seconds)).stale:
        assert 1 <= index.pending <= documents
        assert len(seconds) < 10_000
    assert statistics.median(seconds) < BUDGET / 2


def test_what_fits_the_budget_is_embedded_by_the_call(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow_down(monkeypatch, texts_per_second=50)
    (folder / "short.md").write_text("# Short\n\nA walrus.\n")
    app = make_app(PINCITE_FRESH_BUDGET=BUDGET)
    ask(app, "walrus")
    for n in range(5):
        (folder / f"{n}.md").write_text(f"# Page {n}\n\nA zebra.\n")
    seconds: list[float] = []
    assert not timed(app, "zebra", seconds).stale


def slow_down(monkeypatch: pytest.MonkeyPatch, *, texts_per_second: float) -> None:
    embed = HashEmbedder.embed

    def slow(self: HashEmbedder, texts: Sequence[str], call: Call) -> "Vector":
        pause(len(texts) / texts_per_second, "a slow model")
        return embed(self, texts, call)

    monkeypatch.setattr(HashEmbedder, "embed", slow)


def timed(app: App, query: str, seconds: list[float]) -> IndexState:
    start = time.monotonic()
    answer = ask(app, query)
    seconds.append(time.monotonic() - start)
    assert answer.index is not None
    return answer.index
