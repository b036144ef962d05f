"""What was put on a page after it was printed: form fields as a list at its end, comments apart."""

import ctypes
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import isfinite

import pypdfium2.raw as pdfium

from pincite.formats.pdf.annotations.form_fields import Corners, Widget, write_fields
from pincite.formats.pdf.page.page import Handle, PdfPage
from pincite.formats.pdf.page.pdfium import read_utf16
from pincite.formats.pdf.page.placed_text import BOX_DECIMALS
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import AsideKind, Box

MOST = 5000
"""Annotations of a page that are looked at."""
MOST_TEXT = 8_000_000
"""Bytes of names, values and comments that are read of a file."""
MOST_OPTIONS = 1000
"""Options of a choice among which the chosen ones are looked for."""
LEAST_SIDE = 2.0
"""Points; a field less wide or tall is hidden."""
_UNSEEN = pdfium.FPDF_ANNOT_FLAG_HIDDEN | pdfium.FPDF_ANNOT_FLAG_NOVIEW
_CHOICES = (pdfium.FPDF_FORMFIELD_COMBOBOX, pdfium.FPDF_FORMFIELD_LISTBOX)
_BUTTONS = (pdfium.FPDF_FORMFIELD_CHECKBOX, pdfium.FPDF_FORMFIELD_RADIOBUTTON)
_KINDS = {
    "Tx": pdfium.FPDF_FORMFIELD_TEXTFIELD,
    "Ch": pdfium.FPDF_FORMFIELD_COMBOBOX,
    "Btn": pdfium.FPDF_FORMFIELD_CHECKBOX,
}
"""Of a field that the file's form does not list: pdfium does not know it."""
_APART = {
    pdfium.FPDF_FORMFIELD_TEXTFIELD: pdfium.FPDF_FORMFLAG_TEXT_PASSWORD,
    pdfium.FPDF_FORMFIELD_CHECKBOX: 1 << 16,  # a push button (PDF 32000-1, table 226)
}
"""Flags of a field whose value is never said."""
_READ = (pdfium.FPDF_FORMFIELD_TEXTFIELD, *_CHOICES, *_BUTTONS)
_COMMENTS = {
    pdfium.FPDF_ANNOT_TEXT,
    pdfium.FPDF_ANNOT_FREETEXT,
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
_CONTROLS = {code: None for code in (*range(32), 127) if not chr(code).isspace()}
_OFF = ("", "Off")


class Annotations:
    """The annotations of one file; its form is opened with the first field, for that takes time."""

    def __init__(self, document: Handle) -> None:
        self._document = document
        self._form: Handle = None
        self._settings = pdfium.FPDF_FORMFILLINFO(version=2)
        self._has_form = pdfium.FPDF_GetFormType(document) != pdfium.FORMTYPE_NONE
        self._left = MOST_TEXT

    def write(self, writer: PageWriter, page: PdfPage, call: Call) -> None:
        """Write what an open page has, after its blocks."""
        count = pdfium.FPDFPage_GetAnnotCount(page.raw)
        if count > MOST:
            writer.limit("max_annotations")
        fields: list[int] = []
        for index in range(min(count, MOST)):
            call.check()
            with _annotation(page, index) as annotation:
                kind = pdfium.FPDFAnnot_GetSubtype(annotation)
                if kind == pdfium.FPDF_ANNOT_WIDGET:
                    fields.append(index)
                elif kind in _COMMENTS:
                    writer.aside(AsideKind.COMMENT, self._comment(annotation))
        if fields and self._has_form:
            write_fields(writer, page, self._widgets(page, fields, call), call)
        if self._left < 0:
            writer.limit("max_annotation_text")

    def close(self) -> None:
        """Close the form; before the document is closed."""
        if self._form:
            pdfium.FPDFDOC_ExitFormFillEnvironment(self._form)
            self._form = None

    def _comment(self, annotation: Handle) -> str:
        text = self._entry(annotation, b"Contents")
        author = self._entry(annotation, b"T") if text else ""
        return f"{author}: {text}" if author else text

    def _widgets(self, page: PdfPage, indices: Sequence[int], call: Call) -> list[Widget]:
        self._form = self._form or pdfium.FPDFDOC_InitFormFillEnvironment(self._document, self._settings)
        widgets: list[Widget] = []
        for index in indices:
            call.check()
            with _annotation(page, index) as annotation:
                found = self._widget(page, annotation)
            if self._left < 0:
                break
            if found is not None:
                widgets.append(found)
        return widgets

    def _widget(self, page: PdfPage, annotation: Handle) -> Widget | None:
        """A field where it stands; None for a button, a signature and a password."""
        kind = pdfium.FPDFAnnot_GetFormFieldType(self._form, annotation)
        listed = kind >= 0
        if not listed and not pdfium.FPDFAnnot_HasKey(annotation, b"Parent"):  # which may say that it is a password
            kind = _KINDS.get(self._entry(annotation, b"FT"), pdfium.FPDF_FORMFIELD_UNKNOWN)
        if kind not in _READ or self._flags(annotation, listed=listed) & _APART.get(kind, 0):
            return None
        if listed:
            name = self._text(pdfium.FPDFAnnot_GetFormFieldName, self._form, annotation)
            label = self._text(pdfium.FPDFAnnot_GetFormFieldAlternateName, self._form, annotation)
            value = self._value(kind, annotation)
        else:
            name, label, value = (self._entry(annotation, key) for key in (b"T", b"TU", b"V"))
        corners = _corners(annotation)
        box = _box(page, corners)
        seen = not pdfium.FPDFAnnot_GetFlags(annotation) & _UNSEEN and box is not None
        widget = Widget(name, " ".join((label or name).split()), value, corners, box, seen)
        return self._button(annotation, widget, listed=listed) if kind in _BUTTONS else widget

    def _button(self, annotation: Handle, widget: Widget, *, listed: bool) -> Widget:
        state = self._entry(annotation, b"AS")
        checked = state not in _OFF
        value = "" if widget.value in _OFF else widget.value
        alone = not listed or pdfium.FPDFAnnot_GetFormControlCount(self._form, annotation) == 1
        return replace(widget, value=value or (state if checked else ""), button=True, checked=checked, alone=alone)

    def _flags(self, annotation: Handle, *, listed: bool) -> int:
        if listed:
            return pdfium.FPDFAnnot_GetFormFieldFlags(self._form, annotation)
        flags = ctypes.c_float()
        pdfium.FPDFAnnot_GetNumberValue(annotation, b"Ff", flags)
        return int(flags.value) if isfinite(flags.value) else 0

    def _value(self, kind: int, annotation: Handle) -> str:
        value = self._text(pdfium.FPDFAnnot_GetFormFieldValue, self._form, annotation)
        count = pdfium.FPDFAnnot_GetOptionCount(self._form, annotation) if value and kind in _CHOICES else 0
        if not 0 < count <= MOST_OPTIONS:
            return value
        chosen = (n for n in range(count) if pdfium.FPDFAnnot_IsOptionSelected(self._form, annotation, n))
        labels = [self._text(pdfium.FPDFAnnot_GetOptionLabel, self._form, annotation, n) for n in chosen]
        return ", ".join(labels) or value

    def _entry(self, annotation: Handle, key: bytes) -> str:
        return self._text(pdfium.FPDFAnnot_GetStringValue, annotation, key)

    def _text(self, function: Callable[..., int], *arguments: Handle) -> str:
        """What a function of pdfium's says; nothing once there was too much of it."""
        if self._left < 0:
            return ""
        length = function(*arguments, None, 0)
        self._left -= length
        if length <= ctypes.sizeof(ctypes.c_ushort) or self._left < 0:
            return ""
        text = read_utf16(length, function, *arguments)
        return "\n".join(" ".join(line.split()) for line in text.translate(_CONTROLS).splitlines()).strip()


@contextmanager
def _annotation(page: PdfPage, index: int) -> Generator[Handle]:
    annotation = pdfium.FPDFPage_GetAnnot(page.raw, index)
    try:
        yield annotation
    finally:
        pdfium.FPDFPage_CloseAnnot(annotation)


def _corners(annotation: Handle) -> Corners:
    found = pdfium.FS_RECTF()
    pdfium.FPDFAnnot_GetRect(annotation, found)
    return found.left, found.top, found.right, found.bottom


def _box(page: PdfPage, corners: Corners) -> Box | None:
    """What of a rectangle the page as displayed shows; None for nothing."""
    left, top, right, bottom = corners
    x0, y0, x1, y1 = page.space.rectangle(left, bottom, right, top)
    x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(page.space.width, x1), min(page.space.height, y1)
    if x1 - x0 < LEAST_SIDE or y1 - y0 < LEAST_SIDE:
        return None
    return Box(round(x0, BOX_DECIMALS), round(y0, BOX_DECIMALS), round(x1, BOX_DECIMALS), round(y1, BOX_DECIMALS))
