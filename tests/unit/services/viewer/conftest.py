"""A viewer over one folder with a page of print, a picture and a text."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.app import App
from pincite.index.updating.refresher import Refresher
from pincite.services.viewer.viewer import Viewer
from pincite.settings import load
from support.pdfs import Text, pdf
from support.pictures import picture
from support.serving import MakeApp

TEXT = "# Guide\n\nKeys are renewed each year.\n\n## Length\n\nA password has at least *twelve* characters.\n"


def no_start(_: Refresher) -> None:
    """Leave indexing to calls alone."""


def fill(folder: Path) -> None:
    page = [Text("Invoices", 72, 72, 20, "F"), Text("Invoices are paid within thirty days.", 72, 120, 10, "F")]
    (folder / "terms.pdf").write_bytes(pdf(page, [Text("A second page about late fees.", 72, 72, 10, "F")]))
    (folder / "photo.png").write_bytes(picture(size=(60, 40)))
    (folder / "guide.md").write_text(TEXT, encoding="utf-8")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """An application that the tests of a module only read from: each would start a process that reads the PDF."""
    root = tmp_path_factory.mktemp("viewer")
    (root / "docs").mkdir()
    fill(root / "docs")
    settings = {"PINCITE_CACHE": root / "cache", "EMBEDDING_PROVIDER": "hash", "PINCITE_FRESH_BUDGET": "60"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Refresher, "start", no_start)
        app = App(load({**settings, "PINCITE_MODEL_GRACE": "inf"}), root / "docs")
        yield app
        app.close()


@pytest.fixture(scope="module")
def viewer(app: App) -> Viewer:
    return app.viewer


@pytest.fixture
def own_viewer(folder: Path, make_app: MakeApp, no_background: None) -> Viewer:
    """A viewer for a test that changes the folder, which is `folder`."""
    del no_background
    fill(folder)
    return make_app(PINCITE_FRESH_BUDGET="60").viewer
