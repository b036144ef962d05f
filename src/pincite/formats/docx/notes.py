"""Footnotes, endnotes and comments, which are in parts of their own."""

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
    """The footnotes and endnotes of a document, numbered in the order of their references in the text.

    Footnotes are 1, 2, 3, endnotes i, ii, iii, which is Word's default.
    """

    _elements: dict[NoteKey, Element] = field(default_factory=dict[NoteKey, Element])
    _labels: dict[NoteKey, str] = field(default_factory=dict[NoteKey, str])

    def add(self, kind: str, root: Element | None) -> None:
        """Add the notes of a part, without separators."""
        for element in root.findall(w(kind)) if root is not None else ():
            if element.get(_TYPE) in (None, "normal"):
                self._elements[kind, element.get(_ID) or ""] = element

    def mark(self, kind: str, identity: str) -> str:
        """Return the mark of a note in the text; empty if there is no such note."""
        key = kind, identity
        if key not in self._elements:
            return ""
        if key not in self._labels:
            count = 1 + sum(known == kind for known, _ in self._labels)
            self._labels[key] = number_text(count, "lowerRoman") if kind == "endnote" else str(count)
        return f"[^{self._labels[key]}]"

    def label(self, key: NoteKey) -> str:
        """Return the label of a note that has a mark."""
        return self._labels[key]

    def element(self, key: NoteKey) -> Element:
        """Return the element of a note."""
        return self._elements[key]


def comments(root: Element | None) -> Iterator[tuple[str, Element]]:
    """Yield author and element of each comment."""
    for element in root.findall(w("comment")) if root is not None else ():
        yield (element.get(_AUTHOR) or "").strip(), element
