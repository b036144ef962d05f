import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.transports.cli.clients.known import CLIENTS
from support.http_stub import KEYED, OPEN, STRICT, answering

NAMES = tuple(client.name for client in CLIENTS if client.name != "other")
SHARED = {
    "claude-code": "docs",
    "gemini": "docs",
    "cursor": "${workspaceFolder}/docs",
    "vscode": "${workspaceFolder}/docs",
}


def content_of(file: str) -> Any:
    text = Path(file).read_text(encoding="utf-8")
    return tomllib.loads(text) if file.endswith(".toml") else json.loads(text)


@pytest.mark.parametrize("client", NAMES)
def test_a_configuration_is_printed_and_nothing_is_written(
    pincite: Callable[..., Any], docs: Path, client: str
) -> None:
    ran = pincite("connect", client, docs)
    assert ran.code == 0
    assert json.dumps(SHARED.get(client, str(docs.resolve()))) in ran.out
    assert json.dumps(sys.executable) in ran.out
    assert ("is of this machine" in ran.err) == (client in SHARED)
    assert ("claude mcp add" in ran.out) == (client == "claude-code")
    assert [path.name for path in docs.parent.iterdir()] == ["docs"]


@pytest.mark.parametrize("client", NAMES)
def test_a_configuration_is_written_where_the_client_reads_it(
    pincite: Callable[..., Any], docs: Path, client: str
) -> None:
    told = json.loads(pincite("connect", client, docs, "--name", "manual", "--write", "--json").out)
    assert content_of(told["file"]) == told["configuration"]
    assert told["written"] is True and told["backup"] is None
    again = pincite("connect", client, docs, "--write")
    assert "Backup of the file: " in again.out
    assert set(content_of(told["file"])[next(iter(told["configuration"]))]) == {"manual", "pincite"}


def test_a_folder_that_is_not_there_is_refused(pincite: Callable[..., Any]) -> None:
    ran = pincite("connect", "cursor", "nowhere")
    assert ran.code == 2
    assert "There is no folder 'nowhere'" in ran.err


def test_several_folders_are_one_server(pincite: Callable[..., Any], docs: Path, home: Path) -> None:
    (home / "api").mkdir()
    given = ("handbook=docs", f"api={home / 'api'}")
    assert pincite("connect", "cursor", *given, "--write").code == 0
    assert pincite("connect", "cursor", *given, "--write").code == 0
    ((name, entry),) = servers(home).items()
    assert name == "pincite"
    assert entry["args"][-3:] == ["serve", "handbook=${workspaceFolder}/docs", "api=${workspaceFolder}/api"]
    assert pincite("connect", "cursor", docs, "--write").code == 0
    assert set(servers(home)) == {"pincite", "pincite-docs"}
    assert "There is no folder" in pincite("connect", "cursor", "a=docs", "b=nowhere").err


@pytest.mark.parametrize("client", SHARED)
def test_a_file_that_people_share_names_what_is_below_it_relative_to_the_project(
    pincite: Callable[..., Any], docs: Path, home: Path, monkeypatch: pytest.MonkeyPatch, client: str
) -> None:
    scripts = home / ".venv" / "bin"
    scripts.mkdir(parents=True)
    monkeypatch.setattr("sys.executable", str(scripts / "python"))
    monkeypatch.setattr("sys.prefix", str(home / ".venv"))
    (scripts / "pincite").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(scripts))  # an activated environment is not in another person's PATH
    ran = pincite("connect", client, docs)
    assert str(home) not in ran.out.replace(f"reads {home}", "").partition("Or run this")[0] and ran.err == ""
    assert f'{SHARED[client].removesuffix("docs")}.venv/bin/python"' in ran.out
    linked = home / "local" / "bin"
    linked.mkdir(parents=True)
    (linked / "pincite").symlink_to(scripts / "pincite")  # as pipx and uv do
    monkeypatch.setenv("PATH", str(linked))
    assert '"command": "pincite"' in pincite("connect", client, docs).out
    elsewhere = home.parent / "elsewhere"
    elsewhere.mkdir()
    ran = pincite("connect", client, elsewhere)
    assert str(elsewhere) in ran.out and f"{elsewhere} is of this machine" in ran.err


