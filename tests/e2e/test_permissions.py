"""What other users of a machine can read of what a server keeps: nothing."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from behaviour.faces import EXACT
from support.http_wire import HttpServer
from support.wire import pincite

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")]

FACES = "docs,knowledge,extraction,documents,citations"
PART = b"# Private\n\nThe gate opens at nine.\n"


def readable(folder: Path) -> dict[str, str]:
    """Files and folders that others have any permission for, but for the models, which are anybody's."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*")):
        mode = stat.S_IMODE(path.lstat().st_mode)
        if not path.is_symlink() and mode & 0o077 and "models" not in path.parts:
            found[str(path.relative_to(folder))] = oct(mode)
    return found


def serve_once(tmp_path: Path) -> None:
    """Add to a library, index a folder, upload a task and a document, search, and end."""
    folder = tmp_path / "docs"
    folder.mkdir(exist_ok=True)
    (folder / "a.md").write_bytes(PART)
    own = {"DATA_DIR": str(tmp_path / "data"), "PINCITE_CACHE": str(tmp_path / "cache"), "PINCITE_UPLOADS": "true"}
    env = {**os.environ, **EXACT, **own, "LOG_LEVEL": "INFO"}
    before = os.umask(0o022)
    try:
        subprocess.run(pincite("ingest", str(folder)), env=env, check=True, capture_output=True, timeout=100)
        command = pincite("serve", str(folder), "--toolsets", FACES, "--transport", "http")
        with HttpServer(command, env, start=subprocess.Popen) as server, server.client() as client:
            assert client.post("/api/tools/search_docs", json={"query": "gate"}).json()["results"]
            assert client.post("/api/tools/knowledge_search", json={"query": "gate"}).json()["results"]
            task = client.post("/tasks", files={"file": ("a.md", PART)}, data={"schema": '{"gate": "string"}'})
            assert task.status_code in (200, 201, 202), task.text
            kept = client.post("/api/uploads", files={"file": ("a.md", PART)})
            assert kept.status_code in (200, 201), kept.text
            answer = client.post("/api/process-document", json={"document_url": kept.json()["document_url"]})
            assert answer.status_code == 200, answer.text
            # While it runs: a log of the database is deleted when the last server ends.
            assert readable(tmp_path / "cache") == {}
            assert readable(tmp_path / "data") == {}
            assert any(path.name.endswith("-wal") for path in tmp_path.rglob("*"))
    finally:
        os.umask(before)


def test_indexes_databases_and_uploads_are_readable_by_their_owner_alone(tmp_path: Path) -> None:
    serve_once(tmp_path)


def test_what_an_older_version_left_open_is_closed_when_it_is_opened(tmp_path: Path) -> None:
    serve_once(tmp_path)
    for path in (tmp_path / "cache", tmp_path / "data", *tmp_path.rglob("*.db"), tmp_path / "data" / "uploads"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    opened = {name for kept in ("cache", "data") for name in readable(tmp_path / kept)}
    assert opened
    serve_once(tmp_path)
