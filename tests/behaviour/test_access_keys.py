"""Named keys: each opens some collections, and of the others there is no trace on any route, tool, resource or page."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple, cast

import httpx2
import pytest

from behaviour import faces
from pincite.services.access_keys import AccessKey, digest
from support.http_wire import HttpServer, Sse, StreamableHttp, serving
from support.waiting import wait_for
from support.wire import ERAS, HANDSHAKE, Refused

SEEN = {"zebra.md": "# Zebra\n\nThe zebra runs at 40 km/h.\n", "notes/heron.md": "# Heron\n\nThe heron waits.\n"}
MORE = {"lynx.md": "# Lynx\n\nThe lynx sleeps.\n"}
HIDDEN = {"mandrill.md": "# Wolverine\n\nThe wolverine weighs 14 kilograms.\n"}
LIBRARY = "# 1 Platypus\n\nThe platypus shall be counted.\n"
TRACES = ("vault", "mandrill", "Wolverine", "wolverine weighs", "platypus shall", "tapir")
"""Names and words of what is hidden, none of them in a question."""
KEYS = {
    "one": AccessKey("one", "", 0, frozenset({"open"})),
    "two": AccessKey("two", "", 0, frozenset({"open", "more"})),
    "none": AccessKey("none", "", 0, frozenset({"library"})),
    "tasks": AccessKey("tasks", "", 0, frozenset({"open", "@tasks"})),
    "slow": AccessKey("slow", "", 2, frozenset({"open"})),
    "all": AccessKey("all", "", 0),
}
VOLATILE = {
    "request_id",
    "query_ms",
    "checked_at",
    "uptime_seconds",
    "indexed_at",
    "timestamp",
    "latency_ms",
    "db_path",
}


class Served(NamedTuple):
    """A server with keys, and one that serves nothing but what the key `one` opens."""

    keyed: HttpServer
    alone: HttpServer
    hidden_ref: str
    hidden_index: str
    hidden_task: str
    folders: Mapping[str, Path]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("keys")
    folders = {
        name: faces.write(place / name, files) for name, files in {"open": SEEN, "more": MORE, "vault": HIDDEN}.items()
    }
    file = place / "keys"
    file.write_text(
        "# name, hash, calls a minute, collections\n\n"
        + "".join(
            f"{AccessKey(name, digest(name), key.rate_limit, key.collections).line()}\n" for name, key in KEYS.items()
        )
    )
    env = {
        **os.environ,
        **faces.EXACT,
        "PINCITE_CACHE": str(place / "cache"),
        "PINCITE_UPLOADS": "true",
        "LOG_LEVEL": "INFO",
    }
    with ExitStack() as stack:
        own = {**env, "DATA_DIR": str(place / "data"), "PINCITE_KEYS": str(file)}
        keyed = stack.enter_context(HttpServer(serving(folders, "--toolsets", "all", "--about", "tapirs"), own))
        alone = stack.enter_context(
            HttpServer(
                serving({"open": folders["open"]}, "--toolsets", "docs,citations,extraction,documents"),
                {**env, "DATA_DIR": str(place / "other"), "ALLOWED_ROOTS": str(folders["open"])},
            )
        )
        with client_of(keyed, "all") as client:
            add = {"file": ("platypus.md", LIBRARY.encode())}
            assert client.post("/ui/api/library", files=add, headers={"origin": keyed.url}).is_success
            found = client.post("/api/tools/search_docs", json={"query": "wolverine"}).json()
            hidden = str(folders["vault"] / "mandrill.md")
            built = client.post("/api/tools/doc_index_build", json={"file_path": hidden}).json()
            fields = {"schema": '{"weight": "weight of the wolverine"}', "engine": "rules"}
            made = client.post("/tasks", files={"file": ("mandrill.md", HIDDEN["mandrill.md"].encode())}, data=fields)
            task = made.json()["task_id"]
            assert wait_for(lambda: client.get(f"/tasks/{task}").json()["status"] == "succeeded")
        yield Served(keyed, alone, found["results"][0]["ref"], built["index_id"], task, folders)


def client_of(server: HttpServer, key: str) -> httpx2.Client:
    return server.client(**{"x-api-key": key})


def traces(text: str) -> list[str]:
    """What of the hidden collections a text betrays."""
    return [trace for trace in TRACES if trace.casefold() in text.casefold()]


def scrubbed(value: Any) -> Any:
    """An answer without what differs between two servers of one folder."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return {key: scrubbed(each) for key, each in members.items() if key not in VOLATILE}
    return [scrubbed(each) for each in cast("list[Any]", value)] if isinstance(value, list) else value


