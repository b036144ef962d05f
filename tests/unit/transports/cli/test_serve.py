import json
import subprocess
import sys
from collections.abc import Callable
from os import environ
from pathlib import Path
from typing import Any

import pytest

from pincite.settings import Http
from pincite.transports.cli import serve
from support.raw_client import HELLO, request
from support.serving import index_of
from support.wire import Wire


def test_serve_hands_the_folder_to_the_transport(
    pincite: Callable[..., Any], docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.setattr("pincite.transports.mcp.server.serve_stdio", served.append)
    assert pincite("serve", docs, "--db", tmp_path / "index.db").code == 0
    assert pincite("serve", "--docs", docs).code == 0
    assert [app.folder.source for app in served] == [docs, docs]
    assert index_of(served[0]) == tmp_path / "index.db"


def test_serve_needs_exactly_one_folder(pincite: Callable[..., Any], docs: Path) -> None:
    assert pincite("serve").code == 2
    ran = pincite("serve", docs, "--docs", docs.parent)
    assert ran.code == 2
    assert "Two folders were named" in ran.err


@pytest.mark.parametrize("name", ["http", "rest", "streamable-http", "sse"])
def test_each_transport_is_found_by_its_name_and_gets_the_settings_of_the_command_line(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(f"pincite.transports.http.server.serve_{name.replace('-', '_')}", served.append)
    ran = pincite("serve", docs, "--transport", name, "--host", "::1", "--port", "0", "--no-sse", "--insecure")
    assert ran.code == 0
    http = served[0].settings.http
    assert (http.host, http.port, http.sse, http.insecure) == ("::1", 0, False, True)


def test_an_env_file_is_read_where_a_person_starts_the_server(
    pincite: Callable[..., Any], docs: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.delenv("PORT", raising=False)
    monkeypatch.setattr("pincite.transports.mcp.server.serve_stdio", served.append)
    monkeypatch.setattr("pincite.transports.http.server.serve_http", served.append)
    (home / ".env").write_text("PORT=8123\n")
    assert pincite("serve", docs).code == pincite("serve", docs, "--transport", "http").code == 0
    assert pincite("serve", "--toolsets", "knowledge", "--transport", "stdio").code == 0
    assert [app.settings.http.port for app in served] == [8000, 8123, 8123]


@pytest.mark.parametrize("place", ["", "sub/deeper"])
def test_both_console_scripts_of_a_library_read_the_env_file_up_to_the_repository(
    home: Path, tmp_path: Path, place: str
) -> None:
    (home / "in").mkdir()
    (home / "in/a.md").write_text("# A\n\nA zebra shall work.\n")
    if place:
        (home / ".git").mkdir()
    (home / ".env").write_text(f"DATA_DIR={tmp_path / 'elsewhere'}\n")
    here = home / place
    here.mkdir(parents=True, exist_ok=True)
    scripts = Path(sys.executable).parent
    added = subprocess.run([scripts / "knowledge-ingest", home / "in"], cwd=here, check=True, timeout=100)
    assert added.returncode == 0 and (tmp_path / "elsewhere/library.db").exists()
    with Wire([str(scripts / "knowledge-mcp")], dict(environ), cwd=here).open() as server:
        answer = server.call("knowledge_search", {"query": "zebra"})["structuredContent"]
    assert [each["source"]["source_path"] for each in answer["results"]] == ["a.md"]


def test_a_stdio_server_of_a_folder_reads_no_env_file(home: Path, docs: Path) -> None:
    (home / ".env").write_text("PINCITE_MAX_FILES=1\n")
    command = [sys.executable, "-m", "pincite", "serve", str(docs)]
    with Wire(command, dict(environ), cwd=home).open() as server:
        assert len(server.call("list_pages")["structuredContent"]["pages"]) == 2


def test_an_unknown_transport_and_several_workers_are_refused_with_the_reason(
    pincite: Callable[..., Any], docs: Path
) -> None:
    ran = pincite("serve", docs, "--transport", "carrier-pigeon")
    assert ran.code == 2 and "streamable-http" in ran.err
    ran = pincite("serve", docs, "--transport", "http", "--workers", "2")
    assert ran.code == 3 and "keeps a session on its server" in ran.err


@pytest.mark.parametrize(("host", "url"), [("127.0.0.1", "http://127.0.0.1:8000"), ("::1", "http://[::1]:8000")])
def test_on_a_terminal_the_next_steps_over_http_are_said(host: str, url: str) -> None:
    said = serve._http_announcement(  # pyright: ignore[reportPrivateUsage]
        Http.model_validate({"HOST": host}), Path("docs")
    )
    assert f"Serving 'docs' at {url};" in said
    assert f"{url}/docs\n" in said and f"--url {url}/mcp" in said


def test_a_server_imports_neither_the_client_nor_the_high_level_server_of_the_sdk(docs: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "pincite", "serve", str(docs), "--db", str(tmp_path / "x.db")]
    ran = subprocess.run(command, input=request(1, "initialize", HELLO), capture_output=True, check=True)
    assert json.loads(ran.stdout)["result"]["serverInfo"]["name"] == "pincite"
    imported = {line.rpartition("|")[2].strip() for line in ran.stderr.decode().splitlines()}
    assert "mcp.server.lowlevel.server" in imported
    assert [name for name in imported if name.startswith(("mcp.client", "mcp.server.mcpserver"))] == []
