"""The seventh set of what is printed and read back: sources; its looks are drawn in `printed_seventh_designs`.

Written and set aside on 2026-11-28, before pincite read any of it, by one who had not seen how pincite reads PDFs. Its
looks are drawn as those of the sixth set, by another seed and from all pieces that there are and some more. A third of
looks and of sources is set aside by hash: open are prints of which neither is, frozen those of which both are.

A row is asked to be whole, so most looks keep it on one page, as a careful author's print does; about one look in six
lets the end of a page cut it (`Design.flags` has `cut`, and the score says so beside the name).
"""

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from printed_fifth import MAKERS, Maker, caption, right_to_left, text
from printed_sixth import MAX_CELL_WORD, file_blocks, generated, start
from printed_sixth import OWN_MAKERS as SIXTH_MAKERS
from printed_sources import DATA, WORDS, Block, Cell, Source, random_prose, random_title, table_of

FILES = (
    "asvs-4.0.3/md/0x10-V1-Architecture.md",
    "asvs-4.0.3/md/0x20-V12-Files-Resources.md",
    "docs-prometheus/docs/guides/dockerswarm.md",
    "docs-prometheus/docs/guides/query-log.md",
    "nist-800-63-3/sp800-63b/sec8_security.md",
    "nist-800-63-3/sp800-63c/sec8_security.md",
)
"""Markdown with tables, lists and code that no other set has."""
FILINGS = ("filings-even", "filings-odd")
"""Statements of annual reports, every second one in each."""
MIN_ROWS, MAX_ROWS = 13, 32
"""Of a statement: one that is long, but no longer than a page."""
SEEDS = range(701, 705)
FIFTH_PARTS, SIXTH_PARTS, OWN_PARTS = 2, 2, 8
"""Parts of a generated source by makers of the other sets and of this one."""
_HEBREW = "רכבת נמל אוניברסיטה תלמיד מורה רופא תרופה מדידה טמפרטורה אנרגיה חשמל גשר כביש בניין מפה אוכלוסיה שכר סקר"
_ARABIC = "قطار ميناء جامعة طالب معلم طبيب دواء قياس حرارة طاقة كهرباء جسر مبنى خريطة سكان نسبة أجر مسح معدل حافلة"


def sources() -> list[Source]:
    """Return the sources."""
    makers = ((MAKERS, FIFTH_PARTS), (SIXTH_MAKERS, SIXTH_PARTS), (OWN_MAKERS, OWN_PARTS))
    return [
        *(Source(name, start(file_blocks(name))) for name in FILES),
        *(Source(name, tuple(_filings(number))) for number, name in enumerate(FILINGS)),
        Source("invoices-german", tuple(_invoices()), "de"),
        *(Source(f"generated-{seed}", tuple(generated(seed, *makers))) for seed in SEEDS),
        Source("rtl-hebrew-surveys", tuple(right_to_left(_HEBREW.split(), 71)), "he"),
        Source("rtl-arabic-surveys", tuple(right_to_left(_ARABIC.split(), 72)), "ar"),
    ]


def _filings(odd: int) -> Iterator[Block]:
    """Yield the statements at odd or even places of those that are long, but no longer than a page."""
    long = [one for one in statements() if MIN_ROWS <= len(one["rows"]) <= MAX_ROWS]
    yield from reported(f"Statements at {'odd' if odd else 'even'} places", long[odd::2], 700 + odd)


def statements() -> list[dict[str, Any]]:
    """Return the statements of `tables/statements.jsonl` that have years and the spaces of their labels."""
    lines = (DATA / "tables/statements.jsonl").read_text("utf-8").splitlines()
    return [one for one in map(json.loads, lines) if one["years"] and has_spaces(one)]


def reported(title: str, chosen: Iterable[dict[str, Any]], seed: int) -> Iterator[Block]:
    """Yield statements with the signs of a report, one a section."""
    draw = random.Random(seed)  # noqa: S311 - a drawing that can be repeated
    yield Block("heading", ((title, False),), level=1)
    for number, one in enumerate(chosen, 1):
        company, year = one["file"].split("_")[:2]
        yield Block("heading", ((f"{company.title()} {year}", False),), level=2)
        yield text(draw, "paragraph", 20, 60)
        rows = [[row["label"], *map(_as_reported, row["values"])] for row in one["rows"]]
        yield caption(draw, number)
        yield table_of([["In millions", *one["years"]], *rows])
        yield text(draw, "paragraph", 15, 40)


