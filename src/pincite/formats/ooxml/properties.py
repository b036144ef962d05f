"""What a file of Office Open XML says of itself: `docProps/core.xml`, `app.xml` and `custom.xml`."""

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
    """The properties that are filled in: the core ones by plain names (`author`, `created`), those that a person
    made by the names that they were given. A part that is damaged gives none.
    """
    found: dict[str, str] = {}
    for kind, names in (("core-properties", _CORE), ("extended-properties", _APPLICATION)):
        for element in _elements(package, kind):
            _put(found, names.get(local_name(element), ""), element)
    for element in _elements(package, "custom-properties"):
        _put(found, element.get("name") or "", element)
    return found


def _elements(package: Package, kind: str) -> Iterator[Element]:
    try:
        part = package.related("", kind)
        yield from package.xml(part) if part else ()
    except InvalidInput:
        return


def _put(found: dict[str, str], name: str, element: Element) -> None:
    """Keep a property; the first of a name counts."""
    text = one_line("".join(element.itertext()))
    if name and text:
        found.setdefault(name, text)
