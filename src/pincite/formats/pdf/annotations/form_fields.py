"""The form fields of a page as a list: what each is called, and what was entered."""

import ctypes
import re
from collections.abc import Sequence
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.call import Call
from pincite.model.document import AsideKind, Box

CHECKED, UNCHECKED = "☒", "☐"
_WORD = re.compile(r"\w+")
Corners = tuple[float, float, float, float]
"""Left, top, right, bottom in the page's own space."""


@dataclass(frozen=True, slots=True)
class Widget:
    """A field, or one of its buttons, where it stands.

    Attributes:
        name: Of the field; its widgets share it.
        label: What a person is told to enter.
        value: Of the field; empty where nothing was entered.
        corners: Where it stands in the page's own space.
        box: Where it stands on the page as displayed; None where nobody can see it.
        seen: Whether a viewer shows it.
        button: Whether it is a check box or a radio button.
        checked: Whether that button is on.
        alone: Whether it is the field's only one.
    """

    name: str
    label: str
    value: str
    corners: Corners
    box: Box | None
    seen: bool = True
    button: bool = False
    checked: bool = False
    alone: bool = True


@dataclass(frozen=True, slots=True)
class _Entry:
    """A field of a page: its line, where its value stands, whether something was entered."""

    text: str
    boxes: tuple[Box, ...]
    filled: bool


def write_fields(writer: PageWriter, page: PdfPage, widgets: Sequence[Widget], call: Call) -> None:
    """Write the fields of a page; empty ones only where others of the page were filled in.

    A value that is part of the page's own text is not said again.
    """
    fields: dict[str | int, list[Widget]] = {}
    for number, widget in enumerate(widgets):
        fields.setdefault(widget.name or number, []).append(widget)
    entries: list[_Entry] = []
    for same in fields.values():
        call.check()
        seen = [widget for widget in same if widget.seen]
        entry = _entry(seen or same)
        if entry is not None and seen and not _is_printed(page, seen):
            entries.append(entry)
        elif entry is not None and entry.filled and not seen:
            writer.aside(AsideKind.HIDDEN, entry.text)
    if any(entry.filled for entry in entries):
        boxes = [TextBox(box, row=row) for row, entry in enumerate(entries) for box in entry.boxes]
        writer.items([Item(entry.text) for entry in entries], boxes=boxes)


def _entry(same: Sequence[Widget]) -> _Entry | None:
    """A field by its widgets of a page; None for a group of buttons of which another page has the chosen one."""
    first = same[0]
    shown = [widget for widget in same if widget.checked] if first.button else same
    value, boxes = first.value, tuple(widget.box for widget in shown or same if widget.box is not None)
    if first.button and first.alone:
        return _Entry(f"{CHECKED if first.checked else UNCHECKED} {first.label}", boxes, first.checked)
    if first.button and value and not shown:
        return None
    label = first.label.rstrip(": ")
    return _Entry(f"{label}: {value}".removeprefix(": ").rstrip(), boxes, bool(value))


def _is_printed(page: PdfPage, seen: Sequence[Widget]) -> bool:
    """Whether the page's own text has a field's value where the field stands."""
    value = _words(seen[0].value)
    return not seen[0].button and value != _words("") and any(value in _words(_inside(page, w.corners)) for w in seen)


def _words(text: str) -> str:
    """The words of a text between spaces, so that one is found as a whole."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _inside(page: PdfPage, corners: Corners) -> str:
    """What the page's own text has in a rectangle."""
    count = pdfium.FPDFText_GetBoundedText(page.text, *corners, None, 0)
    buffer = (ctypes.c_ushort * (count + 1))()
    pdfium.FPDFText_GetBoundedText(page.text, *corners, buffer, count)
    return bytes(buffer)[: 2 * count].decode("utf-16-le", "replace")
