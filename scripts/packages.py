"""`make packages NAMESPACE=io.github.you`: what clients install pincite from, into build/packages.

- `server.json`: the entry of the MCP registry.
- `pincite-VERSION.mcpb`: a bundle that Claude Desktop installs by a double click.
- `claude-code`: a marketplace of one Claude Code plugin: the server, the skill `cite` and the command `check`.
- `links.md`: links that install pincite in Cursor and VS Code.

Each starts this version from the package index, by uv; none holds code of pincite.
"""

import argparse
import base64
import json
import tomllib
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, urlencode

from mcp_types import TextContent

from pincite.app import App
from pincite.settings import load
from pincite.transports.cli.clients.known import WORKSPACE
from pincite.transports.mcp import prompts

ROOT = Path(__file__).resolve().parents[1]
SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
MANIFEST_VERSION = "0.4"
"""The first version of the bundle's manifest whose hosts bring uv themselves."""

SERVED = ("docs", "citations")
"""The toolsets of a folder."""

README = """# {name}

{description}

The plugin starts a server of the project's folder, or of another one that you choose when you enable it. Claude then
searches it, cites what it finds and checks quotes. `/{name}:cite QUESTION` answers with citations alone, and
`/{name}:check TEXT` finds for each statement of a text what the documents say of it. It needs
[uv](https://docs.astral.sh/uv/), which fetches the server from the package index at its first start.
"""

FOLDER = "The folder of documents to search."


def main() -> None:
    """Write all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the folder to write into")
    parser.add_argument("--namespace", required=True, help="whose the entry of the MCP registry is, as io.github.you")
    given = parser.parse_args()
    project = cast("dict[str, Any]", tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"])
    for name, content in files(project, given.namespace).items():
        file = given.out / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, "utf-8")
    bundle = given.out / f"{project['name']}-{project['version']}.mcpb"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in bundled(project).items():
            archive.writestr(name, content)
    print(f"Written into {given.out}. Before you publish server.json, put this line into the README of the release:")
    print(f"<!-- mcp-name: {given.namespace}/{project['name']} -->")


def files(project: Mapping[str, Any], namespace: str) -> dict[str, str]:
    """Return all but the bundle, by path."""
    name, plugin = project["name"], f"claude-code/{project['name']}"
    about = {"name": name, "description": project["description"]}
    marketplace = {"name": name, "owner": project["authors"][0], "plugins": [{**about, "source": f"./{name}"}]}
    server = {"command": "uvx", "args": [*_command(project), "${user_config.folder}"]}
    return {
        "server.json": _json(registry_entry(project, namespace)),
        "links.md": links(project),
        "claude-code/.claude-plugin/marketplace.json": _json(marketplace | {"description": project["description"]}),
        f"{plugin}/.claude-plugin/plugin.json": _json({**_about(project), "userConfig": _folder(default=".")}),
        f"{plugin}/README.md": README.format(name=name, description=project["description"]),
        f"{plugin}/.mcp.json": _json({"mcpServers": {name: server}}),
        f"{plugin}/skills/cite/SKILL.md": _task("answer_with_citations", "question", name="cite"),
        f"{plugin}/commands/check.md": _task("check_text", "text"),
    }


def registry_entry(project: Mapping[str, Any], namespace: str) -> dict[str, Any]:
    """Return `server.json`."""
    folder = {"type": "positional", "valueHint": "folder", "description": FOLDER, "format": "filepath"}
    package = {
        "registryType": "pypi",
        "identifier": project["name"],
        "version": project["version"],
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "packageArguments": [{"type": "positional", "value": "serve"}, {**folder, "isRequired": True}],
    }
    return {
        "$schema": SERVER_SCHEMA,
        "name": f"{namespace}/{project['name']}",
        "title": project["name"],
        "description": project["description"],
        "version": project["version"],
        "packages": [package],
    }


def bundled(project: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of the bundle, by name."""
    name, python = project["name"], project["requires-python"]
    tools = App(load(), ROOT, toolsets=SERVED).toolbox.tools
    run = ["run", "--directory", "${__dirname}", "server.py", "${user_config.folder}"]
    manifest = {
        "manifest_version": MANIFEST_VERSION,
        **_about(project),
        "server": {"type": "uv", "entry_point": "server.py", "mcp_config": {"command": "uv", "args": run}},
        "tools": [{"name": tool.name, "description": tool.description} for tool in tools],
        "prompts_generated": True,
        "user_config": _folder(required=True),
        "compatibility": {"platforms": ["darwin", "linux", "win32"], "runtimes": {"python": python}},
    }
    requirement = f'dependencies = ["{name}=={project["version"]}"]'
    lines = ["[project]", f'name = "{name}-bundle"', f'version = "{project["version"]}"', requirement]
    return {
        "manifest.json": _json(manifest),
        "pyproject.toml": "\n".join([*lines, f'requires-python = "{python}"', ""]),
        "server.py": 'import sys\n\nfrom pincite.__main__ import main\n\nsys.argv.insert(1, "serve")\nmain()\n',
    }


def links(project: Mapping[str, Any]) -> str:
    """Return Markdown with the links that install the server for the project that is open."""
    name = project["name"]
    entry = {"command": "uvx", "args": [*_command(project), WORKSPACE]}
    config = base64.b64encode(json.dumps(entry).encode()).decode()
    cursor = f"cursor://anysphere.cursor-deeplink/mcp/install?{urlencode({'name': name, 'config': config})}"
    vscode = f"vscode:mcp/install?{quote(json.dumps({'name': name, **entry}))}"
    return f"[Install in Cursor]({cursor})\n\n[Install in VS Code]({vscode})\n"


def _command(project: Mapping[str, Any]) -> Sequence[str]:
    return f"{project['name']}@{project['version']}", "serve"


def _about(project: Mapping[str, Any]) -> dict[str, Any]:
    kept = {member: project[member] for member in ("name", "version", "description", "license", "keywords")}
    return {**kept, "author": project["authors"][0]}


def _folder(**more: object) -> dict[str, Any]:
    return {"folder": {"type": "directory", "title": "Folder", "description": FOLDER, **more}}


def _task(prompt: str, argument: str, **more: str) -> str:
    """Return a prompt of the server as a file of the plugin, which takes what is typed after its name."""
    filled = prompts.filled(SERVED, prompt, {argument: "$ARGUMENTS"})
    content = cast("TextContent", filled.messages[0].content)
    head = {**more, "description": filled.description}
    return "\n".join(
        ["---", *(f"{key}: {json.dumps(value)}" for key, value in head.items()), "---", "", content.text, ""]
    )


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
