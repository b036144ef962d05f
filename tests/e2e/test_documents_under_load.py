"""The documents face under many clients, and a call whose time is over. Slow: CI runs these."""

import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from behaviour.faces import EXACT
from support.document_server import serving_documents
from support.http_wire import HttpServer, StreamableHttp, call
from support.memory import family
from support.pdfs import pdf, prose
from support.waiting import pause, wait_for
from support.wire import HANDSHAKE, STATELESS, pincite
from support.workbooks import grid

pytestmark = pytest.mark.slow

CLIENTS = 100
CALLS_EACH = 4
REPORT = "# Report\n\n" + "".join(f"## Part {n}\n\nThe ostrich of part {n} grew.\n\n" for n in range(30))
FILES: dict[str, tuple[str, bytes]] = {
    **{f"report{n}.md": ("text/markdown", f"{REPORT}\n\nNumber{n}x.\n".encode()) for n in range(8)},
    "two.pdf": ("application/pdf", pdf(prose(), prose())),
    "book.xlsx": ("", grid([["Name", "Eggs"], ["ostrich", 40]], "Birds")),
    "long.pdf": ("application/pdf", pdf(*[prose(times=4)] * 3_000)),
    "damaged.docx": ("", b"PK\x03\x04 broken"),
}


def settings(folder: Path, **more: str) -> dict[str, str]:
    own = {
        "PINCITE_CACHE": str(folder / "cache"),
        "DATA_DIR": str(folder / "data"),
        "DOWNLOAD_ALLOW_PRIVATE": "1",
        "MCP_RATE_LIMIT_RPM": "0",
        "LOG_LEVEL": "INFO",
    }
    return {**os.environ, **EXACT, **own, **more}


def serve(folder: Path, **more: str) -> HttpServer:
    command = pincite("serve", "--toolsets", "documents,citations", "--transport", "http", "--port", "0")
    return HttpServer(command, settings(folder, **more))


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    with serving_documents(FILES) as url:
        yield url


def mixed(server: HttpServer, root: str, number: int) -> list[str]:
    """A client's calls of several routes; what each answer should hold and does not."""
    pick = random.Random(number)  # noqa: S311 - the same mix each time
    missing: list[str] = []
    with ExitStack() as stack:
        rest = stack.enter_context(server.client())
        mcp = StreamableHttp(server, STATELESS if number % 4 else HANDSHAKE).open() if number % 2 else None
        for _ in range(CALLS_EACH):
            report = pick.randrange(8)
            named = {"document_url": f"{root}report{report}.md"}
            kinds: list[tuple[str, str, dict[str, Any], str]] = [
                ("process_document", "process-document", named, f"Number{report}x"),
                ("chunk_document", "chunk-document", named, f"Number{report}x"),
                ("retrieve_chunks", "retrieve-chunks", {**named, "query": "ostrich"}, "ostrich"),
                ("extract_pdf_text", "extract/pdf", {"document_url": f"{root}two.pdf"}, "--- Page 2 ---"),
                ("extract_xlsx_tables", "extract/xlsx", {"document_url": f"{root}book.xlsx"}, "Birds"),
                ("process_document", "process-document", {"document_url": f"{root}damaged.docx"}, "warnings"),
                ("detect_language", "detect-language", {"text": "Alle Menschen sind frei und gleich."}, "German"),
                ("process_document", "process-document", {"document_url": f"{root}none.pdf"}, "DOWNLOAD_ERROR"),
            ]
            tool, path, arguments, expected = pick.choice(kinds)
            answer = str(call(mcp, tool, arguments)) if mcp else rest.post(f"/api/{path}", json=arguments).text
            # A slow machine may exceed the time limit of a tool, and only that.
            if expected not in answer and "TIMEOUT" not in answer:
                missing.append(f"{tool}: {answer[:300]}")
        if mcp:
            mcp.close()
    return missing


@pytest.mark.timeout(600)
def test_a_hundred_clients_on_a_mix_of_routes_get_what_they_asked_for(root: str, tmp_path: Path) -> None:
    with serve(tmp_path) as server, ThreadPoolExecutor(CLIENTS) as clients:
        with server.client() as first:  # its model is loaded before the crowd comes
            first.post("/api/detect-language", json={"text": "Alle Menschen sind frei und gleich."})
        wrong = [each for missing in clients.map(partial(mixed, server, root), range(CLIENTS)) for each in missing]
    assert wrong == []


@pytest.mark.timeout(300)
def test_a_call_whose_time_is_over_ends_the_process_that_reads_for_it(root: str, tmp_path: Path) -> None:
    with serve(tmp_path, MCP_REQUEST_TIMEOUT="2") as server, server.client() as client:
        warm = client.post("/api/extract/pdf", json={"document_url": f"{root}two.pdf"})
        # A slow machine may need more for its first file.
        assert warm.status_code in {200, 504}
        answer = client.post("/api/process-document", json={"document_url": f"{root}long.pdf"})
        assert (answer.status_code, answer.json()["code"]) == (504, "TIMEOUT")
        readers = set(family(server.process.pid)) - {server.process.pid}
        assert wait_for(lambda: not any(map(is_busy, readers))), "a reader works on after the time-out"
        assert client.get("/health").status_code == 200


def is_busy(pid: int) -> bool:
    """Whether a process uses its processor: one that waits for its next file does not."""
    before = ticks(pid)
    pause(0.3, "processor time is counted")
    after = ticks(pid)
    return after is not None and before is not None and after > before + 2


def ticks(pid: int) -> int | None:
    """Processor time of a process in hundredths of a second; None once it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(fields[11]) + int(fields[12])
