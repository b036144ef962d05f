"""The documents face says what it reads and what its tools do, as resources."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.registry import FORMATS
from pincite.settings import load
from pincite.tools.answers.information import FORMATS_URI, TOOLS_URI
from support.serving import MakeApp


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    settings = load({"PINCITE_CACHE": tmp_path / "cache", "DATA_DIR": tmp_path, "EMBEDDING_PROVIDER": "hash"})
    with closing(App(settings, None, None, ["documents"])) as app:
        yield app


def test_both_are_listed_without_a_time(app: App) -> None:
    shown, following = app.resources.document_page(Call())
    assert [(each.uri, each.last_modified) for each in shown] == [(FORMATS_URI, None), (TOOLS_URI, None)]
    assert following is None
    assert app.resources.revisions(Call(), None).by_uri == {}


def test_the_formats_have_their_extensions_and_what_they_need(app: App) -> None:
    text = app.resources.document_text(Call(), FORMATS_URI)
    assert "| pdf | .pdf |  |" in text
    assert "| email | .eml .emlx .msg .mbox .mht .mhtml |  |" in text
    assert all(extension in text for row in FORMATS for extension in row.extensions)


def test_every_tool_has_its_description_and_arguments(app: App) -> None:
    text = app.resources.document_text(Call(), TOOLS_URI)
    for tool in app.toolbox.tools:
        assert f"## {tool.name}\n\n{tool.description} Arguments: " in text
    assert "Arguments: document_url, query, top_k, max_tokens, cursor." in text


def test_a_server_without_the_face_has_neither(make_app: MakeApp) -> None:
    resources = make_app().resources
    assert resources.document_page(Call()) == ([], None)
    with pytest.raises(InvalidInput, match="Not a resource of this server"):
        resources.document_text(Call(), FORMATS_URI)