ARGUMENTS: Mapping[str, Any] = {
    "query": "kilograms or counted",
    "file_path": "mandril.md",
    "heading_path": "Wolverin",
    "ref": "mandril.md@00000000#h1-c1",
    "quote": "weighs 14",
    "term": "platypu",
    "topic": "counted",
    "old": "platypu",
    "new": "platypu.md",
    "document_url": "mandril.md",
    "index_id": "0" * 64,
    "locator": "h1-c1",
    "schema": {"weight": "weight"},
    "data": {},
    "text": "What weighs 14 kilograms here?",
    "action": "stats",
    "image_url": "mandril.png",
}
"""Of each required argument: near what is hidden, and with no word of it."""


def walked(client: httpx2.Client) -> Iterator[tuple[str, httpx2.Response]]:
    """The answer of every route that is described, and of the page's."""
    description = client.get("/openapi.json")
    yield "GET /openapi.json", description
    for path, operations in description.json()["paths"].items():
        for method, operation in operations.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            schema = resolved(description.json(), body)
            required = {name: ARGUMENTS[name] for name in schema.get("required", ()) if name in ARGUMENTS}
            url = path.replace("{task_id}", "01ARZ3NDEKTSV4RRFFQ69G5FAV").replace("{upload_id}", "x")
            query = {"ref": ARGUMENTS["ref"]} if path == "/api/citations" else None
            if method == "get":
                yield f"GET {path}", client.get(url, params=query, follow_redirects=False)
            elif method == "post" and body:
                yield f"POST {path}", client.post(url, json=required)
            elif method == "delete":
                yield f"DELETE {path}", client.delete(url)
    for collection in ("", "open", "vaul", "librar"):
        for name in ("server", "documents", "search", "citation", "document", "lines", "outline", "find", "text"):
            parameters = {"collection": collection, "name": "mandril.md", "q": "kilograms", "ref": ARGUMENTS["ref"]}
            yield f"page {name} {collection}", client.get(f"/ui/api/{name}", params=parameters)
    for method in ("/ui/api/library", "/ui/api/library/remove", "/ui/api/library/reread", "/metrics", "/api/nothing"):
        yield (
            f"POST {method}",
            client.post(method, params={"name": "platypu.md"}, headers={"origin": str(client.base_url)}),
        )


def resolved(description: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = schema.get("$ref", "")
    return description["components"]["schemas"][reference.rpartition("/")[2]] if reference else schema


def test_no_route_of_a_limited_key_has_a_trace_of_what_it_may_not_see(served: Served) -> None:
    with client_of(served.keyed, "one") as client:
        answers = {route: answer.text for route, answer in walked(client)}
    assert len(answers) > 60
    assert {route: found for route, text in answers.items() if (found := traces(text))} == {}


def test_its_answers_are_those_of_a_server_that_has_nothing_else(served: Served) -> None:
    def answers(client: httpx2.Client) -> dict[str, Any]:
        return {
            route: (answer.status_code, scrubbed(answer.json()))
            for route, answer in walked(client)
            if route not in {"GET /", "GET /openapi.json", "GET /api/health", "POST /api/tools/get_system_health"}
            and not route.startswith(("GET /tasks", "DELETE /tasks", "page server"))
            and answer.headers.get("content-type", "") == "application/json"
        }

    with client_of(served.keyed, "one") as keyed, served.alone.client() as alone:
        of_key, of_server = answers(keyed), answers(alone)
        assert {route: answer for route, answer in of_key.items() if answer != of_server.get(route)} == {}
        assert len(of_key) > 40
        assert total(keyed) == total(alone) == len(SEEN)


def total(client: httpx2.Client) -> int:
    return client.post("/api/tools/get_status", json={}).json()["index"]["total_pages"]


@pytest.mark.parametrize("connect", [*ERAS, "sse"])
def test_nothing_over_mcp_has_one(served: Served, connect: str) -> None:
    header = {"x-api-key": "one"}
    client = Sse(served.keyed, **header) if connect == "sse" else StreamableHttp(served.keyed, connect, **header)
    try:
        client.open()
        texts = [json.dumps(client.request(f"{kind}/list")) for kind in ("tools", "resources", "prompts")]
        texts.append(json.dumps(client.request("resources/templates/list")))
        if connect == HANDSHAKE:
            hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "again", "version": "1"}}
            again = StreamableHttp(served.keyed, HANDSHAKE, **header)
            texts.append(json.dumps(again.request("initialize", hello)))
            again.close()
        for tool in json.loads(texts[0])["tools"]:
            required = {name: ARGUMENTS[name] for name in tool["inputSchema"].get("required", ())}
            texts.append(json.dumps(client.request("tools/call", {"name": tool["name"], "arguments": required})))
        for uri in ("pincite://vaul/mandril.md", "pincite://librar/platypu.md", "pincite://open/mandril.md"):
            with pytest.raises(Refused) as refused:
                client.request("resources/read", {"uri": uri})
            texts.append(refused.value.message)
    finally:
        client.close()
    assert len(texts) > 25
    assert {text for text in texts if traces(text)} == set()


