"""The header `Retry-After` (RFC 9110, 10.2.3), which has a number of seconds or a date."""

import re
import time
from datetime import UTC
from email.utils import parsedate_to_datetime

_NUMBER = re.compile(r"\d+(?:\.\d+)?", re.ASCII)
_MAX_SECONDS = 1e9


def seconds_asked(header: str) -> float | None:
    """Return the seconds that a server asks to wait; None if it does not say so."""
    if _NUMBER.fullmatch(header.strip()):
        return min(float(header), _MAX_SECONDS)
    try:
        date = parsedate_to_datetime(header)
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - time.time())
