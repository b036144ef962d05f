"""`pincite.convert` and `pincite.extract`: a document as a program reads it."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import pincite
from support.document_server import serving_documents
from support.pdfs import column, pdf

INVOICE = """# Invoice

Invoice number: INV-2041
Total: 120.50 EUR

| Item | Price |
|---|---|
| Bolt | 20.50 |
| Nut | |

## Terms

Pay within 30 days.
"""


class Invoice(BaseModel):
    invoice_number: str
    total: float
    purchase_order: str | None = None


class Strict(BaseModel):
    invoice_number: str
    purchase_order: str


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, object]:
    cache = {"PINCITE_CACHE": tmp_path / "cache", "DATA_DIR": tmp_path / "data"}
    return {**cache, "EMBEDDING_PROVIDER": "hash", "PINCITE_FETCH_MODEL": False}


@pytest.fixture
def invoice(tmp_path: Path) -> Path:
    file = tmp_path / "invoice.md"
    file.write_text(INVOICE, encoding="utf-8")
    return file


def test_a_document_has_its_markdown_and_blocks(invoice: Path, settings: dict[str, object]) -> None:
    document = pincite.convert(invoice, settings=settings)
    assert (document.name, document.title, document.media_type) == ("invoice.md", "Invoice", "text/markdown")
    assert document.to_markdown() == INVOICE
    assert [(block.kind, block.level) for block in document.blocks][:2] == [("heading", 1), ("paragraph", 0)]
    assert document.blocks[-1].text == "Pay within 30 days."
    assert (document.pages, document.incomplete, list(document.warnings)) == ([], None, [])


def test_a_table_has_columns_and_rows(invoice: Path, settings: dict[str, object]) -> None:
    (table,) = pincite.convert(str(invoice), settings=settings).tables
    assert (table.columns, table.rows) == (["Item", "Price"], [["Bolt", "20.50"], ["Nut", ""]])


def test_a_table_is_a_data_frame(invoice: Path, settings: dict[str, object]) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: pip install 'pincite[pandas]'")
    frame = pincite.convert(invoice, settings=settings).tables[0].to_pandas()
    assert list(frame.columns) == ["Item", "Price"]
    assert frame.to_dict("records") == [{"Item": "Bolt", "Price": "20.50"}, {"Item": "Nut", "Price": ""}]


def test_without_pandas_an_error_says_how_to_install_it(
    invoice: Path, settings: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    (table,) = pincite.convert(invoice, settings=settings).tables
    with pytest.raises(pincite.Unsupported, match=r"pip install 'pincite\[pandas\]'"):
        table.to_pandas()


def test_a_pdf_has_pages_and_boxes(tmp_path: Path, settings: dict[str, object]) -> None:
    file = tmp_path / "two.pdf"
    file.write_bytes(pdf(column("First page."), column("Second page.")))
    document = pincite.convert(file, settings=settings)
    assert [(page.number, page.to_markdown()) for page in document.pages] == [(1, "First page."), (2, "Second page.")]
    (box,) = document.pages[1].blocks[0].boxes
    assert 0 < box.x0 < box.x1 and 0 < box.y0 < box.y1


def test_a_url_is_converted(settings: dict[str, object]) -> None:
    with serving_documents({"keys.md": ("text/markdown", b"# Keys\n\nRotate them.\n")}) as url:
        document = pincite.convert(f"{url}keys.md", settings={**settings, "DOWNLOAD_ALLOW_PRIVATE": True})
    assert (document.name, document.title) == ("keys.md", "Keys")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nowhere.pdf", "There is no file 'nowhere.pdf' here"),
        ("..", "'..' is a folder. Name a file in it"),
        ("ftp://example.com/a.pdf", "must be an http or https URL"),
    ],
)
def test_what_is_no_document_is_refused(
    name: str, problem: str, tmp_path: Path, settings: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(pincite.InvalidInput, match=problem):
        pincite.convert(name, settings=settings)
    with pytest.raises(pincite.InvalidInput, match=problem):
        pincite.extract(name, {"a": "string"}, settings=settings)


def test_a_model_is_filled_with_evidence(invoice: Path, settings: dict[str, object]) -> None:
    result = pincite.extract(invoice, Invoice, settings=settings)
    assert result.value == Invoice(invoice_number="INV-2041", total=120.5)
    assert result.data == {"invoice_number": "INV-2041", "total": 120.5, "purchase_order": None}
    number = result.evidence["invoice_number"]
    assert (number.value, number.verified, number.status) == ("INV-2041", True, "verified")
    assert number.snippet is not None and "INV-2041" in number.snippet
    assert number.ref is not None and number.ref.startswith("invoice.md@")
    assert (result.evidence["purchase_order"].value, result.evidence["purchase_order"].verified) == (None, False)
    annotations = result.to_annotations("https://example.com/invoice.md")
    assert [each["body"][0]["value"] for each in annotations] == ["invoice_number", "total"]
    assert (result.engine, any("purchase_order" in warning for warning in result.warnings)) == ("rules", True)


def test_what_is_less_sure_than_the_caller_wants_is_left_out(invoice: Path, settings: dict[str, object]) -> None:
    schema = {"invoice_number": "string"}
    assert pincite.extract(invoice, schema, settings=settings).data == {"invoice_number": "INV-2041"}
    assert pincite.extract(invoice, schema, min_confidence=1, settings=settings).data == {"invoice_number": None}
    assert pincite.extract(invoice, schema, strict=False, settings=settings).data == {"invoice_number": "INV-2041"}


def test_a_value_that_a_model_requires_and_no_document_has_is_named(invoice: Path, settings: dict[str, object]) -> None:
    result = pincite.extract(invoice, Strict, settings=settings)
    assert result.data["invoice_number"] == "INV-2041"
    with pytest.raises(pincite.InvalidInput, match="Strict does not accept these values: purchase_order"):
        assert result.value


@pytest.mark.parametrize(
    "schema",
    [
        {"items": [{"item": "string", "price": "number"}]},
        {
            "type": "object",
            "properties": {
                "items": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"item": {"type": "string"}, "price": {"type": "number"}},
                    },
                }
            },
        },
    ],
)
def test_a_schema_or_a_skeleton_gives_plain_data(
    schema: dict[str, Any], invoice: Path, settings: dict[str, object]
) -> None:
    result = pincite.extract(invoice, schema, settings=settings)
    assert result.value == result.data
    assert json.loads(json.dumps(result.data)) == result.data
    assert result.data["items"][0] == {"item": "Bolt", "price": 20.5}
    assert result.evidence["items[0].price"].value == 20.5


def test_an_unknown_engine_is_refused(invoice: Path, settings: dict[str, object]) -> None:
    with pytest.raises(pincite.PinciteError, match="oracle"):
        pincite.extract(invoice, Invoice, engine="oracle", settings=settings)


@pytest.mark.parametrize(
    "form",
    [
        "{label}: {value}",
        "- **{label}:** {value}",
        "{label} is {value}.",
        "{label} = {value}",
        "{label} ........ {value}",
        "{label}\n{value}",
        "{label}\t{value}",
        "{label}: {value} pieces",
        "| {label} | {value} |\n|---|---|",
        "| Field | Value |\n|---|---|\n| {label} | {value} |",
        "| Item | {label} |\n|---|---|\n| tea | {value} |",
    ],
)
def test_a_single_digit_is_a_value(form: str, tmp_path: Path, settings: dict[str, object]) -> None:
    file = tmp_path / "sheet.md"
    fields = {"number_of_doors": "Number of doors", "quantity": "Quantity", "pages": "Pages"}
    for digit in range(10):
        for name, label in fields.items():
            file.write_text(
                f"# Data sheet\n\nModel: XK-200\n\n{form.format(label=label, value=digit)}\n\nColour: red\n"
            )
            schema = {"type": "object", "properties": {name: {"type": "integer"}}}
            assert pincite.extract(file, schema, settings=settings).data == {name: digit}
