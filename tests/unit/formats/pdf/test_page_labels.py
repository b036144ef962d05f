"""What is printed on pages as their numbers: a property of the document."""

import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.page_labels import MAX_RUNS
from pincite.formats.pdf.reader import read
from pincite.model.call import Call
from pincite.model.document import Head, Page
from support.pdfs import pdf, prose


def labels(numbers: str, pages: int = 6) -> str | None:
    """The property of a document whose labels are given as PDF source; its pages keep their numbers."""
    data = pdf(*[prose()] * pages, catalog=f"/PageLabels<</Nums[{numbers}]>>")
    head, *found = read(Blob("a.pdf", data), ReadOptions(), Call())
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
