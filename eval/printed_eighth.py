"""The eighth set of what is printed and read back: sources; its looks are drawn in `printed_eighth_designs`.

Written and set aside on 2026-11-28, before pincite read any of it, by one who had not seen how pincite reads PDFs. It
has no kind of piece that the fifth, the sixth or the seventh set lacks: it measures whether looks that nobody has seen
are read, of the kinds that those sets have. A third of looks and of sources is set aside by hash: open are prints of
which neither is, frozen those of which both are.

The truth has to be seen in a print: `tells_rows` leaves out tables of which it is not.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from printed_eighth_foreign import TONGUES, report
from printed_fifth import MAKERS, right_to_left
from printed_seventh import MAX_ROWS, MIN_ROWS, has_spaces, reported, statements
from printed_seventh import OWN_MAKERS as SEVENTH_MAKERS
from printed_sixth import OWN_MAKERS as SIXTH_MAKERS
from printed_sixth import file_blocks, generated, start
from printed_sources import DATA, Block, Source

FILES = {
    "asvs-4.0.3/md/0x15-V7-Error-Logging.md": 0,
    "asvs-4.0.3/md/0x93-Appendix-C_IoT.md": 0,
    "docs-prometheus/docs/guides/file-sd.md": 0,
    "docs-prometheus/docs/introduction/release-cycle.md": 0,
    "docs-prometheus/docs/specs/om/open_metrics_spec.md": 165,
    "nist-800-63-3/sp800-63c/sec9_privacy.md": 0,
}
"""Markdown with tables, lists and code that no other set has, and how many blocks go before those that are printed."""
YEARS = {2: ("2022", "2021"), 3: ("2022", "2021", "2020")}
"""Names of the columns of Verizon's statements, by their number: their truth has none."""
STATEMENTS = 9
MIN_STATEMENT = 4
SEEDS = range(801, 804)
PARTS_EACH = 4
"""Parts of a generated source by makers of each of the other sets."""
FIGURE = re.compile(r"[(+-]?[\d.,]*\d%?\)?")
_HEBREW = (
    "אוויר אולם ארכיון בדיקה גובה גליל דרום חומר חלון טיוטה יבוא כלי לשכה מדד מנוע נספח עומק פיקוח צינור קרקע רוחב תקן"
)
_ARABIC = (
    "هواء قاعة أرشيف فحص ارتفاع جنوب مادة نافذة مسودة استيراد أداة مكتب مؤشر محرك ملحق عمق رقابة أنبوب تربة عرض معيار"
)


def sources() -> list[Source]:
    """Return the sources."""
    makers = tuple((own, PARTS_EACH) for own in (MAKERS, SIXTH_MAKERS, SEVENTH_MAKERS))
    others = [one for one in statements() if not MIN_ROWS <= len(one["rows"]) <= MAX_ROWS]
    return [
        *(Source(name, _telling(start(file_blocks(name, before)))) for name, before in FILES.items()),
        Source("filings-long", tuple(reported("Statements of other lengths", others, 801))),
        Source("filings-verizon", tuple(reported("Statements of one report", _verizon(), 802))),
        *(Source(f"generated-{seed}", _telling(generated(seed, *makers))) for seed in SEEDS),
        *(
            Source(f"foreign-{name}", tuple(report(tongue, 810 + at)), tongue.code)
            for at, (name, tongue) in enumerate(TONGUES.items())
        ),
        Source("rtl-hebrew-standards", tuple(right_to_left(_HEBREW.split(), 81)), "he"),
        Source("rtl-arabic-standards", tuple(right_to_left(_ARABIC.split(), 82)), "ar"),
    ]


def _telling(blocks: Iterable[Block]) -> tuple[Block, ...]:
    return tuple(block for block in blocks if block.kind != "table" or tells_rows(block))


def tells_rows(table: Block) -> bool:
    """Tell if each row begins with a text or has a figure of one line.

    Else it cannot be told, where no rule parts the rows, from the next line of the row above it.
    """
    return all(
        row[0].text or any(FIGURE.fullmatch(cell.text) for cell in row) for row in table.rows[table.header_rows :]
    )


def _verizon() -> Iterator[dict[str, Any]]:
    """Yield the first statements of `tables/verizon.jsonl` that have a value in each column, with years."""
    lines = (DATA / "tables/verizon.jsonl").read_text("utf-8").splitlines()
    found = 0
    for one in map(json.loads, lines):
        counts = {len(row["values"]) for row in one["rows"]}
        if (
            found < STATEMENTS
            and len(counts) == 1
            and MIN_STATEMENT <= len(one["rows"]) <= MAX_ROWS
            and has_spaces(one)
        ):
            years = YEARS.get(counts.pop())
            found += years is not None
            if years:
                yield one | {"years": years}
