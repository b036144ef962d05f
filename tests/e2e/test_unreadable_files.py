"""Nothing is deleted that was not seen to be gone: what cannot be read is named, and its documents are kept."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from support.http_wire import HttpServer
from support.mounts import mounted
from support.wire import Serve, Wire, bound_by_modes, pincite

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="capabilities are Linux's")]

PAGES = {
    "a.md": "# Alpha\n\nA zebra crossing.\n",
    "closed/b.md": "# Beta\n\nA quokka smiles.\n",
    "closed/c.md": "---\ndocument_id: C-1\n---\n# Gamma\n\nA wombat digs.\n",
}
SECONDS = 100


@dataclass
class Told:
    code: int
    summary: dict[str, Any]
    err: str


Ingest = Callable[..., Told]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return faces.write(tmp_path / "docs", PAGES)


@pytest.fixture
def ingest(tmp_path: Path) -> Ingest:
    """Runs `pincite ingest` as one whom modes bind."""
    own = {**faces.EXACT, "DATA_DIR": str(tmp_path / "data"), "PINCITE_CACHE": str(tmp_path / "cache")}

    def run(*arguments: str | Path) -> Told:
        command = [*bound_by_modes(), *pincite("ingest", *map(str, arguments), "--json")]
        ended = subprocess.run(
            command, env={**os.environ, **own}, capture_output=True, text=True, check=False, timeout=SECONDS
        )
        summary: dict[str, Any] = json.loads(ended.stdout) if ended.stdout and "--dry-run" not in arguments else {}
        return Told(ended.returncode, summary, ended.stderr)

    return run


def test_prune_keeps_what_is_in_a_folder_that_cannot_be_read_and_names_it(folder: Path, ingest: Ingest) -> None:
    assert ingest(folder).code == 0
    (folder / "closed").chmod(0)
    told = ingest(folder, "--prune")
    assert (told.code, told.summary["vanished"], told.summary["removed"]) == (1, [], False)
    assert {failure["path"] for failure in told.summary["failed"]} == {"closed/", "closed/b.md", "closed/c.md"}
    assert all("Permission denied" in failure["reason"] for failure in told.summary["failed"])
    (folder / "closed").chmod(0o755)
    again = ingest(folder)
    assert (again.code, again.summary["unchanged"]) == (0, list(PAGES))
    assert again.summary["failed"] == again.summary["vanished"] == []


def test_a_file_that_cannot_be_read_is_named(folder: Path, ingest: Ingest) -> None:
    (folder / "a.md").chmod(0)
    told = ingest(folder, "--prune")
    assert (told.code, told.summary["added"]) == (1, ["closed/b.md", "closed/c.md"])
    assert told.summary["failed"] == [{"path": "a.md", "reason": "It cannot be read: Permission denied."}]


def test_where_nothing_can_be_read_the_exit_code_is_2_and_everything_is_kept(folder: Path, ingest: Ingest) -> None:
    ingest(folder)
    folder.chmod(0)
    told = ingest(folder, "--prune")
    assert told.code == 2
    assert {"path": f"{folder}/", "reason": "It cannot be read: Permission denied."} in told.summary["failed"]
    folder.chmod(0o755)
    assert ingest(folder).summary["unchanged"] == list(PAGES)


def test_an_empty_folder_removes_nothing_since_a_volume_that_is_not_mounted_looks_so(
    folder: Path, ingest: Ingest
) -> None:
    ingest(folder)
    away = folder.rename(folder.with_name("unmounted"))
    folder.mkdir()
    told = ingest(folder, "--prune")
    assert (told.code, told.summary["vanished"]) == (2, [])
    assert "not mounted" in told.summary["failed"][0]["reason"]
    folder.rmdir()
    gone = ingest(folder, "--prune")
    assert gone.code == 2 and "There is no file or folder" in gone.err + json.dumps(gone.summary)
    away.rename(folder)
    assert ingest(folder).summary["unchanged"] == list(PAGES)


def test_prune_removes_the_last_file_of_a_folder_and_renames_no_other(folder: Path, ingest: Ingest) -> None:
    faces.write(folder, {"one/b.md": "# One\n\nA quoll.\n", "sub/two/d.md": "# Two\n\nA bilby.\n"})
    ingest(folder)
    (folder / "one/b.md").unlink()
    (folder / "sub/two/d.md").unlink()
    told = ingest(folder, "--prune")
    assert (told.code, told.summary["vanished"], told.summary["removed"]) == (0, ["d", "one/b.md"], True)
    assert told.summary["unchanged"] == list(PAGES)


def test_another_file_of_the_same_name_does_not_replace_what_cannot_be_read(folder: Path, ingest: Ingest) -> None:
    ingest(folder)
    (folder / "closed").chmod(0)
    faces.write(folder / "other", {"b.md": "# Other\n\nA numbat.\n"})
    told = ingest(folder)
    (folder / "closed").chmod(0o755)
    assert (told.code, told.summary["added"], told.summary["replaced"]) == (1, ["other/b.md"], [])
    assert "have their paths as ids" in told.summary["warnings"][-1]


def test_a_dry_run_says_what_prune_would_remove_and_removes_nothing(folder: Path, ingest: Ingest) -> None:
    ingest(folder)
    (folder / "closed/b.md").unlink()
    told = ingest(folder, "--prune", "--dry-run")
    assert told.code == 0 and "1 without a file any more (would be removed): b" in told.err
    assert ingest(folder).summary["vanished"] == ["b"]
    assert ingest(folder, "--prune").summary["removed"] is True


def test_over_rest_a_document_that_cannot_be_read_is_a_fault_of_the_argument(folder: Path, tmp_path: Path) -> None:
    closed = folder / "closed"
    closed.chmod(0)
    own = {"PINCITE_CACHE": str(tmp_path / "cache"), "DATA_DIR": str(tmp_path / "data"), "ALLOWED_ROOTS": str(folder)}
    env = {**os.environ, **faces.EXACT, **own, "LOG_LEVEL": "INFO"}
    command = pincite("serve", "--toolsets", "documents", "--transport", "rest", "--port", "0")
    try:
        with HttpServer([*bound_by_modes(), *command], env) as server, server.client() as client:
            answer = client.post("/api/process-document", json={"document_url": "closed/b.md"})
    finally:
        closed.chmod(0o700)
    assert (answer.status_code, answer.json()["code"]) == (422, "VALIDATION_ERROR")
    assert "there is no such file" in answer.json()["error"]


def found(server: Wire, query: str) -> tuple[list[str], dict[str, Any]]:
    answer = server.call("search_docs", {"query": query})["structuredContent"]
    return [result["metadata"]["file_path"] for result in answer["results"] if query in result["content"]], answer


@pytest.mark.parametrize("closed", ["closed", "closed/b.md"])
@pytest.mark.parametrize("watch", ["true", "false"])
def test_a_served_folder_keeps_what_it_cannot_read_and_says_that_it_may_be_old(
    folder: Path, serve: Serve, closed: str, watch: str
) -> None:
    command = [*bound_by_modes(), *pincite("serve", str(folder))]
    mode = (folder / closed).stat().st_mode
    server = serve(command, PINCITE_WATCH=watch)
    assert found(server, "quokka")[1]["index"]["stale"] is False
    (folder / closed).chmod(0)
    for each in (server, serve(command, PINCITE_WATCH=watch)):  # the one that runs, and one that starts now
        names, answer = found(each, "quokka")
        assert names == ["closed/b.md"] and answer["index"]["stale"] is True
        assert "cannot be read now" in answer["index"].get("reason", "") and "closed/b.md" in answer["index"]["reason"]
    (folder / closed).chmod(mode)
    assert found(server, "quokka")[1]["index"]["stale"] is False
    (folder / "closed/b.md").unlink()
    names, answer = found(server, "quokka")
    assert names == [] and answer["index"]["stale"] is False


def test_a_rule_that_excludes_what_cannot_be_read_removes_it(folder: Path, serve: Serve) -> None:
    server = serve([*bound_by_modes(), *pincite("serve", str(folder))])
    found(server, "quokka")
    (folder / "closed").chmod(0)
    assert found(server, "quokka")[0] == ["closed/b.md"]
    (folder / ".pinciteignore").write_text("closed/\n")
    names, answer = found(server, "quokka")
    assert names == [] and answer["index"]["stale"] is False
    (folder / "closed").chmod(0o755)


WITHOUT_ITS_VOLUME = """
import json, subprocess, sys
from pathlib import Path
from pincite.app import App
from pincite.model.call import Call
from pincite.settings import load

