"""pdfium's functions with plain addresses for pointers: for those that are called for every character or object."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from pincite.formats.pdf.page.page import Handle

POINTER = ctypes.c_void_p
ADDRESS = ctypes.c_size_t
"""A pointer as a result: 0, not None, where there is none."""


def fast_binding(function: Handle, *arguments: Handle, result: Handle = ctypes.c_int) -> Callable[..., Any]:
    """A function of pdfium's once more, without the checks and conversions of its own arguments.

    Args:
        function: As `pypdfium2.raw` has it.
        arguments: Types of its arguments, `POINTER` for every pointer and handle.
        result: Type of what it gives.
    """
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, POINTER).value or 0)


def address(handle: Handle) -> int:
    """Where a handle of pdfium's points to."""
    return ctypes.cast(handle, POINTER).value or 0


def columns(grid: "np.ndarray[Any, np.dtype[Any]]") -> list[range]:
    """Addresses of a grid's cells, column by column: for a function that fills a row at each call."""
    start, (height, width) = grid.ctypes.data, grid.shape
    step, end = grid.itemsize, start + height * width * grid.itemsize
    return [range(start + column * step, end, width * step) for column in range(width)]


def wide_text(length: int, function: Callable[..., int], *arguments: Handle) -> str:
    """A text that pdfium gives as UTF-16LE with a null at its end.

    Args:
        length: In bytes, the null among them: what the function said without a buffer.
        function: Takes a buffer and its length behind its arguments.
        arguments: Its other arguments.
    """
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    function(*arguments, buffer, length)
    return bytes(buffer)[: max(0, length - 2)].decode("utf-16-le", "replace")
