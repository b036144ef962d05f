"""Every variable of the published configuration has an effect that can be seen.

Reading a variable is no effect: an answer differs, a request is refused, a file is made.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import numpy.typing as npt
import psycopg
import pytest

from pincite import settings
from pincite.app import App, build_embedder
from pincite.app.readers import build_reader_pool
from pincite.embedding.hashing import HashEmbedder
from pincite.errors import ConnectionFailed, DownloadFailed, PinciteError, ReadingFailed, TimeoutExceeded, Unsupported
from pincite.formats.base import Blob
from pincite.formats.detect.sniff import Sniffed
from pincite.model.call import Call
from pincite.model.task import Task, TaskStatus
from pincite.services.access_keys import digest
from pincite.services.library.ingestion import plan, single_file
from pincite.services.tasks.service import TaskService
from pincite.services.tasks.sqlite import SqliteTasks
from pincite.store.postgres import connections, copy_keeper, store
from support.agents import bench
from support.embedding_service import embedding_service
from support.faulty_server import Asked, answer, faulty_server
from support.http_stub import answering
from support.http_wire import HttpServer, serving
from support.readers_that_fail import ROWS
from support.scripted_converter import converting
from support.scripted_model import Said, ScriptedModel, Silent, Text, following
from support.waiting import wait_for
from support.wire import pincite

pytestmark = pytest.mark.slow

ORIGIN = "https://page.example"
HOST_NAME = "docs.example"
KEY = "a-key-of-this-test"
SEARCH = "/api/tools/search_docs"
SECONDS = 60.0


def known() -> set[str]:
    """The variables of all settings."""
    return {
        settings.variable(section, field) for section in settings.SECTIONS.values() for field in section.model_fields
    }


def environment(tmp_path: Path, **variables: str) -> dict[str, str]:
    """None of this machine's own settings, and no model."""
    kept = {name: value for name, value in os.environ.items() if name not in known()}
    return {**kept, "PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash", **variables}


