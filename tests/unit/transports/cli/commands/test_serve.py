import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from os import environ
from pathlib import Path
from typing import Any

import pytest

from pincite.registry import TRANSPORTS
from pincite.transports.cli.commands import serve
from support.raw_client import HELLO, request
from support.serving import index_of
from support.wire import Wire
from support.wire import pincite as command_of


def noting(served: list[Any]) -> Callable[..., None]:
    """A transport that notes what it is to serve."""

    def serve(app: Any, ready: Callable[[str], None], interrupted: int) -> None:
        del ready, interrupted
        served.append(app)

    return serve


def test_serve_hands_the_folder_to_the_transport(
    pincite: Callable[..., Any], docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.setattr("pincite.transports.mcp.server.serve_stdio", noting(served))
    assert pincite("serve", docs, "--db", tmp_path / "index.db").code == 0
    assert pincite("serve", "--docs", docs).code == 0
    assert [app.folder.source for app in served] == [docs, docs]
    assert index_of(served[0]) == tmp_path / "index.db"


@pytest.mark.usefixtures("home")
def test_serve_without_a_folder_serves_the_library_over_http(
    pincite: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.setattr("pincite.transports.http.server.serve_http", noting(served))
    assert pincite("serve").code == 0
    assert (served[0].folder, served[0].library.name) == (None, "library")
    assert served[0].toolset_names == ["citations", "knowledge"]


def test_serve_takes_one_folder_or_several_by_name(
    pincite: Callable[..., Any], docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments in ((docs, "--docs", docs.parent), (docs, docs.parent)):
        ran = pincite("serve", *arguments)
        assert ran.code == 2 and "Name each" in ran.err
    served: list[Any] = []
    monkeypatch.setattr("pincite.transports.mcp.server.serve_stdio", noting(served))
    assert pincite("serve", f"one={docs}", f"two={docs.parent}").code == 0
    assert [(spec.name, spec.source) for spec in served[0].folders] == [("one", docs), ("two", docs.parent)]
    for names, options, reason in (
        ((f"one={docs}", f"two={docs}"), (), "the same folder"),
        ((f"one={docs}", f"library={docs.parent}"), (), "Choose another"),
        ((f"one={docs}", f"two={docs.parent}"), ("--db", tmp_path / "index.db"), "Leave it out"),
    ):
        ran = pincite("serve", *names, *options)
        assert ran.code == 2 and reason in ran.err


@pytest.mark.parametrize("name", ["http", "rest", "streamable-http", "sse", "mcp"])
def test_each_transport_is_found_by_its_name_and_gets_the_settings_of_the_command_line(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(f"pincite.transports.http.server.serve_{name.replace('-', '_')}", noting(served))
    ran = pincite("serve", docs, "--transport", name, "--host", "::1", "--port", "0", "--no-sse", "--insecure")
    assert ran.code == 0
    http = served[0].settings.http
    assert (http.host, http.port, http.sse, http.insecure) == ("::1", 0, False, True)


def test_an_env_file_is_read_where_a_person_starts_the_server(
    pincite: Callable[..., Any], docs: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Any] = []
    monkeypatch.delenv("PORT", raising=False)
    monkeypatch.setattr("pincite.transports.mcp.server.serve_stdio", noting(served))
    monkeypatch.setattr("pincite.transports.http.server.serve_http", noting(served))
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


def test_an_unknown_transport_or_toolset_is_refused_with_those_known(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("serve", docs, "--transport", "carrier-pigeon")
    assert ran.code == 3 and "streamable-http" in ran.err
    ran = pincite("serve", docs, "--toolsets", "docs,parrots")
    assert ran.code == 3 and "citations" in ran.err


def test_on_a_terminal_the_next_steps_over_http_are_said() -> None:
    url = "http://[::1]:8123"
    said = serve._http_announcement(url, ["docs"])  # pyright: ignore[reportPrivateUsage]
    assert f"Serving 'docs' at {url}." in said
    assert f"{url}/docs\n" in said and f"--url {url}/mcp" in said


def test_help_names_every_transport(pincite: Callable[..., Any]) -> None:
    shown = pincite("serve", "--help").out
    assert [row.name for row in TRANSPORTS if not re.search(rf"\b{row.name}\b", shown)] == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pseudo-terminal")
@pytest.mark.parametrize(("command", "code"), [(["pincite", "serve"], 2), (["pincite.knowledge"], 1)])
def test_a_port_that_is_taken_is_an_error_and_no_server_is_announced(
    docs: Path, tmp_path: Path, command: list[str], code: int
) -> None:
    main, terminal = os.openpty()
    started = "from pincite.__main__ import {}; {}()"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        env = {**os.environ, "PORT": str(taken.getsockname()[1]), "PINCITE_CACHE": str(tmp_path)}
        env |= {"DATA_DIR": str(tmp_path / "data"), "EMBEDDING_PROVIDER": "hash"}
        name = "main" if command[-1] == "serve" else "knowledge_mcp"
        arguments = ["serve", str(docs)] if name == "main" else []
        ran = subprocess.run(
            [sys.executable, "-c", started.format(name, name), *arguments, "--transport", "http"],
            stdin=terminal,
            stderr=terminal,
            stdout=subprocess.PIPE,
            env=env,
            check=False,
            timeout=60,
        )
    os.close(terminal)
    said = os.read(main, 65_536).decode()
    os.close(main)
    assert ran.returncode == code
    assert "Cannot listen on" in said and "Serving" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="there are no descriptors")
def test_a_closed_standard_input_is_an_empty_one(docs: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pincite", "serve", str(docs), "--db", str(tmp_path / "x.db")]
    ran = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *command], capture_output=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout, b"bug in pincite" in ran.stderr) == (0, b"", False), ran.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a working directory cannot be deleted there")
@pytest.mark.parametrize("command", ["serve --toolsets knowledge", "search x", "status", "doctor"])
def test_a_deleted_working_directory_is_no_bug(tmp_path: Path, command: str) -> None:
    (tmp_path / "gone").mkdir()
    script = f"cd {tmp_path}/gone && rmdir ../gone && exec {sys.executable} -m pincite {command}"
    ran = subprocess.run(["sh", "-c", script], capture_output=True, check=False, timeout=60, stdin=subprocess.DEVNULL)
    assert (ran.returncode, b"bug in pincite" in ran.stderr) == (2, False), ran.stderr
    assert b"The working directory does not exist any more." in ran.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent as signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
@pytest.mark.parametrize("command", ["serve", "converter", "worker"])
def test_a_server_says_as_json_that_it_has_started_and_ends_with_130_if_it_is_interrupted(
    home: Path, command: str, number: signal.Signals, code: int
) -> None:
    env = {**environ, "DATA_DIR": str(home / "data")}
    with subprocess.Popen(command_of(command, "--json"), env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        started = json.loads(server.stdout.readline())
        server.send_signal(number)
        assert server.wait(60) == code
        assert server.stdout.read() == ""
    assert started.keys() == {"serve": {"url", "tools"}, "converter": {"url"}, "worker": {"concurrent_tasks"}}[command]
    assert started.get("url", "http://127.0.0.1:").startswith("http://127.0.0.1:")


@pytest.mark.skipif(sys.platform == "win32", reason="interrupts are sent as signals")
@pytest.mark.parametrize(("script", "code"), [("main", 130), ("knowledge_mcp", 0)])
def test_over_stdio_an_interrupt_is_130_and_of_the_script_of_contract_2_a_clean_shutdown(
    docs: Path, home: Path, script: str, code: int
) -> None:
    env = {**environ, "DATA_DIR": str(home / "data")}
    command = [sys.executable, "-c", f"from pincite.__main__ import {script}; {script}()"]
    command += ["serve", str(docs), "--json"] if script == "main" else []
    wire = Wire(command, env).open()
    assert script != "main" or '{"url": null, "tools": ["search_docs"' in "".join(wire.log)
    wire.process.send_signal(signal.SIGINT)
    assert wire.wait() == code


def test_a_server_imports_neither_the_client_nor_the_high_level_server_of_the_sdk(docs: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "pincite", "serve", str(docs), "--db", str(tmp_path / "x.db")]
    ran = subprocess.run(command, input=request(1, "initialize", HELLO), capture_output=True, check=True)
    assert json.loads(ran.stdout)["result"]["serverInfo"]["name"] == "pincite"
    imported = {line.rpartition("|")[2].strip() for line in ran.stderr.decode().splitlines()}
    assert "mcp.server.lowlevel.server" in imported
    assert [name for name in imported if name.startswith(("mcp.client", "mcp.server.mcpserver"))] == []
