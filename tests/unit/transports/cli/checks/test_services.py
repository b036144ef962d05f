"""`doctor` asks each service of the settings whether it answers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support import http_stub
from support.http_stub import answering
from support.ports import free_port


def checked(pincite: Callable[..., Any], docs: Path) -> dict[str, Any]:
    return {check["name"]: check for check in json.loads(pincite("doctor", "--json", "--docs", docs).out)["checks"]}


@pytest.mark.parametrize(
    ("variable", "name"),
    [
        ("MARKITDOWN_URL", "converter"),
        ("MCP_TOOLS_URL", "tool server"),
        ("ANTHROPIC_BASE_URL", "agent"),
        ("PINCITE_WEBHOOK_URL", "webhook"),
        ("PINCITE_STORE_URL", "database"),
    ],
)
def test_each_service_of_the_settings_is_asked_whether_it_answers(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch, variable: str, name: str
) -> None:
    monkeypatch.setenv("PINCITE_WEBHOOK_SECRET", "whsec_c2VjcmV0")
    monkeypatch.setenv("PINCITE_STORE_CONNECT_TIMEOUT", "2")
    nobody = f"127.0.0.1:{free_port()}"
    monkeypatch.setenv(variable, f"postgresql://{nobody}/x" if name == "database" else f"http://{nobody}")
    check = checked(pincite, docs)[name]
    assert check["state"] == "failure" and variable in check["found"] + check["fix"]
    if name != "database":
        with answering(http_stub.OPEN) as port:
            monkeypatch.setenv(variable, f"http://127.0.0.1:{port}")
            assert checked(pincite, docs)[name]["state"] == "ok"


@pytest.mark.parametrize("variable", ["MARKITDOWN_URL", "MCP_TOOLS_URL"])
def test_a_program_that_is_no_converter_and_no_tool_server_is_a_failure(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    with answering({"/": (200, "", "")}) as port:
        monkeypatch.setenv(variable, f"http://127.0.0.1:{port}/")
        checks = checked(pincite, docs)
    states = [check["state"] for check in checks.values() if variable in check["found"] and check["name"] != "settings"]
    assert states == ["failure"]
