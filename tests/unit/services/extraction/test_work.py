"""Extraction from the upload to the result, over REST."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from pincite.app import App
from pincite.settings import load
from pincite.transports.served import ServedApp
from support.pdfs import pdf, prose
from support.task_server import serving_here
from support.waiting import wait_for

SHEET = "# SUN-5K\n\n| Parameter | Value |\n|---|---|\n| Max. DC voltage | 1000 V |\n| Degree of protection | IP65 |\n"
SCHEMA = {"original_file": "string", "pv": {"max_dc_voltage": "number with unit"}, "altitude": "number with unit"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx2.Client]:
    variables = {"DATA_DIR": str(tmp_path), "PINCITE_CACHE": str(tmp_path / "models"), "EMBEDDING_PROVIDER": "hash"}
    app = App(load({**variables, "PORT": "0", "MCP_RATE_LIMIT_RPM": "0"}), None, toolsets=["extraction"])
    with serving_here(cast("ServedApp", app)) as url, httpx2.Client(base_url=url, timeout=60, trust_env=False) as made:
        yield made


def done(client: httpx2.Client, name: str, data: bytes, schema: object, **fields: str) -> dict[str, Any]:
    """The result of an upload."""
    answer = client.post("/tasks", files={"file": (name, data)}, data={"schema": json.dumps(schema), **fields})
    assert answer.status_code == 202, answer.text
    url = f"/tasks/{answer.json()['task_id']}"
    assert wait_for(lambda: client.get(url).json()["status"] in ("succeeded", "failed"), 60)
    return client.get(f"{url}/result").json()


def test_a_document_and_a_schema_become_json_with_evidence(client: httpx2.Client) -> None:
    result = done(client, "../Überblick.md", SHEET.encode(), SCHEMA)
    assert result["data"] == {"original_file": "Überblick.md", "pv": {"max_dc_voltage": "1000V"}, "altitude": None}
    evidence = result["evidence"]["pv"]["max_dc_voltage"]
    assert evidence["locator"] == "h1-t1" and "1000 V" in evidence["snippet"] and evidence["verified"] is True
    assert result["evidence"]["altitude"]["warning"] == "Not found in document"
    assert "Field 'altitude' not found in document" in result["warnings"]
    assert result["engine"] == "rules" and set(result) == {
        *("task_id", "data", "evidence", "warnings", "timing", "engine", "usage")
    }
    timing = result["timing"]
    assert timing["total_seconds"] >= timing["index_seconds"] >= 0 <= timing["extraction_seconds"]


def test_what_is_less_sure_than_the_caller_wants_is_null_with_its_value_among_the_candidates(
    client: httpx2.Client,
) -> None:
    sure = done(client, "a.md", SHEET.encode(), SCHEMA)["evidence"]["pv"]["max_dc_voltage"]["confidence"]
    assert 0.5 < sure < 1
    result = done(client, "a.md", SHEET.encode(), SCHEMA, min_confidence="1")
    assert result["data"]["pv"] == {"max_dc_voltage": None}
    evidence = result["evidence"]["pv"]["max_dc_voltage"]
    assert evidence["candidates"][0]["value"] == "1000V" and evidence["verified"] is False
    assert done(client, "a.md", SHEET.encode(), SCHEMA, min_confidence=str(sure))["data"]["pv"]["max_dc_voltage"]


def test_nothing_of_an_erased_task_stays_on_disk(client: httpx2.Client, tmp_path: Path) -> None:
    upload = {"file": ("a.pdf", pdf(prose()))}
    answer = client.post("/tasks?wait=60", files=upload, data={"schema": json.dumps({"a": "string"})})
    (task,) = client.get("/tasks").json()["tasks"]
    assert answer.status_code == 200 and {".lines", ".pdf"} <= endings(tmp_path)
    assert client.delete(f"/tasks/{task['task_id']}").status_code == 204
    assert not {".lines", ".pdf"} & endings(tmp_path)


def endings(folder: Path) -> set[str]:
    return {file.suffix for file in folder.rglob("*") if file.is_file()}


def test_a_document_that_cannot_be_read_fails_with_the_reason(client: httpx2.Client) -> None:
    failed = done(client, "a.pdf", b"%PDF-1.4 fake content", SCHEMA)
    assert failed["status"] == "failed" and failed["error"]["message"] and failed["error"]["details"] == []


def test_a_schema_that_no_engine_could_fill_is_refused_at_once(client: httpx2.Client) -> None:
    remote = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "https://example.com/a.json"}
    answer = client.post("/tasks", files={"file": ("a.md", b"x")}, data={"schema": json.dumps(remote)})
    assert answer.status_code == 400 and answer.json()["code"] == "VALIDATION_ERROR"
