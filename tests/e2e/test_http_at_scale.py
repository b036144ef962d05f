"""One port under many clients, odd ones among them. Slow: CI runs these."""

import json
import os
import random
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import given

from behaviour import faces
from support.http_wire import BOTH, HttpServer, Sse, StreamableHttp, call, serving
from support.memory import family, megabytes
from support.openapi_checks import CHECKS, requests
from support.wire import ERAS, HANDSHAKE

pytestmark = pytest.mark.slow

PAGES = {f"p{n:03}.md": f"# Page {n}\n\nA zebra and word{n}x.\n\n## More\n\nA quokka.\n" for n in range(60)}
LONG = {"long.md": "# Long\n\n" + "A sentence about llamas, once more.\n\n" * 90_000}
CLIENTS = 100
CALLS_EACH = 12
SESSIONS = 1000


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HttpServer]:
    folder = faces.write(tmp_path / "docs", {**PAGES, **LONG})
    env = {**os.environ, **faces.EXACT, "PINCITE_CACHE": str(tmp_path / "cache"), "LOG_LEVEL": "INFO"}
    started = HttpServer(serving(folder), {**env, "PINCITE_REQUEST_SECONDS": "5"}, start=subprocess.Popen)
    with started.client() as client:
        while client.post("/api/tools/get_status").json()["index"]["indexing"] is not None:
            pass
    yield started
    assert started.end() == 0
    assert not started.lines


def mixed(server: HttpServer, number: int) -> list[int]:
    """A client's calls of several kinds; how many characters each answer had."""
    pick = random.Random(number)  # noqa: S311 - the same mix each time
    sizes: list[int] = []
    kind = ("rest", *ERAS, "sse")[number % 4]
    with ExitStack() as stack:
        rest = stack.enter_context(server.client())
        mcp = Sse(server).open() if kind == "sse" else StreamableHttp(server, kind).open() if kind != "rest" else None
        for _ in range(CALLS_EACH):
            page = pick.randrange(60)
            tool, arguments, expected = pick.choice(
                [
                    ("search_docs", {"query": f"word{page}x"}, f"p{page:03}.md"),
                    ("get_page", {"file_path": f"p{page:03}.md"}, f"word{page}x"),
                    ("list_pages", {}, f"p{page:03}.md"),
                    ("get_section", {"file_path": f"p{page:03}.md", "heading_path": f"Page {page} > More"}, "quokka"),
                ]
            )
            if mcp is None:
                text = rest.post(f"/api/tools/{tool}", json=arguments).text
            else:
                text = json.dumps(call(mcp, tool, arguments)["structuredContent"])
            assert expected in text, (kind, tool, text[:300])
            sizes.append(len(text))
        if mcp is not None:
            mcp.close()
    return sizes


def test_a_hundred_clients_at_once_get_their_answers(server: HttpServer) -> None:
    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(partial(mixed, server), range(CLIENTS)))
    assert [len(answer) for answer in answers] == [CALLS_EACH] * CLIENTS
    assert not [line for line in server.log if line["level"] in {"WARNING", "ERROR"}]


def test_clients_that_send_or_read_nothing_disturb_nobody(server: HttpServer) -> None:
    arguments = json.dumps({"file_path": "long.md"}).encode()
    head = b"POST /api/tools/get_page HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    whole = head + b"Content-Length: %d\r\n\r\n" % len(arguments) + arguments
    with ExitStack() as stack:
        for begun in [b""] * 40 + [head] * 40 + [whole] * 20:
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            connection.sendall(begun)
        assert len(mixed(server, 0)) == CALLS_EACH
        assert len(mixed(server, 1)) == CALLS_EACH
    assert sum(map(megabytes, family(server.process.pid))) < 800


def test_abandoned_sessions_do_not_pile_up(server: HttpServer) -> None:
    def abandon(count: int) -> float:
        with server.client(**BOTH) as client:
            hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
            message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
            for _ in range(count):
                assert client.post("/mcp", json=message).status_code == 200
        return sum(map(megabytes, family(server.process.pid)))

    full = abandon(SESSIONS)  # as many as there may be
    assert abandon(SESSIONS) < full + 20
    assert len(mixed(server, 1)) == CALLS_EACH


def test_every_answer_is_one_that_openapi_declares(server: HttpServer) -> None:
    with server.client() as client:
        schema: Any = schemathesis.openapi.from_dict(client.get("/openapi.json").json())
    operations: list[Any] = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) >= 10
    for operation in operations:
        takes_anything = operation.body or operation.query
        for mode in schemathesis.GenerationMode if takes_anything else [schemathesis.GenerationMode.POSITIVE]:

            @given(case=operation.as_strategy(generation_mode=mode))
            @requests(60)
            def answers(case: Any) -> None:
                response: Any = case.call(base_url=server.url)
                case.validate_response(response, checks=CHECKS)

            answers()
