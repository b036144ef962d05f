"""pincite beside its peers over the Cranfield abstracts, each through its real server over stdio: one table.

    python bench/peers/install.py
    python bench/peers/run.py [--installed FOLDER] [--only NAME ...] [--rounds 5] [--edits 20]

Needs PINCITE_DATA and the model in the cache (`pincite models fetch`). What takes time is measured in turns, a block
of each system after the other, so that the load of the machine is on all of them; the table has medians.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs
from install import DEFAULT

from pincite.services.evaluation.datasets import Question, from_beir, write_beir_corpus
from pincite.services.evaluation.metrics import ndcg

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from systems import DEPTH, PEERS, Hit, System, ours  # noqa: E402 - found by the line above

from wire import Wire  # noqa: E402 - as above

BLOCK = 45
"""Questions that one system is asked before it is another's turn."""
WARM = 5
PATIENCE = 10.0
"""Seconds after which a change counts as not found."""
MEGABYTE = 1e6
SHOWN = ("name", "description", "inputSchema")
"""What a client shows its model of a tool."""


@dataclass(slots=True)
class Row:
    """What was measured of one system: seconds, bytes, and nDCG@10 of each question."""

    fill: float = 0.0
    hello: list[float] = field(default_factory=list[float])
    first: list[float] = field(default_factory=list[float])
    asked: list[float] = field(default_factory=list[float])
    graded: list[float] = field(default_factory=list[float])
    alike: list[float] = field(default_factory=list[float])
    fresh: list[float] = field(default_factory=list[float])
    memory: float = 0.0
    surface: int = 0
    tools: int = 0


