"""Endurance: mixed calls of every face for minutes or hours, while files change and processes are killed.

    python bench/soak.py [--minutes 120] [--callers 4] [--seed 1]

One server with all toolsets is called over REST, MCP over streamable HTTP and SSE, and the routes of the page. Beside
it, a server over stdio on the same index, `pincite ingest` into the same library, and the server's reader processes
are killed with -9 now and then. An editor rewrites, deletes and adds files of four formats all the time; each file says
at which turn it was written, so that an answer which misses a turn is known, and has to say that it is stale.

Needs Linux (/proc). From the second quarter to the last, the server's memory may grow by 5 %, and none of its threads,
handles, child processes and files may become more. Caches are small, and sessions few, so that they are full by then.
"""

import argparse
import contextlib
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx2

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from startup import cache_with_model
from support.document_server import serving_documents
from support.http_wire import HttpServer, McpClient, Sse, StreamableHttp, call, serving
from support.memory import family, megabytes
from support.office import docx
from support.pdfs import column, pdf
from support.waiting import wait_for
from support.wire import HANDSHAKE, STATELESS, Wire, pincite

GROWTH = 1.05
SAMPLES = 400
EDIT_SECONDS, CALL_SECONDS, KILL_SECONDS = 0.5, 0.1, 15.0
"""Mean pauses of the editor, of each caller, and between two kills."""
SUFFIXES = ("md", "md", "html", "txt", "pdf", "docx")
FILES, PASSING = 24, 12
"""Files that are rewritten, and names of files that come and go."""
WORDS = ("amber", "basalt", "cedar", "delta", "ember", "fjord", "garnet", "heron", "indigo", "jasper", "kelp", "linen")
DECLARED = ("crashed its reader (SIGKILL)", "again in a moment", " changed: ", " was deleted; ", "Index not found")
"""What a call says that meets a killed reader, a file that has changed, or an index that was evicted since."""
SAYS = re.compile(r"balance of (\w+) is (\d+) zebras")
SETTINGS = {
    "PINCITE_FETCH_MODEL": "false",
    "PINCITE_OCR": "off",
    "DOWNLOAD_ALLOW_PRIVATE": "true",
    "MCP_RATE_LIMIT_RPM": "0",
    "PINCITE_MAX_SESSIONS": "50",
    "PINCITE_PAGE_RATE_LIMIT": "0",
    "PINCITE_READING_CACHE": "0.5",
    "PINCITE_INDEX_CACHE": "10",
    "PINCITE_UNUSED_VECTORS": "500",
    "PINCITE_DOWNLOAD_CACHE": "1",
    "PINCITE_DOCUMENT_CACHE": "5",
    "PINCITE_PICTURE_CACHE": "1",
    "PINCITE_UPLOAD_CACHE": "1",
    "PINCITE_CACHE_SECONDS": "30",
    "LOG_LEVEL": "INFO",
}
AnyTool = Callable[..., Any]
"""Calls a tool by its name, over one of the faces."""
TABLES = ("memory MB", "threads", "handles", "processes", "files", "disk MB")


class Sample(NamedTuple):
    """What the server holds at one moment; files are those of its data, caches and temporary folder."""

    memory: float
    threads: float
    handles: float
    processes: float
    files: float
    disk: float


class Fault(Exception):
    """A call that failed although it should not have."""


def written(name: str, turn: int, suffix: str, chance: random.Random) -> bytes:
    """A document that says its turn."""
    filler = [" ".join(chance.choices(WORDS, k=14)).capitalize() + "." for _ in range(chance.randrange(2, 20))]
    fact = f"The balance of {name} is {turn} zebras."
    if suffix == "pdf":
        return pdf(column("Ledger", fact), *(column(*filler) for _ in range(2)))
    if suffix == "docx":
        return docx("\n".join([fact, *filler]))
    if suffix == "html":
        return f"<h1>Ledger {name}</h1><p>{fact}</p><p>{'</p><p>'.join(filler)}</p>".encode()
    return "\n\n".join([f"# Ledger {name}", fact, *filler]).encode()


