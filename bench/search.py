"""What a search costs in a large index, beside the least that it must cost.

    python bench/search.py [--chunks 100000] [--queries 200] [--place FOLDER]

Pages of 20 sections, made of sentences of the shared documentation; FOLDER keeps them and their index.
The vectors are made up, around those of real sentences: only their number counts here, but questions are as near to
them as to real ones, so that as few are compared token by token. The least is embedding the query plus the float32
product of matrix and vector in one thread, both measured in turns with the searches.
`beside` is what a search takes more than that. `rare` asks four words of few chunks, `question` is a question
of the shared sets, `frequent` asks four words of 2 to 20 % of all chunks.

Measured right after the build, in the process that built the index (where FOLDER held none yet), in a new process,
and there with another process that keeps one core busy. Where the time goes, a profiler tells (`py-spy record`).
"""

import argparse
import contextlib
import os
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
    # numpy reads it when it is imported: the floor must have one thread as the index has.
    os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"OPENBLAS_NUM_THREADS": "1"})  # noqa: S606 - ourselves

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from pincite.app import App
from pincite.errors import TimeoutExceeded
from pincite.model.call import Call
from pincite.model.search import NO_FILTER
from pincite.settings import load
from pincite.store.base import Snapshot
from pincite.tools.answers.docs import PagesAnswer
from startup import ROOT, Wire, cache_with_model, environment, pincite, prepared

DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
SECTIONS = 20
WORDS = 110
DIMENSIONS = 384
CLUSTERS = 500
KINDS = {"rare": 2.0, "question": 2.0, "frequent": 4.0}
"""Milliseconds that a search may take beside embedding and scan, at the median, for every 100,000 chunks."""
LIMIT_CHUNKS = 110_000
"""Chunks up to which that limit is the same; it grows with larger indexes."""
LOADED = 2
"""How many times that limit counts where another process keeps one core busy."""
RAREST = 200
"""Words that count as rare in any case."""
LAST = 4.0
"""How many times the least a search may take at the 99th percentile."""
OVER_STDIO_MS = 1.5

Queries = dict[str, list[str]]
Matrix = np.ndarray[Any, np.dtype[np.float32]]
T = TypeVar("T")


