"""Addresses that a page links to, with the words that the link is drawn over."""

from pincite.model.document import Aside, AsideKind
from support.pdf_read import document
from support.pdfs import Leaf, Text, pdf


def link(address: str, x0: int = 95, x1: int = 132) -> str:
    return f"<</Type/Annot/Subtype/Link/Rect[{x0} 688 {x1} 704]/A<</S/URI/URI({address})>>>>"


def test_a_link_gives_its_address_and_its_words() -> None:
    page = Leaf([Text("Visit our portal for documents today.", y=100)], f"/Annots[{link('https://example.org/x')}]")
    (aside,) = document(pdf(page)).asides
    assert aside == Aside(AsideKind.LINK, "https://example.org/x", 1, "our portal")


def test_links_that_lead_nowhere_on_the_web_are_none() -> None:
    others = [link(""), link("javascript:alert(1)"), link("file:///etc/passwd"), link(f"https://e.org/{'x' * 5000}")]
    assert not document(pdf(Leaf([Text("Visit our portal.", y=100)], f"/Annots[{' '.join(others)} 7 null]"))).asides
