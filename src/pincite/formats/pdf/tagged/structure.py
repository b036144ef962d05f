"""The structure tree of a page (ISO 32000-1, 14.7): what its content is, in its author's order."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.pdfium import read_utf16
from pincite.model.call import Call

DEEPEST = 100
"""Levels of elements in each other; what is deeper counts as not tagged."""

MOST_ELEMENTS = 50_000
"""Elements of a page's tree; a page with more counts as not tagged. A crafted tree may hold itself."""

_CHECKED = 1000
_CELLS = frozenset({"TH", "TD"})
_LONGEST_NAME = 64


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the tree, without what stands on other pages.

    Attributes:
        kind: Its standard type (14.8.4), after the file's own role map.
        children: Elements, and the numbers of marked contents, in order.
        alternative: What it says to who cannot see it.
        actual: The text that its content stands for.
        rows: Rows that a cell spans.
        columns: Columns that a cell spans.
        scope: `Row`, `Column` or `Both` where a header cell says so.
    """

    kind: str
    children: "tuple[Element | int, ...]" = ()
    alternative: str = ""
    actual: str = ""
    rows: int = 1
    columns: int = 1
    scope: str = ""

    def contents(self) -> Iterator[int]:
        """The numbers of all marked contents in it, in order."""
        for child in self.children:
            if isinstance(child, Element):
                yield from child.contents()
            else:
                yield child


def read_structure(page: Any, call: Call) -> tuple[Element, ...]:
    """The elements of a page; none where it has no tree, or one that is too large.

    Args:
        page: An open page (`FPDF_PAGE`).
        call: Asked now and then.
    """
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return ()
    try:
        return _Tree(call).roots(tree)
    except OverflowError:
        return ()
    finally:
        pdfium.FPDF_StructTree_Close(tree)


class _Tree:
    """Copies a tree, for its handles end with it."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._count = 0

    def roots(self, tree: Any) -> tuple[Element, ...]:
        handles = (
            pdfium.FPDF_StructTree_GetChildAtIndex(tree, index)
            for index in range(max(0, pdfium.FPDF_StructTree_CountChildren(tree)))
        )
        return tuple(self._element(handle, 0) for handle in handles if handle)

    def _element(self, handle: Any, depth: int) -> Element:
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise OverflowError
        kind = _text(pdfium.FPDF_StructElement_GetType, handle)
        children = tuple(self._children(handle, depth + 1)) if depth < DEEPEST else ()
        cell = kind in _CELLS
        return Element(
            kind=kind,
            children=children,
            alternative=_text(pdfium.FPDF_StructElement_GetAltText, handle),
            actual=_text(pdfium.FPDF_StructElement_GetActualText, handle),
            rows=_span(handle, b"RowSpan") if cell else 1,
            columns=_span(handle, b"ColSpan") if cell else 1,
            scope=_word(handle, b"Scope") if kind == "TH" else "",
        )

    def _children(self, handle: Any, depth: int) -> Iterator[Element | int]:
        for index in range(pdfium.FPDF_StructElement_CountChildren(handle)):
            if index % _CHECKED == 0:
                self._call.check()
            child = pdfium.FPDF_StructElement_GetChildAtIndex(handle, index)
            if child:
                yield self._element(child, depth)
                continue
            content = pdfium.FPDF_StructElement_GetChildMarkedContentID(handle, index)
            if content >= 0:
                yield content


def _text(read: Callable[[Any, Any, int], int], handle: Any) -> str:
    """A text as pdfium gives it: UTF-16LE with a null at its end, its length in bytes."""
    length = read(handle, None, 0)
    if length <= 2:  # noqa: PLR2004 - nothing but the null
        return ""
    return read_utf16(length, read, handle).rstrip("\0")


def _attributes(handle: Any, name: bytes) -> Iterator[Any]:
    for index in range(max(0, pdfium.FPDF_StructElement_GetAttributeCount(handle))):
        attribute = pdfium.FPDF_StructElement_GetAttributeAtIndex(handle, index)
        value = pdfium.FPDF_StructElement_Attr_GetValue(attribute, name) if attribute else None
        if value:
            yield value


def _span(handle: Any, name: bytes) -> int:
    number = ctypes.c_float()
    for value in _attributes(handle, name):
        if pdfium.FPDF_StructElement_Attr_GetNumberValue(value, number) and number.value >= 1:
            return int(min(number.value, 1e6))
    return 1


def _word(handle: Any, name: bytes) -> str:
    buffer, length = ctypes.create_string_buffer(_LONGEST_NAME), ctypes.c_ulong()
    for value in _attributes(handle, name):
        if pdfium.FPDF_StructElement_Attr_GetStringValue(value, buffer, _LONGEST_NAME, length):
            return buffer.raw[: min(length.value, _LONGEST_NAME)].decode("utf-16-le", "replace").rstrip("\0")
    return ""
