"""Documents as resources, of several collections on one list."""

from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.index.collection import Spec
from pincite.model.call import Call
from pincite.services import resources
from pincite.services.resources import Resources
from support.serving import MakeApp, shelf


@pytest.fixture
def two(folder: Path, tmp_path: Path, make_app: MakeApp) -> tuple[App, Resources]:
    """A folder and another one, with three documents each."""
    other = tmp_path / "more docs"
    other.mkdir()
    for place in (folder, other):
        for name in "abc":
            (place / f"{name}.md").write_text(f"# {name} of {place.name}\n")
    app = make_app()
    shelf(app).open(Spec("more docs", "folder", other, str(other), tmp_path / "more.db"))
    return app, Resources(["docs", "more docs"], app.collections.get)


def test_pages_go_on_from_one_collection_to_the_next(
    two: tuple[App, Resources], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "PAGE_SIZE", 2)
    pages: list[list[str]] = []
    after: str | None = ""
    while after is not None:
        shown, after = two[1].document_page(Call(), after)
        pages.append([resource.uri.removeprefix("pincite://") for resource in shown])
    assert pages == [
        ["docs/a.md", "docs/b.md"],
        ["docs/c.md", "more%20docs/a.md"],
        ["more%20docs/b.md", "more%20docs/c.md"],
    ]


def test_each_collection_has_its_template_and_its_texts(two: tuple[App, Resources]) -> None:
    assert two[1].templates == ["pincite://docs/{path}", "pincite://more%20docs/{path}"]
    assert two[1].document_text(Call(), "pincite://more%20docs/b.md") == "# b of more docs\n"
    with pytest.raises(InvalidInput, match="They begin with pincite://docs/ or pincite://more%20docs/"):
        two[1].document_page(Call(), "pincite://elsewhere/a.md")


def test_a_change_in_any_collection_changes_the_revisions(two: tuple[App, Resources], tmp_path: Path) -> None:
    first = two[1].revisions(Call(), None)
    assert len(first.by_uri) == 6
    known = resources.Revisions(first.generations, first.by_uri)
    assert two[1].revisions(Call(), known) is known
    (tmp_path / "more docs" / "b.md").write_text("# Another\n")
    changed = two[1].revisions(Call(), known).by_uri
    assert {uri for uri in changed if changed[uri] != first.by_uri[uri]} == {"pincite://more%20docs/b.md"}
