"""A viewer over one folder with a page of print, a picture and a text."""

from pathlib import Path

import pytest

from pincite.app import App
from pincite.services.viewer.viewer import Viewer
from support.pdfs import Text, pdf
from support.pictures import picture
from support.serving import MakeApp

TEXT = "# Guide\n\nKeys are renewed each year.\n\n## Length\n\nA password has at least *twelve* characters.\n"


@pytest.fixture
def app(folder: Path, make_app: MakeApp, no_background: None) -> App:
    del no_background
    page = [Text("Invoices", 72, 72, 20, "F"), Text("Invoices are paid within thirty days.", 72, 120, 10, "F")]
    (folder / "terms.pdf").write_bytes(pdf(page, [Text("A second page about late fees.", 72, 72, 10, "F")]))
    (folder / "photo.png").write_bytes(picture(size=(60, 40)))
    (folder / "guide.md").write_text(TEXT, encoding="utf-8")
    return make_app(PINCITE_FRESH_BUDGET="60")


@pytest.fixture
def viewer(app: App) -> Viewer:
    return app.viewer
