import re
from pathlib import Path

import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.reader import read as read_pdf
from pincite.model.call import Call
from support.pdf_read import ENCRYPTED, document
from support.pdfs import column, pdf, prose


def test_bytes_before_the_file_do_no_harm() -> None:
    assert document(pdf(prose(), header=b"\x00" * 500)).text


def test_a_file_whose_first_line_is_missing_is_read() -> None:
    whole = pdf(prose())
    cut = whole[whole.index(b"obj") - 4 :]
    assert document(b"%\xe2\xe3\xcf\xd3\n" + cut).text == document(whole).text


def test_what_is_no_pdf_is_refused() -> None:
    with pytest.raises(Unsupported, match="not a PDF"):
        list(read_pdf(Blob("a.pdf", b"hello"), ReadOptions(), Call()))


def test_a_file_that_cannot_be_opened_is_refused() -> None:
    with pytest.raises(InvalidInput, match="damaged"):
        document(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(100))


@pytest.mark.parametrize("lost", [b"xref\n0", b"/Type/Catalog", b"/Type/Pages"], ids=["trailer", "catalog", "pages"])
def test_a_file_whose_end_is_missing_is_read_as_far_as_it_goes(lost: bytes) -> None:
    whole = pdf(*[column(f"This is page {number}.", y=300) for number in range(1, 5)])
    found = document(whole[: whole.rindex(lost)])
    assert found.text.count("This is page") == 4
    assert [failure.page for failure in found.coverage.failed] == [None]
    assert "end is missing" in found.coverage.failed[0].reason


def test_a_file_that_claims_pages_it_has_not_is_given_up_soon() -> None:
    found = document(re.sub(rb"/Count 1/Kids\[\d+ 0 R\]", b"/Count 900/Kids[13 0 R]", pdf(prose())))
    assert found.coverage.pages == 900
    assert len(found.coverage.failed) == 51
    assert "others were not tried" in found.coverage.failed[-1].reason


def test_a_file_without_pages_says_so() -> None:
    assert "no pages" in document(pdf()).coverage.failed[0].reason


@pytest.mark.data
@pytest.mark.parametrize("name", sorted(ENCRYPTED))
def test_encrypted_files_are_refused_with_advice(data: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"encrypted.*without a password"):
        document((data / "hostile" / name).read_bytes())
