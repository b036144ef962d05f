"""Collect running text as one line: white space as a browser collapses it, links, marks."""

import re

from pincite.formats.html.events import Attributes
from pincite.formats.writing.scripts import scripted

LINE_BREAK = "\0"
"""Represents `<br>` until white space is collapsed. Decoding replaces NULs, so no page contains it."""

MAX_MARK_DEPTH = 50
"""Maximum depth of nested inline elements that are written as marks; deeper ones are ignored."""

SCRIPT_CONTEXT_PARTS = 6
"""Parts of the text before a superscript that are looked at: its base, and marks without text."""

_SPACE = re.compile(r"[ \t\r\n\f]+")
_BREAKS = re.compile(r" ?\0 ?")
_NO_LINK = re.compile(r"\s*(?:javascript|data|vbscript|cid):", re.IGNORECASE)
_MARKS = {"del": "~~", "s": "~~", "strike": "~~", "dfn": "*"}
"""Struck text is no longer valid, and a term is defined where it is marked; other emphasis says nothing."""


class Line:
    """A builder of one line of text.

    Args:
        is_plain: True to write links and notes as their text alone.
        marks_terms: True to mark a term where it is defined.
    """

    def __init__(self, *, is_plain: bool = False, marks_terms: bool = True) -> None:
        self.is_plain = is_plain
        self._marks_terms = marks_terms and not is_plain
        self._parts: list[str] = []
        self._open: list[tuple[str, int, str]] = []
        self._unmarked = 0

    def add(self, text: str) -> None:
        """Append text."""
        self._parts.append(text)

    def picture(self, name: str, source: str) -> None:
        """Append a picture, without its address in a link, or where that is the picture itself."""
        target = "" if any(href for _, _, href in self._open) else picture_target(source)
        self.add(name if self.is_plain else f"![{name}]" + (f"({target})" if target else ""))

    def begin(self, name: str, attributes: Attributes, notes: dict[str, str]) -> None:
        """Begin an inline element."""
        href = (attributes.get("href") or "").strip() if name == "a" else ""
        if href.startswith("#") and href[1:] in notes and not self.is_plain:
            href = f"^{notes[href[1:]]}"
        # `take` closes and reopens all open elements for each block: the depth bounds that work.
        if len(self._open) < MAX_MARK_DEPTH:
            self._open.append((name, len(self._parts), href))
        else:
            self._unmarked += 1

    def end(self) -> None:
        """End the innermost inline element, and write its text as a link, a power or a deletion."""
        if self._unmarked or not self._open:
            self._unmarked -= self._unmarked > 0
            return
        self._close(*self._open.pop())

    def take(self) -> str:
        """Return the text so far and begin anew; a line break is a line feed."""
        if not self._parts:
            return ""
        for mark in reversed(self._open):
            self._close(*mark)
        text = "".join(self._parts)
        self._parts.clear()
        # An element that spans blocks, as a link around a card, applies to each of them.
        self._open = [(name, 0, href) for name, _, href in self._open]
        # Only ASCII white space collapses; if the text has no other, splitting is three times as fast.
        text = " ".join(text.split()) if text.isascii() else _SPACE.sub(" ", text)
        return _BREAKS.sub("\n", text).strip(" \n") if LINE_BREAK in text else text.strip(" ")

    def _close(self, name: str, start: int, href: str) -> None:
        inner = "".join(self._parts[start:])
        text = inner.strip(" \t\r\n\f\0")
        if text and (written := self._written(name, text, href, start)) != text:
            before, _, after = inner.partition(text)
            self._parts[start:] = [before, written, after]

    def _written(self, name: str, text: str, href: str, start: int) -> str:
        if name == "a":
            return text if self.is_plain or not href or _NO_LINK.match(href) else _link(text, href)
        if name == "q":
            return f"“{text}”"
        if name in _MARKS:
            mark = "" if name == "dfn" and (not self._marks_terms or "*" in text) else _MARKS[name]
            return f"{mark}{text}{mark}"
        before = "".join(self._parts[max(0, start - SCRIPT_CONTEXT_PARTS) : start])
        return scripted(text, before, is_super=name == "sup")


def _link(text: str, href: str) -> str:
    if href.startswith("^"):
        return f"[{href}]"
    return f"[{text}]({_target(href)})"


def picture_target(source: str) -> str:
    """Return the address of a picture as the target of a Markdown link; empty if it is the picture itself."""
    return "" if _NO_LINK.match(source) else _target(source.strip())


def _target(href: str) -> str:
    """Escape white space and unbalanced brackets, which would end the link's target."""
    target = "".join(href.split()) if not href.isprintable() else href
    if target.count("(") != target.count(")"):
        target = target.replace("(", "%28").replace(")", "%29")
    return target.replace(" ", "%20")
