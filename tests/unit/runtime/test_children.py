"""What child processes inherit: a named list of variables, no key among them, and no way to gain privileges."""

import ast
import os
import sys
import threading
from pathlib import Path

import pytest

import pincite
from pincite.embedding import installer
from pincite.formats.base import ReadOptions
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ReaderLimits
from pincite.model.call import Call
from pincite.runtime.children import confined, environment
from pincite.services.git import facts
from support.reader_pool import process_of

KEYS = (
    *("ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "CHROMA_TOKEN", "GITHUB_TOKEN", "HF_TOKEN", "MCP_API_KEY"),
    *("OPENAI_API_KEY", "OPENAI_API_TOKEN", "PGPASSWORD", "PINCITE_STORE_URL", "PINCITE_WEBHOOK_SECRET"),
    *("QDRANT_API_KEY", "SOME_PASSWORD_OF_SOMEBODY"),
)
SECRET = "a-secret-of-the-server"  # noqa: S105 - nobody's
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="/proc shows what a process was given")


@pytest.fixture(autouse=True)
def _secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS:
        monkeypatch.setenv(name, SECRET)


def program(path: Path, report: Path) -> None:
    """A program that writes down its environment and its status, and fails."""
    path.write_text(
        f"#!/bin/sh\n{{ tr '\\0' '\\n' < /proc/self/environ; cat /proc/self/status; }} > {report}\nexit 1\n"
    )
    path.chmod(0o755)


def check(report: str) -> None:
    """The process was given no secret, can gain no privileges, and finds its programs."""
    assert SECRET not in report
    assert "NoNewPrivs:\t1" in report
    assert "PATH=" in report


@LINUX
def test_a_reader_process_gets_no_key_and_no_privileges() -> None:
    pool = ReaderPool(ReadOptions(), ReaderLimits())
    try:
        process = Path("/proc", str(process_of(pool)))
        check((process / "environ").read_text() + (process / "status").read_text())
    finally:
        pool.close()


@LINUX
def test_git_gets_no_key_and_no_privileges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "git", tmp_path / "report")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    facts(tmp_path, 60)
    check((tmp_path / "report").read_text())


@LINUX
def test_the_installer_gets_its_own_variables_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "uv", tmp_path / "report")
    for name in ("PIP_INDEX_URL", "UV_INDEX_URL", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "https://index.example")
    with (tmp_path / "log").open("wb") as log:
        command = [str(tmp_path / "uv")]
        assert installer._run(command, tmp_path, log.fileno(), 1, 60, Call()) == 1  # pyright: ignore[reportPrivateUsage]
    report = (tmp_path / "report").read_text()
    check(report)
    assert report.count("https://index.example") == 3


def test_the_agent_s_command_line_gets_its_own_key_alone(tmp_path: Path) -> None:
    sdk = pytest.importorskip("pincite.agents.claude_sdk", reason="claude-agent-sdk is not installed")
    from pincite.agents.claude.conversation import Access  # noqa: PLC0415 - with the package alone

    access = Access("model", key="the-agent-s-key")
    given = {**os.environ, **sdk.environment(access, tmp_path)}  # as the SDK puts them together
    assert [name for name, value in given.items() if value == SECRET] == []
    assert given["ANTHROPIC_API_KEY"] == "the-agent-s-key"
    assert given["PATH"] == os.environ["PATH"]


@LINUX
def test_the_thread_that_starts_a_process_keeps_its_own_privileges() -> None:
    status = Path("/proc/thread-self/status")
    before = "NoNewPrivs:\t1" in status.read_text()
    inside = confined(lambda: (status.read_text(), threading.get_ident()))
    assert "NoNewPrivs:\t1" in inside[0]
    assert inside[1] != threading.get_ident()
    assert ("NoNewPrivs:\t1" in status.read_text()) == before


def test_a_variable_that_is_given_comes_before_an_inherited_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/inherited")
    monkeypatch.setenv("LC_TIME", "C")
    variables = environment("QDRANT_*", TMPDIR="/given")
    assert (variables["TMPDIR"], variables["LC_TIME"], variables["QDRANT_API_KEY"]) == ("/given", "C", SECRET)
    assert set(KEYS).isdisjoint(environment())


def test_every_process_that_pincite_starts_is_given_a_list_of_variables() -> None:
    sources = Path(pincite.__file__).parent.rglob("*.py")
    calls = [
        (path.name, node)
        for path in sources
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and (node.func.value.id, node.func.attr) in {("subprocess", "Popen"), ("subprocess", "run")}
    ]
    given = {
        name: next((ast.unparse(word.value) for word in node.keywords if word.arg == "env"), "") for name, node in calls
    }
    assert len(given) >= 4
    assert {name: value for name, value in given.items() if not value or "os.environ" in value} == {}