def has_spaces(statement: dict[str, Any]) -> bool:
    """Tell if the labels have the spaces between their words, which the truth of one report lacks."""
    return all(len(word) <= MAX_CELL_WORD for row in statement["rows"] for word in row["label"].split())


def _as_reported(value: str) -> str:
    whole, dot, rest = value.lstrip("-").partition(".")
    digits = f"{int(whole):,}{dot}{rest}" if whole.isdigit() else value.lstrip("-")
    return f"({digits})" if re.match(r"-\d", value) else digits


def _invoices() -> Iterator[Block]:
    """Yield the lines of `tables/invoice-items.jsonl` as German invoices have them, one invoice a section."""
    lines = (DATA / "tables/invoice-items.jsonl").read_text("utf-8").splitlines()
    yield Block("heading", (("Rechnungen des Jahres", False),), level=1)
    seen: set[str] = set()
    for line in lines:
        items = json.loads(line)["items"]
        name = " ".join(items[0]["description"].split())
        if name in seen:
            continue
        seen.add(name)
        yield Block("heading", ((f"Rechnung über {name}", False),), level=2)
        lead = "Wir danken für Ihren Auftrag und berechnen Ihnen die folgenden Lieferungen und Leistungen."
        yield Block("paragraph", ((lead, False),))
        rows = [
            [str(at), " ".join(item["description"].split()),
             *(_german(item[key]) for key in ("quantity", "price", "total"))]
            for at, item in enumerate(items, 1)
        ]  # fmt: skip
        yield table_of([["Pos.", "Bezeichnung", "Menge", "Einzelpreis", "Gesamt"], *rows])
        yield Block("paragraph", (("Zahlbar innerhalb von dreißig Tagen ohne Abzug.", False),))


def _german(amount: str) -> str:
    return f"{float(amount):,.2f}".translate(str.maketrans(",.", ".,"))


def _word(draw: random.Random, longest: int = 9) -> str:
    return draw.choice([word for word in WORDS if len(word) <= longest]).capitalize()


def _population(draw: random.Random, number: int) -> Iterator[Block]:
    """A table of an office of statistics: columns of two groups, values that are unknown or nothing."""
    above = (Cell(""), Cell("Persons", 3), Cell("Per cent", 2))
    rows = [(*map(Cell, ("Age", "Total", "Male", "Female", "Male", "Female")),)]
    for low in range(0, draw.randint(5, 9) * 10, 10):
        male, female = draw.randint(0, 90_000), draw.randint(1, 90_000)
        share = 100 * male / (male + female)
        texts = [f"{male + female:,}", f"{male:,}", f"{female:,}", f"{share:.1f}", f"{100 - share:.1f}"]
        texts = [draw.choice(["..", "-"]) if draw.random() < 0.06 else one for one in texts]  # noqa: PLR2004 - a few
        rows.append((*map(Cell, (f"{low} to {low + 9}", *texts)),))
    yield caption(draw, number)
    yield Block("table", rows=(above, *rows), header_rows=2)
    yield Block("paragraph", ((f"Source: {random_title(draw, 5)}.", False),))


def _regression(draw: random.Random, number: int) -> Iterator[Block]:
    """Estimates of three models with their stars, and standard errors in the rows below."""
    rows: list[list[str]] = []
    for _ in range(draw.randint(3, 6)):
        rows.append([random_title(draw, draw.randint(1, 3))])
        rows[-1] += [f"{draw.randint(-999, 999) / 1000:.3f}{'*' * draw.randint(0, 3)}" for _ in range(3)]
        rows.append(["standard error", *(f"({draw.randint(1, 400) / 1000:.3f})" for _ in range(3))])
    rows.append(["Observations", *(f"{draw.randint(200, 9_999):,}" for _ in range(3))])
    rows.append(["R-squared", *(f"0.{draw.randint(100, 980)}" for _ in range(3))])
    yield caption(draw, number)
    yield table_of([["Variable", "(1)", "(2)", "(3)"], *rows])


def _trial(draw: random.Random, number: int) -> Iterator[Block]:
    """Groups of a trial: counts with shares, means with deviations, and p values."""
    rows: list[list[str]] = []
    for at in range(draw.randint(5, 9)):
        if at % 2:
            values = [f"{draw.randint(1, 160)} ({draw.randint(1, 99)}.{draw.randint(0, 9)})" for _ in range(2)]
        else:
            values = [f"{draw.randint(20, 90)}.{draw.randint(0, 9)} ± {draw.randint(1, 9)}.2" for _ in range(2)]
        p = "<0.001" if draw.random() < 0.2 else f"0.{draw.randint(10, 99)}"  # noqa: PLR2004 - some
        rows.append([f"{random_title(draw, draw.randint(1, 3))}, {'n (%)' if at % 2 else 'mean'}", *values, p])
    yield caption(draw, number)
    yield table_of([["Characteristic", "Treated", "Control", "P"], *rows])


