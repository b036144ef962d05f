"""Read the data of an invoice that a PDF has attached as XML: Factur-X, ZUGFeRD and XRechnung (UN/CEFACT CII)."""

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pypdfium2.raw as pdfium
from lxml import etree

from pincite.formats.ooxml.package import Element
from pincite.formats.pdf.page.pdfium import Handle, read_utf16
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Cell, Table

HEADING = "Attached data"
"""What the heading of an attachment begins with; its file name follows."""
MAX_ATTACHMENTS = 100
MAX_XML_BYTES = 5_000_000
"""Maximum size of an attached invoice: one of 5,000 lines has 5 MB."""
MAX_ROWS = 5_000
"""Lines of an invoice that are read; bounds the time for crafted files."""
_MAX_NAME_BYTES = 2_000
"""Length of a file name in UTF-16 that is read; file systems have 255 characters."""
_ROOT = "CrossIndustryInvoice"
_FIRST_ROOT = "CrossIndustryDocument"
_FIRST_NAMES = {
    "ExchangedDocument": "HeaderExchangedDocument",
    "SupplyChainTradeTransaction": "SpecifiedSupplyChainTradeTransaction",
    "ApplicableHeaderTradeAgreement": "ApplicableSupplyChainTradeAgreement",
    "ApplicableHeaderTradeDelivery": "ApplicableSupplyChainTradeDelivery",
    "ApplicableHeaderTradeSettlement": "ApplicableSupplyChainTradeSettlement",
    "SpecifiedTradeSettlementHeaderMonetarySummation": "SpecifiedTradeSettlementMonetarySummation",
    "SpecifiedTradeSettlementLineMonetarySummation": "SpecifiedTradeSettlementMonetarySummation",
    "SpecifiedLineTradeDelivery": "SpecifiedSupplyChainTradeDelivery",
    "SpecifiedLineTradeAgreement": "SpecifiedSupplyChainTradeAgreement",
    "SpecifiedLineTradeSettlement": "SpecifiedSupplyChainTradeSettlement",
    "BuyerOrderReferencedDocument/IssuerAssignedID": "BuyerOrderReferencedDocument/ID",
}
"""What the elements of ZUGFeRD 1 are called, by the names of its successors."""
_TRADE = "SupplyChainTradeTransaction"
_AGREEMENT = f"{_TRADE}/ApplicableHeaderTradeAgreement"
_DELIVERY = f"{_TRADE}/ApplicableHeaderTradeDelivery"
_SETTLEMENT = f"{_TRADE}/ApplicableHeaderTradeSettlement"
_SUMS = f"{_SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation"
_VAT, _TAX_NUMBER = "[@schemeID='VA']", "[@schemeID='FC']"
_CURRENCY, _TAX_TOTAL = f"{_SETTLEMENT}/InvoiceCurrencyCode", f"{_SUMS}/TaxTotalAmount"
_FIELDS = (
    ("Invoice number", "ExchangedDocument/ID"),
    ("Invoice date", "ExchangedDocument/IssueDateTime/DateTimeString"),
    ("Due date", f"{_SETTLEMENT}/SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString"),
    ("Delivery date", f"{_DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString"),
    ("Currency code", _CURRENCY),
    ("Seller name", f"{_AGREEMENT}/SellerTradeParty/Name"),
    ("Seller VAT number", f"{_AGREEMENT}/SellerTradeParty/SpecifiedTaxRegistration/ID{_VAT}"),
    ("Seller tax number", f"{_AGREEMENT}/SellerTradeParty/SpecifiedTaxRegistration/ID{_TAX_NUMBER}"),
    ("Buyer name", f"{_AGREEMENT}/BuyerTradeParty/Name"),
    ("Buyer VAT number", f"{_AGREEMENT}/BuyerTradeParty/SpecifiedTaxRegistration/ID{_VAT}"),
    ("Buyer reference", f"{_AGREEMENT}/BuyerReference"),
    ("Order number", f"{_AGREEMENT}/BuyerOrderReferencedDocument/IssuerAssignedID"),
    ("Consignee name", f"{_DELIVERY}/ShipToTradeParty/Name"),
    ("Payee name", f"{_SETTLEMENT}/PayeeTradeParty/Name"),
    ("IBAN", f"{_SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans/PayeePartyCreditorFinancialAccount/IBANID"),
    ("BIC", f"{_SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans/PayeeSpecifiedCreditorFinancialInstitution/BICID"),
    ("Line total", f"{_SUMS}/LineTotalAmount"),
    ("Total surcharges", f"{_SUMS}/ChargeTotalAmount"),
    ("Total discounts", f"{_SUMS}/AllowanceTotalAmount"),
    ("Total without VAT", f"{_SUMS}/TaxBasisTotalAmount"),
    ("VAT total", _TAX_TOTAL),
    ("Total with VAT", f"{_SUMS}/GrandTotalAmount"),
    ("Total paid", f"{_SUMS}/TotalPrepaidAmount"),
    ("Amount due", f"{_SUMS}/DuePayableAmount"),
)
_LINE = f"{_TRADE}/IncludedSupplyChainTradeLineItem"
_COLUMNS = (
    ("Line", "AssociatedDocumentLineDocument/LineID"),
    ("Description", "SpecifiedTradeProduct/Name"),
    ("Quantity", "SpecifiedLineTradeDelivery/BilledQuantity"),
    ("Unit price", "SpecifiedLineTradeAgreement/NetPriceProductTradePrice/ChargeAmount"),
    (
        "Line total",
        "SpecifiedLineTradeSettlement/SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount",
    ),
)
_DATE_FORMAT = "102"
_DATE_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Attachment:
    """The data of an attached invoice.

    Attributes:
        name: The file's name.
        fields: Names and values.
        lines: The texts of its lines, by column of `_COLUMNS`.
        is_cut: Whether it has more lines than `MAX_ROWS`.
    """

    name: str
    fields: Sequence[tuple[str, str]]
    lines: Sequence[Sequence[str]]
    is_cut: bool = False


