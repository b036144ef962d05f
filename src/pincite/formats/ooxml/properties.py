"""Document properties of Office Open XML: `docProps/core.xml`, `app.xml` and `custom.xml`."""

from collections.abc import Iterator

from pincite.errors import InvalidInput
from pincite.formats.ooxml.package import Element, Package, local_name
from pincite.formats.writing.page_writer import one_line

_CORE = {
    "title": "title",
    "subject": "subject",
    "creator": "author",
    "keywords": "keywords",
    "description": "description",
    "category": "category",
    "contentStatus": "status",
    "version": "version",
    "language": "language",
    "created": "created",
    "modified": "modified",
    "lastModifiedBy": "last modified by",
}
_APPLICATION = {"Company": "company", "Manager": "manager", "Application": "application"}


def properties(package: Package) -> dict[str, str]:
    """Return the properties that are not empty: core ones by common names (`author`), custom ones by their own.

    Damaged parts are skipped.
    """
    values: dict[str, str] = {}
    for kind, names in (("core-properties", _CORE), ("extended-properties", _APPLICATION)):
        for element in _elements(package, kind):
            _put(values, names.get(local_name(element), ""), element)
    for element in _elements(package, "custom-properties"):
        _put(values, element.get("name") or "", element)
    return values


def _elements(package: Package, kind: str) -> Iterator[Element]:
    try:
        part = package.related("", kind)
        yield from package.xml(part) if part else ()
    except InvalidInput:
        return


def _put(values: dict[str, str], name: str, element: Element) -> None:
    """Add a property unless one of that name exists."""
    text = one_line("".join(element.itertext()))
    if name and text:
        values.setdefault(name, text)
