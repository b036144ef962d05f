from pincite.model.document import AsideKind
from support.pdf_read import document
from support.pdfs import Text, pdf, prose


def test_a_long_document_is_read_page_by_page() -> None:
    pages = [
        [*prose(), Text(f"Part {n}", y=130, font="B"), *prose(y=160), Text(str(n), x=300, y=770)] for n in range(70)
    ]
    found = document(pdf(*pages))
    assert [section.path[-1] for section in found.sections if section.path] == [f"Part {n}" for n in range(70)]
    assert sum(aside.kind is AsideKind.FOOTER for aside in found.asides) == 70
