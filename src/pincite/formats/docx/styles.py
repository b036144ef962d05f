# ruff: noqa: RUF001 - names of styles in other scripts
"""Resolve styles through their basedOn chains: kind, heading level, list, visibility."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.formats.docx.names import ILVL, NAME, NUM_ID, NUM_PR, OUTLINE, PPR, RPR, VAL, number, toggle, value, w
from pincite.formats.ooxml.package import Element
from pincite.model.document import BlockKind

BODY_LEVEL = 9
"""The outline level of body text (17.3.1.20)."""

_BASED_ON = w("basedOn")
_HEADING = re.compile(
    r"(?:heading|head|überschrift|titre|título|titulo|titolo|rubrik|overskrift|otsikko|kop|nagłówek|nadpis|címsor|titlu"
    r"|naslov|заголовок|επικεφαλίδα|başlık|antraštė|pealkiri|標題|标题|見出し|제목|หัวเรื่อง|כותרת|عنوان) ?([1-9])"
)
"""Word writes `heading 1` in every language; other programs write the name that the user sees."""

_KINDS = {
    BlockKind.CODE: re.compile(
        r"(?:.*[ _-])?(?:source[ _-]?(?:code|text)|code|preformatted|listing|verbatim|macro|quelltext|quellcode)"
        r"(?:[ _-]?(?:block|text|example|listing|sample|box|paragraph))?(?: ?\d)?"
    ),
    BlockKind.QUOTE: re.compile(
        r"(?:intense )?quote|quotations?|block ?(?:text|quote)|(?:intensives )?zitat|citation(?: intense)?"
    ),
}
_CONTENTS = re.compile(r"(?:toc|contents|verzeichnis|tm) ?[1-9]|table of (?:figures|authorities)")
_CONTENTS_HEADING = re.compile(r"(?:toc|contents|verzeichnis) heading|inhaltsverzeichnisüberschrift")
"""Its outline level is body text, which keeps it out of the table of contents; it is a heading all the same."""
_CAPTION = re.compile(
    r"(?:.* )?caption|beschriftung|légende|leyenda|epígrafe|didascalia|legenda|bijschrift|题注|図表番号"
)
_TITLE = re.compile(r"title|titel|titre|título|titolo|标题|表題")
_LIST = re.compile(r"list (bullet|number)(?: ([2-5]))?")
_ROLES = {
    "note": re.compile(r"(?:.* )?notes?(?: (?:continued|text|list|paragraph|box|indent.*))?(?: \d)?|no|rationale"),
    "example": re.compile(r"(?:.* )?examples?(?: (?:continued|text|list|paragraph|box|indent.*))?(?: \d)?"),
    "informative": re.compile(r"(?:informative|non-?normative)(?: .*)?"),
}
_CONTINUED = re.compile(r"list continue(?: [2-5])?")


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style with its inherited properties.

    Attributes:
        kind: Heading, code, quote, contents, or paragraph.
        level: Heading level from 1; 0 for any other kind.
        caption: True for captions of tables and figures.
        continued: True if its paragraphs continue the item before them.
        bullet: True if its name belongs to a list style.
        depth: Nesting of that list, from 0, by the name.
        num_id: Id of its list; empty for none.
        num_level: Its level in the list; None if the list defines it.
        num_style: Id of the style in the chain that sets the list.
        hidden: True if its text is hidden.
        role: The role of its paragraphs by its name. See `Block.role`.
    """

    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    caption: bool = False
    continued: bool = False
    bullet: bool = False
    depth: int = 0
    num_id: str = ""
    num_level: int | None = None
    num_style: str = ""
    hidden: bool = False
    role: str = ""


