# pyright: reportPrivateUsage=false
# A unit test may look inside.

"""Fixtures of these tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.sources.folder import FolderSource
from support.folders import Make


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path.resolve() / "root"
    made.mkdir()
    return made


@pytest.fixture
def make(root: Path) -> Iterator[Make]:
    """Makes sources over `root` and closes them."""
    made: list[FolderSource] = []

    def build(**options: object) -> FolderSource:
        given: dict[str, object] = {
            "root": root,
            "extensions": {".md": True, ".pdf": False},
            "max_text_bytes": 100,
            "max_other_bytes": 1000,
            "max_files": 100,
        }
        source = FolderSource(**{**given, **options})  # type: ignore[arg-type]
        made.append(source)
        return source

    yield build
    for source in made:
        source.close()
