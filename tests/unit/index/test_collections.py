"""The collections of a server: opened once, reopened if lost, closed while idle, searched for a reference."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from pincite.app import App
from pincite.errors import Ambiguous, ConfigError, IndexLost, NotFound
from pincite.index.collection import Collection, Spec
from pincite.index.collections import MAX_IDLE_CACHED, Collections, Shelf
from pincite.index.updating.ingestion import Addition
from pincite.model.call import Call, retry_if_index_lost
from pincite.model.locator import Ref, parse
from pincite.model.store import UNTRUSTED
from pincite.sources.base import SourceDocument
from pincite.toolkit import Scope
from support.serving import MakeApp, ask, files, index_of, shelf


@pytest.fixture
def app(folder: Path, make_app: MakeApp) -> App:
    (folder / "a.md").write_text("# Alpha\n\nA zebra.\n")
    app = make_app()
    assert files(ask(app, "zebra")) == ["a.md"]
    return app


def damage(app: App) -> None:
    index_of(app).write_bytes(b"garbage" * 20_000)


def test_a_tool_answers_over_a_damaged_index(app: App) -> None:
    damage(app)
    assert files(ask(app, "zebra")) == ["a.md"]


def test_a_tool_answers_over_an_emptied_index(app: App) -> None:
    index_of(app).write_bytes(b"")
    assert files(ask(app, "zebra")) == ["a.md"]
    assert index_of(app).with_name(f"{index_of(app).name}.damaged").exists()


def test_resources_are_read_over_a_damaged_index(app: App) -> None:
    damage(app)
    (listed,), _ = app.resources.document_page(Call())
    damage(app)
    assert "zebra" in app.resources.document_text(Call(), listed.uri)
    damage(app)
    assert app.resources.revisions(Call(), None).by_uri.keys() == {listed.uri}


@pytest.mark.usefixtures("no_background")
def test_an_index_found_damaged_by_the_last_call_is_begun_anew_by_the_next_program(
    app: App, make_app: MakeApp, folder: Path
) -> None:
    collection = app.collection()
    damage(app)
    (folder / "a.md").write_text("# Alpha\n\nA walrus.\n")
    with pytest.raises(IndexLost), collection.view(Call(), semantic=False):
        raise AssertionError
    app.close()
    assert not index_of(app).exists()
    assert files(ask(make_app(), "walrus")) == ["a.md"]


def test_calls_side_by_side_are_all_answered_over_a_damaged_index(app: App) -> None:
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append(files(ask(app, "zebra")))) for _ in range(8)]
    damage(app)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [["a.md"]] * 8


def test_what_is_lost_twice_is_told() -> None:
    tries: list[int] = []

    def work() -> None:
        tries.append(1)
        raise IndexLost("lost")

    with pytest.raises(IndexLost):
        retry_if_index_lost(work)
    assert len(tries) == 2


def spec(path: Path, name: str = "", kind: Literal["folder", "cached"] = "folder") -> Spec:
    """Of a folder with one page, whose index is beside it."""
    path.mkdir(exist_ok=True)
    name = name or path.name
    (path / f"{name}.md").write_text(f"# {name}\n\nA page of {name}.\n")
    return Spec(name, kind, path, str(path), path.with_name(f"{name}.db"))


def opened(app: App, path: Path, name: str) -> Collection:
    """A cached collection with one page."""
    collection = shelf(app).open(spec(path, name, "cached"))
    page = SourceDocument((path / f"{name}.md").read_bytes(), UNTRUSTED, 0)
    collection.add([Addition(f"{name}.md", f"{name}.md", lambda: page)], Call())
    return collection


def revision(collection: Collection, name: str) -> str:
    with collection.view(Call(), semantic=False) as view:
        return view.document(name).revision


def test_a_collection_is_opened_once_and_reopened_if_its_file_is_lost(app: App, tmp_path: Path) -> None:
    other = shelf(app).open(spec(tmp_path / "other"))
    assert app.collections.get("other") is other is shelf(app).open(spec(tmp_path / "other"))
    revision(other, "other.md")
    Path(other.store.place()).unlink()
    again = app.collections.get("other")
    assert again is not other and revision(again, "other.md")
    with pytest.raises(IndexLost), other.view(Call(), semantic=False):
        raise AssertionError


def test_a_collection_that_is_not_held_is_refused_with_the_nearest(app: App) -> None:
    with pytest.raises(NotFound, match=r"^No collection 'dogs' here. Nearest: docs.$"):
        app.collections.get("dogs")


def test_a_scope_hides_every_other_collection(app: App, tmp_path: Path) -> None:
    shelf(app).open(spec(tmp_path / "other"))
    scoped = app.collections.within(Scope(frozenset({"other", "unknown"})))
    assert scoped.get("other").spec.name == "other"
    with pytest.raises(NotFound, match=r"^No collection 'docs' here. There are: other.$"):
        scoped.get("docs")
    with pytest.raises(NotFound, match=r"^No collection 'other' here.$"):
        scoped.within(Scope(frozenset({"docs"}))).get("other")


def test_a_second_collection_of_a_name_is_refused(app: App, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Two collections are named docs"):
        shelf(app).open(spec(tmp_path / "other", "docs"))


def test_a_reference_is_found_in_the_collection_that_has_its_revision(app: App, tmp_path: Path) -> None:
    docs, other = app.collection(), shelf(app).open(spec(tmp_path / "other"))
    (tmp_path / "other" / "a.md").write_text("# Another\n\nA page of the same name.\n")
    for collection in (docs, other):
        ref = Ref("a.md", revision(collection, "a.md"), "h1")
        assert app.collections.find(ref, Call()) is collection
    (tmp_path / "other" / "a.md").write_text("# Changed\n")
    assert app.collections.find(ref, Call()) is other
    assert app.collections.find(Ref("other.md", "00000000", "h1"), Call()) is other


def test_a_reference_of_an_unknown_revision_is_found_in_the_collection_that_has_its_words(
    app: App, folder: Path, tmp_path: Path
) -> None:
    other = shelf(app).open(spec(tmp_path / "other"))
    text = "# Another\n\nA page of the same name.\n"
    (tmp_path / "other" / "a.md").write_text(text)
    with other.view(Call(), semantic=False) as view:
        ref = parse(view.reference_to(view.chunks(view.document("a.md"))[0]))
    ref = replace(ref, revision="00000000")
    assert app.collections.find(ref, Call()) is other
    (folder / "a.md").write_text(text)
    with pytest.raises(Ambiguous, match="is in several collections: docs, other"):
        app.collections.find(ref, Call())


def test_a_reference_that_two_collections_have_names_both(app: App, folder: Path, tmp_path: Path) -> None:
    other = shelf(app).open(spec(tmp_path / "other"))
    (folder / "other.md").write_bytes((tmp_path / "other" / "other.md").read_bytes())
    ref = Ref("other.md", revision(other, "other.md"), "h1")
    with pytest.raises(Ambiguous, match="is in several collections: docs, other"):
        app.collections.find(ref, Call())
    only = app.collections.within(Scope(frozenset({"other"})))
    assert only.find(ref, Call()) is other


def test_a_reference_that_no_collection_has_names_the_nearest(app: App, tmp_path: Path) -> None:
    shelf(app).open(spec(tmp_path / "other"))
    with pytest.raises(NotFound, match=r"^No document 'othr.md' here. Nearest: other.md"):
        app.collections.find(Ref("othr.md", "00000000", "h1"), Call())
    with pytest.raises(NotFound, match=r"^No document 'other.md' here.$"):
        app.collections.within(Scope(frozenset())).find(Ref("other.md", "00000000", "h1"), Call())


def test_citations_open_in_the_collection_that_they_cite(app: App, tmp_path: Path) -> None:
    other = shelf(app).open(spec(tmp_path / "other"))
    ref = f"other.md@{revision(other, 'other.md')}#h1"
    answer = app.toolbox.call("open_citation", {"ref": ref}, Call())
    assert answer.model_dump()["content"] == "# other\n\nA page of other.\n"
    restricted = app.toolbox.only(["open_citation"], Scope(frozenset({"docs"})))
    with pytest.raises(NotFound, match=r"^No document 'other.md' here"):
        restricted.call("open_citation", {"ref": ref}, Call())


def test_of_cached_collections_the_least_recently_used_are_closed_while_idle(app: App, tmp_path: Path) -> None:
    used, idle, *_ = (opened(app, tmp_path / "c", f"c{n}") for n in range(2))
    with used.view(Call(), semantic=False) as view:
        for n in range(2, MAX_IDLE_CACHED + 2):
            opened(app, tmp_path / "c", f"c{n}")
        assert view.documents()
        with pytest.raises(IndexLost, match="closed"), idle.view(Call(), semantic=False):
            raise AssertionError
        assert app.collections.get("c0") is used
    again = app.collections.get("c1")
    assert again is not idle and revision(again, "c1.md")
    assert app.collections.get("docs") is app.collection()


def test_a_reference_is_found_among_more_cached_collections_than_stay_open(app: App, tmp_path: Path) -> None:
    only = app.collections.within(Scope(frozenset(f"d{n}" for n in range(MAX_IDLE_CACHED + 2))))
    for n in range(MAX_IDLE_CACHED + 2):
        opened(app, tmp_path / f"d{n}", f"d{n}")
    ref = Ref("d0.md", revision(only.get("d0"), "d0.md"), "h1")
    assert revision(only.find(ref, Call()), "d0.md") == ref.revision


def test_a_cached_collection_is_dropped_unless_it_is_read(app: App, tmp_path: Path) -> None:
    held = shelf(app).open(spec(tmp_path / "c", "c", "cached"))
    with held.view(Call(), semantic=False):
        assert not shelf(app).drop("c")
        assert app.collections.get("c") is held
    assert shelf(app).drop("c")
    assert shelf(app).drop("c")  # nothing is left to do
    with pytest.raises(NotFound, match="No collection 'c' here"):
        app.collections.get("c")


def test_a_collection_that_is_evicted_during_a_call_is_asked_for_again(app: App, tmp_path: Path) -> None:
    shelf(app).open(spec(tmp_path / "c", "c", "cached"))
    assert shelf(app).drop("c") and shelf(app).held("c") is None
    with pytest.raises(IndexLost, match="evicted during the call"):
        shelf(app).collection("c")


def test_a_reference_is_found_though_another_index_is_evicted_meanwhile(app: App, tmp_path: Path) -> None:
    cited = opened(app, tmp_path / "c0", "c0")
    ref = Ref("c0.md", revision(cited, "c0.md"), "h1")

    def opening(made: Spec) -> Collection:
        evicting.drop("c1")
        return app.collections.get(made.name)

    evicting = Shelf(opening, [cited.spec, replace(spec(tmp_path / "c1", "c1", "cached"), document_hash="")])
    assert Collections(evicting).find(ref, Call()) is cited


def test_a_collection_is_not_evicted_while_it_is_in_use(app: App, tmp_path: Path) -> None:
    with shelf(app).using(spec(tmp_path / "c", "c", "cached")):
        assert not shelf(app).drop("c")
    assert shelf(app).drop("c")
