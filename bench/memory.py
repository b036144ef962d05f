"""Peak memory of a server, or of `pincite ingest`, while a PDF of 1,000 pages is read, chunked and embedded.

    python bench/memory.py [--pages 1000] [--only reports|papers|tables] [--data FOLDER] [--ingest]

The server has its embedding model loaded before the file arrives. The sum counts the server and its reader process,
each shared page once (PSS), every 20 ms. Three files of real pages: annual reports (prose and statements), papers
(dense prose), a register (a table on every page). `--ingest` measures the command that fills a library: it loads the
model itself, and may use every core.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import platformdirs

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.memory import family, joined, megabytes  # noqa: E402 - found by the line above
from support.wire import Wire, pincite  # noqa: E402 - as above

MAX_MEGABYTES = 500
SAMPLE_SECONDS = 0.02
POLL_SECONDS = 1.0
FILES: Mapping[str, str] = {
    "reports": "financebench/pdfs/*.pdf",
    "papers": "reading/papers/*.pdf",
    "tables": "reading/odd/ca-warn-report.pdf",
}
"""Files whose pages are joined, again from the first if they do not suffice."""


class Sampler(threading.Thread):
    """Samples the memory of a process and its children; keeps the highest sum, and what it is made of."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.peak: tuple[float, ...] = (0.0,)
        self.highest: dict[str, float] = {}
        self.samples = 0
        self._process = process
        self._done = threading.Event()

    def run(self) -> None:
        while not self._done.wait(SAMPLE_SECONDS):
            try:
                parts = tuple(map(megabytes, family(self._process)))
            except OSError:
                continue  # one of them has just ended
            self.samples += 1
            if sum(parts) > sum(self.peak):
                self.peak = parts
            for name, part in zip(("server", "reader"), parts, strict=False):
                self.highest[name] = max(self.highest.get(name, 0.0), part)

    def stop(self) -> None:
        self._done.set()
        self.join()


def main() -> int:
    """Print a row for each file; 1 if one takes more memory than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--only", choices=FILES)
    parser.add_argument("--data", type=Path, default=os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
    parser.add_argument("--ingest", action="store_true", help="measure `pincite ingest` instead of a server")
    given = parser.parse_args()
    measure = measure_ingest if given.ingest else measure_server
    print("| file    | pages |  MB in | chunks |   s | idle | **peak** | server and readers then | highest each |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|---|")
    worst = 0.0
    for name in [given.only] if given.only else FILES:
        worst = max(worst, measure(name, given.data, given.pages))
    return int(worst > MAX_MEGABYTES)


def variables() -> dict[str, str]:
    return {
        **os.environ,
        "PINCITE_FETCH_MODEL": "false",
        "PINCITE_MODEL_GRACE": "inf",
        "LOG_LEVEL": "WARNING",
        # A worker of its own recognises pages without text, and has a limit of its own (PINCITE_OCR_MEMORY).
        "PINCITE_OCR": os.environ.get("PINCITE_OCR", "off"),
        "PINCITE_CACHE": os.environ.get("PINCITE_CACHE") or str(platformdirs.user_cache_path("pincite")),
    }


def measure_ingest(name: str, data: Path, pages: int) -> float:
    """Ingest one file into an empty library; print its row, and return its peak in MB."""
    with tempfile.TemporaryDirectory() as place:
        book = Path(place, "book.pdf")
        joined(sorted(data.glob(FILES[name])), book, pages)
        size = book.stat().st_size / 1e6
        start = time.monotonic()
        command = [*pincite("ingest", str(book)), "--json"]
        environment = {**variables(), "DATA_DIR": place}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
            sampler = Sampler(run.pid)
            sampler.start()
            output = run.communicate()[0]
            sampler.stop()
        if run.returncode:
            raise SystemExit(f"pincite ingest failed: {output.decode()[-500:]}")
        return row(name, pages, size, json.loads(output)["chunks"], time.monotonic() - start, 0.0, sampler)


def row(name: str, pages: int, size: float, chunks: int, seconds: float, idle: float, sampler: Sampler) -> float:
    """Print one row, and return the peak in MB."""
    peak, highest = sum(sampler.peak), ", ".join(f"{part} {most:.0f}" for part, most in sampler.highest.items())
    parts = " + ".join(f"{part:.0f}" for part in sampler.peak)
    print(
        f"| {name:7} | {pages:5} | {size:6.1f} | {chunks:6} | {seconds:3.0f} | {idle:4.0f} "
        f"| **{peak:.0f}** | {parts:23} | {highest} |",
        flush=True,
    )
    return peak


def measure_server(name: str, data: Path, pages: int) -> float:
    """Print the row of one file, and return its peak in MB."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "docs")
        folder.mkdir()
        (folder / "first.md").write_text("# First\n\nSome words to search.\n", encoding="utf-8")
        book = Path(place, "book.pdf")
        joined(sorted(data.glob(FILES[name])), book, pages)
        size = book.stat().st_size / 1e6
        with Wire(pincite("serve", str(folder), "--db", str(Path(place, "index.db"))), variables()).open() as wire:
            assert wire.call("search_docs", {"query": "words"})["structuredContent"]["search_type"] == "hybrid"
            idle = sum(map(megabytes, family(wire.process.pid)))
            sampler = Sampler(wire.process.pid)
            sampler.start()
            start = time.monotonic()
            book.rename(folder / "book.pdf")
            while (state := wire.call("get_status")["structuredContent"]["index"])["indexing"] or (
                state["total_pages"] < 2
            ):
                time.sleep(POLL_SECONDS)
            seconds = time.monotonic() - start
            answer = wire.call("search_docs", {"query": "date of the notice"})["structuredContent"]
            sampler.stop()
            assert answer["search_type"] == "hybrid", answer
    return row(name, pages, size, state["total_chunks"], seconds, idle, sampler)


if __name__ == "__main__":
    sys.exit(main())
