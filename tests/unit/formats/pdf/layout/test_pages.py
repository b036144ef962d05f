from collections import Counter
from contextlib import AbstractContextManager
from typing import Any

import pytest

from pincite.formats.pdf.page.page import PdfPage, open_page
from pincite.formats.pdf.page.pdfium import Handle
from pincite.model.document import AsideKind
from support.pdf_read import document
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
