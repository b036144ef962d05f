"""What `make packages` writes names this version, its own tools and no other, and starts a server.

`tests/e2e/test_clients.py` shows the bundle and the plugin to the programs that read them.
"""

import asyncio
import base64
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from mcp import Client, StdioServerParameters

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
STARTED = f"pincite@{PROJECT['version']}"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("packages")
    script = [sys.executable, ROOT / "scripts" / "packages.py", out, "--namespace", "io.github.example"]
    subprocess.run(script, check=True, capture_output=True)
    return out


@pytest.fixture(scope="module")
def bundle(packages: Path) -> Path:
    (archive,) = packages.glob("*.mcpb")
    with zipfile.ZipFile(archive) as content:
        content.extractall(packages / "bundle")
    return packages / "bundle"


def test_the_registry_takes_the_name_the_description_and_the_version(packages: Path) -> None:
    entry = json.loads((packages / "server.json").read_text("utf-8"))
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert 0 < len(entry["description"]) <= 100  # the registry's own limit
    (package,) = entry["packages"]
    assert (entry["version"], package["version"]) == (PROJECT["version"], PROJECT["version"])
    assert package["identifier"] == PROJECT["name"]


def test_the_bundle_starts_a_server_with_the_tools_that_it_names(bundle: Path, tmp_path: Path) -> None:
    folder = tmp_path / "documents of mine"
    folder.mkdir()
    (folder / "a.md").write_text("# Alpha\n\nA zebra crossing.\n")
    manifest = json.loads((bundle / "manifest.json").read_text("utf-8"))
    (start,) = [n for n, part in enumerate(manifest["server"]["mcp_config"]["args"]) if part == "server.py"]
    arguments = [str(bundle / "server.py"), *manifest["server"]["mcp_config"]["args"][start + 1 :]]
    command = [part.replace("${user_config.folder}", str(folder)) for part in arguments]
    environment = {"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash"}

    async def served() -> list[str]:
        server = StdioServerParameters(command=sys.executable, args=command, env=environment)
        async with Client(server) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert asyncio.run(served()) == [tool["name"] for tool in manifest["tools"]]
    required = tomllib.loads((bundle / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert required == [f"pincite=={PROJECT['version']}"]


def test_the_links_start_this_version_on_the_project_that_is_open(packages: Path) -> None:
    addresses: list[str] = re.findall(r"\((\S+)\)", (packages / "links.md").read_text("utf-8"))
    cursor, vscode = addresses
    query = parse_qs(urlsplit(cursor).query)
    entry = {"command": "uvx", "args": [STARTED, "serve", "${workspaceFolder}"]}
    assert (query["name"], json.loads(base64.b64decode(query["config"][0]))) == (["pincite"], entry)
    assert json.loads(unquote(urlsplit(vscode).query)) == {"name": "pincite", **entry}


def test_the_skill_and_the_command_name_tools_that_the_plugin_serves(packages: Path, bundle: Path) -> None:
    served = {tool["name"] for tool in json.loads((bundle / "manifest.json").read_text("utf-8"))["tools"]}
    plugin = packages / "claude-code" / "pincite"
    for page in (plugin / "skills" / "cite" / "SKILL.md", plugin / "commands" / "check.md"):
        text = page.read_text("utf-8")
        assert set(re.findall(r"[a-z]+_[a-z_]+", text)) <= served
        assert "verify_quote" in text
        assert text.endswith("$ARGUMENTS\n")
    server = json.loads((plugin / ".mcp.json").read_text("utf-8"))["mcpServers"]["pincite"]
    assert server == {"command": "uvx", "args": [STARTED, "serve", "${user_config.folder}"]}
