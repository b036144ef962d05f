"""What release 0.1.0 wrote is opened by this version after its sources are gone: nothing is lost, references open."""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.older_release import PINCITE, Release, environment, install, serving
from support.pdfs import column, pdf
from support.waiting import wait_for

pytestmark = [pytest.mark.long, pytest.mark.timeout(1200)]

TAG = "0.1.0"
STANDARD = "# Example Standard\n\n## 5 Keys\n\n### 5.1 Rotation\n\nKeys shall be rotated every month.\n"
INVOICE = b"# Invoice\n\nNumber: A-17\n\nTotal: 12.50\n"
SCHEMA = {"number": "string", "total": "number"}


@dataclass(frozen=True)
class Old:
    """What the release left behind.

    Attributes:
        env: Where its files are.
        docs: The folder that it indexed in its cache.
        refs: References that it gave out of the library.
        folder_ref: One of the folder.
        stats: What its library counted.
        task: The id of a task that it finished.
        result: The result of that.
    """

    env: dict[str, str]
    docs: Path
    refs: dict[str, str]
    folder_ref: str
    stats: dict[str, Any]
    task: str
    result: dict[str, Any]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return install(TAG, tmp_path_factory.mktemp("release"))


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def old(request: pytest.FixtureRequest, release: Release, tmp_path_factory: pytest.TempPathFactory) -> Old:
    folder = tmp_path_factory.mktemp("older")
    dsn = request.getfixturevalue("postgres_dsn") if request.param == "postgres" else ""
    env = environment(folder, dsn)
    standards, docs = folder / "standards", folder / "docs"
    for each in (standards, docs):
        each.mkdir()
    (standards / "example.md").write_text(STANDARD, encoding="utf-8")
    (standards / "report.pdf").write_bytes(pdf(column("A report about zebras on its only page.")))
    (docs / "guide.md").write_text("# Guide\n\nTurn the crank twice.\n", encoding="utf-8")
    release.run("ingest", standards, env=env)
    refs = {
        words: release.run("search", words, "--library", env=env)["results"][0]["ref"]
        for words in ("Keys shall be rotated every month.", "A report about zebras on its only page.")
    }
    folder_ref = release.run("search", "crank", "--docs", docs, env=env)["results"][0]["ref"]
    stats = release.run("status", "--library", env=env)
    with serving(release.command(), {**env, "PYTHONPATH": str(release.source)}) as server, server.client() as client:
        files = {"file": ("invoice.md", INVOICE, "text/markdown")}
        task = client.post("/tasks", files=files, data={"schema": json.dumps(SCHEMA)}).json()["task_id"]
        assert wait_for(lambda: client.get(f"/tasks/{task}").json()["status"] == "succeeded")
        result = client.get(f"/tasks/{task}/result").json()
    shutil.rmtree(standards)
    old = Old(env, docs, refs, folder_ref, stats, task, result)
    if dsn:  # tables of servers that still run are not changed unasked
        refused = _run(old, "search", "zebras", "--library")
        assert (refused.returncode, "pincite migrate" in refused.stderr) == (3, True), refused
        for collection in ("--library", docs):
            upgraded = _run(old, "migrate", collection, "--upgrade", dsn)
            assert upgraded.returncode == 0, upgraded
    return old


def _run(old: Old, *arguments: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*PINCITE, *map(str, arguments)], env=old.env, capture_output=True, text=True, check=False, timeout=300
    )


def test_every_document_of_the_library_is_there_and_its_references_open(old: Old) -> None:
    now = json.loads(_run(old, "status", "--library", "--json").stdout)
    assert now["knowledge_base"]["total_documents"] == old.stats["knowledge_base"]["total_documents"] == 2
    assert now["knowledge_base"]["total_chunks"] == old.stats["knowledge_base"]["total_chunks"]
    for words, ref in old.refs.items():
        opened = json.loads(_run(old, "read", ref, "--library", "--json").stdout)
        assert words in opened["content"], ref
        verified = json.loads(_run(old, "verify", words, ref, "--library", "--json").stdout)
        assert verified["verdict"] in {"exact", "normalised"}, ref


def test_words_are_found_and_what_would_need_the_sources_is_said(old: Old) -> None:
    ran = _run(old, "search", "zebras", "--library", "--json")
    answer = json.loads(ran.stdout)
    assert "A report about zebras" in answer["results"][0]["content"]
    assert (ran.returncode, answer["index"]["stale"]) == (1, True)
    assert "gone" in answer["index"]["reason"]


def test_the_index_of_a_folder_is_brought_up_to_date_and_its_references_open(old: Old) -> None:
    opened = json.loads(_run(old, "read", old.folder_ref, "--docs", old.docs, "--json").stdout)
    assert "Turn the crank twice." in opened["content"]


def test_a_finished_task_has_its_result_and_a_new_one_is_worked_on(old: Old) -> None:
    with serving(PINCITE, old.env) as server, server.client() as client:
        listed = client.get("/tasks").json()["tasks"]
        assert [(task["task_id"], task["status"]) for task in listed] == [(old.task, "succeeded")]
        result = client.get(f"/tasks/{old.task}/result").json()
        assert (result["data"], result["evidence"]) == (old.result["data"], old.result["evidence"])
        files = {"file": ("invoice.md", INVOICE, "text/markdown")}
        task = client.post("/tasks", files=files, data={"schema": json.dumps(SCHEMA)}).json()["task_id"]
        assert wait_for(lambda: client.get(f"/tasks/{task}").json()["status"] == "succeeded")
        assert client.get(f"/tasks/{task}/result").json()["data"] == old.result["data"]
