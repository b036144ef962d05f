"""A PDF whose end is missing: its pages, put together again from the objects that are left."""

import re
from collections.abc import Iterator

MOST_OBJECTS = 500_000
_OBJECT = re.compile(rb"(?<!\d)(\d{1,9})\s{1,9}\d{1,5}\s{1,9}obj\b")
_KIND = re.compile(rb"/Type\s{0,9}/(Catalog|Page)(?![A-Za-z])")
_LONGEST = 4096
"""Bytes of an object in which its type is looked for."""


def rebuilt(data: bytes) -> bytes | None:
    """The file with a catalog, a list of pages and a trailer at its end; None where it has no pages left.

    Objects that are packed into streams are not looked into.
    """
    catalog, pages, last = 0, dict[int, None](), 0
    for number, kind in _objects(data):
        last = max(last, number)
        if kind == b"Catalog":
            catalog = number
        elif kind == b"Page":
            pages[number] = None
    if not pages:
        return None
    kids = b" ".join(b"%d 0 R" % number for number in pages)
    tree, root = last + 1, last + 2
    added = b"\nendobj\n%d 0 obj\n<</Type/Pages/Count %d/Kids[%s]>>\nendobj\n" % (tree, len(pages), kids)
    if not catalog or not _has_tree(data):
        added += b"%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n" % (root, tree)
        catalog = root
    return data + added + b"trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n0\n%%%%EOF\n" % (last + 3, catalog)


def _objects(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Numbers of the objects, with their type where it is one of those that count."""
    for count, found in enumerate(_OBJECT.finditer(data)):
        if count == MOST_OBJECTS:
            return
        head = data[found.end() : found.end() + _LONGEST].partition(b"endobj")[0].partition(b"stream")[0]
        kind = _KIND.search(head)
        yield int(found[1]), kind[1] if kind else b""


def _has_tree(data: bytes) -> bool:
    return re.search(rb"/Type\s{0,9}/Pages(?![A-Za-z])", data) is not None
