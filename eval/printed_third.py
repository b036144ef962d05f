"""The third set of what is printed and read back: styles and engines that neither of the others has.

Written on 2026-11-24 before any of it was printed, and scored only once rules were made on the other two. All of it is
set aside. Engines: Chromium, LibreOffice and pdfLaTeX besides Typst and WeasyPrint; headings in the manners of
`printed_looks`, code with numbers of lines, in frames, on dark ground and small; tables in frames, with dark headers
and thin lines. Sources are files of the first set's folders that it leaves out, pages of tldr, and generated ones with
other kinds of tables.
"""

import random
import tarfile
from collections.abc import Iterator, Sequence

from printed_latex import is_printable
from printed_sources import (
    DATA,
    FOLDERS,
    MAX_BYTES,
    MIN_BYTES,
    WORDS,
    Block,
    Cell,
    Source,
    generated,
    hashed,
    markdown_blocks,
    random_prose,
    random_title,
    table_of,
    with_dense_levels,
)
from printed_styles import Style

SOURCES_EACH = {"asvs-4.0.3/md": 1, "docs-prometheus/docs": 2, "nist-800-63-3": 1}
"""Files of each folder, after those of the first set."""
SEEDS = range(201, 204)
PAGES_EACH = 14
"""Pages of tldr in their source."""

STYLES = (
    Style("typst-quarto", "frame", hyphenated=True, heads=True, font="EB Garamond", margin_cm=3, headings="small",
          code="small", size=11, code_columns=56),
    Style("typst-vendor", "dark", font="Roboto", headings="coloured", code="dark", code_columns=60),
    Style("typst-tract", "rows", columns=2, hyphenated=True, font="EB Garamond", headings="centred", code="numbered",
          code_columns=30),
    Style("typst-legal", "none", numbered=True, heads=True, font="Carlito", size=11, headings="numbered", code="framed",
          code_columns=58),
    Style("weasyprint-notice", "lined", font="Lato", size=9.5, headings="right", code="framed", code_columns=66),
    Style("weasyprint-card", "frame", columns=2, hyphenated=True, font="Carlito", size=9.5, headings="tinted",
          code="small", centred=True, code_columns=34),
    Style("weasyprint-reader", "dark", font="EB Garamond", size=12, headings="slanted", code="numbered",
          code_columns=54),
    Style("chromium-web", "grid", font="Roboto", headings="bold", shaded=True, code_columns=66),
    Style("chromium-docs", "striped", font="Lato", headings="coloured", code="dark", heads=True, code_columns=64),
    Style("chromium-sheet", "booktabs", size=9, font="Liberation Serif", headings="upper", code_columns=38),
    Style("libreoffice-letter", "grid", font="Carlito", size=11, headings="coloured", code_columns=60),
    Style("libreoffice-brief", "none", font="Liberation Serif", size=12, headings="bold", heads=True, shaded=True,
          code_columns=54),
    Style("libreoffice-terms", "frame", font="Liberation Sans", size=10, headings="numbered", numbered=True,
          code="framed", code_columns=66),
    Style("latex-article", "booktabs", hyphenated=True, headings="bold", numbered=True, margin_cm=3, code_columns=66),
    Style("latex-twocolumn", "booktabs", columns=2, hyphenated=True, headings="upper", font="Times", numbered=True,
          margin_cm=1.8, code="small", code_columns=42),
    Style("latex-manual", "grid", hyphenated=True, headings="run-in", font="Palatino", numbered=True, heads=True,
          code="numbered", margin_cm=2.6, code_columns=66),
)  # fmt: skip


def sources() -> list[Source]:
    """Return the sources; all can be printed by pdfLaTeX, too."""
    return [
        *_files(),
        Source("tldr-en", with_dense_levels(list(_pages()))),
        *(Source(f"generated-{seed}", tuple(_generated(seed))) for seed in SEEDS),
    ]


def _files() -> Iterator[Source]:
    for folder, count in SOURCES_EACH.items():
        files = [file for file in (DATA / folder).rglob("*.md") if MIN_BYTES <= file.stat().st_size <= MAX_BYTES]
        names = {file.relative_to(DATA).as_posix(): file for file in files}
        found = 0
        for name in hashed(names)[FOLDERS[folder] :]:
            source = Source(name, with_dense_levels(markdown_blocks(names[name].read_text("utf-8"))))
            if found < count and is_printable(source):
                found += 1
                yield source


