"""Preformatted text: its characters, verbatim, and its language."""

import re
import textwrap

from selectolax.lexbor import LexborNode

from pincite.formats.html.events import Attributes, Hidden
from pincite.formats.html.visibility import Visibility, classes, is_dropped

_MAX_ANCESTORS = 3
"""Elements around a `pre` that highlighters put its language on."""
_LANGUAGE = re.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|highlight)-|(?:brush:|sourceCode)\s*)([A-Za-z0-9][\w+#.-]*)"
)
_NO_LANGUAGE = frozenset(
    ("default", "none", "notranslate", "text", "plaintext", "source", "highlighter-rouge", "numberLines")
)
_ATTRIBUTES = ("data-lang", "data-language")
_NUMBER_DIGITS = 6
_LINES = frozenset(("div", "p", "li", "tr"))
_LINE_CLASSES = frozenset(("line", "code-line", "highlight-line", "token-line", "view-line"))
"""Classes of a `span` that highlighters put around a line, and show as one without a line end."""
_NEEDS_WALK = ", ".join(
    (
        "br, div, p, button, svg, script, style, [hidden], [style], [aria-hidden], .linenos, .lineno, .gutter",
        *(f"span.{name} + span.{name}" for name in sorted(_LINE_CLASSES)),
    )
)


def language(node: LexborNode) -> str:
    """Return the language in the attributes of a `pre`, a `code` inside it or three ancestors; else empty."""
    inner = node.css_first("code")
    elements = [node] if inner is None else [node, inner]
    ancestor = node.parent
    for _ in range(_MAX_ANCESTORS):
        if ancestor is None:
            break
        elements.append(ancestor)
        ancestor = ancestor.parent
    for element in elements:
        attributes = element.attributes
        attribute = next((value for name in _ATTRIBUTES if (value := attributes.get(name))), None)
        if attribute:
            return attribute.strip()
        for match in _LANGUAGE.finditer(attributes.get("class") or ""):
            if match[1] not in _NO_LANGUAGE:
                return match[1]
    return ""


def is_fragment(attributes: Attributes, node: LexborNode) -> bool:
    """Return True for a `div` of lines of code, as Doxygen writes it."""
    return "fragment" in classes(attributes) and node.css_first("div.line") is not None


def verbatim(node: LexborNode, visibility: Visibility, hidden: list[Hidden]) -> str:
    """Return the text of a `pre`, and append to `hidden` what the page hides in it."""
    # Most blocks contain nothing that needs a walk.
    if node.css_first(_NEEDS_WALK) is None and not visibility.concealed:
        return node.text()
    text = "".join(_pieces(node, visibility, hidden))
    if node.tag == "div":
        # Doxygen puts a space between the number of a line and the line.
        text = text.replace("\xa0", " ")
        return textwrap.dedent(text) if node.css_first(".lineno") is not None else text
    return text


def numbers_lines(node: LexborNode) -> bool:
    """Return True for a `pre` that is a cell with the numbers of the lines of the code in the next cell."""
    cell = node.parent if node.parent is None or node.parent.tag == "td" else node.parent.parent
    following = cell.next if cell is not None and cell.tag == "td" else None
    while following is not None and following.tag != "td":
        following = following.next
    lines = following.css_first("pre") if following is not None else None
    numbers = node.text().split() if lines is not None else []
    if lines is None or not numbers or not numbers[0].isdecimal() or len(numbers[0]) > _NUMBER_DIGITS:
        return False
    first = int(numbers[0])
    expected = range(first, first + lines.text().strip("\n").count("\n") + 1)
    return numbers == [str(number) for number in expected]


def _pieces(node: LexborNode, visibility: Visibility, hidden: list[Hidden]) -> list[str]:
    pieces: list[str] = []
    stack: list[LexborNode | str] = list[LexborNode | str](node.iter(include_text=True))[::-1]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            if pieces and not pieces[-1].endswith("\n"):
                pieces.append("\n")
            continue
        tag = item.tag or ""
        if tag == "-text":
            text = item.text_content or ""
            # Between the lines of a `div` a line end is none of the code.
            if node.tag == "pre" or "\n" not in text or not text.isspace():
                pieces.append(text)
        elif tag == "br":
            pieces.append("\n")
        # Line numbers, buttons to copy and the like are in the block but not in the code.
        elif not is_dropped(tag, attributes := item.attributes):
            if reason := visibility.reason(tag, attributes, item):
                hidden.append(Hidden(item.text(), f"<{tag}>", reason))
                continue
            if tag in _LINES or _is_line(item):
                stack.append("\n")
            stack += [*item.iter(include_text=True)][::-1]
    return pieces


def _is_line(node: LexborNode) -> bool:
    """Return True for a line that the next one follows at once, or code that the same in another syntax follows."""
    following = node.next
    if following is None or following.tag != node.tag or node.tag not in {"span", "code"}:
        return False
    return node.tag == "code" or not _LINE_CLASSES.isdisjoint(classes(node.attributes) & classes(following.attributes))
