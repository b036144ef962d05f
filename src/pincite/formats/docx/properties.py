"""What a paragraph says of itself (`w:pPr`), read in one pass."""

from dataclasses import dataclass

from pincite.formats.docx.names import VAL, number, toggle, w
from pincite.formats.docx.styles import BODY_LEVEL
from pincite.formats.ooxml.package import Element

_PPR, _RPR, _STYLE, _OUTLINE = w("pPr"), w("rPr"), w("pStyle"), w("outlineLvl")
_NUM_PR, _NUM_ID, _ILVL = w("numPr"), w("numId"), w("ilvl")
_DELETED, _MOVED, _VANISH = w("del"), w("moveFrom"), w("vanish")


@dataclass(slots=True)
class Properties:
    """What a paragraph says of itself; None where it says nothing.

    Attributes:
        style: Id of its style.
        outline: Its outline level from 0; 9 for none.
        num_id: The list that it belongs to; `0` takes it out of its style's list.
        num_level: Its level there.
        joined: Whether it is one with the next paragraph, once tracked changes are accepted.
        hidden: Whether its end is hidden.
    """

    style: str | None = None
    outline: int | None = None
    num_id: str | None = None
    num_level: int | None = None
    joined: bool = False
    hidden: bool = False


def paragraph_properties(paragraph: Element) -> Properties:
    """The properties of a `w:p`."""
    found = Properties()
    for element in paragraph.findall(_PPR)[:1]:
        for child in element:
            tag = child.tag
            if tag == _STYLE:
                found.style = child.get(VAL)
            elif tag == _NUM_PR:
                _numbering(child, found)
            elif tag == _OUTLINE:
                found.outline = number(child.get(VAL), BODY_LEVEL)
            elif tag == _RPR and len(child):
                found.joined = child.find(_DELETED) is not None or child.find(_MOVED) is not None
                found.hidden = bool(toggle(child, _VANISH))
    return found


def _numbering(element: Element, found: Properties) -> None:
    for child in element:
        if child.tag == _NUM_ID:
            found.num_id = child.get(VAL) or ""
        elif child.tag == _ILVL:
            found.num_level = number(child.get(VAL))
