"""The web page in Chromium: what the first view transfers, pictures of pages, clicks, and a list of 10,000 documents.

Needs Chromium, and the shared data set in PINCITE_DATA. On a shared machine trust the ratios: a cold picture is
compared with rendering alone, a cached one with a request that does nothing, both in turn; of a step through the list
the processor time of the page's own thread is printed beside the time on the clock.
"""

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.render import render
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ReaderLimits
from pincite.model.call import Call
from pincite.services.reading.reading import Reading
from pincite.services.viewer.address import document_to_show
from pincite.services.viewer.pages import PICTURE_WIDTH, Pages
from pincite.transports.http.viewer.standalone import evidence_payload, standalone
from support.browser import browser
from support.http_wire import HttpServer, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Request

RECORDS, CLICKS = 5_000, 100
DOCUMENTS, STEPS = 10_000, 120
DATA = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))

CLICK = """async (step) => {
  const frame = () => new Promise(requestAnimationFrame);
  const list = document.querySelector('.values .windowed');
  list.scrollTop = (step * 48 * 37) % (list.scrollHeight - list.clientHeight);
  await frame();
  await frame();
  await frame();
  const rows = [...document.querySelectorAll('.value:not(.heading):not(.selected)')];
  const row = rows[Math.floor(rows.length / 2)];
  const start = performance.now();
  row.click();
  const shown = () => document.querySelector('.mark.selected')?.dataset.mark === row.dataset.id;
  while (!shown()) await new Promise((done) => setTimeout(done));
  await frame();
  return performance.now() - start;
}"""
"""Scrolls the list, chooses a value that is seen, and returns the milliseconds until its mark is drawn."""

STEP = """async (share) => {
  const list = document.querySelector('.windowed');
  const start = performance.now();
  list.scrollTop = list.scrollHeight * share;
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""
"""Scrolls to a share of the list, and returns the milliseconds until the second frame, which shows it."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pdf", default="asvs-4.0.3/asvs-4.0.3-en.pdf", help="a PDF in PINCITE_DATA")
    pdf = DATA / parser.parse_args().pdf
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        root = Path(folder)
        (root / "docs").mkdir()
        (root / "docs" / pdf.name).write_bytes(pdf.read_bytes())
        env = {**os.environ, "PINCITE_CACHE": str(root), "EMBEDDING_PROVIDER": "hash", "MCP_RATE_LIMIT_RPM": "0"}
        with HttpServer(serving(root / "docs"), env) as server:
            _first_view(chromium, server)
            _pictures(server, pdf)
        (root / "evidence.html").write_text(_evidence(pdf), "utf-8")
        _clicks(chromium, root / "evidence.html")
        notes = root / "notes" / "docs"
        notes.mkdir(parents=True)
        for number in range(DOCUMENTS):
            (notes / f"n{number:05}.md").write_text(f"Note {number}.\n")
        with HttpServer(serving(notes, "--toolsets", "docs"), env) as server:
            _scroll(chromium, server)


def _first_view(chromium: "Browser", server: HttpServer) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        sizes: list[int] = []

        def note(request: "Request") -> None:
            transferred = request.sizes()
            sizes.append(transferred["responseBodySize"] + transferred["responseHeadersSize"])

        page.on("requestfinished", note)
        page.goto(f"{server.url}/ui/")
        page.locator("a.row").first.wait_for(timeout=120_000)
        page.wait_for_timeout(500)
        print(f"first view: {sum(sizes) / 1000:.1f} kB in {len(sizes)} requests (limit 100)")


