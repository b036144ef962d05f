import json
from dataclasses import asdict, replace

import pytest

from pincite.model.document import Box, Coverage, PageFailure, RecognisedSpan
from support.cut_documents import document

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


def test_a_text_from_a_picture_inside_a_page_is_named_where_it_is_quoted() -> None:
    coverage = Coverage(pages=9, read=9, ocr=2, ocr_pages=(2,), ocr_spans=(RecognisedSpan(100, 150, 0.9),))
    assert "of page 2 was" in (coverage.recognised() or "")
    assert "of page 2 was" in (coverage.recognised([1, 2], [(0, 90)]) or "")
    assert (coverage.recognised([7], [(140, 200)]) or "").startswith("A part of the text was recognised in a picture")
    assert coverage.recognised([7], [(0, 100), (150, 200)]) is None


def test_a_coverage_is_restored_from_json() -> None:
    full = Coverage(failed=failed(1), ocr=2, ocr_pages=(2,), ocr_spans=(RecognisedSpan(1, 2, 0.9),), unread_pictures=3)
    assert Coverage.from_values(json.loads(json.dumps(asdict(full)))) == full
    assert Coverage.from_values({"failed": [], "limits_hit": ["a"]}) == Coverage(limits_hit=("a",))


def test_the_union_of_two_boxes_is_the_smallest_box_around_both() -> None:
    assert Box(1, 5, 4, 6).union(Box(2, 3, 8, 4)) == Box(1, 3, 8, 6)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The pump\n standard\n\nVersion 2\n\n# 1 Introduction\n", "The Pump Standard"),
        ("# 1 Introduction\n\nThe pump standard\n", "1 Introduction"),
        ("This is the pump standard.\n\n# 1 Introduction\n", "1 Introduction"),
        ("---\ntitle: The Pump Standard\n---\n\n# Pumps\n", "Pumps"),
        ("## Second\n", "The Pump Standard"),
    ],
)
def test_the_title_of_a_title_page_comes_before_the_first_heading(text: str, title: str) -> None:
    assert replace(document(text), title="The Pump Standard").display_title == title
    assert replace(document(text), title=None).display_title == document(text).first_h1