def attached_invoices(document: Handle) -> Iterator[Attachment]:
    """Yield the invoices that are attached to a document as XML; other attachments are left alone."""
    for index in range(min(pdfium.FPDFDoc_GetAttachmentCount(document), MAX_ATTACHMENTS)):
        handle = pdfium.FPDFDoc_GetAttachment(document, index)
        name = _name(handle) if handle else ""
        if not name.lower().endswith(".xml"):
            continue
        root = _parsed(_data(handle))
        kind = "" if root is None else str(root.tag).rpartition("}")[2]
        if root is not None and kind in (_ROOT, _FIRST_ROOT):
            yield _attachment(name, root, _FIRST_NAMES if kind == _FIRST_ROOT else {})


def write_attachment(writer: PageWriter, attachment: Attachment) -> None:
    """Write an attached invoice as a section of its own: a heading, a table of fields and one of lines."""
    writer.heading(1, f"{HEADING}: {attachment.name}")
    writer.table(_table([("Field", "Value"), *attachment.fields], attachment.name))
    if attachment.lines:
        writer.table(_table([[name for name, _ in _COLUMNS], *attachment.lines], attachment.name))
    if attachment.is_cut:
        writer.warn(f"{attachment.name} has more than {MAX_ROWS} lines: the others were not read.")


def _attachment(name: str, root: Element, names: Mapping[str, str]) -> Attachment:
    _keep_tax_in_own_currency(root, names)
    fields = [(label, value) for label, path in _FIELDS if (value := _value(root, _renamed(path, names)))]
    items = root.xpath(_xpath(_renamed(_LINE, names)))
    lines = [[_value(item, _renamed(path, names)) for _, path in _COLUMNS] for item in items[:MAX_ROWS]]
    return Attachment(name, fields, lines, len(items) > MAX_ROWS)


def _keep_tax_in_own_currency(root: Element, names: Mapping[str, str]) -> None:
    """Remove the tax in the currency of the seller's accounts if it is stated in the invoice's own, too."""
    currency = _value(root, _renamed(_CURRENCY, names))
    taxes = root.xpath(_xpath(_renamed(_TAX_TOTAL, names)))
    if any(tax.get("currencyID") == currency for tax in taxes):
        for tax in taxes:
            parent = tax.getparent()
            if parent is not None and tax.get("currencyID") not in (currency, None):
                parent.remove(tax)


def _renamed(path: str, names: Mapping[str, str]) -> str:
    """Return a path with the names of another version; of a pair of steps before those of its parts."""
    for pair in (name for name in names if "/" in name):
        path = path.replace(pair, names[pair])
    return "/".join(names.get(step, step) for step in path.split("/"))


def _value(node: Element, path: str) -> str:
    """Return the text of the only element at a path, without its namespaces; empty for none or several values."""
    found = node.xpath(_xpath(path))
    texts = {_text(element) for element in found}
    return texts.pop() if len(texts) == 1 else ""


def _text(element: Element) -> str:
    text = " ".join((element.text or "").split())
    if element.get("format") == _DATE_FORMAT and len(text) == _DATE_DIGITS and text.isdigit():
        return f"{text[:4]}-{text[4:6]}-{text[6:]}"
    return text


def _xpath(path: str) -> str:
    steps = (step.partition("[") for step in path.split("/"))
    return "./" + "/".join(f"*[local-name()='{name}']{bracket}{rest}" for name, bracket, rest in steps)


def _parsed(data: bytes) -> Element | None:
    # No entities, no network: the XML is as little trusted as its PDF.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _name(handle: Handle) -> str:
    length = pdfium.FPDFAttachment_GetName(handle, None, 0)
    return read_utf16(length, pdfium.FPDFAttachment_GetName, handle) if 0 < length <= _MAX_NAME_BYTES else ""


def _data(handle: Handle) -> bytes:
    size = ctypes.c_ulong()
    if not pdfium.FPDFAttachment_GetFile(handle, None, 0, size) or not 0 < size.value <= MAX_XML_BYTES:
        return b""
    buffer = ctypes.create_string_buffer(size.value)
    is_read = pdfium.FPDFAttachment_GetFile(handle, buffer, size.value, size)
    return buffer.raw[: size.value] if is_read else b""


def _table(rows: Sequence[Sequence[str]], name: str) -> Table:
    cells = tuple(
        Cell(number, column, text, header=number == 0)
        for number, row in enumerate(rows)
        for column, text in enumerate(row)
    )
    return Table(len(rows), len(rows[0]), cells, 1, attachment=name)