def test_a_link_in_the_project_is_named_as_the_link(pincite: Callable[..., Any], home: Path) -> None:
    target = home.parent / "elsewhere"
    target.mkdir()
    (home / "linked").symlink_to(target)
    assert '"${workspaceFolder}/linked"' in pincite("connect", "cursor", "linked").out
    assert json.dumps(str(target)) in pincite("connect", "cursor", "../elsewhere").out


def test_a_folder_that_was_written_with_its_whole_path_is_the_same_one(
    pincite: Callable[..., Any], docs: Path, home: Path
) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    entry = {"command": "python", "args": ["-m", "pincite", "serve", str(docs.resolve())]}
    file.write_text(json.dumps({"mcpServers": {"pincite": entry}}), encoding="utf-8")
    assert pincite("connect", "cursor", docs, "--write").code == 0
    assert list(servers(home)) == ["pincite"]


def test_codex_s_file_keeps_its_comments(pincite: Callable[..., Any], docs: Path, home: Path) -> None:
    file = home / ".codex" / "config.toml"
    file.parent.mkdir()
    before = '# mine\nmodel = "o9" # the best\n\n[mcp_servers.other]\ncommand = "x"\n'
    file.write_text(before, encoding="utf-8")
    assert pincite("connect", "codex", docs, "--write").code == 0
    assert file.read_text(encoding="utf-8").startswith(before)
    assert pincite("connect", "codex", docs, "--write", "--name", "other").code == 3


