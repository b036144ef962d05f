"""Annotations of a page: what is typed on it and form fields come at its end, comments are kept apart from the text."""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite

import pypdfium2.raw as pdfium

from pincite.formats.pdf.annotations.form_fields import Widget, is_shown, write_fields
from pincite.formats.pdf.page.page import MAX_ANNOTATIONS, PdfPage, open_annotation
from pincite.formats.pdf.page.pdfium import Handle, read_utf16
from pincite.formats.pdf.page.placed_text import BOX_DECIMALS
from pincite.formats.pdf.page.words import Word
from pincite.formats.writing.page_writer import PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.call import Call
from pincite.model.document import AsideKind, Box

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