HIDDEN_QUESTIONS: Mapping[str, Callable[[Served], tuple[str, Mapping[str, Any]]]] = {
    "reference": lambda served: ("open_citation", {"ref": served.hidden_ref}),
    "page": lambda _: ("get_page", {"file_path": "mandrill.md"}),
    "index": lambda served: ("doc_search", {"index_id": served.hidden_index, "query": "14"}),
    "file": lambda served: ("doc_index_build", {"file_path": f"{served.folders['vault']}/mandrill.md"}),
    "document": lambda served: ("process_document", {"document_url": f"{served.folders['vault']}/mandrill.md"}),
    "tool": lambda _: ("knowledge_stats", {}),
}


@pytest.mark.parametrize("question", HIDDEN_QUESTIONS)
def test_who_knows_a_hidden_name_is_told_what_a_server_without_it_says(served: Served, question: str) -> None:
    tool, arguments = HIDDEN_QUESTIONS[question](served)
    with client_of(served.keyed, "one") as keyed, served.alone.client() as alone:
        answers = [client.post(f"/api/tools/{tool}", json=arguments) for client in (keyed, alone)]
    assert answers[0].is_error
    assert answers[0].status_code == answers[1].status_code and answers[0].text == answers[1].text


def test_tasks_are_seen_by_keys_that_name_them(served: Served) -> None:
    for key, status in {"one": 404, "tasks": 200, "all": 200}.items():
        with client_of(served.keyed, key) as client:
            routes = [f"/tasks/{served.hidden_task}", f"/tasks/{served.hidden_task}/result", "/tasks"]
            assert [client.get(route).status_code for route in routes] == [status] * 3


def test_a_key_with_several_collections_chooses_among_these_alone(served: Served) -> None:
    with client_of(served.keyed, "two") as client:
        search = partial_search(client)
        assert {hit["metadata"]["collection"] for hit in search("lynx zebra wolverine")} == {"open", "more"}
        refused = client.post("/api/tools/search_docs", json={"query": "lynx", "collection": "vaul"})
        assert refused.status_code == 404 and "Served: open, more." in refused.text and not traces(refused.text)
    with client_of(served.keyed, "none") as client:
        tools = client.get("/openapi.json").json()["paths"]
        assert "/api/tools/knowledge_search" in tools and "/api/tools/search_docs" not in tools
        found = client.post("/api/tools/knowledge_search", json={"query": "platypus"}).json()
        assert "platypus shall" in str(found)
    with client_of(served.keyed, "all") as client:
        assert {hit["metadata"]["collection"] for hit in partial_search(client)("lynx zebra wolverine")} == {
            "open",
            "more",
            "vault",
        }


def partial_search(client: httpx2.Client) -> Callable[[str], list[dict[str, Any]]]:
    return lambda query: client.post("/api/tools/search_docs", json={"query": query, "top_k": 9}).json()["results"]


def test_each_key_has_a_rate_limit_of_its_own(served: Served) -> None:
    with client_of(served.keyed, "slow") as slow, client_of(served.keyed, "one") as one:
        assert [slow.post("/api/tools/list_pages", json={}).status_code for _ in range(3)] == [200, 200, 429]
        assert one.post("/api/tools/list_pages", json={}).status_code == 200


def test_no_session_is_carried_from_one_key_to_another(served: Served) -> None:
    session = StreamableHttp(served.keyed, HANDSHAKE, **{"x-api-key": "all"}).open()
    other = StreamableHttp(served.keyed, HANDSHAKE, **{"x-api-key": "one"})
    other.session = session.session
    assert other.post({"id": 2, "method": "resources/list"}, "resources/list").status_code == 404
    session.close()
    other.close()


@pytest.mark.parametrize("key", ["oone", "sha256:" + digest("one"), digest("one")])
def test_what_is_no_key_opens_nothing(served: Served, key: str) -> None:
    for header in ({"x-api-key": key}, {"authorization": f"Bearer {key}"}):
        with served.keyed.client(**header) as client:
            assert client.get("/openapi.json").status_code == 401
            assert client.get("/health").status_code == 200


def test_a_person_reads_their_own_document_by_its_reference_and_nobody_elses(served: Served) -> None:
    with client_of(served.keyed, "one") as one, client_of(served.keyed, "two") as two:
        own = {"file_path": str(served.folders["open"] / "zebra.md")}
        built = one.post("/api/tools/doc_index_build", json=own).json()
        asked = {"index_id": built["index_id"], "query": "zebra runs"}
        hit = one.post("/api/tools/doc_search", json=asked).json()["results"][0]
        assert "40 km/h" in one.post("/api/tools/open_citation", json={"ref": hit["ref"]}).text
        assert two.post("/api/tools/doc_search", json=asked).status_code == 404
