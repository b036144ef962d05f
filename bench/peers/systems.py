"""How each system is started, filled with documents, asked, and told of a change: by its own means, over stdio."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.wire import Wire

DEPTH = 10
"""Documents that are asked for; twice as many passages of those systems that find passages."""

COLLECTION = "cranfield"
BATCH = 100
FILL_SECONDS = 1800.0
END_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found."""

    document: str
    text: str


@dataclass(frozen=True, slots=True)
class System:
    """One system over one set of documents.

    Attributes:
        name: With its version.
        command: Starts its server.
        env: Everything that it may know of this machine.
        cwd: Where it runs.
        fill: Brings all documents in.
        ask: What it finds, the best first.
        change: Replaces the text of a document, and tells the server if it has to be told.
    """

    name: str
    command: list[str]
    env: Mapping[str, str]
    cwd: Path
    fill: Callable[[Wire], None]
    ask: Callable[[Wire, str], list[Hit]]
    change: Callable[[Wire, str, str], None]

    @contextmanager
    def started(self) -> Generator[Wire]:
        """Its server, not yet spoken to; ended by the end of its input, or killed where it does not heed that."""
        wire = Wire(self.command, self.env, cwd=self.cwd, start=subprocess.Popen)
        try:
            yield wire
        finally:
            with suppress(subprocess.TimeoutExpired):
                wire.end(END_SECONDS)


def ours(
    place: Path, documents: Mapping[str, str], models: Path, *, python: str = sys.executable, name: str = "pincite"
) -> System:
    """Pincite, by an interpreter that has this or another version of it."""
    folder, cache = written(place / "docs", documents), place / "cache"
    cache.mkdir(exist_ok=True)
    if not (cache / "models").exists():
        (cache / "models").symlink_to(models)

    def fill(wire: Wire) -> None:
        while wire.call("get_status")["structuredContent"]["index"]["indexing"] is not None:
            time.sleep(0.2)

    def ask(wire: Wire, query: str) -> list[Hit]:
        answer = wire.call("search_docs", {"query": query, "top_k": 2 * DEPTH})["structuredContent"]
        return [Hit(hit["metadata"]["file_path"], hit["content"]) for hit in answer["results"]]

    def change(_: Wire, name: str, text: str) -> None:
        (folder / name).write_text(text, "utf-8")

    env = {"PINCITE_CACHE": str(cache), "PINCITE_FETCH_MODEL": "false", "LOG_LEVEL": "WARNING"}
    return System(name, [python, "-m", "pincite", "serve", str(folder)], env, place, fill, ask, change)


def local_rag(place: Path, documents: Mapping[str, str], installed: Path) -> System:
    folder, home = written(place / "docs", documents), installed / "mcp-local-rag" / "node_modules"

    def fill(wire: Wire) -> None:
        job = structured(wire, "sync_start")["jobId"]
        while (state := structured(wire, "sync_status", jobId=job))["state"] == "running":
            time.sleep(0.5)
        assert state["state"] == "succeeded", state

    def ask(wire: Wire, query: str) -> list[Hit]:
        found = structured(wire, "query_documents", query=query, limit=2 * DEPTH)
        return [Hit(Path(hit["filePath"]).name, hit["text"]) for hit in found]

    def change(wire: Wire, name: str, text: str) -> None:
        (folder / name).write_text(text, "utf-8")
        structured(wire, "ingest_file", filePath=str(folder / name))

    command = [str(home / "node" / "bin" / "node"), str(home / "mcp-local-rag" / "dist" / "index.js")]
    env = {"BASE_DIR": str(folder), "DB_PATH": str(place / "db"), "CACHE_DIR": str(installed / "transformers")}
    return System(f"mcp-local-rag {npm_version(home)}", command, alone(place, env), place, fill, ask, change)


