"""The fourth set of what is printed and read back: sources, and designs in `printed_fourth_designs`.

Written on 2026-11-24 before any of it was printed. Pictures of pages were looked at for what the printers had left out
or set over each other, before pincite read one. The prints are sealed but for those whose design and whose source are
both in the open half (by hash, as the third of the other sets): only these are looked at.

Each engine sets what it can: margin notes are left out in Chromium, LibreOffice and pandoc, notes at the foot in
Chromium and LibreOffice, figures in pandoc and LibreOffice.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import printed_second
import printed_third
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

SOURCES_EACH = {"asvs-4.0.3/md": 1, "docs-prometheus/docs": 4, "nist-800-63-3": 1}
"""Files of each folder that no other set has."""
WEB_PAGES = ("html/pg-select.html",)
SEEDS = range(301, 304)
MAX_BLOCKS = 90
"""Of a source, so that it is printed in some pages."""
UNKNOWN = {
    "chromium": {"note", "footnote"},
    "libreoffice": {"note", "footnote", "figure"},
    "pandoc": {"note", "figure"},
}
"""Kinds of blocks that a printer's sources do without."""
_HEBREW = (
    "בית ספר עיר מים שמש ירח דרך ארץ עם שנה יום לילה אור חדש גדול קטן טוב מלך ספרים כתב קרא הלך ראה שמע ידע עשה נתן לקח"
)
_ARABIC = "كتاب بيت مدينة ماء شمس قمر طريق أرض شعب سنة يوم ليل نور جديد كبير صغير جيد ملك كتب قرأ ذهب رأى سمع علم"


@dataclass(frozen=True)
class Design:
    """A look in the language of its printer.

    Attributes:
        name: Begins with the name of its printer.
        preamble: CSS, Typst, LaTeX, arguments of pandoc or JSON.
        flags: What the writers have to know: `numbered` headings, `rotated` headers, tables `beside` text, captions
            `below` tables, `lines` and `comments` of code marked up, `chapters`, `bars` between columns, `rtl`, `short`
            tables for columns of text, rows that pages may `cut`; and of wrong tags: headings `untitled` or `flat`,
            tables of `divs`.
        code_columns: Characters of a line of code that fit.
        columns: Of text.
        tagged: The PDF has a structure tree.
    """

    name: str
    preamble: str
    flags: frozenset[str] = frozenset()
    code_columns: int = 60
    columns: int = 1
    tagged: bool = False

    @property
    def printer(self) -> str:
        """Name of the printer, with which a design's name begins."""
        return self.name.partition("-")[0]


def arranged(source: Source, design: Design) -> Source | None:
    """Return a source as a design prints it, None if its printer lacks the letters."""
    is_right_to_left = source.language in ("ar", "he")
    if (is_right_to_left and "rtl" not in design.flags) or (
        design.printer in ("latex", "pandoc") and not is_printable(source)
    ):
        return None
    unknown = UNKNOWN.get(design.printer, set[str]())
    blocks = [block for block in source.blocks if block.kind not in unknown]
    if "below" in design.flags:
        for at, (block, following) in enumerate(pairwise(list(blocks))):
            if block.kind == "caption" and following.kind == "table":
                blocks[at : at + 2] = [following, block]
    return replace(source, blocks=tuple(blocks))


def sources() -> list[Source]:
    """Return the sources."""
    return [
        *_files(),
        *(Source(f"web/{name}", _web_page(name)) for name in WEB_PAGES),
        *(Source(f"generated-{seed}", tuple(_generated(seed))) for seed in SEEDS),
        Source("hebrew-1", tuple(_right_to_left(_HEBREW.split(), 11)), "he"),
        Source("arabic-1", tuple(_right_to_left(_ARABIC.split(), 12)), "ar"),
    ]


