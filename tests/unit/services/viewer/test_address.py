"""Documents by their address."""

import pytest

from pincite.app import App
from pincite.errors import NotFound
from pincite.model.call import Call
from pincite.services.viewer.address import Address, format_of
from pincite.services.viewer.viewer import Viewer


def test_a_document_of_a_collection_is_opened(viewer: Viewer) -> None:
    with viewer.documents.opened(Address(viewer.names[0], "guide.md"), Call()) as shown:
        assert (shown.name, shown.label, shown.shortfall) == ("guide.md", "Guide", None)
        assert shown.format is not None and shown.format.name == "markdown"
        assert shown.text().startswith("# Guide") and shown.blob().data.startswith(b"# Guide")
        assert list(shown.placed()) == []


@pytest.mark.parametrize("name", ["../secret.md", "/etc/passwd", "photo", ""])
def test_no_other_file_can_be_reached(viewer: Viewer, name: str) -> None:
    with pytest.raises(NotFound, match="No document"), viewer.documents.opened(Address(viewer.names[0], name), Call()):
        pass


def test_where_no_tasks_are_served_there_is_no_document_of_one(viewer: Viewer, app: App) -> None:
    assert app.tasks is None
    with pytest.raises(NotFound, match="No tasks are served"), viewer.documents.opened(Address(task="0"), Call()):
        pass


def test_the_format_is_that_of_the_extension() -> None:
    row = format_of("a/b.PDF")
    assert row is not None and row.name == "pdf"
    assert format_of("README") is None
