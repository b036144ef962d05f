"""What a file of Office Open XML says of itself: `docProps/core.xml`."""

from pincite.errors import InvalidInput
from pincite.formats.canonical import one_line
from pincite.formats.ooxml.package import Package, local_name

_NAMES = {
    "title": "title",
    "subject": "subject",
    "creator": "author",
    "keywords": "keywords",
    "description": "description",
    "category": "category",
    "language": "language",
    "created": "created",
    "modified": "modified",
    "lastModifiedBy": "last modified by",
}


def properties(package: Package) -> dict[str, str]:
    """The core properties that are filled in, by plain names (`author`, `created`); none where they are damaged."""
    try:
        part = package.related("", "core-properties")
        root = package.xml(part) if part else ()
    except InvalidInput:
        return {}
    found = {_NAMES.get(local_name(element)): one_line(element.text or "") for element in root}
    return {key: value for key, value in found.items() if key and value}