folder, volume = Path(sys.argv[1]), Path(sys.argv[1]) / "volume"
(volume / "b.md").write_text("# Kept\\n")
app = App(load({"EMBEDDING_PROVIDER": "hash", "PINCITE_FRESH_BUDGET": "inf", "PINCITE_CACHE": sys.argv[2],
                "PINCITE_WATCH": sys.argv[3]}), folder)

def listed():
    answer = app.toolbox.call("list_pages", {}, Call()).model_dump(mode="json")
    return [page["file_path"] for page in answer["pages"]], answer["index"]["stale"], answer["index"].get("reason", "")

told = [listed()]
subprocess.run(["umount", str(volume)], check=True)
told.append(listed())
(folder / "a.md").unlink()
told.append(listed())
subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(volume)], check=True)
told.append(listed())
app.close()
print(json.dumps(told))
"""


@pytest.mark.parametrize("watch", ["true", "false"])
def test_documents_of_a_volume_below_the_folder_stay_while_it_is_not_mounted(tmp_path: Path, watch: str) -> None:
    folder = tmp_path / "docs"
    faces.write(folder, {"a.md": "# Here\n", "c.md": "# Here\n", "volume/.keep": ""})
    command = [sys.executable, "-c", WITHOUT_ITS_VOLUME, str(folder), str(tmp_path / "cache"), watch]
    mount = f"mount -t tmpfs tmpfs {shlex.quote(str(folder / 'volume'))}"
    done = subprocess.run(mounted(mount, command), check=False, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    whole, without, after, back = json.loads(done.stdout)
    assert whole == [["a.md", "c.md", "volume/b.md"], False, ""], done.stderr
    assert (without[0], without[1]) == (["a.md", "c.md", "volume/b.md"], True)
    assert "volume/b.md" in without[2]
    assert (after[0], after[1]) == (["c.md", "volume/b.md"], True)
    assert back == [["c.md"], False, ""]  # it is mounted, and empty