def _pins(draw: random.Random, number: int) -> Iterator[Block]:
    """Pins of a part."""
    rows = [
        [str(pin), f"{_word(draw, 7).upper()}{draw.randint(0, 7)}", draw.choice(["I", "O", "I/O", "P", "-"]),
         random_prose(draw, draw.randint(2, 14))]
        for pin in range(1, draw.randint(7, 17))
    ]  # fmt: skip
    yield caption(draw, number)
    yield table_of([["Pin", "Name", "Type", "Function"], *rows])


def _faults(draw: random.Random, _: int) -> Iterator[Block]:
    """What a manual says of faults: one fault has some causes, and a warning comes before."""
    yield Block("paragraph", ((f"Warning: {random_prose(draw, 14)}", False),))
    rows: list[list[str]] = []
    for _ in range(draw.randint(3, 5)):
        for at in range(draw.randint(1, 3)):
            fault = "" if at else random_title(draw, draw.randint(2, 5))
            rows.append([fault, random_title(draw, draw.randint(2, 7)), random_prose(draw, draw.randint(4, 15))])
    yield table_of([["Fault", "Possible cause", "Remedy"], *rows])


def _tariff(draw: random.Random, number: int) -> Iterator[Block]:
    """Prices by weight and zone, of which one does not take all weights."""
    rows: list[list[str]] = []
    price = draw.randint(300, 900)
    for weight in (1, 2, 5, 10, 20, 30):
        price += draw.randint(50, 700)
        prices = [f"{price * zone / 100:.2f}" for zone in range(1, 6)]
        rows.append([f"up to {weight} kg", *prices[:4], "-" if weight > 10 else prices[4]])  # noqa: PLR2004
    yield caption(draw, number)
    yield table_of([["Weight", *(f"Zone {zone}" for zone in range(1, 6))], *rows])


def _remuneration(draw: random.Random, number: int) -> Iterator[Block]:
    """Pay of a board: a header of two lines over years, sums that are right, a total."""
    above = (Cell("EUR thousand"), Cell("2026", 3), Cell("2025", 1))
    rows = [(*map(Cell, ("", "Fixed", "Variable", "Total", "Total")),)]
    sums = [0, 0, 0, 0]
    for _ in range(draw.randint(4, 8)):
        fixed, variable = draw.randint(200, 1_500), draw.randint(0, 2_500)
        values = [fixed, variable, fixed + variable, draw.randint(300, 3_000)]
        sums = [total + value for total, value in zip(sums, values, strict=True)]
        name = f"{draw.choice('ABCDEFGHJKLM')}. {_word(draw)}"
        rows.append((*map(Cell, (name, *(f"{value:,}" for value in values))),))
    rows.append((*map(Cell, ("Total", *(f"{total:,}" for total in sums))),))
    yield caption(draw, number)
    yield Block("table", rows=(above, *rows), header_rows=2)


def _risks(draw: random.Random, number: int) -> Iterator[Block]:
    """Risks with scores in narrow columns between texts that wrap."""
    rows: list[list[str]] = []
    for at in range(1, draw.randint(5, 8)):
        likely, severe = draw.randint(1, 5), draw.randint(1, 5)
        texts = [random_prose(draw, draw.randint(4, 16)), random_prose(draw, draw.randint(4, 24))]
        rows.append([f"R{at}", texts[0], str(likely), str(severe), str(likely * severe), texts[1]])
    yield caption(draw, number)
    yield table_of([["ID", "Risk", "L", "S", "LxS", "Measures"], *rows])


def _summary(draw: random.Random, number: int) -> Iterator[Block]:
    """Five years, with rows of figures, of shares and of changes."""
    rows: list[list[str]] = []
    for kind in ("amount", "share", "change", "amount", "amount", "share"):
        label = random_title(draw, draw.randint(1, 4))
        if kind == "amount":
            values = [f"{draw.randint(100, 99_999):,}" for _ in range(5)]
        elif kind == "share":
            values = [f"{draw.randint(10, 999) / 10}%" for _ in range(5)]
        else:
            values = [f"{draw.choice('+-')}{draw.randint(1, 99) / 10}" for _ in range(4)] + [".."]
        rows.append([label, *values])
    yield caption(draw, number)
    yield table_of([["", *(str(year) for year in range(2026, 2021, -1))], *rows])


