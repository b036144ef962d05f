"""Make ULIDs: identifiers of 26 characters that sort by time (github.com/ulid/spec)."""

import secrets
import threading
import time

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, without the letters that are taken for digits."""

LENGTH = 26
_RANDOM_BITS = 80

_lock = threading.Lock()
_last = 0


def new_ulid() -> str:
    """Return an identifier greater than all others of this process."""
    global _last  # noqa: PLW0603 - the order of identifiers within a millisecond is the process's
    with _lock:
        number = (time.time_ns() // 1_000_000) << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS)
        # Within a millisecond, or after the clock was set back, the next number after the last.
        _last = max(number, _last + 1)
        return encode(_last)


def encode(number: int) -> str:
    """Return a number of 128 bits in Crockford's base 32."""
    return "".join(ALPHABET[number >> 5 * digit & 31] for digit in reversed(range(LENGTH)))
