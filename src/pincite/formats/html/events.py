"""What the elements of a page say, one after the other: the part that is its content."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Attributes = Mapping[str, str | None]


@dataclass(slots=True)
class Start:
    """An element that means something to the text begins.

    Attributes:
        name: Its tag; `note` for a footnote.
        attributes: As written.
        is_data: Of a table: whether it holds data, rather than laying out the page.
    """

    name: str
    attributes: Attributes
    is_data: bool = True
    cells: int = 0


@dataclass(frozen=True, slots=True)
class End:
    """That element ends."""

    name: str


@dataclass(frozen=True, slots=True)
class Break:
    """A paragraph ends here."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A name by which links reach what follows."""

    name: str


@dataclass(frozen=True, slots=True)
class Code:
    """Preformatted text."""

    text: str
    language: str
    anchors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hidden:
    """A text that the page holds and does not show.

    Attributes:
        place: The opening tag that holds it.
        reason: What hides it.
    """

    text: str
    place: str = ""
    reason: str = ""


Event = str | Start | End | Break | Anchor | Code
"""A string is running text, its white space as written."""


@dataclass(slots=True)
class Content:
    """What a page says.

    Attributes:
        events: In order.
        hidden: Texts that it holds and does not show.
        notes: Label of each footnote by its id.
        frames: Links to the pages that it shows in frames.
    """

    events: list[Event] = field(default_factory=list[Event])
    hidden: list[Hidden] = field(default_factory=list[Hidden])
    notes: dict[str, str] = field(default_factory=dict[str, str])
    frames: list[str] = field(default_factory=list[str])
