"""Styles of a text, resolved through their parents: what kind of paragraph they make, and what nobody sees."""

import re
from collections.abc import Iterator, Sequence

from pincite.formats.odt.names import q, value
from pincite.formats.ooxml.package import Element
from pincite.formats.writing.contrast import WHITE, from_hex, is_indistinct
from pincite.model.document import BlockKind

_MAX_PARENTS = 20
_CODED = re.compile(r"_([0-9a-f]{2})_")
"""A character that no name in XML has: `Text_20_body`."""
_TITLE = "title"
_CODE = re.compile(
    r"(?:preformatted text|source (?:code|text)|code|listing|verbatim)\b.*"
    r"|.*[ _-](?:source[ _-]?(?:code|text)|code|listing|verbatim)(?: ?\d)?"
)
_QUOTE = re.compile(r"(?:block )?quot(?:e|ations?)\b.*")
_CAPTIONS = frozenset({"caption", "illustration", "table", "drawing", "figure"})
"""LibreOffice's styles of captions, by their English names, which files keep in every language."""
MIN_SIZE_PT = 2.0
"""Type below two points is hidden text, in all formats (decision 0010)."""
_SIZE = re.compile(r"([\d.]+)pt")
_POSITION = re.compile(r"(super|sub|-?[\d.]+)%?(?:\s|$)")
_TEXT = q("style:text-properties")
BACKGROUND_COLOUR = "the colour of its background"
"""The reason that holds on white alone."""


class Styles:
    """The styles of a text.

    Args:
        roots: Roots of the parts with styles; a later part's styles of a name replace an earlier one's.
    """

    def __init__(self, roots: Sequence[Element]) -> None:
        self._styles = {
            (value(element, "style:family"), value(element, "style:name")): element
            for root in roots
            for element in root.iter(q("style:style"))
        }
        self._names: dict[str, tuple[str, ...]] = {}
        self._reasons: dict[tuple[str, str], str] = {}

    def kind(self, name: str) -> BlockKind:
        """Return the kind of a paragraph of this style; `HEADING` for the title of the document."""
        names = self._paragraph_names(name)
        if names and names[0] == _TITLE:
            return BlockKind.HEADING
        if any(map(_CODE.fullmatch, names)):
            return BlockKind.CODE
        return BlockKind.QUOTE if any(map(_QUOTE.fullmatch, names)) else BlockKind.PARAGRAPH

    def is_caption(self, name: str) -> bool:
        """Return True for a style of the titles of tables and figures."""
        return not _CAPTIONS.isdisjoint(self._paragraph_names(name))

    def list_style(self, name: str) -> str:
        """Return the name of the list style of a paragraph style; empty without one."""
        chain = self._chain("paragraph", name)
        return next((list_name for style in chain if (list_name := value(style, "style:list-style-name"))), "")

    def script(self, name: str) -> str:
        """Return `super` or `sub` for a text style that raises or lowers its text, else empty."""
        position = _POSITION.match(self._text_property("text", name, "style:text-position"))
        if position is None or position[1] in ("super", "sub"):
            return position[1] if position else ""
        shift = float(position[1])
        return "super" if shift > 0 else "sub" if shift < 0 else ""

    def reason(self, family: str, name: str) -> str:
        """Return why text of a style is not seen; empty if it is."""
        key = family, name
        if key not in self._reasons:
            self._reasons[key] = self._reason(family, name)
        return self._reasons[key]

    def is_shaded(self, family: str, name: str) -> bool:
        """Return True if a style has a background of its own, so that white text on it may be seen."""
        return any(
            properties.get(q("fo:background-color"), "transparent") != "transparent"
            for style in self._chain(family, name)
            for properties in style
        )

    def is_hidden_slide(self, name: str) -> bool:
        """Return True for a style whose slides are left out of the show."""
        chain = self._chain("drawing-page", name)
        return any(value(properties, "presentation:visibility") == "hidden" for style in chain for properties in style)

    def _reason(self, family: str, name: str) -> str:
        if self._text_property(family, name, "text:display") == "none":
            return "hidden text"
        size = _SIZE.fullmatch(self._text_property(family, name, "fo:font-size"))
        if size and float(size[1]) < MIN_SIZE_PT:
            return "type smaller than 2 points"
        colour = from_hex(self._text_property(family, name, "fo:color").lstrip("#"))
        if colour and is_indistinct(colour, WHITE) and not self.is_shaded(family, name):
            return BACKGROUND_COLOUR
        return ""

    def _text_property(self, family: str, name: str, attribute: str) -> str:
        for style in self._chain(family, name):
            properties = style.find(_TEXT)
            if properties is not None and (text := value(properties, attribute)):
                return text
        return ""

    def _paragraph_names(self, name: str) -> tuple[str, ...]:
        """Return the names of the styles that a person sees, from a style's own to its parents', in small letters."""
        if name not in self._names:
            styles = list(self._chain("paragraph", name))
            names = [value(style, "style:display-name") or value(style, "style:name") for style in styles]
            parent = value(styles[-1], "style:parent-style-name") if styles else name
            self._names[name] = tuple(_decoded(style_name).lower() for style_name in (*names, parent) if style_name)
            # Automatic styles (`P12`) have a name that says nothing: the one that they change comes first.
            if len(self._names[name]) > 1 and re.fullmatch(r"p\d+", self._names[name][0]):
                self._names[name] = self._names[name][1:]
        return self._names[name]

    def _chain(self, family: str, name: str) -> Iterator[Element]:
        for _ in range(_MAX_PARENTS):
            style = self._styles.get((family, name))
            if style is None:
                return
            yield style
            name = value(style, "style:parent-style-name")


def _decoded(name: str) -> str:
    return _CODED.sub(lambda match: chr(int(match[1], 16)), name)
