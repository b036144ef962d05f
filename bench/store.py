"""Speed of the SQLite store beside the bare NumPy product, on synthetic data; ratios of one run count.

    python bench/store.py [--chunks 100000] [--queries 50] [--keep FILE]

Data as in the study of index engines: 384 dimensions, clustered, length 1; about 175 words a chunk from a
Zipf vocabulary; 20 chunks a document, and one document of 4,000. `kw` asks 4 rare words, `mid` 4 words of 1.5-15 %
of the chunks, `nl` 4 rare and 4 of the most frequent ones.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.search import NO_FILTER, Filter, KeywordQuery
from pincite.model.store import DocumentRow, NewDocument
from pincite.store.sqlite.store import SqliteStore

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.stores import written

DIMENSIONS = 384
WORDS = 175
PER_DOCUMENT = 20
VOCABULARY = 50_000
BATCH = 50
LONG_SECTIONS = 4_000

Vectors = npt.NDArray[np.float32]


def main() -> None:
    options = arguments()
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        # numpy reads it when it is imported: the floor must have one thread as the store has.
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"OPENBLAS_NUM_THREADS": "1"})  # noqa: S606 - ourselves
    if options.states:
        states_once(options.states)
        return
    rng = np.random.default_rng(7)
    vectors = clustered(options.chunks, rng)
    if options.fill:
        fill(options.fill, vectors, rng)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = options.keep or Path(folder) / "index.db"
        if not path.exists():
            # In a process of its own: after it everything here would take longer, the load twice as long.
            command = [sys.executable, __file__, "--chunks", str(options.chunks), "--fill", str(path)]
            subprocess.run(command, check=True)
        measure(path, vectors, options.queries, rng)
        start_up(Path(folder))
        long_text(Path(folder), rng)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--keep", type=Path, help="use this file again, or keep it")
    parser.add_argument("--fill", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--states", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def clustered(n: int, rng: np.random.Generator) -> Vectors:
    centres = rng.standard_normal((max(n // 200, 1), DIMENSIONS), np.float32)
    vectors = centres[rng.integers(len(centres), size=n)] + 0.7 * rng.standard_normal((n, DIMENSIONS), np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def text(rng: np.random.Generator) -> str:
    return " ".join(f"w{word}" for word in np.minimum(rng.zipf(1.2, WORDS), VOCABULARY))


def documents(chunks: int, rng: np.random.Generator) -> Iterator[NewDocument]:
    for start in range(0, chunks, PER_DOCUMENT):
        number = start // PER_DOCUMENT
        count = min(PER_DOCUMENT, chunks - start)
        yield written(document(number, "0"), [chunk(number, ordinal, text(rng)) for ordinal in range(count)])


def document(number: int, revision: str) -> DocumentRow:
    name = f"part{number % 100:02}/page{number:06}.md"
    return DocumentRow(name, None, (1, number, 2, 3), number, f"{revision}-{number}", revision * 8)


def chunk(number: int, ordinal: int, body: str) -> Chunk:
    path = (f"Page {number}",) if ordinal == 0 else (f"Page {number}", f"Part {ordinal}")
    head = " > ".join(path)
    return Chunk(ordinal, f"h{ordinal}-c1", ChunkKind.TEXT, path, len(path), 1, 1, 0, len(body), body, head, 0, WORDS)


def yes(row: DocumentRow) -> bool:
    return bool(row.name)


def fill(path: Path, vectors: Vectors, rng: np.random.Generator) -> None:
    made = list(documents(len(vectors), rng))
    store = opened(path)
    began = time.perf_counter()
    position = 0
    for start in range(0, len(made), BATCH):
        batch = made[start : start + BATCH]
        store.replace(batch, is_current=yes)
        hashes = [embed_hash for each in batch for embed_hash in each.embed_hashes]
        store.put_vectors(dict(zip(hashes, vectors[position : position + len(hashes)], strict=True)))
        position += len(hashes)
    seconds = time.perf_counter() - began
    show("add, chunks a second", f"{len(vectors) / seconds:,.0f}", f"{store.size() / 1e6:,.0f} MB on disk")
    store.close()


def measure(path: Path, vectors: Vectors, queries: int, rng: np.random.Generator) -> None:
    store = opened(path)
    asked = vectors[rng.integers(len(vectors), size=queries)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    nearest(store, asked[0], NO_FILTER)
    load = time.perf_counter() - began
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    show("matrix load", f"{load:.2f} s", f"{grown:,.0f} MiB more at the peak")
    floor = p50(lambda i: vectors @ asked[i], queries)
    show("floor: matrix-vector product", ms(floor), "1.00 x")
    where = Filter(one_percent(store))
    ratio("nearest", p50(lambda i: nearest(store, asked[i], NO_FILTER), queries), floor)
    ratio("nearest, 1 % filter", p50(lambda i: nearest(store, asked[i], where), queries), floor)
    for kind in ("kw", "mid", "nl"):
        words = [question(kind, rng) for _ in range(queries)]
        ratio(f"words {kind}", p50(lambda i, w=words: search(store, w[i], NO_FILTER), queries), floor)
        ratio(f"words {kind}, again", p50(lambda i, w=words: search(store, w[i], NO_FILTER), queries), floor)
        ratio(f"words {kind}, 1 % filter", p50(lambda i, w=words: search(store, w[i], where), queries), floor)
    half = Filter(frozenset(range(1, len(vectors) // PER_DOCUMENT // 2)))
    ratio("words mid, 50 % filter", p50(lambda _: search(store, question("mid", rng), half), queries), floor)
    ratio("update 20 chunks", p50(lambda i: update(store, i, vectors, rng), min(queries, 30)), floor)
    ratio("update and see it", p50(lambda i: update_and_ask(store, i, vectors, rng), min(queries, 30)), floor)
    show("generation", f"{p50(lambda _: store.generation(), 1000) * 1e6:.1f} us")
    for name in ("statistics", "documents", "headings", "count"):
        show(
            name, ms(p50(lambda _, n=name: read(store, n), 5)), ms(first(store, name, vectors, rng)) + " after a change"
        )
    store.close()


def opened(path: Path) -> SqliteStore:
    return SqliteStore(path, embedder="bench", source="/bench")


def nearest(store: SqliteStore, vector: Vectors, where: Filter) -> None:
    with store.snapshot() as snapshot:
        snapshot.nearest(vector, where, 10)


def search(store: SqliteStore, query: KeywordQuery, where: Filter) -> None:
    with store.snapshot() as snapshot:
        snapshot.keywords(query, where, 50)


def read(store: SqliteStore, name: str) -> None:
    calls: dict[str, tuple[object, ...]] = {"headings": (2,), "count": (NO_FILTER,)}
    with store.snapshot() as snapshot:
        getattr(snapshot, name)(*calls.get(name, ()))


def first(store: SqliteStore, name: str, vectors: Vectors, rng: np.random.Generator) -> float:
    update(store, 99, vectors, rng)
    return p50(lambda _: read(store, name), 1)


def update(store: SqliteStore, number: int, vectors: Vectors, rng: np.random.Generator) -> None:
    pieces = [chunk(number, ordinal, text(rng)) for ordinal in range(PER_DOCUMENT)]
    stamp = f"{rng.integers(1 << 30):08x}"
    new = written(DocumentRow(document(number, "0").name, None, (1, 1, 1, 1), 1, stamp, stamp), pieces)
    began = time.perf_counter()
    store.replace([new], is_current=yes)
    store.put_vectors(dict(zip(new.embed_hashes, vectors[:PER_DOCUMENT], strict=True)))
    SPENT.append(time.perf_counter() - began)


def update_and_ask(store: SqliteStore, number: int, vectors: Vectors, rng: np.random.Generator) -> None:
    update(store, number, vectors, rng)
    began = time.perf_counter()
    nearest(store, vectors[0], NO_FILTER)
    SPENT[-1] += time.perf_counter() - began


def question(kind: str, rng: np.random.Generator) -> KeywordQuery:
    rare = [f"w{word}" for word in rng.integers(2_000, 20_000, size=4)]
    if kind == "kw":
        return KeywordQuery(tuple(rare))
    if kind == "mid":
        return KeywordQuery(tuple(f"w{word}" for word in rng.integers(60, 400, size=4)))
    return KeywordQuery((*rare, *(f"w{word}" for word in rng.integers(1, 10, size=4))))


def one_percent(store: SqliteStore) -> frozenset[int]:
    with store.snapshot() as snapshot:
        return frozenset(row.id for row in snapshot.documents() if row.name.startswith("part07/"))


def start_up(folder: Path) -> None:
    path = folder / "states.db"
    store = opened(path)
    store.replace([NewDocument(document(number, "0")) for number in range(7_425)], is_current=yes)
    store.close()
    command = [sys.executable, __file__, "--states", str(path)]
    show("states() of 7,425", subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())


def long_text(folder: Path, rng: np.random.Generator) -> None:
    """What a part of a document of 3 MB costs."""
    store = opened(folder / "long.db")
    pieces = [chunk(0, ordinal, text(rng)) for ordinal in range(LONG_SECTIONS)]
    new = written(document(0, "0"), pieces)
    store.replace([new], is_current=yes)
    middle, at = pieces[LONG_SECTIONS // 2], len(new.text) // 2
    with store.snapshot() as snapshot:
        (stored,) = snapshot.documents()
        hits = [each.id for each in snapshot.document_chunks(stored.id)[:: LONG_SECTIONS // 10]][:10]
        section = p50(lambda _: snapshot.section_chunks(stored.id, middle.breadcrumb), 200)
        ten = p50(lambda _: snapshot.chunks(hits), 200)
        locator = p50(lambda _: snapshot.located_chunks(stored.id, middle.locator), 200)
        offset = p50(lambda _: snapshot.overlapping_chunks(stored.id, at, at + 1), 200)
        parts = {"section": section, "ten hits": ten, "locator": locator, "offset": offset}
        shown = ", ".join(f"{name} {ms(seconds)}" for name, seconds in parts.items())
        show(f"text of {len(new.text) / 1e6:.1f} MB", shown)
    store.close()


def states_once(path: Path) -> None:
    began = time.perf_counter()
    store = opened(path)
    ready = time.perf_counter()
    _, states = store.states()
    done = time.perf_counter()
    again = p50(lambda _: store.states(), 20)
    assert len(states) == 7_425
    print(f"{ms(done - ready)} first, {ms(again)} again; open {ms(ready - began)}")


SPENT: list[float] = []


def p50(call: Callable[[int], object], times: int) -> float:
    """The median in seconds; a call that keeps time itself appends to SPENT."""
    found: list[float] = []
    for i in range(times):
        SPENT.clear()
        began = time.perf_counter()
        call(i)
        found.append(SPENT[0] if SPENT else time.perf_counter() - began)
    return statistics.median(found)


def ratio(name: str, seconds: float, floor: float) -> None:
    show(name, ms(seconds), f"{seconds / floor:.2f} x")


def ms(seconds: float) -> str:
    return f"{seconds * 1e3:.2f} ms"


def show(*columns: str) -> None:
    print(f"{columns[0]:32}{columns[1]:>12}   {'  '.join(columns[2:])}", flush=True)


if __name__ == "__main__":
    main()
