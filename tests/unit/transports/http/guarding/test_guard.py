"""The layer before every route, over real sockets."""

import re
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from support.http_wire import BOTH, HttpServer, StreamableHttp, call
from support.wire import ERAS, STATELESS
from unit.transports.http.conftest import Start, start_parlour

KEY = "correct horse battery staple"
SAY = "/api/tools/say"
WORDS = {"words": "a"}


@pytest.fixture(scope="module")
def keyed() -> Iterator[HttpServer]:
    """A parlour with a key."""
    with start_parlour("http", MCP_API_KEY=KEY) as server:
        yield server


class TestRequestId:
    def test_every_answer_has_its_own(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            answers = [client.get("/health"), client.post(SAY, json=WORDS), client.get("/nope"), client.post(SAY)]
        ids = [answer.headers["x-request-id"] for answer in answers]
        assert all(re.fullmatch(r"[0-9a-f]{12}", number) for number in ids)
        assert len(set(ids)) == len(ids)

    @pytest.mark.parametrize("era", [None, *ERAS])
    def test_it_stands_in_the_log_of_the_call(self, parlour_server: HttpServer, era: str | None) -> None:
        if era is None:
            with parlour_server.client() as client:
                number = client.post(SAY, json=WORDS).headers["x-request-id"]
        else:
            client = StreamableHttp(parlour_server, era).open()
            params = client.enveloped({"name": "say", "arguments": WORDS})
            answer = client.post({"id": 9, "method": "tools/call", "params": params}, "tools/call")
            number = answer.headers["x-request-id"]
            client.close()
        assert parlour_server.logged("tool.start", rid=number, tool="say")
        assert parlour_server.logged("tool.success", rid=number, tool="say")


class TestKey:
    def test_everything_but_health_needs_it(self, start: Start) -> None:
        server = start(MCP_API_KEY=KEY)
        with server.client(**BOTH) as client:
            assert client.get("/health").status_code == 200
            for path in ("/", "/openapi.json", "/mcp", "/sse", SAY, "/nope", "/health/", "//health"):
                answers = [client.get(path), client.post(path, json=WORDS)]
                assert [answer.status_code for answer in answers] == [401, 401], path
                assert answers[0].json() == {"error": "Authentication required", "code": "AUTH_ERROR"}
                assert answers[0].headers["www-authenticate"] == "Bearer"
            assert client.post("/health").status_code == client.post("/docs").status_code == 401
            assert client.get("/docs", follow_redirects=True).headers["content-type"].startswith("text/html")
        assert KEY not in str(server.log)

    @pytest.mark.parametrize(
        ("header", "value", "status"),
        [
            ("x-api-key", KEY, 200),
            ("authorization", f"Bearer {KEY}", 200),
            ("authorization", f"bearer  {KEY}", 200),
            ("authorization", f"Basic {KEY}", 401),
            ("authorization", KEY, 401),
            ("x-api-key", KEY[:-1], 401),
            ("x-api-key", KEY + "x", 401),
            ("x-api-key", "", 401),
            ("x-api-key", "ké", 401),
        ],
    )
    def test_either_header_carries_it(self, keyed: HttpServer, header: str, value: str, status: int) -> None:
        with keyed.client() as client:
            answer = client.post(SAY, json=WORDS, headers=[(header.encode(), value.encode())])
        assert answer.status_code == status

    @pytest.mark.parametrize("era", ERAS)
    def test_mcp_clients_send_it_too(self, keyed: HttpServer, era: str) -> None:
        client = StreamableHttp(keyed, era, authorization=f"Bearer {KEY}").open()
        assert call(client, "say", WORDS)["structuredContent"]["said"] == "a"
        client.close()

    @pytest.mark.parametrize("path", ["/.well-known/oauth-protected-resource/mcp", "/register"])
    def test_a_client_that_looks_for_a_way_to_sign_in_learns_that_there_is_none(
        self, keyed: HttpServer, path: str
    ) -> None:
        with keyed.client() as client:
            assert [client.get(path).status_code, client.post(path, json={}).status_code] == [404, 404]

    def test_a_browser_may_ask_first_without_it(self, keyed: HttpServer) -> None:
        with keyed.client(origin="https://a.example") as client:
            answer = client.options(SAY, headers={"access-control-request-method": "POST"})
        assert answer.status_code == 204
        assert answer.headers["access-control-allow-origin"] == "*"


class TestOrigin:
    @pytest.mark.parametrize("path", ["/health", "/", SAY, "/mcp"])
    def test_a_rebound_name_is_refused(self, parlour_server: HttpServer, path: str) -> None:
        with parlour_server.client(host="evil.example") as client:
            answer = client.post(path, json=WORDS)
        assert (answer.status_code, answer.json()["code"]) == (421, "VALIDATION_ERROR")
        assert parlour_server.logged("request.refused", rid=answer.headers["x-request-id"], status=421)

    @pytest.mark.parametrize("path", ["/mcp", "/sse", "/messages/", "/tasks", "/ui/"])
    def test_a_foreign_page_may_not_speak_mcp(self, parlour_server: HttpServer, path: str) -> None:
        with parlour_server.client(origin="https://evil.example") as client:
            answer = client.post(path, json={})
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers

    def test_a_foreign_page_may_read_errors_but_no_documents(self, parlour_server: HttpServer) -> None:
        with parlour_server.client(origin="https://a.example") as client:
            refused = client.post(SAY, json=WORDS)
            allowed = client.post("/api/tools/chatter")  # this one reaches beyond what is served
            reads_nothing = client.get("/api/parlour/time")
        assert (refused.status_code, allowed.status_code, reads_nothing.status_code) == (403, 200, 200)
        assert "CORS_ORIGINS" in refused.json()["error"]
        assert refused.headers["access-control-allow-origin"] == "*"

    def test_a_page_of_this_machine_may_read_documents(self, parlour_server: HttpServer) -> None:
        with parlour_server.client(origin="http://localhost:3000") as client:
            answer = client.post(SAY, json=WORDS)
        assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*")

    def test_named_origins_may_do_both(self, start: Start) -> None:
        server = start(CORS_ORIGINS="https://a.example")
        client = StreamableHttp(server, STATELESS, origin="https://a.example").open()
        assert call(client, "say", WORDS)["structuredContent"]["said"] == "a"
        client.close()
        with server.client(origin="https://a.example") as page:
            answer = page.post(SAY, json=WORDS)
            assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "https://a.example")
        with server.client(origin="https://b.example") as page:
            assert page.post(SAY, json=WORDS).status_code == 403


