"""`kill -9` of an ingestion, of a server and of ChromaDB's own server while the library is copied to its vector store.

At every moment a document that the copy names is whole, and afterwards both hold the same.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from pincite import settings
from pincite.app import App
from pincite.app.mirrors import build_mirror
from pincite.index.mirrors.mirroring import digests
from pincite.store.mirrors.base import MirrorFilter
from pincite.store.mirrors.records import decode
from pincite.text.embed_text import embed_hash
from support.chroma_server import ChromaServer
from support.ports import lasting_port
from support.waiting import pause
from support.wire import pincite

SEED = 21
SECONDS = 600.0
"""Limit of one run: after forty kills a whole copy may have to be written, on a machine that others use."""

SERVER = """
import time
from pincite import settings
from pincite.app import App
app = App(settings.load(), None, toolsets=["knowledge"])
library = app.library_collection()
library.start()
while True:
    with library.store.snapshot() as snapshot:
        library.mirrored.legs(snapshot)
    time.sleep(0.05)
"""
"""What a server does with its library, without a transport."""


@pytest.fixture(params=["qdrant", "chromadb"])
def variables(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    given = {"DATA_DIR": str(tmp_path / "data"), "EMBEDDING_PROVIDER": "hash", "PINCITE_MODEL_GRACE": "inf"}
    given |= {"VECTOR_STORE": request.param, "PINCITE_CACHE": str(tmp_path / "cache")}
    if request.param == "chromadb":
        pytest.importorskip("chromadb", reason="needs pincite[chromadb]: make chromadb")
        yield given | {"CHROMADB_PATH": str(tmp_path / "chroma")}
    else:
        pytest.importorskip("qdrant_client", reason="needs pincite[qdrant]")
        from support.qdrant_server import qdrant_server  # noqa: PLC0415 - needs the extra

        with qdrant_server() as server:
            yield given | {"QDRANT_URL": server.url}


def write(folder: Path, choice: random.Random) -> None:
    """Some documents, others than before."""
    folder.mkdir(exist_ok=True)
    for number in range(12):
        if choice.random() < 0.5:
            lines = (
                f"## {n} Part\n\nA key shall be rotated {choice.random()}.\n" for n in range(choice.randint(1, 30))
            )
            (folder / f"d{number}.md").write_text("# Keys\n\n" + "\n".join(lines), encoding="utf-8")
        elif choice.random() < 0.2:
            (folder / f"d{number}.md").unlink(missing_ok=True)


def check_whole(variables: dict[str, str]) -> Counter[str]:
    """Every document of the copy can be restored byte for byte; how many chunks each has."""
    loaded = settings.load({name: value for name, value in variables.items() if name != "PINCITE_CACHE"})
    with closing(App(loaded, None, toolsets=["knowledge"])) as app, closing(build_mirror(loaded, app.embedder)) as copy:
        return Counter({document.name: len(decode(document, embed_hash).chunks) for document in copy.read()})


def check_same(variables: dict[str, str]) -> None:
    loaded = settings.load({name: value for name, value in variables.items() if name != "PINCITE_CACHE"})
    with closing(App(loaded, None, toolsets=["knowledge"])) as app, closing(build_mirror(loaded, app.embedder)) as copy:
        with app.library_collection().store.snapshot() as snapshot:
            held = digests(snapshot)
        state = copy.state()
        assert state is not None and (state.is_complete, state.digest) == (True, held.total)
        assert copy.documents() == held.documents


def kill_repeatedly(variables: dict[str, str], folder: Path, kills: int) -> None:
    choice = random.Random(SEED)  # noqa: S311 - reproducible
    env = {**os.environ, **variables}
    ingest = pincite("ingest", str(folder), "--prune")
    write(folder, choice)
    start = time.monotonic()
    subprocess.run(ingest, env=env, check=True, capture_output=True, timeout=SECONDS)
    whole = time.monotonic() - start
    for kill in range(kills):
        write(folder, choice)
        command = ingest if kill % 3 else [sys.executable, "-c", SERVER]
        with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            pause(choice.uniform(0.3, 1.1) * whole, "the last part of it copies")
            process.kill()
        check_whole(variables)
    ended = subprocess.run([*ingest, "--json"], env=env, check=False, capture_output=True, timeout=SECONDS)
    of_killed_run = "Vectors that an earlier run had not computed are there now"
    warnings = [each for each in json.loads(ended.stdout)["warnings"] if not each.startswith(of_killed_run)]
    assert (ended.returncode, warnings) == (0, [])
    check_same(variables)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_few_kills_leave_no_half_document(variables: dict[str, str], tmp_path: Path) -> None:
    kill_repeatedly(variables, tmp_path / "standards", 3)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_forty_kills_leave_no_half_document(variables: dict[str, str], tmp_path: Path) -> None:
    kill_repeatedly(variables, tmp_path / "standards", 40)


def check_found(variables: dict[str, str]) -> None:
    """The copy's index finds each vector that the copy holds at its place."""
    loaded = settings.load({name: value for name, value in variables.items() if name != "PINCITE_CACHE"})
    with closing(App(loaded, None, toolsets=["knowledge"])) as app, closing(build_mirror(loaded, app.embedder)) as copy:
        for document in copy.read():
            of_document = MirrorFilter(documents=frozenset({document.name}))
            for chunk in document.chunks:
                if chunk.vector is not None:
                    hits = copy.nearest(chunk.vector, of_document, len(document.chunks))
                    score = {hit.ordinal: hit.score for hit in hits}[chunk.ordinal]
                    assert score == pytest.approx(1.0, abs=1e-3)


