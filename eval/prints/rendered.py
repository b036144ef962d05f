"""Typeset Markdown and generated tables in 21 styles, read the PDFs back, and compare them with their sources.

    python -m venv PRINTERS && PRINTERS/bin/pip install typst weasyprint
    python eval/prints/rendered.py --printers PRINTERS [--frozen] [--style PART] [--source PART] [--misses]

Sources are Markdown of PINCITE_DATA and generated tables (`markdown_sources.py`), styles are in `styles.py`. `--frozen`
takes the third of both that is chosen by a hash of their names. It has been looked at, so it shows whether a change
loses something, not what the reader does on files that nobody has seen. PDFs are kept in `build/printed`.

Rows: of the tables' rows, those read as one row with the same texts in its cells. False: tables read of which no row is
one of the source's. Headings: F1 of title and level. Order: NID (1 - edits / length) of all words. Code: blocks that
come out verbatim, of those whose lines fit the page. Broken: words with a hyphen of a line end in them, or without
their own. Cut: words whose halves are in two blocks. Headers: tables with named columns of which one read table has the
same names as its header. Typst (Apache-2.0) and WeasyPrint (BSD) only write PDFs here; pincite needs neither.
"""

import argparse
import hashlib
import json
import re
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import pairwise
from pathlib import Path

from rapidfuzz.distance import Indel

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.layout.bookmarks import fold_title
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Block as ReadBlock
from pincite.model.document import BlockKind, Document
from pincite.registry import FORMATS

sys.path.insert(0, str(Path(__file__).resolve().parent))
from markdown_sources import ROOT, Block, Cell, Source, frozen, sources
from styles import STYLES, Style, markup

BUILD = ROOT / "build" / "printed"
PDF = next(row for row in FORMATS if row.name == "pdf")
SUFFIXES = {"typst": ".typ", "weasyprint": ".html"}
"""Of what each printer reads."""
PRINT = """
import json, sys
for name, target, tagged in json.load(sys.stdin):
    if name.endswith(".typ"):
        import typst
        typst.compile(name, output=target, pdf_tags=tagged)
    else:
        import weasyprint
        weasyprint.HTML(name).write_pdf(target, pdf_tags=tagged)
"""
"""What the printers' interpreter runs."""
MAX_CODE_COLUMNS = {1: 66, 2: 34}
"""Characters of a line of code that fit the print, by its columns of text; longer ones wrap."""


@dataclass
class Score:
    """Counts of one print, or of several added up."""

    rows: int = 0
    rows_all: int = 0
    false_tables: int = 0
    headings: int = 0
    headings_read: int = 0
    headings_all: int = 0
    similarity: float = 0
    prints: int = 0
    code: int = 0
    code_all: int = 0
    broken: int = 0
    cut: int = 0
    headers: int = 0
    headers_all: int = 0
    misses: list[str] = field(default_factory=list[str])

    def add(self, other: "Score") -> None:
        """Add another's counts."""
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))

    def line(self, name: str) -> str:
        """A row of the printed table."""
        f1 = 2 * self.headings / max(1, self.headings_read + self.headings_all)
        return (
            f"{name:22}{_share(self.rows, self.rows_all):>14}{self.false_tables:>7}{f1:>10.3f}"
            f"{self.similarity / max(1, self.prints):>8.3f}{_share(self.code, self.code_all):>13}"
            f"{self.broken:>8}{self.cut:>6}{_share(self.headers, self.headers_all):>14}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--printers", type=Path, required=True, help="a virtual environment with typst and weasyprint")
    parser.add_argument("--frozen", action="store_true", help="the part that was set aside")
    parser.add_argument("--style", default="", help="only styles with this in their name")
    parser.add_argument("--source", default="", help="only sources with this in their name")
    parser.add_argument("--misses", action="store_true", help="show what was missed; not of frozen ones")
    options = parser.parse_args()
    chosen = sources()
    started = time.perf_counter()
    total = Score()
    print(
        f"{'':22}{'rows':>14}{'false':>7}{'headings':>10}{'order':>8}{'code':>13}{'broken':>8}{'cut':>6}{'headers':>14}"
    )
    for style in (style for style in STYLES if options.style in style.name):
        own = Score()
        named = [s for s in of_part(style, chosen, is_frozen=options.frozen) if options.source in s.name]
        if not named:
            continue
        for source, data in printed(named, style, options.printers):
            one = score(source, style, blocks_of(read_document(PDF, Blob("a.pdf", data), ReadOptions(), Call())))
            own.add(one)
            if options.misses and not options.frozen:
                print(*(f"  {source.name}: {miss}" for miss in one.misses), sep="\n")
        total.add(own)
        print(own.line(style.name), flush=True)
    print(total.line("all"), f"  {total.prints} prints, {time.perf_counter() - started:.0f} s")


