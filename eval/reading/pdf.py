"""Order, headings and speed of our PDF reader, beside the file's own order and its peers: one command.

    python eval/reading/pdf.py [--held-out] [--peers VENV]

- ASVS against its Markdown: NID (1 - edits / length, over words), headings and levels; by tags and as if untagged.
- Pages of a tagged report, read as if untagged, against its tags; files with an outline, read without it, against
  their outline (headings only). `--held-out` scores the frozen pages of `outlined_pages.tsv` instead of the others.
- Evidence of the FinanceBench questions: passages whose letters and digits stand in one piece in the text.
- Milliseconds a page. `--peers` names a virtual environment with kreuzberg.
"""

import argparse
import json
import os
import re
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pypdfium2.raw as pdfium
from rapidfuzz.distance import Indel

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.layout.bookmarks import bookmarks, fold_title
from pincite.formats.pdf.layout.pages import UntaggedPages
from pincite.formats.pdf.page.characters import join_surrogates, page_characters
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.reader import read_pages
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import BlockKind, Page

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
ASVS = DATA / "asvs-4.0.3"
REPORTS = DATA / "financebench"
DOCS = Path("/usr/share/doc")
HELD_OUT = Path(__file__).resolve().parent / "outlined_pages.tsv"
TAGGED = "VERIZON_2022_10K.pdf"
FIRST_HELD_OUT = 63
CONTENTS = "tableofcontents"


