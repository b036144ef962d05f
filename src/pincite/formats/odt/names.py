"""Names of OpenDocument in lxml's notation, and parsers for its values."""

from pincite.formats.ooxml.package import Element, whole_number

_OPENDOCUMENT = "urn:oasis:names:tc:opendocument:xmlns"
_NAMESPACES = {
    **{
        prefix: f"{_OPENDOCUMENT}:{prefix}:1.0"
        for prefix in ("office", "text", "table", "style", "meta", "manifest", "number")
    },
    "draw": f"{_OPENDOCUMENT}:drawing:1.0",
    "fo": f"{_OPENDOCUMENT}:xsl-fo-compatible:1.0",
    "presentation": f"{_OPENDOCUMENT}:presentation:1.0",
    "svg": f"{_OPENDOCUMENT}:svg-compatible:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
    "dc": "http://purl.org/dc/elements/1.1/",
    "xml": "http://www.w3.org/XML/1998/namespace",
}
MAX_LEVEL = 10
"""Levels of a list and of headings (19.880, 19.844)."""
MAX_DEPTH = 100
"""Elements in elements that are read; deeper ones are left out and reported."""


def q(prefixed: str) -> str:
    """Return the qualified name `{namespace}p` of `text:p`."""
    prefix, _, local = prefixed.partition(":")
    return f"{{{_NAMESPACES[prefix]}}}{local}"


def prefixed(element: Element) -> str:
    """Return the name of an element with the prefix of its namespace, `text:p`; empty for other namespaces."""
    if not isinstance(element.tag, str):
        return ""
    namespace, _, local = element.tag[1:].partition("}")
    prefix = _PREFIXES.get(namespace)
    return f"{prefix}:{local}" if prefix else ""


_PREFIXES = {namespace: prefix for prefix, namespace in _NAMESPACES.items()}


def value(element: Element, name: str) -> str:
    """Return an attribute by its prefixed name; empty without it."""
    return element.get(q(name)) or ""


def count(element: Element, name: str, default: int, maximum: int) -> int:
    """Return an attribute as a number from 1 to a maximum."""
    return max(1, min(whole_number(element.get(q(name)), default), maximum))
