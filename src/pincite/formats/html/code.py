"""Preformatted text: its characters as they stand, and the language that the page names."""

import re

from selectolax.lexbor import LexborNode

from pincite.formats.html.events import Hidden
from pincite.formats.html.visibility import Visibility, is_dropped

_ANCESTORS = 3
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight)-|(?:brush:|sourceCode)\s*)([A-Za-z0-9][\w+#.-]*)"
)
_NO_LANGUAGE = frozenset(
    ("default", "none", "notranslate", "text", "plaintext", "source", "highlighter-rouge", "numberLines")
)
_ATTRIBUTES = ("data-lang", "data-language")
_SPECIAL = "br, div, p, button, svg, script, style, [hidden], [style], [aria-hidden], .linenos, .lineno, .gutter"
_LINES = frozenset(("div", "p", "li", "tr"))


def language(node: LexborNode) -> str:
    """What a `pre` is written in: by the classes of itself, of a `code` in it, and of three elements above."""
    inner = node.css_first("code")
    named = [node] if inner is None else [node, inner]
    place = node.parent
    for _ in range(_ANCESTORS):
        if place is None:
            break
        named.append(place)
        place = place.parent
    for element in named:
        attributes = element.attributes
        attribute = next((value for name in _ATTRIBUTES if (value := attributes.get(name))), None)
        if attribute:
            return attribute.strip()
        for found in _LANGUAGE.finditer(attributes.get("class") or ""):
            if found[1] not in _NO_LANGUAGE:
                return found[1]
    return ""


def verbatim(node: LexborNode, visibility: Visibility, hidden: list[Hidden]) -> str:
    """The text of a `pre`; what the page hides in it is put apart."""
    if node.css_first(_SPECIAL) is None and not visibility.concealed:
        return node.text()
    return "".join(_pieces(node, visibility, hidden))


def _pieces(node: LexborNode, visibility: Visibility, hidden: list[Hidden]) -> list[str]:
    pieces: list[str] = []
    stack: list[LexborNode | str] = list[LexborNode | str](node.iter(include_text=True))[::-1]
    while stack:
        place = stack.pop()
        if isinstance(place, str):
            if pieces and not pieces[-1].endswith("\n"):
                pieces.append("\n")
            continue
        tag = place.tag or ""
        if tag == "-text":
            pieces.append(place.text_content or "")
        elif tag == "br":
            pieces.append("\n")
        elif not is_dropped(tag, attributes := place.attributes):
            if reason := visibility.reason(tag, attributes, place):
                hidden.append(Hidden(place.text(), f"<{tag}>", reason))
                continue
            if tag in _LINES:
                stack.append("\n")
            stack += [*place.iter(include_text=True)][::-1]
    return pieces
