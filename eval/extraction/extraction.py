"""Extraction without a model against the truth of invoices, and the verifier against lies.

    PINCITE_DATA=... python eval/extraction/extraction.py invoices [--frozen] [--attached] [--misses]
        [--either-tax-number]
    PINCITE_DATA=... python eval/extraction/extraction.py claims [--export claims.jsonl]
    PINCITE_DATA=... python eval/extraction/extraction.py records

Invoices: the fields of `invoices/facturx` (the embedded XML is the truth, and is not read) and of
`invoices/invoice2data`, in English names with a line of description in the invoice's language. A field counts if its
value is printed in the text of the page. Right: the same number, day or text without white space. Grounded: right,
and the words that pdfium alone reads in the evidence's box hold the value; for evidence that was recognised (`ocr`),
those that RapidOCR alone reads in a picture of the box. A third of the invoices is set aside by a
hash of their names and scored with --frozen only. Beside it a regular expression for each field. With --attached the
embedded XML is read, too, and every field of it counts, printed or not; what no page prints is `derived`, counted in a
column of its own, and neither grounded nor off the page: its evidence names no page.
The truth has one tax number of the seller, the first of the XML: a VAT number or that of a tax office. Two fields name
the two, and the truth is that of the field whose kind it is. --either-tax-number scores one field that names both.

Claims: cells of the tables of these documents, of `docs-prometheus` and of the reference datasheet, each as a true
claim and in false ones: an altered digit, another unit, a part of the number, another row's value or label, invented
words.

Records: the requirements of ASVS 4.0.3 from its PDF as a list of objects.
"""

import argparse
import hashlib
import json
import os
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2

from pincite.agents.rules.engine import build
from pincite.app import build_reader_pool
from pincite.evidence.claims import ATTACHED_RULE, Claim, ClaimVerifier
from pincite.formats.base import Blob
from pincite.formats.ocr.rapid import RapidEngine
from pincite.formats.ocr.rapid import build as build_rapid
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.model.extraction import Citation
from pincite.services.extraction.extraction import Extraction, extract, material
from pincite.services.extraction.schemas import read_schema
from pincite.services.reading.reading import Reading
from pincite.text.tables.grids import TextCell, TextGrid, grids, printed_text
from pincite.text.values.dates import read_dates
from pincite.text.values.formatting import normalize_text
from pincite.text.values.tokens import read_numbers
from pincite.transports.cli.opening import configuration

