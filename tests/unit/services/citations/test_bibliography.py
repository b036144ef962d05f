"""Documents as CSL-JSON and BibTeX."""

from collections.abc import Mapping
from dataclasses import replace

from pincite.model.document import Coverage
from pincite.model.store import StoredDocument
from pincite.services.citations.bibliography import bibtex, csl_item


def document(name: str, title: str, properties: Mapping[str, str] | None = None) -> StoredDocument:
    key = f"/standards/./{name}.pdf"
    return StoredDocument(1, name, key, title, None, 0, "0" * 8, "ab" * 32, 1, 1, Coverage(), "", properties or {})


def test_a_document_is_an_item_with_what_it_says_of_itself() -> None:
    item = csl_item(
        document("nist-800-63b", "Digital Identity", {"document_type": "standard", "Author": "NIST", "date": "2017-06"})
    )
    assert item == {
        "id": "nist-800-63b",
        "type": "standard",
        "title": "Digital Identity",
        "note": f"nist-800-63b.pdf, SHA-256 {'ab' * 32}",
        "author": [{"literal": "NIST"}],
        "issued": {"raw": "2017-06"},
    }
    assert csl_item(document("a", "A"))["type"] == "document"


def test_a_document_from_a_url_is_found_there() -> None:
    item = csl_item(replace(document("b", "B"), source_key="/library/https%3A%2F%2Fexample.org%2Fa_b/./b.pdf"))
    assert item["URL"] == "https://example.org/a_b" and "  url = {https://example.org/a\\_b},\n" in bibtex([item])


def test_bibtex_has_an_entry_with_a_key_of_its_own_for_each_document() -> None:
    properties = {"document_type": "report", "author": "Müller & Söhne", "date": "May 2024"}
    text = bibtex(map(csl_item, [document("Prüf bericht", "50 % {of} A_B", properties), document("pruf.bericht", "B")]))
    assert text == (
        "@techreport{Pruf-bericht,\n"
        "  title = {{50 \\% \\{of\\} A\\_B}},\n"
        "  author = {{Müller \\& Söhne}},\n"
        "  year = {2024},\n"
        f"  note = {{Prüf bericht.pdf, SHA-256 {'ab' * 32}}},\n"
        "}\n"
        "\n"
        "@misc{pruf.bericht,\n"
        "  title = {{B}},\n"
        f"  note = {{pruf.bericht.pdf, SHA-256 {'ab' * 32}}},\n"
        "}\n"
    )
    keys = [
        line
        for line in bibtex([csl_item(document(name, "A")) for name in ("ä", "a", "文")]).splitlines()
        if "@" in line
    ]
    assert keys == ["@misc{a,", "@misc{a-2,", "@misc{document,"]
