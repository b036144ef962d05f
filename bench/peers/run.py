"""pincite beside its peers over the Cranfield abstracts, each through its real server over stdio: one table.

    python bench/peers/install.py
    python bench/peers/run.py [--installed FOLDER] [--place FOLDER] [--only NAME ...] [--old CHECKOUT]

Needs PINCITE_DATA and the model in the cache (`pincite models fetch`). Bringing all documents in takes one of the
peers ten minutes; FOLDER keeps what they made of them for the next run. What takes time is measured in turns, a block
of each system after the other, so that the load of the machine is on all of them; the table has medians. `--old` adds
an earlier version of pincite, a checkout with its environment in `.venv`.
"""

import argparse
import json
import os
import shutil
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

from pincite.services.evaluation.datasets import Question, beir_name, from_beir, write_beir_corpus
from pincite.services.evaluation.metrics import ndcg

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests")]

from systems import DEPTH, PEERS, Hit, System, ours  # noqa: E402 - found by the line above

from first_run import processor_seconds  # noqa: E402 - found by the line above
from support.wire import Wire  # noqa: E402 - as above

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
    """What was measured of one system: seconds, bytes, and nDCG@10 of each question; `spent` is processor time."""

    fill: float = 0.0
    hello: list[float] = field(default_factory=list[float])
    first: list[float] = field(default_factory=list[float])
    asked: list[float] = field(default_factory=list[float])
    spent: float = 0.0
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
    with ExitStack() as stack:
        place: Path = given.place or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        documents = dict(list(abstracts(data).items())[: given.documents])
        systems = [made(name, place, documents, given.installed) for name in given.only]
        if given.old:
            systems.insert(1, earlier(given.old.resolve(), place, documents))
        rows = {system.name: row for system in systems if (row := filled(system))}
        ready = [system for system in systems if system.name in rows]
        for _ in range(given.rounds):
            for system in ready:
                start(system, questions[0].text, rows[system.name])
        servers = [(system, rows[system.name], stack.enter_context(system.started()).open()) for system in ready]
        search(servers, questions)
        edit(servers, list(documents.items())[:: len(documents) // given.edits][: given.edits])
    report(rows)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--installed", type=Path, default=DEFAULT, help=f"where install.py put the peers ({DEFAULT})")
    parser.add_argument("--place", type=Path, help="keeps what the systems made of the documents")
    parser.add_argument("--only", nargs="*", default=["pincite", *PEERS], help="pincite, " + ", ".join(PEERS))
    parser.add_argument("--old", type=Path, help="a checkout of an earlier version of pincite")
    parser.add_argument("--rounds", type=int, default=5, help="starts of each")
    parser.add_argument("--documents", type=int, help="only so many, to try it out")
    parser.add_argument("--edits", type=int, default=20, help="changed documents")
    return parser.parse_args()


def abstracts(data: Path) -> dict[str, str]:
    """Every document that has a text, by its file's name."""
    lines = (data / "corpus.jsonl").read_text("utf-8").splitlines()
    empty = {beir_name(row["_id"]) for line in lines if not (row := json.loads(line))["text"].strip()}
    with tempfile.TemporaryDirectory() as folder:
        write_beir_corpus(data, Path(folder))
        return {file.name: file.read_text("utf-8") for file in sorted(Path(folder).iterdir()) if file.name not in empty}


def made(name: str, place: Path, documents: Mapping[str, str], installed: Path) -> System:
    own = place / name
    own.mkdir(parents=True, exist_ok=True)
    return ours(own, documents, models()) if name == "pincite" else PEERS[name](own, documents, installed)


def earlier(checkout: Path, place: Path, documents: Mapping[str, str]) -> System:
    """Pincite of a checkout, by the interpreter of its environment."""
    own = place / "earlier"
    own.mkdir(parents=True, exist_ok=True)
    python = str(checkout / ".venv" / "bin" / "python")
    return ours(own, documents, models(), python=python, name=f"pincite of {checkout.name}")


def models() -> Path:
    """The folder of the user's models."""
    return Path(os.environ.get("PINCITE_CACHE") or platformdirs.user_cache_path("pincite")) / "models"


def filled(system: System) -> Row | None:
    """A row with what its tools and all documents took; None, and why, if that failed."""
    kept = system.cwd.with_name(f"{system.cwd.name}.filled")
    took = kept / "seconds"
    row = Row()
    try:
        if took.is_file():
            shutil.rmtree(system.cwd)
            shutil.copytree(kept, system.cwd, symlinks=True)
        with system.started() as wire:
            tools = wire.open().request("tools/list")["tools"]
            row.surface, row.tools = size([{key: tool.get(key) for key in SHOWN} for tool in tools]), size(tools)
            begun = time.perf_counter()
            if not took.is_file():
                system.fill(wire)
            row.fill = time.perf_counter() - begun
    except Exception as error:  # noqa: BLE001 - whatever keeps a system from running is what its row says
        print(f"{system.name} was not measured: {error!r}"[:1000], flush=True)
        return None
    if took.is_file():
        row.fill = float(took.read_text())
    else:
        shutil.copytree(system.cwd, kept, symlinks=True)
        took.write_text(str(row.fill))
    print(f"{system.name}: filled in {row.fill:.0f} s", flush=True)
    return row


def size(tools: Sequence[Mapping[str, object]]) -> int:
    """Bytes of a list of tools."""
    return len(json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode())


def start(system: System, query: str, row: Row) -> None:
    """From spawn to `initialize`, and to the first answer."""
    begun = time.perf_counter()
    with system.started() as wire:
        wire.open()
        row.hello.append(time.perf_counter() - begun)
        assert system.ask(wire, query), system.name
        row.first.append(time.perf_counter() - begun)


Server = tuple[System, Row, Wire]


def search(servers: Sequence[Server], questions: Sequence[Question]) -> None:
    """Every question once to each, and the memory after it."""
    for system, _, wire in servers:
        for question in questions[:WARM]:
            system.ask(wire, question.text)
    for at in range(0, len(questions), BLOCK):
        for system, row, wire in servers:
            before = processor(wire.process.pid)
            for question in questions[at : at + BLOCK]:
                begun = time.perf_counter()
                hits = system.ask(wire, question.text)
                row.asked.append(time.perf_counter() - begun)
                score(question, hits, row)
            row.spent += processor(wire.process.pid) - before
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
        title, _, body = text.partition("\n")
        added = f"What follows is also known as the {word} criterion, after the man who first wrote it down."
        for system, row, wire in servers:
            begun = time.perf_counter()
            system.change(wire, name, f"{title}\n\n{added}\n{body}")
            row.fresh.append(float("inf"))
            while time.perf_counter() - begun < PATIENCE:
                hits = system.ask(wire, f"{word} criterion {title.strip('# .')}")
                if any(word in hit.text for hit in hits):
                    row.fresh[-1] = time.perf_counter() - begun
                    break


def resident(process: int) -> float:
    """Bytes of memory that a process and its children hold."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(resident(child) for child in children(process))


def processor(process: int) -> float:
    """Seconds of processor time that a process and its children have taken."""
    return processor_seconds(process) + sum(processor(child) for child in children(process))


def children(process: int) -> list[int]:
    """The processes that a process has started and that still run."""
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def report(rows: Mapping[str, Row]) -> None:
    speed = "query p50 / p95 / processor | `initialize` / first answer | edit → answer"
    print(f"| | nDCG@10, alike / graded | {speed} | memory | `tools/list`, shown / all | filled |\n" + "|---" * 8 + "|")
    for name, row in rows.items():
        quality = f"{statistics.mean(row.alike):.3f} / {statistics.mean(row.graded):.3f}"
        p95 = statistics.quantiles(row.asked, n=20)[-1]
        spent = row.spent / len(row.asked)
        asked = f"{statistics.median(row.asked) * 1e3:.1f} / {p95 * 1e3:.1f} / {spent * 1e3:.1f} ms"
        starts = f"{statistics.median(row.hello):.2f} / {statistics.median(row.first):.2f} s"
        found = [seconds for seconds in row.fresh if seconds < float("inf")]
        late = len(row.fresh) - len(found)
        fresh = f"{statistics.median(found) * 1e3:.0f} ms" if found else "–"
        fresh += f" ({late} of {len(row.fresh)} not found)" if late else ""
        sizes = f"{row.memory / MEGABYTE:.0f} MB | {row.surface:,} / {row.tools:,} bytes | {row.fill:.0f} s"
        print(f"| {name} | {quality} | {asked} | {starts} | {fresh} | {sizes} |")


if __name__ == "__main__":
    main()
