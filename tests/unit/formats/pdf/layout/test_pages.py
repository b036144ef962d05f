from collections import Counter
from contextlib import AbstractContextManager
from typing import Any

import pytest

from pincite.formats.pdf.layout.pages import PAGES_PER_RUN, SURVEY_RUNS, sample_runs
from pincite.formats.pdf.page.page import PdfPage, open_page
from pincite.formats.pdf.page.pdfium import Handle
from pincite.model.document import AsideKind, BlockKind
from support.pdf_read import blocks, document, read
from support.pdfs import Text, pdf, prose


def test_a_long_document_is_read_page_by_page() -> None:
    pages = [
        [*prose(), Text(f"Part {n}", y=130, font="B"), *prose(y=160), Text(str(n), x=300, y=770)] for n in range(70)
    ]
    found = document(pdf(*pages))
    assert [section.path[-1] for section in found.sections if section.path] == [f"Part {n}" for n in range(70)]
    assert sum(aside.kind is AsideKind.FOOTER for aside in found.asides) == 70


def test_each_page_of_a_long_document_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: Counter[int] = Counter()

    def count(document: Handle, number: int, *rest: Any) -> AbstractContextManager[PdfPage]:
        opened[number] += 1
        return open_page(document, number, *rest)

    monkeypatch.setattr("pincite.formats.pdf.document.open_page", count)
    assert document(pdf(*([Text(f"Words of page {n}", y=90 + n)] for n in range(60)))).coverage.complete
    assert opened == Counter(range(1, 61))


def test_a_long_document_is_looked_at_in_runs() -> None:
    runs = sample_runs(1000)
    assert len(runs) == SURVEY_RUNS and all(len(run) == PAGES_PER_RUN for run in runs)
    assert (runs[0].start, runs[-1].stop) == (1, 1001)
    assert [number for run in sample_runs(20) for number in run] == list(range(1, 21))


def table(rows: int = 40) -> list[Text]:
    labels = [f"The label of value number {row} of all those that the table has" for row in range(rows)]
    return [
        text
        for row, label in enumerate(labels)
        for text in (
            Text(label, y=200 + 9 * row, size=6),
            Text(f"{row},120", x=400, y=200 + 9 * row, size=6),
            Text(f"{row},450", x=460, y=200 + 9 * row, size=6),
        )
    ]


def test_the_text_beside_tables_in_small_type_is_none_of_the_headings() -> None:
    found = read([Text("Values", y=72, font="B", size=14), *prose(y=90, times=2), *table()])
    assert {block.kind for block in blocks(found)} == {BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.TABLE}
    assert [block.title for block in blocks(found) if block.kind is BlockKind.HEADING] == ["Values"]


def test_a_head_in_larger_type_than_tables_and_smaller_than_text_is_no_heading() -> None:
    page = [Text("Journal of Studies", y=20, size=8, font="I"), *table(15), *prose(y=400, times=4)]
    found = read(page, page, page)
    assert {block.kind for block in blocks(found)} == {BlockKind.PARAGRAPH, BlockKind.TABLE}
