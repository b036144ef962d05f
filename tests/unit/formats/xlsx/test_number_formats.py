import pytest

from pincite.formats.xlsx.number_formats import DateKind, date_kind, date_text, general, number_text


@pytest.mark.parametrize(
    ("value", "code", "expected"),
    [
        (0.125, "0%", "13%"),
        (0.125, "0.0%", "12.5%"),
        (-0.5, "0%", "-50%"),
        (1234.5, "#,##0.00", "1,234.50"),
        (1234567.891, "#,##0", "1,234,568"),
        (0.5, "#,##0", "1"),
        (2.5, "0", "3"),
        (0, "#,##0.00", "0.00"),
        (0, "#", ""),
        (0.25, "#.##", ".25"),
        (3, "0.0##", "3.0"),
        (5, "000", "005"),
        (1234, '"$"#,##0.00', "$1,234.00"),
        (-1234, '"$"#,##0.00;[Red]("$"#,##0.00)', "($1,234.00)"),
        (1234.5, "[$€-407]#,##0.00", "€1,234.50"),
        (1234.5, '#,##0.00 "€"', "1,234.50 €"),
        (1234.5, "#,##0.00\\ [$EUR]", "1,234.50 EUR"),
        (-3, '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-', "-3.00"),
        (0, '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-', "-"),
        (0, '0.0;-0.0;"none"', "none"),
        (12345, "0.00E+00", "1.23E+04"),
        (0.00012, "0.0E-0", "1.2E-4"),
        (1_500_000, '0.0,,"M"', "1.5M"),
        (1_500_000, '#,##0,"k"', "1,500k"),
        (7, '0" pieces"', "7 pieces"),
        (1e300, "0.00", "1" + "0" * 300 + ".00"),
    ],
)
def test_a_number_is_shown_as_its_format_says(value: float, code: str, expected: str) -> None:
    assert number_text(value, code) == expected


@pytest.mark.parametrize(
    "code", ["", "General", "@", "# ?/?", "000-00-0000", "[>=100]0;0.0", '"x";', ";;;", "0." + "0" * 40, "General;-0"]
)
def test_a_format_that_is_not_understood_leaves_the_number_as_it_is(code: str) -> None:
    assert number_text(5, code) in (None, "x")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_has_no_text(value: float) -> None:
    assert number_text(value, "0.00") is None
    assert date_text(value, DateKind.DATE) is None
    assert date_text(value, DateKind.ELAPSED) is None


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("yyyy-mm-dd", DateKind.DATE),
        ("d.m.yy", DateKind.DATE),
        ("mmm-yy", DateKind.DATE),
        ("mmmm", DateKind.DATE),
        ('[$-407]d. mmmm yyyy;"@"', DateKind.DATE),
        ("h:mm AM/PM", DateKind.TIME),
        ("mm:ss.0", DateKind.TIME),
        ("m/d/yy h:mm", DateKind.BOTH),
        ("[h]:mm:ss", DateKind.ELAPSED),
        ("[mm]:ss", DateKind.ELAPSED),
        ("0.00", None),
        ('0 "days"', None),
        ("[Red]0", None),
        ("General", None),
        ("\\d0", None),
    ],
)
def test_a_format_shows_a_date_a_time_or_none(code: str, kind: DateKind | None) -> None:
    assert date_kind(code) is kind


@pytest.mark.parametrize(
    ("serial", "kind", "expected"),
    [
        (45292, DateKind.DATE, "2024-01-01"),
        (45292.75, DateKind.DATE, "2024-01-01"),
        (45292, DateKind.BOTH, "2024-01-01 00:00:00"),
        (45292.5729166667, DateKind.BOTH, "2024-01-01 13:45:00"),
        (0.5, DateKind.TIME, "12:00:00"),
        (0.50000578, DateKind.TIME, "12:00:00.499"),
        (45292.5, DateKind.TIME, "2024-01-01 12:00:00"),
        (1, DateKind.DATE, "1900-01-01"),
        (59, DateKind.DATE, "1900-02-28"),
        (61, DateKind.DATE, "1900-03-01"),
        (1.5, DateKind.ELAPSED, "36:00:00"),
        (-0.25, DateKind.ELAPSED, "-6:00:00"),
        (-1, DateKind.DATE, None),
        (1e9, DateKind.DATE, None),
    ],
)
def test_a_serial_date_is_iso(serial: float, kind: DateKind, expected: str | None) -> None:
    assert date_text(serial, kind) == expected


def test_dates_may_count_from_1904() -> None:
    assert date_text(43830, DateKind.DATE, from_1904=True) == "2024-01-01"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1.0, "1"), (0.1 + 0.2, "0.3"), (1e20, "1e+20"), (2.0**53 - 1, "9007199254740991"), (-0.5, "-0.5"), (0.0, "0")],
)
def test_a_number_without_a_format_has_15_digits(value: float, expected: str) -> None:
    assert general(value) == expected
