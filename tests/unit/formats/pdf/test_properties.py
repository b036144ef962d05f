import pytest

from support.pdf_read import read
from support.pdfs import prose


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
