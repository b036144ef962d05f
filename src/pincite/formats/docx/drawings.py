"""What a drawing says: alternative texts, words in word art, text boxes, charts, diagrams."""

from dataclasses import dataclass, field

from pincite.formats.docx.names import w
from pincite.formats.ooxml.package import Element, local_name, name
from pincite.formats.writing.page_writer import one_line

_BOX = w("txbxContent")
_CHOICE, _FALLBACK, _ALTERNATE = name("mc:Choice"), name("mc:Fallback"), name("mc:AlternateContent")
_PICTURES = frozenset({"pic", "imagedata", "chart", "relIds"})
_NAMED = frozenset({"docPr", "cNvPr"})


@dataclass(slots=True)
class Drawing:
    """A drawing.

    Attributes:
        picture: Whether it shows a picture, a chart or a diagram.
        names: Its alternative texts.
        text: Words in word art.
        boxes: `w:txbxContent` of its text boxes, each once.
        charts: Relation ids of charts.
        diagrams: Relation ids of SmartArt data.
    """

    picture: bool = False
    names: list[str] = field(default_factory=list[str])
    text: str = ""
    boxes: list[Element] = field(default_factory=list[Element])
    charts: list[str] = field(default_factory=list[str])
    diagrams: list[str] = field(default_factory=list[str])

    @property
    def name(self) -> str:
        """Its alternative texts, each once."""
        return "; ".join(dict.fromkeys(self.names))


def drawing(element: Element) -> Drawing:
    """What `w:drawing`, `w:pict`, `w:object` or `mc:AlternateContent` shows.

    Of alternatives the first choice counts, the fall-back only where that is empty.
    """
    found = Drawing()
    stack = [element]
    while stack:
        node = stack.pop()
        if node.tag == _BOX:
            found.boxes.append(node)
            continue
        if node.tag == _ALTERNATE:
            node = alternative(node)
        _look(node, found)
        stack += reversed(list(node))
    return found


def alternative(element: Element) -> Element:
    """Of `mc:AlternateContent` the first choice, the fall-back where that is empty."""
    choice = element.find(_CHOICE)
    taken = choice if choice is not None and len(choice) else element.find(_FALLBACK)
    return element if taken is None else taken


def _look(node: Element, found: Drawing) -> None:
    kind = local_name(node)
    if kind in _PICTURES:
        found.picture = True
    if kind in _NAMED:
        _name(node.get("descr") or node.get("title"), found)
    elif kind == "shape":
        _name(node.get("alt"), found)
    elif kind == "textpath":
        found.text += node.get("string") or ""
    elif kind == "chart":
        found.charts.append(node.get(name("r:id")) or "")
    elif kind == "relIds":
        found.diagrams.append(node.get(name("r:dm")) or "")


def _name(text: str | None, found: Drawing) -> None:
    if text and (line := one_line(text)):
        found.names.append(line)
