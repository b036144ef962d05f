"""Recognise lists that Word writes without lists: paragraphs with marks.

Word and Outlook write an item as a paragraph: its level is in the property `mso-list` (MS-OFFDI, 2.1.472), its mark in
a span with the value `Ignore`. A filtered page has neither: the mark is followed by white space in small type, and the
level is a margin of half an inch.
"""

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from pincite.formats.html.events import Attributes

MAX_MARK_CHARACTERS = 12
"""Length of a mark: `xviii.`, `1.2.3.4.`; a longer text before white space is a text."""

_LEVEL = re.compile(r"mso-list\s*:[^;]*?\blevel(\d)", re.IGNORECASE)
_IGNORED = re.compile(r"mso-list\s*:\s*ignore", re.IGNORECASE)
_MARGIN = re.compile(r"margin(?:-left)?\s*:[^;]*?([\d.]+)(in|pt|cm|mm)(?:;|$)", re.IGNORECASE)
_MARGINS_OF_A_LEVEL = {"in": 0.5, "pt": 36.0, "cm": 1.27, "mm": 12.7}
_SPACER = re.compile(r"font\s*:\s*7(?:\.0)?pt", re.IGNORECASE)
_NUMBER = re.compile(r"\(?(?:\d+|[a-z]{1,8}|[^\W\d_a-z]{1,3})(?:\.\d+)*[.)]+|(?:\d+\.)*\d+", re.IGNORECASE)
_MAX_LEVEL = 9


@dataclass(frozen=True, slots=True)
class WordItem:
    """An item of a list that is a paragraph.

    Attributes:
        level: Its level, 1 for the outermost.
        label: Its number or letter with its sign; empty for any other mark.
        marks: Memory ids of the nodes that show its mark.
    """

    level: int
    label: str
    marks: frozenset[int]


def word_item(attributes: Attributes, node: LexborNode) -> WordItem | None:
    """Return the item that a paragraph of Word is; None for any other."""
    style = attributes.get("style") or ""
    if match := _LEVEL.search(style):
        mark = next((span for span in node.css("span[style]") if _IGNORED.search(span.attributes["style"] or "")), None)
        text = mark.text() if mark is not None else ""
        return WordItem(int(match[1]), _label(text), frozenset((mark.mem_id,) if mark is not None else ()))
    if not (attributes.get("class") or "").startswith("MsoListParagraph"):
        return None
    marks = _marks_before_white_space(node)
    text = "".join(mark.text() or "" for mark in marks).replace("\xa0", " ").strip()
    if not text or len(text) > MAX_MARK_CHARACTERS:
        return None
    margin = _MARGIN.search(style)
    level = round(float(margin[1]) / _MARGINS_OF_A_LEVEL[margin[2].lower()]) if margin else 1
    return WordItem(min(max(level, 1), _MAX_LEVEL), _label(text), frozenset(mark.mem_id for mark in marks))


def _marks_before_white_space(node: LexborNode) -> list[LexborNode]:
    """Return the children of a paragraph up to the white space in small type that follows its mark."""
    marks: list[LexborNode] = []
    child = node.child
    while child is not None:
        marks.append(child)
        spacers = [child, *child.css("span")] if child.tag == "span" else []
        if any(_SPACER.search(span.attributes.get("style") or "") and not span.text().strip() for span in spacers):
            return marks
        child = child.next
    return []


def _label(mark: str) -> str:
    text = mark.replace("\xa0", " ").strip()
    return text if _NUMBER.fullmatch(text) else ""
