"""How long a client waits for pincite, beside what a server of the same SDK without anything costs.

    python bench/startup.py [--runs 21] [--place FOLDER]

Indexing the 7,425 pages takes minutes; FOLDER keeps pages and index for the next run.

All of it in one run, in turns that begin with another one each round, so that the load of the machine is on both sides
of each ratio. Each ratio is given by the clock and by processor time (Linux), which other processes disturb less.
"""

import argparse
import contextlib
import math
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import NamedTuple

import platformdirs

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.wire import HANDSHAKE, STATELESS, Wire, pincite  # noqa: E402 - found by the line above

BARE = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def main():
    server = Server("bare")
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())

anyio.run(main)
"""

SESSION = """
import os
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # as pincite does
import onnxruntime
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
onnxruntime.InferenceSession({model!r}, options, providers=["CPUExecutionProvider"])
"""


class Cost(NamedTuple):
    """Seconds by the clock and of the processor."""

    clock: float
    processor: float


TARGETS = {
    "initialize": 1.25,
    "server/discover": 1.25,
    "no-change start, first hybrid answer": 1.6,
    "no-change start, first answer by words": 1.3,
}


def main() -> int:
    """Print each ratio and its target; 1 if one is missed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--runs", type=int, default=21)
    arguments.add_argument("--place", type=Path)
    given = arguments.parse_args()
    runs: int = given.runs
    with prepared(given.place) as place:
        folder, cache = unpacked(place), cache_with_model(place)
        without = place / "without-model"
        by_words = environment(without)
        hybrid = {**environment(cache), "PINCITE_MODEL_GRACE": "inf"}
        index(folder, hybrid)
        database = next((cache / "folders").glob("*.db"))
        model = next((cache / "models").glob("*int8*.onnx"))
        ways: dict[str, Callable[[], Cost]] = {
            "bare initialize": lambda: hello([sys.executable, "-c", BARE], HANDSHAKE, environment(cache)),
            "bare discover": lambda: hello([sys.executable, "-c", BARE], STATELESS, environment(cache)),
            "initialize": lambda: hello(pincite("serve", str(folder)), HANDSHAKE, hybrid),
            "server/discover": lambda: hello(pincite("serve", str(folder)), STATELESS, hybrid),
            "session": lambda: session(model),
            "hybrid": lambda: first_answer([str(folder)], hybrid, "hybrid"),
            "words, no model": lambda: first_answer([str(folder), "--db", str(database)], by_words, "keyword"),
        }
        costs = measured(ways, runs)
    clock = {name: statistics.median(cost.clock for cost in seen) for name, seen in costs.items()}
    processor = {name: statistics.median(cost.processor for cost in seen) for name, seen in costs.items()}
    for name, seen in costs.items():
        least = min(cost.clock for cost in seen)
        print(f"{name:<22} median {clock[name]:.3f} s   least {least:.3f} s   processor {processor[name]:.3f} s")
    by_clock, by_processor = ratios(clock), ratios(processor)
    for name, ratio in by_clock.items():
        missed = "" if ratio <= TARGETS[name] else "MISSED"
        print(
            f"{name:<40} {ratio:.2f} of what must be, {by_processor[name]:.2f} by the processor "
            f"(target {TARGETS[name]}) {missed}"
        )
    return int(any(ratio > TARGETS[name] for name, ratio in by_clock.items()))


def measured(ways: Mapping[str, Callable[[], Cost]], runs: int) -> Mapping[str, list[Cost]]:
    """The costs of each way, in turns; each round begins with another."""
    for way in ways.values():
        way()  # once for the bytecode and the files' pages
    costs: dict[str, list[Cost]] = {name: [] for name in ways}
    names = list(ways)
    for turn in range(runs):
        first = turn % len(names)
        for name in [*names[first:], *names[:first]]:
            costs[name].append(ways[name]())
    return costs


def ratios(median: Mapping[str, float]) -> Mapping[str, float]:
    """Each start against what cannot be avoided."""
    return {
        "initialize": median["initialize"] / median["bare initialize"],
        "server/discover": median["server/discover"] / median["bare discover"],
        "no-change start, first hybrid answer": median["hybrid"] / (median["bare initialize"] + median["session"]),
        "no-change start, first answer by words": median["words, no model"] / median["bare initialize"],
    }