ROOT = Path(__file__).resolve().parents[2]
FROZEN_SHARE = 3
"""One of so many documents is set aside."""
FACTURX = {
    "invoice_number": "string, invoice number, Rechnungsnummer, Rechnung Nr., Facture",
    "issue_date": "date of the invoice, Rechnungsdatum, Rechnung vom, Date de facture",
    "seller_name": "string, name of the seller, Verkäufer, Name des Verkäufers, Vendeur",
    "buyer_name": "string, name of the buyer, Käufer, Leistungsempfänger, Acheteur",
    "seller_vat_id": "string, VAT number of the seller, USt-IdNr., TVA",
    "seller_tax_number": "string, tax number of the seller at its tax office, Steuernummer",
    "currency": "string, currency code, Währung, Devise",
    "line_total": "number, sum of the lines without tax, Positionssumme, Total HT",
    "tax_total": "number, tax, Steuerbetrag, Umsatzsteuer, Total taxes",
    "grand_total": "number, total with tax, Bruttosumme, Rechnungsbetrag, Total TTC",
    "due_amount": "number, amount due, Zahlbetrag, fälliger Betrag, Solde à payer",
}
INVOICE2DATA = {
    "invoice_number": "string, invoice number, Factuurnummer, Facture numéro, Fattura n., Invoice Number",
    "date": "date of the invoice, Factuurdatum, Date de facture, Data fattura, Invoice Date",
    "amount": "number, total with tax, Totaal, Total TTC, Totale, Grand Total, Total amount",
    "amount_untaxed": "number, total without tax, Exclusief BTW, Total HT, Imponibile, Subtotal",
    "vat": "string, VAT number, BTW, TVA, Partita IVA, VAT",
    "currency": "string, currency code",
    "iban": "string, IBAN",
    "bic": "string, BIC",
}
TAX_NUMBER = "seller_vat_id"
"""What the truth calls the first tax registration of the XML, whichever of the two it is."""
OTHER_TAX_NUMBER = "seller_tax_number"
EITHER_TAX_NUMBER = {TAX_NUMBER: "string, VAT number of the seller, USt-IdNr., Steuernummer, TVA"}
"""The one field for both that was scored until 2026-11-23."""
VAT_PREFIX = re.compile(r"[A-Z]{2}")
"""EN 16931 has a country's code before each VAT number (BT-31), and none before the number of a tax office (BT-32)."""
OCR_SCALE = 3.0
"""Pixels per point of the picture in which a box is recognised again: 216 dpi, as small print needs."""
MAX_CELL = 60
"""Characters of a cell of which claims are made: a longer one is prose."""
NUMBERS = {"line_total", "tax_total", "grand_total", "due_amount", "amount", "amount_untaxed"}
DATES = {"issue_date", "date"}
BASELINE: Mapping[str, str] = {
    "invoice_number": r"(?i)(?:invoice|rechnung|facture|factuur|fattura)\w*[^\n\d]{0,20}?([\w/.-]*\d[\w/.-]*)",
    "issue_date": r"(\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2} \w+ \d{4})",
    "date": r"(\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{4}-\d\d-\d\d|\d{1,2} \w+ \d{4})",
    "seller_name": r"(?i)(?:verkäufer|seller|vendeur)[^\n]*\n+.*?Name:?\W*([^\n|]+)",
    "buyer_name": r"(?i)(?:käufer|buyer|acheteur)[^\n]*\n+.*?Name:?\W*([^\n|]+)",
    "seller_vat_id": r"\b((?:DE|FR|GB|NL|IT|BE)[\dA-Z]{9,12})\b",
    "seller_tax_number": r"(?i)steuernummer[\s|:]*([\d/]+)",
    "vat": r"\b((?:DE|FR|GB|NL|IT|BE)[\dA-Z]{9,12})\b",
    "currency": r"\b(EUR|USD|GBP|CHF)\b|(€|\$|£)",
    "line_total": r"(?i)(?:positionssumme|total ht|subtotal)[\s|:€]*([\d.,]+)",
    "tax_total": r"(?i)(?:steuerbetrag|total taxes|tax|vat)[\s|:€]*([\d.,]+)",
    "grand_total": r"(?i)(?:bruttosumme|total ttc|grand total|gesamtbetrag)[\s|:€]*([\d.,]+)",
    "due_amount": r"(?i)(?:zahlbetrag|solde à payer|amount due)[\s|:€]*([\d.,]+)",
    "amount": r"(?i)(?:total ttc|grand total|totaal|totale|total)[\s|:€$]*([\d.,]+)",
    "amount_untaxed": r"(?i)(?:total ht|exclusief btw|imponibile|subtotal)[\s|:€$]*([\d.,]+)",
    "iban": r"\b([A-Z]{2}\d{2}[A-Z0-9]{11,30})\b",
    "bic": r"\b(?:BIC|SWIFT)\W+([A-Z0-9]{8,11})\b",
}
"""The first match of one expression a field, as a script for one supplier begins."""


@dataclass
class Tally:
    """Counts of one field."""

    printed: int = 0
    answered: int = 0
    right: int = 0
    grounded: int = 0
    off_page: int = 0
    derived: int = 0


@dataclass
class Scores:
    """Counts by field."""

    fields: dict[str, Tally] = field(default_factory=dict[str, Tally])

    def of(self, name: str) -> Tally:
        """Return the counts of a field."""
        return self.fields.setdefault(name, Tally())

    def total(self) -> Tally:
        """Return the sums over all fields."""
        sums = Tally()
        for one in self.fields.values():
            for name, value in vars(one).items():
                setattr(sums, name, getattr(sums, name) + value)
        return sums


def data() -> Path:
    folder = os.environ.get("PINCITE_DATA")
    if not folder:
        raise SystemExit("Set PINCITE_DATA to the shared data set.")
    return Path(folder)


