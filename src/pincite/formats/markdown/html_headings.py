"""HTML headings in Markdown."""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_TAG_CHARACTERS = 1000
"""Characters in which the end of an opening tag is searched."""
MAX_TITLE_CHARACTERS = 4096
"""Characters in which a heading's closing tag is searched; without a bound, many open tags take quadratic time."""

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
        start: Start of its opening tag.
        end: End of its closing tag, which may be beyond the span that was searched; without one, the end of
            that span.
        level: 1 to 6.
        title: Its text without tags, with entities decoded, white space collapsed and images as their alt text.
    """

    start: int
    end: int
    level: int
    title: str


def may_occur(text: str, start: int, end: int) -> bool:
    """Return False if this span of a text has no HTML heading; much faster than `headings`."""
    return _LIKELY.search(text, start, end) is not None


def headings(text: str, start: int, end: int) -> Iterator[HtmlHeading]:
    """Yield the headings that open between start and end, in order.

    Those in comments, in verbatim elements and inside quotes, lists and tables are left out.
    """
    depth = 0
    position = start
    while match := _TAG.search(text, position, end):
        position = match.end()
        name = (match[2] or "").lower()
        if not name:
            position = _after(text, "-->", position, end)
        elif name in _VERBATIM:
            position = _after_close(text, name, position, end) if not match[1] else position
        elif name[0] == "h" and name[1:].isdigit():
            inner = text.find(">", position, min(end, position + MAX_TAG_CHARACTERS)) + 1
            # Headings inside quotes, lists and tables do not structure the page.
            if inner and not match[1] and not depth:
                heading = _heading(text, match.start(), inner, end, int(name[1]))
                yield heading
                position = heading.end
        else:
            depth = max(0, depth + (-1 if match[1] else 1))


def _heading(text: str, start: int, inner: int, end: int, level: int) -> HtmlHeading:
    stop = inner + MAX_TITLE_CHARACTERS
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
    index = text.find(mark, position, end)
    return end if index < 0 else index + len(mark)


def _after_close(text: str, name: str, position: int, end: int) -> int:
    match = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, position, end)
    return match.end() if match else end
