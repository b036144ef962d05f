"""The requests of the guide page for back ends, sent as they are written there."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from behaviour.faces import EXACT
from support.document_server import serving_documents
from support.http_wire import HttpServer
from support.pdfs import pdf, prose
from support.wire import pincite

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform == "win32" or shutil.which("curl") is None,
        reason="the page's requests are those of curl in a shell",
    ),
]

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "guide" / "use-from-a-back-end.md").read_text("utf-8")
SERVER, DOCUMENTS = "http://127.0.0.1:8000", "https://example.com/"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def requests() -> list[str]:
    """Each curl command of the page, continuation lines included."""
    lines = "\n".join(blocks("sh")).replace("\\\n", "").splitlines()
    return [line for line in lines if line.startswith("curl ")]


@pytest.fixture(scope="module")
def documents() -> Iterator[str]:
    with serving_documents({"report.pdf": ("application/pdf", pdf(prose(), prose()))}) as root:
        yield root


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    folder = tmp_path_factory.mktemp("data")
    own = {"PINCITE_CACHE": str(folder / "cache"), "DATA_DIR": str(folder / "data"), "DOWNLOAD_ALLOW_PRIVATE": "1"}
    (command,) = (line for line in blocks("sh")[0].splitlines() if line.startswith("pincite "))
    with HttpServer(
        pincite(*command.split()[1:], "--port", "0"), {**os.environ, **EXACT, "LOG_LEVEL": "INFO", **own}
    ) as started:
        yield started


@pytest.mark.parametrize("line", requests())
def test_a_request_of_the_page_is_answered(server: HttpServer, documents: str, line: str, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(pdf(prose()))
    sent = line.replace(SERVER, server.url).replace(DOCUMENTS, documents)
    assert sent != line
    ended = subprocess.run(
        ["sh", "-c", sent],
        env={"PATH": os.environ["PATH"], "no_proxy": "*"},
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    answer: dict[str, Any] = json.loads(ended.stdout)
    assert answer and "error" not in answer


def test_what_the_page_shows_has_the_fields_of_an_answer(server: HttpServer, documents: str) -> None:
    shown, stored, failed = (json.loads(block) for block in blocks("json"))
    with server.client() as client:
        upload = client.post("/api/uploads", files={"file": ("report.pdf", pdf(prose()))})
        answer = client.post("/api/process-document", json={"document_url": f"{documents}report.pdf"})
        missing = client.post("/api/process-document", json={"document_url": f"{documents}no.pdf"})
    assert shown.keys() - {"truncated", "next_cursor"} <= answer.json().keys()
    assert shown["metadata"].keys() <= answer.json()["metadata"].keys()
    assert upload.json().keys() == stored.keys()
    assert (missing.status_code, missing.json()["code"]) == (424, failed["code"])
    assert missing.json().keys() == failed.keys()


def test_the_page_has_requests() -> None:
    assert len(requests()) == 8
