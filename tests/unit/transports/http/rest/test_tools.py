"""REST over a real socket."""

import json
import re

import pytest

from pincite.version import __version__
from support.http_wire import HttpServer
from unit.transports.http.conftest import Start


class TestTools:
    def test_a_tool_takes_json_and_answers_with_its_structure(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            answer = client.post("/api/tools/say", json={"words": "hé", "loud": True})
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["said"] == "HÉ"
        assert answer.json()["index"]["generation"] == 7

    def test_without_a_body_there_are_no_arguments(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            assert client.post("/api/tools/fail").status_code == 404
            assert client.post("/api/tools/say").json() == {
                "error": "words parameter is required",
                "code": "VALIDATION_ERROR",
            }

    @pytest.mark.parametrize(
        ("body", "kind", "status"),
        [
            (b'{"words": "a"}', "text/plain", 415),
            (b'{"words": "a"}', "application/x-www-form-urlencoded", 415),
            (b'{"words": "a"}', "application/vnd.x+json", 200),
            (b'{"words": "a"}', "Application/JSON; charset=utf-8", 200),
            (b"{", "application/json", 422),
            (b"[1]", "application/json", 422),
            (b"null", "application/json", 422),
            (b'{"words": "\xff"}', "application/json", 200),
            (b'{"words": "\\ud800"}', "application/json", 200),
            (b"[" * 100_000, "application/json", 422),
            (b'{"words": 5}', "application/json", 422),
            (b'{"wrds": "a"}', "application/json", 422),
        ],
    )
    def test_a_body_is_a_json_object(self, parlour_server: HttpServer, body: bytes, kind: str, status: int) -> None:
        with parlour_server.client() as client:
            answer = client.post("/api/tools/say", content=body, headers={"content-type": kind})
        assert answer.status_code == status
        if status != 200:
            assert answer.json().keys() == {"error", "code"}
            assert len(answer.content) < 1000

    @pytest.mark.parametrize(
        ("how", "status", "code"),
        [
            ("known", 404, "NOT_FOUND"),
            ("model", 503, "MODEL_LOAD_ERROR"),
            ("unknown", 500, "INTERNAL_ERROR"),
            ("shape", 500, "INTERNAL_ERROR"),
        ],
    )
    def test_a_failure_is_told_without_a_secret(
        self, parlour_server: HttpServer, how: str, status: int, code: str
    ) -> None:
        with parlour_server.client() as client:
            answer = client.post("/api/tools/fail", json={"how": how})
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert "secret" not in answer.text and "Traceback" not in answer.text

    def test_names_that_are_no_utf_8_are_shown_with_a_replacement(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            answer = client.post("/api/tools/fail", json={"how": "surrogate"})
        assert answer.json()["said"] == "b\ufffd"

    def test_an_unknown_tool_is_not_found_and_the_nearest_is_named(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            answer = client.post("/api/tools/sey", json={"words": "a"})
        assert (answer.status_code, answer.json()["code"]) == (404, "VALIDATION_ERROR")
        assert "Did you mean 'say'?" in answer.json()["error"]

    def test_a_tool_that_takes_no_notice_of_its_time_is_abandoned(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            answer = client.post("/api/tools/oblivious", json={"seconds": 3})
        assert (answer.status_code, answer.json()["code"]) == (504, "TIMEOUT")

    @pytest.mark.parametrize(("method", "path"), [("GET", "/api/tools/say"), ("PUT", "/health"), ("POST", "/")])
    def test_another_method_is_refused_as_json(self, parlour_server: HttpServer, method: str, path: str) -> None:
        with parlour_server.client() as client:
            answer = client.request(method, path)
        assert answer.status_code == 405
        assert answer.headers["allow"]
        assert answer.json()["code"] == "VALIDATION_ERROR"


class TestRoutesOfContracts:
    def test_a_tool_is_called_by_its_own_route_too(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            answer = client.post("/api/parlour/words", json={"words": "hello"})
            assert (answer.status_code, answer.json()["said"]) == (200, "hello")
            failed = client.get("/api/parlour/failure", params={"how": "known"})
            assert (failed.status_code, failed.json()["code"]) == (404, "NOT_FOUND")

    def test_another_method_or_path_is_refused(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            another = client.get("/api/parlour/words")
            assert (another.status_code, another.headers["allow"]) == (405, "POST")
            assert client.post("/api/parlour/nothing", json={}).status_code == 404

    def test_it_is_described(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            paths = client.get("/openapi.json").json()["paths"]
        described = paths["/api/parlour/words"]["post"]
        assert described["requestBody"] == paths["/api/tools/say"]["post"]["requestBody"]
        assert [given["name"] for given in paths["/api/parlour/failure"]["get"]["parameters"]] == ["how"]


class TestPages:
    def test_health_is_one_word(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            assert client.get("/health").json() == {"status": "ok"}

    def test_the_root_lists_every_endpoint(self, parlour_server: HttpServer) -> None:
        with parlour_server.client() as client:
            listed = client.get("/").json()
            described = client.get("/openapi.json").json()["paths"]
        assert (listed["name"], listed["version"]) == ("pincite", __version__)
        named = {(endpoint["method"], endpoint["path"]) for endpoint in listed["endpoints"]}
        assert {("POST", "/api/tools/say"), ("GET", "/health"), ("POST", "/mcp"), ("GET", "/sse")} <= named
        assert {path for _, path in named} == {*described, "/mcp", "/sse"}
        assert all(endpoint["description"] for endpoint in listed["endpoints"])

    def test_a_browser_is_sent_on_to_a_page(self, parlour_server: HttpServer) -> None:
        with parlour_server.client(accept="text/html,*/*;q=0.8") as client:
            answer = client.get("/")
            assert (answer.status_code, answer.headers["location"]) == (307, "/ui/")
            assert client.get("/", follow_redirects=True).headers["content-type"].startswith("text/html")

    def test_the_page_of_the_api_is_a_file_that_runs_nothing_else_and_cannot_be_framed(
        self, parlour_server: HttpServer
    ) -> None:
        with parlour_server.client() as client:
            page = client.get("/docs", follow_redirects=True)
            assert page.status_code == 200 and "https://" not in page.text
            policy = page.headers["content-security-policy"]
            assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
            for name in re.findall(r'(?:src|href)="([^"]+)"', page.text):
                assert client.get(str(page.url.join(name))).status_code == 200


@pytest.mark.parametrize(
    ("transport", "served", "missing"),
    [
        ("rest", {"/api/tools/say"}, {"/mcp", "/sse"}),
        ("streamable-http", {"/mcp"}, {"/api/tools/say", "/sse", "/docs", "/openapi.json"}),
        ("sse", {"/messages/"}, {"/api/tools/say", "/mcp", "/docs"}),
    ],
)
def test_a_narrower_transport_serves_its_own_routes(
    start: Start, transport: str, served: set[str], missing: set[str]
) -> None:
    server = start(transport)
    with server.client() as client:
        assert client.get("/health").json() == {"status": "ok"}
        paths = {endpoint["path"] for endpoint in client.get("/").json()["endpoints"]}
        assert missing.isdisjoint(paths)
        assert {path: client.post(path).status_code for path in missing} == dict.fromkeys(missing, 404)
        assert all(client.post(path).status_code != 404 for path in served)


def test_citations_are_opened_by_url_where_that_toolset_is_served(parlour_server: HttpServer) -> None:
    with parlour_server.client() as client:
        answer = client.get("/api/citations", params={"ref": "a.md@00000000#h1"})
    assert (answer.status_code, json.loads(answer.content)["code"]) == (404, "NOT_FOUND")
