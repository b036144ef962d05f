"""Whether a query that names code finds the passage that defines the name: one command, one table.

    python eval/retrieval/names.py FOLDER [--names TSV] [--most 100]

FOLDER is a manual in HTML. The truth is what its pages say about themselves: the inventory (`objects.inv`) of a manual
that Sphinx made, else the names and pages of a tab-separated file. A passage counts if it is of that page and has the
name's last part in a heading or a term. Each name is searched alone and in two sentences, by keyword and by meaning.
"""

import argparse
import random
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pincite
from pincite.folder import SearchResult

FORMS = ("{}", "{} default", "what does {} return")
KINDS = re.compile(r"py:(?:function|method|class|exception)|c:function")
FIRST, FIVE = 1, 5
SEED = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--names", type=Path, help="tab-separated: a name, the page that defines it")
    parser.add_argument("--most", type=int, default=100)
    options = parser.parse_args()
    known = sorted(set(listed(options.names) if options.names else inventory(options.folder / "objects.inv")))
    if not known:
        sys.exit("No names: is FOLDER a manual made by Sphinx? Name others with --names.")
    chosen = random.Random(SEED).sample(known, min(options.most, len(known)))  # noqa: S311 - a sample, no secret
    print(f"{len(chosen)} names of {len(known)}\n{'':24}{'first':>8}{'within five':>14}")
    with closing(pincite.open(options.folder)) as folder:
        for form in FORMS:
            found = [
                [defines(hit, name, page) for hit in folder.search(form.format(name), FIVE)] for name, page in chosen
            ]
            first, five = (sum(any(hits[:n]) for hits in found) / len(found) for n in (FIRST, FIVE))
            print(f"{form.format('NAME'):24}{first:8.3f}{five:14.3f}", flush=True)


def inventory(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the names and pages of an inventory of Sphinx: four lines, then lines that are compressed as one."""
    if file.is_file():
        packed = file.read_bytes().split(b"\n", 4)[4]
        for line in zlib.decompress(packed).decode().splitlines():
            if match := re.match(r"(\S+) (\S+) -?\d+ (\S+) ", line):
                name, kind, place = match.groups()
                if KINDS.fullmatch(kind):
                    yield name, place.partition("#")[0]


def listed(file: Path) -> Iterator[tuple[str, str]]:
    for line in file.read_text("utf-8").splitlines():
        name, page = line.split("\t")
        yield name, page


def defines(hit: SearchResult, name: str, page: str) -> bool:
    last = re.escape(re.split(r"[.:#]", name)[-1])
    return hit.file_path == page and bool(re.search(rf"(?m)^\s*(?:#+ |(?:- )?\*\*).*(?<!\w){last}(?!\w)", hit.content))


if __name__ == "__main__":
    main()
