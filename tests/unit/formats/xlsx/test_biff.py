from collections.abc import Iterable
from struct import pack

import pytest

from pincite.formats.xlsx.biff import Workbook
from pincite.formats.xlsx.second_pass import Extras
from pincite.model.call import Call
from pincite.model.document import AsideKind
from support.compound import compound
from support.workbooks import page_of, tables_of, texts_of

EOF = pack("<HH", 0x0A, 0)


def record(kind: int, *values: object, of: str = "", tail: bytes = b"") -> bytes:
    body = pack(f"<{of}", *values) + tail
    return pack("<HH", kind, len(body)) + body


def row(number: int, *, hidden: bool = False) -> bytes:
    return record(0x208, number, 0, 9, 255, 0, 0, 0x20 * hidden, 15, of="8H")


def floats(at: int, *numbers: tuple[int, float]) -> bytes:
    """A row's numbers, each with its style."""
    return b"".join(record(0x203, at, column, *number, of="HHHd") for column, number in enumerate(numbers))


def workbook(
    sheet: Iterable[bytes], *, version: int = 0x600, formats: bytes = b"", styles: Iterable[int] = ()
) -> bytes:
    """The stream of a workbook of one sheet."""
    begin = record(0x809, version, 5, 0, 0, 0, 0, of="HHHHII")
    shared = formats + b"".join(record(0xE0, 0, style, of="HH", tail=bytes(16)) for style in (0, *styles))
    name = b"\x06\0Prices" if version >= 0x600 else b"\x06Prices"
    start = len(begin + shared) + 4 + 6 + len(name) + len(EOF)
    listed = record(0x85, start, 0, of="IH", tail=name)
    body = record(0x809, version, 0x10, 0, 0, 0, 0, of="HHHHII") + b"".join(sheet) + EOF
    return begin + shared + listed + EOF + body


def extras_of(stream: bytes) -> Extras:
    return Workbook(stream, Call()).extras(0)


@pytest.mark.parametrize("number", [1234.5, -0.375, 0.0])
def test_numbers_are_shown_in_their_formats(number: float) -> None:
    stream = workbook([floats(3, (1, number), (2, number), (0, number))], styles=[2, 10])
    assert extras_of(stream).texts == {3: {0: f"{number:.2f}", 1: f"{number:.2%}"}}


@pytest.mark.parametrize(
    ("version", "code"),
    [
        (0x600, b'\x08\0\x000.0" kg"'),
        (0x600, b"\x08\0\x01" + '0.0" kg"'.encode("utf-16-le")),
        (0x500, b'\x080.0" kg"'),
    ],
)
def test_a_format_of_the_workbook_is_read_in_each_version(version: int, code: bytes) -> None:
    formats = record(0x41E, 164, of="H", tail=code)
    stream = workbook([floats(0, (1, 2.25))], version=version, formats=formats, styles=[164])
    assert extras_of(stream).texts == {0: {0: "2.3 kg"}}


@pytest.mark.parametrize(
    ("packed", "shown"),
    [(7 << 2 | 2, "7.00"), ((1 << 32) - 4 * 7 | 2, "-7.00"), (725 << 2 | 3, "7.25"), (0x3FF80000, "1.50")],
)
def test_short_numbers_are_whole_or_halves_of_floats_or_hundredths(packed: int, shown: str) -> None:
    alone = record(0x27E, 0, 0, 1, packed, of="HHHI")
    several = record(0xBD, 1, 2, 1, packed, 1, packed, 3, of="HHHIHIH")
    sheet = extras_of(workbook([alone, several], styles=[2]))
    assert sheet.texts == {0: {0: shown}, 1: {2: shown, 3: shown}}


def test_whole_numbers_in_a_format_of_texts_are_shown_as_they_are() -> None:
    sheet = extras_of(workbook([record(0x27E, 0, 0, 1, 7 << 2 | 2, of="HHHI")], styles=[49]))
    assert sheet.texts == {0: {0: "7"}}


def test_errors_and_results_of_formulas_are_shown() -> None:
    tail = bytes(8)
    cells = [
        record(0x205, 0, 0, 0, 42, 1, of="HHHBB"),
        record(0x205, 0, 1, 0, 1, 0, of="HHHBB"),
        record(0x06, 1, 0, 1, 0.5, 0, of="HHHdH", tail=tail),
        record(0x06, 1, 1, 1, 2, 7, 0xFFFF, of="HHHBxB3xH", tail=tail),
        record(0x06, 1, 2, 1, 0, 0, 0xFFFF, of="HHHBxB3xH", tail=tail),
    ]
    assert extras_of(workbook(cells, styles=[9])).texts == {0: {0: "#N/A"}, 1: {0: "50%", 1: "#DIV/0!"}}


def test_hidden_rows_and_columns_are_left_out_unless_a_filter_hides_the_rows() -> None:
    hidden = record(0x7D, 1, 1, 2000, 0, 1, 0, of="6H") + record(0x7D, 3, 4, 90, 0, 0, 0, of="6H")
    rows = [row(0), row(1, hidden=True), floats(0, (0, 1), (0, 2), (0, 3)), floats(1, (0, 4), (0, 5), (0, 6))]
    sheet = extras_of(workbook([hidden, *rows]))
    assert (sheet.hidden_rows, sheet.hidden_columns) == ({1}, {1, 3, 4})
    filtered = extras_of(workbook([record(0x9B), hidden, *rows]))
    assert filtered.hidden_rows == set()


def test_records_of_a_chart_in_a_sheet_are_not_the_sheets() -> None:
    chart = record(0x809, 0x600, 0x20, 0, 0, 0, 0, of="HHHHII") + floats(0, (1, 9)) + EOF
    assert extras_of(workbook([chart, floats(1, (1, 2))], styles=[2])).texts == {1: {0: "2.00"}}


def test_what_a_damaged_workbook_has_is_kept() -> None:
    cut = record(0x203, 1, 0, of="HH")
    sheet = extras_of(workbook([floats(0, (1, 2)), cut], styles=[2]))
    assert (sheet.texts, sheet.damaged) == ({0: {0: "2.00"}}, "a record is cut off")
    assert extras_of(record(0x809, 0x600, of="H") + record(0xE0, of="")) == Extras()
    assert extras_of(b"") == Extras()


def test_cells_beyond_the_largest_sheet_are_not_made_up() -> None:
    far = record(0x203, 0, 65_000, 1, 2.0, of="HHHd") + record(0x7D, 255, 65_000, 0, 0, 1, 0, of="6H")
    sheet = extras_of(workbook([far], styles=[2]))
    assert (sheet.texts, sheet.hidden_columns) == ({}, {255})


def test_a_workbook_of_excel_97_shows_what_its_reader_would_see() -> None:
    sheet = [record(0x7D, 1, 1, 2000, 0, 1, 0, of="6H"), floats(0, (1, 1.126), (0, 5), (2, 0.5))]
    page = page_of(compound({"Workbook": workbook(sheet, styles=[2, 9]).ljust(5000, b"\0")}))
    assert texts_of(tables_of(page)[0]) == [["1.13", "50%"]]
    assert [(aside.kind, aside.text) for aside in page.asides] == [(AsideKind.HIDDEN, "Prices!B1: 5")]
