"""What the web page asks: lists, searches, citations."""

from pathlib import Path

import pytest

from pincite.errors import NotFound
from pincite.model.call import Call
from pincite.services.viewer.viewer import EXCERPT_CHARS, SearchFilters, Viewer, marked


def name_of(viewer: Viewer) -> str:
    return viewer.names[0]


def test_every_document_is_listed_with_what_was_not_read(viewer: Viewer) -> None:
    found = viewer.listing(name_of(viewer), "", 0, 100, Call())
    listed = {one.document.name: one for one in found.documents}
    assert {"guide.md", "photo.png", "terms.pdf"} <= set(listed)
    assert listed["terms.pdf"].document.coverage.pages == 2
    assert found.total == found.of == len(found.documents)
    assert found.gaps == sum(bool(one.document.failure or one.shortfall) for one in found.documents) > 0
    assert not found.freshness.stale


def test_a_list_is_filtered_by_letters_of_names_and_titles(viewer: Viewer) -> None:
    by_name = viewer.listing(name_of(viewer), "GUIDE.", 0, 100, Call())
    assert [one.document.name for one in by_name.documents] == ["guide.md"]
    assert (by_name.total, by_name.of > 1) == (1, True)


def test_a_list_is_cut_where_it_is_asked_for(viewer: Viewer) -> None:
    every = viewer.listing(name_of(viewer), "", 0, 100, Call()).documents
    part = viewer.listing(name_of(viewer), "", 1, 1, Call())
    assert [one.document.name for one in part.documents] == [every[1].document.name]
    assert part.total == len(every)


def test_a_collection_that_is_not_there_is_told(viewer: Viewer) -> None:
    with pytest.raises(NotFound, match="No collection"):
        viewer.listing("elsewhere", "", 0, 1, Call())


def test_a_search_finds_passages_with_their_boxes_and_matching_words(viewer: Viewer) -> None:
    found = viewer.search("invoices paid", SearchFilters(), 5, Call())
    best = found.passages[0]
    assert (best.place.document, best.place.pages[0]) == ("terms.pdf", 1)
    assert best.place.boxes and best.place.boxes[0].page == 1
    assert {text.lower() for text, matches in best.excerpt if matches} >= {"invoices", "paid"}
    assert "".join(text for text, _ in best.excerpt).startswith("Invoices")


def test_a_search_is_restricted_to_a_document(viewer: Viewer) -> None:
    filters = SearchFilters(collection=name_of(viewer), document="guide.md")
    found = viewer.search("invoices paid password", filters, 5, Call())
    assert {one.place.document for one in found.passages} == {"guide.md"}
    assert not viewer.search("password", SearchFilters(kind="requirement"), 5, Call()).passages


def test_a_citation_is_opened_at_its_place(viewer: Viewer) -> None:
    best = viewer.search("invoices paid", SearchFilters(), 1, Call()).passages[0].place
    opened = viewer.locate(best.ref, Call())
    assert (opened.place.document, opened.current, opened.given) == ("terms.pdf", True, best.ref)
    assert "paid within thirty days" in opened.text
    assert opened.place.end - opened.place.start == len(opened.text)
    narrow = viewer.locate(f"{best.ref}:0-3", Call())
    assert (narrow.text, len(narrow.place.boxes)) == (opened.text[:3], 1)


def test_a_citation_of_an_unknown_document_names_the_nearest(viewer: Viewer) -> None:
    with pytest.raises(NotFound, match=r"No document 'guid\.md' here"):
        viewer.locate("guid.md@00000000#h1-c1", Call())


def test_a_changed_document_is_shown_as_it_is_now(viewer: Viewer, folder: Path) -> None:
    before = viewer.search("password", SearchFilters(), 1, Call()).passages[0].place
    (folder / "guide.md").write_text("# Guide\n\nNothing is left.\n", encoding="utf-8")
    with pytest.raises(NotFound, match="changed"):
        viewer.locate(before.ref, Call())


class TestMarked:
    def test_markup_is_left_out(self) -> None:
        assert marked("## Length\n\n| a | **b** |", "length") == [("Length", True), (" a b", False)]

    def test_a_long_passage_is_cut_around_its_first_match(self) -> None:
        pieces = marked("one " * 300 + "needle " + "two " * 300, "needle")
        text = "".join(piece for piece, _ in pieces)
        assert text.startswith("…one") and text.endswith("two…") and len(text) <= EXCERPT_CHARS + 4
        assert [piece for piece, matches in pieces if matches] == ["needle"]

    def test_without_a_match_it_is_the_beginning(self) -> None:
        assert marked("first " * 200, "other")[0] == (("first " * 70).strip(), False)
