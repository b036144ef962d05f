"""A `tools/call` request and its response as bytes, without the SDK's session around them.

The SDK validates, copies and dumps a result three times on the event loop. Here the worker thread that ran the tool
encodes it once. A request that this module does not know as well formed is the SDK's, which refuses it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from mcp_types import SERVER_INFO_META_KEY, methods
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_json

from pincite.errors import PinciteError
from pincite.text.excerpt import well_formed
from pincite.toolkit import Answer, Tool
from pincite.transports import problems

METHOD = "tools/call"

REQUEST_CANCELLED = -32800
"""Code of the error that answers a request which its client cancelled, as in the SDK's sessions."""

_PARAMETERS = frozenset({"name", "arguments", "_meta"})


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A valid request of `tools/call`.

    Attributes:
        id: Its id.
        name: The name of the tool.
        arguments: Its arguments.
        progress: The token of its notifications of progress; None if the client waits for none.
    """

    id: str | int
    name: str
    arguments: dict[str, Any] | None
    progress: str | int | None = None


def tool_call(message: Mapping[str, Any], version: str) -> ToolCall | None:
    """Return the tool call that a decoded message requests; None if it is anything else.

    Args:
        message: The message.
        version: The protocol version that it has to be valid in.
    """
    number, params = message.get("id"), message.get("params")
    if message.get("jsonrpc") != "2.0" or message.get("method") != METHOD or not isinstance(params, dict):
        return None
    given = cast("dict[str, Any]", params)
    if not isinstance(number, str | int) or isinstance(number, bool) or not given.keys() <= _PARAMETERS:
        return None
    try:
        methods.validate_client_request(METHOD, version, given)
    except (ValidationError, KeyError):
        return None
    token = cast("dict[str, Any]", given.get("_meta") or {}).get("progressToken")
    return ToolCall(number, given["name"], given.get("arguments"), token)


def answer_members(answer: Answer) -> bytes:
    """Return the members of the result of a successful call: structured content, and the same as JSON in text."""
    try:
        structured, text = _encoded(answer)
    except PydanticSerializationError:  # a lone surrogate, as file names may have
        plain = well_formed(answer.model_dump(mode="json"))
        structured, text = to_json(plain), to_json(answer.text_form(plain))
    return b'"content":[{"type":"text","text":%b}],"structuredContent":%b,"isError":false' % (
        to_json(text.decode()),
        structured,
    )


def _encoded(answer: Answer) -> tuple[bytes, bytes]:
    structured = answer.model_dump_json().encode()
    if type(answer).text_form is Answer.text_form:
        return structured, structured
    return structured, to_json(answer.text_form(answer.model_dump(mode="json")))


def error_members(error: PinciteError, tool: Tool) -> bytes:
    """Return the members of the result of a failed call, which a model can read."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": problems.in_form(error, tool.error_form)}]}
    structured = problems.structured(error, tool.error_form)
    if structured is not None:
        result["structuredContent"] = structured
    return to_json({**result, "isError": True})[1:-1]


def stateless_members(server_info: Mapping[str, Any]) -> bytes:
    """Return the members that every result of the stateless generation has in addition.

    Args:
        server_info: The name and the version of the server.
    """
    return to_json({"resultType": "complete", "_meta": {SERVER_INFO_META_KEY: server_info}})[1:-1]


def response(number: str | int, *members: bytes) -> bytes:
    """Return the JSON-RPC response to a request.

    Args:
        number: The id of the request.
        members: The members of the result.
    """
    return b'{"jsonrpc":"2.0","id":%b,"result":{%b}}' % (to_json(number), b",".join(members))


def progress(token: str | int | None, done: float, total: float | None, message: str | None) -> bytes:
    """Return a notification of progress."""
    shown = {"progressToken": token, "progress": done, "total": total, "message": message}
    params = {name: value for name, value in shown.items() if value is not None}
    return to_json({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})


def cancelled(number: str | int) -> bytes:
    """Return the JSON-RPC error that answers a request which its client cancelled."""
    error = {"code": REQUEST_CANCELLED, "message": "Request cancelled"}
    return to_json({"jsonrpc": "2.0", "id": number, "error": error})
