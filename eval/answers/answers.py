"""The answers of a real server to some 2,000 calls, kept: they prove of a change that it alters no answer.

    python eval/answers/answers.py FILE [--against RECORDING] [--folder FOLDER ...] [--seed N]

Serves each folder over stdio as a client starts it, waits for words and vectors, calls every tool, reads resources,
makes mistakes, and writes each call with its answer to FILE. With `--against` the calls of RECORDING are made again
instead; the exit code is 1 if any answer differs by a byte. Unless folders are named they are two documentations in
Markdown and one folder of every format, from PINCITE_DATA.
"""

import argparse
import hashlib
import itertools
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from answer_calls import all_calls, some_calls
from recording import FOLDER, JSON, Calls, Recorded, canonical, compact, diff, differing, read, repeated, write

from pincite.services.evaluation.datasets import Question, from_tsv

sys.path.append(str(Path(__file__).resolve().parents[1] / "retrieval"))
sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))  # for `startup`, which adds the folder of `support`

from questions import DATA, corpus

from startup import cache_with_model, environment, index
from support.wire import HANDSHAKE, STATELESS, Refused, Wire, pincite

DOCUMENTATIONS = ("prom", "nist")

FORMATS = (
    "asvs-4.0.3/asvs-4.0.3-en.*",
    "financebench/pdfs/AMCOR_2023Q*.pdf",
    "hostile/*.pdf",
    "html/*.html",
    "invoices/facturx/F*.pdf",
    "invoices/invoice2data/*.pdf",
    "office/*",
    "reading/accessible/*.pdf",
    "reading/icdar/*.pdf",
    "reading/odd/[c-hj-oq-z]*.pdf",
    "standards/csaf-cvrf-1.2/*.pdf",
    "standards/did-core-1.0/*.html",
    "standards/nasa-cfe-requirements/*.docx",
    "standards/rfc9421/*.txt",
    "standards/spdx-2.3/*.md",
)
"""Files of the shared data that make the folder of every format; a `questions.tsv` beside them is asked."""

MODIFIED_SECONDS = 1_700_000_000
"""When the first file of a folder was last modified, each later one a second after: answers and cursors show it."""

MAX_SHOWN = 5
"""Differences printed."""

CALL_SECONDS = 300.0
"""The server's own limit of a call."""

CLOCK = {"PINCITE_MODEL_GRACE": "inf", "PINCITE_FRESH_BUDGET": "20", "PINCITE_READER_TIMEOUT": "300"}
"""Limits by the clock, wide enough for a busy machine: an answer that one of them cut is not the same twice."""

INDEXED_ALONE = {"PINCITE_FRESH_BUDGET": "0"}
"""While a folder is indexed, no call helps: only so are documents indexed in the same order, which breaks ties."""

SETTINGS = ("PINCITE_", "EMBEDDING_", "MCP_", "LOG_")
"""Beginnings of the variables that the server reads."""


@dataclass(frozen=True)
class Collection:
    """A folder that is served, and questions over it."""

    folder: Path
    questions: Sequence[Question] = ()


@dataclass(frozen=True)
class Session:
    """The calls that one server process answers."""

    collection: Collection
    protocol: str
    calls: Calls[None]


