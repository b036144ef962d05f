"""Recognise lines of a page's interface within its text: marks of advertisements, buttons, notices of cookies, ads."""

from collections.abc import Sequence

from pincite.formats.html import phrases
from pincite.formats.html.elements import HEADING_TAGS, Element, text_of
from pincite.formats.html.events import Event

MAX_LINE_CHARACTERS = 80
"""Length of a button or a mark; a longer line is a text."""

MAX_NOTICE_CHARACTERS = 800
"""Length of a notice of cookies; a longer text is about them."""

EDGE_SIGNS = " :.…-–—|[](){}*•»«\u203a\u2039→×+!<>"
"""Signs around the words of a button or a line, angle quotation marks among them."""

_TAGS = HEADING_TAGS | {"p", "div", "li", "blockquote", "center", "section", "aside"}
_LINE = phrases.any_of("advertisement", "script", "button")
_ACCOUNT_LINE = phrases.any_of("account_button")
_NOTICE = phrases.any_of("notice", "disclosure")


def is_interface_line(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line that is a button or marks an advertisement, and for a notice of cookies or of ads."""
    if element.tag not in _TAGS or not 0 < element.characters <= MAX_NOTICE_CHARACTERS:
        return False
    text = text_of(element, events).strip(EDGE_SIGNS)
    if len(text) <= MAX_LINE_CHARACTERS:
        is_label = element.tag in HEADING_TAGS or (element.tag == "li" and not element.linked)
        if _LINE.fullmatch(text) or (not is_label and _ACCOUNT_LINE.fullmatch(text)):
            return True
    return _NOTICE.match(text) is not None