def of_part(style: Style, every: Sequence[Source], *, is_frozen: bool) -> list[Source]:
    """Return the sources that are rendered in a style: both are of the third that is frozen, or neither is."""
    if (style.name in frozen(style.name for style in STYLES)) != is_frozen:
        return []
    aside = frozen(source.name for source in every)
    return [source for source in every if (source.name in aside) == is_frozen]


def printed(chosen: Iterable[Source], style: Style, printers: Path) -> Iterator[tuple[Source, bytes]]:
    """Yield each source and its PDF in a style, rendered if it is not kept from an earlier run."""
    BUILD.mkdir(parents=True, exist_ok=True)
    files: list[tuple[Source, Path]] = []
    missing: list[tuple[str, str, bool]] = []
    for source in chosen:
        text = markup(source, style).encode()
        target = BUILD / f"{style.name}-{hashlib.sha256(f'{style.tagged}'.encode() + text).hexdigest()[:16]}.pdf"
        files.append((source, target))
        if not target.exists():
            file = target.with_suffix(SUFFIXES[style.printer])
            file.write_bytes(text)
            missing.append((str(file), str(target), style.tagged))
    if missing:
        command = [str(printers / "bin" / "python"), "-c", PRINT]
        subprocess.run(command, input=json.dumps(missing), text=True, check=True)  # noqa: S603 - our own code
    for source, target in files:
        yield source, target.read_bytes()


def blocks_of(read: Document) -> list[Block]:
    """Return what pincite read as the blocks of a source."""
    return [_block_of(read, block) for section in read.sections for block in section.blocks]


def _block_of(read: Document, block: ReadBlock) -> Block:
    text = read.text[block.start : block.end]
    if block.table:
        rows: dict[int, list[Cell]] = {}
        for cell in block.table.cells:
            rows.setdefault(cell.row, []).append(Cell(cell.text))
        return Block("table", rows=tuple(map(tuple, rows.values())), header_rows=block.table.header_rows)
    if block.kind is BlockKind.HEADING:
        return Block("heading", ((block.title, False),), level=block.level)
    if block.kind is BlockKind.CODE:
        # Without its fences.
        return Block("code", (("\n".join(text.split("\n")[1:-1]), True),))
    return Block("paragraph", ((block.title or text, False),))


def score(source: Source, style: Style, blocks: Sequence[Block]) -> Score:
    """Compare what was read with the source."""
    found = Score(prints=1)
    _score_rows(found, source, blocks)
    _score_headers(found, source, blocks)
    _score_headings(found, source, blocks)
    _score_code(found, source, style, blocks)
    true_text = "\n".join(map(_text, source.blocks))
    text = "\n".join(map(_text, blocks))
    found.similarity = Indel.normalized_similarity(_words(true_text), _words(text))
    broken = list(broken_words(text, true_text))
    found.cut = sum("\n" in word for word in broken)
    found.broken = len(broken) - found.cut
    found.misses += [f"{'cut' if chr(10) in word else 'broken'}: {' '.join(word.split())}" for word in broken]
    return found


def _score_rows(found: Score, source: Source, blocks: Iterable[Block]) -> None:
    true_rows = [_key(cell.text for cell in row) for block in source.blocks for row in block.rows]
    tables = [[_key(cell.text for cell in row) for row in block.rows] for block in blocks if block.kind == "table"]
    remaining = Counter(row for table in tables for row in table)
    known = set(true_rows)
    found.false_tables = sum(known.isdisjoint(table) for table in tables)
    found.rows_all = len(true_rows)
    for row in true_rows:
        if remaining[row]:
            remaining[row] -= 1
            found.rows += 1
        else:
            found.misses.append(f"row: {' | '.join(row)[:150]}")
    found.misses += [f"false table: {table[:3]}"[:200] for table in tables if known.isdisjoint(table)]


