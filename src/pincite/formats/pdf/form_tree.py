"""Forms that draw forms (ISO 32000-1, 8.10), counted before pdfium parses them.

pdfium parses a form again wherever it is drawn, at 7 µs and 3 kB each: a file of 5 kB, in which each of 24 forms draws
the next one twice, takes two minutes and 50 GB. Of the 756 files of the test data one has a form that draws itself; no
form of the others draws more than four.
"""

import re
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

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
