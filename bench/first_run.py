"""The first run over many small files: how fast words are indexed to the end, and how long calls take meanwhile.

    python bench/first_run.py [--files 50000] [--pages 1] [--place FOLDER]

Markdown files of so many pages of `docs-tldr` each (0.6 kB and a heading a page); FOLDER keeps them for the next run.
A server indexes them over stdio while a client searches twice a second and edits a page every two seconds; both
latencies are end to end. The floor is the same work in a bare loop (read, parse, chunk, write) over a sample of the
same files, before and after the run.
"""

import argparse
import itertools
import os
import random
import sqlite3
import statistics
import sys
import tarfile
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pincite.app import App
from pincite.chunking.sections import SectionPolicy
from pincite.formats.base import Blob
from pincite.formats.detect.sniff import sniff
from pincite.model.call import Call
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument
from pincite.settings import load
from pincite.text.embed_text import embed_hash
from startup import ROOT, Wire, cache_with_model, environment, pincite, prepared

TARGET_RATE = 500
"""Documents a second, in every tenth of the run."""
TARGET_CALL_MS = 200
"""Median latency of a search during the run."""
QUESTIONS = ("create an archive from files", "list running processes", "copy a file over ssh", "number7x", "git branch")
SAMPLE = 2000
"""Files of the bare loop."""
LOOK_SECONDS = 0.5
EDIT_EVERY = 4
"""Searches between two edits."""
BATCH = 64


@dataclass
class Seen:
    """What the run showed: (seconds, documents, processor seconds), and (documents, milliseconds) of each call."""

    progress: list[tuple[float, int, float]] = field(default_factory=list[tuple[float, int, float]])
    searches: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    edits: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    missed: int = 0


def main() -> int:
    """Print the run by tenths; 1 if a target is missed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--files", type=int, default=50_000)
    arguments.add_argument("--pages", type=int, default=1)
    arguments.add_argument("--place", type=Path)
    given = arguments.parse_args()
    with prepared(given.place) as place:
        folder = place / f"files-{given.files}x{given.pages}"
        write(place, folder, given.files, given.pages)
        before = floor(place, folder)
        seen = run(place, folder, given.files)
        after = floor(place, folder)
    return int(report(seen, given.files, (before, after)))


def write(place: Path, folder: Path, files: int, pages: int) -> None:
    """The files, the same at every run: the head of one page, the examples of others, a word of their own."""
    if folder.is_dir():
        return
    chance = random.Random(7)  # noqa: S311 - the same at every run
    texts = read_pages(place)
    for number in range(files):
        part = folder / f"part{number % 200:03}"
        part.mkdir(parents=True, exist_ok=True)
        head, examples = chance.choice(texts).partition("\n- ")[0], chance.choice(texts).partition("\n- ")[2]
        more = ["#" + chance.choice(texts) for _ in range(pages - 1)]
        text = "\n".join([head, f"- {examples}", *more, f"See number{number}x.\n"])
        (part / f"page{number:05}.md").write_text(text, "utf-8")


def read_pages(place: Path) -> list[str]:
    """The texts of `docs-tldr`; our own documentation where that is absent."""
    data = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
    root = ROOT / "docs"
    if data.is_dir():
        root = place / "tldr"
        if not root.is_dir():
            with tarfile.open(data / "docs-tldr.tar.xz") as archive:
                archive.extractall(root, filter="data")
    return [page.read_text("utf-8") for page in sorted(root.rglob("*.md"))]


def floor(place: Path, folder: Path) -> tuple[float, float]:
    """Documents a second, and a processor second, of the bare loop into an empty index."""
    names = sorted(page.relative_to(folder).as_posix() for page in folder.rglob("*.md"))
    names = random.Random(3).sample(names, min(SAMPLE, len(names)))  # noqa: S311 - the same at every run
    with tempfile.TemporaryDirectory(dir=place) as held:
        app = App(load({"PINCITE_CACHE": Path(held), "PINCITE_FETCH_MODEL": False}), folder)
        store, tokenizer, rules = (
            app.collection().store,
            app.embedder.tokenizer,
            SectionPolicy(app.settings.embedding.chunk_tokens),
        )
        wall, cpu = time.perf_counter(), time.process_time()
        for first in range(0, len(names), BATCH):
            batch: list[NewDocument] = []
            for name in names[first : first + BATCH]:
                data = (folder / name).read_bytes()
                document = app.reader_pool.read(sniff(name, data), Blob(name, data), Call())
                row = DocumentRow(name, document.title, UNTRUSTED, 0, document.fingerprint, document.fingerprint[:8])
                chunks = list(rules.cut(document, tokenizer, Call()))
                batch.append(NewDocument(row, document.text, chunks, [embed_hash(each) for each in chunks]))
            store.replace(batch, is_current=lambda row: bool(row.name))
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        app.close()
    return len(names) / wall, len(names) / cpu


def run(place: Path, folder: Path, files: int) -> Seen:
    """Index the folder over stdio, and call meanwhile."""
    with tempfile.TemporaryDirectory(dir=place) as held:
        cache = cache_with_model(Path(held))
        return indexed(Wire(pincite("serve", str(folder)), environment(cache)), cache, folder, files)


def indexed(server: Wire, cache: Path, folder: Path, files: int) -> Seen:
    """What a server shows that is not spoken to yet and has no index of the folder in its cache."""
    seen = Seen()
    with server.open() as wire:
        over = threading.Event()
        watcher = threading.Thread(target=watch, args=(cache, wire.process.pid, files, seen, over))
        watcher.start()
        try:
            ask(wire, folder, seen, over)
        finally:
            over.set()
            watcher.join()
    return seen


def watch(cache: Path, pid: int, files: int, seen: Seen, over: threading.Event) -> None:
    """Write down how many documents the index holds until it holds all."""
    start = time.monotonic()
    seen.progress.append((0.0, 0, processor_seconds(pid)))
    while not over.wait(LOOK_SECONDS):
        count = next((documents(path) for path in (cache / "folders").glob("*.db")), 0)
        seen.progress.append((time.monotonic() - start, count, processor_seconds(pid)))
        if count >= files:
            over.set()


def documents(database: Path) -> int:
    """How many documents an index holds now; 0 while it is being made."""
    try:
        with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
            return connection.execute("SELECT count(*) FROM document").fetchone()[0]
    except sqlite3.Error:
        return 0


def processor_seconds(pid: int) -> float:
    """What a process has used; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(wire: Wire, folder: Path, seen: Seen, over: threading.Event) -> None:
    """Search in turns with edits of one page; an edit must be in the next answer."""
    questions = itertools.cycle(QUESTIONS)
    pages = sorted(folder.glob("part000/*.md"))
    for number in itertools.count(1):
        edited = pages[0]
        word = f"edited{number}x"
        if number % EDIT_EVERY == 0:
            edited.write_text(f"# Edited\n\nThe word is {word}.\n", "utf-8")
        start = time.perf_counter()
        query = word if number % EDIT_EVERY == 0 else next(questions)
        answer = wire.call("search_docs", {"query": query})["structuredContent"]
        row = (seen.progress[-1][1] if seen.progress else 0, (time.perf_counter() - start) * 1000)
        if number % EDIT_EVERY:
            seen.searches.append(row)
        else:
            seen.edits.append(row)
            seen.missed += not any(word in hit["content"] for hit in answer["results"])
        if over.wait(LOOK_SECONDS):
            return