def main() -> None:
    given = arguments()
    data = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data")) / "ir" / "cranfield"
    questions = from_beir(data)
    with tempfile.TemporaryDirectory() as scratch:
        documents = abstracts(data, Path(scratch))
        systems = [made(name, Path(scratch), documents, given.installed) for name in given.only]
        rows = {system.name: row for system in systems if (row := filled(system))}
        ready = [system for system in systems if system.name in rows]
        for _ in range(given.rounds):
            for system in ready:
                start(system, questions[0].text, rows[system.name])
        with ExitStack() as stack:
            servers = [(system, rows[system.name], stack.enter_context(system.start()).open()) for system in ready]
            search(servers, questions)
            edit(servers, list(documents.items())[:: len(documents) // given.edits][: given.edits])
    report(rows)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--installed", type=Path, default=DEFAULT, help=f"where install.py put the peers ({DEFAULT})")
    parser.add_argument("--only", nargs="*", default=["pincite", *PEERS], help="pincite, " + ", ".join(PEERS))
    parser.add_argument("--rounds", type=int, default=5, help="starts of each")
    parser.add_argument("--edits", type=int, default=20, help="changed documents")
    return parser.parse_args()


def abstracts(data: Path, scratch: Path) -> dict[str, str]:
    """Every document with a text, by its file's name."""
    folder = scratch / "abstracts"
    folder.mkdir()
    write_beir_corpus(data, folder)
    texts = {file.name: file.read_text("utf-8") for file in sorted(folder.iterdir())}
    return {name: text for name, text in texts.items() if text.strip()}


def made(name: str, scratch: Path, documents: Mapping[str, str], installed: Path) -> System:
    place = scratch / name
    place.mkdir()
    if name == "pincite":
        cache = Path(os.environ.get("PINCITE_CACHE") or platformdirs.user_cache_path("pincite"))
        return ours(place, documents, cache / "models")
    return PEERS[name](place, documents, installed)


def filled(system: System) -> Row | None:
    """A row with what the first start and all documents took; None, and why, if that failed."""
    row = Row()
    try:
        with system.start().open() as wire:
            tools = wire.request("tools/list")["tools"]
            row.surface, row.tools = size([{key: tool.get(key) for key in SHOWN} for tool in tools]), size(tools)
            begun = time.perf_counter()
            system.fill(wire)
            row.fill = time.perf_counter() - begun
    except Exception as error:  # noqa: BLE001 - whatever keeps a system from running is what its row says
        print(f"{system.name} was not measured: {error!r}"[:1000], flush=True)
        return None
    print(f"{system.name}: filled in {row.fill:.0f} s", flush=True)
    return row


def size(tools: Sequence[Mapping[str, object]]) -> int:
    """Bytes of a list of tools."""
    return len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode())


def start(system: System, query: str, row: Row) -> None:
    """From spawn to `initialize`, and to the first answer."""
    begun = time.perf_counter()
    with system.start() as wire:
        wire.open()
        row.hello.append(time.perf_counter() - begun)
        assert system.ask(wire, query)
        row.first.append(time.perf_counter() - begun)


Server = tuple[System, Row, Wire]


def search(servers: Sequence[Server], questions: Sequence[Question]) -> None:
    """Every question once to each, and the memory after it."""
    for system, _, wire in servers:
        for question in questions[:WARM]:
            system.ask(wire, question.text)
    for at in range(0, len(questions), BLOCK):
        for system, row, wire in servers:
            for question in questions[at : at + BLOCK]:
                begun = time.perf_counter()
                hits = system.ask(wire, question.text)
                row.asked.append(time.perf_counter() - begun)
                score(question, hits, row)
    for _, row, wire in servers:
        row.memory = resident(wire.process.pid)


def score(question: Question, hits: Sequence[Hit], row: Row) -> None:
    """nDCG@10 over documents, each at its best place; graded, and with every judgment counted alike."""
    grades = {gold.document: gold.grade for gold in question.golds}
    found = [grades.get(name, 0.0) for name in list(dict.fromkeys(hit.document for hit in hits))[:DEPTH]]
    row.graded.append(ndcg(found, list(grades.values())))
    row.alike.append(ndcg([float(grade > 0) for grade in found], [1.0] * len(grades)))


def edit(servers: Sequence[Server], documents: Sequence[tuple[str, str]]) -> None:
    """A new word in a document: until a question that has it finds it. Inf where it is not found in time."""
    for number, (name, text) in enumerate(documents):
        word = f"quagg{number}ovar"
        for system, row, wire in servers:
            begun = time.perf_counter()
            system.change(wire, name, f"{text}\nSee also the {word} criterion.\n")
            row.fresh.append(float("inf"))
            while time.perf_counter() - begun < PATIENCE:
                hits = system.ask(wire, f"{word} criterion {text.splitlines()[0].strip('# .')}")
                if any(word in hit.text for hit in hits):
                    row.fresh[-1] = time.perf_counter() - begun
                    break


def resident(process: int) -> float:
    """Bytes of memory that a process and its children hold."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(resident(child) for child in children)


def report(rows: Mapping[str, Row]) -> None:
    print(
        "| | nDCG@10, alike / graded | query p50 / p95 | `initialize` / first answer | edit → answer | memory ", end=""
    )
    print("| `tools/list`, shown / all | filled |\n" + "|---" * 8 + "|")
    for name, row in rows.items():
        quality = f"{statistics.mean(row.alike):.3f} / {statistics.mean(row.graded):.3f}"
        p95 = statistics.quantiles(row.asked, n=20)[-1]
        asked = f"{statistics.median(row.asked) * 1e3:.1f} / {p95 * 1e3:.1f} ms"
        starts = f"{statistics.median(row.hello):.2f} / {statistics.median(row.first):.2f} s"
        late = sum(seconds == float("inf") for seconds in row.fresh)
        fresh = f"{statistics.median(row.fresh) * 1e3:.0f} ms" + (f" ({late} not found)" if late else "")
        sizes = f"{row.memory / MEGABYTE:.0f} MB | {row.surface:,} / {row.tools:,} bytes | {row.fill:.0f} s"
        print(f"| {name} | {quality} | {asked} | {starts} | {fresh} | {sizes} |")


if __name__ == "__main__":
    main()
