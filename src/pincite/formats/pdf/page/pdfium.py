"""Faster bindings of pdfium's functions, for those called once for every character or object."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from pypdfium2 import raw

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


text_object = fast_binding(raw.FPDFText_GetTextObject, POINTER, INDEX, result=ADDRESS)
"""Address of the text object of a character, by the address of the text page and its index; 0 for none."""
character_matrix = fast_binding(raw.FPDFText_GetMatrix, POINTER, INDEX, POINTER)
"""Writes the matrix of a character."""
character_size = fast_binding(raw.FPDFText_GetFontSize, POINTER, INDEX, result=ctypes.c_double)
"""Font size of a character, before its matrix."""
character_box = fast_binding(raw.FPDFText_GetCharBox, POINTER, INDEX, *[POINTER] * 4)
"""Writes left, right, bottom and top of a character's glyph: not the order of the other box functions."""
character_origin = fast_binding(raw.FPDFText_GetCharOrigin, POINTER, INDEX, *[POINTER] * 2)
"""Writes the place of a character on its baseline."""
has_map_error = fast_binding(raw.FPDFText_HasUnicodeMapError, POINTER, INDEX)
"""1 for a character whose Unicode value is a guess."""
font_of = fast_binding(raw.FPDFTextObj_GetFont, POINTER, result=ADDRESS)
"""Address of the font of a text object, by its address."""


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
