import ctypes
from typing import Any

import numpy as np
import pytest

from pincite.formats.pdf.page.pdfium import MAX_ROWS, RowFunction, column_addresses, pointer, read_utf16


def test_the_addresses_of_a_grid_go_down_its_columns() -> None:
    grid = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    seen = [[ctypes.c_double.from_address(address).value for address in column] for column in column_addresses(grid)]
    assert seen == [[1, 3, 5], [2, 4, 6]]


def test_the_numbers_of_many_characters_are_read_row_by_row_in_any_order_of_pointers() -> None:
    number = ctypes.POINTER(ctypes.c_double)

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, number, number)
    def write(page: int, index: int, twice: Any, own: Any) -> int:
        assert page == 7
        if index % 100:
            own[0], twice[0] = index, 2 * index
        return 1

    function = RowFunction(write, np.float64, 2, (1, 0))
    indices = range(MAX_ROWS + 50, 0, -1)
    expected = [[index, 2 * index] if index % 100 else [0, 0] for index in indices]
    # Twice, as the rows that pdfium writes are used again.
    assert [function.read(pointer(7), indices).tolist() for _ in range(2)] == [expected, expected]
    assert function.read(pointer(7), []).shape == (0, 2)


def test_an_object_without_numbers_has_the_default() -> None:
    number = ctypes.POINTER(ctypes.c_uint)

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, number, number)
    def write(item: int | None, red: Any, alpha: Any) -> int:
        if item:
            red[0], alpha[0] = item, 0
        return bool(item)

    function = RowFunction(write, np.uint32, 2, (0, 1), default=(0, 255))
    assert function.read_objects([5, 0, 7]).tolist() == [[5, 0], [0, 255], [7, 0]]
    assert function.read_objects([]).shape == (0, 2)


@pytest.mark.parametrize("text", ["", "Title", "naïve 🜁"])
def test_a_text_comes_without_its_null(text: str) -> None:
    data = text.encode("utf-16-le") + b"\0\0"

    def fill(handle: int, buffer: ctypes.Array[ctypes.c_ushort], length: int) -> int:
        assert (handle, length) == (7, len(data))
        ctypes.memmove(buffer, data, length)
        return length

    assert read_utf16(len(data), fill, 7) == text
