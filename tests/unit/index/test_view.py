"""A view: what every tool reads, and reads alone."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import InternalError, NotFound, TimeoutExceeded
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.locator import Ref
from support.overlapping import stored
from support.serving import MakeApp, index_of

PAGE = "# Keys\n\nHow keys work.\n\n## Rotation\n\nRotate each week.\n"


@pytest.fixture
def app(folder: Path, make_app: MakeApp) -> App:
    (folder / "keys.md").write_text(PAGE)
    (folder / "twice.md").write_text("# Twice\n\none\n\n# Other\n\ntwo\n\n# Twice\n\nthree\n")
    (folder / "untitled.md").write_text("no heading\n")
    (folder / "titled.md").write_text("---\ntitle: The real title\n---\n# A heading\n")
    (folder / "bad.md").write_bytes(b"\x00" * 5000)
    (folder / ".gitignore").write_text("secret.md\n")
    (folder / "secret.md").write_text("# Secret\n")
    return make_app(PINCITE_FRESH_BUDGET="inf")


@pytest.fixture
def view(app: App) -> Iterator[View]:
    with app.collection().view(Call(), semantic=True) as view:
        yield view


def problem(view: View, name: str, unknown: str = "") -> str:
    with pytest.raises((NotFound, TimeoutExceeded)) as caught:
        view.document(name, unknown)
    return caught.value.message


def test_a_document_is_read_by_its_name(view: View) -> None:
    document = view.document("keys.md")
    assert view.text(document) == PAGE
    assert view.text(document, 2, 6) == "Keys"
    assert [stored.chunk.locator for stored in view.chunks(document)] == ["h1-c1", "h2-c1"]
    assert (
        view.chunks(document, 1) == view.chunks(document)[1:]
        and view.chunks(document, 0, 0) == view.chunks(document)[:1]
    )
    assert view.source_texts(document) == []
    assert view.document_of(view.chunks(document)[0]) == document


def test_sections_of_one_breadcrumb_are_read_together(view: View) -> None:
    document = view.document("twice.md")
    assert [stored.chunk.locator for stored in view.section(document, "Twice")] == ["h1-c1", "h3-c1"]
    assert view.section(document, "Nowhere") == []


def test_a_title_has_one_definition(view: View) -> None:
    titles = {document.name: document.label for document in view.documents()}
    assert titles == {
        "keys.md": "Keys",
        "titled.md": "A heading",
        "twice.md": "Twice",
        "untitled.md": "untitled.md",
    }


def test_what_could_not_be_read_is_told_apart_from_what_can(view: View) -> None:
    assert [document.name for document in view.documents()] == ["keys.md", "titled.md", "twice.md", "untitled.md"]
    assert [document.name for document in view.failures()] == ["bad.md"]
    assert problem(view, "bad.md").startswith("bad.md could not be read: ")


def test_a_name_that_does_not_exist_says_the_nearest_or_why_it_is_left_out(view: View) -> None:
    assert problem(view, "kees.md").startswith("No document 'kees.md' here. Nearest: keys.md")
    assert problem(view, "kees.md", "No such page.").startswith("No such page. Nearest: keys.md")
    assert problem(view, "qxz") == "No document 'qxz' here. There are: keys.md, titled.md, twice.md, untitled.md."
    assert problem(view, "secret.md") == (
        "No document 'secret.md' here. It is left out: a .gitignore or .pinciteignore names it."
    )


@pytest.mark.usefixtures("no_background")
def test_a_document_that_waits_is_neither_listed_nor_read(app: App, folder: Path, make_app: MakeApp) -> None:
    with app.collection().view(Call(), semantic=False):
        pass
    (folder / "keys.md").write_text("# Changed\n")
    with make_app(PINCITE_FRESH_BUDGET=0).collection().view(Call(), semantic=False) as view:
        assert "keys.md" not in [document.name for document in view.documents()]
        assert problem(view, "keys.md") == (
            "keys.md has just changed and has not been read again yet. Ask again in a moment."
        )


@pytest.mark.usefixtures("no_background")
def test_a_document_that_was_never_read_is_not_said_to_have_changed(folder: Path, make_app: MakeApp) -> None:
    (folder / "new.md").write_text("# New\n")
    with make_app(PINCITE_FRESH_BUDGET=0).collection().view(Call(), semantic=False) as view:
        assert problem(view, "new.md") == "new.md has not been read yet. Ask again in a moment."


def test_a_reference_resolves_in_its_view(view: View) -> None:
    document = view.document("keys.md")
    cited = view.resolve(Ref("keys.md", document.revision, "h2", (13, 19)))
    assert view.text(cited.document, *cited.span) == "Rotate"
    assert view.has(cited.ref)
    assert view.surroundings(cited, 0) == (24, 55) and view.surroundings(cited, 1) == (0, len(PAGE))
    assert replace(view.reference(document, cited.span), mark="") == replace(cited.ref, locator="h2-c1")
    assert not view.has(Ref("keys.md", "00000000", "h2")) and not view.has(Ref("no.md", document.revision, "h2"))


def test_a_search_says_why_it_went_by_words_alone(view: View, make_app: MakeApp, tmp_path: Path) -> None:
    assert view.search(Call(), "rotate", 1).keyword_reason == ""
    without = make_app(EMBEDDING_PROVIDER="local", PINCITE_FETCH_MODEL=False, PINCITE_CACHE=tmp_path / "empty")
    with without.collection().view(Call(), semantic=True) as other:
        found = other.search(Call(), "rotate", 1)
        assert (found.search_type, found.keyword_reason) == ("keyword", without.collection().embedder.failure)
        assert found.keyword_reason


def test_its_status_names_the_index_and_the_model(app: App, view: View) -> None:
    status = view.status(Call())
    assert Path(status.place) == index_of(app).resolve() and status.size_bytes > 0
    assert (status.embedding.provider, status.embedding.state) == ("hash", "ready")
    assert (status.statistics.documents, status.skipped["ignored"], status.indexing) == (4, 1, None)


def test_a_chunk_of_another_index_is_a_bug(view: View) -> None:
    with pytest.raises(InternalError):
        view.document_of(replace(stored()[0], document="elsewhere.md"))
