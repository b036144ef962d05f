import struct

from pincite.formats.doc.grid import row_of, rows_markup
from pincite.formats.doc.modifiers import Code, Modifiers


def definition(*edges: int, merges: tuple[int, ...] = ()) -> Modifiers:
    """The modifier that gives a row its cells."""
    cells = b"".join(struct.pack("<H", flags) + bytes(18) for flags in merges)
    return {Code.CELLS: bytes([len(edges) - 1]) + struct.pack(f"<{len(edges)}h", *edges) + cells}


def cell(text: str, span: int = 1, merge: str = "") -> str:
    return f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/>{merge}</w:tcPr>{text}</w:tc>'


def test_cells_span_the_columns_of_other_rows() -> None:
    rows = [row_of(["a", "b"], definition(0, 1000, 3000)), row_of(["c", "d", "e"], definition(10, 1000, 2000, 3000))]
    markup = rows_markup(rows)
    assert cell("b", 2) in markup and cell("c") in markup and cell("e") in markup


def test_cells_that_continue_those_above_say_so() -> None:
    rows = [row_of(["a"], definition(0, 9, merges=(0x60,))), row_of([""], definition(0, 9, merges=(0x20,)))]
    assert '<w:vMerge w:val="restart"/>' in rows_markup(rows) and "<w:vMerge/>" in rows_markup(rows)


def test_empty_cells_that_are_merged_with_their_neighbour_are_part_of_it() -> None:
    text = '<w:t xml:space="preserve">x</w:t>'
    merged = row_of([text, "", "b"], definition(0, 10, 20, 30, merges=(2, 1, 0)))
    assert cell(text, 1) in rows_markup([merged])
    wide = row_of([text, "", "b"], definition(0, 1000, 2000, 3000, merges=(2, 1, 0)))
    assert cell(text, 2) in rows_markup([wide])


def test_a_cell_with_text_is_never_left_out() -> None:
    texts = [f'<w:t xml:space="preserve">{letter}</w:t>' for letter in "ab"]
    assert rows_markup([row_of(texts, definition(0, 1000, 2000, merges=(2, 1)))]).count("<w:tc>") == 2


def test_a_row_whose_definition_does_not_fit_has_its_cells_in_order() -> None:
    row = row_of(["a", "b"], definition(0, 1000))
    assert (row.edges, row.merges) == ((), ())
    assert rows_markup([row]).count("<w:tc>") == 2
    assert row_of(["a"], {Code.CELLS: b"\xff\0"}).edges == ()


def test_header_rows_are_marked_and_no_rows_are_no_table() -> None:
    assert "<w:tblHeader/>" in rows_markup([row_of(["a"], {Code.HEADER_ROW: b"\1"})])
    assert rows_markup([]) == ""
