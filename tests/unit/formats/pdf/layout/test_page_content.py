from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.layout.page_content import PageContent, page_content
from pincite.formats.pdf.page.page import open_page
from support.pdfs import Text, pdf


def content(*texts: Text) -> PageContent:
    with open_document(pdf(texts)) as file, open_page(file.document, 1) as page:
        return page_content(page)


def test_a_page_is_kept_as_its_rows_and_its_words() -> None:
    found = content(Text("left", x=72), Text("right", x=300), Text("below", y=120))
    assert [row.text for row in found.rows] == ["left right", "below"]
    assert [word.text for word in found.words] == ["left", "right", "below"]
    assert (found.number, found.hidden, found.source.problem, found.source.is_recognised) == (1, (), "", False)


def test_words_that_nobody_sees_are_apart() -> None:
    found = content(Text("seen"), Text("hidden words", y=120, colour="1 1 1"))
    assert [word.text for word in found.words] == ["seen"]
    assert found.hidden == ("hidden words",)