def main() -> int:
    """Record, and compare where that was asked for; 1 if an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--against", type=Path, metavar="RECORDING")
    parser.add_argument("--folder", type=Path, action="append", metavar="FOLDER", help="may be repeated")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of calls")
    given = parser.parse_args()
    recorded = read(given.against) if given.against else None
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary).resolve()
        collections = copied_folders(place / "served", given.folder) if given.folder else shared(place / "served")
        fingerprints = {each.folder.name: fingerprint(each.folder) for each in collections}
        if recorded and recorded[0] != fingerprints:
            parser.error(f"{given.against} was recorded over other documents: {recorded[0]}, not {fingerprints}")
        env = settings(place)
        for each in collections:
            index(each.folder, {**env, **INDEXED_ALONE})
        start = time.monotonic()
        sessions = again(collections, recorded[1]) if recorded else first_time(collections, given.seed)
        calls = write(given.file, fingerprints, answered(sessions, env))
        print(f"{len(calls)} calls in {time.monotonic() - start:.0f} s, written to {given.file}")
    return report(recorded[1], calls) if recorded else 0


def shared(place: Path) -> list[Collection]:
    """Copies of the shared data, with their questions."""
    collections: list[Collection] = []
    for name in DOCUMENTATIONS:
        with corpus(name, held_out=False) as found:
            shutil.copytree(found.folder, place / name)
        collections.append(Collection(place / name, found.questions))
    chosen = sorted(path for pattern in FORMATS for path in DATA.glob(pattern))
    for path in chosen:
        target = place / "formats" / path.relative_to(DATA)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    asked = [folder / "questions.tsv" for folder in dict.fromkeys(path.parent for path in chosen)]
    questions = [question for path in asked if path.is_file() for question in from_tsv(path)]
    collections.append(Collection(place / "formats", questions))
    return [dated(collection) for collection in collections]


def copied_folders(place: Path, folders: Iterable[Path]) -> list[Collection]:
    """Copies of the folders that were named, hidden files left out."""
    names = [folder.resolve() for folder in folders]
    for folder in names:
        shutil.copytree(folder, place / folder.name, ignore=shutil.ignore_patterns(".*"))
    return [dated(Collection(place / folder.name)) for folder in names]


def dated(collection: Collection) -> Collection:
    """A collection whose files were modified at the same times in every run."""
    for number, path in enumerate(files(collection.folder), MODIFIED_SECONDS):
        os.utime(path, (number, number))
    return collection


def files(folder: Path) -> list[Path]:
    """The files of a folder, by name."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def fingerprint(folder: Path) -> str:
    """Changes with any name and any byte of a folder."""
    digest = hashlib.sha256()
    for path in files(folder):
        digest.update(f"{path.relative_to(folder)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def settings(place: Path) -> dict[str, str]:
    """Every other setting at its default, whatever the environment says."""
    theirs = {name for name in os.environ if name.startswith(SETTINGS)}
    env = environment(cache_with_model(place))
    own = {"PINCITE_CACHE", "PINCITE_FETCH_MODEL", "LOG_LEVEL"}
    kept = {name: value for name, value in env.items() if name in own or name not in theirs}
    return {**kept, **CLOCK}


def first_time(collections: Sequence[Collection], seed: int) -> Iterator[Session]:
    """All calls on every folder, and some on the first one in the other generation of the protocol."""
    for each in collections:
        yield Session(each, HANDSHAKE, all_calls(each.questions, chance(seed, each.folder.name, HANDSHAKE)))
    first = collections[0]
    yield Session(first, STATELESS, some_calls(first.questions, chance(seed, first.folder.name, STATELESS)))


def chance(*seed: object) -> random.Random:
    """The same choices for the same seed."""
    return random.Random(" ".join(map(str, seed)))  # noqa: S311 - a choice that repeats, not a secret


def again(collections: Sequence[Collection], recorded: Iterable[Recorded]) -> Iterator[Session]:
    """The sessions of a recording."""
    by_name = {each.folder.name: each for each in collections}
    for (name, protocol), calls in itertools.groupby(recorded, lambda call: (call.folder, call.protocol)):
        _opening, *rest = calls
        yield Session(by_name[name], protocol, repeated(rest))


def answered(sessions: Iterable[Session], env: Mapping[str, str]) -> Iterator[Recorded]:
    """Every call with its answer, each session opened first."""
    for session in sessions:
        folder, protocol = session.collection.folder, session.protocol
        with Wire(pincite("serve", str(folder)), env, era=protocol).open() as wire:
            require_vectors(wire)
            opening: JSON = {"method": "initialize" if protocol == HANDSHAKE else "server/discover"}
            opened = [(opening, {"result": wire.opening})]
            for request, response in itertools.chain(opened, driven(session.calls, wire, folder)):
                yield Recorded(folder.name, protocol, request, canonical(response, folder))
            if wire.stray:
                raise SystemExit(f"not JSON-RPC on standard output: {wire.stray[:3]}")


def require_vectors(wire: Wire) -> None:
    """Refuse to record a server that has no model: its answers are those of words alone."""
    answer = wire.call("search_docs", {"query": "model"})["structuredContent"]
    if answer["search_type"] != "hybrid":
        raise SystemExit(f"{answer.get('note')} `pincite models fetch` brings the model.")


def driven(calls: Calls[None], wire: Wire, folder: Path) -> Iterator[tuple[JSON, JSON]]:
    """Make calls one after the other; each with its response."""
    response: JSON | None = None
    while True:
        try:
            request = next(calls) if response is None else calls.send(response)
        except StopIteration:
            return
        response = ask(wire, request, folder)
        yield request, response


def ask(wire: Wire, request: JSON, folder: Path) -> JSON:
    """The response to a request, a refusal too."""
    params = with_folder(request.get("params", {}), folder)
    try:
        return {"result": wire.request(request["method"], params, seconds=CALL_SECONDS)}
    except Refused as error:
        return {"error": {"code": error.code, "message": error.message, "data": error.data}}


def with_folder(params: JSON, folder: Path) -> JSON:
    """Parameters with the path of the folder."""
    return json.loads(compact(params).replace(FOLDER, str(folder)))


def report(before: Sequence[Recorded], after: Sequence[Recorded]) -> int:
    """Print how many answers differ and the first of them; 1 if any does."""
    found = differing(before, after)
    for old, new in found[:MAX_SHOWN]:
        print(f"\n{old.title}")
        for line in diff(old.response, new.response):
            print(line)
    size = sum(len(compact(call.response)) for call in before)
    print(f"{len(found)} of {len(before)} answers differ ({size:,} characters compared)")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
