"""Readers compared on PDFs and web pages: one command, one table.

    python eval/reading/peers.py --peers VENV [--sets icdar grids asvs articles pages]

- `icdar`: PDFs with tables of `reading/icdar` in PINCITE_DATA: rows with all cells right, adjacency relations.
- `grids`: the seven of these whose rules part rows but not columns, or the reverse.
- `asvs`: a standard of 71 pages as PDF: requirements whose text is in one piece, of 286.
- `articles`, `pages`: web pages of `reading/`, the part that is not set aside (`eval/reading/articles.py`).
- Processor time a page, of one process, its start left out.

`--peers` names a virtual environment with the readers (of which pymupdf4llm is AGPL: for comparison only); one that is
absent is named. Text and tables of pdfplumber are joined as its manual says: the text, then the tables; words
of tables are there twice, which counts against its order. pymupdf4llm 2.0 is empty: take the last one before it.
"""

import argparse
import gzip
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
SETS = {
    "icdar": "pdf",
    "grids": "pdf",
    "asvs": "pdf",
    "articles": "html",
    "pages": "html",
}
PARTIAL_GRIDS = ("eu-016", "eu-017", "eu-018", "eu-019", "eu-026", "us-009", "us-011a")
TIMEOUT_SECONDS = 3600
Read = Callable[[Path], tuple[str, int]]
"""From a file to its Markdown and the number of its pages."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--sets", nargs="*", choices=SETS, default=list(SETS))
    parser.add_argument("--engine", help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        print(convert(options.engine, options.sets[0], options.out))
        return
    for name in options.sets:
        for engine in ENGINES[SETS[name]]:
            print(f"{name:13}{engine:13}{measure(name, engine, options)}", flush=True)


def measure(name: str, engine: str, options: argparse.Namespace) -> str:
    """Return what an engine reaches on a set, or why it has no figure."""
    peer: Path = options.peers / "bin/python"
    python = sys.executable if engine == "pincite" else str(peer)
    with tempfile.TemporaryDirectory() as out:
        took = run(python, __file__, "--peers", str(peer), "--engine", engine, "--sets", name, "--out", out)
        if not took.endswith("a page"):
            return took
        if name == "asvs":
            return f"{whole_requirements(Path(out, 'asvs.md').read_text('utf-8'))}, {took}"
        kind, folder = ("tables", DATA / "reading/icdar") if name in ("icdar", "grids") else (name, Path(out))
        return f"{run(sys.executable, str(DATA / 'reading/score.py'), kind, str(folder), out)}, {took}"


def run(python: str, *arguments: str) -> str:
    """Return the last line that a program prints, or why there is none."""
    if not Path(python).exists():
        return f"not measured: there is no {python}"
    ended = subprocess.run(  # noqa: S603 - our own file
        [python, *arguments], capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS
    )
    return (ended.stdout if ended.returncode == 0 else ended.stderr).strip().splitlines()[-1]


def convert(engine: str, name: str, out: Path) -> str:
    """Write the Markdown of each file of a set, and return the processor time a page."""
    read = ENGINES[SETS[name]][engine]()
    pages = failed = 0
    seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for file, title in files(name, Path(folder), out):
            started = time.process_time()
            try:
                text, count = read(file)
            except Exception:  # noqa: BLE001 - a peer may raise anything
                text, count, failed = "", 1, failed + 1
            seconds += time.process_time() - started
            pages += count
            (out / f"{title}.md").write_text(text, encoding="utf-8")
    return f"{f'{failed} failed, ' if failed else ''}{1000 * seconds / pages:.1f} ms a page"


def files(name: str, folder: Path, out: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files of a set, and how the scorer calls their Markdown."""
    if name == "asvs":
        yield DATA / "asvs-4.0.3/asvs-4.0.3-en.pdf", "asvs"
    elif name in ("icdar", "grids"):
        for file in sorted((DATA / "reading/icdar").glob("*.pdf")):
            if name == "icdar" or file.stem in PARTIAL_GRIDS:
                yield file, file.name
    else:
        from articles import part_of  # noqa: PLC0415 - in this folder

        truth = json.loads((DATA / "reading" / name / "truth.json").read_text("utf-8"))
        open_part = {key: value for key, value in truth.items() if part_of(key) == "dev"}
        (out / "truth.json").write_text(json.dumps(open_part))
        for key in open_part:
            title = key if name == "pages" else f"{key}.html"
            page = folder / "page.html"
            page.write_bytes(gzip.decompress((DATA / "reading" / name / f"{title}.gz").read_bytes()))
            yield page, title


