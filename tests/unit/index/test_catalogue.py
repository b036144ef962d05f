"""Ids by name, read once."""

from pathlib import Path

from pincite.app import App
from pincite.index.catalogue import Catalogue
from pincite.model.call import Call
from support.serving import MakeApp


def ids(app: App, catalogue: Catalogue) -> dict[str, int]:
    with app.collection().view(Call(), semantic=False) as view:
        return dict(catalogue.ids(view.snapshot))


def test_new_documents_are_added_and_ids_stay(folder: Path, make_app: MakeApp) -> None:
    (folder / "a.md").write_text("# A\n")
    app, catalogue = make_app(), Catalogue()
    first = ids(app, catalogue)
    assert first.keys() == {"a.md"}
    (folder / "b.md").write_text("# B\n")
    assert ids(app, catalogue) == {**first, "b.md": ids(app, catalogue)["b.md"]}


def test_names_of_deleted_documents_are_forgotten_once_they_are_most(folder: Path, make_app: MakeApp) -> None:
    for n in range(6):
        (folder / f"{n}.md").write_text(f"# {n}\n")
    app, catalogue = make_app(), Catalogue()
    assert len(ids(app, catalogue)) == 6
    for n in range(5):
        (folder / f"{n}.md").unlink()
    assert len(ids(app, catalogue)) == 6
    (folder / "new.md").write_text("# New\n")
    assert ids(app, catalogue).keys() == {"5.md", "new.md"}
