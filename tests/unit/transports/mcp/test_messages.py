"""Lines that are no message: each is answered with the error of JSON-RPC that fits, and logged once."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import JSONRPCNotification, JSONRPCRequest

from pincite.transports.mcp.messages import Refusal, parse
from pincite.transports.mcp.stdio import MAX_LINE_BYTES
from support.raw_client import Client, call, line, over_pipes, over_sockets, peak_megabytes, said
from support.waiting import wait_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there the SDK reads and writes")

PARSE, REQUEST, PARAMS = -32700, -32600, -32602
LAST = {"method": "ping"}


@pytest.fixture(scope="module", params=[over_pipes, over_sockets], ids=["pipes", "sockets"])
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    with closing(request.param()) as started:
        yield started.open()


def raw(text: str) -> bytes:
    """A request with the method `ping` and these further members."""
    return f'{{"jsonrpc":"2.0","method":"ping",{text}}}\n'.encode()


REFUSED: dict[str, tuple[bytes, int, Any]] = {
    "a fractional id": (raw('"id":1.5'), REQUEST, 1.5),
    "a whole number written as a fraction": (raw('"id":1.0'), REQUEST, 1.0),
    "a huge fractional id": (raw('"id":1e300'), REQUEST, 1e300),
    "id null": (raw('"id":null'), REQUEST, None),
    "id true": (raw('"id":true'), REQUEST, None),
    "id an object": (raw('"id":{"a":1}'), REQUEST, None),
    "an infinite id": (raw('"id":1e999'), REQUEST, None),
    "an id of 5,000 digits": (raw(f'"id":{"9" * 5000}'), PARSE, None),
    "params a list": (raw('"id":2,"params":[]'), PARAMS, 2),
    "params text": (raw('"id":"three","params":"a"'), PARAMS, "three"),
    "no version": (b'{"id":4,"method":"ping"}\n', REQUEST, 4),
    "another version": (b'{"jsonrpc":"1.0","id":5,"method":"ping"}\n', REQUEST, 5),
    "no method": (b'{"jsonrpc":"2.0","id":6}\n', REQUEST, 6),
    "method a number": (b'{"jsonrpc":"2.0","id":7,"method":1}\n', REQUEST, 7),
    "a batch": (b'[{"jsonrpc":"2.0","id":8,"method":"ping"}]\n', REQUEST, None),
    "an empty batch": (b"[]\n", REQUEST, None),
    "a number": (b"17\n", REQUEST, None),
    "no JSON": (b"GET / HTTP/1.1\r\n", PARSE, None),
    "a NUL byte in a string": (raw('"id":9,"params":{"a":"\0"}'), PARSE, 9),
    "NUL bytes": (b"\0\0\0\n", PARSE, None),
    "half a message": (b'{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"id":11}\n', PARSE, 10),
    "half a message with an id inside": (b'{"params":{"id":11}\n', PARSE, None),
    "deep nesting": (raw(f'"params":{{"a":{"[" * 100_000}{"]" * 100_000}}},"id":12'), PARSE, 12),
    "a number of 100,000 digits": (raw(f'"params":{{"id":13,"a":{"9" * 100_000}}},"id":"x"'), PARSE, "x"),
    "bytes that are no UTF-8, and no JSON": (b"\xff\xfe\xfd\n", PARSE, None),
}


@pytest.mark.parametrize("name", REFUSED)
def test_each_is_answered_by_its_error_and_the_next_message_by_its_result(client: Client, name: str) -> None:
    sent, code, number = REFUSED[name]
    client.send(sent + line({"id": "last", **LAST}))
    refusal, last = sorted((client.read(), client.read()), key=lambda message: message["id"] == "last")
    assert (refusal["error"]["code"], refusal["id"]) == (code, number)
    assert len(json.dumps(refusal)) < 300
    assert last == {"jsonrpc": "2.0", "id": "last", "result": last["result"]}


def _logged_so_far(client: Client) -> int:
    """Return the number of lines that are logged once all messages until now are."""
    failures = "".join(client.log).count("/secret/place")
    client.send(call(1, "fail", how="unknown"))
    client.read()
    assert wait_for(lambda: "".join(client.log).count("/secret/place") > failures)
    return len(client.log)


def test_each_is_logged_once_and_shortly(client: Client) -> None:
    before = _logged_so_far(client)
    client.send(b"x" * 1_000_000 + b"\n" + line({"id": "last", **LAST}))
    assert {client.read()["id"] for _ in range(2)} == {None, "last"}
    after = _logged_so_far(client)
    (logged,) = [text for text in client.log[before:after] if "message.refused" in text]
    assert "-32700" in logged and len(logged) < 300


@pytest.mark.parametrize(
    "sent",
    [
        b"\n\r\n   \n",
        b'{"jsonrpc":"2.0","method":"notifications/nothing","params":[]}\n',
        b'{"jsonrpc":"2.0","id":1,"result":[]}\n',
        b'{"jsonrpc":"2.0","id":1,"error":7}\n',
    ],
    ids=["empty lines", "a notification", "a result", "an error"],
)
def test_what_json_rpc_leaves_without_an_answer_has_none(client: Client, sent: bytes) -> None:
    client.send(sent + line({"id": "last", **LAST}))
    assert client.read()["id"] == "last"


@pytest.mark.parametrize("member", ['"id":21,', ""])
def test_of_a_line_of_100_mb_little_is_kept_and_its_id_is_answered(client: Client, member: str) -> None:
    client.send(f'{{"jsonrpc":"2.0",{member}"method":"ping","params":{{"a":"'.encode())
    for _ in range(100):
        client.send(b"x" * 1_000_000)
    client.send(b'"}}\n' if member else b'"},"id":21}\n')
    message = client.read()
    assert (message["id"], message["error"]["code"]) == (21, REQUEST)
    assert str(MAX_LINE_BYTES) in message["error"]["message"]
    assert peak_megabytes(client) < 300


def test_a_request_that_says_a_member_twice_is_answered_by_the_last(client: Client) -> None:
    client.send(raw('"id":1,"id":2'))
    assert client.read()["id"] == 2


@pytest.mark.parametrize(
    ("words", "heard"),
    [
        (rb"\ud83d", "\ufffd"),
        (rb"a \ude00 b", "a \ufffd b"),
        (rb"\ud83d\ude00 \ud83d", "😀 \ufffd"),
        (rb"\\ud83d \\\ud83d", "\\ud83d \\\ufffd"),
        (b"\xed\xa0\xbd", "\ufffd\ufffd\ufffd"),
    ],
    ids=["the first half", "the second half", "after a whole one", "after a backslash", "as bytes"],
)
def test_half_of_a_character_in_an_argument_is_replaced_and_the_call_answered(
    client: Client, words: bytes, heard: str
) -> None:
    client.send(call(1, "say", words="?").replace(b"?", words))
    assert said(client.read()) == heard


@given(st.binary(max_size=60) | st.text(st.characters(), max_size=60).map(lambda text: json.dumps(text).encode()))
def test_any_line_is_a_message_or_has_an_error(text: bytes) -> None:
    for whole in (text, b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":' + text + b"}}"):
        parsed = parse(whole)
        if isinstance(parsed, Refusal):
            assert json.loads(parsed.encoded())["error"]["code"] in (PARSE, REQUEST, PARAMS)


@given(st.text(st.characters(), max_size=60))
def test_any_text_is_understood_but_for_halves_of_characters(text: str) -> None:
    parsed = parse(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x", "params": {"a": text}}).encode())
    assert isinstance(parsed, JSONRPCRequest) and parsed.params is not None
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert parsed.params["a"].replace("\ufffd", "") == whole.replace("\ufffd", "")


members = st.dictionaries(
    st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]),
    st.none() | st.booleans() | st.sampled_from(["2.0", "x", 1, 10**400, -1.5, 1e999, "a" * 5000, [], {}, {"a": [1]}]),
)


@given(members)
def test_any_members_are_a_message_or_have_an_error(given_members: dict[str, object]) -> None:
    parsed = parse(json.dumps(given_members).encode())
    if isinstance(parsed, Refusal):
        assert json.loads(parsed.encoded())["error"]["code"] in (REQUEST, PARAMS)


@given(st.none() | st.booleans() | st.floats() | st.lists(st.integers()))
def test_an_id_of_another_type_makes_no_notification_of_a_request(number: object) -> None:
    parsed = parse(json.dumps({"jsonrpc": "2.0", "id": number, "method": "x"}).encode())
    assert isinstance(parsed, Refusal) and parsed.is_answered


def test_a_message_without_id_is_a_notification() -> None:
    assert isinstance(parse(b'{"jsonrpc":"2.0","method":"x","params":{"id":1}}'), JSONRPCNotification)