def _score_headers(found: Score, source: Source, blocks: Iterable[Block]) -> None:
    wanted = Counter(header for block in source.blocks if (header := _header(block)))
    shown = Counter(map(_header, blocks))
    found.headers, found.headers_all = (wanted & shown).total(), wanted.total()
    found.misses += [f"header: {one}"[:150] for one in wanted - shown]


def _header(block: Block) -> tuple[tuple[str, ...], ...]:
    """Return the names that a table's header has, without its empty rows; nothing if it has none."""
    rows = [_key(cell.text for cell in row) for row in block.rows[: block.header_rows]]
    return tuple(filter(None, rows))


def _score_headings(found: Score, source: Source, blocks: Iterable[Block]) -> None:
    # A print shows no level that its source leaves out: the first heading of a file may be of level 2.
    used = sorted({block.level for block in source.blocks if block.kind == "heading"})
    wanted = Counter(
        (used.index(block.level) + 1, _title(block.text)) for block in source.blocks if block.kind == "heading"
    )
    shown = Counter((block.level, _title(block.text)) for block in blocks if block.kind == "heading")
    found.headings, found.headings_read = (wanted & shown).total(), shown.total()
    found.headings_all = wanted.total()
    found.misses += [f"heading missed: {one}" for one in wanted - shown]
    found.misses += [f"heading wrong: {one}" for one in shown - wanted]


def _score_code(found: Score, source: Source, style: Style, blocks: Iterable[Block]) -> None:
    shown = Counter(block.text for block in blocks if block.kind == "code")
    fitting = MAX_CODE_COLUMNS[style.columns]
    for block in source.blocks:
        text = "\n".join(line.rstrip() for line in block.text.split("\n"))
        if block.kind != "code" or max(map(len, text.split("\n"))) > fitting:
            continue
        found.code_all += 1
        if shown[text]:
            shown[text] -= 1
            found.code += 1
        else:
            found.misses.append(f"code: {text[:80]!r}")


def broken_words(text: str, true_text: str) -> Iterator[str]:
    """Yield words of `text` with a hyphen of the print, and those that lost their own."""
    compound = re.compile(r"\w+(?:-\w+)+")
    true_words, true_compounds = set(_words(true_text)), {word.lower() for word in compound.findall(_plain(true_text))}
    solid = {word.replace("-", "") for word in true_compounds}
    plain = _plain(text)
    # Also where a paragraph ends within the word.
    for word in re.findall(r"\w+(?:-\s*\w+)+", plain):
        parts = re.split(r"-\s*", word.lower())
        is_known = "-".join(parts) in true_compounds
        if not is_known and any("".join(pair) in true_words for pair in pairwise(parts)):
            yield word
    for word in set(_words(plain)) - true_words:
        if word in solid:
            yield word


def _text(block: Block) -> str:
    return "\n".join(cell.text for row in block.rows for cell in row) if block.rows else f"{block.label} {block.text}"


def _plain(text: str) -> str:
    return re.sub("[\u00ad]", "", unicodedata.normalize("NFKC", text)).replace("\u2010", "-").replace("\u2011", "-")


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", _plain(text).lower())


def _key(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the texts of a row's cells without white space and case (prints have capitals), and no empty ones."""
    solid = (re.sub(r"[\s\u2010\u2011•-]+", "", _plain(text)).lower() for text in texts)
    return tuple(text for text in solid if text)


def _title(text: str) -> str:
    # The number of the style, and one that is part of the source's title.
    return fold_title(re.sub(r"^(§\s*|((?i:Chapter|Article) )?([\d.]+|[IVX]+(\.(\d+|\w))*\.?|[A-Z]\.)\s+)+", "", text))


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} {part / whole:.3f}" if whole else "-"


if __name__ == "__main__":
    main()
