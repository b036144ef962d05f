"""A folder whose own path is not UTF-8 is served like any other; its path is shown with replacement characters."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from support.wire import ERAS, Wire, pincite

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there a path may be any bytes")

PAGES = {"a.md": "# Alpha\n\nA zebra crossing.\n", "sub/b.md": "# Beta\n\nA quokka smiles.\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe docs"))
    made.mkdir()
    return faces.write(made, PAGES)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    settings = {"PINCITE_CACHE": str(tmp_path / "cache"), "HOME": str(tmp_path), "PYTHONUTF8": "0", "LC_ALL": "C.UTF-8"}
    return {**os.environ, **faces.EXACT, **settings}


@pytest.mark.parametrize("era", ERAS)
def test_every_tool_and_resource_answers(folder: Path, env: dict[str, str], era: str) -> None:
    if shutil.which("git"):
        subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
        (folder / ".gitignore").write_text("ignored.md\n")
        (folder / "ignored.md").write_text("secret")
    server = Wire(pincite("serve", os.fspath(folder)), env, era=era).open()

    def told(tool: str, **arguments: Any) -> dict[str, Any]:
        result = server.call(tool, arguments)
        assert not result["isError"], result
        return result["structuredContent"]

    with server:
        hit = told("search_docs", query="zebra")["results"][0]
        assert hit["metadata"]["file_path"] == "a.md"
        assert told("open_citation", ref=hit["ref"])["content"] == hit["content"]
        assert told("verify_quote", ref=hit["ref"], quote="A zebra crossing.")["verdict"] == "exact"
        assert [page["file_path"] for page in told("list_pages")["pages"]] == ["a.md", "sub/b.md"]
        assert told("get_page", file_path="sub/b.md")["title"] == "Beta"
        assert told("get_section", file_path="a.md", heading_path="Alpha")["content"]
        status = told("get_status")
        assert status["server"]["docs_root"].endswith("/\ufffd\ufffd docs") and not status["index"]["stale"]
        assert (status["git"] is not None) == bool(shutil.which("git"))
        uris = [entry["uri"] for entry in server.request("resources/list")["resources"]]
        assert len(uris) == 2 and all(uri.isascii() for uri in uris)
        assert "zebra" in server.request("resources/read", {"uri": uris[0]})["contents"][0]["text"]
        (folder / "a.md").write_text("# Alpha\n\nA walrus dives.\n")
        assert "walrus" in told("search_docs", query="walrus")["results"][0]["content"]
    assert "Traceback" not in "".join(server.log) and not server.stray


@pytest.mark.slow
def test_every_command_answers(folder: Path, env: dict[str, str], tmp_path: Path) -> None:
    def run(*arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            pincite(*arguments), env=env, check=False, capture_output=True, text=True, errors="surrogateescape"
        )
        assert done.returncode == code and "Traceback" not in done.stderr, done
        return done.stdout + done.stderr

    docs = ["--docs", os.fspath(folder)]
    found = json.loads(run("search", "zebra", "--json", *docs).partition("note:")[0])
    assert found["results"][0]["metadata"]["file_path"] == "a.md"
    assert "A zebra crossing" in run("read", found["results"][0]["ref"], *docs)
    assert "\ufffd\ufffd docs" in run("status", *docs)
    assert "zebra" in run("search", "zebra", *docs, "--db", os.fspath(folder.parent / "\udcff.db"))
    assert "is not UTF-8" in run("connect", "cursor", os.fspath(folder), "--write", code=3)
    (tmp_path / "plain").symlink_to(folder)
    assert f'"{tmp_path}/plain"' in run("connect", "cursor", str(tmp_path / "plain"))
    assert not json.loads(run("status", "--all", "--json"))["indexes"][0]["gone"]
    run("status", "--all", "--prune")
    assert len(list((tmp_path / "cache/folders").glob("*.db"))) == 1
    shutil.rmtree(folder)
    assert "removed" in run("status", "--all", "--prune")
    assert not list((tmp_path / "cache/folders").glob("*.db"))
