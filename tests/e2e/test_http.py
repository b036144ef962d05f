"""One port, as clients on a network use it: several sessions, other transports beside it, edits meanwhile."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from behaviour import faces
from support.http_wire import BOTH, HttpServer, Sse, StreamableHttp, call, events, hang_up, serving
from support.waiting import wait_for
from support.wire import ERAS, HANDSHAKE, STATELESS, Wire, pincite

SECONDS = 30.0
Serve = Callable[..., HttpServer]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return faces.write(
        tmp_path / "docs", {"a.md": "# Alpha\n\nA zebra crossing.\n", "b.md": "# Beta\n\nA quokka smiles.\n"}
    )


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, **faces.EXACT, "PINCITE_CACHE": str(tmp_path / "cache"), "LOG_LEVEL": "INFO"}


@pytest.fixture
def server(folder: Path, env: dict[str, str]) -> Iterator[HttpServer]:
    started = HttpServer(serving(folder), env)
    yield started
    assert started.end() == 0
    assert not started.lines


def until(met: Callable[[], bool]) -> None:
    assert wait_for(met)


class Listening:
    """The stream of a session for what the server says unasked, read by a thread."""

    def __init__(self, server: HttpServer, method: str, **request: Any) -> None:
        self.notes: list[dict[str, Any]] = []
        self._client = server.client(**BOTH)
        self._stream = self._client.stream(method, "/mcp", **request)
        self._response = self._stream.__enter__()
        assert self._response.status_code == 200
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def heard(self) -> list[tuple[str, str]]:
        """Method and URI of each note."""
        return [(note["method"].rpartition("/")[2], note.get("params", {}).get("uri", "")) for note in self.notes]

    def close(self) -> None:
        hang_up(self._response)
        self._thread.join(SECONDS)
        self._response.close()
        self._client.close()

    def _listen(self) -> None:
        try:
            self.notes.extend(json.loads(data) for _, data in events(self._response.iter_lines()) if data)
        except (httpx2.HTTPError, httpx2.StreamError):
            return  # closed


def uri(name: str) -> str:
    return f"pincite://docs/{name}"


class TestNotifications:
    def test_each_session_hears_of_what_it_subscribed_to(self, server: HttpServer, folder: Path) -> None:
        sessions = {name: StreamableHttp(server, HANDSHAKE).open() for name in ("a.md", "b.md")}
        streams: dict[str, Listening] = {}
        for name, session in sessions.items():
            session.request("resources/subscribe", {"uri": uri(name)})
            streams[name] = Listening(server, "GET", headers={"mcp-session-id": session.session})
        sse = Sse(server).open()
        sse.request("resources/subscribe", {"uri": uri("a.md")})

        (folder / "a.md").write_text("# Alpha\n\nAn okapi.\n")
        until(lambda: ("updated", uri("a.md")) in streams["a.md"].heard() and bool(sse.notes))
        (folder / "b.md").write_text("# Beta\n\nAn okapi.\n")
        until(lambda: ("updated", uri("b.md")) in streams["b.md"].heard())
        (folder / "c.md").write_text("# New\n")
        until(lambda: all(("list_changed", "") in stream.heard() for stream in streams.values()))
        assert {heard for heard in streams["a.md"].heard() if heard[1]} == {("updated", uri("a.md"))}
        assert {heard for heard in streams["b.md"].heard() if heard[1]} == {("updated", uri("b.md"))}
        assert {note.get("params", {}).get("uri", uri("a.md")) for note in sse.notes} == {uri("a.md")}
        for open_one in (*streams.values(), *sessions.values(), sse):
            open_one.close()

    def test_a_stateless_client_listens_on_a_stream(self, server: HttpServer, folder: Path) -> None:
        client = StreamableHttp(server, STATELESS).open()
        wanted = {"notifications": {"resourcesListChanged": True, "resourceSubscriptions": [uri("a.md")]}}
        message = {
            "jsonrpc": "2.0",
            "id": 7,
            "method": "subscriptions/listen",
            "params": client.enveloped(wanted),
        }
        stream = Listening(server, "POST", json=message, headers=client.headers(message, "subscriptions/listen"))
        until(lambda: bool(stream.notes))
        (folder / "a.md").write_text("# Alpha\n\nAn okapi.\n")
        (folder / "b.md").write_text("# Beta\n\nAn okapi.\n")
        until(lambda: ("updated", uri("a.md")) in stream.heard())
        (folder / "b.md").unlink()
        until(lambda: ("list_changed", "") in stream.heard())
        assert ("updated", uri("b.md")) not in stream.heard()
        stream.close()
        client.close()

    def test_every_session_is_told_that_it_will_hear_of_changes(self, server: HttpServer) -> None:
        hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        clients = [StreamableHttp(server, HANDSHAKE), Sse(server)]
        told = [client.request("initialize", hello)["capabilities"]["resources"] for client in clients]
        assert told == [{"subscribe": True, "listChanged": True}] * 2
        for client in clients:
            client.close()

    def test_a_client_that_has_left_is_forgotten(self, server: HttpServer, folder: Path) -> None:
        for turn in range(3):
            sse = Sse(server).open()
            sse.request("resources/subscribe", {"uri": uri("a.md")})
            (folder / "a.md").write_text(f"# Alpha\n\nTurn {turn}.\n")
            until(lambda s=sse: bool(s.notes))
            sse.close()
        assert not [line for line in server.log if line["level"] in {"ERROR", "WARNING"}]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_sdk_s_client_speaks_to_it_with_progress(server: HttpServer, mode: str) -> None:
    async def ask() -> dict[str, Any]:
        async with Client(f"{server.url}/mcp", mode=mode) as client:  # type: ignore[arg-type]
            assert {tool.name for tool in (await client.list_tools()).tools} >= {"search_docs", "open_citation"}
            found = await client.call_tool("search_docs", {"query": "zebra"})
            ref = found.structured_content["results"][0]["ref"]  # type: ignore[index]
            opened = await client.call_tool("open_citation", {"ref": ref})
            return opened.structured_content or {}

    assert "zebra crossing" in anyio.run(ask)["content"]


def test_a_citation_is_opened_by_its_url(server: HttpServer) -> None:
    with server.client() as client:
        ref = client.post("/api/tools/search_docs", json={"query": "quokka"}).json()["results"][0]["ref"]
        by_url = client.get("/api/citations", params={"ref": ref, "context": 1})
        by_tool = client.post("/api/tools/open_citation", json={"ref": ref, "context": 1})
        assert by_url.json()["content"] == by_tool.json()["content"]
        assert "quokka" in by_url.json()["content"]
        assert client.get("/api/citations").json()["error"] == "ref parameter is required"
        assert client.get("/api/citations", params={"ref": ref, "context": "x"}).status_code == 422
        assert client.get("/api/citations", params={"ref": "b.md@00000000#h1"}).status_code == 404


def test_stdio_beside_it_agrees(server: HttpServer, folder: Path, env: dict[str, str]) -> None:
    mcp = StreamableHttp(server, STATELESS).open()
    with Wire(pincite("serve", str(folder)), env, era=STATELESS) as wire, server.client() as rest:
        wire.open()
        for turn in range(10):
            (folder / "a.md").write_text(f"# Alpha\n\nThe word is turn{turn}x.\n")
            query = {"query": f"turn{turn}x"}
            answers = [
                call(mcp, "search_docs", query)["structuredContent"],
                rest.post("/api/tools/search_docs", json=query).json(),
                wire.call("search_docs", query)["structuredContent"],
            ]
            assert len({json.dumps(answer["results"]) for answer in answers}) == 1
            assert f"turn{turn}x" in answers[0]["results"][0]["content"]
            assert not any(answer["index"]["stale"] for answer in answers)
    mcp.close()


def test_no_answer_is_silently_old_while_files_change(server: HttpServer, folder: Path) -> None:
    stop = threading.Event()

    def load() -> int:
        count = 0
        with server.client() as client:
            while not stop.is_set():
                assert client.post("/api/tools/search_docs", json={"query": "zebra quokka"}).status_code == 200
                count += 1
        return count

    with ThreadPoolExecutor(6) as pool:
        loads = [pool.submit(load) for _ in range(4)]
        clients = [StreamableHttp(server, era).open() for era in ERAS]
        try:
            for turn in range(40):
                (folder / "a.md").write_text(f"# Alpha\n\nThe word is fresh{turn}x.\n")
                answer = call(clients[turn % 2], "search_docs", {"query": f"fresh{turn}x"})["structuredContent"]
                found = any(f"fresh{turn}x" in hit["content"] for hit in answer["results"])
                assert found or answer["index"]["stale"], answer["index"]
        finally:
            stop.set()
        assert all(load.result() > 0 for load in loads)
    for client in clients:
        client.close()
