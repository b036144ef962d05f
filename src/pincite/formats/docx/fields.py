"""Fields (ECMA-376 part 1, 17.16): instructions that are not shown, and their results, which are."""

import re
from dataclasses import dataclass, field

from pincite.formats.docx.names import VAL, number, toggle, w
from pincite.formats.ooxml.package import Element
from pincite.formats.ooxml.text import link_to

_HYPERLINK = re.compile(r'\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))', re.IGNORECASE)
_ANCHOR = re.compile(r'\\l\s+(?:"([^"]*)"|(\S+))')


@dataclass(slots=True)
class _Field:
    instruction: list[str] = field(default_factory=list[str])
    result: bool = False
    url: str = ""
    start: int = 0


class Fields:
    """The open fields of a story; they may run over paragraphs."""

    def __init__(self) -> None:
        self._open: list[_Field] = []
        self._unshown = 0

    @property
    def shown(self) -> bool:
        """Whether text stands in results alone."""
        return not self._unshown

    def instruct(self, text: str) -> None:
        """A part of the innermost field's instruction."""
        if self._open and not self._open[-1].result:
            self._open[-1].instruction.append(text)

    def begin(self) -> None:
        """A field begins with its instruction."""
        self._open.append(_Field())
        self._unshown += 1

    def separate(self, pieces: list[str]) -> None:
        """The result of the innermost field begins."""
        if self._open and not self._open[-1].result:
            found = self._open[-1]
            found.result = True
            found.url = hyperlink("".join(found.instruction))
            found.start = len(pieces)
            self._unshown -= 1

    def end(self, pieces: list[str]) -> None:
        """The innermost field ends."""
        if self._open:
            found = self._open.pop()
            if found.result:
                link(pieces, found.start, found.url)
            else:
                self._unshown -= 1

    def end_line(self, pieces: list[str]) -> None:
        """A paragraph ends: each has a link of its own, and an instruction that did not end is given up."""
        if not self._open:
            return
        for found in reversed(self._open):
            if found.result:
                link(pieces, found.start, found.url)
                found.start = 0
        self._open = [found for found in self._open if found.result]
        self._unshown = 0


def hyperlink(instruction: str) -> str:
    """The URL of a `HYPERLINK` instruction; empty for another one and for a place in the document."""
    found = _HYPERLINK.match(instruction)
    url = ((found[1] if found[1] is not None else found[2]) or "").strip() if found else ""
    anchor = _ANCHOR.search(instruction) if url else None
    return f"{url}#{anchor[1] or anchor[2] or ''}" if anchor and "#" not in url else url


def link(pieces: list[str], start: int, url: str) -> None:
    """Make one link of the pieces from a place on; a text that is the URL stands for itself."""
    if not url:
        return
    text = "".join(pieces[start:])
    core = text.strip()
    if core and core != url:
        before, _, after = text.partition(core)
        pieces[start:] = [f"{before}{link_to(core, url)}{after}"]


def form_value(begin: Element) -> str:
    """What a form field shows that has no result: a box, or the choice of a list."""
    data = begin.find(w("ffData"))
    box = data.find(w("checkBox")) if data is not None else None
    if box is not None:
        checked = toggle(box, w("checked"))
        checked = toggle(box, w("default")) if checked is None else checked
        return "☒" if checked else "☐"
    choices = data.find(w("ddList")) if data is not None else None
    if choices is not None:
        entries = [found.get(VAL) or "" for found in choices.findall(w("listEntry"))]
        result = choices.find(w("result"))
        chosen = number(result.get(VAL) if result is not None else None)
        return entries[chosen] if chosen < len(entries) else ""
    return ""
