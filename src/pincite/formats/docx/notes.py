"""Texts of other parts: footnotes and endnotes, comments, headers and footers."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pincite.formats.docx.names import w
from pincite.formats.docx.numbering import number_text
from pincite.formats.ooxml.package import Element

_TYPE, _ID = w("type"), w("id")
_AUTHOR = w("author")

NoteKey = tuple[str, str]
"""Kind (`footnote`, `endnote`) and id of a note."""


@dataclass(slots=True)
class Notes:
    """The footnotes and endnotes of a document, numbered in the order in which the text names them.

    Footnotes are 1, 2, 3, endnotes i, ii, iii, as Word shows them unless it is told otherwise.
    """

    _found: dict[NoteKey, Element] = field(default_factory=dict[NoteKey, Element])
    _labels: dict[NoteKey, str] = field(default_factory=dict[NoteKey, str])

    def add(self, kind: str, root: Element | None) -> None:
        """The notes of a part; separators are none."""
        for element in root.findall(w(kind)) if root is not None else ():
            if element.get(_TYPE) in (None, "normal"):
                self._found[kind, element.get(_ID) or ""] = element

    def mark(self, kind: str, identity: str) -> str:
        """What stands in the text for a note; empty where there is no such note."""
        key = kind, identity
        if key not in self._found:
            return ""
        if key not in self._labels:
            count = 1 + sum(known == kind for known, _ in self._labels)
            self._labels[key] = number_text(count, "lowerRoman") if kind == "endnote" else str(count)
        return f"[^{self._labels[key]}]"

    def label(self, key: NoteKey) -> str:
        """The label of a note that was named."""
        return self._labels[key]

    def element(self, key: NoteKey) -> Element:
        """A note that was named."""
        return self._found[key]


def comments(root: Element | None) -> Iterator[tuple[str, Element]]:
    """Author and element of each comment."""
    for element in root.findall(w("comment")) if root is not None else ():
        yield (element.get(_AUTHOR) or "").strip(), element