def only_known(variables: Mapping[str, str]) -> dict[str, str]:
    """Those of these variables that are settings."""
    return {name: value for name, value in variables.items() if name in known()}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for name in ("a", "b"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nA zebra.\n" + "Grass.\n" * 500, encoding="utf-8")
    (folder / "c.csv").write_text("animal,food\nzebra,grass\n", encoding="utf-8")
    return folder


# Over HTTP


Servers = Mapping[str, HttpServer]


@pytest.fixture(scope="module")
def servers(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """A server that is limited, one that is also behind a proxy under a name, and one with a key."""
    limited = {"MCP_RATE_LIMIT_RPM": "1"}
    proxied = {"PINCITE_TRUSTED_PROXIES": "127.0.0.1", "PINCITE_ALLOWED_HOSTS": HOST_NAME, "CORS_ORIGINS": ORIGIN}
    with contextlib.ExitStack() as stack:
        yield {
            name: stack.enter_context(HttpServer(serving(documents), environment(tmp_path_factory.mktemp(name), **own)))
            for name, own in {
                "limited": limited,
                "proxied": {**limited, **proxied},
                "keyed": {"MCP_API_KEY": KEY},
            }.items()
        }


def statuses(server: HttpServer, *senders: str, **headers: str) -> list[int]:
    """The status of a search for each of these callers, as a proxy names them."""
    with server.client(**headers) as client:
        return [
            client.post(SEARCH, json={"query": "zebra"}, headers={"X-Forwarded-For": sender}).status_code
            for sender in senders
        ]


def test_mcp_api_key(servers: Servers) -> None:
    with servers["keyed"].client() as client:
        assert client.get("/").status_code == 401
        assert client.get("/", headers={"x-api-key": KEY}).status_code == 200
    with servers["limited"].client() as client:
        assert client.get("/").status_code == 200


def test_pincite_keys(documents: Path, tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(f"alice sha256:{digest(KEY)} 1 {documents.name}\n", encoding="utf-8")
    own = environment(tmp_path, PINCITE_KEYS=str(tmp_path / "keys"))
    with HttpServer(serving(documents), own) as server:
        assert statuses(server, "192.0.2.1") == [401]
        assert statuses(server, "192.0.2.1", "192.0.2.2", **{"x-api-key": KEY}) == [200, 429]


def test_mcp_rate_limit_rpm(servers: Servers) -> None:
    assert statuses(servers["limited"], "192.0.2.1", "192.0.2.1")[1] == 429
    assert statuses(servers["keyed"], "192.0.2.1", "192.0.2.1", **{"x-api-key": KEY}) == [200, 200]


def test_pincite_trusted_proxies(servers: Servers) -> None:
    assert statuses(servers["proxied"], "192.0.2.2", "192.0.2.2", "192.0.2.3") == [200, 429, 200]
    assert statuses(servers["limited"], "192.0.2.2", "192.0.2.3")[1] == 429


def test_pincite_allowed_hosts(servers: Servers) -> None:
    for name, status in {"proxied": 200, "limited": 421}.items():
        with servers[name].client() as client:
            assert client.get("/health", headers={"Host": HOST_NAME}).status_code == status


def test_cors_origins(servers: Servers) -> None:
    for name, allowed in {"proxied": ORIGIN, "limited": None}.items():
        with servers[name].client() as client:
            answer = client.get("/", headers={"Origin": ORIGIN})
            assert answer.headers.get("access-control-allow-origin") == allowed


# Of a server that does not begin


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody else has."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def refused(documents: Path, tmp_path: Path, code: int = 2, **variables: str) -> str:
    """What a server says that cannot begin; it warns of a setting that there is not."""
    env = environment(tmp_path, PINCITE_NO_SUCH="1", **variables)
    command = pincite("serve", str(documents), "--transport", "http")
    ended = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    assert ended.returncode == code
    return ended.stderr


def test_port(documents: Path, tmp_path: Path, taken: int) -> None:
    assert f"Cannot listen on 127.0.0.1, port {taken}" in refused(documents, tmp_path, PORT=str(taken))


def test_host(documents: Path, tmp_path: Path, taken: int) -> None:
    everywhere = "0.0.0.0"  # noqa: S104 - it is refused
    said = refused(documents, tmp_path, 3, PORT=str(taken), HOST=everywhere)
    assert f"{everywhere} can be reached from other machines" in said


def test_log_format(documents: Path, tmp_path: Path, taken: int) -> None:
    first, *_ = refused(documents, tmp_path, PORT=str(taken)).splitlines()
    assert json.loads(first)["msg"] == "setting.ignored"
    first, *_ = refused(documents, tmp_path, PORT=str(taken), LOG_FORMAT="text").splitlines()
    assert "setting.ignored" in first and not first.startswith("{")


def test_log_level(documents: Path, tmp_path: Path, taken: int) -> None:
    assert "setting.ignored" in refused(documents, tmp_path, PORT=str(taken))
    assert "setting.ignored" not in refused(documents, tmp_path, PORT=str(taken), LOG_LEVEL="ERROR")


# In the answers of the tools


@pytest.fixture
def ask(documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The answer of a tool under these variables, each time from a new index."""

    def call(tool: str, arguments: Mapping[str, Any] | None = None, **variables: str) -> Any:
        with monkeypatch.context() as patch:
            for name in set(os.environ) - set(environment(tmp_path)):
                patch.delenv(name)
            cache = tmp_path / f"cache-{len(list(tmp_path.iterdir()))}"
            for name, value in {**environment(tmp_path), "PINCITE_CACHE": str(cache), **variables}.items():
                patch.setenv(name, value)
            with closing(App(settings.load(), documents)) as app:
                return app.toolbox.call(tool, arguments or {}, Call()).model_dump(mode="json")

    return call


def pages(answer: Any) -> set[str]:
    return {page["file_path"] for page in answer["pages"]}


def test_pincite_max_file(ask: Callable[..., Any]) -> None:
    assert pages(ask("list_pages", PINCITE_FRESH_BUDGET="inf")) == {"a.md", "b.md", "c.csv"}
    assert pages(ask("list_pages", PINCITE_FRESH_BUDGET="inf", PINCITE_MAX_FILE="0.001/1")) == {"c.csv"}


def test_pincite_max_files(ask: Callable[..., Any]) -> None:
    assert pages(ask("list_pages", PINCITE_FRESH_BUDGET="inf", PINCITE_MAX_FILES="1")) == {"a.md"}


def test_pincite_fresh_budget(ask: Callable[..., Any]) -> None:
    assert ask("list_pages", PINCITE_FRESH_BUDGET="0")["index"]["pending"] > 0
    assert ask("list_pages", PINCITE_FRESH_BUDGET="inf")["index"]["pending"] == 0


@pytest.mark.parametrize(
    ("timeout", "factor", "is_read"), [("1", "10", True), ("1", "1.2", False), ("0.1", "1000", False)]
)
def test_pincite_reader_timeout_and_pincite_reader_wall_factor(
    tmp_path: Path, timeout: str, factor: str, *, is_read: bool
) -> None:
    values = {"PINCITE_READER_TIMEOUT": timeout, "PINCITE_READER_WALL_FACTOR": factor, "PINCITE_CACHE": tmp_path}
    outcome = contextlib.nullcontext() if is_read else pytest.raises(ReadingFailed, match="PINCITE_READER_TIMEOUT")
    zeros = {"PINCITE_READER_TIMEOUT_PER_MB": "0", "PINCITE_READER_TIMEOUT_PER_PAGE": "0"}
    with closing(build_reader_pool(settings.load({**values, **zeros}))) as pool, outcome:
        # It works for 0.3 s and sleeps for 2.7, as if the machine were loaded.
        pool.read(Sniffed(ROWS["starved"]), Blob("a.starved", b"x"), Call())


def test_data_dir(tmp_path: Path) -> None:
    values = {"DATA_DIR": tmp_path / "kept", "PINCITE_CACHE": tmp_path / "cache", "EMBEDDING_PROVIDER": "hash"}
    with closing(App(settings.load(values), None, toolsets=["citations"])) as app:
        app.cached.of(Blob("a.md", b"# A\n"), Call(), "sections")
    assert len(list((tmp_path / "kept" / "cache").glob("*.db"))) == 1


def test_embedding_provider(ask: Callable[..., Any]) -> None:
    local = {"EMBEDDING_PROVIDER": "local", "PINCITE_FETCH_MODEL": "false"}
    assert ask("get_status")["embedding"]["model"] != ask("get_status", **local)["embedding"]["model"]


# By the model


@contextlib.contextmanager
def package_index(*, hangs: bool) -> Generator[tuple[dict[str, str], list[int]]]:
    """The variables of a package index that answers nothing, and a number for each request that came.

    Args:
        hangs: Keep every request waiting, else close its connection.
    """
    requests: list[int] = []
    held: list[socket.socket] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def take() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                requests.append(len(requests))
                if hangs:
                    held.append(connection)
                else:
                    connection.close()

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/simple"
    try:
        yield {"EMBEDDING_PROVIDER": "local", "PIP_INDEX_URL": url, "UV_INDEX_URL": url}, requests
    finally:
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()
        for connection in held:
            connection.close()


ZEBRA = {"query": "zebra"}


def test_pincite_model_grace_and_mcp_request_timeout(ask: Callable[..., Any]) -> None:
    with package_index(hangs=True) as (fetching, _):
        whole = ask("search_docs", ZEBRA, PINCITE_MODEL_GRACE="0", **fetching)
        assert whole["search_type"] == "keyword" and not whole.get("partial")
        try:  # the model never comes: only the timeout ends the wait for it
            cut = ask("search_docs", ZEBRA, PINCITE_MODEL_GRACE="inf", MCP_REQUEST_TIMEOUT="1", **fetching)["partial"]
        except TimeoutExceeded:  # on a busy machine, before there was anything to answer
            cut = True
        assert cut


def test_pincite_fetch_model(ask: Callable[..., Any]) -> None:
    with package_index(hangs=False) as (fetching, requests):
        ask("search_docs", ZEBRA, PINCITE_FETCH_MODEL="false", PINCITE_MODEL_GRACE="inf", **fetching)
        assert requests == []
        ask("search_docs", ZEBRA, PINCITE_MODEL_GRACE="inf", **fetching)
        assert requests


def test_pincite_model_dir_and_embedding_precision(model_cache: Path, tmp_path: Path) -> None:
    with package_index(hangs=False) as (fetching, requests):
        for precision in ("int8", "fp32"):
            own = {**fetching, "PINCITE_MODEL_DIR": str(model_cache), "EMBEDDING_PRECISION": precision}
            env = environment(tmp_path, **own)
            subprocess.run(pincite("models", "fetch"), env=env, capture_output=True, timeout=SECONDS, check=True)
            built = [file.name for file in (tmp_path / "cache" / "models").glob("*.onnx")]
            assert precision in "".join(built)
    assert len(built) == 2
    assert requests == []


@pytest.mark.parametrize("variable", ["EMBEDDING_MODEL", "EMBEDDING_DIMENSIONS"])
def test_embedding_model_and_embedding_dimensions(documents: Path, tmp_path: Path, variable: str) -> None:
    env = environment(tmp_path, **{variable: "100"})
    command = pincite("status", "--docs", str(documents))
    ended = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    assert ended.returncode == 3 and f"- {variable}: " in ended.stderr


# By the models of retrieval


def test_embedding_model_accurate_and_rerank_model(documents: Path) -> None:
    names = {"EMBEDDING_MODEL_ACCURATE": "nobody/has-this", "RERANK_MODEL": "nor-this"}
    with closing(App(settings.load({**names, "EMBEDDING_PROVIDER": "hash"}), documents)) as app:
        app.retrieval_models.embedder_for([], Call())
        assert [note.split()[0] for note in app.retrieval_models.status(Call()).notes] == list(names.values())


def test_huggingface_token(tmp_path: Path) -> None:
    pytest.importorskip("fastembed")
    code = """
from pincite import settings
from pincite.app import build_embedder
from pincite.model.call import Call

build_embedder(settings.load(), "fastembed").load(Call())
"""
    asked: list[Asked] = []
    arrived = threading.Event()

    def refuse(request: Asked, connection: socket.socket) -> None:
        asked.append(request)
        connection.sendall(answer(status=401))
        arrived.set()

    with faulty_server(refuse) as hub:
        own = {"HUGGINGFACE_TOKEN": KEY, "HF_ENDPOINT": hub.url(""), "HF_HOME": str(tmp_path)}
        env = environment(tmp_path, **own) | {"HF_HUB_OFFLINE": "0"}
        with subprocess.Popen([sys.executable, "-c", code], env=env, stderr=subprocess.DEVNULL) as loading:
            assert arrived.wait(SECONDS)
            loading.kill()
    assert asked[0].headers["authorization"] == f"Bearer {KEY}"


def test_openai_api_key_and_openai_base_url_and_embedding_batch_size(tmp_path: Path) -> None:
    pytest.importorskip("openai", reason="needs the extra openai")
    with embedding_service() as service:
        own = {"EMBEDDING_PROVIDER": "openai", "OPENAI_BASE_URL": service.url, "OPENAI_API_KEY": KEY}
        given = {**own, "EMBEDDING_BATCH_SIZE": "2", "PINCITE_CACHE": str(tmp_path)}
        build_embedder(settings.load(given), "openai").embed(["a", "b", "c"], Call())
    assert service.batches == [2, 1]
    assert set(service.keys) == {f"Bearer {KEY}"}


# Of downloads


@pytest.mark.parametrize("allowed", [True, False])
def test_download_allow_private(documents: Path, *, allowed: bool) -> None:
    with (
        answering({"/a.md": (200, "# A", "")}) as port,
        closing(App(settings.load({"DOWNLOAD_ALLOW_PRIVATE": allowed}), documents)) as app,
        contextlib.nullcontext() if allowed else pytest.raises(DownloadFailed, match="public address"),
    ):
        assert app.downloads.fetch(f"http://127.0.0.1:{port}/a.md", Call()).blob.data == b"# A"


# In what extraction reads


@pytest.fixture
def built(tmp_path: Path) -> Callable[..., str]:
    """The error of indexing a file of 2 MB for extraction under these variables; empty if there is none."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.md").write_text("# A\n\n" + "Zebras. " * 250_000)

    def build(**variables: str) -> str:
        env = environment(tmp_path, DATA_DIR=str(tmp_path / "data"), **{"MAX_UPLOAD_SIZE": "3", **variables})
        with pytest.MonkeyPatch.context() as patch:
            for name, value in env.items():
                patch.setenv(name, value)
            with closing(App(settings.load(), None, toolsets=["extraction"])) as app:
                try:
                    app.toolbox.call("doc_index_build", {"file_path": str(tmp_path / "own" / "a.md")}, Call())
                except PinciteError as error:
                    return error.message
        return ""

    return build


def test_allowed_roots_and_max_upload_size(built: Callable[..., str], tmp_path: Path) -> None:
    allowed = {"ALLOWED_ROOTS": str(tmp_path / "own")}
    assert built(**allowed) == ""
    assert "(ALLOWED_ROOTS)" in built()
    assert "1 MB (MAX_UPLOAD_SIZE)" in built(**allowed, MAX_UPLOAD_SIZE="1")


def test_pincite_uploads(tmp_path: Path) -> None:
    made: list[bool] = []
    for value in ("false", "true"):
        with closing(
            App(settings.load({"DATA_DIR": tmp_path, "PINCITE_UPLOADS": value}), None, toolsets=["knowledge"])
        ) as app:
            made.append(app.viewer.uploads is not None)
    assert made == [False, True]


def test_pincite_store_url(documents: Path, tmp_path: Path) -> None:
    env = environment(tmp_path, PINCITE_STORE_URL="secret-of-mine")
    command = pincite("status", "--docs", str(documents))
    ended = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    assert ended.returncode == 3 and "PostgreSQL" in ended.stderr
    assert "secret" not in ended.stderr


def in_postgres(documents: Path, tmp_path: Path, dsn: str, **variables: str) -> App:
    """A server of a folder whose index is in PostgreSQL."""
    cache = {"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash"}
    return App(settings.load({**cache, "PINCITE_STORE_URL": dsn, **variables}), documents)


def test_pincite_store_connections(documents: Path, tmp_path: Path, postgres_dsn: str) -> None:
    with (
        closing(in_postgres(documents, tmp_path, postgres_dsn, PINCITE_STORE_CONNECTIONS="2")) as app,
        ThreadPoolExecutor(8) as threads,
    ):
        calls = [threads.submit(app.toolbox.call, "list_pages", {}, Call()) for _ in range(16)]
        assert all(call.result() for call in calls)
        with psycopg.connect(postgres_dsn) as connection:
            query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pincite'"
            assert connection.execute(query).fetchall() in ([(1,)], [(2,)])


def test_pincite_store_timeout(
    documents: Path, tmp_path: Path, postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "ConnectionLimits", limits := Mock(wraps=connections.ConnectionLimits))
    with closing(in_postgres(documents, tmp_path, postgres_dsn, PINCITE_STORE_TIMEOUT="0.5")) as app:
        app.toolbox.call("list_pages", {}, Call())
        with psycopg.connect(postgres_dsn) as connection:
            for (schema,) in connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'pincite%%'"):
                connection.execute(f'LOCK TABLE "{schema}".document IN ACCESS EXCLUSIVE MODE'.encode())
            with pytest.raises(TimeoutExceeded, match="database"):
                app.toolbox.call("list_pages", {}, Call())
            assert limits.call_args.args[-1] == 0.5


@pytest.mark.parametrize("most", [0, 1000])
def test_pincite_store_copied_chunks(
    documents: Path,
    tmp_path: Path,
    postgres_dsn: str,
    caplog: pytest.LogCaptureFixture,
    most: int,
) -> None:
    caplog.set_level("INFO", logger=copy_keeper.__name__)
    with closing(in_postgres(documents, tmp_path, postgres_dsn, PINCITE_STORE_COPIED_CHUNKS=str(most))) as app:
        for _ in range(2):
            app.toolbox.call("search_docs", {"query": "anything at all"}, Call())
        for thread in threading.enumerate():
            if thread.name == "pincite-copy":
                thread.join(SECONDS)
        assert ("store.copied" in caplog.messages) == (most > 0)


def test_pincite_store_connect_timeout(documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "network_options", options := Mock(wraps=connections.network_options))
    with socket.create_server(("127.0.0.1", 0)) as silent:  # it accepts, and never says a word
        dsn = f"postgresql://pincite@127.0.0.1:{silent.getsockname()[1]}/pincite"
        with (
            closing(in_postgres(documents, tmp_path, dsn, PINCITE_STORE_CONNECT_TIMEOUT="2")) as app,
            pytest.raises(ConnectionFailed, match="PINCITE_STORE_URL"),
        ):
            app.toolbox.call("list_pages", {}, Call())
        options.assert_called_with(dsn, 2.0)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("VECTOR_STORE", "pinecone"), ("CHUNK_SIZE_MIN", "60"), ("HEALTH_LATENCY_THRESHOLD_MS", "0")],
)
def test_vector_store_and_chunk_size_min(documents: Path, tmp_path: Path, variable: str, value: str) -> None:
    env = environment(tmp_path, **{variable: value})
    command = pincite("status", "--docs", str(documents))
    ended = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    assert (
        ended.returncode == 3 and f"- {'CHUNK_OVERLAP' if variable == 'CHUNK_SIZE_MIN' else variable}: " in ended.stderr
    )


def test_qdrant_url_and_qdrant_api_key_and_qdrant_collection(tmp_path: Path) -> None:
    pytest.importorskip("qdrant_client", reason="needs pincite[qdrant]")
    asked: list[Asked] = []

    def refuse(request: Asked, connection: socket.socket) -> None:
        asked.append(request)
        connection.sendall(answer(status=401))

    with faulty_server(refuse) as qdrant:
        own = {"VECTOR_STORE": "qdrant", "QDRANT_URL": qdrant.url(""), "QDRANT_API_KEY": KEY, "QDRANT_COLLECTION": "c"}
        given = only_known(environment(tmp_path, DATA_DIR=str(tmp_path), **own))
        with (
            closing(App(settings.load(given), None, toolsets=["knowledge"])) as app,
            pytest.raises(PinciteError, match="QDRANT_API_KEY"),
        ):
            app.check()
    assert asked[0].headers["api-key"] == KEY and asked[0].path == "/collections/c"


def test_qdrant_hybrid_search_and_chromadb_path(tmp_path: Path) -> None:
    for value, enabled in (("true", True), ("false", False)):
        own = {"VECTOR_STORE": "qdrant", "QDRANT_URL": "http://127.0.0.1:1", "QDRANT_HYBRID_SEARCH": value}
        given = only_known(environment(tmp_path, DATA_DIR=str(tmp_path), **own))
        with closing(App(settings.load(given), None, toolsets=["knowledge"])) as app:
            stats = app.toolbox.call("knowledge_stats", {}, Call()).model_dump()
            assert stats["vector_store"]["hybrid_enabled"] is enabled
    pytest.importorskip("chromadb", reason="needs pincite[chromadb]: make chromadb")
    own = {"VECTOR_STORE": "chromadb", "CHROMADB_PATH": str(tmp_path / "chroma")}
    given = only_known(environment(tmp_path, DATA_DIR=str(tmp_path), **own))
    with closing(App(settings.load(given), None, toolsets=["knowledge"])) as app:
        app.check()
    assert (tmp_path / "chroma").is_dir()


def test_health_latency_threshold_ms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(100))
    monkeypatch.setattr(
        "pincite.services.library.probes.time.perf_counter", lambda: next(ticks) / 10
    )  # each takes 100 ms
    for threshold, status in (("200", "healthy"), ("50", "degraded")):
        given = environment(tmp_path, DATA_DIR=str(tmp_path), HEALTH_LATENCY_THRESHOLD_MS=threshold)
        with closing(App(settings.load(only_known(given)), None, toolsets=["knowledge"])) as app:
            assert app.toolbox.call("knowledge_health", {}, Call()).model_dump()["status"] == status


