"""JSON from outside, as every program reads it: valid Unicode and finite numbers alone (RFC 8259, I-JSON)."""

import json
from typing import Any

from pincite.errors import InvalidInput

BYTE_ORDER_MARK = "\ufeff"


def from_utf8(data: bytes | bytearray, name: str) -> str:
    """Return a text, without the byte order mark that editors write.

    Args:
        data: The text in UTF-8.
        name: What it is, for the message.

    Raises:
        InvalidInput: It is in another encoding.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"The {name} is not UTF-8 (byte {error.start:,}). Save it as UTF-8.") from None


def read_json(text: str) -> Any:
    """Return the value of a JSON text, which may begin with a byte order mark.

    Raises:
        ValueError: It is no JSON, nested too deep, or not interoperable; see `check_json`.
    """
    try:
        value = json.loads(text.removeprefix(BYTE_ORDER_MARK))
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    check_json(value)
    return value


def check_json(value: object) -> None:
    """Check that a value can be written as JSON and read by every program.

    Raises:
        ValueError: It has a lone surrogate, a number that is not finite (`NaN`, `1e999`), or one of thousands of
            digits; or it is nested too deep.
    """
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False, skipkeys=True, default=str).encode()
    except UnicodeEncodeError:
        raise ValueError("it has half of a surrogate pair, which is no character") from None
    except RecursionError:
        raise ValueError("it is nested too deep") from None
