"""Our reader of web pages on articles and pages that nobody chose for their markup: one command, one table.

    python eval/reading/articles.py [--peers VENV] [--part dev|opened|frozen]

The articles and pages of `reading/` in PINCITE_DATA, scored by its `score.py`, which needs lxml; `--peers` names a
virtual environment with it, and with trafilatura and readability-lxml for their rows: 4-gram precision, recall and F1
of the article's body; the share of the passages that must be there, and of those that must not. A third of both, by a
hash of the name, was set aside before the choice of the content was tuned. Half of that, by the same hash, was opened
after its sixth score (`--part opened`); the other half is still set aside (`--part frozen`). "By letters" counts the
passages again without white space and soft hyphens, which some of the truth has and no searched text should have.
"""

import argparse
import gzip
import hashlib
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data")) / "reading"
ENGINES = ("pincite", "trafilatura", "readability")
SETS = ("articles", "pages")
PARTS = ("dev", "opened", "frozen")
FROZEN_SHARE = 3
"""One page in so many was set aside."""

OPENED_SHARE = 2
"""Of those, one in so many was opened after the sixth score."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peers", type=Path, default=Path(sys.prefix), help="a virtual environment with the peers")
    parser.add_argument("--part", choices=PARTS, default="dev")
    parser.add_argument("--engine", choices=ENGINES, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        convert(options.engine, options.part, options.out)
        return
    scorer = str(options.peers / "bin/python")
    with tempfile.TemporaryDirectory() as folders:
        for engine in ENGINES:
            folder = f"{folders}/{engine}"
            python = sys.executable if engine == "pincite" else scorer
            made = run(python, __file__, "--engine", engine, "--part", options.part, "--out", folder)
            print(f"{engine}: {made}")
            for name in SETS if made.endswith("ms a page") else ():
                print(f"  {run(scorer, str(DATA / 'score.py'), name, f'{folder}/{name}', folder)}")
            if made.endswith("ms a page"):
                print(f"  {passages_by_letters(Path(folder))}")


def run(python: str, *arguments: str) -> str:
    """The last line that a program prints."""
    ended = subprocess.run([python, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 - our own file
    return (ended.stdout if ended.returncode == 0 else ended.stderr).strip().splitlines()[-1]


def convert(engine: str, part: str, out: Path) -> None:
    """Write Markdown of each page of a part, and the truth of that part alone."""
    read = READERS[engine]()
    pages = took = 0.0
    for name in SETS:
        truth = json.loads((DATA / name / "truth.json").read_text("utf-8"))
        chosen = {key: value for key, value in truth.items() if part_of(key) == part}
        (out / name).mkdir(parents=True)
        (out / name / "truth.json").write_text(json.dumps(chosen))
        for key in chosen:
            page = key if name == "pages" else f"{key}.html"
            data = gzip.decompress((DATA / name / f"{page}.gz").read_bytes())
            started = time.perf_counter()
            text = read(data)
            pages, took = pages + 1, took + time.perf_counter() - started
            (out / f"{page}.md").write_text(text, encoding="utf-8")
    print(f"{1000 * took / pages:.1f} ms a page")


def passages_by_letters(folder: Path) -> str:
    """The passages kept, compared without white space and characters that no page shows: soft hyphens, joiners."""
    truth = json.loads((folder / "pages" / "truth.json").read_text("utf-8"))
    kept = {"with": [0, 0], "without": [0, 0]}
    for name, passages in truth.items():
        text = letters(re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", (folder / f"{name}.md").read_text("utf-8")))
        for kind, count in kept.items():
            count[0] += sum(letters(passage) in text for passage in passages[kind])
            count[1] += len(passages[kind])
    (required, of_required), (other, of_other) = kept.values()
    return f"by letters: wanted text kept {required} of {of_required}, boilerplate kept {other} of {of_other}"


def letters(text: str) -> str:
    return re.sub(r"[\s\u00ad\u200b-\u200d\u2060\ufeff*_|\\]", "", unicodedata.normalize("NFKC", text))


def part_of(name: str) -> str:
    """Return the part of a page, by a hash of its name."""
    number = int(hashlib.sha1(name.encode()).hexdigest(), 16)  # noqa: S324 - no secret
    if number % FROZEN_SHARE:
        return "dev"
    return "opened" if number // FROZEN_SHARE % OPENED_SHARE else "frozen"


def pincite() -> Callable[[bytes], str]:
    from pincite.formats.base import Blob, ReadOptions  # noqa: PLC0415 - not in the peers' environment
    from pincite.formats.worker.read import read_document  # noqa: PLC0415
    from pincite.model.call import Call  # noqa: PLC0415
    from pincite.registry import FORMATS  # noqa: PLC0415

    row = next(row for row in FORMATS if row.name == "html")
    return lambda data: read_document(row, Blob("page.html", data), ReadOptions(), Call()).text


def trafilatura() -> Callable[[bytes], str]:
    library = importlib.import_module("trafilatura")
    return lambda data: library.extract(data, output_format="markdown") or ""


def readability() -> Callable[[bytes], str]:
    html, library = importlib.import_module("lxml.html"), importlib.import_module("readability")
    return lambda data: "\n".join(html.fromstring(library.Document(data).summary()).itertext())


READERS = {"pincite": pincite, "trafilatura": trafilatura, "readability": readability}


if __name__ == "__main__":
    main()