def _files() -> Iterator[Source]:
    used = {source.name for source in printed_third.sources()}
    for folder, count in SOURCES_EACH.items():
        files = [file for file in (DATA / folder).rglob("*.md") if MIN_BYTES <= file.stat().st_size <= MAX_BYTES]
        names = {file.relative_to(DATA).as_posix(): file for file in files}
        unused = [name for name in hashed(names)[FOLDERS[folder] :] if name not in used]
        found = 0
        for name in unused:
            blocks = markdown_blocks(names[name].read_text("utf-8"))[:MAX_BLOCKS]
            source = Source(name, with_dense_levels(blocks))
            if found < count and is_printable(source):
                found += 1
                yield source


def _web_page(name: str) -> tuple[Block, ...]:
    return with_dense_levels(printed_second.web_page(name)[:MAX_BLOCKS])


def _prose(draw: random.Random, low: int, high: int) -> Block:
    return Block("paragraph", ((random_prose(draw, draw.randint(low, high)), False),))


def _generated(seed: int) -> Iterator[Block]:
    """Yield sections with quotes, definitions, notes, figures, captions and code between tables."""
    draw = random.Random(seed)  # noqa: S311 - a drawing that can be repeated
    title, *rest = generated(seed)
    yield title
    makers = [_listed, _halves, _grades, _places, _agenda, _shell, _class, _figure, _sayings]
    draw.shuffle(makers)
    for number, make in enumerate(makers, 1):
        yield Block("heading", ((random_title(draw, draw.randint(1, 6)), False),), level=2)
        yield _prose(draw, 30, 70)
        if number % 3 == 0:
            yield Block("footnote", ((random_prose(draw, draw.randint(5, 22)), False),))
        if number % 2:
            yield Block("heading", ((random_title(draw, draw.randint(1, 4)), False),), level=3)
        if number % 4 == 1:
            yield Block("note", ((random_prose(draw, draw.randint(4, 9)), False),))
        yield _prose(draw, 20, 90)
        yield from make(draw, number)
        yield _prose(draw, 20, 60)
    for block in rest:
        is_dash = any("—" in cell.text for row in block.rows for cell in row)
        yield _without_dashes(block) if is_dash else block


def _without_dashes(block: Block) -> Block:
    rows = tuple(tuple(Cell(cell.text.replace("—", "-"), cell.span) for cell in row) for row in block.rows)
    return replace(block, rows=rows)


def _caption(draw: random.Random, number: int, name: str = "Table") -> Block:
    return Block("caption", ((f"{name} {number}: {random_title(draw, draw.randint(3, 9))}.", False),))


def _short(draw: random.Random, length: int) -> str:
    return draw.choice([word for word in WORDS if len(word) <= length]).capitalize()


def _listed(draw: random.Random, number: int) -> Iterator[Block]:
    """A table with lists in its cells."""
    rows = [
        [_short(draw, 9), "\n".join(f"• {random_title(draw, 3)}" for _ in range(draw.randint(1, 3))),
         random_prose(draw, draw.randint(5, 20))]
        for _ in range(draw.randint(3, 6))
    ]  # fmt: skip
    yield _caption(draw, number)
    yield table_of([["Duty", "Steps", "Remark"], *rows])


def _halves(draw: random.Random, number: int) -> Iterator[Block]:
    """A table with headers over two columns each, and one row of all."""
    above = (Cell(""), Cell("First half", 2), Cell("Second half", 2))
    rows = [(Cell(""), *map(Cell, ("Plan", "Actual", "Plan", "Actual")))]
    rows += [
        (Cell(random_title(draw, draw.randint(1, 3))), *(Cell(f"{draw.randint(1, 9999):,}") for _ in range(4)))
        for _ in range(7)
    ]
    yield _caption(draw, number)
    yield Block("table", rows=(above, *rows), header_rows=2)


def _grades(draw: random.Random, number: int) -> Iterator[Block]:
    """A table of seven narrow columns of words and figures."""
    heads = ["Unit", *(_short(draw, 7) for _ in range(6))]
    rows = [
        [_short(draw, 10), *(f"{draw.randint(0, 100)}%" for _ in range(4)),
         draw.choice(["A", "B", "C"]), draw.choice(["pass", "fail"])]
        for _ in range(draw.randint(5, 10))
    ]  # fmt: skip
    yield _caption(draw, number)
    yield table_of([heads, *rows])


