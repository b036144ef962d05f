"""A folder and the application that serves it, in process, without a model."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.app import App
from pincite.index.updating.refresher import Refresher
from pincite.settings import load
from support.serving import MakeApp


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    root.mkdir()
    return root


@pytest.fixture
def make_app(folder: Path, tmp_path: Path) -> Iterator[MakeApp]:
    """Apps over one folder and one index file; closed at the end."""
    apps: list[App] = []

    def make(**settings: object) -> App:
        # An answer is complete however busy the machine is; a test of what is left out sets its own budget.
        complete = {"PINCITE_FRESH_BUDGET": "60", "PINCITE_MODEL_GRACE": "inf"}
        defaults = {"PINCITE_CACHE": tmp_path / "cache", "EMBEDDING_PROVIDER": "hash", **complete}
        apps.append(App(load({**defaults, **settings}), folder))
        return apps[-1]

    yield make
    for app in apps:
        app.close()


@pytest.fixture
def no_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is brought in is brought in by calls alone."""

    def start(_: Refresher) -> None:
        return

    monkeypatch.setattr(Refresher, "start", start)
