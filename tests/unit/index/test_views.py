"""Views of several collections: scored as one, fresh within one budget."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import Ambiguous, NotFound
from pincite.index.retriever import SearchType
from pincite.index.searcher import Ranking
from pincite.index.updating.indexer import Indexer
from pincite.index.views import FoundIn, opened
from pincite.model.call import Call
from pincite.model.locator import parse
from pincite.ranking.keyword_weight import KEYWORD_WEIGHT
from pincite.settings import load

PAGES = {
    "one": {"a.md": "# Zebra\n\nA zebra crosses.\n", "same.md": "# Same\n"},
    "two": {"b.md": "# Gardening\n\nPlant beans in April.\n", "same.md": "# Same\n"},
}


@pytest.fixture
def app(tmp_path: Path, no_background: None) -> Iterator[App]:
    del no_background
    for name, pages in PAGES.items():
        (tmp_path / name).mkdir()
        for page, text in pages.items():
            (tmp_path / name / page).write_text(text)
    settings = {"PINCITE_CACHE": tmp_path / "cache", "EMBEDDING_PROVIDER": "hash", "PINCITE_MODEL_GRACE": "inf"}
    made = App(load({**settings, "PINCITE_FRESH_BUDGET": "60"}), {name: tmp_path / name for name in PAGES})
    yield made
    made.close()


def found(app: App, question: str, n: int = 5) -> FoundIn:
    with opened(map(app.collections.get, PAGES), Call(), semantic=True) as views:
        return views.search(Call(), question, n, lambda _: Ranking())


def test_a_collection_without_the_word_is_scored_as_beside_one_that_has_it(app: App) -> None:
    both = found(app, "zebra")
    assert both.result.search_type is SearchType.HYBRID and both.hits[0][0].collection == "one"
    for view, hit in both.hits:
        assert hit.similarity is not None and hit.score == pytest.approx(sum(hit.parts), abs=1e-6)
        if view.collection == "two":
            assert hit.score == pytest.approx(max(0.0, hit.similarity) / (1 + KEYWORD_WEIGHT), abs=1e-6)


def test_the_best_n_of_all_are_returned_with_equal_scores_by_collection(app: App) -> None:
    same = found(app, "same", n=2)
    assert [(view.collection, hit.chunk.document) for view, hit in same.hits] == [
        ("one", "same.md"),
        ("two", "same.md"),
    ]
    assert same.hits[0][1].score == same.hits[1][1].score and same.result.chunks == 4


def test_a_phrase_is_missing_only_if_no_collection_has_it(app: App) -> None:
    assert found(app, '"plant beans"').result.missing_phrases == ()
    assert found(app, '"plant roses"').result.missing_phrases == ("plant roses",)


def test_a_document_is_of_the_collection_that_has_it(app: App) -> None:
    with opened(map(app.collections.get, PAGES), Call(), semantic=False) as views:
        view, document = views.document(lambda _: "b.md", "None.")
        assert (view.collection, document.name) == ("two", "b.md")
        with pytest.raises(Ambiguous, match="one and in two"):
            views.document(lambda _: "same.md", "None.")
        with pytest.raises(NotFound, match=r"None. Nearest: b.md"):
            views.document(lambda _: "bb.md", "None.")


def test_the_freshness_is_that_of_all(app: App) -> None:
    with opened(map(app.collections.get, PAGES), Call(), semantic=False) as views:
        states = [view.freshness for view in views.views]
        assert views.freshness.generation == sum(state.generation for state in states)
        assert views.freshness.checked_at == min(state.checked_at for state in states)
        assert not views.freshness.stale and not views.freshness.reason


def test_collections_of_one_call_share_its_budget(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    deadlines: list[float] = []
    refresh = Indexer.refresh

    def noted(indexer: Indexer, call: Call, deadline: float, **options: bool) -> object:
        deadlines.append(deadline)
        return refresh(indexer, call, deadline, **options)

    monkeypatch.setattr(Indexer, "refresh", noted)
    found(app, "zebra")
    with pytest.raises(NotFound):
        app.collections.find(parse("none.md@00000000#h1"), Call())
    first, second, *in_find = deadlines
    assert first == second and len(in_find) == 2 and len(set(in_find)) == 1
