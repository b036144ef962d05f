"""Extraction as a service, by the commands of the guide: a document in, JSON out, over a server that is killed."""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support.http_wire import HttpServer, StreamableHttp
from support.lies import DOCUMENT, SCHEMA, check_no_lie, lying
from support.scripted_model import following
from support.waiting import wait_for
from support.wire import ERAS, pincite

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "guide" / "fill-your-own-json.md").read_text(encoding="utf-8")
COMMAND = pincite("serve", "--toolsets", "extraction", "--transport", "http")
TOOLS = ["doc_index_build", "doc_search", "doc_read", "json_validate_and_normalize"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")]


@pytest.fixture
def env(tmp_path: Path) -> Mapping[str, str]:
    return {
        **os.environ,
        "DATA_DIR": str(tmp_path / "data"),
        "PINCITE_CACHE": str(tmp_path / "cache"),
        "EMBEDDING_PROVIDER": "hash",
        "PINCITE_TASK_LEASE": "1",
    }


def from_page(name: str, folder: Path) -> str:
    """A file of the guide's page."""
    found = re.search(rf"^```\w+ file=\S*{re.escape(name)}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    (folder / name).write_text(found[1], encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize("path", ["x" * 256, f"{'y' * 300}/2024-117.md"])
def test_a_name_that_no_file_can_have_is_not_found(env: Mapping[str, str], path: str) -> None:
    with HttpServer(COMMAND, env) as server, server.client() as client:
        answer = client.post("/api/tools/doc_index_build", json={"file_path": path})
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
    assert answer.json()["error"].startswith("File not found")


def test_the_client_fetches_the_guides_result_and_it_outlasts_a_kill(tmp_path: Path, env: Mapping[str, str]) -> None:
    arguments = [from_page("2024-117.md", tmp_path), from_page("invoice.json", tmp_path)]
    with HttpServer(COMMAND, env) as server:
        done = subprocess.run(
            ["sh", str(ROOT / "scripts" / "client.sh"), server.url, *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        result = json.loads(done.stdout)
        assert (result["data"]["grand_total"], result["data"]["customer_name"]) == (117.81, None)
        assert result["evidence"]["grand_total"]["verified"] is True and len(result["data"]["lines"]) == 2
        server.process.send_signal(signal.SIGKILL)
        server.wait()
    with HttpServer(COMMAND, env) as server, server.client() as client:
        assert client.get(f"/tasks/{result['task_id']}/result").json() == result
        assert client.get("/health").json()["status"] == "ok"


def test_no_lie_of_a_model_is_verified_over_rest(env: Mapping[str, str]) -> None:
    with following([lying]) as model:
        own = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "a-key", "PINCITE_AGENT_RUNNER": "api"}
        with HttpServer(COMMAND, {**env, **own}) as server, server.client() as client:
            file = {"file": ("pump.md", DOCUMENT.encode())}
            posted = client.post("/tasks", files=file, data={"schema": json.dumps(SCHEMA)})
            task = f"/tasks/{posted.json()['task_id']}"
            assert wait_for(lambda: client.get(task).json()["status"] not in ("queued", "running"), 90)
            result = client.get(f"{task}/result").json()
    check_no_lie(result["data"], result["evidence"])
    assert result["engine"] == "claude"


@pytest.mark.parametrize("era", ERAS)
def test_agents_have_the_four_tools_over_mcp(tmp_path: Path, env: Mapping[str, str], era: str) -> None:
    (tmp_path / "data").mkdir()
    from_page("2024-117.md", tmp_path / "data")
    with HttpServer(COMMAND, env) as server:
        client = StreamableHttp(server, era).open()
        assert [tool["name"] for tool in client.request("tools/list")["tools"]] == TOOLS

        def call(name: str, **arguments: object) -> dict[str, Any]:
            return client.request("tools/call", {"name": name, "arguments": arguments})

        built = call("doc_index_build", file_path="2024-117.md", cache_key="bill")
        assert built["structuredContent"]["chunk_count"] == 4
        found = call("doc_search", index_id="bill", query="Gesamtbetrag")
        assert json.loads(found["content"][0]["text"])[0]["locator"] == "h1-t2"
        read = call("doc_read", index_id="bill", locator="h1-t2")
        assert "117,81" in read["structuredContent"]["content"]
        refused = call("doc_read", index_id="nope", locator="h1")
        message = {"error": "Index not found: nope. Call doc_index_build first."}
        assert refused["isError"] is True
        assert json.loads(refused["content"][0]["text"]) == message
        client.close()
