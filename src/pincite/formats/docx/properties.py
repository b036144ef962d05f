"""The properties of a paragraph (`w:pPr`), read in one pass."""

from dataclasses import dataclass

from pincite.formats.docx.names import ILVL, NUM_ID, NUM_PR, OUTLINE, PPR, RPR, VAL, VANISH, number, toggle, w
from pincite.formats.docx.styles import BODY_LEVEL
from pincite.formats.ooxml.package import Element

_STYLE, _DELETED, _MOVED = w("pStyle"), w("del"), w("moveFrom")
_FRAME, _DROP_CAP, _SECTION = w("framePr"), w("dropCap"), w("sectPr")


@dataclass(slots=True)
class Properties:
    """The properties of a paragraph; None for those that are not set.

    Attributes:
        style: Id of its style.
        outline: Its outline level from 0; 9 for body text.
        num_id: Id of its list; `0` excludes it from its style's list.
        num_level: Its level in the list.
        joined: True if it is one paragraph with the next: by accepting tracked changes, or as its initial (drop cap).
        hidden: True if its paragraph mark is hidden.
        section_end: True if it is the last of its section (17.6.18).
    """

    style: str | None = None
    outline: int | None = None
    num_id: str | None = None
    num_level: int | None = None
    joined: bool = False
    hidden: bool = False
    section_end: bool = False


def paragraph_properties(paragraph: Element) -> Properties:
    """Return the properties of a `w:p`."""
    properties = Properties()
    for element in paragraph.findall(PPR)[:1]:
        for child in element:
            tag = child.tag
            if tag == _STYLE:
                properties.style = child.get(VAL)
            elif tag == NUM_PR:
                _numbering(child, properties)
            elif tag == OUTLINE:
                properties.outline = number(child.get(VAL), BODY_LEVEL)
            elif tag == _SECTION:
                properties.section_end = True
            elif tag == _FRAME:
                properties.joined |= child.get(_DROP_CAP) in ("drop", "margin")
            elif tag == RPR and len(child):
                properties.joined |= child.find(_DELETED) is not None or child.find(_MOVED) is not None
                properties.hidden = bool(toggle(child, VANISH))
    return properties


def _numbering(element: Element, properties: Properties) -> None:
    for child in element:
        if child.tag == NUM_ID:
            properties.num_id = child.get(VAL) or ""
        elif child.tag == ILVL:
            properties.num_level = number(child.get(VAL))
