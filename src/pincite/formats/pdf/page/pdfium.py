"""Faster bindings of pdfium's functions, for those called once for every character or object."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

Handle = Any
"""A pdfium pointer; the bindings have no types for it."""
POINTER = ctypes.c_void_p
INDEX = ctypes.c_void_p
"""An index, passed as if it were an address, which takes 50 ns less than `c_int`: functions read its lower half."""
ADDRESS = ctypes.c_size_t
"""Result type of functions that return a pointer: 0 instead of None for null, so that results stay integers."""


def fast_binding(function: Handle, *arguments: Handle, result: Handle = ctypes.c_int) -> Callable[..., Any]:
    """Bind a pdfium function again, to take plain addresses without ctypes' argument conversion.

    It keeps the interpreter's lock, whose release takes as long as the function: for functions that take constant time.

    Args:
        function: The function of `pypdfium2.raw`.
        arguments: Argument types, `POINTER` for every pointer and handle, `INDEX` for an index.
        result: Result type.
    """
    return ctypes.PYFUNCTYPE(result, *arguments)(ctypes.cast(function, POINTER).value or 0)


def address(handle: Handle) -> int:
    """Return the address that a pdfium handle points to; 0 for null."""
    return ctypes.cast(handle, POINTER).value or 0


def column_addresses(grid: "np.ndarray[Any, np.dtype[Any]]") -> list[range]:
    """Return the addresses of an array's cells by column, as output arguments of a call for each row."""
    start, (height, width) = grid.ctypes.data, grid.shape
    step, end = grid.itemsize, start + height * width * grid.itemsize
    return [range(start + column * step, end, width * step) for column in range(width)]


def read_utf16(length: int, function: Callable[..., int], *arguments: Handle) -> str:
    """Call a pdfium function that fills a buffer with null-terminated UTF-16LE text, and decode it.

    Args:
        length: Length in bytes with the null, as the function returns it without a buffer.
        function: The function; takes buffer and length as its last arguments.
        arguments: Its other arguments.
    """
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    function(*arguments, buffer, length)
    return bytes(buffer)[: max(0, length - 2)].decode("utf-16-le", "replace")