class Soak:
    """What runs: the folder and its editor, the servers, and what was seen."""

    def __init__(self, place: Path, chance: random.Random) -> None:
        self.docs, self.place, self.chance = place / "docs", place, chance
        self.docs.mkdir()
        (place / "tmp").mkdir()
        self.env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")},
            **SETTINGS,
            "PINCITE_CACHE": str(cache_with_model(place)),
            "DATA_DIR": str(place / "data"),
            "TMPDIR": str(place / "tmp"),
        }
        self.names = {f"lot{n}x": SUFFIXES[n % len(SUFFIXES)] for n in range(FILES)}
        # The turn at which each file that is there was written, and that at which a name was deleted last.
        self.turns: dict[str, int] = {}
        self.deleted: dict[str, int] = {}
        self.ingested = 0
        self.remote: dict[str, tuple[str, bytes]] = {}
        self.over = threading.Event()
        self.took: dict[str, list[float]] = defaultdict(list)
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        for name in self.names:
            self.edit(name, 1)
        self.server = HttpServer(serving(self.docs, "--toolsets", "all"), self.env, start=subprocess.Popen)

    def edit(self, name: str, turn: int) -> None:
        """Write a file as editors do, and know of it once it is there."""
        suffix, beside = self.names.get(name, "md"), self.docs / f".{name}.tmp"
        beside.write_bytes(written(name, turn, suffix, self.chance))
        beside.replace(self.docs / f"{name}.{suffix}")
        self.turns[name] = turn

    # What goes on beside the callers

    def editing(self) -> None:
        """Rewrite one file after the other; let others come and go."""
        turn = 1
        while not self.over.wait(self.chance.expovariate(1 / EDIT_SECONDS)):
            turn += 1
            self.edit(self.chance.choice(tuple(self.names)), turn)
            passing = f"passing{turn % PASSING}x"
            if turn % (2 * PASSING) < PASSING:
                self.edit(passing, turn)
            elif self.turns.pop(passing, 0):
                (self.docs / f"{passing}.md").unlink()
                self.deleted[passing] = turn

    def ingesting(self) -> None:
        """Ingest one edition of a manual after the other into the library; every fourth is killed on its way."""
        edition, manual = 0, self.place / "manual.md"
        while not self.over.wait(self.chance.expovariate(1 / KILL_SECONDS)):
            edition += 1
            manual.write_bytes(written("manual", edition, "md", self.chance))
            process = subprocess.Popen(pincite("ingest", str(manual)), env=self.env, stdout=subprocess.DEVNULL)
            if edition % 4 == 0:
                self.over.wait(self.chance.uniform(0, 3))
                process.kill()
                self.counts["kills of pincite ingest"] += 1
                process.wait()
            elif process.wait() == 0:
                self.ingested = edition
            elif not self.over.is_set():
                self.faults[f"pincite ingest: exit {process.returncode}"] += 1

    def killing(self) -> None:
        """Kill a process that reads files for the server, wherever it is."""
        while not self.over.wait(self.chance.expovariate(1 / KILL_SECONDS)):
            with contextlib.suppress(OSError, IndexError):
                os.kill(self.chance.choice(list(family(self.server.process.pid))[1:]), 9)
                self.counts["kills of readers"] += 1

    def neighbour(self) -> None:
        """Call a server over stdio on the same index, then kill it; and again."""
        while not self.over.is_set():
            with Wire(pincite("serve", str(self.docs)), self.env, era=STATELESS, start=subprocess.Popen) as wire:
                self.run("stdio", wire, say_hello, self.chance)
                until = time.monotonic() + self.chance.expovariate(1 / KILL_SECONDS)
                while time.monotonic() < until and not self.over.wait(CALL_SECONDS):
                    self.run("stdio", over_stdio(wire), self.find_in_folder, self.chance)
                wire.ask("tools/call", {"name": "search_docs", "arguments": {"query": "balance"}})
                wire.process.kill()
                self.counts["kills of a server beside"] += 1

    # What callers ask, each with the answer that it must get

    def find_in_folder(self, tool: AnyTool, chance: random.Random) -> None:
        """Search for a file by its name in the words; what it says is what it said when the call began, or later."""
        name = chance.choice([*self.turns, *self.deleted])
        before, deleted = self.turns.get(name, 0), self.deleted.get(name, 0)
        answer = content(tool("search_docs", query=f"balance of {name} zebras", top_k=20))
        seen = turns_of(hit["content"] for hit in answer["results"]).get(name, 0)
        if answer["index"]["stale"]:
            self.counts["answers declared stale"] += 1
        elif 0 < seen < deleted:
            raise Fault("stale and undeclared: a deleted file in the results")
        elif seen < before and name in self.turns and self.deleted.get(name, 0) == deleted:
            kind = self.names.get(name, "md, which comes and goes")
            raise Fault(f"stale and undeclared: turn {seen} of {before}, {kind}")
        if answer["results"]:
            content(tool("verify_quote", ref=chance.choice(answer["results"])["ref"], quote="balance of"))

    def find_in_library(self, tool: AnyTool, chance: random.Random) -> None:
        """Search the library for the newest edition that was ingested to its end."""
        before = self.ingested
        answer = content(tool("knowledge_search", query="balance of manual zebras", n_results=5))
        content(tool(chance.choice(("knowledge_stats", "knowledge_health"))))
        seen = turns_of(str(hit) for hit in answer["results"])
        if not answer.get("index", {}).get("stale") and seen.get("manual", 0) < before:
            raise Fault(f"stale and undeclared: edition {seen.get('manual')} of {before}")

    def read(self, tool: AnyTool, chance: random.Random) -> None:
        """Read a file whole, and through an index of its own."""
        name = chance.choice(tuple(self.names))
        before, path = self.turns[name], f"{name}.{self.names[name]}"
        if turns_of([str(content(tool("get_page", file_path=path)))]).get(name, before) < before:
            raise Fault("stale and undeclared: get_page")
        built = content(tool("doc_index_build", file_path=str(self.docs / path)))
        found = content(tool("doc_search", index_id=built["index_id"], query=f"balance of {name} zebras"))
        if turns_of([str(found)]).get(name, before) < before:
            raise Fault("stale and undeclared: doc_search")

    def read_url(self, tool: AnyTool, chance: random.Random) -> None:
        """Search a document at an address that is new."""
        turn = chance.randrange(10**9)
        path = f"{turn}.pdf"
        self.remote[path] = ("application/pdf", written("remote", turn, "pdf", chance))
        answer = content(tool("retrieve_chunks", document_url=self.remote_url + path, query="balance of remote zebras"))
        if turns_of([str(answer)]).get("remote") != turn:
            raise Fault("retrieve_chunks: another document")
        del self.remote[path]

    def extract(self, client: httpx2.Client, chance: random.Random) -> None:
        """Extract a value from an upload, fetch the result, and erase the task; every fourth before it has one."""
        turn = chance.randrange(10**6)
        file = {"file": ("ledger.pdf", written("upload", turn, "pdf", chance))}
        fields = {"schema": '{"balance": "the balance of upload, in zebras"}', "engine": "rules"}
        task = f"/tasks/{checked(client.post('/tasks', files=file, data=fields)).json()['task_id']}"
        if turn % 4:
            wait_for(lambda: checked(client.get(task)).json()["status"] not in ("queued", "running"), every=0.1)
            checked(client.get(f"{task}/result"))
            checked(client.get(f"{task}/document"))
        checked(client.delete(task))

    def page(self, client: httpx2.Client, chance: random.Random) -> None:
        """Ask what the page asks: a list, a search, a page's lines and its picture."""
        name = chance.choice([name for name, suffix in self.names.items() if suffix == "pdf"])
        address = {"collection": "docs", "name": f"{name}.pdf", "page": "1"}
        checked(client.get("/ui/"))
        checked(client.get("/ui/api/documents", params={"collection": "docs"}))
        checked(client.get("/ui/api/search", params={"q": f"balance of {name}", "collection": "docs"}))
        checked(client.get("/ui/api/lines", params=address))
        checked(client.get("/ui/api/picture", params=address))

    def upload(self, client: httpx2.Client, chance: random.Random) -> None:
        """Upload a document, read it, and delete it; every fourth is left to the cache."""
        turn = chance.randrange(10**6)
        file = {"file": ("upload.docx", written("upload", turn, "docx", chance))}
        url = checked(client.post("/api/uploads", files=file)).json()["document_url"]
        answer = checked(client.post("/api/tools/process_document", json={"document_url": url})).text
        if turns_of([answer]).get("upload") != turn:
            raise Fault("process_document: another document")
        if turn % 4:
            checked(client.delete(f"/api/uploads/{url.removeprefix('upload:')}"))

    # The callers

    def calling(self, seed: int) -> None:
        """Call by one face after the other until it is over."""
        chance = random.Random(seed)  # noqa: S311 - it is to repeat
        tools = (self.find_in_folder, self.find_in_folder, self.find_in_library, self.read, self.read_url)
        routes = (self.extract, self.page, self.upload)
        with self.server.client() as client:
            while not self.over.wait(chance.expovariate(1 / CALL_SECONDS)):
                face = chance.choice(("rest", "routes", f"http {HANDSHAKE}", f"http {STATELESS}", "sse"))
                if face == "routes":
                    self.run(face, client, chance.choice(routes), chance)
                elif face == "rest":
                    self.run(face, rest(client), chance.choice(tools), chance)
                else:
                    opened = Sse(self.server) if face == "sse" else StreamableHttp(self.server, face.split()[1])
                    with contextlib.closing(opened):
                        self.run(face, opened, say_hello, chance)
                        for _ in range(chance.randrange(1, 6)):
                            self.run(face, over_mcp(opened), chance.choice(tools), chance)

    def run(self, face: str, way: Any, ask: Callable[[Any, random.Random], None], chance: random.Random) -> None:
        """Ask once; keep how long it took, and what went wrong."""
        start = time.monotonic()
        try:
            ask(way, chance)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a row of the table
            if any(words in str(error) for words in DECLARED):
                self.counts["calls that said why they have no answer"] += 1
            elif not self.over.is_set():
                self.faults[f"{face} {ask.__name__}: {type(error).__name__} {error}"[:300]] += 1
        self.took[f"{face} {ask.__name__}"].append(time.monotonic() - start)

    def sample(self) -> Sample:
        """What the server holds now."""
        process = Path(f"/proc/{self.server.process.pid}")
        status = re.search(r"^Threads:\s+(\d+)", (process / "status").read_text(), re.MULTILINE)
        kept = [path for top in ("cache", "data", "tmp") for path in tree(self.place / top)]
        return Sample(
            # Its share of libraries becomes larger when another process that has them ends.
            megabytes(self.server.process.pid, "Pss_Anon"),
            int(status[1]) if status else 0,
            len(list((process / "fd").iterdir())),
            len(list(family(self.server.process.pid))),
            len(kept),
            sum(kept) / 1e6,
        )

    def last(self, minutes: float, callers: int) -> list[Sample]:
        """Run all of it for so long; return what the server held meanwhile."""
        beside = [self.editing, self.ingesting, self.killing, self.neighbour]
        threads = [threading.Thread(target=work, daemon=True) for work in beside]
        threads += [threading.Thread(target=self.calling, args=[seed], daemon=True) for seed in range(callers)]
        samples: list[Sample] = []
        with serving_documents(self.remote) as self.remote_url, self.server:
            for thread in threads:
                thread.start()
            until = time.monotonic() + minutes * 60
            while time.monotonic() < until and self.server.process.poll() is None:
                self.over.wait(minutes * 60 / SAMPLES)
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # of a child that has just ended
                    samples.append(self.sample())
            if self.server.process.poll() is not None:
                self.faults[f"the server ended: {''.join(self.server.lines)[-300:]}"] += 1
            self.over.set()
            for thread in threads:
                thread.join(60)
        return samples