class TestRateLimit:
    def test_rest_calls_are_charged_and_told_when_to_come_again(self, start: Start) -> None:
        server = start(MCP_RATE_LIMIT_RPM="3")
        with server.client() as client:
            codes = [client.post(SAY, json=WORDS).status_code for _ in range(3)]
            limited = client.get("/api/citations")
            assert codes == [200] * 3
            assert (limited.status_code, limited.json()["code"]) == (429, "RATE_LIMITED")
            assert limited.json()["error"].startswith("Rate limit exceeded: 3 a minute (MCP_RATE_LIMIT_RPM;")
            assert 1 <= int(limited.headers["retry-after"]) <= 20
            assert client.get("/tasks").status_code == 429
            free = ("/health", "/", "/docs", "/openapi.json", "/tasks/7")
            assert {client.get(path).status_code for path in free} == {200, 307, 404}

    @pytest.mark.parametrize("era", ERAS)
    def test_tool_calls_over_mcp_are_charged_and_nothing_else_is(self, start: Start, era: str) -> None:
        client = StreamableHttp(start(MCP_RATE_LIMIT_RPM="2"), era).open()
        for _ in range(5):
            client.request("tools/list")
        results = [call(client, "say", WORDS) for _ in range(3)]
        assert [result["isError"] for result in results] == [False, False, True]
        told = results[-1]["content"][0]["text"]
        assert re.fullmatch(
            r"Rate limit exceeded: 2 a minute \(MCP_RATE_LIMIT_RPM; .+\)\. Ask again in \d+ seconds\.", told
        )
        client.close()

    def test_what_the_page_reads_has_a_limit_of_its_own(self, start: Start) -> None:
        server = start(MCP_RATE_LIMIT_RPM="1", PINCITE_PAGE_RATE_LIMIT="2")
        with server.client() as client:
            answers = [client.post("/ui/api/schema", content=b'{"a": "text"}') for _ in range(3)]
            assert [answer.status_code for answer in answers] == [200, 200, 429]
            assert "PINCITE_PAGE_RATE_LIMIT" in answers[-1].json()["error"] and "retry-after" in answers[-1].headers
            assert client.post(SAY, json=WORDS).status_code == 200
            assert client.get("/ui/").status_code == 200

    def test_each_caller_behind_a_proxy_has_a_bucket(self, start: Start) -> None:
        server = start(MCP_RATE_LIMIT_RPM="1", PINCITE_TRUSTED_PROXIES="127.0.0.1")
        with server.client() as client:
            said = [
                client.post(SAY, json=WORDS, headers={"x-forwarded-for": address}).status_code
                for address in ("7.7.7.7", "8.8.8.8", "7.7.7.7")
            ]
        assert said == [200, 200, 429]

    def test_nobody_else_names_the_caller(self, start: Start) -> None:
        server = start(MCP_RATE_LIMIT_RPM="1")
        with server.client() as client:
            said = [
                client.post(SAY, json=WORDS, headers={"x-forwarded-for": address}).status_code
                for address in ("7.7.7.7", "8.8.8.8")
            ]
        assert said == [200, 429]


