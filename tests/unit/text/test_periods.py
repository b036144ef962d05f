"""Which years names, headers and values speak of."""

import pytest

from pincite.text.periods import is_of_another_period, is_period_field, is_year_field, years_in


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("revenue_2024", {"2024"}),
        ("FY24", {"2024"}),
        ("revenue_fy24", {"2024"}),
        ("2023/24", {"2023", "2024"}),
        ("31.12.2024", {"2024"}),
        ("Year ended December 31, 2023", {"2023"}),
        ("2024 and 2023", {"2024", "2023"}),
        ("12,024 kW", set[str]()),
        ("part 20241", set[str]()),
        ("20.24", set[str]()),
    ],
)
def test_years_are_those_that_a_text_names(text: str, years: set[str]) -> None:
    assert years_in(text) == years


def test_a_field_of_a_year_or_period_is_recognised_by_its_name() -> None:
    assert all(is_year_field(name) for name in ("year", "fiscal_year", "fiscalYear", "Geschäftsjahr", "exercice_année"))
    assert not any(is_year_field(name) for name in ("yearly_fee", "revenue", "year_end"))
    assert all(is_period_field(name) for name in ("fiscal_year", "period_end", "fiscalYearEnd", "as_of", "Stichtag"))
    assert not any(is_period_field(name) for name in ("payment_period_days", "issue_date", "date"))


def test_a_field_of_another_period_is_recognised_by_its_name() -> None:
    assert all(
        is_of_another_period(name) for name in ("prior_year_revenue", "umsatz_vorjahr", "growth", "revenueChange")
    )
    assert not any(is_of_another_period(name) for name in ("revenue", "fiscal_year", "exchange_rate"))
