r"""Parse lines into JSON-RPC messages, or refuse them with a JSON-RPC 2.0 error.

The SDK drops a line that it cannot parse, so its sender waits for ever, and treats a request whose id is neither a
string nor an integer as a notification.
"""

import math
import re
from dataclasses import dataclass
from typing import Any, cast

import mcp_types as types
from pydantic_core import PydanticSerializationError, from_json, to_json

from pincite.errors import PinciteError
from pincite.text.excerpt import excerpt, well_formed

Id = str | int | float | None

ID_SEARCH_CHARS = 4_096
"""Characters at each end of an invalid line that are searched for its id: clients write it first or last, and a search
through megabytes would delay every other message."""

MAX_ERROR_DATA_BYTES = 4_000
"""Larger `data` of an error is omitted."""

_HEX = "[0-9a-fA-F]{2}"
_ESCAPE = re.compile(
    rf"(?<!\\)(?P<backslashes>(?:\\\\)*+)\\u[dD](?:(?P<pair>[89abAB]{_HEX}\\u[dD][c-fC-F]{_HEX})|[89a-fA-F]{_HEX})"
)
"""A surrogate in a JSON string, or both halves of a pair."""

_OVER_LIMITS = ("recursion limit exceeded", "number out of range")
"""Prefixes of the parser's errors for JSON that is well formed but exceeds its limits."""

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_ID = rf"(?P<id>{_STRING}|-?\d{{1,300}}(?:\.\d{{1,300}})?(?:[eE][-+]?\d{{1,3}})?)"
_FIRST = re.compile(rf'\s*\{{\s*(?:"(?:jsonrpc|method)"\s*:\s*{_STRING}\s*,\s*)*+"id"\s*:\s*{_ID}\s*[,}}]')
_SCALAR = rf"{_STRING}|-?[0-9.eE+-]+|true|false|null"
_LAST = re.compile(rf'(?<=[{{,\s])"id"\s*:\s*{_ID}\s*(?:,\s*{_STRING}\s*:\s*(?:{_SCALAR})\s*)*+\}}\s*\Z')


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that is not a valid message.

    Attributes:
        code: The JSON-RPC error code.
        message: What is wrong with the line; repeats nothing of it.
        id: The id of the request; None if it cannot be read.
        is_answered: False for notifications and responses, which get no answer in JSON-RPC.
    """

    code: int
    message: str
    id: Id = None
    is_answered: bool = True

    def encoded(self) -> bytes:
        """Return the error response."""
        return to_json({"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.message}})


def parse(line: bytes) -> types.JSONRPCMessage | Refusal:
    """Parse one line; invalid UTF-8 and lone surrogates become U+FFFD."""
    text = line.decode("utf-8", "replace")
    try:
        message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        return _repaired(text)
    is_notification = isinstance(message, types.JSONRPCNotification)
    return (refusal_of(from_json(text)) if is_notification else None) or message


def repaired(body: bytes) -> bytes:
    """Return a JSON body with U+FFFD for each lone surrogate and for invalid UTF-8, as `parse` takes a line."""
    return _ESCAPE.sub(_replaced, body.decode("utf-8", "replace")).encode()


def refusal_of(message: object) -> Refusal | None:
    """Return the refusal of a decoded request whose id is neither text nor a whole number: the SDK takes it for a
    notification, and its sender waits for ever. None for everything else.
    """
    members = cast("dict[str, Any]", message) if isinstance(message, dict) else {}
    number = members.get("id", "")
    is_valid = isinstance(number, str | int) and not isinstance(number, bool)
    return None if is_valid or "method" not in members else _refused(members)


def too_long(start: bytes, end: bytes, max_bytes: int) -> Refusal:
    """Refuse a line of more than `max_bytes`, of which only both ends are known."""
    message = f"The message has more than {max_bytes} bytes"
    return Refusal(
        types.INVALID_REQUEST, message, _id(start.decode("utf-8", "replace"), end.decode("utf-8", "replace"))
    )


def encode(message: types.JSONRPCMessage) -> bytes:
    """Return the message as JSON on one line; lone surrogates, as file names may contain, become U+FFFD.

    Shorten errors: the SDK's repeat what the client sent (a method name, for example).
    """
    if isinstance(message, types.JSONRPCError):
        message = message.model_copy(update={"error": _bounded(message.error)})
    try:
        return type(message).__pydantic_serializer__.to_json(message, by_alias=True, exclude_unset=True)
    except PydanticSerializationError:
        return to_json(well_formed(message.model_dump(by_alias=True, exclude_unset=True)))


def _bounded(error: types.ErrorData) -> types.ErrorData:
    """Shorten the message and the data of an error."""
    data = excerpt(error.data) if isinstance(error.data, str) else error.data
    if data is not None and len(to_json(data, serialize_unknown=True)) > MAX_ERROR_DATA_BYTES:
        data = None
    given = {"data": data} if "data" in error.model_fields_set else {}
    return types.ErrorData(code=error.code, message=excerpt(error.message, PinciteError.max_chars), **given)


def _repaired(text: str) -> types.JSONRPCMessage | Refusal:
    r"""Parse an invalid line again with `\ufffd` for each lone surrogate; refuse it if that does not help."""
    repaired = _ESCAPE.sub(_replaced, text)
    if repaired != text:
        return parse(repaired.encode())
    try:
        members = from_json(text)
    except ValueError as error:
        if str(error).startswith(_OVER_LIMITS):
            message = "Parse error: the line is nested too deeply or holds a number that is too long"
            return Refusal(types.PARSE_ERROR, message, _id(text[:ID_SEARCH_CHARS], text[-ID_SEARCH_CHARS:]))
        # An incomplete message: the id at its end may belong to an argument, so search only its start.
        return Refusal(types.PARSE_ERROR, "Parse error: the line is no JSON", _id(text[:ID_SEARCH_CHARS], ""))
    return _refused(members)


def _replaced(escape: re.Match[str]) -> str:
    return escape[0] if escape["pair"] else escape["backslashes"] + r"\ufffd"


def _refused(parsed: Any) -> Refusal:
    """Refuse JSON that is not a message, with the reason."""
    if isinstance(parsed, list):
        return Refusal(types.INVALID_REQUEST, "Invalid request: batches are not supported, send one message a line")
    if not isinstance(parsed, dict):
        return Refusal(types.INVALID_REQUEST, "Invalid request: a message is a JSON object")
    members = cast("dict[str, Any]", parsed)
    method, given = members.get("method"), members.get("id")
    readable = isinstance(given, str | int) and not isinstance(given, bool)
    number = given if readable or (isinstance(given, float) and math.isfinite(given)) else None
    is_response = "method" not in members and ("result" in members or "error" in members)
    is_answered = not is_response and ("id" in members or not isinstance(method, str))
    code, problem = _problem(members)
    return Refusal(code, problem, number, is_answered)


def _problem(members: dict[str, Any]) -> tuple[int, str]:
    if members.get("jsonrpc") != "2.0":
        return types.INVALID_REQUEST, 'Invalid request: jsonrpc should be "2.0"'
    if not isinstance(members.get("method"), str):
        return types.INVALID_REQUEST, "Invalid request: method should be text"
    given = members.get("id", "")
    if isinstance(given, bool) or not isinstance(given, str | int):
        return types.INVALID_REQUEST, "Invalid request: id should be text or a whole number"
    return types.INVALID_PARAMS, "Invalid params: params should be an object"


def _id(start: str, end: str) -> Id:
    """Return the id at one end of an invalid line, never the member `id` of an argument."""
    match = _FIRST.match(start) or _LAST.search(end)
    if match is None:
        return None
    try:
        return cast("Id", from_json(match["id"]))
    except ValueError:
        return None