def _pictures(server: HttpServer, pdf: Path) -> None:
    with server.client() as client:
        where = {"collection": "docs", "name": pdf.name}
        while client.get("/ui/api/documents", params={"collection": "docs"}).json()["freshness"]["pending"]:
            time.sleep(0.5)
        client.get("/ui/api/picture", params={**where, "page": 1})
        blob, options = Blob(pdf.name, pdf.read_bytes()), ReadOptions()
        cold: list[float] = []
        alone: list[float] = []
        cached: list[float] = []
        nothing: list[float] = []
        for page in range(2, 42):
            picture = partial(client.get, "/ui/api/picture", params={**where, "page": page})
            cold.append(_milliseconds(picture))
            alone.append(_milliseconds(partial(render, blob, page, PICTURE_WIDTH, options, Call())))
            cached.append(_milliseconds(picture))
            nothing.append(_milliseconds(partial(client.get, "/health")))
        _print_pair("page picture cold", cold, "rendering alone", alone, 150)
        _print_pair("page picture cached", cached, "an empty request", nothing, 20)


def _print_pair(name: str, times: list[float], base: str, base_times: list[float], limit: int) -> None:
    median, base_median = statistics.median(times), statistics.median(base_times)
    print(
        f"{name}: median {median:.0f}, p95 {_p95(times):.0f} ms (limit {limit}); {base} {base_median:.0f} ms; "
        f"{median / base_median:.2f} times"
    )


def _milliseconds(work: Callable[[], object]) -> float:
    """Return the milliseconds that something takes."""
    start = time.monotonic()
    work()
    return (time.monotonic() - start) * 1000


def _evidence(pdf: Path) -> str:
    """The evidence of as many values as there are records, each a line of the document."""
    with contextlib.closing(ReaderPool(ReadOptions(), ReaderLimits())) as pool:
        reading, call, blob = Reading(pool), Call(), Blob(pdf.name, pdf.read_bytes())
        document = reading.read(blob, call)
        shown, pages = document_to_show(blob, document), Pages(lambda: reading)
        count = document.coverage.pages or 0
        lines = [(page, line) for page in range(1, count + 1) for line in pages.lines(shown, page) if line.text]
        chosen = [lines[number % len(lines)] for number in range(RECORDS)]
        data = {"lines": [line.text for _, line in chosen]}
        evidence = {
            "lines": [
                {"locator": "h1-c1", "snippet": line.text, "status": "verified", "verified": True, "page": page,
                 "boxes": [{"page": page, "x0": line.x0, "y0": line.y0, "x1": line.x1, "y1": line.y1}]}
                for page, line in chosen
            ]
        }  # fmt: skip
        return standalone(pdf.name, evidence_payload({"data": data, "evidence": evidence}, shown, {}, pages, call))


def _clicks(chromium: "Browser", file: Path) -> None:
    with chromium.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.goto(file.as_uri())
        page.locator(".value").first.wait_for()
        times = [page.evaluate(CLICK, step) for step in range(1, CLICKS + 1)]
        median, p95 = statistics.median(times), _p95(times)
        print(f"click to its place, {RECORDS} values: median {median:.0f}, p95 {p95:.0f} ms (limit 100)")


def _scroll(chromium: "Browser", server: HttpServer) -> None:
    with server.client() as client:
        while client.get("/ui/api/documents", params={"collection": "docs"}).json()["freshness"]["pending"]:
            time.sleep(0.5)
    with chromium.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.goto(f"{server.url}/ui/")
        page.locator("a.row").first.wait_for(timeout=120_000)
        wire: Any = context.new_cdp_session(page)
        wire.send("Performance.enable", {"timeDomain": "threadTicks"})

        def used() -> float:
            metrics: Sequence[Mapping[str, Any]] = wire.send("Performance.getMetrics")["metrics"]
            return 1000 * next(one["value"] for one in metrics if one["name"] == "TaskDuration")

        frames: list[float] = []
        work: list[float] = []
        for step in range(1, STEPS + 1):
            before = used()
            frames.append(page.evaluate(STEP, step / STEPS) / 2)
            work.append(used() - before)
        print(
            f"a step through {DOCUMENTS} documents: processor time of the page median {statistics.median(work):.0f}, "
            f"longest {max(work):.0f} ms (limit 50); frame on the clock median {statistics.median(frames):.0f}, "
            f"longest {max(frames):.0f} ms"
        )


def _p95(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


if __name__ == "__main__":
    main()