def main() -> int:
    """Print every figure; 1 if a target is missed."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--chunks", type=int, default=100_000)
    arguments.add_argument("--queries", type=int, default=200)
    arguments.add_argument("--place", type=Path)
    given = arguments.parse_args()
    with prepared(given.place) as place:
        folder, cache = place / f"pages-{given.chunks}", cache_with_model(place)
        write(folder, given.chunks)
        settings = {"PINCITE_CACHE": cache, "PINCITE_MODEL_GRACE": "inf", "PINCITE_FETCH_MODEL": False}
        app = App(load({**settings, "PINCITE_FRESH_BUDGET": "inf"}), folder)
        if fill(app):
            ready(app)
            beside(app, "right after the build", Questions(app, given.queries), 1)
        app.close()
        app = App(load(settings), folder)
        missed = measure(app, folder, {**environment(cache), "PINCITE_MODEL_GRACE": "inf"}, given.queries)
        app.close()
    return int(missed)


def write(folder: Path, chunks: int) -> None:
    """Pages of sections of sentences, the same at every run."""
    if folder.is_dir():
        return
    chance = random.Random(7)  # noqa: S311 - the same at every run
    sentences = list(read_sentences())
    folder.mkdir(parents=True)
    for page in range(chunks // SECTIONS):
        part = folder / f"part{page % 100:02}"
        part.mkdir(exist_ok=True)
        lines = [f"# {title(chance, sentences)}\n"]
        for section in range(SECTIONS):
            if section:
                lines.append(f"## {title(chance, sentences)}\n")
            lines.append(" ".join(some(chance, sentences)) + "\n")
        (part / f"page{page:05}.md").write_text("\n".join(lines), "utf-8")


def read_sentences() -> Iterator[str]:
    """Sentences of the shared documentation; of our own where that is absent."""
    roots = [DATA / "docs-prometheus", DATA / "nist-800-63-3"] if DATA.is_dir() else [ROOT / "docs"]
    for root in roots:
        for page in sorted(root.rglob("*.md")):
            for line in page.read_text("utf-8").splitlines():
                if re.match(r"[A-Z][^|`]{40,400}$", line.strip()):
                    yield from re.split(r"(?<=[.!?])\s+", line.strip())


def title(chance: random.Random, sentences: Sequence[str]) -> str:
    return " ".join(re.findall(r"\w+", chance.choice(sentences))[: chance.randint(2, 6)])


def some(chance: random.Random, sentences: Sequence[str]) -> Iterator[str]:
    """About a hundred words, and a name that few sections hold."""
    words = 0
    while words < WORDS:
        sentence = chance.choice(sentences)
        words += sentence.count(" ") + 1
        yield sentence
    yield f"See key_{chance.randrange(20_000)} and {''.join(chance.choices('bdfgklmnprst', k=3))}."


def fill(app: App) -> bool:
    """Index the words, and put a made-up vector to every chunk; whether there was anything to do."""
    start = time.monotonic()
    while not complete(app):  # a tool call has its own limit, and a million chunks take many
        pass
    store = app.collection().store
    rng = np.random.default_rng(7)
    embedder = app.collection().embedder
    embedder.ready(60)
    texts = random.Random(5).sample(sorted(set(read_sentences())), CLUSTERS)  # noqa: S311 - the same at every run
    centres: Matrix = np.stack([embedder.embedder.embed_query(text) for text in texts]) * DIMENSIONS**0.5
    filled = False
    while rows := store.missing_vectors(5000):
        filled = True
        vectors = centres[rng.integers(CLUSTERS, size=len(rows))]
        vectors += 0.7 * rng.standard_normal(vectors.shape, np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        store.put_vectors({row.embed_hash: vectors[place] for place, row in enumerate(rows)})
    print(f"indexed in {time.monotonic() - start:.0f} s", flush=True)
    return filled


def ready(app: App) -> None:
    ask(app, "warm up")
    app.collection().embedder.ready(60)
    ask(app, "warm up")


class Questions:
    """The queries of each kind, and a matrix of as many vectors as the index has."""

    def __init__(self, app: App, runs: int) -> None:
        with app.collection().store.snapshot() as snapshot:
            self.chunks = snapshot.count(NO_FILTER).chunks
            self.queries = questions(snapshot, self.chunks, runs)
        self.matrix = np.random.default_rng(3).standard_normal((self.chunks, DIMENSIONS), np.float32)


def complete(app: App) -> bool:
    """Whether every document is read after one more call has done its share; one that runs out of time has not."""
    try:
        answer = app.toolbox.call("list_pages", {"prefix": "none"}, Call())
    except TimeoutExceeded:
        return False
    assert isinstance(answer, PagesAnswer)
    assert answer.index is not None
    return not answer.index.pending


def measure(app: App, folder: Path, env: dict[str, str], runs: int) -> bool:
    ready(app)
    asked = Questions(app, runs)
    print(f"{asked.chunks:,} chunks, {runs} queries of each kind, ms")
    missed = beside(app, "a new process", asked, 1)
    with busy_core() as busy:
        if busy:
            missed |= beside(app, "a new process, one core busy", asked, LOADED)
    print(f"\n{'':18}{'p50':>8}{'1 %':>8}{'stdio':>8}{'+':>8}")
    for kind, queries in asked.queries.items():
        whole = statistics.median(timed(lambda q=query: ask(app, q)) for query in queries)
        few = statistics.median(timed(lambda q=query: ask(app, q, "part07/**")) for query in queries)
        over, wired = over_stdio(app, folder, env, queries)
        bad = over > OVER_STDIO_MS / 1000 or few > 1.05 * whole
        missed |= bad
        print(f"{kind:18}" + "".join(f"{v * 1000:8.2f}" for v in (whole, few, wired, over)) + "  MISSED" * bad)
    return missed


def beside(app: App, title: str, asked: Questions, times: int) -> bool:
    """Print what searches take beside embedding and scan; whether that is over the limit."""
    names = ("embed", "scan", "p50", "p95", "beside", "p95", "limit", "ratio", "p99")
    print(f"\n{title}\n{'':18}" + "".join(f"{name:>8}" for name in names))
    missed = False
    for kind, allowed in KINDS.items():
        embed, scan, wall = in_turns(app, asked.matrix, asked.queries[kind])
        least = [sum(pair) for pair in zip(embed, scan, strict=True)]
        more = [whole - part for whole, part in zip(wall, least, strict=True)]
        limit = allowed * times * max(1, asked.chunks / LIMIT_CHUNKS)
        middle = statistics.median
        last = percentile(wall, 99) / middle(least)
        bad = middle(more) > limit or (times == 1 and last > LAST)
        missed |= bad
        ratio = middle(wall) / middle(least)
        row = (middle(embed), middle(scan), middle(wall), percentile(wall, 95), middle(more), percentile(more, 95))
        print(f"{kind:18}" + "".join(f"{v:8.2f}" for v in (*row, limit, ratio, last)) + "  MISSED" * bad, flush=True)
    return missed


def percentile(values: Sequence[float], which: int) -> float:
    return statistics.quantiles(values, n=100)[which - 1]


def in_turns(app: App, matrix: Matrix, queries: Sequence[str]) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds of embedding each query, of one product with the whole matrix, and of its search.

    In turns: the machine's speed drifts.
    """
    embedder = app.collection().embedder.embedder
    embed: list[float] = []
    scan: list[float] = []
    wall: list[float] = []
    for query in queries:
        vector, seconds = took(lambda q=query: embedder.embed_query(q))
        embed.append(seconds * 1000)
        scan.append(timed(lambda v=vector: matrix @ v) * 1000)
        wall.append(timed(lambda q=query: ask(app, q)) * 1000)
    return embed, scan, wall


