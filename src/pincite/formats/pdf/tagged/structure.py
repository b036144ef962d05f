"""The structure tree of a page (ISO 32000-1, 14.7): roles of its content, in logical order."""

import ctypes
import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.pdfium import ADDRESS, INDEX, POINTER, address, fast_binding, read_utf16
from pincite.model.call import Call

MAX_DEPTH = 100
"""Nesting depth of elements; deeper content counts as untagged."""
MAX_ELEMENTS = 50_000
"""Elements of a page's tree; a page with more counts as untagged. A crafted tree may contain itself."""
_CHECK_INTERVAL = 1000
"""Children of an element between two checks for cancellation."""
_CELLS = frozenset({"TH", "TD"})
_child_count = fast_binding(pdfium.FPDF_StructElement_CountChildren, POINTER)
_child = fast_binding(pdfium.FPDF_StructElement_GetChildAtIndex, POINTER, INDEX, result=ADDRESS)
_child_content = fast_binding(pdfium.FPDF_StructElement_GetChildMarkedContentID, POINTER, INDEX)
_type, _alternative, _actual = (
    fast_binding(function, POINTER, POINTER, INDEX, result=ctypes.c_ulong)
    for function in (
        pdfium.FPDF_StructElement_GetType,
        pdfium.FPDF_StructElement_GetAltText,
        pdfium.FPDF_StructElement_GetActualText,
    )
)
_MAX_ATTRIBUTE_BYTES = 64
"""Length of an attribute in UTF-16 that is read; those that are used (`Column`, `Row`, `Both`) are shorter."""
_HEADING = re.compile(r"h(?:eading)?[ _]?([1-9])", re.IGNORECASE)
"""Heading types, with the names that some programs write: `H1`, `Heading 2`."""
_INLINE = frozenset({
    *("Span", "Em", "Strong", "Sub", "Quote", "Code", "Lbl", "Formula", "Form", "Link", "Annot", "Reference"),
    *("BibEntry", "NonStruct", "Ruby", "RB", "RT", "RP", "Warichu", "WT", "WP"),
})  # fmt: skip
"""Types of inline elements (14.8.4.4), which are part of the paragraph around them."""
_WRAPPERS = frozenset({"LBody", "LI", "Div", "Sect", "NonStruct"})
"""Types of elements within an item that are not told from what is in them."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the tree, reduced to its content on one page.

    Attributes:
        kind: Standard structure type (14.8.4), with the file's role map applied.
        children: Elements and marked-content ids, in order.
        alternative: Alternate description (`Alt`), for figures.
        actual: Replacement text (`ActualText`).
        row_span: Rows that a cell spans.
        column_span: Columns that a cell spans.
        scope: `Row`, `Column` or `Both` for header cells that have one.
    """

    kind: str
    children: "tuple[Element | int, ...]" = ()
    alternative: str = ""
    actual: str = ""
    row_span: int = 1
    column_span: int = 1
    scope: str = ""

    def content_ids(self) -> Iterator[int]:
        """Yield the ids of all marked content in the element, in order."""
        for child in self.children:
            if isinstance(child, Element):
                yield from child.content_ids()
            else:
                yield child


def read_structure(page: Any, call: Call) -> tuple[Element, ...]:
    """Read the top elements of a page; empty without a tree, or with one of more than `MAX_ELEMENTS` elements.

    Args:
        page: An open page (`FPDF_PAGE`).
        call: Checked for cancellation.
    """
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    if not tree:
        return ()
    try:
        return _TreeReader(call).roots(tree)
    except OverflowError:
        return ()
    finally:
        pdfium.FPDF_StructTree_Close(tree)