@contextlib.contextmanager
def prepared(place: Path | None) -> Generator[Path]:
    """A folder to work in: the one that was named, else one that goes away."""
    if place is None:
        with tempfile.TemporaryDirectory() as held:
            yield Path(held)
    else:
        place.mkdir(parents=True, exist_ok=True)
        yield place


def unpacked(place: Path) -> Path:
    """The English pages of docs-tldr (7,425)."""
    data = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
    if not (place / "tldr").is_dir():
        with tarfile.open(data / "docs-tldr.tar.xz") as archive:
            archive.extractall(place / "tldr", filter="data")
    return next(path for path in sorted((place / "tldr").rglob("pages")) if path.is_dir())


def cache_with_model(place: Path) -> Path:
    """A cache of our own, with the models of the user's."""
    cache = place / "cache"
    cache.mkdir(exist_ok=True)
    own = Path(os.environ.get("PINCITE_CACHE") or platformdirs.user_cache_path("pincite"))
    if not (cache / "models").exists():
        (cache / "models").symlink_to(own / "models")
    return cache


def environment(cache: Path) -> dict[str, str]:
    """Quiet, without the network, and with the bytecode that an installed package has.

    Where `PYTHONDONTWRITEBYTECODE` is set, as in containers, a start from a checkout would compile every module of
    ours again (50 ms), and none of the SDK's, which the installer has compiled.
    """
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    bytecode = {"PYTHONPYCACHEPREFIX": str(cache.parent / "bytecode")}
    return {
        **variables,
        **bytecode,
        "PINCITE_CACHE": str(cache),
        "PINCITE_FETCH_MODEL": "false",
        "LOG_LEVEL": "WARNING",
    }


def index(folder: Path, env: Mapping[str, str]) -> None:
    """Bring everything in, words and vectors."""
    with Wire(pincite("serve", str(folder)), env).open() as wire:
        start = time.monotonic()
        while (state := wire.call("get_status")["structuredContent"]["index"])["indexing"] is not None:
            time.sleep(0.5)
        pages, chunks = state["total_pages"], state["total_chunks"]
        print(f"indexed {pages} pages, {chunks} chunks in {time.monotonic() - start:.0f} s", flush=True)


def hello(command: list[str], era: str, env: Mapping[str, str]) -> Cost:
    """From spawn to the first answer."""
    start = time.perf_counter()
    with Wire(command, env, era=era) as wire:
        wire.open()
        return Cost(time.perf_counter() - start, processor_seconds(wire.process.pid))


def first_answer(served: list[str], env: Mapping[str, str], search_type: str) -> Cost:
    """From spawn to the first search's answer."""
    start = time.perf_counter()
    with Wire(pincite("serve", *served), env).open() as wire:
        answer = wire.call("search_docs", {"query": "create an archive from files"})["structuredContent"]
        cost = Cost(time.perf_counter() - start, processor_seconds(wire.process.pid))
        assert answer["search_type"] == search_type, answer
        assert not answer["index"]["stale"], answer
        assert answer["results"], answer
        return cost


def processor_seconds(pid: int) -> float:
    """What all threads of a process have used, by its clock (Linux: `MAKE_PROCESS_CPUCLOCK`); nan elsewhere."""
    return time.clock_gettime(~pid << 3 | 2) if sys.platform == "linux" else math.nan


def session(model: Path) -> Cost:
    """What the model's session takes in a process of its own, the interpreter's start taken off."""
    code = SESSION.format(model=str(model))
    timed = (
        f"import time; t, p = time.perf_counter(), time.process_time()\n{code}\n"
        "print(time.perf_counter() - t, time.process_time() - p)"
    )
    ran = subprocess.run([sys.executable, "-c", timed], check=True, capture_output=True, text=True)
    return Cost(*map(float, ran.stdout.split()))


if __name__ == "__main__":
    sys.exit(main())
