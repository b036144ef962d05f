"""The sixth set of what is printed and read back: sources; its looks are drawn in `printed_sixth_designs`.

Written and set aside on 2026-11-27, before pincite read any of it, by one who had not seen how pincite reads PDFs.
Looks are drawn as those of the fifth set, by another seed and from more pieces (`printed_sixth_pieces`), most of them
for the engines that most PDFs are of. A third of looks and of sources is set aside by hash: open are prints of which
neither is, frozen those of which both are.

The truth has to be seen in a print. Tables of one column are left out (they look like text), and so are words too long
for a column, headings below the fourth level (the looks have four) and lines of code too long for a page.
"""

import random
from collections.abc import Iterator, Sequence

import printed_second
from printed_fifth import MAKERS, Maker, caption, generated_sections, heading, right_to_left, text
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

FILES = {
    "asvs-4.0.3/md/0x12-V3-Session-management.md": 0,
    "asvs-4.0.3/md/0x21-V13-API.md": 0,
    "docs-prometheus/docs/guides/cadvisor.md": 0,
    "docs-prometheus/docs/instrumenting/writing_clientlibs.md": 95,
    "nist-800-63-3/sp800-63b/sec4_aal.md": 62,
    "nist-800-63-3/sp800-63b/sec7_session.md": 0,
    "standards/spdx-2.3/spdx-2.3.md": 192,
}
"""Markdown with tables, lists and code that no other set has, and how many blocks go before those that are printed."""
WEB_PAGES = ("html/sqlite-select.html",)
MENU_ENDS = (": show", ": hide")
"""Texts of buttons that a print lacks."""
MAX_BLOCKS, MAX_WEB_BLOCKS, MAX_LEVEL = 75, 400, 4
MIN_COLUMNS = 2
MAX_CELL_WORD, MAX_WORD = 22, 34
"""Letters of words that fit the narrowest column of a table and of text."""
MAX_CODE_LINES, MAX_CODE_COLUMNS = 24, 66
SEEDS = range(601, 606)
FIFTH_PARTS, OWN_PARTS = 4, 8
"""Parts of a generated source by makers of the fifth set and of this one."""
_HEBREW = "מדינה שוק מחיר מוצר חברה דוח רבעון הכנסה הוצאה נכס ריבית מניה ביטוח עובד מפעל יצוא תקציב מס הלוואה שנתי כללי"
_ARABIC = "شركة سوق سعر منتج تقرير ربع دخل نفقة أصل فائدة سهم تأمين عامل مصنع تصدير ميزانية ضريبة قرض سنوي عام مجموع"


def sources() -> list[Source]:
    """Return the sources."""
    return [
        *(Source(name, start(file_blocks(name, before))) for name, before in FILES.items()),
        *(Source(f"web/{name}", start(printed_second.web_page(name, MAX_WEB_BLOCKS))) for name in WEB_PAGES),
        *(
            Source(f"generated-{seed}", tuple(generated(seed, (MAKERS, FIFTH_PARTS), (OWN_MAKERS, OWN_PARTS))))
            for seed in SEEDS
        ),
        Source("rtl-hebrew-reports", tuple(right_to_left(_HEBREW.split(), 61)), "he"),
        Source("rtl-arabic-reports", tuple(right_to_left(_ARABIC.split(), 62)), "ar"),
    ]


def file_blocks(name: str, before: int = 0) -> list[Block]:
    return markdown_blocks((DATA / name).read_text("utf-8"))[before:]