def _places(draw: random.Random, _: int) -> Iterator[Block]:
    """A small table without a caption, of two columns."""
    rows = [[draw.choice(WORDS).capitalize()[:14], f"{draw.randint(1, 400)} km"] for _ in range(draw.randint(3, 6))]
    yield table_of([["Place", "Distance"], *rows])


def _agenda(draw: random.Random, number: int) -> Iterator[Block]:
    """A table whose first column is empty where the group goes on."""
    rows: list[list[str]] = []
    for day in ("Monday", "Tuesday", "Friday"):
        for at in range(draw.randint(2, 3)):
            hour = draw.randint(8, 17)
            rows.append([
                "" if at else day, f"{hour}:00-{hour + 1}:30", random_title(draw, draw.randint(2, 5)),
                f"Room {draw.randint(1, 40)}",
            ])  # fmt: skip
    yield _caption(draw, number)
    yield table_of([["Day", "Hours", "Topic", "Place"], *rows])


def _shell(draw: random.Random, _: int) -> Iterator[Block]:
    name = draw.choice(WORDS).replace("-", "_")
    lines = [f"$ {name} --verbose --output=/tmp/{name}", f"{name}: done in {draw.randint(1, 9)}.2s", "$ echo $?", "0"]
    yield Block("code", (("\n".join(lines), True),))
    yield _prose(draw, 8, 20)
    yield Block("code", ((f"curl -s http://localhost:8080/{name}", True),))


def _class(draw: random.Random, number: int) -> Iterator[Block]:
    names = [draw.choice(WORDS)[:8].replace("-", "_") for _ in range(4)]
    lines = [
        f"class {names[0].capitalize()}:",
        f"    # keeps {names[1]} for later",
        f"    {names[1]} = {draw.randint(1, 99)}",
        "",
        "",
        f"    def {names[2]}(self, x):",
        "        if x is None:  # nothing to do",
        "            return []",
        f"        y = [{names[3]}(n) for n in x]",
        "",
        "        return y",
    ]
    yield _caption(draw, number, "Listing")
    yield Block("code", (("\n".join(lines), True),))


def _figure(draw: random.Random, number: int) -> Iterator[Block]:
    labels = [f"{draw.choice(WORDS)[:9].capitalize()} {letter}" for letter in "PQRS"]
    yield Block("figure", (("\n".join(labels), False),))
    yield _caption(draw, number, "Figure")


def _sayings(draw: random.Random, _: int) -> Iterator[Block]:
    yield Block("quote", ((random_prose(draw, draw.randint(25, 60)), False),))
    for _ in range(draw.randint(3, 5)):
        yield Block("definition", ((random_prose(draw, draw.randint(6, 30)), False),), label=random_title(draw, 2))
    for number in range(1, draw.randint(3, 5)):
        yield Block("item", ((random_prose(draw, draw.randint(4, 30)), False),), label=f"{number}.")


def _right_to_left(words: Sequence[str], seed: int) -> Iterator[Block]:
    draw = random.Random(seed)  # noqa: S311 - a drawing that can be repeated

    def phrase(low: int, high: int) -> str:
        return " ".join(draw.choice(words) for _ in range(draw.randint(low, high)))

    yield Block("heading", ((phrase(2, 4), False),), level=1)
    for _ in range(4):
        yield Block("heading", ((phrase(2, 4), False),), level=2)
        yield Block("paragraph", ((f"{phrase(30, 60)} 2024 {phrase(3, 9)}.", False),))
        rows = [[phrase(1, 2), f"{draw.randint(10, 9999):,}", f"{draw.randint(10, 9999):,}"] for _ in range(5)]
        yield table_of([[phrase(1, 1), "2023", "2024"], *rows])
        yield Block("paragraph", ((f"{phrase(20, 40)}.", False),))


def open_half(names: Iterable[str]) -> frozenset[str]:
    """Return the half of names that is looked at: by hash, of each group every second."""
    groups: dict[str, list[str]] = {}
    for name in hashed(names):
        groups.setdefault(name.replace("/", "-").partition("-")[0], []).append(name)
    return frozenset(name for group in groups.values() for name in group[::2])
