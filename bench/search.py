"""What a search costs in a large index, stage by stage, beside the least that it must cost.

    python bench/search.py [--chunks 100000] [--queries 200] [--place FOLDER]

Pages of 20 sections, made of sentences of the shared documentation; FOLDER keeps them and their index.
The vectors are made up (clustered, of length 1): only their number counts here. The least is embedding
the query plus the float32 product of matrix and vector, both measured in the same run. `rare` asks four
words of few chunks, `question` is a question of the shared sets, `frequent` asks four words of 2 to 20 %
of all chunks.
"""

import argparse
import os
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
    # numpy reads it when it is imported: the floor must have one thread as the index has.
    os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"OPENBLAS_NUM_THREADS": "1"})  # noqa: S606 - ourselves

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from pincite.app import App
from pincite.index import retriever
from pincite.index.index import Index
from pincite.model.call import Call
from pincite.model.search import EVERYTHING
from pincite.ranking.query import word_query
from pincite.settings import load
from pincite.store.base import Snapshot
from startup import ROOT, Wire, cache_with_model, environment, pincite, prepared

DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
SECTIONS = 20
WORDS = 110
DIMENSIONS = 384
KINDS = {"rare": 1.5, "question": 1.5, "frequent": 2.5}
"""How many times the least a search may take at the median."""
LAST = 4.0
"""The same for the 99th percentile."""
OVER_STDIO_MS = 1.5

Queries = dict[str, list[str]]
Matrix = np.ndarray[Any, np.dtype[np.float32]]
T = TypeVar("T")


def main() -> int:
    """Print every stage; 1 if a target is missed."""
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
        fill(app)
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


def fill(app: App) -> None:
    """Index the words, and put a made-up vector to every chunk."""
    start = time.monotonic()
    app.toolbox.call("list_pages", {"prefix": "none"}, Call())
    store = app.index().store
    rng = np.random.default_rng(7)
    centres = rng.standard_normal((500, DIMENSIONS), np.float32)
    while rows := store.missing_vectors(5000):
        vectors = centres[rng.integers(500, size=len(rows))]
        vectors += 0.7 * rng.standard_normal(vectors.shape, np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        store.put_vectors({key: vectors[place] for place, (key, _) in enumerate(rows)})
    print(f"indexed in {time.monotonic() - start:.0f} s", flush=True)


def measure(app: App, folder: Path, env: dict[str, str], runs: int) -> bool:
    ask(app, "warm up")
    index = app.index()
    with index.store.snapshot() as snapshot:
        chunks = snapshot.count(EVERYTHING)
        queries = questions(snapshot, chunks, runs)
    app.index().embedder.ready(60)
    matrix = np.random.default_rng(3).standard_normal((chunks, DIMENSIONS), np.float32)
    print(f"{chunks:,} chunks, {runs} queries of each kind, ms\n")
    print(f"{'':18}{'least':>8}{'p50':>8}{'ratio':>8}{'p99':>8}{'ratio':>8}{'stdio':>8}{'+':>8}{'1 %':>8}")
    missed = False
    for kind, limit in KINDS.items():
        least, seen = beside_floor(app, matrix, queries[kind])
        few = statistics.median(timed(lambda q=query: ask(app, q, "part07/**")) for query in queries[kind])
        over, wired = over_stdio(app, folder, env, queries[kind])
        median, last = statistics.median(seen), statistics.quantiles(seen, n=100)[98]
        row = (least, median, median / least, last, last / least, wired, over, few)
        bad = median > limit * least or last > LAST * least or over > OVER_STDIO_MS / 1000 or few > 1.05 * median
        missed |= bad
        scale = (1000, 1000, 1, 1000, 1, 1000, 1000, 1000)
        print(f"{kind:18}" + "".join(f"{v * s:8.2f}" for v, s in zip(row, scale, strict=True)) + "  MISSED" * bad)
    print("\nstages, ms at the median (those of one line run side by side)")
    for kind in KINDS:
        stages(index, kind, queries[kind])
    return missed


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
    known = dict(zip(sorted(words), snapshot.holding(sorted(words)), strict=True))
    frequent = [word for word, held in known.items() if 0.02 * chunks < held < 0.2 * chunks]
    rare = [word for word, held in known.items() if 2 <= held < 0.002 * chunks]
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


def beside_floor(app: App, matrix: Matrix, queries: Sequence[str]) -> tuple[float, list[float]]:
    """Seconds at the median of embedding a query and one product with the whole matrix, and those of each search.

    In turns: the machine's speed drifts.
    """
    embedder = app.index().embedder.embedder
    least: list[float] = []
    seen: list[float] = []
    for query in queries:
        least.append(timed(lambda q=query: matrix @ embedder.embed_query(q)))
        seen.append(timed(lambda q=query: ask(app, q)))
    return statistics.median(least), seen


def stages(index: Index, kind: str, queries: Sequence[str]) -> None:
    embedder = index.embedder.embedder
    spent: dict[str, list[float]] = {}
    n = retriever.CANDIDATES
    for query in queries:
        with index.store.snapshot() as snapshot:
            wanted = word_query(query)
            vector, spent_on = took(lambda q=query: embedder.embed_query(q))
            spent.setdefault("embed", []).append(spent_on)
            near, spent_on = took(lambda s=snapshot, v=vector: s.nearest(v, EVERYTHING, n))
            spent.setdefault("scan", []).append(spent_on)
            words, spent_on = took(lambda s=snapshot, w=wanted: s.candidates(w, EVERYTHING, n))
            spent.setdefault("words", []).append(spent_on)
            ids = list({*words, *(s.chunk_id for s in near)})
            _, spent_on = took(lambda s=snapshot, w=wanted, i=ids: s.weigh(w, i))
            spent.setdefault("weigh", []).append(spent_on)
            _, spent_on = took(lambda s=snapshot, i=ids: s.chunks(i[:5]))
            spent.setdefault("fetch", []).append(spent_on)
    middle = {name: statistics.median(seen) * 1000 for name, seen in spent.items()}
    print(
        f"{kind:18}embed {middle['embed']:.2f} + scan {middle['scan']:.2f} | words {middle['words']:.2f}"
        f"   then weigh {middle['weigh']:.2f}, fetch {middle['fetch']:.2f}"
    )


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def took(call: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    return call(), time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
