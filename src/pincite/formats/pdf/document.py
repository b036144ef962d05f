"""An open PDF file: repaired where it is damaged, with the tree of its form."""

import ctypes
import re
import zlib
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import pypdfium2.raw as pdfium
from pypdfium2.internal.bases import ObjectTracker

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.detect.signature import PDF_JUNK, is_headless_pdf
from pincite.formats.pdf.page.page import PdfPage, open_page
from pincite.formats.pdf.page.pdfium import Handle

MAX_OBJECTS = 500_000
"""Objects searched for pages in a file without a trailer; bounds the time for crafted files."""
_OBJECT = re.compile(rb"(?<!\d)(\d{1,9})\s{1,9}\d{1,5}\s{1,9}obj\b")
"""Beginning of an indirect object, `12 0 obj`; bounded repeats keep the search linear."""
_OBJECT_TYPE = re.compile(rb"/Type\s{0,9}/(Catalog|Page)(?![A-Za-z])")
_MAX_OBJECT_HEAD_BYTES = 4096
"""Bytes of an object searched for its type."""
MAX_UNPACKED_BYTES = 50_000_000
"""Bytes of object streams that are unpacked; the objects of a document of thousands of pages, without its pictures."""
_FIRST = re.compile(rb"/First\s{1,9}(\d{1,9})")
_STREAM = re.compile(rb"stream\r?\n")
MAX_DRAWN_FORMS = 100_000
"""Forms that one form may draw, those within them included: .7 s and 300 MB."""
MAX_LEVELS = 40
"""Levels of forms in forms that pdfium parses, also of a form that draws itself."""
MAX_FORMS = 5_000
"""Forms of a file that are examined; bounds the time for crafted files."""
MAX_CONTENT_BYTES, MAX_ALL_CONTENT_BYTES = 2_000_000, 50_000_000
"""Unpacked bytes of a form, and of all forms of a file, in which drawn forms are counted."""
_FORM = re.compile(rb"/Subtype\s{0,9}/Form(?![A-Za-z])")
_MAX_HEAD_BYTES = 4096
"""Bytes of an object before its stream."""
_OBJECT_NUMBER = re.compile(rb"(\d{1,9})\s{1,9}\d{1,5}\s{1,9}\Z")
_INDIRECT = re.compile(rb"/(?:Resources|XObject)\s{0,9}(\d{1,9})\s{1,9}\d{1,5}\s{1,9}R")
"""Resources of a form, or the names in them, that are an object of their own."""
MAX_OBJECT_STREAMS = 1_000
"""Streams of objects that are unpacked to find such objects."""
_OBJECT_STREAM = re.compile(rb"/Type\s{0,9}/ObjStm(?![A-Za-z])")
_ENTRY = re.compile(rb"/(N|First)\s{1,9}(\d{1,9})")
_NAMES = re.compile(rb"/XObject\s{0,9}<<([^<>]{0,4000})>>")
_ALONE = re.compile(rb"\s{0,9}<<([^<>]{0,4000})>>")
_REFERENCE = re.compile(rb"/([^\s/<>\[\]()]{1,127})\s{1,9}(\d{1,9})\s{1,9}\d{1,5}\s{1,9}R")
_DRAWN = re.compile(rb"/([^\s/<>\[\]()]{1,127})\s{1,9}Do(?![A-Za-z])")
_HEADER = b"%PDF-1.7\n"
"""Header put in front of a file that lost it in a transfer; pdfium accepts all features under any version."""


@dataclass(frozen=True, slots=True)
class _Found:
    """An indirect object: its number, the position after its `obj`, and its beginning, without a stream."""

    number: int
    start: int
    head: bytes


def repairs(data: bytes) -> Iterator[bytes]:
    """Yield what may be opened in place of a damaged file, the most complete first."""
    unpacked = unpacked_objects(data)
    # The object in which the file ends is closed, so that it does not take in what follows it.
    complete = rebuild_trailer(data + b"\nendstream\nendobj\n" + unpacked) if unpacked else None
    yield from (each for each in (complete, rebuild_trailer(data)) if each is not None)


