import codecs

import pytest

from pincite.errors import Cancelled, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.csv import reader
from pincite.formats.csv.reader import read
from pincite.formats.writing.long_tables import PART_ROWS
from pincite.model.call import Call
from pincite.model.document import BlockKind, Head, Page, Table
from support.workbooks import tables_of, texts_of


def read_csv(data: bytes | str) -> tuple[Head, Page]:
    head, page = read(Blob("x.csv", data.encode() if isinstance(data, str) else data), ReadOptions(), Call())
    assert isinstance(head, Head) and isinstance(page, Page)
    return head, page


def one_table(data: bytes | str) -> Table:
    (table,) = tables_of(read_csv(data)[1])
    return table


def test_a_file_is_one_table_with_its_header() -> None:
    head, page = read_csv("name,age\nAnn,3\nBob,4\n")
    assert page.text == "| name | age |\n| --- | --- |\n| Ann | 3 |\n| Bob | 4 |\n"
    (table,) = tables_of(page)
    assert (table.header_rows, table.place) == (1, "A1:B3")
    assert head.properties == {"encoding": "utf-8", "delimiter": ","}


def test_the_guess_is_a_property() -> None:
    head, _ = read_csv("Größe\tName\n5\tMüller\n7\tJäger, schön\n".encode("cp1252"))
    assert head.properties == {"encoding": "cp1252", "delimiter": "tab"}


def test_quoted_cells_keep_delimiters_breaks_and_quotes() -> None:
    table = one_table('id,text\r\n1,"a, ""b""\r\nc"\r\n2,d\r\n')
    assert texts_of(table) == [["id", "text"], ["1", 'a, "b"\r\nc'], ["2", "d"]]


def test_one_note_above_the_table_is_its_caption_and_more_are_a_paragraph() -> None:
    assert one_table("Sales of May\nname;units\nx;1\ny;2\n").caption == "Sales of May"
    _, page = read_csv("Sales, by region\nas of 31 May, 2024\n\nname;units;price\nx;1;2,5\ny;2;3,5\nz;3;4,5\n")
    assert [block.kind for block in page.blocks] == [BlockKind.PARAGRAPH, BlockKind.TABLE]
    assert page.text.startswith("Sales, by region\nas of 31 May, 2024\n\n| name |")
    assert tables_of(page)[0].place == "A4:C7"


def test_a_file_of_values_alone_has_no_header() -> None:
    assert one_table("Ann,3\nBob,4\n").header_rows == 0
    assert one_table("notes\n1,2\n3,4\n").caption == "notes"


def test_rows_may_differ_in_length() -> None:
    table = one_table("a,b\n1\n1,2,3,4\n5,6\n")
    assert texts_of(table) == [["a", "b", "", ""], ["1", "", "", ""], ["1", "2", "3", "4"], ["5", "6", "", ""]]
    assert table.place == "A1:D4"


def test_a_long_file_comes_in_parts() -> None:
    tables = tables_of(read_csv("n,m\n" + "".join(f"{n},{n}\n" for n in range(PART_ROWS + 10)))[1])
    assert [(table.place, table.continued) for table in tables] == [
        (f"A1:B{PART_ROWS + 1}", False),
        (f"A{PART_ROWS + 2}:B{PART_ROWS + 11}", True),
    ]


def test_utf16_without_a_mark_is_read() -> None:
    head, page = read_csv("名前,住所\n花子,東京\n".encode("utf-16-le"))
    assert head.properties["encoding"] == "utf-16-le" and "| 花子 | 東京 |" in page.text


def test_a_mark_is_dropped() -> None:
    assert texts_of(one_table(codecs.BOM_UTF8 + b"a,b\n1,2\n"))[0] == ["a", "b"]


def test_the_marks_of_packed_cells_are_replaced() -> None:
    assert texts_of(one_table("a,b\n1\x1f,2\x1e\n3,4\n"))[1] == ["1\ufffd", "2\ufffd"]


def test_nuls_are_replaced_and_counted() -> None:
    _, page = read_csv(b"a,b\n" + b"1,2\n" * 3000 + b"\0,3\n")
    assert page.failures[0].reason.startswith("1 place is not valid")


def test_binary_data_is_refused() -> None:
    with pytest.raises(Unsupported, match="binary"):
        read_csv(b"PK\x03\x04" + bytes(100))


def test_a_line_without_end_is_cut_and_said() -> None:
    _, page = read_csv(b"x," * 2_000_000)
    assert [failure.reason for failure in page.failures] == [
        "line 1 is longer than 1,000,000 characters and was cut",
        "line 1 has 500,001 columns, the first 16,384 were read",
    ]
    assert tables_of(page)[0].columns == reader.MAX_COLUMNS


def test_a_quote_that_is_never_closed_loses_no_row() -> None:
    lines = "".join(f"{number},{'x' * 90}\n" for number in range(20_000))
    _, page = read_csv(f'id,text\n1,"open\n{lines}')
    assert page.text.count("x" * 90) == 20_000
    assert "quotation mark" in page.failures[0].reason


def test_an_empty_file_has_no_blocks() -> None:
    assert read_csv(b"")[1].blocks == ()
    assert read_csv(b"\n,,\n\n")[1].blocks == ()


def test_only_the_first_failures_are_told() -> None:
    wide = "a," * 17_000 + "\n"
    assert len(read_csv(wide * 12)[1].failures) == reader.MAX_FAILURES


def test_it_stops_when_nobody_waits() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        list(read(Blob("x", b"a,b\n1,2\n"), ReadOptions(), call))
