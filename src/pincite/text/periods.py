"""Tell which years a name, a header or a value speaks of."""

import re

from pincite.text.values.dates import read_dates

_YEAR = re.compile(r"(?<![\d.,])(?P<year>(?:19|20)\d\d)(?:[/-](?P<end>\d{2}|(?:19|20)\d\d))?(?![\d]|[.,]\d)")
_SHORT_YEAR = re.compile(r"(?:^|[^a-z])(?:fy|cy|gj)[\s_']?(?P<year>\d\d)(?!\d)", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_YEAR_FIELD = re.compile(r"(?:^|[_\s-])(?:year|jahr|année|annee|año|anno|jaar)\Z|jahr\Z")
_PERIOD_FIELD = re.compile(
    r"(?:^|[_\s-])(?:(?:fiscal|financial|reporting)[_\s-])(?:period|year)(?:[_\s-]end(?:ed|ing)?)?(?:[_\s-]date)?\Z"
    r"|(?:^|[_\s-])(?:period|year)[_\s-]end(?:ed|ing)?(?:[_\s-]date)?\Z|balance[_\s-]sheet[_\s-]date\Z|\Aas[_\s-]of"
    r"(?:[_\s-]date)?\Z|stichtag\Z"
)
_OTHER_PERIOD = re.compile(
    r"(?<![a-z])(?:prior|previous|preceding|last[_\s-]year|comparative|change|growth|trend|history|vorjahr\w*|vorperiode"
    r"|précédent\w*|anterior|precedente|vorig\w*)(?![a-z])",
    re.IGNORECASE,
)


def is_year_field(name: str) -> bool:
    """Return True if a field's name says that its value is a year."""
    return _YEAR_FIELD.search(_words(name)) is not None


def is_period_field(name: str) -> bool:
    """Return True if a field's value is the period that the figures of its record are of: a year, or its last day."""
    return is_year_field(name) or _PERIOD_FIELD.search(_words(name)) is not None


def is_of_another_period(name: str) -> bool:
    """Return True if a field's name sets it against the record's period: `prior_year_revenue`, `growth`."""
    return _OTHER_PERIOD.search(_words(name)) is not None


def years_in(text: str) -> frozenset[str]:
    """Return the years that a text names: both of `2023/24`, also the years of `FY24` and of a date."""
    years = {str(day.year) for dates in read_dates(text) for day in dates.readings}
    for match in _YEAR.finditer(text):
        years.add(match["year"])
        if match["end"] and int(match["end"][-2:]) == (int(match["year"]) + 1) % 100:
            years.add(str(int(match["year"]) + 1))
    years.update(f"20{match['year']}" for match in _SHORT_YEAR.finditer(text))
    return frozenset(years)


def _words(name: str) -> str:
    return _CAMEL.sub("_", name).lower()
