"""The events of a page's main content: text and the start and end of elements, in document order."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Attributes = Mapping[str, str | None]


@dataclass(slots=True)
class Start:
    """The start of an element that structures the text.

    Attributes:
        name: Its tag; `note` for a footnote.
        attributes: Its attributes, as written.
        is_data: For a table: True if it contains data, False if it lays out the page.
        cells: For a table: the number of its cells.
    """

    name: str
    attributes: Attributes
    is_data: bool = True
    cells: int = 0


@dataclass(frozen=True, slots=True)
class End:
    """The end of an element."""

    name: str


@dataclass(frozen=True, slots=True)
class Break:
    """The end of a paragraph."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link target at the following text."""

    name: str


@dataclass(frozen=True, slots=True)
class Role:
    """The role of the following blocks. See `Block.role`."""

    name: str


@dataclass(frozen=True, slots=True)
class Code:
    """Preformatted text."""

    text: str
    language: str
    anchors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hidden:
    """A text in the page that a browser does not show.

    Attributes:
        text: The text.
        place: The opening tag of its element.
        reason: How it is hidden.
    """

    text: str
    place: str = ""
    reason: str = ""


Event = str | Start | End | Break | Anchor | Role | Code
"""A string is running text, with its white space."""


@dataclass(slots=True)
class Content:
    """The content of a page.

    Attributes:
        events: The events in document order.
        hidden: Texts that a browser does not show.
        surroundings: Texts outside the main content: menus, comments, teasers.
        notes: Id of each footnote → its label.
    """

    events: list[Event] = field(default_factory=list[Event])
    hidden: list[Hidden] = field(default_factory=list[Hidden])
    surroundings: list[str] = field(default_factory=list[str])
    notes: dict[str, str] = field(default_factory=dict[str, str])
