import pytest

from pincite.formats.pdf.attachments import MAX_XML_BYTES
from pincite.model.document import Document
from support.invoices import cii, line, with_attachment, zugferd_1
from support.pdf_read import document as read_pdf


def attached(document: Document) -> list[str]:
    return [
        block.table.attachment
        for section in document.sections
        for block in section.blocks
        if block.table is not None and block.table.attachment
    ]


def test_an_attached_invoice_is_a_section_of_its_own_after_the_pages() -> None:
    document = read_pdf(with_attachment(cii(lines=line(1, "Panel | 60", "2", "100.00")), "Rechnung R-17"))
    assert document.sections[-1].path == ("Attached data: factur-x.xml",)
    assert document.text.index("Rechnung R-17") < document.sections[-1].start
    text = document.text[document.sections[-1].start :]
    assert "| Invoice number | R-17 |" in text
    assert "| Invoice date | 2024-05-14 |" in text
    assert "| Seller VAT number | DE123456789 |" in text
    assert "| Total with VAT | 119.00 |" in text
    assert "Panel \\| 60 | 2 |  | 100.00 |" in text
    assert attached(document) == ["factur-x.xml", "factur-x.xml"]
    assert document.title is None
    assert document.coverage.pages == document.coverage.read == 1
    assert document.coverage.complete


def test_an_invoice_of_the_first_zugferd_has_the_same_fields() -> None:
    lines = line(1, "Panel", "2", "100.00")
    first = read_pdf(with_attachment(zugferd_1(cii(lines=lines)), "Rechnung R-17", name="ZUGFeRD-invoice.xml"))
    second = read_pdf(with_attachment(cii(lines=lines), "Rechnung R-17", name="ZUGFeRD-invoice.xml"))
    assert "| Seller VAT number | DE123456789 |" in first.text
    assert first.text == second.text
    assert attached(first) == ["ZUGFeRD-invoice.xml", "ZUGFeRD-invoice.xml"]


def test_what_has_two_values_is_left_out() -> None:
    second = "<ram:TaxBasisTotalAmount>90.00</ram:TaxBasisTotalAmount><ram:GrandTotalAmount>"
    document = read_pdf(with_attachment(cii().replace("<ram:GrandTotalAmount>", second), "Rechnung"))
    assert "Total without VAT" not in document.text
    assert "Total with VAT" in document.text


def test_of_a_tax_in_two_currencies_the_one_in_the_invoices_own_is_the_total() -> None:
    sums = (
        '<ram:TaxTotalAmount currencyID="GBP">16.50</ram:TaxTotalAmount>'
        '<ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount><ram:GrandTotalAmount>'
    )
    document = read_pdf(with_attachment(cii().replace("<ram:GrandTotalAmount>", sums), "Rechnung"))
    assert "| VAT total | 19.00 |" in document.text
    assert "16.50" not in document.text


@pytest.mark.parametrize(
    ("xml", "name"),
    [
        ("<note>Buy milk</note>", "note.xml"),
        ("not XML", "factur-x.xml"),
        ("<rsm:CrossIndustryInvoice", "factur-x.xml"),
        ('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>', "factur-x.xml"),
        (cii(), "factur-x.txt"),
        (cii(seller="x" * (MAX_XML_BYTES + 1)), "factur-x.xml"),
    ],
    ids=["another kind", "text", "cut", "entity", "another name", "too large"],
)
def test_other_attachments_are_left_alone(xml: str, name: str) -> None:
    document = read_pdf(with_attachment(xml, "Rechnung R-17", name=name))
    assert document.text.strip() == "Rechnung R-17"
    assert attached(document) == []


def test_entities_in_an_invoice_are_not_resolved() -> None:
    entity = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname"><!ENTITY c "Bolt">]>'
    document = read_pdf(with_attachment(entity + cii(seller="&b;&c;"), "Rechnung R-17"))
    assert "Seller name" not in document.text