def _orders(draw: random.Random, _: int) -> Iterator[Block]:
    """Numbers by which parts are ordered."""
    rows = [
        [f"{_word(draw, 5).upper()}-{draw.randint(100, 999)}{draw.choice('ABCX')}",
         draw.choice(["SO-8", "QFN-16", "TO-220", "BGA-64"]),
         f"-{draw.choice([20, 40, 55])} to {draw.choice([85, 105])}",
         draw.choice(["Tube", "Tray", "Reel, 2 500", "Reel, 4 000"])]
        for _ in range(draw.randint(4, 9))
    ]  # fmt: skip
    yield table_of([["Order number", "Package", "°C", "Delivery"], *rows])


def _league(draw: random.Random, number: int) -> Iterator[Block]:
    """Eight columns of short figures beside a name."""
    rows = [
        [str(at), f"{_word(draw)} {draw.choice(['FC', 'United', 'Town'])}",
         *(str(draw.randint(0, 38)) for _ in range(5)), f"{draw.choice(['+', '-'])}{draw.randint(1, 40)}"]
        for at in range(1, draw.randint(7, 13))
    ]  # fmt: skip
    yield caption(draw, number)
    yield table_of([["#", "Club", "P", "W", "D", "L", "Pts", "+/-"], *rows])


def _actions(draw: random.Random, _: int) -> Iterator[Block]:
    """Minutes of a meeting: items in order, and who does what until when."""
    for at in range(1, draw.randint(3, 6)):
        yield Block("item", ((random_prose(draw, draw.randint(10, 35)), False),), label=f"{at}.")
    rows = [
        [random_prose(draw, draw.randint(4, 18)), _word(draw),
         f"{draw.randint(1, 28)} {draw.choice(['May', 'June'])}"]
        for _ in range(draw.randint(3, 6))
    ]  # fmt: skip
    yield table_of([["Action", "Owner", "Due"], *rows])


def _language(draw: random.Random, _: int) -> Iterator[Block]:
    """Words in three languages."""
    words = [
        ("Rechnung", "facture", "invoice"), ("Straße", "rue", "street"), ("Prüfung", "contrôle", "audit"),
        ("Übersicht", "aperçu", "overview"), ("Gebühr", "droit", "fee"), ("Behörde", "autorité", "authority"),
        ("Größe", "taille", "size"), ("Küste", "côte", "coast"), ("Wärme", "chaleur", "heat"),
    ]  # fmt: skip
    rows = [list(row) for row in draw.sample(words, draw.randint(5, 9))]
    yield table_of([["Deutsch", "français", "English"], *rows])


def _service(draw: random.Random, number: int) -> Iterator[Block]:
    """A query, a file of settings and a session of a shell, and what its answers mean."""
    a, b, c = (draw.choice(WORDS)[:7].replace("-", "_") for _ in range(3))
    query = [f"SELECT {a}, count(*) AS {b}", f"  FROM {c}s", f" WHERE {a} > {draw.randint(1, 99)}", f" GROUP BY {a};"]
    settings = [f"{c}:", f"  {a}: true", f"  {b}:", f"    - name: {a}", f"      port: {draw.randint(1000, 9999)}"]
    shell = [f"$ systemctl restart {c}", f"$ {c}ctl status | grep {a}", f"{a}: ok ({draw.randint(1, 60)} s)"]
    for lines in draw.sample([query, settings, shell], 3):
        yield text(draw, "paragraph", 6, 20)
        yield Block("code", (("\n".join(lines), True),))
    rows = [[str(draw.randint(200, 599)), random_title(draw, 2), random_prose(draw, draw.randint(4, 16))]
            for _ in range(draw.randint(3, 7))]  # fmt: skip
    yield caption(draw, number)
    yield table_of([["Code", "Status", "Meaning"], *rows])


def _nutrition(draw: random.Random, _: int) -> Iterator[Block]:
    """Figures with their units in the cells."""
    rows = [
        [random_title(draw, draw.randint(1, 2)), f"{draw.randint(1, 900) / 10:.1f} g",
         f"{draw.randint(1, 300) / 10:.1f} g", f"{draw.randint(0, 60)} %"]
        for _ in range(draw.randint(5, 9))
    ]  # fmt: skip
    yield table_of([["Contents", "100 g", "Portion", "Share"], *rows])


OWN_MAKERS: Sequence[Maker] = (
    _population,
    _regression,
    _trial,
    _pins,
    _faults,
    _tariff,
    _remuneration,
    _risks,
    _summary,
    _orders,
    _league,
    _actions,
    _language,
    _service,
    _nutrition,
)
