r"""Our reader of tagged PDFs beside its peers: one command, one table.

    python eval/reading/tagged.py [--peers VENV]

The ASVS standard of PINCITE_DATA against the Markdown and JSON that it was made from: headings with their levels,
reading order (NID: one minus the normalised insertions and deletions of `\w+` tokens; contents pages and running heads
left out where a reader tells them), requirements with number and text in one table row (ours also: on their page),
tables, list items, milliseconds a page. `--peers` names a virtual environment with kreuzberg, markitdown or both.
"""

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
ENGINES = ("pincite", "kreuzberg", "markitdown")
RUNS = 3
PAGES = 71
PAGE_PREFIX = 45
"""So many characters of a requirement's text tell its page: it may go on on the next."""


@dataclass(frozen=True)
class Output:
    """What a reader makes of the file.

    Attributes:
        markdown: All of it, contents pages and running heads left out where it tells them.
        pages: The page of each table row's first cell, where it tells pages.
    """

    markdown: str
    pages: dict[str, int]
    seconds: float


@dataclass(frozen=True)
class Score:
    """How much of the truth was found."""

    headings: int
    headings_all: int
    headings_wanted: int
    nid: float
    rows: int
    exact: int
    pages: int
    requirements: int
    tables: int
    items: int
    ms_page: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peers", type=Path, help="a virtual environment with the peers")
    parser.add_argument("--engine", choices=ENGINES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        print(json.dumps(asdict(READERS[options.engine](_file()))))
        return
    print(f"{'':12}{'headings':>10}{'found':>7}{'NID':>8}{'rows':>10}{'text':>7}{'page':>7}{'tables':>8}{'ms/page':>9}")
    for engine in ENGINES:
        python = sys.executable if engine == "pincite" else str((options.peers or Path(sys.prefix)) / "bin/python")
        ended = subprocess.run(  # noqa: S603 - our own file
            [python, __file__, "--engine", engine], capture_output=True, text=True, check=False
        )
        if ended.returncode:
            print(f"{engine:12}    {ended.stderr.strip().splitlines()[-1]}")
            continue
        found = score(Output(**json.loads(ended.stdout)))
        heads, rows = f"{found.headings}/{found.headings_wanted}", f"{found.rows}/{found.requirements}"
        print(
            f"{engine:12}{heads:>10}{found.headings_all:>7}{found.nid:>8.4f}{rows:>10}{found.exact:>7}{found.pages:>7}"
            f"{found.tables:>8}{found.ms_page:>9.1f}"
        )


def score(found: Output) -> Score:
    """The output against the truth."""
    from rapidfuzz.distance import Indel  # noqa: PLC0415 - the peers' environment has no need of it

    truth = _markdown()
    wanted, shown = _headings(truth), _headings(found.markdown)
    rows = [_cells(line) for line in found.markdown.splitlines() if line.startswith("|")]
    by_number = Counter(row[0] for row in rows if row)
    texts = {row[0]: row for row in rows if row}
    requirements = json.loads((_folder() / "asvs-4.0.3-en.flat.json").read_text())["requirements"]
    pages = _true_pages(requirements)
    numbers = {one["req_id"].removeprefix("V"): _solid(one["req_description"]) for one in requirements}
    in_row = [n for n, text in numbers.items() if by_number[n] == 1 and text in map(_solid, texts[n])]
    started = [n for n, text in numbers.items() if by_number[n] == 1 and any(_alike(text, c) for c in texts[n][1:])]
    return Score(
        headings=(wanted & shown).total(),
        headings_all=shown.total(),
        headings_wanted=wanted.total(),
        nid=Indel.normalized_similarity(_tokens(truth), _tokens(found.markdown)),
        rows=len(started),
        exact=len(in_row),
        pages=sum(found.pages.get(n) == page for n, page in pages.items()),
        requirements=len(numbers),
        tables=len(re.findall(r"(?m)^\|(?=.*-)[ :|-]+\|$", found.markdown)),
        items=len(re.findall(r"(?m)^ *(?:[-*]|\d+\.) ", found.markdown)),
        ms_page=found.seconds / PAGES * 1000,
    )


def _folder() -> Path:
    return DATA / "asvs-4.0.3"


def _file() -> Path:
    return _folder() / "asvs-4.0.3-en.pdf"


def _markdown() -> str:
    """The sources, without pictures, addresses of links and HTML."""
    text = "\n".join(file.read_text() for file in sorted((_folder() / "md").glob("*.md")))
    for pattern, by in ((r"!\[[^\]]*\]\([^)]*\)", ""), (r"\]\([^)]*\)", "]"), (r"<[^>]+>", "")):
        text = re.sub(pattern, by, text)
    return text


def _headings(markdown: str) -> Counter[tuple[int, str]]:
    found = re.findall(r"(?m)^(#{1,6}) +(.+)$", markdown)
    return Counter((len(marks), " ".join(_tokens(title))) for marks, title in found)


def _tokens(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _cells(line: str) -> list[str]:
    return [cell.strip().strip("*") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def _solid(text: str) -> str:
    """Letters and digits of a text without its links' addresses, and without white space."""
    return "".join(_tokens(re.sub(r"\]\([^)]*\)", "]", text)))


def _alike(text: str, cell: str) -> bool:
    """Whether a cell holds a whole text, a few characters apart."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - as above

    return fuzz.ratio(text, _solid(cell), score_cutoff=95) > 0


def _true_pages(requirements: list[dict[str, str]]) -> dict[str, int]:
    """The page on which the beginning of each requirement's text stands, by pdfium's own text."""
    import pypdfium2  # noqa: PLC0415 - as above

    document = pypdfium2.PdfDocument(_file())
    texts = [_solid(page.get_textpage().get_text_range()) for page in document]
    found: dict[str, int] = {}
    for one in requirements:
        start = one["req_id"].removeprefix("V").replace(".", "") + _solid(one["req_description"])[:PAGE_PREFIX]
        page = next((number for number, text in enumerate(texts, 1) if start in text), 0)
        found[one["req_id"].removeprefix("V")] = page
    return found


def pincite(file: Path) -> Output:
    """Ours, blocks joined again; a table that goes on counts once."""
    from pincite.formats.base import Blob, ReadOptions  # noqa: PLC0415 - the peers' environment has none
    from pincite.formats.worker.read import read_document  # noqa: PLC0415
    from pincite.model.call import Call  # noqa: PLC0415
    from pincite.registry import FORMATS  # noqa: PLC0415

    row = next(row for row in FORMATS if row.name == "pdf")
    blob = Blob(file.name, file.read_bytes())
    document, seconds = _best(lambda: read_document(row, blob, ReadOptions(), Call()))
    parts: list[str] = []
    pages: dict[str, int] = {}
    for section in document.sections:
        for block in section.blocks:
            text = document.text[block.start : block.end]
            if block.kind.value == "contents":
                continue
            if block.table is not None:
                pages |= {cell.text: block.page for cell in block.table.cells if cell.column == 0}
                if block.table.continued:
                    text = "\n".join(text.split("\n")[1 + block.table.header_rows :])
            parts.append(text)
    markdown = "\n\n".join(parts)
    return Output(re.sub(r"\|\n\n(?=\| [^#])", "|\n", markdown), pages, seconds)


def _kreuzberg(file: Path) -> Output:
    kreuzberg = importlib.import_module("kreuzberg")
    config = kreuzberg.ExtractionConfig(output_format="markdown", use_cache=False)
    found, seconds = _best(lambda: kreuzberg.extract_file_sync(str(file), config=config))
    return Output(str(found.content), {}, seconds)


def _markitdown(file: Path) -> Output:
    reader = importlib.import_module("markitdown").MarkItDown()
    found, seconds = _best(lambda: reader.convert(str(file)))
    return Output(str(found.text_content), {}, seconds)


def _best(make: Callable[[], Any]) -> tuple[Any, float]:
    times: list[float] = []
    for _ in range(RUNS):
        started = time.perf_counter()
        found = make()
        times.append(time.perf_counter() - started)
    return found, min(times)


READERS = {"pincite": pincite, "kreuzberg": _kreuzberg, "markitdown": _markitdown}


if __name__ == "__main__":
    main()
