"""Faster bindings of pdfium's functions, for those called once for every character or object."""

import ctypes
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
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


def untyped_binding(function: Handle, result: Handle = ctypes.c_int) -> Callable[..., Any]:
    """Bind a pdfium function again, to take its arguments as they are, which takes half the time of `fast_binding`.

    Each pointer must be a `pointer`, and an integer is an index: only its lower half is passed.
    """
    return ctypes.PYFUNCTYPE(result)(ctypes.cast(function, POINTER).value or 0)


def pointer(address: int) -> Any:
    """Return an address as an argument of an `untyped_binding`."""
    return POINTER.from_param(address)


def address(handle: Handle) -> int:
    """Return the address that a pdfium handle points to; 0 for null."""
    return ctypes.cast(handle, POINTER).value or 0


def column_addresses(grid: "np.ndarray[Any, np.dtype[Any]]") -> list[range]:
    """Return the addresses of an array's cells by column, as output arguments of a call for each row."""
    start, (height, width) = grid.ctypes.data, grid.shape
    step, end = grid.itemsize, start + height * width * grid.itemsize
    return [range(start + column * step, end, width * step) for column in range(width)]


MAX_ROWS = 512
"""Rows that are written before they are copied: few, as the arguments that point to them are kept."""


class _Rows(threading.local):
    """Rows of numbers that pdfium writes, and the arguments that point to them; each thread has its own."""

    def __init__(self, kind: type[np.generic], columns: int, order: Sequence[int]) -> None:
        self.numbers = np.zeros((MAX_ROWS, columns), kind)
        addresses = column_addresses(self.numbers)
        self.arguments = [list(map(pointer, addresses[column])) for column in order]


class RowFunction:
    """A function of pdfium that writes the numbers of one character or object.

    The arguments that point to these numbers are made once: for each character, they take longer than the function.
    """

    def __init__(
        self,
        function: Handle,
        kind: type[np.generic],
        columns: int,
        order: Sequence[int] = (0,),
        default: Sequence[int] | int = 0,
    ) -> None:
        """Bind the function.

        Args:
            function: The function of `pypdfium2.raw`; takes a text page and an index, or an object, and pointers.
            kind: Type of the numbers.
            columns: Numbers of each character.
            order: Column to which each of its pointers points.
            default: The numbers where pdfium writes none.
        """
        self._function, self._columns = untyped_binding(function), columns
        self._rows, self._default = _Rows(kind, columns, order), default

    def read(self, text_page: Any, indices: Sequence[int]) -> "np.ndarray[Any, np.dtype[Any]]":
        """Return the numbers of some characters, shape (characters, columns).

        Args:
            text_page: The text page, as a `pointer`.
            indices: The characters.
        """
        return self._read(indices, repeat(text_page))

    def read_objects(self, objects: Sequence[int]) -> "np.ndarray[Any, np.dtype[Any]]":
        """Return the numbers of some objects, by their addresses, shape (objects, columns)."""
        return self._read(list(map(pointer, objects)))

    def _read(self, items: Sequence[Any], *before: Iterable[Any]) -> "np.ndarray[Any, np.dtype[Any]]":
        rows = self._rows
        result = np.empty((len(items), self._columns), rows.numbers.dtype)
        for start in range(0, len(items), MAX_ROWS):
            part = items[start : start + MAX_ROWS]
            rows.numbers[: len(part)] = self._default
            # deque(map(...), maxlen=0) makes all calls of a function without a loop in Python.
            deque(map(self._function, *before, part, *rows.arguments), maxlen=0)
            result[start : start + MAX_ROWS] = rows.numbers[: len(part)]
        return result


text_object = untyped_binding(raw.FPDFText_GetTextObject, ADDRESS)
"""Address of the text object of a character, by the text page as a `pointer` and its index; 0 for none."""
character_size = untyped_binding(raw.FPDFText_GetFontSize, ctypes.c_double)
"""Font size of a character, before its matrix."""
has_map_error = untyped_binding(raw.FPDFText_HasUnicodeMapError)
"""1 for a character whose Unicode value is a guess."""
character_matrices = RowFunction(raw.FPDFText_GetMatrix, np.float32, 6)
"""Matrices of characters."""
loose_boxes = RowFunction(raw.FPDFText_GetLooseCharBox, np.float32, 4)
"""Left, top, right and bottom of characters, as high as the font's line."""
# FPDFText_GetCharBox writes left, right, bottom, top: not the order of its other box functions.
glyph_boxes = RowFunction(raw.FPDFText_GetCharBox, np.float64, 4, (0, 2, 3, 1))
"""Left, top, right and bottom of the glyphs of characters."""
object_boxes = RowFunction(raw.FPDFText_GetRect, np.float64, 4, (0, 1, 2, 3))
"""Left, top, right and bottom of the glyphs of text objects, by the number of the object."""
character_origins = RowFunction(raw.FPDFText_GetCharOrigin, np.float64, 2, (0, 1))
"""Places of characters on their baselines."""
fill_colours = RowFunction(raw.FPDFPageObj_GetFillColor, np.uint32, 4, (0, 1, 2, 3), default=(0, 0, 0, 255))
"""Red, green, blue and alpha of the fills of objects; black where an object has none."""
font_of = fast_binding(raw.FPDFTextObj_GetFont, POINTER, result=ADDRESS)
"""Address of the font of a text object, by its address."""


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
