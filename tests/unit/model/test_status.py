from pincite.model.status import iso


def test_a_time_is_shown_in_utc_with_milliseconds() -> None:
    assert iso(0) == "1970-01-01T00:00:00.000Z"
    assert iso(1_700_000_000.5) == "2023-11-14T22:13:20.500Z"
