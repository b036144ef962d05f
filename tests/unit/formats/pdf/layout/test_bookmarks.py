from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.layout.bookmarks import bookmarks, depths_by_page, outlined_title
from support.pdfs import pdf, prose


def test_the_outline_is_read_once_even_where_it_goes_in_circles() -> None:
    whole = pdf(prose(), prose(), outline=[("Part one", 1), ("Part two", 2)])
    with open_document(whole) as file:
        assert depths_by_page(bookmarks(file.document)) == {1: {"partone": 1}, 2: {"parttwo": 1}}
    with open_document(whole.replace(b"/Title(Part two)", b"/First 11 0 R/X(1)")) as file:
        assert [entry.title for entry in bookmarks(file.document)] == ["Part one"]


def test_an_outline_names_a_title_with_and_without_its_number() -> None:
    outline = {"scope": 2, "21terms": 2}
    assert [outlined_title(text, outline) for text in ("1.1 Scope", "2.1 Terms", "Scope", "1.2 Other")] == [
        "scope",
        "21terms",
        "scope",
        None,
    ]
