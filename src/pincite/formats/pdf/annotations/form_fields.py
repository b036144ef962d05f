"""Form fields of a page as a list of labels and entered values."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.formats.pdf.page.drawn_signs import EMPTY, TICKED
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.call import Call
from pincite.model.document import AsideKind, Box

MAX_INSIDE_RATIO = 2
"""Text inside a field relative to its value: more are options of which the value is one."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Widget:
    """A form field, or one button of it.

    Attributes:
        name: Name of the field, shared by its widgets.
        label: Label for the user (`TU`), or the name.
        value: Value of the field; empty if nothing was entered.
        box: Box on the page as displayed; None if it is off the page or too small.
        visible: True if a viewer shows it.
        button: True for a check box or radio button.
        checked: True if that button is on.
        alone: True if it is the field's only widget.
    """

    name: str
    label: str
    value: str
    box: Box | None
    visible: bool = True
    button: bool = False
    checked: bool = False
    alone: bool = True


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the list, with the boxes of its value; `filled` if something was entered."""

    text: str
    boxes: tuple[Box, ...]
    filled: bool


def write_fields(writer: PageWriter, words: Sequence[Word], widgets: Sequence[Widget], call: Call) -> None:
    """Write the fields of a page as a list; nothing if all are empty.

    Fields whose value is among the visible words of the page are left out. Hidden ones with a value are asides.
    """
    fields: dict[str | int, list[Widget]] = {}
    for number, widget in enumerate(widgets):
        # Widgets without a name are fields of their own.
        fields.setdefault(widget.name or number, []).append(widget)
    entries: list[_Entry] = []
    for widgets_of_field in fields.values():
        call.check()
        visible = [widget for widget in widgets_of_field if widget.visible]
        entry = _entry(visible or widgets_of_field)
        if entry is not None and visible and not _is_shown(words, visible):
            entries.append(entry)
        elif entry is not None and entry.filled and not visible:
            writer.aside(AsideKind.HIDDEN, entry.text)
    if any(entry.filled for entry in entries):
        boxes = [TextBox(box, row=row) for row, entry in enumerate(entries) for box in entry.boxes]
        writer.items([Item(entry.text) for entry in entries], boxes=boxes)


def _entry(widgets: Sequence[Widget]) -> _Entry | None:
    """Build a field from its widgets on a page; None for radio buttons whose checked one is on another page."""
    first = widgets[0]
    checked = [widget for widget in widgets if widget.checked] if first.button else widgets
    value, boxes = first.value, tuple(widget.box for widget in checked or widgets if widget.box is not None)
    if first.button and first.alone:
        return _Entry(f"{TICKED if first.checked else EMPTY} {first.label}", boxes, first.checked)
    if first.button and value and not checked:
        return None
    # Many labels end in a colon of their own.
    label = first.label.rstrip(": ")
    return _Entry(f"{label}: {value}".removeprefix(": ").rstrip(), boxes, bool(value))


def _is_shown(words: Sequence[Word], widgets: Sequence[Widget]) -> bool:
    first = widgets[0]
    return not first.button and is_shown(words, first.value, (widget.box for widget in widgets))


def is_shown(words: Sequence[Word], value: str, boxes: Iterable[Box | None]) -> bool:
    """Return True if the words of a page inside one of some boxes are a value."""
    spaced = _spaced_words(value)
    if not spaced.strip():
        return False
    texts = [_spaced_words(text_inside(words, box)) for box in boxes if box]
    # A list box shows all its options.
    return any(spaced in text and len(text) <= MAX_INSIDE_RATIO * len(spaced) for text in texts)


def _spaced_words(text: str) -> str:
    """Return the words of a text between single spaces, so that only whole words are found in it."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def text_inside(words: Sequence[Word], box: Box) -> str:
    """Return the words of a page whose middle is inside a box."""
    return " ".join(
        [
            word.text
            for word in words
            if box.x0 < (word.x0 + word.x1) / 2 < box.x1 and box.y0 < (word.y0 + word.y1) / 2 < box.y1
        ]
    )
