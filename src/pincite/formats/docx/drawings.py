"""The text in drawings: alternative texts, word art, text boxes, charts, diagrams."""

from dataclasses import dataclass, field

from pincite.formats.docx.names import w
from pincite.formats.ooxml.package import ALTERNATE, Element, local_name, name
from pincite.formats.writing.page_writer import one_line

_BOX = w("txbxContent")
_CHOICE, _FALLBACK = name("mc:Choice"), name("mc:Fallback")
_PICTURES = frozenset({"pic", "imagedata", "chart", "relIds"})
_NAMED = frozenset({"docPr", "cNvPr"})


@dataclass(slots=True)
class Drawing:
    """The text and references of a drawing.

    Attributes:
        picture: True if it shows a picture, a chart or a diagram.
        names: Its alternative texts.
        text: The text of its word art.
        boxes: `w:txbxContent` of its text boxes, each once.
        charts: Relation ids of charts.
        pictures: Relation ids of pictures.
        diagrams: Relation ids of SmartArt data.
    """

    picture: bool = False
    names: list[str] = field(default_factory=list[str])
    text: str = ""
    boxes: list[Element] = field(default_factory=list[Element])
    charts: list[str] = field(default_factory=list[str])
    pictures: list[str] = field(default_factory=list[str])
    diagrams: list[str] = field(default_factory=list[str])

    @property
    def name(self) -> str:
        """The distinct alternative texts, joined."""
        return "; ".join(dict.fromkeys(self.names))


def drawing(element: Element) -> Drawing:
    """Return the content of `w:drawing`, `w:pict`, `w:object` or `mc:AlternateContent`.

    Of alternatives only one is read, as all of them show the same. See `alternative`.
    """
    result = Drawing()
    stack = [element]
    while stack:
        node = stack.pop()
        if node.tag == _BOX:
            result.boxes.append(node)
            continue
        if node.tag == ALTERNATE:
            node = alternative(node)
        _collect(node, result)
        stack += reversed(list(node))
    return result


def alternative(element: Element) -> Element:
    """Return the first choice of `mc:AlternateContent`, or its fall-back if that is empty."""
    choice = element.find(_CHOICE)
    selected = choice if choice is not None and len(choice) else element.find(_FALLBACK)
    return element if selected is None else selected


def _collect(node: Element, result: Drawing) -> None:
    kind = local_name(node)
    if kind in _PICTURES:
        result.picture = True
    if kind in _NAMED:
        _name(node.get("descr") or node.get("title"), result)
    elif kind == "shape":
        _name(node.get("alt"), result)
    elif kind == "textpath":
        result.text += node.get("string") or ""
    elif kind == "chart":
        result.charts.append(node.get(name("r:id")) or "")
    elif kind == "blip":
        result.pictures.append(node.get(name("r:embed")) or "")
    elif kind == "imagedata":
        result.pictures.append(node.get(name("r:id")) or "")
    elif kind == "relIds":
        result.diagrams.append(node.get(name("r:dm")) or "")


def _name(text: str | None, result: Drawing) -> None:
    if text and (line := one_line(text)):
        result.names.append(line)
