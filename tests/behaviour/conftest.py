"""The faces that every behaviour is asserted on."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from behaviour import corpus, faces
from behaviour.faces import Face

Serve = Callable[..., Face]


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus; nothing changes it."""
    return faces.write(tmp_path_factory.mktemp("corpus"), {**corpus.PAGES, **corpus.LEFT_OUT, **corpus.UNREADABLE})


@pytest.fixture(scope="session", params=faces.PARAMETERS)
def docs(
    request: pytest.FixtureRequest, corpus_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Face]:
    """The corpus, served and completely indexed."""
    face = faces.serve(request.param, corpus_folder, tmp_path_factory.mktemp("cache"))
    faces.settled(face)
    yield face
    face.close()


@pytest.fixture(scope="session", params=faces.PARAMETERS)
def empty(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Face]:
    """A folder without pages, served."""
    face = faces.serve(request.param, tmp_path_factory.mktemp("empty"), tmp_path_factory.mktemp("cache"))
    yield face
    face.close()


@pytest.fixture(scope="module")
def serve_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Serves folders that no test changes, with a cache for each, until the tests of the module end."""
    started: list[Face] = []

    def start(name: str, folder: faces.Folders, **settings: str) -> Face:
        started.append(faces.serve(name, folder, tmp_path_factory.mktemp("cache"), **settings))
        return started[-1]

    yield start
    for face in started:
        face.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serves any folder with the index in this test's cache."""
    started: list[Face] = []

    def start(name: str, folder: faces.Folders, **settings: str) -> Face:
        started.append(faces.serve(name, folder, tmp_path / "cache", **settings))
        return started[-1]

    yield start
    for face in started:
        face.close()
