"""Rankers: pincite's own ways to order, and a plain word search."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.services.evaluation.rankers import Ranker, Target, complete_view, grep, rankers, texts
from support.serving import MakeApp

PAGES = {
    "zebra.md": "# Animals\n\n## Zebra stripes\n\nThe zebra has stripes.\n\n## Zebra food\n\nThe zebra eats grass.\n",
    "walrus.md": "# Sea\n\n## Walrus\n\nThe walrus has tusks.\n",
    "empty.md": "",
}


@pytest.fixture(params=[False, True], ids=["documents", "sections"])
def sections(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture
def ways(folder: Path, make_app: MakeApp, sections: bool) -> Iterator[dict[str, Ranker]]:
    for name, text in PAGES.items():
        (folder / name).write_text(text)
    index = make_app(PINCITE_FRESH_BUDGET="inf").collection()
    call = Call()
    with complete_view(index, call) as view:
        yield dict(rankers(view, call, texts(view, call, sections=sections), sections=sections))


def test_every_way_finds_the_place_once(ways: dict[str, Ranker], sections: bool) -> None:
    assert list(ways) == ["grep", "words", "meaning", "rrf", "default"]
    wanted = Target("zebra.md", ("Animals", "Zebra food") if sections else ())
    for ranker in ways.values():
        found = ranker("what grass does the zebra eat")
        assert found[0] == wanted
        assert len(found) == len(set(found))


def test_a_missing_model_is_told_before_anything_is_indexed(
    folder: Path, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "zebra.md").write_text(PAGES["zebra.md"])
    monkeypatch.delenv("PINCITE_MODEL_DIR", raising=False)
    index = make_app(EMBEDDING_PROVIDER="local", PINCITE_FETCH_MODEL="false").collection()
    with pytest.raises(ConfigError, match="needs the embedding model"), complete_view(index, Call()):
        pass
    assert index.store.generation() == 0


@pytest.mark.usefixtures("no_background")
def test_nothing_is_measured_on_half_an_index(folder: Path, make_app: MakeApp) -> None:
    (folder / "zebra.md").write_text(PAGES["zebra.md"])
    index = make_app(PINCITE_FRESH_BUDGET="0").collection()
    with pytest.raises(ConfigError, match="1 document not fully indexed"), complete_view(index, Call()):
        pass


def test_grep_counts_different_words_first_then_how_often() -> None:
    texts = {
        Target("often.md"): "key key key",
        Target("both.md"): "KEYS are rotated",
        Target("b-once.md"): "the key",
        Target("a-once.md"): "a key",
        Target("none.md"): "nothing",
    }
    found = grep(texts)("how is the key rotated?")
    assert [target.document for target in found] == ["both.md", "often.md", "a-once.md", "b-once.md"]


def test_grep_looks_for_names_in_code_as_they_are_typed() -> None:
    texts = {Target("a.md"): "config max size", Target("b.md"): "set config.max_size"}
    assert grep(texts)("config.max_size") == [Target("b.md")]
