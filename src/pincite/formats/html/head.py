"""The metadata in a page's head."""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite.formats.html import phrases
from pincite.formats.writing.page_writer import one_line
from pincite.model.document import Head

MAX_VALUE_CHARACTERS = 2000
"""Characters of a property that are kept."""

_NAMES = {
    "description": "description",
    "og:description": "description",
    "dc.description": "description",
    "dcterms.description": "description",
    "author": "author",
    "article:author": "author",
    "dc.creator": "author",
    "dcterms.creator": "author",
    "keywords": "keywords",
    "generator": "generator",
    "date": "created",
    "dc.date": "created",
    "dcterms.created": "created",
    "article:published_time": "created",
    "dcterms.modified": "modified",
    "article:modified_time": "modified",
    "last-modified": "modified",
    "revised": "modified",
}
MAX_GENERATOR_OFFSET = 4_000
"""Characters of a page in which its generator is named, in a property or a comment of its head."""

_BIKESHED_TITLE = re.compile(r"^\s*Title:(?P<title>.+)$", re.MULTILINE)
_MANUAL = re.compile(rf"generat(?:or|ed by)[^<>]{{1,20}}?{phrases.alternatives('manual_generator')}", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


def head(page: LexborHTMLParser) -> Head:
    """Return title, language and properties, the latter by names common to all formats."""
    root, head_element = page.root, page.head
    properties: dict[str, str] = {}
    for element in head_element.css("meta[content]") if head_element else ():
        attributes = element.attributes
        key = attributes.get("name") or attributes.get("property") or attributes.get("http-equiv") or ""
        _put(properties, _NAMES.get(key.lower().strip(), ""), attributes.get("content"))
    for element in head_element.css("link[rel=canonical][href]") if head_element else ():
        _put(properties, "url", element.attributes.get("href"))
    title = head_element.css_first("title") if head_element else None
    title_text = one_line(title.text() if title else _bikeshed_title(page))[:MAX_VALUE_CHARACTERS]
    return Head(title_text or None, properties, _language(root))


def _bikeshed_title(page: LexborHTMLParser) -> str:
    """Return the title that the source of a specification states for Bikeshed, which writes its page; else nothing."""
    metadata = page.css_first("pre.metadata")
    stated = _BIKESHED_TITLE.search(metadata.text()) if metadata else None
    return stated["title"] if stated else ""


def base(page: LexborHTMLParser) -> str:
    """Return the base URL that a page declares for its relative links; else empty."""
    element = page.css_first("base[href]")
    return (element.attributes.get("href") or "").strip() if element else ""


def is_documentation(markup: str) -> bool:
    """Return True for a page that a generator of manuals wrote, no article: lists of links are content."""
    return _MANUAL.search(markup, 0, MAX_GENERATOR_OFFSET) is not None


def _language(root: LexborNode | None) -> str | None:
    attributes = root.attributes if root else {}
    tag = (attributes.get("lang") or attributes.get("xml:lang") or "").strip().replace("_", "-")
    return tag if _LANGUAGE.fullmatch(tag) else None


def _put(properties: dict[str, str], name: str, value: str | None) -> None:
    text = one_line(value or "")[:MAX_VALUE_CHARACTERS]
    if name and text:
        properties.setdefault(name, text)
