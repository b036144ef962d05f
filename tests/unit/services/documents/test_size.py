"""How much memory a document is estimated to take."""

import tracemalloc
from dataclasses import replace

import pytest

from pincite.services.documents.size import document_bytes
from support.cut_documents import document

TABLE = "| a | b |\n|---|---|\n" + "| cell | another |\n" * 500
PROSE = "".join(f"# Part {n}\n\nWords of a paragraph that is long enough to be one.\n\n" for n in range(500))


@pytest.mark.parametrize("text", [TABLE, PROSE])
def test_it_is_of_the_order_of_what_is_allocated(text: str) -> None:
    document("warm up\n")
    tracemalloc.start()
    try:
        made = document(text)
        allocated, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert allocated / 5 < document_bytes(made) < allocated * 5


def test_all_of_a_document_counts() -> None:
    small = document_bytes(document("# A\n"))
    assert small < document_bytes(document("# A\n\ntext\n")) < document_bytes(document(PROSE))
    made = document(PROSE)
    assert document_bytes(replace(made, text=made.text * 2)) == document_bytes(made) + 2 * len(made.text)