def _pages() -> Iterator[Block]:
    with tarfile.open(DATA / "docs-tldr.tar.xz") as archive:
        members = {member.name: member for member in archive if member.name.startswith("pages/")}
        names = [name for name in hashed(members) if name.endswith(".md")]
        for name in names[:PAGES_EACH]:
            file = archive.extractfile(members[name])
            yield from markdown_blocks(file.read().decode("ascii", "replace").replace("\ufffd", "-")) if file else ()


def _generated(seed: int) -> Iterator[Block]:
    """Yield the sections of the other sets' generated sources, then tables of other kinds and code with captions."""
    yield from (
        Block(block.kind, tuple((text.replace("—", "-"), mono) for text, mono in block.runs), level=block.level,
              rows=block.rows, header_rows=block.header_rows)
        for block in generated(seed)
    )  # fmt: skip
    draw = random.Random(seed)  # noqa: S311 - a drawing that can be repeated
    for number, make in enumerate((_matrix, _grouped, _schedule, _program, _settings), 1):
        yield Block("heading", ((random_title(draw, draw.randint(1, 4)), False),), level=2)
        yield Block("heading", ((random_title(draw, draw.randint(1, 4)), False),), level=3)
        yield Block("paragraph", ((random_prose(draw, draw.randint(30, 90)), False),))
        yield from make(draw, number)
        yield Block("paragraph", ((random_prose(draw, draw.randint(30, 60)), False),))


def _matrix(draw: random.Random, _: int) -> Iterator[Block]:
    heads = ["Feature", *(f"{draw.choice(WORDS).capitalize()[:9]}" for _ in range(4))]
    rows = [[random_title(draw, 2), *(draw.choice(["yes", "no", "n/a"]) for _ in heads[1:])] for _ in range(8)]
    yield table_of([heads, *rows])


def _grouped(draw: random.Random, _: int) -> Iterator[Block]:
    rows: list[tuple[Cell, ...]] = [tuple(map(Cell, ("Item", "Unit", "Amount", "Share")))]
    for _ in range(3):
        for _ in range(draw.randint(2, 4)):
            cells = (random_title(draw, 2), draw.choice(["kg", "m", "h"]), f"{draw.randint(1, 9999):,}")
            rows.append(tuple(map(Cell, (*cells, f"{draw.randint(1, 999) / 10}%"))))
        rows.append(tuple(map(Cell, ("Total", "", f"{draw.randint(1, 99999):,}", "100.0%"))))
    yield Block("table", rows=tuple(rows))


def _schedule(draw: random.Random, _: int) -> Iterator[Block]:
    rows = [
        [f"2025-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}", f"{draw.randint(0, 23):02}:30",
         random_title(draw, 3), random_prose(draw, draw.randint(3, 12))]
        for _ in range(6)
    ]  # fmt: skip
    yield table_of([["Date", "Time", "Subject", "Note"], *rows])


def _code(lines: Sequence[str], number: int, draw: random.Random) -> Iterator[Block]:
    yield Block("paragraph", ((f"Listing {number}: {random_title(draw, 3)}", False),))
    yield Block("code", (("\n".join(lines), True),))


def _program(draw: random.Random, number: int) -> Iterator[Block]:
    names = [draw.choice(WORDS)[:7].replace("-", "_") for _ in range(3)]
    lines = [
        f"def {names[0]}(x):",
        "    total = 0",
        "    for n in x:",
        "        if n > 3:",
        f"            {names[1]}(n)",
    ]
    yield from _code([*lines, "", "    return total", "", f"print({names[0]}([1, 2]))"], number, draw)


def _settings(draw: random.Random, number: int) -> Iterator[Block]:
    names = [draw.choice(WORDS).replace("-", "_") for _ in range(4)]
    lines = [f"{names[0]}:", f"  {names[1]}: {draw.randint(1, 99)}", f"  {names[2]}:", "    - one", "    - two"]
    yield from _code([*lines, f"{names[3]}: true"], number, draw)
