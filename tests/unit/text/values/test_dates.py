from datetime import date

import pytest

from pincite.text.values.dates import DateOrder, date_order, read_dates


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2018-03-05", (2018, 3, 5)),
        ("Rechnung vom 05.03.2018", (2018, 3, 5)),
        ("19 april 2014", (2014, 4, 19)),
        ("July 2, 2015", (2015, 7, 2)),
        ("Expires March 30. 2021", (2021, 3, 30)),
        ("2 juillet 2015", (2015, 7, 2)),
        ("1er mars 2020", (2020, 3, 1)),
        ("3. Oktober 1999", (1999, 10, 3)),
        ("12 de mayo de 2020", (2020, 5, 12)),
        ("2024年3月5日", (2024, 3, 5)),
        ("5-Jan-18", (2018, 1, 5)),
        ("05.03.98", (1998, 3, 5)),
        ("31/12/2024", (2024, 12, 31)),
    ],
)
def test_dates_as_they_are_printed(text: str, day: tuple[int, int, int]) -> None:
    (found,) = read_dates(text)
    assert found.readings == {date(*day)}
    assert text[found.start : found.end] in text


def test_a_date_of_unknown_order_has_two_readings() -> None:
    (found,) = read_dates("03/04/2024")
    assert found.readings == {date(2024, 4, 3), date(2024, 3, 4)}


@pytest.mark.parametrize("text", ["31.02.2018", "1.2.3", "12-34-5678", "2018", "may be", "99/99/99"])
def test_what_is_on_no_calendar_is_no_date(text: str) -> None:
    assert list(read_dates(text)) == []


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("03/04/2024 and 25/12/2024", DateOrder.DAY_FIRST, (2024, 4, 3)),
        ("03/04/2024 and 12/25/2024", DateOrder.MONTH_FIRST, (2024, 3, 4)),
        ("03.04.2024 and 12/25/2024", DateOrder.MONTH_FIRST, (2024, 4, 3)),
    ],
)
def test_a_date_that_can_be_read_in_one_way_tells_the_order_of_the_others(
    text: str, order: DateOrder, day: tuple[int, int, int]
) -> None:
    assert date_order(text) is order
    assert next(read_dates(text, order)).readings == {date(*day)}


@pytest.mark.parametrize("text", ["03/04/2024", "25/12/2024 and 12/25/2024", "2024-03-05", "none"])
def test_an_order_may_stay_unknown(text: str) -> None:
    assert date_order(text) is DateOrder.UNKNOWN
