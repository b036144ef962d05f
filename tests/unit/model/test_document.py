import pytest

from pincite.model.document import Coverage, PageFailure

SAID = "Not all of this document was read"


def failed(*pages: int | None, reason: str = "no text layer") -> tuple[PageFailure, ...]:
    return tuple(PageFailure(page, reason) for page in pages)


@pytest.mark.parametrize(
    ("coverage", "sentence"),
    [
        (Coverage(pages=3, read=3), None),
        (Coverage(failed=failed(None)), f"{SAID}: no text layer."),
        (Coverage(failed=failed(4)), f"{SAID} (page 4): no text layer."),
        (Coverage(failed=failed(9, 4, 4)), f"{SAID} (pages 4, 9): no text layer."),
        (
            Coverage(failed=failed(1, 2, 3, 4, 5)),
            f"{SAID} (pages 1, 2, 3 and 2 more): no text layer.",
        ),
        (
            Coverage(failed=failed(None, reason="a."), limits_hit=("max_blocks",)),
            f"{SAID}: a; cut by the limit max_blocks.",
        ),
        (
            Coverage(limits_hit=("a", "b", "c", "d", "e")),
            f"{SAID}: cut by the limit a; cut by the limit b; cut by the limit c; and 2 more.",
        ),
    ],
)
def test_what_was_not_read_is_said_in_one_sentence(coverage: Coverage, sentence: str | None) -> None:
    assert coverage.shortfall == sentence


def test_recognised_pages_are_named_where_they_are_quoted() -> None:
    coverage = Coverage(pages=9, read=9, ocr=3, ocr_pages=(2, 3, 7))
    sentence = "The text of pages 2, 3, 7 was recognised in a picture (OCR) and may have errors: "
    assert coverage.recognised() == f"{sentence}check numbers against the page."
    assert "of page 3 was" in (coverage.recognised([3, 4]) or "")
    assert coverage.recognised([1]) is None
    assert Coverage().recognised() is None
    assert (Coverage(ocr=1).recognised([]) or "").startswith("The text was recognised")
