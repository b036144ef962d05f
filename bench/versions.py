"""An earlier version of pincite and this one: the same inputs, in turns, and one table with the ratio of each figure.

    git worktree add OLD COMMIT      # with an environment of its own: make -C OLD dev
    python bench/versions.py OLD [--only PART ...] [--place FOLDER] [--questions SET ...]

`startup`, `update`, `search` and `first_run` measure servers over stdio; `store` runs each version's own bench, and
`questions` each version's own evaluation; `upgrade` opens an index of the earlier version with this one. Times are the
clock's and the processor's: on a machine that others use, only the processor's tell. `search` has 100,000 chunks with
made-up vectors; FOLDER keeps every index for the next run.
"""

import argparse
import itertools
import os
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import first_run as first_runs
import search
from first_run import processor_seconds
from pincite.app import App
from pincite.settings import load
from startup import BARE, ROOT, Wire, cache_with_model, environment, prepared, unpacked
from support.wire import HANDSHAKE, STATELESS

ALLOWED = 1.05
"""How many times the earlier version's cost a figure may be before it is marked."""
CHUNKS = 100_000
STORE_CHUNKS = 30_000
FILES = 5_000
QUESTIONS = ("prom", "nist", "asvs", "tldr", "cranfield")
CLOCKS = ("clock", "processor")

PREPARE = """
import sys
from pathlib import Path
sys.path.insert(0, "bench")
from search import App, fill, load
folder, cache = (Path(each) for each in sys.argv[1:])
app = App(load({"PINCITE_CACHE": cache, "PINCITE_FETCH_MODEL": False, "PINCITE_FRESH_BUDGET": "inf"}), folder)
fill(app)
app.close()
"""
"""Index a folder with the code of the working directory: words, and made-up vectors."""

PROCESSOR_CLOCK = "import time\ntime.perf_counter = time.process_time\n"
"""What makes a bench measure by the processor, imported when its interpreter starts."""