def test_a_client_that_is_not_known_gets_an_entry_to_copy(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("connect", "other", docs)
    assert ran.code == 0 and json.dumps(str(docs.resolve())) in ran.out
    told = json.loads(pincite("connect", "other", docs, "--json").out)
    assert told["file"] is None and told["configuration"]["mcpServers"]["pincite"]["command"] == sys.executable
    ran = pincite("connect", "other", docs, "--write")
    assert ran.code == 2 and "copy the entry" in ran.err


def test_an_unknown_client_is_refused(pincite: Callable[..., Any], docs: Path) -> None:
    assert pincite("connect", "emacs", docs).code == 2


def servers(home: Path) -> dict[str, Any]:
    return json.loads((home / ".cursor" / "mcp.json").read_text(encoding="utf-8"))["mcpServers"]


def test_a_second_folder_is_a_second_server(pincite: Callable[..., Any], docs: Path, home: Path) -> None:
    for name in ("two", "other/two"):
        (home / name).mkdir(parents=True)
    for folder in (docs, home / "two", home / "other" / "two", home / "two", docs):
        assert pincite("connect", "cursor", folder, "--write").code == 0
    assert {name: entry["args"][-1] for name, entry in servers(home).items()} == {
        "pincite": "${workspaceFolder}/docs",
        "pincite-two": "${workspaceFolder}/two",
        "pincite-two-2": "${workspaceFolder}/other/two",
    }


def test_a_name_of_another_server_is_refused_unless_it_is_to_be_replaced(
    pincite: Callable[..., Any], docs: Path, home: Path
) -> None:
    (home / "two").mkdir()
    pincite("connect", "cursor", docs, "--write", "--name", "guide")
    refused = pincite("connect", "cursor", home / "two", "--write", "--name", "guide")
    assert refused.code == 3 and "--replace" in refused.err
    assert servers(home)["guide"]["args"][-1] == "${workspaceFolder}/docs"
    assert pincite("connect", "cursor", home / "two", "--write", "--name", "guide", "--replace").code == 0
    assert servers(home)["guide"]["args"][-1] == "${workspaceFolder}/two"


def test_the_entry_of_a_folder_that_is_gone_is_written_anew(
    pincite: Callable[..., Any], docs: Path, home: Path
) -> None:
    (home / "two").mkdir()
    pincite("connect", "cursor", home / "two", "--write")
    (home / "two").rmdir()
    assert pincite("connect", "cursor", docs, "--write", "--name", "pincite").code == 0
    assert {name: entry["args"][-1] for name, entry in servers(home).items()} == {"pincite": "${workspaceFolder}/docs"}


def test_a_file_that_cannot_be_read_does_not_keep_the_entry_from_being_printed(
    pincite: Callable[..., Any], docs: Path, home: Path
) -> None:
    (home / ".mcp.json").write_text("// comments\n{}", encoding="utf-8")
    ran = pincite("connect", "claude-code", docs)
    assert ran.code == 0 and '"pincite"' in ran.out
    assert pincite("connect", "claude-code", docs, "--write").code == 3


# A server at a URL

FAR = "https://docs.invalid/mcp"


@pytest.mark.parametrize("client", NAMES)
def test_a_server_at_a_url_is_written_once_with_its_key_by_reference(
    pincite: Callable[..., Any], home: Path, client: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_API_KEY", "the-key-itself")
    with answering(KEYED) as port:
        url = f"http://127.0.0.1:{port}"
        told = json.loads(pincite("connect", client, "--url", url, "--write", "--json").out)
        again = json.loads(pincite("connect", client, "--url", f"{url}/mcp", "--write", "--json").out)
    assert content_of(told["file"]) == told["configuration"]
    assert f"{url}/mcp" in str(told["configuration"])
    assert (again["name"], again["backup"]) == ("pincite", None)
    written = [file.read_text(encoding="utf-8") for file in home.rglob("*") if file.is_file()]
    assert written and not any("the-key-itself" in text for text in written)
    assert "key" in told["notes"][-1].lower()


def test_a_server_that_needs_no_key_gets_none(pincite: Callable[..., Any]) -> None:
    with answering(OPEN) as port:
        told = json.loads(pincite("connect", "cursor", "--url", f"http://127.0.0.1:{port}/sse", "--json").out)
    assert told["configuration"]["mcpServers"]["pincite"] == {"url": f"http://127.0.0.1:{port}/sse"}
    assert told["notes"] == []


@pytest.mark.parametrize(
    ("option", "url", "with_key"),
    [
        ((), "http://127.0.0.1:1/mcp", False),
        (("--key",), "http://127.0.0.1:1/mcp", True),
        (("--no-key",), "http://127.0.0.1:1/mcp", False),
    ],
)
def test_a_server_that_does_not_answer_is_told_and_its_key_is_ones_own_choice(
    pincite: Callable[..., Any], option: tuple[str, ...], url: str, with_key: bool
) -> None:
    ran = pincite("connect", "claude-code", "--url", url, *option)
    assert ran.code == 0
    assert "Nothing answers at" in ran.err
    assert ("${MCP_API_KEY}" in ran.out) == with_key
    assert f"claude mcp add --transport http pincite {url}" in ran.out


def test_what_is_not_pincite_and_a_name_that_it_refuses_are_told(pincite: Callable[..., Any]) -> None:
    with answering({}) as port:
        assert "is not pincite" in pincite("connect", "cursor", "--url", f"http://127.0.0.1:{port}").err
    with answering(STRICT) as port:
        assert "PINCITE_ALLOWED_HOSTS" in pincite("connect", "cursor", "--url", f"http://127.0.0.1:{port}").err


def test_a_key_over_plain_http_to_another_machine_is_told(pincite: Callable[..., Any]) -> None:
    # No name of the domain `invalid` ever resolves (RFC 2606).
    assert "travels unencrypted" in pincite("connect", "cursor", "--url", "http://docs.invalid:8000", "--key").err
    assert "travels unencrypted" not in pincite("connect", "cursor", "--url", FAR, "--key").err


def test_a_second_url_is_a_second_server(pincite: Callable[..., Any], docs: Path, home: Path) -> None:
    with answering(OPEN) as one, answering(OPEN) as two:
        assert pincite("connect", "cursor", docs, "--write").code == 0
        for port in (one, two, one):
            assert pincite("connect", "cursor", "--url", f"http://127.0.0.1:{port}", "--write").code == 0
        assert {name: entry.get("url") for name, entry in servers(home).items()} == {
            "pincite": None,
            f"pincite-127.0.0.1-{one}": f"http://127.0.0.1:{one}/mcp",
            f"pincite-127.0.0.1-{two}": f"http://127.0.0.1:{two}/mcp",
        }


def test_claude_desktop_gets_a_file_for_the_key_that_only_its_owner_can_read(
    pincite: Callable[..., Any], home: Path
) -> None:
    ran = pincite("connect", "claude-desktop", "--url", "http://127.0.0.1:1", "--key", "--write")
    (file,) = (home / ".config" / "pincite").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert f"Created for the key: {file}" in ran.out and "x-api-key" in ran.err


def test_contradicting_arguments_are_refused(pincite: Callable[..., Any], docs: Path) -> None:
    assert pincite("connect", "cursor", docs, "--url", FAR).code == 2
    assert pincite("connect", "cursor", docs, "--key").code == 2
    assert pincite("connect", "cursor", "--url", "docs.example").code == 2
