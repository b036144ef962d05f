"""Format cell values as text."""

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

from pincite.formats.xlsx.number_formats import general


def show(value: object) -> str:
    """Return a value as text: numbers without `.0`, dates and times in ISO form, TRUE and FALSE."""
    return _FORMATTERS.get(type(value), str)(value)


def _time(value: time) -> str:
    return value.isoformat("milliseconds" if value.microsecond else "seconds")


def _datetime(value: datetime) -> str:
    return value.isoformat(" ", "milliseconds" if value.microsecond else "seconds")


def _timedelta(value: timedelta) -> str:
    seconds = round(abs(value.total_seconds()))
    sign = "-" if value < timedelta() else ""
    return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _bool(value: bool) -> str:
    return "TRUE" if value else "FALSE"


_FORMATTERS: dict[type, Callable[[Any], str]] = {
    float: general,
    int: str,
    bool: _bool,
    datetime: _datetime,
    date: date.isoformat,
    time: _time,
    timedelta: _timedelta,
    str: str,
}
