"""Pages: their sizes, pictures and lines."""

from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import NotFound
from pincite.formats.worker.pool import ReaderPool
from pincite.model.call import Call
from pincite.services.viewer.address import Address
from pincite.services.viewer.viewer import Viewer


def address(viewer: Viewer, name: str) -> Address:
    return Address(viewer.names[0], name)


def test_pages_have_the_sizes_of_their_boxes(viewer: Viewer) -> None:
    with viewer.documents.opened(address(viewer, "terms.pdf"), Call()) as shown:
        assert viewer.pages.sizes(shown, Call()) == ((612.0, 792.0), (612.0, 792.0))
        assert viewer.pages.sizes(shown, Call()) is viewer.pages.sizes(shown, Call())


def test_a_text_has_no_pages(viewer: Viewer) -> None:
    with viewer.documents.opened(address(viewer, "guide.md"), Call()) as shown:
        assert viewer.pages.sizes(shown, Call()) == ()
        assert viewer.pages.lines(shown, 1) == ()


def test_the_lines_of_a_page_are_spans_of_the_text(viewer: Viewer) -> None:
    with viewer.documents.opened(address(viewer, "terms.pdf"), Call()) as shown:
        lines = viewer.pages.lines(shown, 1)
        text = shown.text()
        assert [line.text for line in lines] == ["Invoices", "Invoices are paid within thirty days."]
        assert all(line.text in text[line.start : line.end] for line in lines)
        assert lines[0].y1 <= lines[1].y0
        assert [line.text for line in viewer.pages.lines(shown, 2)] == ["A second page about late fees."]
        assert viewer.pages.lines(shown, 3) == ()


def test_a_picture_is_rendered_once(app: App, viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> None:
    with viewer.documents.opened(address(viewer, "terms.pdf"), Call()) as shown:
        page = viewer.pages.picture(shown, 1, "page", Call())
        thumbnail = viewer.pages.picture(shown, 1, "thumbnail", Call())
        assert [int.from_bytes(made[16:20], "big") for made in (page, thumbnail)] == [1400, 320]
        monkeypatch.setattr(ReaderPool, "render", None)
        assert viewer.pages.picture(shown, 1, "page", Call()) is page
    assert app.viewer is viewer


def test_a_file_that_changed_since_is_not_shown_as_what_was_read(own_viewer: Viewer, folder: Path) -> None:
    with own_viewer.documents.opened(address(own_viewer, "terms.pdf"), Call()) as shown:
        (folder / "terms.pdf").write_bytes(b"%PDF-1.7 other")
        with pytest.raises(NotFound, match="changes at present"):
            own_viewer.pages.picture(shown, 1, "page", Call())
        assert own_viewer.pages.sizes(shown, Call()) == ()
