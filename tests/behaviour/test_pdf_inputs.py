"""Small PDF files whose text was once wrong or lost: what their readers see is what they give."""

from pathlib import Path

import pytest

from pincite.model.document import AsideKind, BlockKind, Document
from pincite.services.documents.links import links
from support.pdf_read import blocks, document


def found_pdf(data: Path, name: str) -> Document:
    return document((data / "found/pdf" / f"{name}.pdf").read_bytes())


@pytest.mark.parametrize(
    ("name", "first", "numbers"),
    [
        ("lineno", "# 1 Introduction\n\nBoard plan board in committee below", "1 2 3 4 5"),
        ("pleading", "Stayed measures each set reviewed that spring", "1 2 3 4 5"),
        ("patent", "Would spring waste proposal", "5 10 15 20"),
        ("fifth", "Would and found proposal", "5 10 15 20 25"),
    ],
)
def test_numbers_of_lines_are_no_text(data: Path, name: str, first: str, numbers: str) -> None:
    found = found_pdf(data, name)
    assert first in found.text
    assert not any(block.kind is BlockKind.TABLE for block in blocks(found))
    aside = next(aside for aside in found.asides if aside.reason == "numbers of the lines")
    assert aside.kind is AsideKind.SURROUNDINGS and aside.text.startswith(numbers)
    body = found.text.partition(first)[2]
    assert not any(f" {number} " in body for number in aside.text.split()[1:])


def test_numbers_in_the_margin_of_paragraphs_begin_them(data: Path) -> None:
    text = found_pdf(data, "randnr").text
    for start in ("1 Klägerin", "2 Die anspruch", "3 Hat ohne", "10 Verneint"):
        assert f"\n{start}" in text
    assert "den senat und" in text and "anspruch der beweise" in text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("form", "Name of agency: Department of Rivers and Lakes\n\nAmount requested: 48,250.00\n"),
        ("form-split", "Name of agency: Department of Rivers and Lakes\n\nAmount requested: 48,250.00\n"),
        ("signature", "Digitally signed by Ada Sample Date: 2025.05.21 10:42:50 Reason: Contract approved\n"),
        ("stamp", "PAID 21 May 2025\n"),
        ("shy", "where pseudo-Avicennian treatises were copied, translated and read by Anglo-Saxon scholars"),
        ("letternote", "| E1 | QM | QM | A^a |"),
        ("letternote", "| E4 | B | C | 1200^a |"),
        ("vectorbox", "Do you smoke? ☒ Yes ☐ No\n\nAny allergies? ☐ Yes ☒ No"),
        ("redline", "The rent is ~~1,200 EUR~~ 1,450 EUR per month."),
        ("steps", "- (1) Open the box and take out all parts.\n- (2) Screw the legs to the plate by hand.\n- (3)"),
        ("toc", "01 Safety notes 04\n02 Notes for use 08\n03 Names of parts 10\n04 Installation 12\n05 How"),
        ("pageonly", "Page 1\nPage 2\nPage 3\nPage 4\nPage 5\nPage 6\n"),
    ],
)
def test_what_a_page_shows_is_its_text_where_it_is(data: Path, name: str, text: str) -> None:
    found = found_pdf(data, name)
    assert text in found.text.replace("\n\nPage", "\nPage") and found.coverage.complete


def test_an_xfa_form_is_not_read_and_says_so(data: Path) -> None:
    found = found_pdf(data, "xfa")
    assert not found.coverage.complete and "XFA" in found.coverage.reasons and "wait" not in found.text


@pytest.mark.parametrize("name", ["web12", "web12c"])
def test_what_a_browser_prints_in_the_margin_is_no_text(data: Path, name: str) -> None:
    found = found_pdf(data, name)
    assert "Survey Manager" not in found.text and "http" not in found.text
    assert [section.path[-1] for section in found.sections][:2] == [f"Section {n}: Views on the plan" for n in (1, 2)]


def test_an_annotated_link_is_one_of_the_document(data: Path) -> None:
    (link,) = links(document((data / "found/documents/link.pdf").read_bytes()))
    assert (link.url, link.source_location) == ("https://portal.example.com/x", "page 1")
    assert link.context.strip() == "Visit our portal for documents today."
