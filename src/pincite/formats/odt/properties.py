"""Properties of an OpenDocument file: `meta.xml`, and the language of its text."""

from pincite.errors import InvalidInput
from pincite.formats.odt.names import prefixed, q, value
from pincite.formats.ooxml.package import Element, Package
from pincite.formats.writing.page_writer import one_line

_META, _STYLES = "meta.xml", "styles.xml"
_NAMES = {
    "dc:title": "title",
    "dc:subject": "subject",
    "meta:initial-creator": "author",
    "dc:creator": "last modified by",
    "dc:description": "description",
    "meta:keyword": "keywords",
    "meta:creation-date": "created",
    "dc:date": "modified",
    "dc:language": "language",
    "meta:generator": "generator",
}


def properties(package: Package) -> dict[str, str]:
    """Return the properties that are not empty, by names common to all formats; a damaged part has none."""
    values: dict[str, str] = {}
    root = _root(package, _META)
    for element in root.iter() if root is not None else ():
        name = _NAMES.get(prefixed(element)) or value(element, "meta:name")
        text = one_line("".join(element.itertext()))
        if name and text:
            values[name] = f"{values[name]}, {text}" if name == "keywords" and name in values else text
    if "author" not in values and "last modified by" in values:
        values["author"] = values["last modified by"]
    if "language" not in values and (language := _default_language(_root(package, _STYLES))):
        values["language"] = language
    return values


def _default_language(styles: Element | None) -> str:
    for style in styles.iter(q("style:default-style")) if styles is not None else ():
        properties = style.find(q("style:text-properties"))
        if value(style, "style:family") == "paragraph" and properties is not None:
            language, country = value(properties, "fo:language"), value(properties, "fo:country")
            known = [part for part in (language, country) if part not in ("", "none", "zxx")]
            return "-".join(known) if language in known else ""
    return ""


def _root(package: Package, part: str) -> Element | None:
    try:
        return package.xml(part) if part in package else None
    except InvalidInput:
        return None
