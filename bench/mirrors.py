"""The vector stores beside each other: latency of both legs, of 1 % filters, and agreement, in one run.

    python bench/mirrors.py [--chunks 100000] [--queries 100] [--stores sqlite,qdrant,chromadb]

Synthetic: clustered vectors of 384 numbers, words by Zipf, 200 chunks a document. Each store is asked as a search asks
it: for 200 candidates, as chunk ids. A filter is measured in the mirror alone, and "as served": where few chunks pass
it, the library searches them itself. Qdrant is its client's local mode, which compares every vector: no HNSW, no
payload index, no wire; PINCITE_QDRANT_URL names a real server instead.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as a server has it
import numpy as np
import numpy.typing as npt

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from pincite.index.mirrors.mirrored import NARROW_SHARE, MirrorLegs  # noqa: E402 - found by the line above
from pincite.index.mirrors.mirroring import catch_up  # noqa: E402 - as above
from pincite.index.retriever import CANDIDATES, Legs  # noqa: E402 - as above
from pincite.model.call import Call  # noqa: E402 - as above
from pincite.model.chunk import Chunk, ChunkKind, Tags, text_hash  # noqa: E402 - as above
from pincite.model.search import NO_FILTER, Clause, Filter, KeywordQuery, Scored  # noqa: E402 - as above
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument  # noqa: E402 - as above
from pincite.services.library.chunk_records import published_fields  # noqa: E402 - as above
from pincite.store.mirrors.base import Mirror  # noqa: E402 - as above
from pincite.store.sqlite.store import SqliteStore  # noqa: E402 - as above

DIMENSIONS, PER_DOCUMENT, CLUSTERS = 384, 200, 500
TYPES = ("requirement", "guidance", "overview")
RARE_TYPE, RARE_CLAUSE = "definition", "77"
WORDS = np.array([f"word{n}" for n in range(20_000)])
_RANKS = 1 / np.arange(1, len(WORDS) + 1)
PROBABILITIES = _RANKS / _RANKS.sum()

Vectors = npt.NDArray[np.float32]


def vectors(random: np.random.Generator, count: int, centres: Vectors) -> Vectors:
    drawn = centres[random.integers(0, len(centres), count)] + random.normal(0, 0.05, (count, DIMENSIONS))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


def document(random: np.random.Generator, number: int) -> NewDocument:
    drawn = random.choice(WORDS, (PER_DOCUMENT, 60), p=PROBABILITIES)
    chunks: list[Chunk] = []
    start = 0
    for n in range(PER_DOCUMENT):
        rare = n % 100 == 7
        tags = Tags(
            RARE_TYPE if rare else TYPES[n % 3],
            normative=rare,
            clause=f"{RARE_CLAUSE}.{n}" if rare else f"{n % 60}.{n}",
        )
        text = " ".join(drawn[n]) + "\n"
        chunks.append(
            Chunk(n, f"h{n}-c1", ChunkKind.TEXT, (f"S{n}",), 1, 1, 1, start, start + len(text), text, "", tags=tags)
        )
        start += len(text)
    row = DocumentRow(f"d{number:05}", None, UNTRUSTED, 1, f"f{number}", "r")
    hashes = [text_hash(f"{number}-{n}") for n in range(PER_DOCUMENT)]
    return NewDocument(row, "".join(chunk.text for chunk in chunks), chunks, hashes)


def fill(store: SqliteStore, random: np.random.Generator, chunks: int, centres: Vectors) -> None:
    for number in range(chunks // PER_DOCUMENT):
        new = document(random, number)
        store.replace([new], is_current=lambda row: bool(row.name))
        store.put_vectors(dict(zip(new.embed_hashes, vectors(random, PER_DOCUMENT, centres), strict=True)))


def filters(documents: int) -> dict[str, Filter]:
    return {
        "no filter": NO_FILTER,
        "1 % by document": Filter(documents=frozenset(range(1, max(documents // 100, 1) + 1))),
        "1 % by chunk_type": Filter(chunk_types=frozenset({RARE_TYPE})),
        "1 % normative": Filter(normative=True),
        "1 % by clause": Filter(clauses=(Clause(RARE_CLAUSE),)),
    }


def percentiles(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{statistics.median(ordered) * 1000:9.2f} {ordered[int(0.99 * (len(ordered) - 1))] * 1000:9.2f}"


def timed(work: Callable[[], list[Scored]]) -> tuple[float, list[Scored]]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def mirrors(names: list[str], folder: Path, stack: ExitStack) -> Iterator[tuple[str, Mirror]]:
    identity: dict[str, Any] = {"model": "bench", "dimensions": DIMENSIONS}
    if "chromadb" in names:
        from pincite.store.mirrors.chroma import build as chroma  # noqa: PLC0415 - an extra

        yield "chromadb", stack.enter_context(closing(chroma(path=folder / "chroma", url=None, **identity)))
    if "qdrant" in names:
        from qdrant_client import QdrantClient, models  # noqa: PLC0415 - an extra

        from pincite.store.mirrors.qdrant import DENSE, SPARSE, QdrantMirror, build  # noqa: PLC0415 - as above

        if url := os.environ.get("PINCITE_QDRANT_URL"):
            server = build(url=url, key=None, collection=f"bench-{os.getpid()}", has_keywords=True, **identity)
            yield "qdrant (server)", stack.enter_context(closing(server))
        else:
            local = QdrantClient(":memory:", force_disable_check_same_thread=True)
            local.create_collection(
                "bench",
                vectors_config={DENSE: models.VectorParams(size=DIMENSIONS, distance=models.Distance.COSINE)},
                sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            )
            yield "qdrant (local)", QdrantMirror(lambda _: local, "bench", **identity)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--stores", default="sqlite,qdrant,chromadb")
    given = parser.parse_args()
    random = np.random.default_rng(21)
    centres = random.normal(0, 1, (CLUSTERS, DIMENSIONS)).astype(np.float32)
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        store = stack.enter_context(closing(SqliteStore(folder / "x.db", embedder="bench", source="/")))
        start = time.perf_counter()
        fill(store, random, given.chunks, centres)
        print(f"sqlite: {given.chunks / (time.perf_counter() - start):.0f} chunks/s written", flush=True)
        asked = vectors(random, given.queries, centres)
        words = [
            KeywordQuery(tuple(random.choice(WORDS[50:5000], 4, replace=False).tolist())) for _ in range(given.queries)
        ]
        measure(store, "sqlite", None, asked, words)
        for title, mirror in mirrors(given.stores.split(","), folder, stack):
            start = time.perf_counter()
            catch_up(store, mirror, partial(published_fields, model="bench"), Call())
            print(f"{title}: {given.chunks / (time.perf_counter() - start):.0f} chunks/s copied", flush=True)
            measure(store, title, mirror, asked, words)
            measure(store, f"{title}, as served", mirror, asked, words, narrow_share=NARROW_SHARE)


def measure(
    store: SqliteStore,
    title: str,
    mirror: Mirror | None,
    asked: Vectors,
    words: list[KeywordQuery],
    narrow_share: float = -1,
) -> None:
    with store.snapshot() as snapshot:
        legs: Legs = snapshot if mirror is None else MirrorLegs(snapshot, mirror, narrow_share)
        documents = snapshot.statistics().documents
        for name, where in filters(documents).items():
            legs.nearest(asked[0], where, CANDIDATES)  # the first one loads
            times, overlap, fewest = list[float](), list[float](), CANDIDATES
            for vector in asked:
                seconds, hits = timed(partial(legs.nearest, vector, where, CANDIDATES))
                times.append(seconds)
                fewest = min(fewest, len(hits))
                if mirror is not None:
                    true = {hit.chunk_id for hit in snapshot.nearest(vector, where, 10)}
                    overlap.append(len(true & {hit.chunk_id for hit in hits[:10]}) / max(len(true), 1))
            agrees = f"{statistics.mean(overlap):.3f}" if overlap else "  -  "
            print(
                f"{title:25} nearest  {name:18} p50, p99 ms {percentiles(times)}  overlap@10 {agrees}  >= {fewest} hits"
            )
        times, overlap = list[float](), list[float]()
        for query in words:
            seconds, hits = timed(partial(legs.keywords, query, NO_FILTER, CANDIDATES))
            times.append(seconds)
            true = {hit.chunk_id for hit in snapshot.keywords(query, NO_FILTER, 10)}
            overlap.append(len(true & {hit.chunk_id for hit in hits[:10]}) / max(len(true), 1))
        agrees = f"{statistics.mean(overlap):.3f}"
        print(f"{title:25} keywords {'no filter':18} p50, p99 ms {percentiles(times)}  overlap@10 {agrees}", flush=True)


if __name__ == "__main__":
    main()
