"""Time, disk and memory that an index takes, for 1,000 documents of each kind.

    python bench/footprint.py [--most 100] [--only notes|pages|articles|invoices|papers|reports] [--data FOLDER]

The first `pincite search` of a folder reads, cuts and embeds all of it; its processor time and bytes are scaled from
the files measured to 1,000. Memory is the peak of the command and its reader processes, each shared page counted once
(PSS); the second search finds everything indexed. The model, which all folders share, is not counted.
"""

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from memory import Sampler, variables
from startup import cache_with_model, unpacked

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.wire import pincite  # noqa: E402 - found by the line above

THOUSAND = 1000
FILES: Mapping[str, str] = {
    "notes": "**/*.md",
    "pages": "docs-prometheus/**/*.md",
    "articles": "reading/articles/*.html.gz",
    "invoices": "invoices/facturx/**/*.pdf",
    "papers": "reading/papers/*.pdf",
    "reports": "financebench/pdfs/*.pdf",
}
"""Short Markdown notes (tldr), Markdown pages, web pages; PDFs of one, ten and a hundred pages."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=100, help="files of a kind that are measured")
    parser.add_argument("--only", choices=FILES)
    parser.add_argument("--data", type=Path, default=os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
    given = parser.parse_args()
    print("| kind | files | MB in | chunks | processor minutes | MB of disk | MB of memory | searched again |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for name in [given.only] if given.only else FILES:
        with tempfile.TemporaryDirectory() as place:
            docs, cache = Path(place, "docs"), cache_with_model(Path(place))
            docs.mkdir()
            source = unpacked(Path(place)) if name == "notes" else given.data
            for number, file in enumerate(sorted(source.glob(FILES[name]))[: given.most]):
                content = file.read_bytes()
                extension = file.suffix
                if extension == ".gz":
                    content, extension = gzip.decompress(content), ".html"
                (docs / f"{number}{extension}").write_bytes(content)
            first, peak, chunks = search(docs, cache)
            again, warm, _ = search(docs, cache)
            files = [file.stat().st_size for file in docs.iterdir()]
            disk = sum(file.stat().st_size for file in cache.rglob("*") if file.is_file()) / 1e6
        scale = THOUSAND / len(files)
        figures = f"{len(files)} | {sum(files) / 1e6:.1f} | {chunks} | {first * scale / 60:.1f} | {disk * scale:.0f}"
        print(f"| {name} | {figures} | {peak:.0f} | {again:.1f} s, {warm:.0f} MB |", flush=True)


def search(docs: Path, cache: Path) -> tuple[float, float, int]:
    """Search a folder; return the seconds of the processor, the peak of memory in MB, and the number of chunks."""
    command = [*pincite("search", "what is the total", "--docs", str(docs)), "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**variables(), "PINCITE_CACHE": str(cache)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        sampler = Sampler(run.pid)
        sampler.start()
        output = run.communicate()[0]
        sampler.stop()
    answer = json.loads(output)
    assert answer["search_type"] == "hybrid", answer
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return seconds, sum(sampler.peak), answer["total_chunks"]


if __name__ == "__main__":
    main()