def unpacked_objects(data: bytes) -> bytes:
    """Return the objects inside of object streams as objects of the file; empty if there are none.

    Objects that the file also has outside of a stream, further down, are left out: they were updated.
    """
    found = list(_objects(data))
    latest = {each.number: each.start for each in found}
    left, parts = MAX_UNPACKED_BYTES, list[bytes]()
    for stream in found:
        first = _FIRST.search(stream.head)
        begin = _STREAM.search(data, stream.start, stream.start + _MAX_OBJECT_HEAD_BYTES)
        if first is None or begin is None or not _OBJECT_STREAM.search(stream.head):
            continue
        body = _inflated(data, begin.end(), left)
        left -= len(body)
        for number, content in _members(body, int(first[1])):
            if latest.get(number, 0) <= stream.start:
                parts.append(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    return b"".join(parts)


def _inflated(data: bytes, start: int, limit: int) -> bytes:
    """Return what can be unpacked of a stream, which may end early; empty if it is packed otherwise."""
    if limit <= 0:
        return b""
    try:
        return zlib.decompressobj().decompress(memoryview(data)[start:], limit)
    except zlib.error:
        return b""


def _members(body: bytes, first: int) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of each object of an unpacked object stream."""
    words = body[:first].split()
    if not all(word.isdigit() for word in words):
        return
    numbers, offsets = words[::2], [int(word[:9]) for word in words[1::2]]
    ends = [*offsets[1:], len(body)]
    for number, offset, end in zip(numbers, offsets, ends, strict=False):
        # The last one that is left may be cut.
        if first + end <= len(body) or end == len(body):
            yield int(number[:9]), body[first + offset : first + end]


def rebuild_trailer(data: bytes) -> bytes | None:
    """Append a page tree, a trailer and, if missing, a catalog; None if no page objects are left.

    Objects inside object streams are not searched, see `unpacked_objects`.
    """
    # A dict for the pages: file order, and a page that an update repeats counts once.
    catalog, pages, highest = 0, dict[int, None](), 0
    for found in _objects(data):
        highest = max(highest, found.number)
        kind = _OBJECT_TYPE.search(found.head)
        if kind is not None and kind[1] == b"Catalog":
            catalog = found.number
        elif kind is not None:
            pages[found.number] = None
    if not pages:
        return None
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    tree, root = highest + 1, highest + 2
    appended = b"\nendobj\n%d 0 obj\n<</Type/Pages/Count %d/Kids[%s]>>\nendobj\n" % (tree, len(pages), kids)
    # A catalog is of use only with the page tree that it points to.
    if not catalog or not _has_page_tree(data):
        appended += b"%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n" % (root, tree)
        catalog = root
    return data + appended + b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n0\n%%%%EOF\n" % (highest + 3, catalog)


def _objects(data: bytes) -> Iterator[_Found]:
    """Yield the indirect objects, in the order of the file."""
    for count, match in enumerate(_OBJECT.finditer(data)):
        if count == MAX_OBJECTS:
            return
        # Without the stream, whose bytes may look like anything.
        head = data[match.end() : match.end() + _MAX_OBJECT_HEAD_BYTES].partition(b"endobj")[0].partition(b"stream")[0]
        yield _Found(int(match[1]), match.end(), head)


def _has_page_tree(data: bytes) -> bool:
    return re.search(rb"/Type\s{0,9}/Pages(?![A-Za-z])", data) is not None


@dataclass(frozen=True, slots=True)
class _Form:
    """The end of a form's head in the file, and the numbers of the objects that it may draw, by name."""

    end: int
    drawable: Mapping[bytes, int]


def count_drawn_forms(data: bytes) -> int:
    """Return the largest number of forms that one form of a file draws, those within them included.

    Forms that are encrypted or packed otherwise than by Flate count as drawing nothing: they are left to the time and
    memory limits of the worker.
    """
    forms = _forms(data)
    nested = {number: form for number, form in forms.items() if not forms.keys().isdisjoint(form.drawable.values())}
    left = MAX_ALL_CONTENT_BYTES
    drawn: dict[int, Counter[int]] = {}
    for number, form in nested.items():
        content = _content(data, form.end, min(left, MAX_CONTENT_BYTES))
        left -= len(content)
        drawn[number] = Counter(form.drawable[name] for name in _DRAWN.findall(content) if name in form.drawable)
    return max(_totals(drawn).values(), default=0)


@dataclass(frozen=True)
class _Objects:
    """The objects of a file by number, sought once one is needed; a later one replaces an earlier one."""

    data: bytes

    @cached_property
    def _starts(self) -> dict[int, int]:
        starts: dict[int, int] = {}
        for match in re.finditer(rb"obj", self.data):
            number = _OBJECT_NUMBER.search(self.data, max(0, match.start() - 32), match.start())
            if number:
                starts[int(number[1])] = match.end()
        return starts

    @cached_property
    def _packed(self) -> dict[int, bytes]:
        """The objects within streams of objects (ISO 32000-1, 7.5.7)."""
        packed: dict[int, bytes] = {}
        left = MAX_ALL_CONTENT_BYTES
        for match in islice(_OBJECT_STREAM.finditer(self.data), MAX_OBJECT_STREAMS):
            start = self.data.rfind(b"obj", max(0, match.start() - _MAX_HEAD_BYTES), match.start())
            end = self.data.find(b"stream", match.end(), match.end() + _MAX_HEAD_BYTES)
            entries = {name: int(value) for name, value in _ENTRY.findall(self.data[start:end])} if start > 0 else {}
            if end < 0 or entries.keys() != {b"N", b"First"} or left <= 0:
                continue
            content, first = _content(self.data, end, min(left, MAX_CONTENT_BYTES)), entries[b"First"]
            left -= len(content)
            numbers = [int(part) for part in content[:first].split() if part.isdigit()]
            for number, offset in zip(numbers[::2], numbers[1::2], strict=False):
                packed[number] = content[first + offset : first + offset + _MAX_HEAD_BYTES]
        return packed

    def body(self, number: int) -> bytes:
        """Return the beginning of an object; empty without one."""
        start = self._starts.get(number)
        return self._packed.get(number, b"") if start is None else self.data[start : start + _MAX_HEAD_BYTES]


def _forms(data: bytes) -> dict[int, _Form]:
    """Return the forms of a file by object number; a later object replaces an earlier one."""
    forms: dict[int, _Form] = {}
    objects = _Objects(data)
    for match in islice(_FORM.finditer(data), MAX_FORMS):
        start = data.rfind(b"obj", max(0, match.start() - _MAX_HEAD_BYTES), match.start())
        number = _OBJECT_NUMBER.search(data, max(0, start - 32), start) if start > 0 else None
        end = data.find(b"stream", match.end(), match.end() + _MAX_HEAD_BYTES)
        if number is None or end < 0:
            continue
        forms[int(number[1])] = _Form(end, _drawable(data[start:end], objects))
    return forms


def _drawable(head: bytes, objects: _Objects) -> dict[bytes, int]:
    """Return the objects that a form may draw, by name: its resources or their names may be objects of their own."""
    names = _NAMES.search(head)
    for _ in range(2):
        if names:
            break
        indirect = _INDIRECT.search(head)
        if indirect is None:
            return {}
        head = objects.body(int(indirect[1])).partition(b"endobj")[0]
        # An object of names alone has no key before them.
        names = _NAMES.search(head) or (_ALONE.match(head) if indirect[0].startswith(b"/XObject") else None)
    return {name: int(target) for name, target in _REFERENCE.findall(names[1])} if names else {}


def _content(data: bytes, start: int, limit: int) -> bytes:
    """Return the content of a form up to a limit, which is unpacked if it can be."""
    begin = start + len(b"stream")
    begin += 2 if data[begin : begin + 2] == b"\r\n" else 1
    try:
        return zlib.decompressobj().decompress(memoryview(data)[begin:], max(1, limit))
    except zlib.error:
        return data[begin : data.find(b"endstream", begin, begin + limit)]


def _totals(drawn: Mapping[int, Counter[int]]) -> dict[int, int]:
    """Return the number of forms that each form draws, down to pdfium's last level; it ends above the maximum."""
    totals = dict.fromkeys(drawn, 0)
    for _ in range(MAX_LEVELS):
        last = totals
        totals = {
            number: sum(count * (1 + last.get(inner, 0)) for inner, count in counts.items())
            for number, counts in drawn.items()
        }
        if totals == last or max(totals.values(), default=0) > MAX_DRAWN_FORMS:
            break
    return totals


@dataclass(frozen=True)
class PdfFile:
    """An open PDF file.

    Attributes:
        document: pdfium's document.
        buffer: The bytes that it was opened from; None for one that was made here.
        repaired: True if the end of the file was missing and its trailer was rebuilt.
    """

    document: Handle
    buffer: "ctypes.Array[Any] | None" = None
    repaired: bool = False

    def page(self, number: int, turns: int = 0) -> AbstractContextManager[PdfPage]:
        """Open a page with what its annotations draw; see `open_page`."""
        return open_page(self.document, number, turns, lambda: self._copy)

    @cached_property
    def _copy(self) -> Handle:
        """A second document of the same bytes, whose pages are flattened."""
        return _load(self.buffer)

    def close(self) -> None:
        """Close both documents."""
        for document in self.__dict__.get("_copy"), self.document:
            if document:
                pdfium.FPDF_CloseDocument(document)


_sessions: list[object] = []
"""The sessions that are open."""


@contextmanager
def library_session() -> Generator[None]:
    """Use pdfium for the duration of a `with` block, restarted first if nothing else has a document open.

    It keeps the fonts that it substitutes as the last file left them: widths, and so spaces and boxes, of 18 among 912
    files were others when they were read behind others. A restart takes 15 microseconds.
    """
    if not _sessions and not any(ObjectTracker.values()):
        pdfium.FPDF_DestroyLibrary()
        pdfium.FPDF_InitLibraryWithConfig(pdfium.FPDF_LIBRARY_CONFIG(version=2))
    session = object()
    _sessions.append(session)
    try:
        yield
    finally:
        _sessions.remove(session)


@contextmanager
def open_document(data: bytes) -> Generator[PdfFile]:
    """Open a PDF for the duration of a `with` block.

    Args:
        data: Bytes of the file.

    Raises:
        Unsupported: The file is no PDF.
        InvalidInput: The file is encrypted or damaged, or made to keep a reader busy.
    """
    if b"%PDF-" not in data[: PDF_JUNK + 5]:
        if not is_headless_pdf(data):
            raise Unsupported(
                "The file is not a PDF: it does not begin with %PDF. Give it the extension of its format."
            )
        data = _HEADER + data
    if count_drawn_forms(data) > MAX_DRAWN_FORMS:
        raise InvalidInput(
            f"The PDF draws forms within forms more than {MAX_DRAWN_FORMS:,} times: it is not read. "
            "Print it to a new PDF, and read that."
        )
    with library_session(), closing(_opened(data)) as file:
        yield file


def _opened(data: bytes) -> PdfFile:
    # pdfium does not copy the bytes: the buffer must live until the document is closed.
    buffer = ctypes.create_string_buffer(data, len(data))
    document = _load(buffer)
    error = 0 if document else pdfium.FPDF_GetLastError()
    if error in (pdfium.FPDF_ERR_FORMAT, pdfium.FPDF_ERR_UNKNOWN):
        for repaired in repairs(data):
            buffer = ctypes.create_string_buffer(repaired, len(repaired))
            document = _load(buffer)
            if document:
                break
    if not document:
        raise _open_error(error)
    return PdfFile(document, buffer, repaired=bool(error))


def _load(buffer: "ctypes.Array[Any] | None") -> Handle:
    return pdfium.FPDF_LoadMemDocument64(buffer, len(buffer), None) if buffer is not None else None


def _open_error(error: int) -> InvalidInput:
    if error == pdfium.FPDF_ERR_PASSWORD:
        return InvalidInput("The PDF is encrypted. Save it without a password and read it again.")
    if error == pdfium.FPDF_ERR_SECURITY:
        return InvalidInput("The PDF is encrypted in a way that cannot be read. Save it without encryption.")
    return InvalidInput("The PDF is damaged: it cannot be opened. Open it in a viewer and save it again.")
