"""What the documents face costs, beside what people write today.

    python bench/documents.py [cold] [formats] [--runs 3] [--peers FOLDER]

`cold`: retrieve_chunks on a 72-page PDF that nobody has seen, by stages, beside PyPDF and markitdown with LangChain's
splitter, the same weights and FAISS. `formats`: process_document beside markitdown's conversion. All in one run, in
turns, with the models loaded before; the peers' own environment is made by `bench/peers/install.py`.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

import platformdirs

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from pincite.app import App  # noqa: E402 - after the path
from pincite.chunking.passages import PassagePolicy  # noqa: E402 - as above
from pincite.embedding.local import LocalEmbedder  # noqa: E402 - as above
from pincite.index.view import View  # noqa: E402 - as above
from pincite.model.call import Call  # noqa: E402 - as above
from pincite.services.documents.downloads import Downloads  # noqa: E402 - as above
from pincite.services.reading.reading import Reading  # noqa: E402 - as above
from pincite.settings import load  # noqa: E402 - as above
from support.document_server import serving_documents  # noqa: E402 - as above

DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
REPORTS = DATA / "financebench" / "pdfs"
PEERS = platformdirs.user_cache_path("pincite") / "peers"
COLD = "NETFLIX_2015_10K"
FASTER = 2.0
"""Target: how much faster than what people write today."""

COLD_QUERY = "What was the operating margin of the year?"
PARTS = ("cold", "formats")
STAGES: Sequence[tuple[str, type, str]] = (
    ("download", Downloads, "fetch"),
    ("read", Reading, "read_as"),
    ("chunk", PassagePolicy, "cut"),
    ("embed", LocalEmbedder, "embed"),
    ("search", View, "search"),
)


def main() -> int:
    """Run the parts that are named, all without a name; return 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all if none is named")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--peers", type=Path, default=PEERS)
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"unknown part {min(unknown)}; known: {', '.join(PARTS)}")
    reports = {path.name: ("application/pdf", path.read_bytes()) for path in sorted(REPORTS.glob("*.pdf"))}
    missed = False
    with serving_documents(reports) as root:
        if wanted("cold", given):
            missed |= cold(given, root)
    if wanted("formats", given):
        formats(given)
    return int(missed)


def wanted(part: str, given: argparse.Namespace) -> bool:
    """Whether a part is to be run."""
    return not given.parts or part in given.parts


def settings(place: str) -> dict[str, str]:
    """Ours: a server as it is installed, whose data are nowhere yet and whose model is where it always is."""
    models = platformdirs.user_cache_path("pincite") / "models"
    Path(place, "cache").mkdir(exist_ok=True)
    Path(place, "cache", "models").symlink_to(models)
    return {
        "PINCITE_CACHE": f"{place}/cache", "DATA_DIR": f"{place}/data", "DOWNLOAD_ALLOW_PRIVATE": "1",
        "PINCITE_FETCH_MODEL": "0", "PINCITE_MODEL_GRACE": "inf", "MCP_RATE_LIMIT_RPM": "0",
    }  # fmt: skip


@contextmanager
def application() -> Generator[App]:
    """The face with nothing cached and its model loaded."""
    with tempfile.TemporaryDirectory() as place, closing(App(load(settings(place)), None, None, ["documents"])) as app:
        app.embedder.load(Call())
        app.embedder.embed_query("warm")
        yield app


def ask(app: App, url: str, query: str) -> Any:
    """Call retrieve_chunks."""
    return app.toolbox.call("retrieve_chunks", {"document_url": url, "query": query}, Call())


@contextmanager
def timed() -> Generator[dict[str, float]]:
    """Sum the seconds in each stage. Embedding may run in several threads: then the sum is of threads."""
    took = dict.fromkeys((stage for stage, _, _ in STAGES), 0.0)
    kept = [(owner, name, getattr(owner, name)) for _, owner, name in STAGES]

    def wrapped(stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*args: Any, **keywords: Any) -> Any:
            start = time.perf_counter()
            made = work(*args, **keywords)
            if isinstance(made, Iterator):
                made = list(cast("Iterator[Any]", made))
            took[stage] += time.perf_counter() - start
            return made

        return measured

    for (stage, owner, name), (_, _, work) in zip(STAGES, kept, strict=True):
        setattr(owner, name, wrapped(stage, work))
    try:
        yield took
    finally:
        for owner, name, work in kept:
            setattr(owner, name, work)