def say_hello(client: Any, _: random.Random) -> None:
    client.open()


def over_stdio(wire: Wire) -> AnyTool:
    def tool(name: str, **arguments: object) -> Any:
        return wire.call(name, arguments)

    return tool


def rest(client: httpx2.Client) -> AnyTool:
    def tool(name: str, **arguments: object) -> Any:
        return checked(client.post(f"/api/tools/{name}", json=arguments)).json()

    return tool


def over_mcp(client: McpClient) -> AnyTool:
    def tool(name: str, **arguments: object) -> Any:
        return call(client, name, arguments)

    return tool


def content(answer: Mapping[str, Any]) -> Any:
    """What a tool answered, over either protocol."""
    if answer.get("isError"):
        raise Fault(answer["content"][0]["text"])
    return answer.get("structuredContent", answer)


def checked(response: httpx2.Response) -> httpx2.Response:
    if response.is_error:
        raise Fault(f"{response.status_code} {response.text}")
    return response


def turns_of(texts: Any) -> dict[str, int]:
    """The latest turn that texts say of each name."""
    turns: dict[str, int] = {}
    for name, turn in SAYS.findall("\n".join(texts)):
        turns[name] = max(int(turn), turns.get(name, 0))
    return turns


def tree(folder: Path) -> list[int]:
    """The sizes of all files below a folder, models apart."""
    sizes: list[int] = []
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            if path.is_file() and not path.is_symlink() and "models" not in path.parts:
                sizes.append(path.stat().st_size)
    return sizes