def kill_store_repeatedly(variables: dict[str, str], server: ChromaServer, folder: Path, kills: int) -> int:
    """Kill the vector store while ingestions copy to it; return how many of them ended with it down."""
    choice = random.Random(SEED)  # noqa: S311 - reproducible
    env = {**os.environ, **variables}
    ingest = [*pincite("ingest", str(folder), "--prune"), "--json"]
    write(folder, choice)
    start = time.monotonic()
    subprocess.run(ingest, env=env, check=True, capture_output=True, timeout=SECONDS)
    whole = time.monotonic() - start
    warned = 0
    for _ in range(kills):
        write(folder, choice)
        with subprocess.Popen(ingest, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            pause(choice.uniform(0.3, 1.1) * whole, "the last part of it copies")
            server.kill()
            answer, _ = process.communicate(timeout=SECONDS)
        report = json.loads(answer)
        assert (report["failed"], process.returncode) == ([], int(bool(report["warnings"])))  # the library has it all
        warned += process.returncode
        server.start()
        check_whole(variables)
    ended = subprocess.run(ingest, env=env, check=False, capture_output=True, timeout=SECONDS)
    assert (ended.returncode, json.loads(ended.stdout)["warnings"]) == (0, [])
    check_same(variables)
    check_found(variables)
    return warned


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ChromaServer]:
    pytest.importorskip("chromadb", reason="needs pincite[chromadb]: make chromadb")
    started = ChromaServer(tmp_path / "served", lasting_port())
    try:
        started.start()
        yield started
    finally:
        started.kill()


def of_server(server: ChromaServer, tmp_path: Path) -> dict[str, str]:
    given = {"DATA_DIR": str(tmp_path / "data"), "EMBEDDING_PROVIDER": "hash", "PINCITE_MODEL_GRACE": "inf"}
    return given | {
        "VECTOR_STORE": "chromadb",
        "PINCITE_CHROMADB_URL": server.url,
        "PINCITE_CACHE": str(tmp_path / "cache"),
    }


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_vector_store_killed_a_few_times_converges(server: ChromaServer, tmp_path: Path) -> None:
    kill_store_repeatedly(of_server(server, tmp_path), server, tmp_path / "standards", 3)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_vector_store_killed_forty_times_converges(server: ChromaServer, tmp_path: Path) -> None:
    warned = kill_store_repeatedly(of_server(server, tmp_path), server, tmp_path / "standards", 40)
    assert warned > 0  # some were killed while they were written to
