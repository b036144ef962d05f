"""Our reader of web pages beside its peers: one command, one table.

    python eval/reading/web.py [--peers VENV] [--pages NAME …]

The ten pages of `html/truth.jsonl` in PINCITE_DATA. What an engine makes is read as Markdown, ours as any other:
headings, code verbatim, rows of tables, terms, the share of the container's words that came out (recall) and of its
words that the container holds (precision). Of ours also by blocks: headings, code, rows, terms and the anchors that are
kept. The time is the median page, the best of three runs each. `--peers` names a virtual environment with trafilatura
(and lxml-html-clean), html-to-markdown or both; one that is absent is said to be.
"""

import argparse
import importlib
import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
ENGINES = ("pincite", "html-to-markdown", "trafilatura")
RUNS = 3
LEFT_OUT = (
    "|".join(
        f".//{tag}" for tag in ("script", "style", "svg", "nav", "noscript", "template", "button", "footer", "form")
    )
    + "".join(
        f'|.//*[contains(concat(" ", @class, " "), " {name} ")]'
        for name in ("headerlink", "navheader", "navfooter", "mw-editsection", "navbox")
    )
    + '|.//*[@role="navigation"]'
)
"""What is in a container and is no content, by XPath."""


@dataclass(slots=True)
class Score:
    """Found and wanted, over pages; words are shares of single pages."""

    headings: list[int] = field(default_factory=lambda: [0, 0])
    code: list[int] = field(default_factory=lambda: [0, 0])
    rows: list[int] = field(default_factory=lambda: [0, 0])
    terms: list[int] = field(default_factory=lambda: [0, 0])
    anchors: list[int] = field(default_factory=lambda: [0, 0])
    recall: list[float] = field(default_factory=list[float])
    precision: list[float] = field(default_factory=list[float])

    def add(self, other: "Score") -> None:
        """Count the pages of another score too."""
        for part in fields(self):
            ours, theirs = getattr(self, part.name), getattr(other, part.name)
            if part.name in ("recall", "precision"):
                ours.extend(theirs)
            else:
                ours[:] = [a + b for a, b in zip(ours, theirs, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peers", type=Path, help="a virtual environment with the peers")
    parser.add_argument("--pages", nargs="*", help="file names; all without")
    parser.add_argument("--each", action="store_true", help="a row for every page too")
    parser.add_argument("--engine", choices=ENGINES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    truths = pages(options.pages or ())
    if options.engine:
        print(json.dumps(convert(options.engine, [path(truth) for truth in truths])))
        return
    print(
        f"{'':18}{'headings':>9}{'code':>9}{'rows':>9}{'terms':>9}{'anchors':>10}{'recall':>8}{'precision':>11}{'ms':>8}"
    )
    for engine in ENGINES:
        python = sys.executable if engine == "pincite" else str((options.peers or Path(sys.prefix)) / "bin/python")
        made = run(python, engine, options.pages or ())
        if isinstance(made, str):
            print(f"{engine:18}{made}")
            continue
        scores = [score(truth, text) for truth, text in zip(truths, made["texts"], strict=True)]
        total = Score()
        for truth, one in zip(truths, scores, strict=True):
            total.add(one)
            if options.each:
                print(f"  {path(truth).stem:16}{line(one, made['ms'][truths.index(truth)])}")
        print(f"{engine:18}{line(total, statistics.median(made['ms']))}")
    ours = Score()
    for truth in truths:
        ours.add(by_blocks(truth))
    print(f"{'pincite, blocks':18}{line(ours)}")


def pages(names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The truth of each page, of all or of some."""
    lines = (DATA / "html" / "truth.jsonl").read_text("utf-8").splitlines()
    return [truth for truth in map(json.loads, lines) if not names or path(truth).name in names]


def path(truth: dict[str, Any]) -> Path:
    return (DATA / "html" / truth["file"]).resolve()


def run(python: str, engine: str, names: Sequence[str]) -> dict[str, Any] | str:
    """What an engine makes of the pages, in a process of its own; words that say why there is nothing."""
    command = [python, __file__, "--engine", engine, *(["--pages", *names] if names else [])]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own file
    return json.loads(ended.stdout) if ended.returncode == 0 else f"    {ended.stderr.strip().splitlines()[-1]}"


def convert(engine: str, files: Iterable[Path]) -> dict[str, Any]:
    """Markdown of each page, and the milliseconds it takes."""
    read = READERS[engine]()
    texts: list[str] = []
    times: list[float] = []
    for file in files:
        data = file.read_bytes()
        took: list[float] = []
        for _ in range(RUNS):
            started = time.perf_counter()
            text = read(data)
            took.append(1000 * (time.perf_counter() - started))
        texts.append(text)
        times.append(min(took))
    return {"texts": texts, "ms": times}


def score(truth: dict[str, Any], markdown: str) -> Score:
    """What of a page's truth stands in Markdown."""
    said, holds = Counter(words(unlinked(markdown))), Counter(container_words(truth))
    common = (said & holds).total()
    lines = {squeezed(match[1]) for match in re.finditer(r"(?m)^#{1,6} +(.*?)(?:\s*#+)?$", unlinked(markdown))}
    rows = {
        squeezed("".join(re.split(r"(?<!\\)\|", row[1])))
        for row in re.finditer(r"(?m)^ *\|(.*)\|\s*$", unlinked(unpictured(markdown)))
    }
    whole = squeezed(unlinked(markdown))
    return Score(
        headings=found(lines, (squeezed(text) for text in truth["headings"])),
        code=[sum(text.strip("\n") in markdown for text in truth["code"]), len(truth["code"])],
        rows=found(rows, (squeezed("".join(row)) for row in truth["rows"])),
        terms=found(whole, (squeezed(text) for text in truth["terms"])),
        recall=[common / max(1, holds.total())],
        precision=[common / max(1, said.total())],
    )


def by_blocks(truth: dict[str, Any]) -> Score:
    """What of a page's truth our blocks hold, structure and anchors included."""
    document = read_page(path(truth))
    blocks = [block for section in document.sections for block in section.blocks]
    headings = {squeezed(block.title) for block in blocks if block.level}
    codes = {
        re.sub(r"^`+.*\n|\n`+$", "", document.text[block.start : block.end]) for block in blocks if block.kind == "code"
    }
    rows: set[str] = set()
    for table in (block.table for block in blocks if block.table):
        texts = [""] * table.rows
        for cell in table.cells:
            texts[cell.row] += cell.text
        rows.update(squeezed(unlinked(unpictured(text))) for text in texts)
    kept = {name for block in blocks for name in block.anchors}
    bold = {squeezed(unlinked(text)) for text in re.findall(r"\*\*(.+)\*\*", document.text)}
    return Score(
        headings=found(headings, (squeezed(text).removesuffix("¶") for text in truth["headings"])),
        code=found(codes, (text.strip("\n").rstrip() for text in truth["code"])),
        rows=found(rows, (squeezed("".join(row)) for row in truth["rows"])),
        terms=found(bold, (squeezed(text) for text in truth["terms"])),
        anchors=found(kept, anchors(truth)),
    )


def found(there: "set[str] | str", wanted: Iterable[str]) -> list[int]:
    texts = list(wanted)
    return [sum(text in there for text in texts), len(texts)]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def squeezed(text: str) -> str:
    """A text without white space, marks of emphasis and characters without width."""
    return re.sub(r"[\s\u200b\u00ad*`_^~\\¶]", "", text)


def unpictured(markdown: str) -> str:
    """Markdown without pictures, whose names the truth's rows do not hold."""
    return re.sub(r"!\[[^\[\]]*\](?:\([^()]*\))?", "", markdown)


def unlinked(markdown: str) -> str:
    """Markdown with the texts of its links alone."""
    markdown = re.sub(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?:[^()\s]|\([^()]*\))*(?: \"[^\"]*\")?\)", r"\1", markdown)
    return re.sub(r"\[\^([^\]]+)\]", r"[\1]", re.sub(r"!\[([^\]]*)\]", r"\1", markdown))


def container(truth: dict[str, Any]) -> Any:
    """The element that holds a page's content, without what in it is none."""
    from lxml import html  # noqa: PLC0415 - the peers' environment may do without

    tree = html.document_fromstring(path(truth).read_bytes(), parser=html.HTMLParser(encoding="utf-8"))
    element = tree.xpath(truth["container"])[0] if truth["container"] else tree.find("body")
    for left_out in element.xpath(LEFT_OUT + "|.//comment()"):
        if left_out.getparent() is not None:
            left_out.drop_tree()
    return element


def container_words(truth: dict[str, Any]) -> list[str]:
    # With spaces: without, the words of cells without white space between them would be one.
    return words(" ".join(container(truth).itertext()))


def anchors(truth: dict[str, Any]) -> list[str]:
    """Every name in the container by which a link can reach it."""
    element = container(truth)
    return list(dict.fromkeys(element.xpath(".//@id") + element.xpath(".//a/@name")))


def line(total: Score, ms: float | None = None) -> str:
    shown = [
        f"{there}/{wanted}" if wanted else "–"
        for there, wanted in (total.headings, total.code, total.rows, total.terms)
    ]
    kept = f"{total.anchors[0]}/{total.anchors[1]}" if total.anchors[1] else ""
    shares = "".join(
        f"{statistics.mean(share):>{width}.3f}" if share else " " * width
        for share, width in ((total.recall, 8), (total.precision, 11))
    )
    return "".join(f"{text:>9}" for text in shown) + f"{kept:>10}" + shares + (f"{ms:>8.1f}" if ms is not None else "")


def read_page(file: Path) -> Any:
    from pincite.formats.base import Blob, ReadOptions  # noqa: PLC0415 - a peer's environment has no pincite
    from pincite.formats.worker.read import read_document  # noqa: PLC0415
    from pincite.model.call import Call  # noqa: PLC0415
    from pincite.registry import FORMATS  # noqa: PLC0415

    row = next(row for row in FORMATS if row.name == "html")
    return read_document(row, Blob(file.name, file.read_bytes()), ReadOptions(), Call())


def pincite() -> Callable[[bytes], str]:
    from pincite.formats.base import Blob, ReadOptions  # noqa: PLC0415 - as above
    from pincite.formats.worker.read import read_document  # noqa: PLC0415
    from pincite.model.call import Call  # noqa: PLC0415
    from pincite.registry import FORMATS  # noqa: PLC0415

    row = next(row for row in FORMATS if row.name == "html")
    return lambda data: read_document(row, Blob("page.html", data), ReadOptions(), Call()).text


def html_to_markdown() -> Callable[[bytes], str]:
    library = importlib.import_module("html_to_markdown")

    def read(data: bytes) -> str:
        made = library.convert(data.decode())
        return made if isinstance(made, str) else str(made.content or "")

    return read


def trafilatura() -> Callable[[bytes], str]:
    library = importlib.import_module("trafilatura")
    return lambda data: library.extract(data.decode(), output_format="markdown", include_links=True) or ""


READERS = {"pincite": pincite, "html-to-markdown": html_to_markdown, "trafilatura": trafilatura}


if __name__ == "__main__":
    main()
