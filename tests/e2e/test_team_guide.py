"""The requests of the guide page for teams, sent as they are written there to a server with a key."""

import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.http_wire import HttpServer, serving

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("curl") is None, reason="the page's requests are those of curl in a shell"
)

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
WRITTEN = "http://127.0.0.1:8000"


def requests() -> list[str]:
    """Each curl command of the page, continuation lines included."""
    blocks = re.findall(
        r"^```sh\n(.*?)^```$", (GUIDE / "run-for-a-team.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    lines = "\n".join(blocks).replace("\\\n", "").splitlines()
    return [line for line in lines if line.startswith("curl ")]


@pytest.fixture(scope="module")
def key() -> str:
    return secrets.token_hex(16)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, key: str) -> Iterator[HttpServer]:
    own = {"PINCITE_CACHE": str(tmp_path_factory.mktemp("cache")), "EMBEDDING_PROVIDER": "hash", "MCP_API_KEY": key}
    with HttpServer(serving(GUIDE), {**os.environ, **own}, start=subprocess.Popen) as started:
        yield started


def sent(server: HttpServer, key: str, line: str) -> "subprocess.CompletedProcess[str]":
    env = {"PATH": os.environ["PATH"], "MCP_API_KEY": key, "no_proxy": "*"}
    return subprocess.run(
        ["sh", "-c", line.replace(WRITTEN, server.url)], env=env, capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.parametrize("line", requests())
def test_a_request_of_the_page_is_answered(server: HttpServer, key: str, line: str) -> None:
    assert WRITTEN in line
    ended = sent(server, key, line)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("{")


@pytest.mark.parametrize("line", requests())
def test_without_the_key_only_health_is_answered(server: HttpServer, line: str) -> None:
    ended = sent(server, "another", line)
    assert (ended.returncode == 0) == ("/health" in line)


def test_the_page_has_requests() -> None:
    assert len(requests()) == 3
