"""Spans of tool calls, as a collector of OpenTelemetry gets them."""

import importlib.util
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from support.waiting import wait_for
from unit.transports.http.conftest import Start

pytest_plugins = ["unit.transports.http.conftest"]

INSTALLED = all(importlib.util.find_spec(name) for name in ("opentelemetry.sdk", "opentelemetry.exporter"))
needs_sdk = pytest.mark.skipif(not INSTALLED, reason="no OpenTelemetry SDK: pip install 'pincite[tracing]'")


@pytest.fixture
def collector() -> Iterator[tuple[str, list[bytes]]]:
    """A collector of OTLP over HTTP, and what it got."""
    got: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", got
    server.shutdown()
    thread.join()
    server.server_close()


@needs_sdk
def test_a_call_is_a_span_without_words_of_the_question(start: Start, collector: tuple[str, list[bytes]]) -> None:
    url, got = collector
    server = start(
        PINCITE_TRACING="true", OTEL_EXPORTER_OTLP_ENDPOINT=url, OTEL_EXPORTER_OTLP_COMPRESSION="none",
        OTEL_BSP_SCHEDULE_DELAY="100",
    )  # fmt: skip
    with server.client() as client:
        client.post("/api/tools/say", json={"words": "a secret question"})
        client.post("/api/tools/fail", json={"how": "known"})
    assert wait_for(lambda: all(b"execute_tool " + tool in b"".join(got) for tool in (b"say", b"fail")))
    sent = b"".join(got)
    assert b"execute_tool say" in sent and b"NOT_FOUND" in sent and b"pincite" in sent
    assert b"secret" not in sent


def test_nothing_is_sent_unless_it_is_asked_for(start: Start, collector: tuple[str, list[bytes]]) -> None:
    url, got = collector
    with start(OTEL_EXPORTER_OTLP_ENDPOINT=url, OTEL_BSP_SCHEDULE_DELAY="100").client() as client:
        assert client.post("/api/tools/say", json={"words": "a"}).status_code == 200
    assert got == []