class TestGone:
    @pytest.mark.parametrize("how", ["rest", *ERAS])
    def test_a_client_that_goes_away_stops_its_work(self, start: Start, how: str) -> None:
        server = start()
        message: dict[str, object] = {"jsonrpc": "2.0", "id": 5, "method": "tools/call"}
        path, headers = "/api/tools/patient", {}
        if how != "rest":
            mcp = StreamableHttp(server, how).open()
            message["params"] = mcp.enveloped({"name": "patient", "arguments": {}})
            path, headers = "/mcp", {**BOTH, **mcp.headers(message, "tools/call")}
            mcp.close()
        with server.client() as client:
            client.timeout = httpx2.Timeout(0.7)
            with pytest.raises(httpx2.TimeoutException):
                client.post(path, json={} if how == "rest" else message, headers=headers)
        with server.client() as client:
            assert client.post("/api/tools/was_stopped").json()["said"] == "True"

    def test_a_request_to_leave_ends_the_stream_of_a_session(self, parlour_server: HttpServer) -> None:
        client = StreamableHttp(parlour_server, ERAS[0]).open()
        with parlour_server.client(**BOTH) as raw:
            headers = {"mcp-session-id": client.session}
            assert raw.delete("/mcp", headers=headers).status_code == 200
            assert raw.post("/mcp", json={}, headers=headers).status_code == 404
        client.close()


class TestStop:
    def test_running_calls_end_and_new_ones_are_refused(self, start: Start) -> None:
        server = start()
        with ThreadPoolExecutor() as pool, server.client() as client, server.client() as other:
            other.get("/health")
            running = pool.submit(client.post, "/api/tools/patient", json={"steps": 100})
            assert server.logged("tool.start", tool="patient")
            server.process.terminate()
            assert server.logged("server.stopping")
            assert running.result().json()["said"] == "patient"
        assert server.wait() == 0

    def test_calls_that_take_too_long_are_told(self, start: Start) -> None:
        server = start(PINCITE_STOP_SECONDS="0.5")
        with ThreadPoolExecutor() as pool, server.client() as client:
            running = pool.submit(client.post, "/api/tools/patient")
            assert server.logged("tool.start", tool="patient")
            server.process.terminate()
            answer = running.result()
        assert (answer.status_code, answer.json()["code"]) == (499, "CANCELLED")
        assert server.wait() == 0

    def test_open_streams_do_not_hold_it_up(self, start: Start) -> None:
        server = start(PINCITE_STOP_SECONDS="600")
        with server.client(**BOTH) as client, client.stream("GET", "/sse") as stream:
            assert next(stream.iter_lines())
            server.process.terminate()
            assert server.wait() == 0


def test_what_nobody_expected_is_answered_without_a_secret_and_logged(start: Start) -> None:
    server = start(PARLOUR="shut")  # whose tools cannot be made
    with server.client() as client:
        answer = client.post(SAY, json=WORDS)
    number = answer.headers["x-request-id"]
    assert (answer.status_code, answer.json()["code"]) == (500, "INTERNAL_ERROR")
    assert number in answer.json()["error"] and "secret" not in answer.text
    assert server.logged("request.unhandled_error", rid=number)


@pytest.mark.parametrize("where", ["x-filler", "path", "query"])
def test_a_line_and_headers_over_the_limit_are_refused_however_they_arrive(
    parlour_server: HttpServer, where: str
) -> None:
    path = {"x-filler": b"/health", "path": b"/" + b"p" * 40_000, "query": b"/health?q=" + b"q" * 40_000}[where]
    filler = b"x" * (40_000 if where == "x-filler" else 1)
    head = b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Filler: %b\r\n\r\n" % (path, filler)
    for size in (len(head), 4_096):
        with socket.create_connection(("127.0.0.1", parlour_server.port)) as connection:
            connection.settimeout(20)
            for begin in range(0, len(head), size):
                connection.sendall(head[begin : begin + size])
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))
        assert answer.startswith(b"HTTP/1.1 431 ") and b"PINCITE_MAX_HEADER" in answer


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x16\x03\x01\x00\xa5\x01\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 421),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (b"GET / HTTP/1.0\r\n\r\n", 421),
        (b"GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 404),
        (b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 404),
    ],
)
def test_odd_requests_are_refused(parlour_server: HttpServer, data: bytes, status: int) -> None:
    with socket.create_connection(("127.0.0.1", parlour_server.port)) as connection:
        connection.settimeout(20)
        connection.sendall(data)
        assert connection.recv(20).startswith(b"HTTP/1.1 %d" % status)
