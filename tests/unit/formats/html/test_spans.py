from pincite.formats.html.spans import between


def test_what_spans_leave_is_in_order_and_ends_with_the_page() -> None:
    assert list(between(1, 10, [(4, 6), (0, 2), (5, 7)])) == [(2, 4), (7, 10)]
    assert list(between(1, 3, [(0, 9)])) == []
