from collections.abc import Iterable

import pytest

from pincite.errors import Cancelled
from pincite.formats.xlsx.extent import measure
from pincite.model.call import Call


def extent_of(xml: str, size: int = 1000) -> tuple[int, int, int, bool]:
    data = xml.encode()

    def chunks() -> Iterable[bytes]:
        return (data[start : start + size] for start in range(0, len(data), size))

    found = measure(chunks, Call())
    return found.cells, found.rows, found.columns, found.sparse


def test_a_full_sheet_is_not_sparse_however_the_pieces_are_cut() -> None:
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>1</v></c><c r="B{n}" s="3"><v>2</v></c></row>' for n in range(1, 200))
    for size in (7, 100, 100_000):
        assert extent_of(rows, size) == (398, 999, 2, False)


@pytest.mark.parametrize(
    "far",
    [
        '<c r="XFD1048576"><v>1</v></c>',
        "<c r='XFD1048576'><v>1</v></c>",
        '<c s="1" r="XFD1048576"><v>1</v></c>',
        '<x:c r="XFD1048576"><x:v>1</x:v></x:c>',
        '<c\nr="XFD1048576"/>',
    ],
)
def test_two_cells_far_apart_are_sparse_however_they_are_written(far: str) -> None:
    assert extent_of(f'<row r="1"><c r="A1"><v>1</v></c></row><row>{far}</row>') == (2, 1_048_576, 16_384, True)


def test_cells_that_do_not_say_where_they_are_are_counted() -> None:
    assert extent_of("<row><c/><c><v>1</v></c></row><row r='9'><c/></row>")[:3] == (3, 9, 2)


def test_a_first_look_that_is_too_high_is_followed_by_an_exact_one() -> None:
    body = '<row r="100001"><c r="ZZ1"><v>1</v></c><c r="A100001"><v>1</v></c></row>'
    assert extent_of(body) == (2, 100_001, 702, True)
    assert extent_of('<row r="1000"><c r="ZZ1"><v>1</v></c><c r="A1000"><v>1</v></c></row>') == (2, 1000, 702, False)


def test_it_stops_when_nobody_waits() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        measure(lambda: [b"<row/>"], call)
