"""The fifth set of what is printed and read back: sources; its looks are drawn in `printed_fifth_designs`.

Written and set aside on 2026-11-27, before pincite read any of it, by one who had not seen how pincite reads PDFs. The
other sets' looks were each made by hand; these are drawn from pieces (`printed_fifth_css`, `_typst`, `_latex`), so that
no look was thought of as a whole. A third of looks and of sources is set aside by hash: open are prints of which
neither is, frozen those of which both are.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

import printed_second
from printed_sources import (
    DATA,
    WORDS,
    Block,
    Cell,
    Source,
    markdown_blocks,
    random_prose,
    random_title,
    table_of,
    with_dense_levels,
)

FILES = (
    "asvs-4.0.3/md/0x13-V5-Validation-Sanitization-Encoding.md",
    "asvs-4.0.3/md/0x22-V14-Config.md",
    "docs-prometheus/docs/tutorials/getting_started.md",
    "docs-prometheus/docs/instrumenting/exposition_formats.md",
    "docs-prometheus/docs/practices/naming.md",
    "nist-800-63-3/sp800-63-3/sec5_DIRM.md",
    "nist-800-63-3/sp800-63a/sec5_proofing.md",
)
"""Markdown with tables, lists and code that no other set has."""
WEB_PAGES = {"office/test_wikipedia.html": 155, "standards/csaf-cvrf-1.2/csaf-cvrf-v1.2.html": 1}
"""Pages, and how many blocks go before the text: its heading, which is kept, and menus."""
MAX_BLOCKS, MAX_WEB_BLOCKS = 75, 400
MAX_CELL_WORD, MAX_CODE_LINES = 28, 24
"""Longer words stand over the next column of a narrow table, and longer code over the foot of a slide."""
SEEDS = range(501, 505)
Maker = Callable[[random.Random, int], Iterator[Block]]
"""Yields a part of a section, of a drawing and the number of the part."""
_HEBREW = (
    "חוק סעיף משרד תקנה הסכם צד תאריך סכום תשלום בנק חשבון עיריה ועדה החלטה דיון פרק טבלה נתון מחקר שיטה תוצאה מסקנה"
)
_ARABIC = (
    "قانون مادة وزارة نظام اتفاق طرف تاريخ مبلغ دفع مصرف حساب بلدية لجنة قرار جلسة فصل جدول بيانات بحث طريقة نتيجة"
)


def sources() -> list[Source]:
    """Return the sources."""
    return [
        *(Source(name, _start(markdown_blocks((DATA / name).read_text("utf-8")))) for name in FILES),
        *(Source(f"web/{name}", _web_page(name, before)) for name, before in WEB_PAGES.items()),
        *(Source(f"generated-{seed}", tuple(generated_sections(seed, MAKERS))) for seed in SEEDS),
        Source("rtl-hebrew", tuple(right_to_left(_HEBREW.split(), 51)), "he"),
        Source("rtl-arabic", tuple(right_to_left(_ARABIC.split(), 52)), "ar"),
    ]


def _web_page(name: str, before: int) -> tuple[Block, ...]:
    blocks = list(printed_second.web_page(name, MAX_WEB_BLOCKS))
    return _start(blocks[:1] + blocks[before:])


def _start(blocks: list[Block]) -> tuple[Block, ...]:
    return with_dense_levels([block for block in blocks if _fits(block)][:MAX_BLOCKS])


def _fits(block: Block) -> bool:
    words = [word for row in block.rows for cell in row for word in cell.text.split()]
    return max(map(len, words), default=0) <= MAX_CELL_WORD and block.text.count("\n") < MAX_CODE_LINES


def heading(draw: random.Random, level: int, most_words: int = 6) -> Block:
    return Block("heading", ((random_title(draw, draw.randint(1, most_words)), False),), level=level)


def text(draw: random.Random, kind: str, low: int, high: int) -> Block:
    return Block(kind, ((random_prose(draw, draw.randint(low, high)), False),))


def caption(draw: random.Random, number: int, name: str = "Table") -> Block:
    return Block("caption", ((f"{name} {number}. {random_title(draw, draw.randint(2, 8))}", False),))


def generated_sections(seed: int, makers: Iterable[Maker]) -> Iterator[Block]:
    """Yield sections of what the makers yield, in an order that the seed draws."""
    draw = random.Random(seed)  # noqa: S311 - a drawing that can be repeated
    yield heading(draw, 1, 5)
    yield text(draw, "paragraph", 40, 80)
    makers = list(makers)
    draw.shuffle(makers)
    for number, make in enumerate(makers, 1):
        if number % 2:
            yield heading(draw, 2)
            yield text(draw, "paragraph", 25, 80)
            if number % 3 == 0:
                yield text(draw, "footnote", 6, 18)
        yield heading(draw, 3)
        if number % 4 == 2:  # noqa: PLR2004 - here and there
            yield text(draw, "note", 4, 8)
        yield text(draw, "paragraph", 20, 70)
        yield from make(draw, number)
        if number % 3 == 1:
            yield heading(draw, 4, 3)
        yield text(draw, "paragraph", 15, 60)


def money(draw: random.Random, most: int = 9_999) -> str:
    return f"{draw.randint(1, most):,}.{draw.randint(0, 99):02}"


def _entries(draw: random.Random, _: int) -> Iterator[Block]:
    """Entries of an account over pages: an amount in one of two columns, and a balance."""
    rows: list[list[str]] = []
    for day in range(draw.randint(24, 48)):
        amounts = [money(draw), ""] if draw.random() < 0.7 else ["", money(draw)]  # noqa: PLR2004 - most are debits
        details = f"{random_title(draw, draw.randint(1, 6))} {draw.randint(10**5, 10**6)}"
        rows.append([f"{1 + day % 28:02}/{1 + day // 28:02}", details, *amounts, money(draw, 99_999)])
    yield table_of([["Date", "Details", "Paid out", "Paid in", "Balance"], *rows])


def _prices(draw: random.Random, number: int) -> Iterator[Block]:
    rows = [
        [f"{draw.randint(10, 99)}-{draw.randint(1000, 9999)}", random_title(draw, draw.randint(2, 9)),
         draw.choice(["pc", "box", "m", "kg"]), str(draw.choice([1, 10, 25, 100])), money(draw, 900)]
        for _ in range(draw.randint(7, 16))
    ]  # fmt: skip
    yield caption(draw, number)
    yield table_of([["Article", "Description", "Unit", "Qty", "Price"], *rows])


def _limits(draw: random.Random, number: int) -> Iterator[Block]:
    """Limits of a part: a header over three of its columns, of which some are empty."""
    above = (Cell(""), Cell(""), Cell("Value", 3), Cell(""))
    rows = [(*map(Cell, ("Parameter", "Conditions", "Min", "Typ", "Max", "Unit")),)]
    for _ in range(draw.randint(5, 10)):
        low = draw.randint(1, 40) / 10
        values = [f"{low:.1f}" if draw.random() < 0.6 else "", f"{low * 2:.1f}", f"{low * 3:.1f}"]  # noqa: PLR2004
        texts = [random_title(draw, draw.randint(1, 3)), random_title(draw, draw.randint(1, 3))]
        rows.append((*map(Cell, (*texts, *values, draw.choice(["V", "mA", "ns", "MHz"]))),))
    yield caption(draw, number)
    yield Block("table", rows=(above, *rows), header_rows=2)


def _annex(draw: random.Random, number: int) -> Iterator[Block]:
    """Long texts that wrap beside a number."""
    rows = [[f"({at})", random_prose(draw, draw.randint(10, 60)), random_prose(draw, draw.randint(5, 25))]
            for at in range(1, draw.randint(5, 8))]  # fmt: skip
    yield caption(draw, number, "Annex")
    yield table_of([["No", "Requirement", "Evidence"], *rows])


def _key_values(draw: random.Random, _: int) -> Iterator[Block]:
    rows = [[random_title(draw, 1), random_title(draw, draw.randint(1, 7))] for _ in range(draw.randint(4, 8))]
    yield table_of([["Field", "Content"], *rows])


def _survey(draw: random.Random, number: int) -> Iterator[Block]:
    rows = [[random_title(draw, draw.randint(2, 7)), *(f"{draw.randint(0, 999) / 10}%" for _ in range(4))]
            for _ in range(draw.randint(4, 9))]  # fmt: skip
    yield caption(draw, number)
    yield table_of([["Answer", "2022", "2023", "2024", "2025"], *rows])


def _totals(draw: random.Random, _: int) -> Iterator[Block]:
    """Groups with a line of their own, and sums; figures in parentheses and minus signs."""
    rows: list[list[str]] = []
    for _ in range(draw.randint(2, 3)):
        rows.append([random_title(draw, 2).upper(), "", ""])
        for _ in range(draw.randint(2, 5)):
            signs = draw.choice([("", ""), ("(", ")"), ("-", "")])
            amounts = [f"{draw.randint(1, 99_999):,}" for _ in range(2)]
            rows.append([random_title(draw, draw.randint(1, 4)), amounts[0], signs[0] + amounts[1] + signs[1]])
        rows.append([f"Total {draw.choice(WORDS)}", *(f"{draw.randint(1, 99_999):,}" for _ in range(2))])
    yield table_of([["EUR thousand", "2025", "2024"], *rows])


def _register(draw: random.Random, number: int) -> Iterator[Block]:
    """Bits and names of a register: narrow columns of words that wrap."""
    rows = [
        [f"{at * 4 + 3}:{at * 4}", draw.choice(WORDS)[:6].upper(), draw.choice(["R", "W", "RW"]),
         f"0x{draw.randint(0, 255):02X}", random_prose(draw, draw.randint(3, 16))]
        for at in range(7, -1, -1)
    ]  # fmt: skip
    yield caption(draw, number)
    yield table_of([["Bits", "Name", "Access", "Reset", "Meaning"], *rows])


def _diagram(draw: random.Random, number: int) -> Iterator[Block]:
    labels = [f"{draw.choice(WORDS)[:5].capitalize()} {letter}" for letter in "WXYZ"]
    yield Block("figure", (("\n".join(labels), False),))
    yield caption(draw, number, "Figure")
    yield text(draw, "quote", 15, 40)


def _program(draw: random.Random, number: int) -> Iterator[Block]:
    a, b, c = (draw.choice(WORDS)[:6].replace("-", "_") for _ in range(3))
    program = [
        f"struct {a} {{", f"    int {b};  /* in ms */", "};", "", f"static int {c}(struct {a} *p)", "{",
        f"    if (p->{b} < {draw.randint(2, 99)})", "        return -1;", "", f"    while (p->{b}--)",
        f"        {a}_run(p);", "    return 0;", "}",
    ]  # fmt: skip
    settings = ["{", f'  "{a}": [1, 2, 3],', f'  "{b}": {{', f'    "{c}": null', "  }", "}"]
    yield caption(draw, number, "Listing")
    yield Block("code", (("\n".join(program), True),))
    yield text(draw, "paragraph", 5, 20)
    yield Block("code", (("\n".join(settings), True),))
    yield Block("paragraph", (("Set ", False), (f"{a}_{b}", True), (f" before {random_title(draw, 6)}.", False)))


def _clauses(draw: random.Random, _: int) -> Iterator[Block]:
    """Lists with and without numbers, and definitions."""
    for at in range(1, draw.randint(4, 7)):
        yield Block("item", ((random_prose(draw, draw.randint(4, 35)), False),), label=f"{at}.")
    yield text(draw, "paragraph", 5, 20)
    for _ in range(draw.randint(3, 6)):
        yield text(draw, "item", 3, 25)
    for _ in range(draw.randint(2, 4)):
        yield Block("definition", ((random_prose(draw, draw.randint(6, 25)), False),), label=random_title(draw, 2))


MAKERS: tuple[Maker, ...] = (
    _entries,
    _prices,
    _limits,
    _annex,
    _key_values,
    _survey,
    _totals,
    _register,
    _diagram,
    _program,
    _clauses,
)


def right_to_left(words: Sequence[str], seed: int) -> Iterator[Block]:
    draw = random.Random(seed)  # noqa: S311 - a drawing that can be repeated

    def phrase(low: int, high: int) -> str:
        return " ".join(draw.choice(words) for _ in range(draw.randint(low, high)))

    yield Block("heading", ((phrase(2, 4), False),), level=1)
    for section in range(1, 6):
        yield Block("heading", ((phrase(2, 5), False),), level=2)
        yield Block("paragraph", ((f"{phrase(20, 50)} 12.5% {phrase(5, 20)}.", False),))
        if section % 2:
            rows = [[phrase(1, 3), phrase(1, 5), f"{draw.randint(10, 9999):,}"] for _ in range(draw.randint(4, 7))]
            yield table_of([[phrase(1, 2), phrase(1, 1), "2025"], *rows])
        else:
            for _ in range(3):
                yield Block("item", ((f"{phrase(4, 20)}.", False),))
        yield Block("heading", ((phrase(1, 3), False),), level=3)
        yield Block("paragraph", ((f"{phrase(15, 40)}.", False),))
