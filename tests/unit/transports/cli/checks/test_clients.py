import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.transports.cli.checks.clients import client_checks
from pincite.transports.cli.checks.installation import Check, State
from pincite.transports.cli.clients import known
from support.http_stub import KEYED, OPEN, STRICT, answering

CODE = known.find("claude-code")
REFERENCE = {"x-api-key": "${MCP_API_KEY}"}


@pytest.fixture
def written(home: Path) -> Callable[..., list[Check]]:
    """The checks of Claude Code's file with these servers in it."""

    def write(mode: int = 0o644, **servers: Any) -> list[Check]:
        file = home / ".mcp.json"
        file.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
        file.chmod(mode)
        return list(client_checks(CODE))

    return write


Written = Callable[..., list[Check]]


def by_url(port: int, **headers: str) -> dict[str, Any]:
    return {"type": "http", "url": f"http://127.0.0.1:{port}/mcp", "headers": headers}


def test_a_server_that_answers_is_well(written: Written) -> None:
    with answering(OPEN) as port:
        (check,) = written(pincite=by_url(port))
    assert check.state is State.OK
    assert check.found.endswith(f"'pincite' at http://127.0.0.1:{port}/mcp")


def test_every_server_of_ours_is_checked_and_no_other(written: Written) -> None:
    with answering(OPEN) as port:
        checks = written(
            **{"pincite": by_url(port), "pincite-two": by_url(port), "guide": by_url(port, **REFERENCE)},
            other={"url": "http://127.0.0.1:1/mcp"},
            odd={"url": 1},
        )
    assert len(checks) == 3


@pytest.mark.parametrize(
    ("answers", "problem"),
    [({}, "is not pincite"), (STRICT, "refuses calls under this name"), (KEYED, "the entry sends none")],
)
def test_a_server_from_which_no_answer_will_come_is_a_warning(written: Written, answers: Any, problem: str) -> None:
    with answering(answers) as port:
        (check,) = written(pincite=by_url(port))
    assert check.state is State.WARNING and problem in check.found and check.fix


def test_a_server_that_does_not_run_is_a_warning(written: Written) -> None:
    with answering(OPEN) as port:
        pass
    (check,) = written(pincite=by_url(port))
    assert "nothing answers there: Connection refused" in check.found


def test_an_url_of_no_interface_is_a_warning(written: Written) -> None:
    (check,) = written(pincite={"url": "http://127.0.0.1:1/api"})
    assert "names no interface" in check.found and "pincite connect claude-code --url" in check.fix


def test_a_variable_that_is_not_set_is_told(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    with answering(KEYED) as port:
        (check,) = written(pincite=by_url(port, **REFERENCE))
        assert "MCP_API_KEY is not set here" in check.found
        monkeypatch.setenv("MCP_API_KEY", "k")
        (check,) = written(pincite=by_url(port, **REFERENCE))
    assert check.state is State.OK


def test_a_key_that_others_can_read_is_told_and_not_repeated(written: Written) -> None:
    with answering(KEYED) as port:
        (check,) = written(pincite=by_url(port, Authorization="Bearer the-key-itself"))
        assert check.state is State.WARNING and "which others can read" in check.found
        assert "the-key-itself" not in check.found + check.fix
        (check,) = written(0o600, pincite=by_url(port, Authorization="Bearer the-key-itself"))
    assert check.state is State.OK


def test_the_file_of_a_bridge_is_read_for_the_key(written: Written, tmp_path: Path) -> None:
    file = tmp_path / "docs.headers"
    with answering(KEYED) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        entry = {"command": "npx", "args": ["-y", "mcp-remote@1", url, "--header-file", str(file)]}
        assert "holds none" in written(pincite=entry)[0].found
        file.write_text("# a comment\nx-api-key:\n", encoding="utf-8")
        file.chmod(0o600)
        assert "holds none" in written(pincite=entry)[0].found
        file.write_text("X-Api-Key: k\n", encoding="utf-8")
        assert written(pincite=entry)[0].state is State.OK
        file.chmod(0o644)
        (check,) = written(pincite=entry)
    assert check.fix == f"Make it yours alone: chmod 600 {file}"


def test_what_connect_writes_is_what_doctor_finds(pincite: Callable[..., Any], docs: Path) -> None:
    with answering(OPEN) as port:
        pincite("connect", "claude-desktop", "--url", f"http://127.0.0.1:{port}", "--write")
        pincite("connect", "cursor", docs, "--write")
        pincite("connect", "codex", docs, "--write")
        told = json.loads(pincite("doctor", "--docs", docs, "--json").out)
    states = {check["name"]: check["state"] for check in told["checks"]}
    assert states["client claude-desktop"] == states["client cursor"] == states["client codex"] == "ok"


def test_the_variable_that_codex_takes_the_key_from_is_no_key(
    pincite: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_API_KEY", "secret")
    with answering(KEYED) as port:
        pincite("connect", "codex", "--url", f"http://127.0.0.1:{port}", "--write")
        (home / ".codex" / "config.toml").chmod(0o644)
        (check,) = client_checks(known.find("codex"))
    assert check.state is State.OK


def test_each_of_several_folders_is_looked_for(written: Written, docs: Path) -> None:
    arguments = ["serve", f"api={docs}", f"handbook={docs}"]
    (check,) = written(pincite={"command": "pincite", "args": arguments})
    assert check.state is State.OK
    (check,) = written(pincite={"command": "pincite", "args": [*arguments, f"old={docs}/nowhere"]})
    assert check.state is State.WARNING and f"names {docs}/nowhere, which does not exist" in check.found
