"""Whether any change of a folder is missed; what it costs to know is measured by `bench/freshness.py`.

Run: `python bench/freshness_source.py [--edits 10000]`; the shared data set is found by PINCITE_DATA.
Exit status 1 if one is.
"""

import argparse
import os
import random
import sys
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

from pincite.model.call import Call
from pincite.model.store import State
from pincite.sources.folder import FolderSource

DATA = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
CORPUS = "docs-tldr.tar.xz"
ENGLISH = "pages"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--edits", type=int, default=10_000, help="random edits a method")
    edits = options.parse_args().edits
    with tempfile.TemporaryDirectory() as made:
        with tarfile.open(DATA / CORPUS) as archive:
            archive.extractall(made, filter="data")
        root = Path(made) / ENGLISH
        lost = {name: missed(root, edits, watch=watch) for name, watch in (("events", True), ("scan", False))}
    for name, count in lost.items():
        print(f"{name:8}{count} of {edits} edits missed{'  MISSED' if count else ''}")
    return int(any(lost.values()))


def missed(root: Path, edits: int, *, watch: bool) -> int:
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
    return lost


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


if __name__ == "__main__":
    sys.exit(main())
