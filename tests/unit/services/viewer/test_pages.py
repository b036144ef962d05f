"""Pages: their sizes, pictures and lines."""

from pathlib import Path

import pytest

from pincite.app import App
from pincite.errors import NotFound
from pincite.formats.worker.pool import ReaderPool
from pincite.model.call import Call
from pincite.services.viewer.address import Address
from pincite.services.viewer.pages import Pages
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
        page = viewer.pages.picture(shown, 1, Call())
        assert int.from_bytes(page[16:20], "big") == 1400
        monkeypatch.setattr(ReaderPool, "render", None)
        assert viewer.pages.picture(shown, 1, Call()) is page
    assert app.viewer is viewer


def test_pictures_are_kept_up_to_their_size(app: App, viewer: Viewer) -> None:
    with viewer.documents.opened(address(viewer, "terms.pdf"), Call()) as shown:
        first = viewer.pages.picture(shown, 1, Call())
        pages = Pages(lambda: app.reading, picture_bytes=len(first))
        for number in (1, 2):
            assert pages.picture(shown, number, Call()) is pages.picture(shown, number, Call())
        assert pages.picture(shown, 1, Call()) == first
        assert [len(kept) <= len(first) for kept in pages._pictures.values()] == [True]  # pyright: ignore[reportPrivateUsage]


def test_a_file_that_changed_since_is_not_shown_as_what_was_read(own_viewer: Viewer, folder: Path) -> None:
    with own_viewer.documents.opened(address(own_viewer, "terms.pdf"), Call()) as shown:
        (folder / "terms.pdf").write_bytes(b"%PDF-1.7 other")
        with pytest.raises(NotFound, match="changes at present"):
            own_viewer.pages.picture(shown, 1, Call())
        assert own_viewer.pages.sizes(shown, Call()) == ()


def test_the_outline_has_every_heading_with_its_place(viewer: Viewer) -> None:
    with viewer.documents.opened(address(viewer, "guide.md"), Call()) as shown:
        spots = viewer.pages.outline(shown)
        assert [(spot.label, spot.level) for spot in spots] == [("Guide", 0), ("Length", 1)]
        assert [shown.text()[spot.start :].split("\n")[0] for spot in spots] == ["# Guide", "## Length"]
    with viewer.documents.opened(address(viewer, "terms.pdf"), Call()) as shown:
        assert [(spot.label, spot.boxes[0].page) for spot in viewer.pages.outline(shown)] == [("Invoices", 1)]


def test_words_are_found_in_a_document_whatever_their_case(viewer: Viewer) -> None:
    with viewer.documents.opened(address(viewer, "terms.pdf"), Call()) as shown:
        [spot] = viewer.pages.find(shown, "SECOND  page")
        assert (spot.label, [box.page for box in spot.boxes]) == ("second page", [2])
        assert shown.text()[spot.start : spot.end] == "second page"
        line = viewer.pages.lines(shown, 2)[0]
        assert line.x0 < spot.boxes[0].x0 < spot.boxes[0].x1 < (line.x0 + line.x1) / 2, "the words, not the line"
        assert viewer.pages.find(shown, "nowhere (here") == []
