"""Annotations of a page: what is typed on it and form fields come at its end, comments are kept apart from the text."""

import ctypes
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.drawn_signs import EMPTY, TICKED
from pincite.formats.pdf.page.page import MAX_ANNOTATIONS, PdfPage, open_annotation
from pincite.formats.pdf.page.pdfium import Handle, read_utf16
from pincite.formats.pdf.page.placed_text import BOX_DECIMALS
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.call import Call
from pincite.model.document import AsideKind, Box

MAX_INSIDE_RATIO = 2
"""Text inside a field relative to its value: more are options of which the value is one."""
_WORD = re.compile(r"\w+")
MAX_TEXT_BYTES = 8_000_000
"""Bytes of names, values and comments read from a file, in UTF-16 as pdfium returns them."""
MAX_OPTIONS = 1000
"""Options of a choice field searched for the selected ones; with more, the field's raw value is used."""
MIN_SIDE_PT = 2.0
"""Width and height below which a field counts as hidden."""
_HIDDEN_FLAGS = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
"""Flags of annotations that no viewer shows."""
_CHOICES = (pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)
_BUTTONS = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
_FIELD_TYPES = {
    "Tx": pdfium.FPDF_FORMFIELD_TEXTFIELD,
    "Ch": pdfium.FPDF_FORMFIELD_COMBOBOX,
    "Btn": pdfium.FPDF_FORMFIELD_CHECKBOX,
}
"""Types of fields that the file's form does not list, by their `FT` entry: pdfium does not know them."""
_EXCLUDED_FLAGS = {
    pdfium.FPDF_FORMFIELD_TEXTFIELD: pdfium.FPDF_FORMFLAG_TEXT_PASSWORD,
    pdfium.FPDF_FORMFIELD_CHECKBOX: 1 << 16,  # a push button (PDF 32000-1, table 226)
}
"""Flags of fields that are never read, by type: passwords and push buttons."""
_READ_TYPES = (pdfium.FPDF_FORMFIELD_TEXTFIELD, *_CHOICES, *_BUTTONS)
_COMMENT_SUBTYPES = {
    pdfium.FPDF_ANNOT_TEXT,
    pdfium.FPDF_ANNOT_LINE,
    pdfium.FPDF_ANNOT_SQUARE,
    pdfium.FPDF_ANNOT_CIRCLE,
    pdfium.FPDF_ANNOT_POLYGON,
    pdfium.FPDF_ANNOT_POLYLINE,
    pdfium.FPDF_ANNOT_HIGHLIGHT,
    pdfium.FPDF_ANNOT_UNDERLINE,
    pdfium.FPDF_ANNOT_SQUIGGLY,
    pdfium.FPDF_ANNOT_STRIKEOUT,
    pdfium.FPDF_ANNOT_STAMP,
    pdfium.FPDF_ANNOT_CARET,
    pdfium.FPDF_ANNOT_INK,
    pdfium.FPDF_ANNOT_FILEATTACHMENT,
    pdfium.FPDF_ANNOT_REDACT,
}
"""Annotations whose text is a comment; links, widgets and the like have none."""
_NO_CONTROLS = {code: None for code in (*range(32), 127) if not chr(code).isspace()}
_OFF_STATES = ("", "Off")
"""States of a button that is not checked."""
MAX_ADDRESS_BYTES = 4096
"""Length of an address; longer ones are left out."""
_WEB = ("http://", "https://")


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


def has_shown_annotations(page: PdfPage) -> bool:
    """Return True if `Annotations.write` may write something for an open page: not if all are links."""
    count = pdfium.FPDFPage_GetAnnotCount(page.annotated)
    if count > MAX_ANNOTATIONS:
        return True
    for index in range(count):
        with open_annotation(page.annotated, index) as annotation:
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind in {pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT} or kind in _COMMENT_SUBTYPES:
            return True
    return False