def test_pincite_compared_passages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = "Wood is painted every year. " * 40  # short sections would be one chunk
    page = f"# 1 Gates\n\nA gate opens. {more}\n\n# 2 Doors\n\nA gate, a gate. {more}\n"
    (tmp_path / "page.md").write_text(page, encoding="utf-8")

    def tokens(_: object, texts: Sequence[str], call: Call) -> list[npt.NDArray[np.float32]]:
        del call
        return [np.eye(2, dtype=np.float32)[[int("opens" in text or text == "gate gate")]] for text in texts]

    # A class of its own: `isinstance` with a protocol remembers that a class has a method, also after it is gone.
    by_tokens = type("HashEmbedderOfTokens", (HashEmbedder,), {"embed_tokens": tokens})
    monkeypatch.setattr("pincite.embedding.hashing.HashEmbedder", by_tokens)
    firsts: list[str] = []
    for compared in ("0", "20"):
        own = {"PINCITE_COMPARED_PASSAGES": compared, "DATA_DIR": str(tmp_path / compared)}
        given = only_known(environment(tmp_path, PINCITE_MODEL_GRACE="inf", PINCITE_FRESH_BUDGET="inf", **own))
        with closing(App(settings.load(given), None, toolsets=["knowledge"])) as app:
            additions = plan([single_file(tmp_path / "page.md", 10**6)], []).additions
            app.library_collection().add(additions, Call())
            found = app.toolbox.call("knowledge_search", {"query": "gate gate"}, Call()).model_dump()["results"]
            firsts.append(found[0]["metadata"]["clause_number"])
    assert firsts == ["2", "1"]