@contextlib.contextmanager
def busy_core() -> Generator[bool]:
    """A process that keeps the first of our cores busy; False where there is but one, or none can be chosen."""
    if not hasattr(os, "sched_getaffinity") or len(cores := sorted(os.sched_getaffinity(0))) == 1:
        yield False
        return
    code = f"import os\nos.sched_setaffinity(0, {{{cores[0]}}})\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        try:
            yield True
        finally:
            process.kill()


def over_stdio(app: App, folder: Path, env: dict[str, str], queries: Sequence[str]) -> tuple[float, float]:
    """Seconds at the median that a call over stdio takes longer, and in all. In turns: the machine's speed drifts."""
    longer: list[float] = []
    wired: list[float] = []
    with Wire(pincite("serve", str(folder)), env).open() as wire:
        for query in queries[:20]:
            wire.call("search_docs", {"query": query})
        for query in queries:
            wired.append(timed(lambda q=query: wire.call("search_docs", {"query": q})))
            longer.append(wired[-1] - timed(lambda q=query: ask(app, q)))
    return statistics.median(longer), statistics.median(wired)


def questions(snapshot: Snapshot, chunks: int, n: int) -> Queries:
    chance = random.Random(11)  # noqa: S311 - as above
    words = {word for initial in "abcdefghijklmnopqrstuvwxyz" for word in snapshot.spellings(initial, 4, 12)}
    known = dict(zip(sorted(words), snapshot.document_frequencies(sorted(words)), strict=True))
    frequent = [word for word, held in known.items() if 0.02 * chunks < held < 0.2 * chunks]
    by_count = sorted((held, word) for word, held in known.items() if held > 1)
    # In a million chunks of the same sentences no word is as rare: then the rarest.
    rare = sorted(word for number, (held, word) in enumerate(by_count) if held < 0.002 * chunks or number < RAREST)
    asked = [line.split("\t")[0] for name in ("prom", "nist") for line in sets(name)] or [
        f"how do I configure the {word}" for word in rare
    ]
    return {
        "rare": [" ".join(chance.sample(rare, 4)) for _ in range(n)],
        "question": [chance.choice(asked) for _ in range(n)],
        "frequent": [" ".join(chance.sample(frequent, 4)) for _ in range(n)],
    }


def sets(name: str) -> list[str]:
    path = DATA / "questions" / f"{name}.tsv"
    return path.read_text("utf-8").splitlines() if path.is_file() else []


def ask(app: App, query: str, file_filter: str | None = None) -> None:
    answer = app.toolbox.call("search_docs", {"query": query, "file_filter": file_filter}, Call())
    assert getattr(answer, "search_type", "") != "keyword", answer


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def took(call: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    return call(), time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
