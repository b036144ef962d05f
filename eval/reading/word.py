"""Our reader of Word documents beside its peers: one command, one table.

    python eval/reading/word.py [--peers VENV]

Probes of `tests/support/word_probes.py` (patterns in the Markdown, the same for all; and for ours also the blocks),
then the ASVS document of PINCITE_DATA: headings with their level, tables, cells against the CSV beside it, and the
best of five seconds. `--peers` names a virtual environment with kreuzberg, mammoth, markitdown or any of them.
"""

import argparse
import csv
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
ENGINES = ("pincite", "kreuzberg", "mammoth", "markitdown")
MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ASVS = "asvs.docx"
RUNS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peers", type=Path, help="a virtual environment with the peers")
    parser.add_argument("--engine", choices=ENGINES, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine:
        print(json.dumps(convert(options.engine, options.folder)))
        return
    sys.path.insert(0, str(ROOT / "tests"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder)
        print(f"{'':12}{'probes':>8}{'headings':>10}{'tables':>8}{'cells':>8}{'seconds':>9}")
        for engine in ENGINES:
            python = sys.executable if engine == "pincite" else str((options.peers or Path(sys.prefix)) / "bin/python")
            row = run(python, engine, folder)
            print(f"{engine:12}{row}" if isinstance(row, str) else f"{engine:12}" + report(row))
    print(f"pincite by blocks: {by_blocks()}")


def write(folder: Path) -> None:
    """The probes, and the real document."""
    from support.word_probes import PROBES  # noqa: PLC0415 - the peers' environment has no need of it

    for number, probe in enumerate(PROBES):
        (folder / f"{number}.docx").write_bytes(probe.make().saved())
    (folder / ASVS).write_bytes((DATA / "asvs-4.0.3" / "asvs-4.0.3-en.docx").read_bytes())


def run(python: str, engine: str, folder: Path) -> dict[str, Any] | str:
    """What an engine makes of the files, in a process of its own; words that say why there is nothing."""
    command = [python, __file__, "--engine", engine, "--folder", str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own file
    return json.loads(ended.stdout) if ended.returncode == 0 else f"    {ended.stderr.strip().splitlines()[-1]}"


def convert(engine: str, folder: Path) -> dict[str, Any]:
    """Markdown of each file, and the seconds of the real one."""
    reader = READERS[engine]()
    files = {file.name: reader(file) for file in sorted(folder.glob("*.docx"))}
    times: list[float] = []
    for _ in range(RUNS):
        started = time.perf_counter()
        reader(folder / ASVS)
        times.append(time.perf_counter() - started)
    return {"files": files, "seconds": min(times)}


def report(found: dict[str, Any]) -> str:
    from support.word_probes import PROBES, in_markdown  # noqa: PLC0415 - as above

    files: dict[str, str] = found["files"]
    ok = [probe for number, probe in enumerate(PROBES) if in_markdown(probe, files[f"{number}.docx"])]
    titles, wanted = headings()
    lines = Counter(
        (len(mark), plain(title)) for mark, title in re.findall(r"(?m)^(#{1,6}) +(.+?)(?: *\{#.*\})?$", files[ASVS])
    )
    tables = len(re.findall(r"(?m)^\|[ :|-]+\|$", files[ASVS]))
    right, cells = cells_of(files[ASVS])
    shown = (f"{len(ok)}/{len(PROBES)}", f"{(lines & titles).total()}/{wanted}", f"{tables}/75", f"{right}/{cells}")
    return f"{shown[0]:>8}{shown[1]:>10}{shown[2]:>8}{shown[3]:>11}{found['seconds']:>7.2f}"


def headings() -> tuple[Counter[tuple[int, str]], int]:
    """Level and text of every paragraph that has a heading's style, by python-docx."""
    import docx  # noqa: PLC0415 - as above

    titles: Counter[tuple[int, str]] = Counter()
    for paragraph in docx.Document(str(DATA / "asvs-4.0.3" / "asvs-4.0.3-en.docx")).paragraphs:
        style = (paragraph.style.name or "") if paragraph.style else ""
        if paragraph.text.strip() and ("Heading" in style):
            titles[int(style[-1]) if style[-1].isdigit() else 1, plain(paragraph.text)] += 1
    return titles, titles.total()


def cells_of(markdown: str) -> tuple[int, int]:
    """Cells of the CSV that stand in the table row of their requirement."""
    split = [[plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in markdown.splitlines()]
    rows = {row[0].lstrip("V"): row for row in split if row}
    with (DATA / "asvs-4.0.3" / "asvs-4.0.3-en.csv").open(encoding="utf-8", newline="") as file:
        truth = [[plain(value) for value in list(row.values())[4:]] for row in csv.DictReader(file)]
    right = 0
    for wanted in truth:
        found = rows.get(wanted[0].lstrip("V"), [])
        found = (found + [""] * len(wanted))[: len(wanted)]
        right += sum(a == b for a, b in zip(found[1:], wanted[1:], strict=True)) if any(found) else 0
    return right, len(truth) * 6


def plain(text: str) -> str:
    """Text without emphasis, escapes, anchors and the brackets around URLs."""
    return " ".join(re.sub(r"</?a\b[^>]*>|[\\*_<>]", "", text).split())


def by_blocks() -> str:
    """Our probes by what the blocks say, more than Markdown can show."""
    from support.word_probes import PROBES  # noqa: PLC0415 - as above

    read = _document()
    failed = [probe.name for probe in PROBES if not probe.holds(read(probe.make().saved()))]
    return f"{len(PROBES) - len(failed)}/{len(PROBES)}, not: {', '.join(failed)}"


def _document() -> Callable[[bytes], Any]:
    from pincite.formats.base import Blob, ReadOptions  # noqa: PLC0415 - the peers' environment has none
    from pincite.formats.worker.read import read_document  # noqa: PLC0415
    from pincite.model.call import Call  # noqa: PLC0415
    from pincite.registry import FORMATS  # noqa: PLC0415

    row = next(row for row in FORMATS if row.name == "docx")
    return lambda data: read_document(row, Blob("a.docx", data), ReadOptions(), Call())


def _pincite() -> Callable[[Path], str]:
    """The text with what is kept apart; hidden text does not count as shown."""
    read = _document()

    def text(file: Path) -> str:
        document = read(file.read_bytes())
        apart = [aside.text for aside in document.asides if aside.kind.value != "hidden"]
        return "\n".join([document.text, *apart, *document.properties.values()])

    return text


def _kreuzberg() -> Callable[[Path], str]:
    kreuzberg = importlib.import_module("kreuzberg")
    config = kreuzberg.ExtractionConfig(output_format="markdown", use_cache=False)

    def text(file: Path) -> str:
        result = kreuzberg.extract_bytes_sync(file.read_bytes(), MEDIA_TYPE, config)
        return f"{result.content}\n{result.metadata}"

    return text


def _mammoth() -> Callable[[Path], str]:
    mammoth = importlib.import_module("mammoth")

    def text(file: Path) -> str:
        with file.open("rb") as opened:
            return str(mammoth.convert_to_markdown(opened).value)

    return text


def _markitdown() -> Callable[[Path], str]:
    reader = importlib.import_module("markitdown").MarkItDown()
    return lambda file: str(reader.convert(str(file)).text_content)


READERS = {"pincite": _pincite, "kreuzberg": _kreuzberg, "mammoth": _mammoth, "markitdown": _markitdown}


if __name__ == "__main__":
    main()