class Annotations:
    """Reader of one file's annotations; opens its form only for the first field, because that takes time."""

    def __init__(self, document: Handle) -> None:
        self._document = document
        self._form: Handle = None
        self._settings = pdfium.FPDF_FORMFILLINFO(version=2)
        self._has_form = pdfium.FPDF_GetFormType(document) != pdfium.FORMTYPE_NONE
        self._bytes_left = MAX_TEXT_BYTES

    def write(self, writer: PageWriter, page: PdfPage, words: Sequence[Word], call: Call) -> None:
        """Write what of an open page's annotations its visible words lack, and its comments, after its blocks."""
        count = pdfium.FPDFPage_GetAnnotCount(page.annotated)
        if count > MAX_ANNOTATIONS:
            writer.limit("max_annotations")
        # Fields are only collected here: opening the form takes time, and most pages have none.
        fields: list[int] = []
        for index in range(min(count, MAX_ANNOTATIONS)):
            call.check()
            with open_annotation(page.annotated, index) as annotation:
                kind = pdfium.FPDFAnnot_GetSubtype(annotation)
                if kind == pdfium.FPDF_ANNOT_WIDGET:
                    fields.append(index)
                elif kind == pdfium.FPDF_ANNOT_FREETEXT:
                    self._typed(writer, page, words, annotation)
                elif kind in _COMMENT_SUBTYPES:
                    writer.aside(AsideKind.COMMENT, self._comment(annotation))
        if fields and self._has_form:
            write_fields(writer, words, self._widgets(page, fields, call), call)
        if self._bytes_left < 0:
            writer.limit("max_annotation_text")

    def close(self) -> None:
        """Close the form; call before the document is closed."""
        if self._form:
            pdfium.FPDFDOC_ExitFormFillEnvironment(self._form)
            self._form = None

    def _typed(self, writer: PageWriter, page: PdfPage, words: Sequence[Word], annotation: Handle) -> None:
        """Write the text that somebody typed on the page, if its words lack it: viewers show it as text."""
        text = self._entry(annotation, b"Contents")
        box = _box(page, annotation)
        if text and box is not None and not pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN_FLAGS:
            if not is_shown(words, text, [box]):
                writer.paragraph(text, boxes=[TextBox(box)])
        elif text:
            writer.aside(AsideKind.HIDDEN, text)

    def _comment(self, annotation: Handle) -> str:
        text = self._entry(annotation, b"Contents")
        author = self._entry(annotation, b"T") if text else ""
        return f"{author}: {text}" if author else text

    def _widgets(self, page: PdfPage, indices: Sequence[int], call: Call) -> list[Widget]:
        self._form = self._form or pdfium.FPDFDOC_InitFormFillEnvironment(self._document, self._settings)
        widgets: list[Widget] = []
        for index in indices:
            call.check()
            with open_annotation(page.annotated, index) as annotation:
                widget = self._widget(page, annotation)
            if self._bytes_left < 0:
                break
            if widget is not None:
                widgets.append(widget)
        return widgets

    def _widget(self, page: PdfPage, annotation: Handle) -> Widget | None:
        """Read a field; None for push buttons, signatures and passwords."""
        kind = pdfium.FPDFAnnot_GetFormFieldType(self._form, annotation)
        listed = kind >= 0
        # A parent might make the field a password: pdfium does not inherit its flags for an unlisted field.
        if not listed and not pdfium.FPDFAnnot_HasKey(annotation, b"Parent"):
            kind = _FIELD_TYPES.get(self._entry(annotation, b"FT"), pdfium.FPDF_FORMFIELD_UNKNOWN)
        if kind not in _READ_TYPES or self._flags(annotation, listed=listed) & _EXCLUDED_FLAGS.get(kind, 0):
            return None
        if listed:
            name = self._text(pdfium.FPDFAnnot_GetFormFieldName, self._form, annotation)
            label = self._text(pdfium.FPDFAnnot_GetFormFieldAlternateName, self._form, annotation)
            value = self._value(kind, annotation)
        else:
            name, label, value = (self._entry(annotation, key) for key in (b"T", b"TU", b"V"))
        box = _box(page, annotation)
        visible = not pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN_FLAGS and box is not None
        widget = Widget(name, " ".join((label or name).split()), value, box, visible)
        return self._button(annotation, widget, listed=listed) if kind in _BUTTONS else widget

    def _button(self, annotation: Handle, widget: Widget, *, listed: bool) -> Widget:
        # The appearance state is what a viewer shows; the value is that of the whole field, for all its buttons.
        state = self._entry(annotation, b"AS")
        checked = state not in _OFF_STATES
        value = "" if widget.value in _OFF_STATES else widget.value
        alone = not listed or pdfium.FPDFAnnot_GetFormControlCount(self._form, annotation) == 1
        return replace(widget, value=value or (state if checked else ""), button=True, checked=checked, alone=alone)

    def _flags(self, annotation: Handle, *, listed: bool) -> int:
        if listed:
            return pdfium.FPDFAnnot_GetFormFieldFlags(self._form, annotation)
        flags = ctypes.c_float()
        pdfium.FPDFAnnot_GetNumberValue(annotation, b"Ff", flags)
        # A crafted file may have any number here.
        return int(flags.value) if isfinite(flags.value) else 0

    def _value(self, kind: int, annotation: Handle) -> str:
        value = self._text(pdfium.FPDFAnnot_GetFormFieldValue, self._form, annotation)
        count = pdfium.FPDFAnnot_GetOptionCount(self._form, annotation) if value and kind in _CHOICES else 0
        if not 0 < count <= MAX_OPTIONS:
            return value
        selected = (n for n in range(count) if pdfium.FPDFAnnot_IsOptionSelected(self._form, annotation, n))
        labels = [self._text(pdfium.FPDFAnnot_GetOptionLabel, self._form, annotation, n) for n in selected]
        return ", ".join(labels) or value

    def _entry(self, annotation: Handle, key: bytes) -> str:
        return self._text(pdfium.FPDFAnnot_GetStringValue, annotation, key)

    def _text(self, function: Callable[..., int], *arguments: Handle) -> str:
        """Call a pdfium function that returns text; empty once `MAX_TEXT_BYTES` are read."""
        if self._bytes_left < 0:
            return ""
        length = function(*arguments, None, 0)
        self._bytes_left -= length
        if length <= ctypes.sizeof(ctypes.c_ushort) or self._bytes_left < 0:
            return ""
        text = read_utf16(length, function, *arguments)
        return "\n".join(" ".join(line.split()) for line in text.translate(_NO_CONTROLS).splitlines()).strip()


