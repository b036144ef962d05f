from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.suspects import suspects
from pincite.formats.pdf.page.words import page_words
from support.pdfs import Filled, Text, pdf, prose


def names(*content: Text | Filled) -> list[str]:
    with open_document(pdf(content)) as file, open_page(file.document, 1) as page:
        return [word.text for word in suspects(page, page_words(page).words)]


def test_nothing_hides_text_upon_a_fill_or_beside_it() -> None:
    assert names(*prose(), Filled(60, 285, 400, 310, "0.9 0.9 0.9"), Text("Total 12", y=300)) == []
    assert names(Text("Total 12", y=300), Filled(60, 385, 400, 410)) == []


def test_text_under_a_later_fill_and_text_in_the_colour_of_paper_are_suspects() -> None:
    assert names(*prose(), Text("Total 12", y=300), Filled(60, 285, 400, 310)) == ["Total", "12"]
    assert names(*prose(), Text("Total 12", y=300, colour="1 1 1")) == ["Total", "12"]
