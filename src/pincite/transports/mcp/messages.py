r"""JSON-RPC messages as lines: each line is parsed into a message, or refused with the error that answers it.

The SDK drops a line that it cannot parse, so that its sender waits for ever, and takes a request whose id is
neither text nor a whole number for a notification. Here every such line has an error with a code of JSON-RPC 2.0.
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
"""Characters at each end of a line that cannot be parsed in which its id is looked for: clients write it first or
last, and a search through megabytes would hold up every other message."""

MAX_ERROR_DATA_BYTES = 4_000
"""Of the data of an error; more is left out."""

_HEX = "[0-9a-fA-F]{2}"
_ESCAPE = re.compile(
    rf"(?<!\\)(?P<backslashes>(?:\\\\)*+)\\u[dD](?:(?P<pair>[89abAB]{_HEX}\\u[dD][c-fC-F]{_HEX})|[89a-fA-F]{_HEX})"
)
"""A surrogate in a JSON string, or both halves of a pair."""

_OVER_LIMITS = ("recursion limit exceeded", "number out of range")
"""How the parser's errors begin for JSON that is well formed but more than it takes."""

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_ID = rf"(?P<id>{_STRING}|-?\d{{1,300}}(?:\.\d{{1,300}})?(?:[eE][-+]?\d{{1,3}})?)"
_FIRST = re.compile(rf'\s*\{{\s*(?:"(?:jsonrpc|method)"\s*:\s*{_STRING}\s*,\s*)*+"id"\s*:\s*{_ID}\s*[,}}]')
_SCALAR = rf"{_STRING}|-?[0-9.eE+-]+|true|false|null"
_LAST = re.compile(rf'(?<=[{{,\s])"id"\s*:\s*{_ID}\s*(?:,\s*{_STRING}\s*:\s*(?:{_SCALAR})\s*)*+\}}\s*\Z')


@dataclass(frozen=True, slots=True)
class Refusal:
    """A line that is no message.

    Attributes:
        code: The JSON-RPC error code.
        message: What is wrong with the line; holds nothing of it.
        id: The id of the request, where it can be read.
        is_answered: False for notifications and responses, which JSON-RPC leaves without an answer.
    """

    code: int
    message: str
    id: Id = None
    is_answered: bool = True

    def encoded(self) -> bytes:
        """The error response."""
        return to_json({"jsonrpc": "2.0", "id": self.id, "error": {"code": self.code, "message": self.message}})


def parse(line: bytes) -> types.JSONRPCMessage | Refusal:
    """Parse one line. Bytes that are no UTF-8 and halves of surrogate pairs become U+FFFD."""
    text = line.decode("utf-8", "replace")
    try:
        message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        return _repaired(text)
    if isinstance(message, types.JSONRPCNotification) and "id" in (members := from_json(text)):
        return _refused(members)
    return message


def too_long(start: bytes, end: bytes, most: int) -> Refusal:
    """The refusal of a line of which only both ends were kept, since it has more than `most` bytes."""
    message = f"The message has more than {most} bytes"
    return Refusal(
        types.INVALID_REQUEST, message, _id(start.decode("utf-8", "replace"), end.decode("utf-8", "replace"))
    )


def encode(message: types.JSONRPCMessage) -> bytes:
    """The message as JSON without line breaks; halves of surrogate pairs, as names of files may hold, are U+FFFD.

    The SDK's errors repeat what the client sent (a method, for one): of an error no more than an excerpt is told.
    """
    if isinstance(message, types.JSONRPCError):
        message = message.model_copy(update={"error": _bounded(message.error)})
    try:
        return type(message).__pydantic_serializer__.to_json(message, by_alias=True, exclude_unset=True)
    except PydanticSerializationError:
        return to_json(well_formed(message.model_dump(by_alias=True, exclude_unset=True)))


def _bounded(error: types.ErrorData) -> types.ErrorData:
    """An error whose message and data have an end."""
    data = excerpt(error.data) if isinstance(error.data, str) else error.data
    if data is not None and len(to_json(data, serialize_unknown=True)) > MAX_ERROR_DATA_BYTES:
        data = None
    given = {"data": data} if "data" in error.model_fields_set else {}
    return types.ErrorData(code=error.code, message=excerpt(error.message, PinciteError.max_chars), **given)


def _repaired(text: str) -> types.JSONRPCMessage | Refusal:
    r"""A line that was not understood: with `\ufffd` for each lone surrogate it may be a message after all."""
    repaired = _ESCAPE.sub(_replaced, text)
    if repaired != text:
        return parse(repaired.encode())
    try:
        members = from_json(text)
    except ValueError as error:
        if str(error).startswith(_OVER_LIMITS):
            message = "Parse error: the line is nested too deeply or holds a number that is too long"
            return Refusal(types.PARSE_ERROR, message, _id(text[:ID_SEARCH_CHARS], text[-ID_SEARCH_CHARS:]))
        # What is no JSON may be half of a message: a member at its end need not be one of the message itself.
        return Refusal(types.PARSE_ERROR, "Parse error: the line is no JSON", _id(text[:ID_SEARCH_CHARS], ""))
    return _refused(members)


def _replaced(escape: re.Match[str]) -> str:
    return escape[0] if escape["pair"] else escape["backslashes"] + r"\ufffd"


def _refused(parsed: Any) -> Refusal:
    """Why JSON is no message."""
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
    """The id at one end of a line that cannot be parsed. A member `id` of an argument is never taken for it."""
    found = _FIRST.match(start) or _LAST.search(end)
    if found is None:
        return None
    try:
        return cast("Id", from_json(found["id"]))
    except ValueError:
        return None
