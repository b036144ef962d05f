"""Names of columns, and the phrases of a line above them."""

from pincite.formats.pdf.tables.spanned_names import segments_of, spanned_names, spans_all, spans_columns
from support.typed_pages import typed

NAMES = "                Fixed  Variable   Total    Total"
YEARS = "EUR thousand             2026               2025"
VALUES = "                  790       833   1,623    2,869"


def test_a_line_is_parted_where_the_white_is_as_wide_as_between_columns() -> None:
    (line,) = typed("A long label    1,200    3,400")
    assert [[word.text for word in part] for part in segments_of(line)] == [
        ["A", "long", "label"],
        ["1,200"],
        ["3,400"],
    ]


def test_phrases_span_all_names_below_them_but_no_values() -> None:
    years, names = typed(f"{YEARS}\n{NAMES}")
    assert spans_all(years, names)
    assert spans_columns(years, names)
    years, values = typed(f"{YEARS}\n{VALUES}")
    assert not spans_all(years, values)


def test_a_bold_phrase_in_the_middle_of_names_spans_them_and_one_at_their_edge_none() -> None:
    phrase, names = typed("      Both of them\nFirst name    Second name", bold=(0, 1))
    assert spanned_names(phrase, names) == (0, 2)
    phrase, names = typed("One\nFirst name    Second name", bold=(0, 1))
    assert spanned_names(phrase, names) is None
