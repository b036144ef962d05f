"""Invoices that do not exist, as XML (UN/CEFACT CII) and as PDF with that XML attached."""

from support.pdfs import Text, pdf

NAMESPACES = (
    'xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" '
    'xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" '
    'xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100"'
)


def cii(number: str = "R-17", total: str = "119.00", seller: str = "Nordlicht Leuchten GmbH", lines: str = "") -> str:
    """An invoice as XML."""
    return (
        f"<rsm:CrossIndustryInvoice {NAMESPACES}><rsm:ExchangedDocument><ram:ID>{number}</ram:ID><ram:IssueDateTime>"
        '<udt:DateTimeString format="102">20240514</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>'
        f"<rsm:SupplyChainTradeTransaction>{lines}<ram:ApplicableHeaderTradeAgreement><ram:SellerTradeParty><ram:Name>"
        f'{seller}</ram:Name><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID>'
        "</ram:SpecifiedTaxRegistration></ram:SellerTradeParty></ram:ApplicableHeaderTradeAgreement>"
        "<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>"
        "<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount>"
        f"<ram:GrandTotalAmount>{total}</ram:GrandTotalAmount>"
        "</ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>"
        "</rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>"
    )


def line(number: int, name: str, quantity: str, amount: str) -> str:
    """A line of an invoice."""
    return (
        "<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument>"
        f"<ram:LineID>{number}</ram:LineID></ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct>"
        f"<ram:Name>{name}</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeDelivery>"
        f"<ram:BilledQuantity>{quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>"
        "<ram:SpecifiedLineTradeSettlement><ram:SpecifiedTradeSettlementLineMonetarySummation>"
        f"<ram:LineTotalAmount>{amount}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>"
        "</ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>"
    )


def with_attachment(xml: str, *printed: str, name: str = "factur-x.xml") -> bytes:
    """A PDF of one page with lines of text, and an attached file."""
    content = [Text(text, y=72 + 40 * number) for number, text in enumerate(printed)]
    stream = f"<</Type/EmbeddedFile/Length {len(xml)}>>\nstream\n{xml}\nendstream"
    file = f"<</Type/Filespec/F({name})/UF({name})/EF<</F 1 0 R>>>>"
    return pdf(content, objects=[stream, file], catalog=f"/Names<</EmbeddedFiles<</Names[({name})2 0 R]>>>>")


def zugferd_1(xml: str) -> str:
    """An invoice of `cii` with the element names of ZUGFeRD 1.0."""
    for name, first in (
        ("CrossIndustryInvoice:100", "CrossIndustryDocument:invoice:1p0"),
        ("rsm:CrossIndustryInvoice", "rsm:CrossIndustryDocument"),
        ("rsm:ExchangedDocument", "rsm:HeaderExchangedDocument"),
        ("rsm:SupplyChainTradeTransaction", "rsm:SpecifiedSupplyChainTradeTransaction"),
        ("ram:ApplicableHeaderTrade", "ram:ApplicableSupplyChainTrade"),
        ("ram:SpecifiedLineTrade", "ram:SpecifiedSupplyChainTrade"),
        ("SettlementHeaderMonetarySummation", "SettlementMonetarySummation"),
        ("SettlementLineMonetarySummation", "SettlementMonetarySummation"),
    ):
        xml = xml.replace(name, first)
    return xml
