"""Which elements of a page are left out: what is no content, and what a reader of the page does not see."""

import re
from collections.abc import Mapping
from functools import lru_cache

from selectolax.lexbor import LexborNode

Attributes = Mapping[str, str | None]

MAX_ANCESTORS = 50
"""Elements above one of white colour among which a dark background is looked for."""

_ELEMENTS = frozenset((
    "script", "style", "noscript", "template", "nav", "footer", "button", "svg", "iframe", "object", "embed",
    "applet", "canvas", "audio", "video", "select", "textarea", "datalist", "head", "title", "meta", "link",
    "base", "map", "noembed",
))  # fmt: skip
_ROLES = frozenset(("navigation", "search", "contentinfo", "doc-toc", "doc-pagelist"))
_CLASSES = frozenset((
    "headerlink", "navheader", "navfooter", "mw-editsection", "mw-portlet", "catlinks", "printfooter",
    "navbox", "sphinxsidebar", "breadcrumb",
    "breadcrumbs", "linenos", "linenodiv", "lineno", "line-numbers-rows", "gutter", "rouge-gutter",
    "mw-jump-link",
))  # fmt: skip
_BACK_LINKS = frozenset((
    "footnote-backref", "footnote-back", "footnote-backlink", "data-footnote-backref", "reversefootnote",
    "fn-backref", "mw-cite-backlink", "label", "fn-bracket",
))  # fmt: skip
_NOTES = frozenset((
    "footnote", "footnote-list", "citation", "citation-list", "admonition", "note", "topic", "callout",
    "system-message",
))  # fmt: skip
_STYLE = re.compile(
    r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|opacity:0(?:\.0+)?(?:;|!|$)"
    r"|font-size:(?:0(?:\.\d+)?(?:px|pt|r?em|%)?|1(?:\.0+)?px)(?:;|!|$))"
)
_COLOUR = re.compile(r"(?:^|;)color:([^;!]+)")
_BACKGROUND = re.compile(r"(?:^|;)background(?:-color)?:([^;!]+)")
_WHITE = frozenset(("white", "#fff", "#ffffff", "rgb(255,255,255)", "rgba(255,255,255,1)"))
_NONE: frozenset[str] = frozenset()
_NO_BACKGROUND = frozenset(("none", "transparent", "inherit", "initial", "unset"))


def is_dropped(tag: str, attributes: Attributes, *, in_note: bool = False) -> bool:
    """Whether an element is no content: navigation, scripts, controls, marks that only the screen needs."""
    if tag in _ELEMENTS:
        return True
    if not attributes:
        return tag == "aside"
    role = attributes.get("role") or ""
    if role in _ROLES:
        return True
    names = classes(attributes)
    if tag == "aside":
        return not (role.startswith(("doc-", "note")) or names & _NOTES)
    if in_note and (role == "doc-backlink" or names & _BACK_LINKS):
        return True
    return not names.isdisjoint(_CLASSES)


def is_hidden(tag: str, attributes: Attributes, node: LexborNode) -> bool:
    """Whether the page does not show an element: by attribute or by its own style."""
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        return True
    if attributes.get("aria-hidden") == "true" or (tag == "dialog" and "open" not in attributes):
        return True
    style = _plain(attributes.get("style"))
    return bool(style) and (_STYLE.search(style) is not None or _is_invisible(style, node))


def classes(attributes: Attributes) -> frozenset[str]:
    """The class names of an element."""
    names = attributes.get("class")
    return _split(names) if names else _NONE


@lru_cache(maxsize=1024)
def _split(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _plain(style: str | None) -> str:
    return "".join(style.lower().split()) if style else ""


def _is_invisible(style: str, node: LexborNode) -> bool:
    """Whether its colour is that of what is behind it, as far as inline styles say; a page is white."""
    found = _COLOUR.search(style)
    if not found:
        return False
    return _same(found[1], _behind(style, node))


def _same(colour: str, background: str) -> bool:
    return colour == background or (colour in _WHITE and background in _WHITE)


def _behind(style: str, node: LexborNode) -> str:
    place: LexborNode | None = node
    for _ in range(MAX_ANCESTORS):
        found = _BACKGROUND.search(style)
        if found and found[1] not in _NO_BACKGROUND:
            return found[1]
        place = place.parent if place else None
        if place is None:
            break
        attributes = place.attributes
        if attributes.get("bgcolor"):
            return _plain(attributes["bgcolor"])
        style = _plain(attributes.get("style"))
    return "white"