def start(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return the first blocks of which a print shows the truth."""
    dense = with_dense_levels([block for block in blocks if _fits(block)][:MAX_BLOCKS])
    return tuple(block for block in dense if block.level <= MAX_LEVEL)


def _fits(block: Block) -> bool:
    if block.kind == "table":
        words = [word for row in block.rows for cell in row for word in cell.text.split()]
        return min(map(len, block.rows)) >= MIN_COLUMNS and max(map(len, words), default=0) <= MAX_CELL_WORD
    if block.kind == "code":
        lines = block.text.split("\n")
        return len(lines) < MAX_CODE_LINES and max(map(len, lines)) <= MAX_CODE_COLUMNS
    return not block.text.endswith(MENU_ENDS) and max(map(len, block.text.split()), default=0) <= MAX_WORD


def generated(seed: int, *makers_of: tuple[Sequence[Maker], int]) -> Iterator[Block]:
    """Yield a title, a list of contents and sections by makers, of which the seed draws a number of each set's."""
    draw = random.Random(f"parts of {seed}")  # noqa: S311 - a drawing that can be repeated
    makers = [make for own, count in makers_of for make in draw.sample(own, count)]
    title, summary, *rest = generated_sections(seed, makers)
    yield from (title, summary)
    if draw.random() < 0.6:  # noqa: PLR2004 - most
        yield Block("heading", (("Contents", False),), level=2)
        page = 1
        for block in rest:
            if block.level == 2:  # noqa: PLR2004 - sections
                page += draw.randint(1, 9)
                yield Block("paragraph", ((f"{block.text} {'. ' * draw.randint(6, 12)}{page}", False),))
    yield from rest


def _balance(draw: random.Random, number: int) -> Iterator[Block]:
    """A balance sheet: numbers of notes, groups with a line of their own, and sums that are right."""
    rows: list[list[str]] = []
    note = 0
    for group in draw.sample(["Fixed assets", "Current assets", "Equity", "Liabilities", "Provisions"], 3):
        rows.append([group, "", "", ""])
        sums = [0, 0]
        for _ in range(draw.randint(2, 5)):
            amounts = [draw.randint(10, 99_999) * draw.choice([1, 1, 1, -1]) for _ in sums]
            sums = [total + amount for total, amount in zip(sums, amounts, strict=True)]
            note += 1
            reference = str(note) if draw.random() < 0.6 else ""  # noqa: PLR2004 - most have a note
            rows.append([random_title(draw, draw.randint(1, 5)), reference, *map(_signed, amounts)])
        rows.append([f"Total {group.lower()}", "", *map(_signed, sums)])
    yield caption(draw, number)
    yield table_of([["In thousands", "Note", "2026", "2025"], *rows])


def _signed(amount: int) -> str:
    return f"({-amount:,})" if amount < 0 else f"{amount:,}"


def _quantities(draw: random.Random, _: int) -> Iterator[Block]:
    """A bill of quantities in groups, with a sum of each."""
    rows: list[list[str]] = []
    for group in range(1, draw.randint(3, 4)):
        rows.append([f"{group}", random_title(draw, draw.randint(1, 3)), "", "", "", ""])
        total = 0
        for at in range(1, draw.randint(3, 6)):
            quantity, rate = draw.randint(1, 400), draw.randint(1, 180)
            total += quantity * rate
            rows.append([
                f"{group}.{at:02}", random_title(draw, draw.randint(3, 14)), str(quantity),
                draw.choice(["m2", "m3", "m", "nr", "t"]), f"{rate:,}.00", f"{quantity * rate:,}.00",
            ])  # fmt: skip
        rows.append(["", "Carried to summary", "", "", "", f"{total:,}.00"])
    yield table_of([["Item", "Description", "Qty", "Unit", "Rate", "Amount"], *rows])


def _timetable(draw: random.Random, number: int) -> Iterator[Block]:
    """Times of trains, which do not all stop."""
    trains = draw.randint(4, 6)
    starts = sorted(draw.randint(300, 1200) for _ in range(trains))
    rows: list[list[str]] = []
    for stop in range(draw.randint(7, 13)):
        times = [start + stop * draw.randint(4, 9) for start in starts]
        name = draw.choice([word for word in WORDS if len(word) < 10]).capitalize()  # noqa: PLR2004 - one line
        texts = [f"{time // 60:02}:{time % 60:02}" if draw.random() < 0.85 else "-" for time in times]  # noqa: PLR2004
        rows.append([f"{name} {draw.choice(['N', 'S', 'E', 'W'])}", *texts])
    yield caption(draw, number)
    yield table_of([["Stop", *(str(draw.randint(100, 999)) for _ in starts)], *rows])


def _glossary(draw: random.Random, _: int) -> Iterator[Block]:
    """Terms in the order of letters, with meanings of some lines."""
    terms = sorted(random_title(draw, draw.randint(1, 2)) for _ in range(draw.randint(6, 12)))
    yield table_of([["Term", "Meaning"], *([term, random_prose(draw, draw.randint(4, 32))] for term in terms)])


def _groups(draw: random.Random, number: int) -> Iterator[Block]:
    """Names of rows that stand once for several rows, below headers of two columns each."""
    years = [str(draw.randint(2018, 2021)), str(draw.randint(2022, 2026))]
    above = (Cell(""), Cell(""), *(Cell(year, 2) for year in years))
    rows = [(*map(Cell, ("Region", "Branch", "Number", "Share", "Number", "Share")),)]
    for region in ("North", "South", "West"):
        for at in range(draw.randint(2, 4)):
            figures = [f"{draw.randint(1, 9_999):,}", f"{draw.randint(1, 999) / 10}%"]
            figures += [f"{draw.randint(1, 9_999):,}", f"{draw.randint(1, 999) / 10}%"]
            texts = ["" if at else region, random_title(draw, draw.randint(1, 2)), *figures]
            rows.append((*map(Cell, texts),))
    yield caption(draw, number)
    yield Block("table", rows=(above, *rows), header_rows=2)


def _references(draw: random.Random, _: int) -> Iterator[Block]:
    for at in range(1, draw.randint(5, 11)):
        names = f"{draw.choice('ABCDEFGH')}. {draw.choice(WORDS).capitalize()}"
        title, pages = random_title(draw, draw.randint(4, 12)), draw.randint(10, 400)
        entry = f"[{at}] {names}, {title}, {draw.randint(1970, 2025)}, pp. {pages}-{pages + 9}."
        yield Block("paragraph", ((entry, False),))


def _procedure(draw: random.Random, _: int) -> Iterator[Block]:
    """Numbered steps with bullets between them."""
    for at in range(1, draw.randint(4, 7)):
        yield Block("item", ((random_prose(draw, draw.randint(5, 25)), False),), label=f"{at}.")
        for _ in range(draw.randint(0, 3)):
            yield text(draw, "item", 3, 14)


def _equations(draw: random.Random, number: int) -> Iterator[Block]:
    """Formulas in plain text, with their numbers in parentheses, and what their letters mean."""
    for at in range(1, draw.randint(3, 5)):
        a, b, c = draw.sample("abcdkmpqrstuvxyz", 3)
        formula = f"{a.upper()} = {draw.randint(2, 99)} {b} / ({c} + {draw.randint(1, 9)}.{draw.randint(0, 9)})"
        yield Block("paragraph", ((f"{formula}   ({number}.{at})", False),))
        meaning = f"where {b} is the {random_title(draw, 4).lower()} and {c} the {random_title(draw, 3).lower()}."
        yield Block("paragraph", ((meaning, False),))


def _interface(draw: random.Random, _: int) -> Iterator[Block]:
    """Functions with their signatures, parameters and examples."""
    for _ in range(draw.randint(2, 3)):
        name, first, second = (draw.choice(WORDS)[:7].replace("-", "_") for _ in range(3))
        yield heading(draw, 4, 3)
        yield Block("code", ((f"def {name}({first}: int, {second}: str)", True),))
        yield text(draw, "paragraph", 8, 30)
        rows = [
            [f"{first}_{at}", draw.choice(["int", "str", "bool"]), random_prose(draw, draw.randint(3, 14))]
            for at in range(draw.randint(2, 4))
        ]
        yield table_of([["Parameter", "Type", "Description"], *rows])
        example = [f">>> {name}({draw.randint(1, 99)}, 'x')", f"{draw.randint(1, 999)}"]
        yield Block("code", (("\n".join(example), True),))


def _invoice(draw: random.Random, _: int) -> Iterator[Block]:
    """Lines of an invoice, and sums below its last column that are right."""
    rows: list[list[str]] = []
    total = 0
    for at in range(1, draw.randint(4, 9)):
        count, cents = draw.randint(1, 40), draw.randint(100, 99_999)
        total += count * cents
        details = random_title(draw, draw.randint(2, 8))
        rows.append([str(at), details, str(count), f"{cents / 100:,.2f}", f"{count * cents / 100:,.2f}"])
    tax = round(total * 0.19)
    for name, cents in (("Subtotal", total), ("VAT 19%", tax), ("Total due", total + tax)):
        rows.append(["", name, "", "", f"{cents / 100:,.2f}"])
    yield table_of([["Pos", "Description", "Qty", "Price", "Amount"], *rows])


def _matrix(draw: random.Random, number: int) -> Iterator[Block]:
    """Which release has what: short words in narrow columns."""
    rows = [
        [random_title(draw, draw.randint(1, 4)), *(draw.choice(["yes", "no", "n/a", "partly"]) for _ in range(4))]
        for _ in range(draw.randint(5, 11))
    ]
    yield caption(draw, number)
    yield table_of([["Feature", "1.0", "1.1", "2.0", "2.1"], *rows])


def _amendments(draw: random.Random, _: int) -> Iterator[Block]:
    """Versions of a document, as standards and manuals have them."""
    rows = [
        [f"{at}.{draw.randint(0, 9)}", f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.20{20 + at}",
         f"{draw.choice('ABCDEFGH')}. {draw.choice(WORDS)[:9].capitalize()}", random_prose(draw, draw.randint(3, 22))]
        for at in range(1, draw.randint(4, 7))
    ]  # fmt: skip
    yield table_of([["Version", "Date", "Author", "Changes"], *rows])


OWN_MAKERS = (
    _balance,
    _quantities,
    _timetable,
    _glossary,
    _groups,
    _references,
    _procedure,
    _equations,
    _interface,
    _invoice,
    _matrix,
    _amendments,
)