def is_frozen(name: str) -> bool:
    """The same invoice occurs in two packings: both are on one side."""
    content = re.sub(r"^(?:fx-|zugferd_2p0_)|(?:EN16931|XRECHNUNG|EXTENDED)_", "", name)
    content = re.sub(r"^(?:EN16931|XRECHNUNG|EXTENDED)_", "", content)
    return int(hashlib.sha256(content.encode()).hexdigest(), 16) % FROZEN_SHARE == 0


def invoices(*, either: bool = False) -> Iterator[tuple[Path, Mapping[str, Any], Mapping[str, str]]]:
    folder = data() / "invoices"
    one_field = {name: EITHER_TAX_NUMBER.get(name, text) for name, text in FACTURX.items() if name != OTHER_TAX_NUMBER}
    for line in (folder / "facturx" / "expected.jsonl").read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        file = folder / "facturx" / truth["file"]
        yield (file, truth, one_field) if either else (file, by_registration(truth), FACTURX)
    for file in sorted((folder / "invoice2data").glob("*.pdf")):
        truth = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
        yield file, truth[0] if isinstance(truth, list) else truth, INVOICE2DATA


def by_registration(truth: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the truth with its one tax number under the field that it is of; of the other nobody wrote down."""
    number = truth.get(TAX_NUMBER)
    if number is None or VAT_PREFIX.match(number):
        return truth
    return {**{name: value for name, value in truth.items() if name != TAX_NUMBER}, OTHER_TAX_NUMBER: number}


def schema_of(fields: Mapping[str, str]) -> dict[str, Any]:
    kinds = {name: {"type": "number"} for name in NUMBERS}
    kinds |= {name: {"type": "string", "format": "date"} for name in DATES}
    described = {name: {**kinds.get(name, {"type": "string"}), "description": text} for name, text in fields.items()}
    return {"type": "object", "properties": described}


def plain(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


def same(name: str, found: Any, wanted: Any) -> bool:
    if name in NUMBERS:
        try:
            return Decimal(str(found)) == Decimal(str(wanted))
        except InvalidOperation:
            return False
    if name in DATES:
        return str(found)[:10] == str(wanted)[:10]
    symbols = {"€": "eur", "$": "usd", "£": "gbp"}
    one, other = plain(str(found)), plain(str(wanted))
    return symbols.get(one, one) == symbols.get(other, other)


def is_printed(name: str, wanted: Any, text: str) -> bool:
    if wanted in (None, ""):
        return False
    if name in NUMBERS:
        return any(Decimal(str(wanted)) in one.readings for one in read_numbers(text))
    if name in DATES:
        return any(date.fromisoformat(str(wanted)[:10]) in one.readings for one in read_dates(text))
    if name == "currency":
        return any(sign in text for sign in (str(wanted), {"EUR": "€", "USD": "$", "GBP": "£"}.get(str(wanted), "?")))
    return plain(str(wanted)) in plain(text)


def in_box(pdf: bytes, record: Mapping[str, Any]) -> bool:
    """Whether the evidence's boxes hold the value's own text: as the page has it, or in their picture if recognised."""
    if not record["boxes"]:
        return False
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        page = document[record["page"] - 1]
        text_page = page.get_textpage()
        width, height = page.get_size()
        raw, words = plain(record["raw"]), ""
        for box in record["boxes"]:
            left, bottom = box["x0"] - 1, height - box["y1"] - 1
            right, top = box["x1"] + 1, height - box["y0"] + 1
            words += text_page.get_text_bounded(left, bottom, right, top)
        if raw in plain(words) or not record.get("ocr"):
            return raw in plain(words)
        pictures = [picture_of(page, box, width, height) for box in record["boxes"]]
    lines = [line for picture in pictures for line in recogniser().lines(picture)]
    return raw in plain("".join(word.text for line in lines for word in line.words))


def picture_of(page: pypdfium2.PdfPage, box: Mapping[str, float], width: float, height: float) -> Any:
    """Return the pixels of a box on a page, with a line's height around it."""
    margin = box["y1"] - box["y0"]
    cut = (box["x0"] - margin, height - box["y1"] - margin, width - box["x1"] - margin, box["y0"] - margin)
    left, bottom, right, top = (max(0.0, side) for side in cut)
    return page.render(scale=OCR_SCALE, crop=(left, bottom, right, top)).to_numpy()


@cache
def recogniser() -> RapidEngine:
    """Return the engine that reads the boxes again, apart from the reader."""
    return build_rapid(threads=1, languages="")


def without_attachments(document: Document) -> Document:
    """Return a document as its pages have it."""
    printed = printed_text(document)
    sections = tuple(section for section in document.sections if section.start < len(printed))
    return replace(document, text=printed, sections=sections)


def score_invoices(
    read: Callable[[Path], Document], *, frozen: bool, attached: bool, misses: bool, either: bool
) -> None:
    ours, baseline = Scores(), Scores()
    seconds: list[float] = []
    for file, truth, fields in invoices(either=either):
        if is_frozen(file.stem) is not frozen:
            continue
        whole = read(file)
        document = without_attachments(whole)
        started = time.perf_counter()
        result = extract(whole if attached else document, read_schema(schema_of(fields)), build(), Call())
        seconds.append(time.perf_counter() - started)
        for name in fields:
            if name not in truth:
                continue  # nobody wrote down whether it is there
            wanted = truth[name]
            if not attached and not is_printed(name, wanted, document.text):
                # What is not printed and answered all the same is wrong.
                wanted = None
            _count(ours.of(name), name, result, wanted, file, misses=misses)
            _count_baseline(baseline.of(name), name, document.text, wanted)
    _report(f"rules, {'frozen' if frozen else 'tune'}", ours)
    _report("regular expressions", baseline)
    print(f"median {1000 * statistics.median(seconds):.0f} ms a document")


def _count(tally: Tally, name: str, result: Extraction, wanted: Any, file: Path, *, misses: bool) -> None:
    found, record = result.data[name], result.evidence[name]
    tally.printed += wanted is not None
    if misses and not (found is None and wanted is None) and (wanted is None or not same(name, found, wanted)):
        shown = f"want {str(wanted)[:30]!r:32} got {str(found)[:40]!r} ({record.get('label')})"
        print(f"{file.stem[:40]:40} {name:15} {shown}")
    if found is None:
        return
    tally.answered += 1
    right = wanted is not None and same(name, found, wanted)
    tally.right += right
    if str(record.get("rule", "")).startswith(ATTACHED_RULE):
        tally.derived += 1
        return
    boxed = in_box(file.read_bytes(), record)
    tally.grounded += right and boxed
    tally.off_page += not boxed


def _count_baseline(tally: Tally, name: str, text: str, wanted: Any) -> None:
    tally.printed += wanted is not None
    match = re.search(BASELINE[name], text)
    value = next(filter(None, match.groups()), None) if match else None
    if value is None:
        return
    tally.answered += 1
    if wanted is None:
        return
    if name in NUMBERS:
        right = any(Decimal(str(wanted)) in one.readings for one in read_numbers(value))
    elif name in DATES:
        right = any(date.fromisoformat(str(wanted)[:10]) in one.readings for one in read_dates(value))
    else:
        right = same(name, value, wanted)
    tally.right += right


def _report(title: str, scores: Scores) -> None:
    print(f"\n{title}\n{'field':16} printed answered right  precision recall grounded off page derived")
    for name, one in [*scores.fields.items(), ("all", scores.total())]:
        precision = one.right / one.answered if one.answered else 1.0
        recall = one.right / one.printed if one.printed else 1.0
        on_page = one.answered - one.derived
        grounded = one.grounded / on_page if on_page else 1.0
        print(
            f"{name:16} {one.printed:7} {one.answered:8} {one.right:5}  {precision:9.3f} {recall:6.3f} {grounded:8.3f}"
            f" {one.off_page:8} {one.derived:7}"
        )


@dataclass(frozen=True)
class Case:
    """A claim, what kind of one it is, and whether it is true."""

    kind: str
    claim: Claim
    is_true: bool


def altered(text: str, number: int) -> str:
    """The text with one of its digits changed."""
    places = [index for index, character in enumerate(text) if character in "0123456789"]
    place = places[number % len(places)]
    return text[:place] + str((int(text[place]) + 1 + number % 8) % 10) + text[place + 1 :]


def same_value(text: str, row: str) -> bool:
    """Whether a claim would be true after all: the row has the text, the number or the day."""
    whole = list(read_numbers(text))
    numbers = whole[0].readings if len(whole) == 1 else frozenset[Decimal]()
    days = {reading for one in read_dates(text) for reading in one.readings}
    return (
        plain(text) in plain(row)
        or any(numbers & one.readings for one in read_numbers(row))
        or any(days & one.readings for one in read_dates(row))
    )


def cases(document: Document, starts: list[tuple[int, str]]) -> Iterator[Case]:
    """Yield the claims of a document's tables."""
    for grid in grids(document):
        body = [cells for cells in grid.rows[grid.header_rows :] if len(cells) > 1]
        for number, cells in enumerate(body):
            label = next((cell for cell in cells if any(map(str.isalpha, cell.text))), None)
            for cell in cells:
                if (
                    label is None
                    or cell.start <= label.start
                    or not re.search(r"\d", cell.text)
                    or len(cell.text) > MAX_CELL
                ):
                    continue
                other = body[(number + 1) % len(body)]
                locator = max(one for one in starts if one[0] <= cell.start)[1]
                yield from _cases_of(document.text, grid, label, cell, other, locator)


def _cases_of(
    text: str, grid: TextGrid, label: TextCell, cell: TextCell, other: Sequence[TextCell], locator: str
) -> Iterator[Case]:
    row = text[label.start : cell.end]
    value = normalize_text(cell.text)
    seed = cell.start
    headers = " ".join(
        one.text for cells in grid.rows[: grid.header_rows] for one in cells if one.column == cell.column
    )
    field_name = f"{label.text} {headers}".strip()

    def case(kind: str, what: str, quote: str, *, is_true: bool = False, name: str = field_name) -> Case:
        return Case(kind, Claim(what, Citation(locator, quote), name), is_true)

    yield case("true: the row", value, row, is_true=True)
    yield case("true: the cell alone", value, cell.text, is_true=True)
    yield case("true: other typography", value, re.sub(r"\s+", " \u00a0", row.replace("-", "\u2013")), is_true=True)
    wrong = altered(value, seed)
    if not same_value(wrong, row):
        yield case("a digit altered in the value", wrong, row)
        yield case("a digit altered in value and quote", wrong, row.replace(cell.text, altered(cell.text, seed)))
    digits = re.sub(r"^\D*\d", "", value)
    if re.match(r"\d", digits) and not same_value(digits, row):
        yield case("a part of the number", digits, row)
    if re.search(r"\d\s?(?:kW|V|A|W|%|€)", value):
        yield case("another unit", re.sub(r"(\d)\s?(?:kW|V|A|W|%|€)", r"\1 mX", value), row)
    theirs = [one for one in other if one.column == cell.column and re.search(r"\d", one.text)]
    if theirs and not same_value(theirs[0].text, row):
        yield case("another row's value, this row's words", normalize_text(theirs[0].text), row)
        yield case("invented words", value, f"{label.text} of the other plant {value}")
        begin = next((one for one in other if any(map(str.isalpha, one.text))), None)
        if begin is not None and begin.start < theirs[0].start and begin.text != label.text:
            quote = text[begin.start : theirs[0].end]
            yield case("another row's value and words", normalize_text(theirs[0].text), quote, name=label.text)


def score_claims(read: Callable[[Path], Document], *, misses: bool, export: Path | None) -> None:
    accepted: Counter[str] = Counter()
    made: Counter[str] = Counter()
    seconds: list[float] = []
    exported: list[str] = []
    files = [file for file, _, _ in invoices()]
    files += [ROOT / "fixtures" / name for name in ("datasheet.pdf", "datasheet.docx")]
    files += sorted((data() / "docs-prometheus").rglob("*.md"))
    for file in files:
        prepared = material(without_attachments(read(file)), Call())
        verifier = ClaimVerifier(prepared)
        starts = [(chunk.start, chunk.locator) for chunk in prepared.chunks]
        for one in cases(prepared.document, starts):
            started = time.process_time()
            status = verifier.verify(one.claim).status
            seconds.append(time.process_time() - started)
            made[one.kind] += 1
            accepted[one.kind] += status.is_grounded
            if misses and status.is_grounded is not one.is_true:
                print(
                    f"{one.kind:36} {one.claim.value!r} in {one.claim.citation.quote!r} for {one.claim.field!r}"[:250]
                )
            if export:
                chunk = next((chunk for chunk in prepared.chunks if chunk.locator == one.claim.citation.locator), None)
                claim = {
                    "kind": one.kind, "is_true": one.is_true, "text": chunk.text if chunk else "",
                    "value": one.claim.value, "quote": one.claim.citation.quote,
                }  # fmt: skip
                exported.append(json.dumps(claim, ensure_ascii=False) + "\n")
    if export:
        export.write_text("".join(exported), encoding="utf-8")
    for kind, count in made.items():
        print(f"{kind:40} {count:6} accepted {accepted[kind]:6} {100 * accepted[kind] / count:6.2f} %")
    for name, is_true in (("true", True), ("false", False)):
        kinds = [kind for kind in made if kind.startswith("true") is is_true]
        count, yes = sum(made[kind] for kind in kinds), sum(accepted[kind] for kind in kinds)
        print(f"all {name:36} {count:6} accepted {yes:6} {100 * yes / count:6.2f} %")
    print(f"{1000 * statistics.mean(seconds):.2f} ms of a processor a claim,"
          f" median {1000 * statistics.median(seconds):.2f} ms")  # fmt: skip


ASVS = {
    "requirements": [
        {"number": "string, #", "description": "string, Description", "cwe": "string, CWE"},
    ]
}


def score_records(read: Callable[[Path], Document]) -> None:
    folder = data() / "asvs-4.0.3"
    truth = json.loads((folder / "asvs-4.0.3-en.flat.json").read_text(encoding="utf-8"))["requirements"]
    wanted = {one["req_id"].lstrip("V"): plain(re.sub(r"[\W_]+", "", one["req_description"]))[:40] for one in truth}
    document = read(folder / "asvs-4.0.3-en.pdf")
    started = time.perf_counter()
    result = extract(document, read_schema(ASVS), build(), Call())
    rows = {
        str(row["number"]): plain(re.sub(r"[\W_]+", "", str(row["description"]))) for row in result.data["requirements"]
    }
    right = [number for number, text in wanted.items() if rows.get(number, "").startswith(text[:40])]
    named = [number for number in wanted if number in rows]
    print(f"{len(wanted)} requirements, {len(rows)} rows: {len(named) / len(wanted):.3f} by number,"
          f" {len(right) / len(wanted):.3f} with its text; {time.perf_counter() - started:.1f} s")  # fmt: skip
    print("missing:", [number for number in wanted if number not in rows][:20])
    print([warning for warning in result.warnings if "not found" not in warning][:5])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["invoices", "claims", "records"])
    parser.add_argument("--frozen", action="store_true", help="score what was set aside")
    parser.add_argument("--attached", action="store_true", help="read the embedded XML, too")
    parser.add_argument("--either-tax-number", action="store_true", help="ask for one tax number that may be either")
    parser.add_argument("--misses", action="store_true", help="print each field that is not right")
    parser.add_argument("--export", type=Path, metavar="FILE", help="write the claims for peers.py")
    options = parser.parse_args()
    with closing(build_reader_pool(configuration.for_shell(None, None))) as pool:
        reading = Reading(pool)

        def read(file: Path) -> Document:
            return reading.read(Blob(file.name, file.read_bytes()), Call())

        if options.what == "invoices":
            score_invoices(
                read,
                frozen=options.frozen,
                attached=options.attached,
                misses=options.misses,
                either=options.either_tax_number,
            )
        elif options.what == "claims":
            score_claims(read, misses=options.misses, export=options.export)
        else:
            score_records(read)


if __name__ == "__main__":
    main()