def _box(page: PdfPage, annotation: Handle) -> Box | None:
    """Return an annotation's rectangle, clipped to the page as displayed; None if less than `MIN_SIDE_PT` remain."""
    rectangle = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(annotation, rectangle)
    left, top, right, bottom = rectangle.left, rectangle.top, rectangle.right, rectangle.bottom
    x0, y0, x1, y1 = page.space.rectangle(left, bottom, right, top)
    x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(page.space.width, x1), min(page.space.height, y1)
    if x1 - x0 < MIN_SIDE_PT or y1 - y0 < MIN_SIDE_PT:
        return None
    return Box(round(x0, BOX_DECIMALS), round(y0, BOX_DECIMALS), round(x1, BOX_DECIMALS), round(y1, BOX_DECIMALS))


def page_links(page: PdfPage) -> tuple[tuple[str, Box], ...]:
    """Return the addresses that an open page links to, with the box of each link."""
    return tuple(_links(page))


def write_links(writer: PageWriter, links: Sequence[tuple[str, Box]], words: Sequence[Word]) -> None:
    """Write links as asides: the address, and as its place the words that it is drawn over."""
    for address, box in links:
        writer.aside(AsideKind.LINK, address, place=text_inside(words, box))


def _links(page: PdfPage) -> Iterator[tuple[str, Box]]:
    position, link, rectangle = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    for _ in range(MAX_ANNOTATIONS):
        if not pdfium.FPDFLink_Enumerate(page.annotated, position, link):
            return
        address = _address(page, link)
        if address.lower().startswith(_WEB) and pdfium.FPDFLink_GetAnnotRect(link, rectangle):
            x0, y0, x1, y1 = page.space.rectangle(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
            yield address, Box(x0, y0, x1, y1)


def _address(page: PdfPage, link: "pdfium.FPDF_LINK") -> str:
    action = pdfium.FPDFLink_GetAction(link)
    length = pdfium.FPDFAction_GetURIPath(page.document, action, None, 0) if action else 0
    if not 1 < length <= MAX_ADDRESS_BYTES:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAction_GetURIPath(page.document, action, buffer, length)
    return buffer.value.decode("utf-8", "replace").strip()
