"""What it costs to know what changed in a folder, and whether any change is missed.

Run: `python bench/freshness_source.py [--edits 10000]`; the shared data set is found by PINCITE_DATA.
Exit status 1 if a target is missed.
"""

import argparse
import os
import random
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pincite.model.call import Call
from pincite.model.store import State
from pincite.sources.folder import FolderSource

DATA = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
CORPUS = "docs-tldr.tar.xz"
ENGLISH = "pages"


@dataclass(frozen=True)
class Figure:
    """A measured value beside its target (from the freshness page of the measurements)."""

    what: str
    value: float
    target: float
    unit: str


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--edits", type=int, default=10_000, help="random edits a method")
    edits = options.parse_args().edits
    with tempfile.TemporaryDirectory() as made:
        with tarfile.open(DATA / CORPUS) as archive:
            archive.extractall(made, filter="data")
        root = Path(made) / ENGLISH
        figures = [*costs(root), *(missed(root, edits, watch=watch) for watch in (True, False))]
    print(f"{'':46}{'measured':>12}{'target':>12}")
    for figure in figures:
        verdict = "" if figure.value <= figure.target else "  MISSED"
        print(f"{figure.what:46}{figure.value:12.2f}{figure.target:12.2f} {figure.unit}{verdict}")
    return int(any(figure.value > figure.target for figure in figures))


def costs(root: Path) -> list[Figure]:
    with closing(source(root, watch=True)) as watched, closing(source(root, watch=False)) as scanned:
        files = len(rest(watched))
        rest(scanned)
        floor = best(lambda: bare(root), 9)
        walked = best(lambda: scanned.listing(Call()), 9)
        quiet = best(lambda: [watched.poll() for _ in range(1000)], 9) / 1000
        page = next(root.rglob("*.md"))
        page.write_bytes(page.read_bytes() + b"\n")
        start = time.perf_counter()
        watched.poll()
        event = time.perf_counter() - start
    return [
        Figure("poll of a quiet tree", quiet * 1e6, 100, "us"),
        Figure("poll with one event", event * 1e6, 100, "us"),
        Figure(f"walk of {files} files, a file", walked / files * 1e6, 4, "us"),
        Figure("walk beside the bare walk (scandir + stat)", walked / floor, 2, "x"),
    ]


def missed(root: Path, edits: int, *, watch: bool) -> Figure:
    """Edits that the poll right after them does not explain."""
    chance = random.Random(1)  # noqa: S311  # the same edits in every run
    with closing(source(root, watch=watch)) as subject:
        states = rest(subject)
        names = sorted(states)
        # A scan walks everything after each edit: look after groups of edits, or it takes an hour.
        group = 1 if watch else max(1, edits // 200)
        lost = 0
        for _ in range(max(1, edits // group)):
            touched = {edit(root, chance.choice(names), chance) for _ in range(group)}
            seen = changed(subject, states)
            lost += len(touched - seen)
            subject.acknowledge(subject.poll().names)
    return Figure(f"edits missed of {edits} ({'events' if watch else 'scan'})", lost, 0, "")


def edit(root: Path, name: str, chance: random.Random) -> str:
    page = root / name
    kind = chance.randrange(4)
    if kind == 0:
        with page.open("ab") as file:
            file.write(b"edited\n")
    elif kind == 1:
        beside = page.with_suffix(".new")
        beside.write_bytes(page.read_bytes() + b"replaced\n")
        beside.replace(page)
    elif kind == 2:
        data = page.read_bytes()
        page.unlink()
        page.write_bytes(data + b"again\n")
    else:
        seen = page.stat()
        page.write_bytes(page.read_bytes()[::-1])
        os.utime(page, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    return name


def changed(subject: FolderSource, states: dict[str, State]) -> set[str]:
    changes = subject.poll()
    names = set(changes.names)
    if changes.everything:
        files = subject.listing(Call()).states
        names |= {name for name, state in files.items() if states.get(name) != state}
        states.clear()
        states.update(files)
        subject.mark((), changes.ticket)
    return names


def rest(subject: FolderSource) -> dict[str, State]:
    changes = subject.poll()
    files = dict(subject.listing(Call()).states)
    subject.mark((), changes.ticket)
    subject.acknowledge(subject.poll().names)
    return files


def source(root: Path, *, watch: bool) -> FolderSource:
    return FolderSource(
        root=root,
        extensions={".md": True},
        max_text_bytes=8_000_000,
        max_other_bytes=0,
        max_files=50_000,
        watch=watch,
    )


def bare(root: Path) -> int:
    folders = [str(root)]
    size = 0
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    size += entry.stat(follow_symlinks=False).st_size
    return size


def best(work: Callable[[], object], times: int) -> float:
    taken: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    sys.exit(main())
