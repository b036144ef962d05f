"""An untagged page is read in the order in which it is read, as what its print shows."""

from support.pdf_layout import read
from support.pdf_read import shown
from support.pdfs import Text, prose


def test_a_table_stands_in_its_place_between_paragraphs() -> None:
    rows = [
        part
        for n, (label, *values) in enumerate(
            [("Sales", "1,200", "1,100"), ("Costs", "800", "700"), ("Profit", "400", "400")]
        )
        for part in (
            Text(label, y=160 + n * 14),
            *(Text(value, x=300 + 90 * m, y=160 + n * 14) for m, value in enumerate(values)),
        )
    ]
    found = read([*prose(), *rows, *prose(y=260)])
    assert [kind for kind, _ in shown(found)] == ["paragraph", "table", "paragraph"]
