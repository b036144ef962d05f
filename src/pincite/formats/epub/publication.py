"""The package document of a book (EPUB 3.3, 5): its metadata and its chapters in reading order."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from pincite.errors import InvalidInput
from pincite.formats.ooxml.package import Element, Package, local_name
from pincite.formats.writing.page_writer import one_line

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Algorithms that obfuscate fonts alone (EPUB 3.3, 4.2.6.3.1); any other protects the book."""
_PROPERTIES = {
    "title": "title",
    "creator": "author",
    "subject": "subject",
    "description": "description",
    "publisher": "publisher",
    "date": "created",
    "language": "language",
    "identifier": "identifier",
}
_TAGS = re.compile(r"<[^<>]{1,200}>")
"""Markup in a description, as shops write it."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A document of the reading order.

    Attributes:
        part: Name of its part.
        is_page: True for XHTML; drawings and other media may be chapters, too.
        is_contents: True for what the guide of the book names as the table of contents.
        is_navigation: True for the navigation document, which is nothing else.
        is_encrypted: True if only the program of its shop can read it.
    """

    part: str
    is_page: bool = True
    is_contents: bool = False
    is_navigation: bool = False
    is_encrypted: bool = False


@dataclass(frozen=True, slots=True)
class Publication:
    """A book's metadata, by names common to all formats, and its chapters."""

    properties: dict[str, str]
    chapters: tuple[Chapter, ...]


def publication(package: Package) -> Publication:
    """Return what the package document says.

    Raises:
        InvalidInput: It is missing or damaged, or names no chapter.
    """
    part = _package_document(package)
    root = package.xml(part)
    chapters = tuple(dict.fromkeys(_chapters(root, posixpath.dirname(part), _encrypted_parts(package))))
    if not chapters:
        raise InvalidInput("The book names no chapters. It is damaged: fetch or make it again.")
    return Publication(_properties(root), chapters)


def _package_document(package: Package) -> str:
    for element in package.xml(_CONTAINER).iter():
        if local_name(element) == "rootfile" and (path := element.get("full-path")):
            return unquote(path)
    raise InvalidInput("The book names no package document. It is damaged: fetch or make it again.")


def _chapters(root: Element, folder: str, encrypted: frozenset[str]) -> Iterator[Chapter]:
    items = {element.get("id"): element for element in root.iter() if local_name(element) == "item"}
    contents = {
        _part(folder, element.get("href"))
        for element in root.iter()
        if local_name(element) == "reference" and element.get("type") == "toc"
    }
    for reference in root.iter():
        item = items.get(reference.get("idref")) if local_name(reference) == "itemref" else None
        if item is None:
            continue
        part = _part(folder, item.get("href"))
        yield Chapter(
            part,
            is_page="html" in (item.get("media-type") or "html"),
            is_contents=part in contents,
            is_navigation="nav" in (item.get("properties") or "").split(),
            is_encrypted=part in encrypted,
        )


def _part(folder: str, href: str | None) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote((href or "").partition("#")[0])))


def _encrypted_parts(package: Package) -> frozenset[str]:
    if _ENCRYPTION not in package:
        return frozenset()
    parts: set[str] = set()
    for entry in package.xml(_ENCRYPTION).iter():
        if local_name(entry) == "EncryptedData":
            values = [element.get("Algorithm") or element.get("URI") or "" for element in entry.iter()]
            if not any(value in _FONT_ALGORITHMS for value in values):
                parts.update(_part("", value) for value in values)
    return frozenset(parts)


def _properties(root: Element) -> dict[str, str]:
    values: dict[str, dict[str, None]] = {}
    for element in root.iter():
        name = _PROPERTIES.get(local_name(element))
        parent = element.getparent()
        # Later versions group them: `dc-metadata` of OEB 1.2.
        if name is None or parent is None or "metadata" not in local_name(parent):
            continue
        if text := one_line(_TAGS.sub(" ", "".join(element.itertext()))):
            values.setdefault(name, {})[text] = None
    single = {"title", "language", "created", "identifier"}
    return {name: next(iter(texts)) if name in single else ", ".join(texts) for name, texts in values.items()}
