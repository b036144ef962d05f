"""Asking an application in process."""

from collections.abc import Callable
from pathlib import Path

from pincite.app import App
from pincite.index.collections import Shelf
from pincite.model.call import Call
from pincite.tools.answers.docs import SearchAnswer

MakeApp = Callable[..., App]


def shelf(app: App) -> Shelf:
    """What an application holds."""
    return app._shelf  # pyright: ignore[reportPrivateUsage]


def index_of(app: App) -> Path:
    """The index file of the served folder."""
    assert app.folder is not None
    return app.folder.location


def ask(app: App, query: str, **arguments: object) -> SearchAnswer:
    """One search through the toolbox."""
    answer = app.toolbox.call("search_docs", {"query": query, **arguments}, Call())
    assert isinstance(answer, SearchAnswer)
    return answer


def files(answer: SearchAnswer) -> list[str]:
    """The files of the hits, in order."""
    return [hit.metadata.file_path for hit in answer.results]