def test_chunk_size_max_and_chunk_overlap(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n" + "".join(f"Sentence {n} tells of zebras.\n\n" for n in range(400)), encoding="utf-8")

    def spans(**given: str) -> list[tuple[int, int]]:
        variables = only_known(environment(tmp_path, DATA_DIR=str(tmp_path), **given))
        with closing(App(settings.load(variables), None, toolsets=["knowledge"])) as app:
            additions = plan([single_file(page, 10**6)], []).additions
            ((_, new),) = app.collections.get("library").ingestion.preview(additions, Call())
            return [(chunk.start, chunk.end) for chunk in new.chunks]

    assert len(spans(CHUNK_SIZE_MAX="200")) > len(spans())
    assert any(start < end for (_, end), (start, _) in pairwise(spans()))
    assert all(start == end for (_, end), (start, _) in pairwise(spans(CHUNK_OVERLAP="0")))


Tasks = Callable[..., contextlib.AbstractContextManager[TaskService]]


@pytest.fixture
def tasks(tmp_path: Path) -> Tasks:
    """The tasks of a server under these variables, which does not work on them yet."""

    @contextlib.contextmanager
    def served(**variables: str) -> Generator[TaskService]:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in environment(tmp_path, DATA_DIR=str(tmp_path / "data"), **variables).items():
                patch.setenv(name, value)
            with closing(App(settings.load(), None, toolsets=["extraction"])) as app:
                assert app.tasks is not None
                yield app.tasks

    return served


def submitted(tasks: TaskService) -> str:
    upload = tasks.begin("a.md", b"")
    upload.write(b"# A\n")
    return tasks.submit(upload, "a.md", '{"a": "string"}').id


def path_of(tasks: TaskService, task_id: str) -> Path:
    with tasks.document(task_id) as (_, path):
        return path


def ended(tasks: TaskService, task_id: str) -> Task:
    assert wait_for(lambda: tasks.task(task_id).status.final)
    return tasks.task(task_id)


def test_db_path(tasks: Tasks, tmp_path: Path) -> None:
    with tasks(DB_PATH=str(tmp_path / "own" / "t.db")) as served:
        task_id = submitted(served)
    assert (tmp_path / "own" / "t.db").is_file() and not (tmp_path / "data" / "tasks.db").exists()
    with tasks(DB_PATH=str(tmp_path / "own" / "t.db")) as served:
        assert served.task(task_id).file_name == "a.md"


def test_extraction_formats(tasks: Tasks) -> None:
    with (
        tasks(EXTRACTION_FORMATS="pdf, .docx") as served,
        pytest.raises(Unsupported, match=r"Supported: \.pdf, \.docx"),
    ):
        served.begin("a.md", b"# A")


def test_max_concurrent_tasks(tasks: Tasks) -> None:
    for most in (1, 2):
        with tasks(MAX_CONCURRENT_TASKS=str(most)) as served:
            ids = [submitted(served) for _ in range(3)]
            paths = [path_of(served, task_id) for task_id in ids]
            for path in paths:  # whoever reads a pipe waits until somebody writes to it
                path.unlink()
                os.mkfifo(path)
            served.start()
            assert wait_for(lambda: served.count(TaskStatus.RUNNING) == most)  # noqa: B023 - called here
            assert served.count(TaskStatus.QUEUED) == 3 - most
            for path, task_id in zip(paths, ids, strict=True):
                path.write_bytes(b"# A\n")
                assert ended(served, task_id).status is TaskStatus.SUCCEEDED
                served.erase(task_id)


def test_max_concurrent_tasks_of_a_server_that_leaves_them_to_workers(tasks: Tasks) -> None:
    with tasks(MAX_CONCURRENT_TASKS="0") as server:
        task_id = submitted(server)
        server.start()
        with tasks(MAX_CONCURRENT_TASKS="1") as worker:
            assert server.task(task_id).status is TaskStatus.QUEUED
            worker.start()
            assert ended(server, task_id).status is TaskStatus.SUCCEEDED


def test_agent_timeout(tasks: Tasks) -> None:
    for seconds, status in (("0.000001", TaskStatus.FAILED), ("60", TaskStatus.SUCCEEDED)):
        with tasks(AGENT_TIMEOUT=seconds) as served:
            served.start()
            assert ended(served, submitted(served)).status is status


def test_agent_max_retries(tasks: Tasks, tmp_path: Path) -> None:
    for retries, status in (("0", TaskStatus.FAILED), ("1", TaskStatus.SUCCEEDED)):
        with tasks(AGENT_MAX_RETRIES=retries) as served:
            task_id = submitted(served)
            with closing(SqliteTasks(tmp_path / "data" / "tasks.db", lease=0.0, max_attempts=1)) as dead:
                assert dead.claim() is not None
            served.start()
            assert ended(served, task_id).status is status


def test_markitdown_url_and_openai_api_token(tasks: Tasks) -> None:
    for token in ("", "a-token-of-this-test"):
        with converting() as converter, tasks(MARKITDOWN_URL=converter.url, OPENAI_API_TOKEN=token) as served:
            upload = served.begin("a.csv", b"")
            upload.write(f"weight,{len(token)} kg\n".encode())
            task_id = served.submit(upload, "a.csv", '{"weight": "number with unit"}').id
            served.start()
            assert ended(served, task_id).status is TaskStatus.SUCCEEDED
            assert served.result(task_id)["data"] == {"weight": "5kg"}  # as the converter has it
        assert converter.tokens == [f"Bearer {token}" if token else None]


# Of the model that extracts


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Callable[..., ScriptedModel]]:
    """What a model was asked under these variables."""
    with bench(tmp_path) as desk:

        def ask(said: Said | None = None, **variables: str) -> ScriptedModel:
            with following([lambda _: said or Text('{"data": {}, "evidence": {}}')]) as model:
                desk.extract(desk.engine(model.url, "api", **variables))
            return model

        yield ask