class _TreeReader:
    """Copies a tree: pdfium's handles are valid only until it is closed."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._count = 0

    def roots(self, tree: Any) -> tuple[Element, ...]:
        handles = (
            pdfium.FPDF_StructTree_GetChildAtIndex(tree, index)
            for index in range(max(0, pdfium.FPDF_StructTree_CountChildren(tree)))
        )
        return tuple(self._element(address(handle), 0) for handle in handles if handle)

    def _element(self, handle: int, depth: int) -> Element:
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise OverflowError
        kind = _element_text(_type, handle)
        children = tuple(self._children(handle, depth + 1)) if depth < MAX_DEPTH else ()
        is_cell = kind in _CELLS
        return Element(
            kind=kind,
            children=children,
            alternative=_element_text(_alternative, handle),
            actual=_element_text(_actual, handle),
            row_span=_span_attribute(handle, b"RowSpan") if is_cell else 1,
            column_span=_span_attribute(handle, b"ColSpan") if is_cell else 1,
            scope=_string_attribute(handle, b"Scope") if kind == "TH" else "",
        )

    def _children(self, handle: int, depth: int) -> Iterator[Element | int]:
        for index in range(_child_count(handle)):
            if index % _CHECK_INTERVAL == 0:
                self._call.check()
            child = _child(handle, index)
            if child:
                yield self._element(child, depth)
                continue
            # A child without a handle is marked content.
            content = _child_content(handle, index)
            if content >= 0:
                yield content


def _element_text(read: Callable[..., int], handle: int) -> str:
    length = read(handle, None, 0)
    if length <= 2:  # noqa: PLR2004 - bytes of the null alone
        return ""
    return read_utf16(length, read, handle).rstrip("\0")


def _attributes(element: int, name: bytes) -> Iterator[Any]:
    handle = ctypes.cast(element, pdfium.FPDF_STRUCTELEMENT)
    for index in range(max(0, pdfium.FPDF_StructElement_GetAttributeCount(handle))):
        attribute = pdfium.FPDF_StructElement_GetAttributeAtIndex(handle, index)
        value = pdfium.FPDF_StructElement_Attr_GetValue(attribute, name) if attribute else None
        if value:
            yield value


def _span_attribute(handle: int, name: bytes) -> int:
    number = ctypes.c_float()
    for value in _attributes(handle, name):
        if pdfium.FPDF_StructElement_Attr_GetNumberValue(value, number) and number.value >= 1:
            # A crafted span must not become a huge integer.
            return int(min(number.value, 1e6))
    return 1


def _string_attribute(handle: int, name: bytes) -> str:
    buffer, length = ctypes.create_string_buffer(_MAX_ATTRIBUTE_BYTES), ctypes.c_ulong()
    for value in _attributes(handle, name):
        if pdfium.FPDF_StructElement_Attr_GetStringValue(value, buffer, _MAX_ATTRIBUTE_BYTES, length):
            return buffer.raw[: min(length.value, _MAX_ATTRIBUTE_BYTES)].decode("utf-16-le", "replace").rstrip("\0")
    return ""


def heading_kind(kind: str) -> int:
    """Return the level of a type of headings, 0 for other types; 1 for `H`, whose level its sections tell."""
    if kind in ("Title", "H"):
        return 1
    match = _HEADING.fullmatch(kind)
    return int(match[1]) if match else 0


def flatten(element: Element, whole: Container[int] = frozenset()) -> Iterator[Element | int]:
    """Yield the children of an item, with `LBody`, `Div` and the like replaced by their own children.

    Args:
        element: The item.
        whole: Identities of elements that are not replaced.
    """
    for child in element.children:
        if isinstance(child, Element) and child.kind in _WRAPPERS and id(child) not in whole:
            yield from flatten(child, whole)
        else:
            yield child


def descendants(element: Element) -> Iterator[Element]:
    """Yield the elements that `flatten` passes through or returns."""
    for child in child_elements(element):
        yield child
        if child.kind in _WRAPPERS:
            yield from descendants(child)


def is_inline(element: Element) -> bool:
    """Return True for an element that is a part of the paragraph around it."""
    return element.kind in _INLINE and not has_blocks(element)


def has_blocks(element: Element) -> bool:
    """Return True if any child of an element is a block of its own."""
    return any(not is_inline(child) for child in child_elements(element))


def child_elements(element: Element) -> Iterator[Element]:
    """Return the children that are elements and no content."""
    return (child for child in element.children if isinstance(child, Element))


def has_child(element: Element, kind: str) -> bool:
    """Return True if a child of an element is of a type."""
    return any(isinstance(child, Element) and child.kind == kind for child in element.children)