def chroma(place: Path, documents: Mapping[str, str], installed: Path) -> System:
    home = installed / "chroma-mcp"

    def fill(wire: Wire) -> None:
        said(wire, "chroma_create_collection", collection_name=COLLECTION)
        names = list(documents)
        for start in range(0, len(names), BATCH):
            ids = names[start : start + BATCH]
            texts = [documents[name] for name in ids]
            said(wire, "chroma_add_documents", collection_name=COLLECTION, ids=ids, documents=texts)

    def ask(wire: Wire, query: str) -> list[Hit]:
        wanted = {"collection_name": COLLECTION, "query_texts": [query], "n_results": DEPTH}
        found = structured(wire, "chroma_query_documents", **wanted)
        return [Hit(*hit) for hit in zip(found["ids"][0], found["documents"][0], strict=True)]

    def change(wire: Wire, name: str, text: str) -> None:
        said(wire, "chroma_update_documents", collection_name=COLLECTION, ids=[name], documents=[text])

    command = [str(home / "bin" / "chroma-mcp"), "--client-type", "persistent", "--data-dir", str(place / "db")]
    env = {"HOME": str(installed / "home"), "ANONYMIZED_TELEMETRY": "False"}
    return System(f"chroma-mcp {pip_version(home, 'chroma_mcp')}", command, alone(place, env), place, fill, ask, change)


def qdrant(place: Path, documents: Mapping[str, str], installed: Path) -> System:
    home = installed / "mcp-server-qdrant"

    def change(wire: Wire, name: str, text: str) -> None:
        said(wire, "qdrant-store", information=text, metadata={"name": name})

    def fill(wire: Wire) -> None:
        for name, text in documents.items():
            change(wire, name, text)

    def ask(wire: Wire, query: str) -> list[Hit]:
        _, *found = structured(wire, "qdrant-find", query=query)
        entries = [entry.removeprefix("<entry><content>") for entry in found]
        parts = [entry.removesuffix("</metadata></entry>").split("</content><metadata>") for entry in entries]
        return [Hit(json.loads(metadata)["name"], text) for text, metadata in parts]

    env = {
        "QDRANT_LOCAL_PATH": str(place / "db"),
        "COLLECTION_NAME": COLLECTION,
        "QDRANT_SEARCH_LIMIT": str(DEPTH),
        "FASTEMBED_CACHE_PATH": str(installed / "fastembed"),
        "HF_HUB_OFFLINE": "1",
    }
    version = pip_version(home, "mcp_server_qdrant")
    command = [str(home / "bin" / "mcp-server-qdrant")]
    return System(f"mcp-server-qdrant {version}", command, alone(place, env), place, fill, ask, change)


def written(folder: Path, documents: Mapping[str, str]) -> Path:
    """The documents as files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def alone(place: Path, env: Mapping[str, str]) -> dict[str, str]:
    """An environment with nothing of the user's in it."""
    return {"HOME": str(place), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **env}


def said(wire: Wire, tool: str, **arguments: Any) -> list[str]:
    """The texts of a tool's answer; a failed call ends the measurement of this system."""
    answer = wire.request("tools/call", {"name": tool, "arguments": arguments}, seconds=FILL_SECONDS)
    texts = [block["text"] for block in answer["content"] if block["type"] == "text"]
    assert not answer.get("isError"), texts
    return texts


def structured(wire: Wire, tool: str, **arguments: Any) -> Any:
    """A tool's answer that is one JSON text."""
    return json.loads(said(wire, tool, **arguments)[0])


def npm_version(home: Path) -> str:
    return json.loads((home / "mcp-local-rag" / "package.json").read_text())["version"]


def pip_version(home: Path, distribution: str) -> str:
    (info,) = home.glob(f"lib/python*/site-packages/{distribution}-*.dist-info")
    return info.name.removesuffix(".dist-info").rpartition("-")[2]


PEERS = {"mcp-local-rag": local_rag, "chroma-mcp": chroma, "mcp-server-qdrant": qdrant}
assert sys.platform != "win32", "the peers are started by their POSIX paths"
