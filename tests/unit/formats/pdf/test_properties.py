import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.properties import MAX_RUNS
from pincite.formats.pdf.reader import read as reader_read
from pincite.model.call import Call
from pincite.model.document import Head, Page
from support.pdf_read import read
from support.pdfs import pdf, prose


def test_a_document_says_its_title_properties_and_language() -> None:
    info = "/Title(The Report)/Author(Ann)/CreationDate(D:20230201093000Z)/ModDate(D:2024)"
    found = read(prose(), info=info, catalog="/Lang(en-GB)")
    assert (found.title, found.language) == ("The Report", "en-GB")
    assert found.properties == {
        "title": "The Report",
        "author": "Ann",
        "created": "2023-02-01T09:30:00Z",
        "modified": "2024",
    }
    assert (found.coverage.pages, found.coverage.read, found.coverage.complete) == (1, 1, True)


@pytest.mark.parametrize("title", ["Untitled", "report.docx", "Microsoft Word - report.doc", "42", ""])
def test_a_title_that_a_program_made_is_none(title: str) -> None:
    assert read(prose(), info=f"/Title({title})").title is None


def test_odd_dates_and_languages_are_left_out() -> None:
    found = read(prose(), info="/CreationDate(yesterday)", catalog="/Lang(no language at all)")
    assert (found.language, dict(found.properties)) == (None, {})


@pytest.mark.parametrize(
    ("written", "created"),
    [
        ("D:20230201093000+01'00'", "2023-02-01T08:30:00Z"),
        ("D:20230201003000+05'30", "2023-01-31T19:00:00Z"),
        ("D:202302010930-0800", "2023-02-01T17:30:00Z"),
        ("D:20230201093000+02", "2023-02-01T07:30:00Z"),
        ("D:20230201093000Z00'00'", "2023-02-01T09:30:00Z"),
        ("D:20230201093000", "2023-02-01T09:30:00"),
        ("D:20231301093000+01'00'", "2023-13-01T09:30:00"),
    ],
)
def test_a_date_is_in_utc_if_it_names_its_zone(written: str, created: str) -> None:
    assert read(prose(), info=f"/CreationDate({written})").properties["created"] == created


def labels(numbers: str, pages: int = 6) -> str | None:
    """The property of a document whose labels are given as PDF source; its pages keep their numbers."""
    data = pdf(*[prose()] * pages, catalog=f"/PageLabels<</Nums[{numbers}]>>")
    head, *found = reader_read(Blob("a.pdf", data), ReadOptions(), Call())
    assert isinstance(head, Head)
    assert [page.number for page in found if isinstance(page, Page)] == list(range(1, pages + 1))
    return head.properties.get("page_labels")


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ("0<</S/r>>4<</S/D>>", "1–4: i–iv, 5–6: 1–2"),
        ("0<</P(Cover)>>1<</S/D>>", "1: Cover, 2–6: 1–5"),
        ("0<</S/D/St 8>>", "1–6: 8–13"),
        ("0<</S/R/P(A-)/St 38>>", "1–6: A-XXXVIII–A-XLIII"),
        ("0<</S/D/P(B.)>>3<</S/D/P(C.)>>", "1–3: B.1–B.3, 4–6: C.1–C.3"),
        ("0<</S/A>>1<</S/D/St 2>>", "1: A, 2–6: 2–6"),
    ],
    ids=["front matter", "cover", "later start", "capitals", "prefixes", "letter"],
)
def test_labels_are_said_by_runs(numbers: str, said: str) -> None:
    assert labels(numbers) == said


@pytest.mark.parametrize("numbers", ["0<</S/D>>", "0<<>>", "", "0 1"], ids=["numbers", "empty", "none", "odd"])
def test_labels_that_say_nothing_new_are_no_property(numbers: str) -> None:
    assert labels(numbers) is None


def test_a_label_of_more_than_a_line_is_left_out() -> None:
    assert labels(f"0<</P({'x' * 500})>>1<</S/D>>") == "2–6: 1–5"


def test_very_many_runs_are_cut() -> None:
    pages = MAX_RUNS + 5
    said = labels("".join(f"{n}<</P(p{2 * n})>>" for n in range(pages)), pages)
    assert said is not None and said.endswith(f"{MAX_RUNS}: p{2 * MAX_RUNS - 2}, and 5 more")