@dataclass
class Reading:
    """What a reader made of some pages.

    Attributes:
        pages: Text by page.
        headings: Page, level, folded title.
        seconds: For all of it.
    """

    pages: dict[int, str] = field(default_factory=dict[int, str])
    headings: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    seconds: float = 0.0

    def words(self) -> list[str]:
        """Of all pages."""
        return words("\n".join(self.pages.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--held-out", action="store_true", help="score the frozen pages")
    parser.add_argument("--peers", type=Path, help="a virtual environment with kreuzberg")
    parser.add_argument("--evidence", action="store_true", help="also look for the evidence")
    parser.add_argument("--misses", action="store_true", help="print the headings that differ")
    options = parser.parse_args()
    print(f"{'':44}{'NID':>7}{'prec.':>8}{'recall':>8}{'F1':>7}{'level':>7}{'ms/page':>9}")
    if not options.held_out:
        asvs(options.peers, misses=options.misses)
    tagged(range(FIRST_HELD_OUT, 10_000) if options.held_out else range(1, FIRST_HELD_OUT), misses=options.misses)
    if options.held_out:
        for file in sorted({line.split("\t")[0] for line in HELD_OUT.read_text().splitlines()}):
            found = next(DOCS.rglob(file), None)
            if found is not None:
                outlined(found, misses=options.misses)
    if options.evidence:
        evidence()


def asvs(peers: Path | None, *, misses: bool) -> None:
    """The standard against the Markdown that it was made from."""
    markdown = [file.read_text("utf-8") for file in sorted((ASVS / "md").glob("0x*.md"))]
    truth = Reading({number: _plain(text) for number, text in enumerate(markdown)})
    titles = re.findall(r"^(#{1,6}) (.+)$", "\n".join(markdown), re.MULTILINE)
    truth.headings = [(0, len(marks), fold_title(title)) for marks, title in titles]
    file = ASVS / "asvs-4.0.3-en.pdf"
    for name, reading in (
        ("ASVS raw pdfium order", raw(file)),
        ("ASVS by tags", own(file, by_tags=True)),
        ("ASVS as if untagged", own(file, by_tags=False)),
    ):
        report(name, reading, truth, misses=misses)
    if peers:
        report("ASVS kreuzberg", peer(peers, file), truth, misses=misses)


def tagged(numbers: Sequence[int], *, misses: bool) -> None:
    """Pages of a report that is tagged, as if it were not."""
    file = REPORTS / "pdfs" / TAGGED
    truth = only(own(file, by_tags=True), numbers)
    report(f"{TAGGED} raw pdfium order", only(raw(file), numbers), truth, misses=False)
    report(f"{TAGGED} as if untagged", only(own(file, by_tags=False), numbers), truth, misses=misses)


def outlined(file: Path, *, misses: bool) -> None:
    """Headings of a file against its outline, of which the reader is told nothing."""
    data = file.read_bytes()
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    truth = Reading(headings=[(entry.page, entry.depth, _unnumbered(entry.title)) for entry in bookmarks(document)])
    made = own(file, by_tags=False, unnumbered=True)
    report(file.name, made, truth, misses=misses)


def _unnumbered(title: str) -> str:
    """A title as it is compared with an outline, which leaves the numbers of sections out or not."""
    return fold_title(re.sub(r"^(?:(?:Chapter|Appendix)\s+)?[A-Z]?[\d.]*\s+", "", title))


def own(file: Path, *, by_tags: bool, unnumbered: bool = False) -> Reading:
    made = Reading()
    started = time.perf_counter()
    for page in read_pages(Blob(file.name, file.read_bytes()), ReadOptions(), Call(), by_tags=by_tags, outline=False):
        if isinstance(page, Page):
            made.pages[page.number or 0] = page.text
            made.headings += [
                (page.number or 0, block.level, (_unnumbered if unnumbered else fold_title)(block.title))
                for block in page.blocks
                if block.kind is BlockKind.HEADING
            ]
    made.seconds = time.perf_counter() - started
    return made


def _file_order(page: Page) -> str:
    """A page's text, its tables' cells each once and in the file's order."""
    text = page.text
    for block in reversed(page.blocks):
        if block.table:
            own = block.table.source or " ".join(cell.text for cell in block.table.cells)
            text = f"{text[: block.start]}{own}{text[block.end :]}"
    return text


def raw(file: Path) -> Reading:
    data = file.read_bytes()
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    made = Reading()
    started = time.perf_counter()
    for number in range(1, pdfium.FPDF_GetPageCount(document) + 1):
        with open_page(document, number) as page:
            text = join_surrogates(page_characters(page.text))
            made.pages[number] = text.replace("\x02\r\n", "").replace("\x02", "")
    made.seconds = time.perf_counter() - started
    return made


def peer(venv: Path, file: Path) -> Reading:
    """What kreuzberg makes of a file, in an environment of its own."""
    code = (
        "import json, sys, time, kreuzberg as k\n"
        "started = time.perf_counter()\n"
        "made = k.extract_file_sync(sys.argv[1], config=k.ExtractionConfig(output_format='markdown'))\n"
        "print(json.dumps([time.perf_counter() - started, made.content]))"
    )
    command = [str(venv / "bin/python"), "-c", code, str(file)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - our own code
    seconds, text = json.loads(ended.stdout)
    titles = re.findall(r"^(#{1,6}) (.+)$", text, re.MULTILINE)
    headings = [(0, len(marks), fold_title(title)) for marks, title in titles]
    return Reading({1: _plain(text)}, headings=headings, seconds=seconds)


def only(reading: Reading, numbers: Sequence[int]) -> Reading:
    pages = {number: text for number, text in reading.pages.items() if number in numbers}
    headings = [heading for heading in reading.headings if heading[0] in numbers]
    return Reading(pages, headings=headings, seconds=reading.seconds * len(pages) / len(reading.pages))


def report(name: str, made: Reading, truth: Reading, *, misses: bool) -> None:
    """One line of the table."""
    nid = f"{Indel.normalized_similarity(made.words(), truth.words()):7.3f}" if truth.pages else " " * 7
    said = Counter(title for _, _, title in made.headings if title != CONTENTS)
    wanted = Counter(title for _, _, title in truth.headings if title != CONTENTS)
    hits = (said & wanted).total()
    precision, recall = hits / max(1, said.total()), hits / max(1, wanted.total())
    score = 2 * hits / max(1, said.total() + wanted.total())
    levels = Counter((level, title) for _, level, title in made.headings)
    right = (levels & Counter((level, title) for _, level, title in truth.headings)).total()
    speed = f"{1000 * made.seconds / max(1, len(made.pages)):9.1f}"
    print(f"{name:44}{nid}{precision:8.3f}{recall:8.3f}{score:7.3f}{right / max(1, hits):7.3f}{speed}")
    if misses:
        print("  missed:", *[f"\n    {one}" for one in truth.headings if one[2] in wanted - said])
        print("  wrong:", *[f"\n    {one}" for one in made.headings if one[2] in said - wanted])


def evidence() -> None:
    """Passages of the questions, in one piece in the text of their page and the next, or in the file's own order."""
    questions = map(json.loads, (REPORTS / "questions.jsonl").read_text("utf-8").splitlines())
    passages = {one["text"]: (one["doc"], one["page"]) for question in questions for one in question["evidence"]}
    counts: Counter[tuple[str, bool]] = Counter()
    for report_name in sorted({name for name, _ in passages.values()}):
        wanted = {text: page for text, (name, page) in passages.items() if name == report_name}
        near = {page + more for page in wanted.values() for more in (0, 1)}
        pages = read_only(REPORTS / "pdfs" / f"{report_name}.pdf", near)
        for text, page in wanted.items():
            kind = "table" if _is_table(text) else "prose"
            found = _is_whole(text, [pages[number] for number in (page, page + 1) if number in pages])
            counts[kind, found] += 1
            if not found:
                print("  not in one piece:", kind, report_name, page, text[:60].replace("\n", " "))
    for kind in ("prose", "table"):
        print(f"evidence, {kind}: {counts[kind, True]} of {counts[kind, True] + counts[kind, False]} in one piece")


def read_only(file: Path, numbers: set[int]) -> dict[int, Page]:
    """Some pages of a file, as if it were not tagged."""
    with open_document(file.read_bytes()) as source:
        count = pdfium.FPDF_GetPageCount(source.document)
        made: dict[int, Page] = {}
        with closing(UntaggedPages(source, count, {})) as pages:
            for number in sorted(numbers & set(range(1, count + 1))):
                writer = PageWriter(ReadOptions().max_blocks, number)
                pages.write(writer, number, Call())
                made[number] = writer.page()
    return made


def _is_whole(passage: str, pages: Sequence[Page]) -> bool:
    """Whether a passage is in one piece; running heads and feet, with which it may begin and end, are kept apart."""
    wanted = fold_title(passage)
    for aside in pages[0].asides:
        wanted = wanted.removeprefix(fold_title(aside.text)).removesuffix(fold_title(aside.text))
    orders = ("".join(page.text for page in pages), "".join(map(_file_order, pages)))
    return any(wanted in fold_title(text) for text in orders)


def _is_table(text: str) -> bool:
    """Whether many of a passage's letters and digits are digits (this parts the 45 as the study did: 16 and 29)."""
    return sum(map(str.isdigit, text)) > 0.15 * sum(map(str.isalnum, text))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _plain(markdown: str) -> str:
    return re.sub(r"\]\([^)]*\)", "]", markdown)


if __name__ == "__main__":
    main()
