from pincite.formats.html.spans import between, merged_spans


def test_spans_that_overlap_or_adjoin_are_one() -> None:
    assert list(merged_spans([(5, 7), (0, 2), (1, 4), (7, 8)])) == [(0, 4), (5, 8)]
    assert list(merged_spans([])) == []


def test_what_spans_leave_is_in_order_and_ends_with_the_page() -> None:
    assert list(between(1, 10, [(4, 6), (0, 2), (5, 7)])) == [(2, 4), (7, 10)]
    assert list(between(1, 3, [(0, 9)])) == []