def growing(samples: Sequence[Sample]) -> list[str]:
    """Print what the server held in each quarter; return what grew."""
    quarters = [samples[len(samples) * n // 4 : len(samples) * (n + 1) // 4] for n in range(4)]
    print("| median in each quarter | 1 | 2 | 3 | 4 | most after the first |\n|---|--:|--:|--:|--:|--:|")
    grown: list[str] = []
    for column_, name in enumerate(TABLES):
        medians = [statistics.median(sample[column_] for sample in quarter) for quarter in quarters]
        most = max(sample[column_] for sample in samples[len(samples) // 4 :])
        print(f"| {name} | {' | '.join(f'{median:.1f}' for median in medians)} | {most:.1f} |")
        # Counts go up and down with the work of the moment: the last quarter's median is within what they were.
        bound = medians[1] * GROWTH if name.endswith("MB") else max(sample[column_] for sample in quarters[1])
        if medians[3] > bound:
            grown.append(f"{name} grew from {medians[1]:.1f} to {medians[3]:.1f}")
    return grown


def main() -> int:
    """Print the tables; 1 if something grew, failed or was stale without a word."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--callers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="soak-"))
    try:
        soak = Soak(place, random.Random(given.seed))  # noqa: S311 - it is to repeat
        samples = soak.last(given.minutes, given.callers)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    missed = growing(samples)
    print("\n| call | number | p50 ms | p99 ms |\n|---|--:|--:|--:|")
    for name, took in sorted(soak.took.items()):
        ordered = sorted(took)
        p50, p99 = (ordered[int(len(ordered) * part)] * 1000 for part in (0.5, 0.99))
        print(f"| {name} | {len(took):,} | {p50:.0f} | {p99:.0f} |")
    for name, count in sorted(soak.counts.items()):
        print(f"{name}: {count:,}")
    for fault, count in soak.faults.most_common():
        print(f"FAULT {count} x {fault}")
    for name in missed:
        print(f"MISSED {name}")
    return int(bool(missed or soak.faults))


if __name__ == "__main__":
    sys.exit(main())
