import ctypes

import numpy as np
import pytest

from pincite.formats.pdf.page.pdfium import column_addresses, read_utf16


def test_the_addresses_of_a_grid_go_down_its_columns() -> None:
    grid = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    seen = [[ctypes.c_double.from_address(address).value for address in column] for column in column_addresses(grid)]
    assert seen == [[1, 3, 5], [2, 4, 6]]


@pytest.mark.parametrize("text", ["", "Title", "naïve 🜁"])
def test_a_text_comes_without_its_null(text: str) -> None:
    data = text.encode("utf-16-le") + b"\0\0"

    def fill(handle: int, buffer: ctypes.Array[ctypes.c_ushort], length: int) -> int:
        assert (handle, length) == (7, len(data))
        ctypes.memmove(buffer, data, length)
        return length

    assert read_utf16(len(data), fill, 7) == text