@dataclass(frozen=True, slots=True)
class Version:
    """A checkout with its interpreter, and the folder of its caches."""

    root: Path
    place: Path

    @property
    def python(self) -> str:
        return str(self.root / ".venv" / "bin" / "python")

    @property
    def env(self) -> dict[str, str]:
        self.place.mkdir(exist_ok=True)
        threads = {"OPENBLAS_NUM_THREADS": "1"}
        return {**environment(cache_with_model(self.place)), **threads, "PINCITE_MODEL_GRACE": "inf"}

    @property
    def commit(self) -> str:
        command = ["git", "-C", str(self.root), "log", "-1", "--format=%h of %cs"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def serve(self, *arguments: str, era: str = HANDSHAKE, **variables: str) -> Wire:
        """A server that is not spoken to yet, started as a client starts it."""
        command = [self.python, "-m", "pincite", "serve", *arguments]
        return Wire(command, {**self.env, **variables}, era=era, start=subprocess.Popen)

    def run(self, *arguments: str, **variables: str) -> str:
        """What a program of the checkout prints; one that misses its targets ends with 1 all the same."""
        command = [self.python, *arguments]
        env = {**self.env, **variables}
        done = subprocess.run(command, cwd=self.root, env=env, check=False, capture_output=True, text=True)
        if done.returncode not in (0, 1) or not done.stdout:
            raise RuntimeError(f"{arguments[0]} of {self.root} ended with {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout

    def prepared(self, folder: Path) -> Path:
        """The folder, once it is indexed."""
        self.run("-c", PREPARE, str(folder), str(self.place / "cache"))
        return folder


@dataclass(slots=True)
class Figures:
    """The samples of each figure, one list for each version."""

    samples: dict[str, tuple[list[float], list[float]]] = field(
        default_factory=dict[str, tuple[list[float], list[float]]]
    )

    def add(self, name: str, version: int, *values: float) -> None:
        self.samples.setdefault(name, ([], []))[version].extend(values)

    def show(self, *, higher_is_better: bool = False) -> None:
        """Print a row of the medians of each figure, marked where the later one is worse than allowed."""
        for name, (before, now) in self.samples.items():
            if before and now:
                first, second = statistics.median(before), statistics.median(now)
                ratio = second / first if first else float(second == first)
                worse = ratio < 1 / ALLOWED if higher_is_better else ratio > ALLOWED
                print(f"| {name} | {first:.4g} | {second:.4g} | {ratio:.3f}{' **worse**' * worse} |", flush=True)


def main() -> None:
    parts: dict[str, Callable[[Sequence[Version], Path, argparse.Namespace], None]] = {
        "startup": startup,
        "update": update,
        "search": searches,
        "store": store,
        "first_run": first_run,
        "questions": questions,
        "upgrade": upgrade,
    }
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="a checkout of the earlier version with its environment in .venv")
    parser.add_argument("--only", nargs="*", choices=parts, default=list(parts))
    parser.add_argument("--place", type=Path)
    parser.add_argument("--questions", nargs="*", default=list(QUESTIONS), help=", ".join(QUESTIONS))
    parser.add_argument("--rounds", type=int, default=9, help="starts, and runs of a bench by a third")
    given = parser.parse_args()
    with prepared(given.place) as place:
        versions = [Version(given.old.resolve(), place / "before"), Version(ROOT, place / "now")]
        print(f"| figure | {versions[0].commit} | {versions[1].commit} | ratio |\n|---|---|---|---|")
        for part in given.only:
            parts[part](versions, place, given)


def in_turns(versions: Sequence[Version], rounds: int) -> Iterator[tuple[int, Version]]:
    """Each version once in every round, the first of a round in turns."""
    for number in range(rounds):
        both = list(enumerate(versions))
        yield from both if number % 2 else reversed(both)


def startup(versions: Sequence[Version], place: Path, given: argparse.Namespace) -> None:
    """From the start of the process to `initialize`, `server/discover` and first answers; beside a bare server."""
    pages = unpacked(place)
    for version in versions:
        version.prepared(pages)
    figures = Figures()
    for turn in range(given.rounds + 1):
        for number, version in in_turns(versions, 1):
            if turn == 0:
                started(Figures(), number, version, pages)  # for the bytecode and the files' pages
                continue
            started(figures, number, version, pages)
            bare = Wire([version.python, "-c", BARE], version.env, start=subprocess.Popen)
            timed_start(figures, "a bare server of the SDK, `initialize`", number, bare)
    figures.show()


def started(figures: Figures, number: int, version: Version, pages: Path) -> None:
    folder = str(pages)
    timed_start(figures, "start → `initialize`", number, version.serve(folder))
    timed_start(figures, "start → `server/discover`", number, version.serve(folder, era=STATELESS))
    timed_start(figures, "start → first hybrid answer", number, version.serve(folder), "hybrid")
    database = next((version.place / "cache" / "folders").glob("*.db"))
    without = {"PINCITE_CACHE": str(version.place / "without-model"), "PINCITE_DB": str(database)}
    by_words = version.serve(folder, "--db", str(database), **without)
    timed_start(figures, "start → first answer by words", number, by_words, "keyword")


def timed_start(figures: Figures, name: str, number: int, server: Wire, search_type: str = "") -> None:
    """Seconds since the process was started, which was just now, until it has answered."""
    begun = time.perf_counter()
    with server as wire:
        wire.open()
        if search_type:
            answer = wire.call("search_docs", {"query": "create an archive from files"})["structuredContent"]
            assert answer["search_type"] == search_type, answer
        spent = {"clock": time.perf_counter() - begun, "processor": processor_seconds(wire.process.pid)}
    for clock, seconds in spent.items():
        figures.add(f"{name}, s by the {clock}", number, seconds)


def update(versions: Sequence[Version], place: Path, given: argparse.Namespace) -> None:
    """From the end of a write to the answer that has it, among 7,425 pages; by events and by the walk."""
    del given
    for name, variables in (("events", {}), ("the walk", {"PINCITE_WATCH": "false"})):
        with ExitStack() as stack:
            servers: list[tuple[Wire, Path]] = []
            for version in versions:
                folder = version.place / "pages"
                if not folder.is_dir():
                    shutil.copytree(unpacked(place), folder)
                version.prepared(folder)
                servers.append((stack.enter_context(version.serve(str(folder), **variables)).open(), folder))
            edited(f"write → answer by {name}", servers, 60)


def edited(name: str, servers: Sequence[tuple[Wire, Path]], edits: int) -> None:
    figures = Figures()
    for wire, _ in servers:
        wire.call("search_docs", {"query": "warm up"})
    began = [processor_seconds(wire.process.pid) for wire, _ in servers]
    for edit in range(edits):
        both = list(enumerate(servers))
        # In turns: what the first goes on with in the background is at the expense of the second.
        for number, (wire, folder) in reversed(both) if edit % 2 else both:
            word, page = f"zyzzyva{edit}", sorted(folder.rglob("*.md"))[3000]
            page.write_text(f"# changed\n\n> A page about {word}.\n\n- Do it:\n\n`{word} --now`\n")
            start = time.perf_counter()
            answer = wire.call("search_docs", {"query": word, "top_k": 3})["structuredContent"]
            figures.add(f"{name}, ms by the clock", number, (time.perf_counter() - start) * 1000)
            assert word in answer["results"][0]["content"], answer
    for number, (wire, _) in enumerate(servers):
        spent = processor_seconds(wire.process.pid) - began[number]
        figures.add(f"{name}, ms by the processor", number, spent / edits * 1000)
    figures.show()


def searches(versions: Sequence[Version], place: Path, given: argparse.Namespace) -> None:
    """Searches of an index of 100,000 chunks over stdio, the same queries for both."""
    del given
    folder = place / f"pages-{CHUNKS}"
    search.write(folder, CHUNKS)
    for version in versions:
        version.prepared(folder)
    app = App(load({"PINCITE_CACHE": versions[1].place / "cache", "PINCITE_FETCH_MODEL": False}), folder)
    queries = search.Questions(app, 200).queries
    app.close()
    figures = Figures()
    with ExitStack() as stack:
        wires = [stack.enter_context(version.serve(str(folder))).open() for version in versions]
        for wire, query in itertools.product(wires, queries["question"][:20]):
            wire.call("search_docs", {"query": query})
        for kind, asked in queries.items():
            began = [processor_seconds(wire.process.pid) for wire in wires]
            for query, (number, wire) in itertools.product(asked, enumerate(wires)):
                start = time.perf_counter()
                answer = wire.call("search_docs", {"query": query})["structuredContent"]
                figures.add(f"search, {kind}, ms by the clock", number, (time.perf_counter() - start) * 1000)
                assert answer["search_type"] != "keyword", answer
            for number, wire in enumerate(wires):
                spent = processor_seconds(wire.process.pid) - began[number]
                figures.add(f"search, {kind}, ms by the processor", number, spent / len(asked) * 1000)
    figures.show()


def store(versions: Sequence[Version], place: Path, given: argparse.Namespace) -> None:
    """`bench/store.py` of each version, by both clocks."""
    costs, rates = Figures(), Figures()
    for clock in CLOCKS:
        for number, version in in_turns(versions, max(given.rounds // 3, 1)):
            shown = version.run("bench/store.py", "--chunks", str(STORE_CHUNKS), **measured_by(clock, place))
            for name, value, unit in re.findall(r"^(\S.{30,31}?) +([\d,.]+) ?(ms|us|s)?(?: |$)", shown, re.MULTILINE):
                named = f"store, {name.strip()}, {unit or 'a second'} by the {clock}"
                (costs if unit else rates).add(named, number, float(value.replace(",", "")))
    costs.show()
    rates.show(higher_is_better=True)


def measured_by(clock: str, place: Path) -> Mapping[str, str]:
    """Variables for a bench whose clock is to be the processor's."""
    if clock == "clock":
        return {}
    folder = place / "processor-clock"
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(PROCESSOR_CLOCK)
    return {"PYTHONPATH": str(folder)}


def first_run(versions: Sequence[Version], place: Path, given: argparse.Namespace) -> None:
    """Documents indexed by a server without an index while a client searches, as in `bench/first_run.py`.

    Both have the bytecode that an installer makes: to compile a version's modules is no part of indexing.
    """
    folder = place / f"files-{FILES}x1"
    first_runs.write(place, folder, FILES, 1)
    rates, costs = Figures(), Figures()
    for turn in range(max(given.rounds // 3, 1) + 1):
        for number, version in in_turns(versions, 1):
            seen = first_indexed(version, folder)
            if turn == 0:
                continue  # for the bytecode and the files' pages
            (first, _, spent), (last, _, spent_at_last) = seen.progress[0], seen.progress[-1]
            rates.add("first run, documents a second by the clock", number, FILES / (last - first))
            rates.add("first run, documents a processor second", number, FILES / (spent_at_last - spent))
            costs.add("first run, a search meanwhile, ms by the clock", number, *(ms for _, ms in seen.searches))
            assert not seen.missed, f"{seen.missed} edits were not in the next answer"
    rates.show(higher_is_better=True)
    costs.show()


def first_indexed(version: Version, folder: Path) -> first_runs.Seen:
    env = version.env
    with tempfile.TemporaryDirectory(dir=version.place) as held:
        cache = cache_with_model(Path(held))
        variables = {**env, "PINCITE_CACHE": str(cache), "PINCITE_MODEL_GRACE": "0.5"}
        server = Wire([version.python, "-m", "pincite", "serve", str(folder)], variables, start=subprocess.Popen)
        return first_runs.indexed(server, cache, folder, FILES)


def questions(versions: Sequence[Version], place: Path, given: argparse.Namespace) -> None:
    """The scores of `eval/questions.py` of each version."""
    del place
    for name in given.questions:
        figures = Figures()
        for number, version in enumerate(versions):
            shown = version.run(
                "eval/questions.py", name, PINCITE_DATA=os.environ.get("PINCITE_DATA", str(search.DATA))
            )
            shown = shown.partition(f"{name} (")[2].partition("\n\n")[0]
            for ranker, *scores in re.findall(
                r"^(\S+) +([\d.]+) \[.*?\] +([\d.]+) \[.*?\] +([\d.]+) .*? +([\d.]+) \[", shown, re.MULTILINE
            ):
                for measure, score in zip(("hit@1", "hit@5", "mrr@10", "ndcg@10"), scores, strict=True):
                    figures.add(f"{name}, {ranker}, {measure}", number, float(score))
        figures.show(higher_is_better=True)


def upgrade(versions: Sequence[Version], place: Path, given: argparse.Namespace) -> None:
    """How much of an index of the earlier version is the same once this one has opened it."""
    del given
    folder, upgraded = unpacked(place), Version(ROOT, place / "upgraded")
    versions[0].prepared(folder)
    with index_of(versions[0].place, folder) as index:
        before = contents(index)
    shutil.rmtree(upgraded.place, ignore_errors=True)
    shutil.copytree(versions[0].place / "cache" / "folders", upgraded.place / "cache" / "folders")
    with upgraded.serve(str(folder)) as wire:
        wire.open()
        while (state := wire.call("get_status")["structuredContent"]["index"])["pending"] or state.get("rereading"):
            time.sleep(0.2)
    with index_of(upgraded.place, folder) as index:
        after = contents(index)
    figures = Figures()
    for name, values in before.items():
        figures.add(f"upgrade, {name}", 0, len(values))
        figures.add(f"upgrade, {name}", 1, len(values & after[name]))
    figures.show(higher_is_better=True)


def index_of(place: Path, folder: Path) -> closing[sqlite3.Connection]:
    (path,) = (path for path in (place / "cache" / "folders").glob("*.db") if source(path) == str(folder.resolve()))
    return closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True))


def source(path: Path) -> str:
    """The folder that an index is of."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as index:
        return index.execute("SELECT value FROM meta WHERE key = 'source'").fetchone()[0]


def contents(index: sqlite3.Connection) -> dict[str, set[object]]:
    """What must outlive another schema; the vectors are made up, so one that was computed anew is another."""
    hashes = "SELECT document.name, ordinal, embed_hash FROM chunk JOIN document ON document.id = document_id"
    queries = {
        "documents": "SELECT name, fingerprint FROM document",
        "chunks with what is embedded of them": hashes,
        "vectors": "SELECT embed_hash, vector FROM vector",
    }
    return {name: set(index.execute(query).fetchall()) for name, query in queries.items()}


if __name__ == "__main__":
    main()