def report(seen: Seen, files: int, floors: Sequence[tuple[float, float]]) -> bool:
    """Print the tenths; whether a target was missed."""
    print(f"{'documents':>16}{'a second':>10}{'a cpu s':>10}{'search p50':>12}{'p95':>8}{'edit p50':>10}")
    rates: list[float] = []
    for low in range(0, files, files // 10):
        high = low + files // 10
        rate, per_cpu = between(seen, low, high)
        rates.append(rate)
        searches = [ms for count, ms in seen.searches if low <= count < high]
        edits = [ms for count, ms in seen.edits if low <= count < high]
        print(f"{low:>7,}-{high:>8,}{rate:>10.0f}{per_cpu:>10.0f}{shown(searches)}{shown(edits)[:10]}")
    middle = statistics.median(ms for _, ms in seen.searches)
    missed = min(rates) < TARGET_RATE or middle > TARGET_CALL_MS or seen.missed > 0
    seconds = seen.progress[-1][0]
    print(
        f"all: {seconds:.0f} s, {files / seconds:.0f} a second, slowest tenth {min(rates):.0f} (target {TARGET_RATE})"
    )
    print(f"floor, a second and a processor second: {', '.join(f'{a:.0f} / {b:.0f}' for a, b in floors)}")
    print(f"searches: {middle:.0f} ms at the median (target {TARGET_CALL_MS}), {len(seen.searches)} of them")
    print(f"edits: {len(seen.edits)}, not in the next answer: {seen.missed}  {'MISSED' * missed}")
    return missed


def between(seen: Seen, low: int, high: int) -> tuple[float, float]:
    """Documents a second and a processor second between two counts, interpolated."""
    wall, cpu = (at(seen, high, part) - at(seen, low, part) for part in (0, 2))
    return (high - low) / max(wall, 1e-9), (high - low) / max(cpu, 1e-9)


def at(seen: Seen, count: int, part: int) -> float:
    """The time at which so many documents were there."""
    before = (0.0, 0, 0.0)
    for point in seen.progress:
        if point[1] >= count:
            share = (count - before[1]) / max(point[1] - before[1], 1)
            return before[part] + share * (point[part] - before[part])
        before = point
    return before[part]


def shown(times: Sequence[float]) -> str:
    """Median and 95th percentile, in columns."""
    if len(times) < 2:
        return f"{'-':>12}{'-':>8}"
    return f"{statistics.median(times):>12.0f}{statistics.quantiles(times, n=20)[18]:>8.0f}"


if __name__ == "__main__":
    sys.exit(main())