def cold(given: argparse.Namespace, root: str) -> bool:
    """From a URL that nobody has asked for to the passages."""
    url = f"{root}{COLD}.pdf"
    names = [stage for stage, _, _ in STAGES]
    print(f"\ncold retrieve_chunks, s  {''.join(f'{name:>10}' for name in [*names, 'total', 'chunks'])}")
    ratios: dict[str, list[float]] = {"pypdf": [], "markitdown": []}
    for _ in range(given.runs):
        with application() as app:
            # A server has read a file before: its worker process is there.
            ask(app, f"{root}ULTABEAUTY_2023Q4_EARNINGS.pdf", "warm")
            with timed() as took:
                start = time.perf_counter()
                answer = ask(app, url, COLD_QUERY)
                total = time.perf_counter() - start
        row("pincite", took, total, answer.total_chunks_indexed)
        for reader, values in ratios.items():
            run = peer(given.peers, reader, url, [COLD_QUERY])
            row(f"{reader}, LangChain", run["took"], run["total"], run["chunks"])
            values.append(run["total"] / total)
    medians = {reader: statistics.median(values) for reader, values in ratios.items()}
    is_missed = min(medians.values()) < FASTER
    shown = ", ".join(f"{ratio:.1f} x {reader}" for reader, ratio in medians.items())
    print(f"faster, median of the runs: {shown} (target {FASTER}) {'MISSED' if is_missed else ''}", flush=True)
    return is_missed


def row(name: str, took: dict[str, float], total: float, chunks: int) -> None:
    """Print a run as soon as it is measured."""
    stages = "".join(f"{took[stage]:10.2f}" for stage, _, _ in STAGES)
    print(f"{name:<24}{stages}{total:10.2f}{chunks:10}", flush=True)


def formats(given: argparse.Namespace) -> None:
    """Each of the office files: seconds, headings, table rows, and words that only one of the two has."""
    files = [path for path in sorted((DATA / "office").iterdir()) if path.is_file()]
    theirs = json.loads(peer_output(given.peers, ["convert", *map(str, files)], ""))
    print(f"\n{'process_document':<44}{'seconds':>16}{'headings':>12}{'table rows':>14}{'only here, words':>18}")
    served_files = {path.name: ("application/octet-stream", path.read_bytes()) for path in files}
    with serving_documents(served_files) as root, application() as app:
        for path in files:
            start = time.perf_counter()
            answer: Any = app.toolbox.call("process_document", {"document_url": root + path.name}, Call())
            seconds = time.perf_counter() - start
            whole = answer.content
            while answer.next_cursor:
                more = {"document_url": root + path.name, "cursor": answer.next_cursor}
                answer = app.toolbox.call("process_document", more, Call())
                whole += answer.content
            their = theirs[path.name]
            ours_words, their_words = words(whole), words(their["text"])
            cells = [
                (f"{seconds:.2f}", f"{their['seconds']:.2f}"),
                *((str(count(pattern, whole)), str(count(pattern, their["text"]))) for pattern in (r"^#+ ", r"^\|")),
                (str(len(ours_words - their_words)), their["problem"] or str(len(their_words - ours_words))),
            ]
            print(f"{path.name[:43]:<44}{''.join(f'{ours:>8} : {other:<5}' for ours, other in cells)}")


def words(text: str) -> set[str]:
    """The words of a text, without addresses and marks."""
    return set(re.findall(r"\w{3,}", re.sub(r"\(\S*?\)", " ", text).lower()))


def count(pattern: str, text: str) -> int:
    """Lines that begin so."""
    return len(re.findall(pattern, text, re.MULTILINE))


def peer(folder: Path, reader: str, url: str, queries: list[str]) -> dict[str, Any]:
    """What the peers' own process measured and found."""
    model = str(folder / "langchain-model")
    return json.loads(peer_output(folder, ["ask", model, reader], json.dumps({"url": url, "queries": queries})))


def peer_output(folder: Path, arguments: list[str], given: str) -> str:
    """Run the peers' script; its last line is its answer."""
    command = [str(folder / "langchain" / "bin" / "python"), str(ROOT / "bench" / "peers" / "langchain_rag.py")]
    env = {**os.environ, "HF_HUB_OFFLINE": "1"}
    ended = subprocess.run([*command, *arguments], input=given, capture_output=True, text=True, check=False, env=env)
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout.splitlines()[-1]


if __name__ == "__main__":
    sys.exit(main())