class Styles:
    """The styles of a document by id; none if the document has no such part."""

    def __init__(self, root: Element | None) -> None:
        self._root = root
        self._elements: dict[str, Element] = {}
        self._paragraphs: dict[str, Style] = {}
        self._default = ""
        for style in root.findall(w("style")) if root is not None else ():
            identity = style.get(w("styleId")) or ""
            is_default = style.get(w("type")) == "paragraph" and style.get(w("default")) in ("1", "true", "on")
            if is_default:
                self._default = identity
            # No paragraph refers to a style without an id: one without a style is of the default.
            if identity or is_default:
                self._elements.setdefault(identity, style)

    @property
    def language(self) -> str | None:
        """The default language of the text, from the default style or the document defaults."""
        for style in self._chain(self._default):
            if tag := value(style, RPR, w("lang")):
                return tag
        return value(self._root, w("docDefaults"), w("rPrDefault"), RPR, w("lang"))

    def paragraph(self, identity: str | None) -> Style:
        """Return the paragraph style with this id, or the default one."""
        style_id = identity if identity in self._elements else self._default
        style = self._paragraphs.get(style_id)
        if style is None:
            style = self._paragraphs[style_id] = _style(style_id, list(self._chain(style_id)))
        return style

    def run_properties(self, identity: str | None, *, is_paragraph: bool = True) -> list[Element]:
        """Return the run properties (`w:rPr`) of a style's chain, the most specific first."""
        return self._properties(identity, RPR, is_paragraph=is_paragraph)

    def paragraph_properties(self, identity: str | None) -> list[Element]:
        """Return the paragraph properties (`w:pPr`) of a style's chain, the most specific first."""
        return self._properties(identity, PPR, is_paragraph=True)

    def default_run_properties(self) -> list[Element]:
        """Return the document's default run properties."""
        path = f"{w('docDefaults')}/{w('rPrDefault')}/{RPR}"
        return [] if self._root is None else self._root.findall(path)

    def has_shading(self, identity: str) -> bool:
        """Return True if a table style sets a background of cells."""
        return any(style.find(f".//{w('shd')}") is not None for style in self._chain(identity))

    def _properties(self, identity: str | None, tag: str, *, is_paragraph: bool) -> list[Element]:
        style_id = self._default if is_paragraph and identity not in self._elements else identity or ""
        elements = (style.find(tag) for style in self._chain(style_id))
        return [element for element in elements if element is not None]

    def has_first_row_format(self, identity: str) -> bool:
        """Return True if a table style formats the first row differently."""
        return any(
            part.get(w("type")) == "firstRow"
            for style in self._chain(identity)
            for part in style.findall(w("tblStylePr"))
        )

    def list_of(self, identity: str) -> str:
        """Return the id of a numbering style's list; empty for none."""
        return next((num_id for style in self._chain(identity) if (num_id := value(style, PPR, NUM_PR, NUM_ID))), "")

    def _chain(self, identity: str) -> Iterator[Element]:
        """Yield a style, then those that it is based on; a cycle ends the chain."""
        visited: set[str] = set()
        while identity not in visited and identity in self._elements:
            visited.add(identity)
            yield self._elements[identity]
            identity = value(self._elements[identity], _BASED_ON) or ""


def _style(identity: str, chain: list[Element]) -> Style:
    names = [(value(style, NAME) or "").lower().replace("  ", " ") for style in chain]
    kind, level = _kind(chain, names)
    list_style = next((style for style in chain if value(style, PPR, NUM_PR, NUM_ID) is not None), None)
    levels = (value(style, PPR, NUM_PR, ILVL) for style in chain)
    num_level = next((level_id for level_id in levels if level_id is not None), None)
    list_match = next((match for name in names if (match := _LIST.fullmatch(name))), None)
    hidden = (toggle(style.find(RPR), w("vanish")) for style in chain)
    return Style(
        kind=kind,
        level=level,
        caption=any(_CAPTION.fullmatch(name) for name in names),
        continued=any(_CONTINUED.fullmatch(name) for name in names),
        bullet=list_match is not None,
        depth=number(list_match[2], 1) - 1 if list_match else 0,
        num_id=(value(list_style, PPR, NUM_PR, NUM_ID) or "") if list_style is not None else "",
        num_level=number(num_level) if num_level is not None else None,
        num_style=(list_style.get(w("styleId")) or identity) if list_style is not None else "",
        hidden=next((is_hidden for is_hidden in hidden if is_hidden is not None), False),
        role=next((role for role, pattern in _ROLES.items() for name in names if pattern.fullmatch(name)), ""),
    )


def _kind(chain: list[Element], names: list[str]) -> tuple[BlockKind, int]:
    """Return kind and heading level of the most specific style in the chain that defines them."""
    for style, name in zip(chain, names, strict=True):
        if _CONTENTS.fullmatch(name):
            return BlockKind.CONTENTS, 0
        level = _level(style, name)
        if level is not None:
            return (BlockKind.HEADING, level) if level else (BlockKind.PARAGRAPH, 0)
        for kind, pattern in _KINDS.items():
            if pattern.fullmatch(name):
                return kind, 0
    return BlockKind.PARAGRAPH, 0


def _level(style: Element, name: str) -> int | None:
    """The heading level of a style, 0 for body text; None if it does not define one."""
    # The outline level outranks the name, which may be in any language.
    outline = style.find(PPR + "/" + OUTLINE)
    if _CONTENTS_HEADING.fullmatch(name):
        return 1
    if outline is not None:
        return (number(outline.get(VAL), BODY_LEVEL) + 1) % (BODY_LEVEL + 1)
    if heading := _HEADING.fullmatch(name):
        return int(heading[1])
    return 1 if _TITLE.fullmatch(name) else None
