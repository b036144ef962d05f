"""What the pages tell a new user to type before there is a `pincite` command, in a new copy of the project.

It needs a package index; the model is taken from this machine, since fetching it is no matter of these pages.
"""

import json
import os
import runpy
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.wire import Wire

ROOT = Path(__file__).resolve().parents[2]
RECORD: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "record.py"), run_name="record")
SECONDS = 900


def _commands() -> Iterator[str]:
    for page in RECORD["PAGES"]:
        for block in RECORD["blocks"](page.read_text(encoding="utf-8"), "console"):
            for command in RECORD["commands"](block["body"]):
                if command.sets_up or command.text == RECORD["DEMO"]:
                    yield command.text


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is in git, as it is in the working tree."""
    folder = tmp_path_factory.mktemp("new") / "pincite"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("this is no checkout")
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, model_cache: Path) -> dict[str, str]:
    """A new user's: an empty environment of Python in front of the path, uv behind it."""
    home = tmp_path_factory.mktemp("home")
    venv.create(home / "venv", with_pip=True)
    (home / "cache").mkdir()
    (home / "cache" / "models").symlink_to(model_cache)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PINCITE_", "VIRTUAL_ENV"))}
    path = os.pathsep.join([str(home / "venv" / "bin"), os.environ["PATH"], str(Path(sys.executable).parent)])
    return {**kept, "PATH": path, "PINCITE_CACHE": str(home / "cache"), "PINCITE_FETCH_MODEL": "false"}


def test_there_are_such_commands() -> None:
    assert {"make demo", "pip install .", "uvx --from . pincite serve ./docs"} <= set(_commands())


@pytest.mark.slow
@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("command", dict.fromkeys(_commands()))
def test_it_works_in_a_new_copy_of_the_project(command: str, checkout: Path, environment: dict[str, str]) -> None:
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=checkout,
        env=environment,
        stdin=subprocess.DEVNULL,  # a server ends with its input
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr


def test_what_connect_wrote_serves_the_folder(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "guide", tmp_path / "docs")
    env = {**os.environ, "PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash"}
    connect = [sys.executable, "-m", "pincite", "connect", "claude-code", "./docs", "--write"]
    subprocess.run(connect, cwd=tmp_path, env=env, capture_output=True, check=True)
    entry = json.loads((tmp_path / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["pincite"]
    command = [entry["command"], *entry["args"]]
    settings = {**env, "PINCITE_FRESH_BUDGET": "inf"}
    with Wire(command, settings, cwd=tmp_path, start=subprocess.Popen).open() as wire:
        query = '"An edit that you saved before you asked is in the answer"'
        hit = wire.call("search_docs", {"query": query})["structuredContent"]["results"][0]
        assert hit["metadata"]["heading_path"] == "Citations and freshness > Freshness"
        opened = wire.call("open_citation", {"ref": hit["ref"]})["structuredContent"]
        assert opened["content"].strip() == hit["content"].strip()
