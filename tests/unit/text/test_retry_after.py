import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from pincite.text.retry_after import seconds_asked


@pytest.mark.parametrize(("header", "seconds"), [("7", 7.0), (" 0.5 ", 0.5), ("9" * 400, 1e9)])
def test_a_number_is_seconds(header: str, seconds: float) -> None:
    assert seconds_asked(header) == seconds


def test_a_date_is_the_seconds_until_then() -> None:
    coming = datetime.fromtimestamp(time.time(), UTC) + timedelta(minutes=2)
    for header in (format_datetime(coming, usegmt=True), format_datetime(coming.replace(tzinfo=None))):
        assert 60 < (seconds_asked(header) or 0) <= 120
    assert seconds_asked("Wed, 21 Oct 2015 07:28:00 GMT") == 0


@pytest.mark.parametrize("header", ["", "soon", "-5", "nan", "inf", "\u0665", "Fri, 31 Dec 9999 99:99:99 GMT"])
def test_anything_else_says_nothing(header: str) -> None:
    assert seconds_asked(header) is None