def test_anthropic_api_key_and_anthropic_auth_token_and_anthropic_base_url(agent: Callable[..., ScriptedModel]) -> None:
    for variables in ({"ANTHROPIC_API_KEY": KEY}, {"ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": KEY}):
        asked = agent(**variables)
        assert asked.headers[0]["host"] in asked.url
        assert KEY in {asked.headers[0].get("x-api-key"), asked.headers[0].get("authorization", "").partition(" ")[2]}


def test_agent_model(agent: Callable[..., ScriptedModel]) -> None:
    assert agent(AGENT_MODEL="a-model").asked[0]["model"] == "a-model"


@pytest.mark.parametrize("size", ["haiku", "sonnet", "opus"])
def test_anthropic_default_haiku_model_and_anthropic_default_sonnet_model_and_anthropic_default_opus_model(
    agent: Callable[..., ScriptedModel], size: str
) -> None:
    variables = {"AGENT_MODEL": size, f"ANTHROPIC_DEFAULT_{size.upper()}_MODEL": "behind-a-proxy"}
    assert agent(**variables).asked[0]["model"] == "behind-a-proxy"
    assert size in agent(AGENT_MODEL=size).asked[0]["model"]


def test_mcp_tools_url(agent: Callable[..., ScriptedModel]) -> None:
    assert agent().asked
    with pytest.raises(ConnectionFailed, match="MCP_TOOLS_URL"):  # nobody serves the tools there
        agent(MCP_TOOLS_URL="http://127.0.0.1:9")