def whole_requirements(markdown: str) -> str:
    """Return how many requirements of the standard are in one piece, of all with a text."""
    flat = json.loads((DATA / "asvs-4.0.3/asvs-4.0.3-en.flat.json").read_text("utf-8"))
    texts = [letters(row["req_description"]) for row in flat["requirements"]]
    whole = letters(markdown)
    return f"{sum(text in whole for text in texts)} of {len(texts)} requirements"


def letters(text: str) -> str:
    """Return the letters and digits of a text without its links' targets."""
    return re.sub(r"[\W_]+", "", re.sub(r"\]\([^)]*\)|</?\w+ ?/?>", "", text)).lower()


def grid(table: Sequence[Sequence[str | None]]) -> str:
    """Return a table as Markdown."""
    rows = ["| " + " | ".join((cell or "").replace("\n", " ") for cell in row) + " |" for row in table]
    return "\n".join((rows[0], "|" + " --- |" * len(table[0]), *rows[1:]))


def pincite() -> Read:
    from pincite.formats.base import Blob, ReadOptions  # noqa: PLC0415 - a peer's environment has no pincite
    from pincite.formats.detect.sniff import sniff  # noqa: PLC0415
    from pincite.formats.worker.pool import readable  # noqa: PLC0415
    from pincite.formats.worker.read import read_document  # noqa: PLC0415
    from pincite.model.call import Call  # noqa: PLC0415

    def read(file: Path) -> tuple[str, int]:
        data = file.read_bytes()
        document = read_document(readable(sniff(file.name, data)), Blob(file.name, data), ReadOptions(), Call())
        return document.text, document.coverage.pages or 1

    return read


def page_count(file: Path) -> int:
    if file.suffix != ".pdf":
        return 1
    with importlib.import_module("pdfplumber").open(file) as document:
        return len(document.pages)


def counted(read: Callable[[Path], str]) -> Read:
    """Return a reader that counts the pages of a PDF, outside of the time that is measured only by its share."""
    return lambda file: (read(file), page_count(file))


def markitdown() -> Read:
    converter = importlib.import_module("markitdown").MarkItDown()
    return counted(lambda file: str(converter.convert(str(file)).text_content))


def kreuzberg() -> Read:
    library = importlib.import_module("kreuzberg")
    config = library.ExtractionConfig(output_format="markdown")
    return counted(lambda file: str(library.extract_file_sync(str(file), config=config).content))


def pdfplumber() -> Read:
    library = importlib.import_module("pdfplumber")

    def read(file: Path) -> tuple[str, int]:
        with library.open(file) as document:
            parts: list[str] = []
            for page in document.pages:
                parts.append(page.extract_text() or "")
                parts += (grid(table) for table in page.extract_tables() if table)
            return "\n\n".join(parts), len(document.pages)

    return read


def pymupdf4llm() -> Read:
    library = importlib.import_module("pymupdf4llm")
    return counted(lambda file: str(library.to_markdown(str(file), show_progress=False)))


def trafilatura() -> Read:
    library = importlib.import_module("trafilatura")
    return counted(lambda file: library.extract(file.read_bytes(), output_format="markdown") or "")


def readability() -> Read:
    html, library = importlib.import_module("lxml.html"), importlib.import_module("readability")
    return counted(lambda file: "\n".join(html.fromstring(library.Document(file.read_bytes()).summary()).itertext()))


ENGINES: dict[str, dict[str, Callable[[], Read]]] = {
    "pdf": {
        "pincite": pincite,
        "markitdown": markitdown,
        "kreuzberg": kreuzberg,
        "pdfplumber": pdfplumber,
        "pymupdf4llm": pymupdf4llm,
    },
    "html": {
        "pincite": pincite,
        "trafilatura": trafilatura,
        "readability": readability,
        "markitdown": markitdown,
        "kreuzberg": kreuzberg,
    },
}

if __name__ == "__main__":
    main()
