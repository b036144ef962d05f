"""Headings written as HTML tags inside Markdown."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST_TAG = 1000
LONGEST_TITLE = 4096
"""Characters in which a heading's closing tag is looked for."""

_LIKELY = re.compile(r"<h[1-6][\s>]", re.IGNORECASE)
_TAG = re.compile(r"<!--|<(/?)(h[1-6]|pre|script|style|textarea|blockquote|ul|ol|table)(?=[\s/>])", re.IGNORECASE)
_CLOSING = re.compile(r"</h[1-6]\s*>", re.IGNORECASE)
_BREAK = re.compile(r"<h[1-6][\s>]|[\r\n] {0,3}#{1,6}[ \t]", re.IGNORECASE)
_ALT = re.compile(r"""<img\b[^<>]*?\balt\s*=\s*(?:"([^"]*)"|'([^']*)')[^<>]*>""", re.IGNORECASE)
_SPACING = re.compile(r"<(?:br|/?p|/?div|/?li|/?td)\b[^<>]*>", re.IGNORECASE)
_MARKUP = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.DOTALL)
_VERBATIM = ("pre", "script", "style", "textarea")


@dataclass(frozen=True, slots=True)
class HtmlHeading:
    """An `<h1>` … `<h6>` in a text.

    Attributes:
        start: Of its opening tag.
        end: One past its closing tag, which may lie beyond the part that was searched; where it
            has none, the end of that part.
        title: Its text: no tags, entities decoded, white space collapsed, an image's alt text.
    """

    start: int
    end: int
    level: int
    title: str


def likely(text: str, start: int, end: int) -> bool:
    """Whether there may be a heading in this part of a text; quick."""
    return _LIKELY.search(text, start, end) is not None


def headings(text: str, start: int, end: int) -> Iterator[HtmlHeading]:
    """Headings that open between start and end, in order.

    Not those in comments, in verbatim elements, or inside quotes, lists and tables.
    """
    inside = 0
    position = start
    while match := _TAG.search(text, position, end):
        position = match.end()
        name = (match[2] or "").lower()
        if not name:
            position = _after(text, "-->", position, end)
        elif name in _VERBATIM:
            position = _after_close(text, name, position, end) if not match[1] else position
        elif name[0] == "h" and name[1:].isdigit():
            inner = text.find(">", position, min(end, position + LONGEST_TAG)) + 1
            if inner and not match[1] and not inside:
                found = _heading(text, match.start(), inner, end, int(name[1]))
                yield found
                position = found.end
        else:
            inside = max(0, inside + (-1 if match[1] else 1))


def _heading(text: str, start: int, inner: int, end: int, level: int) -> HtmlHeading:
    stop = inner + LONGEST_TITLE
    broken = _BREAK.search(text, inner, stop)
    stop = broken.start() if broken else stop
    closing = _CLOSING.search(text, inner, stop)
    if closing:
        return HtmlHeading(start, closing.end(), level, _plain(text[inner : closing.start()]))
    stop = min(stop, end)
    return HtmlHeading(start, stop, level, _plain(text[inner:stop]))


def _plain(markup: str) -> str:
    named = _ALT.sub(lambda match: match[1] or match[2] or "", markup)
    spaced = _SPACING.sub(" ", named)
    return " ".join(html.unescape(_MARKUP.sub("", spaced)).split())


def _after(text: str, mark: str, position: int, end: int) -> int:
    found = text.find(mark, position, end)
    return end if found < 0 else found + len(mark)


def _after_close(text: str, name: str, position: int, end: int) -> int:
    found = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, position, end)
    return found.end() if found else end