def test_api_timeout_ms(agent: Callable[..., ScriptedModel]) -> None:
    with pytest.raises(TimeoutExceeded, match="API_TIMEOUT_MS"):
        agent(Silent(), API_TIMEOUT_MS="20")


# That none is missing

PUBLISHED = {
    *("EMBEDDING_MODEL", "EMBEDDING_DIMENSIONS", "EMBEDDING_PROVIDER", "EMBEDDING_PRECISION", "LOG_LEVEL"),
    *("LOG_FORMAT", "HOST", "PORT", "CORS_ORIGINS", "MCP_API_KEY", "MCP_RATE_LIMIT_RPM", "MCP_REQUEST_TIMEOUT"),
    *("PINCITE_FRESH_BUDGET", "PINCITE_MODEL_GRACE", "PINCITE_MAX_FILE", "PINCITE_MAX_FILES", "PINCITE_FETCH_MODEL"),
    *("PINCITE_MODEL_DIR", "PINCITE_ALLOWED_HOSTS", "PINCITE_TRUSTED_PROXIES", "DATA_DIR"),
    *("QDRANT_URL", "QDRANT_API_KEY", "QDRANT_COLLECTION", "QDRANT_HYBRID_SEARCH", "CHROMADB_PATH"),
    *("VECTOR_STORE", "HEALTH_LATENCY_THRESHOLD_MS", "CHUNK_SIZE_MIN", "CHUNK_SIZE_MAX", "CHUNK_OVERLAP"),
    *("ALLOWED_ROOTS", "MAX_UPLOAD_SIZE", "DB_PATH", "EXTRACTION_FORMATS", "MAX_CONCURRENT_TASKS", "AGENT_TIMEOUT"),
    *("AGENT_MAX_RETRIES", "MARKITDOWN_URL", "OPENAI_API_TOKEN", "MCP_TOOLS_URL"),
    *("DOWNLOAD_ALLOW_PRIVATE", "EMBEDDING_MODEL_ACCURATE", "RERANK_MODEL", "HUGGINGFACE_TOKEN"),
    *("AGENT_MODEL", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "API_TIMEOUT_MS"),
    *(f"ANTHROPIC_DEFAULT_{size}_MODEL" for size in ("HAIKU", "SONNET", "OPUS")),
    *("OPENAI_API_KEY", "OPENAI_BASE_URL", "EMBEDDING_BATCH_SIZE", "PINCITE_STORE_URL", "PINCITE_UPLOADS"),
}
"""The variables that users were promised."""


def test_each_published_variable_is_a_setting_and_has_a_test_of_its_effect() -> None:
    tests = (name.removeprefix("test_").upper() for name in globals() if name.startswith("test_"))
    seen = {variable for name in tests for variable in name.split("_AND_")}
    assert set(PUBLISHED) - seen == set()
    assert PUBLISHED - known() == set()
