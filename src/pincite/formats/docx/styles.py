# ruff: noqa: RUF001 - names of styles in other scripts
"""What styles say of a paragraph or a run: heading level, list, kind, hidden; each through its basedOn chain."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.formats.docx.names import VAL, number, toggle, value, w
from pincite.formats.ooxml.package import Element
from pincite.model.document import BlockKind

BODY_LEVEL = 9
"""The outline level of text that is no heading (17.3.1.20)."""

_BASED_ON, _NAME, _PPR, _RPR = w("basedOn"), w("name"), w("pPr"), w("rPr")
_OUTLINE, _NUM_PR, _NUM_ID, _ILVL = w("outlineLvl"), w("numPr"), w("numId"), w("ilvl")
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
"""Its outline level is that of body text, to keep it out of the contents: it is a heading all the same."""
_CAPTION = re.compile(
    r"(?:.* )?caption|beschriftung|légende|leyenda|epígrafe|didascalia|legenda|bijschrift|题注|図表番号"
)
_TITLE = re.compile(r"title|titel|titre|título|titolo|标题|表題")
_LIST = re.compile(r"list (bullet|number)(?: ([2-5]))?")
_CONTINUED = re.compile(r"list continue(?: [2-5])?")


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style with all that it inherits.

    Attributes:
        kind: Code, quote, contents; a paragraph otherwise.
        level: Heading level from 1; 0 for no heading.
        caption: Whether it names a table or a figure.
        continued: Whether it goes on with the item before it.
        bullet: Whether its name says that it is an item of a list.
        depth: How deep that list is nested, by the name.
        num_id: The list that it belongs to; empty for none.
        num_level: Its level there; None where the list says it.
        num_style: Id of the style that names the list.
        hidden: Whether its text is hidden.
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


class Styles:
    """The styles of a document by id; without a part there are none."""

    def __init__(self, root: Element | None) -> None:
        self._root = root
        self._elements: dict[str, Element] = {}
        self._paragraphs: dict[str, Style] = {}
        self._default = ""
        for found in root.findall(w("style")) if root is not None else ():
            identity = found.get(w("styleId")) or ""
            self._elements.setdefault(identity, found)
            if found.get(w("type")) == "paragraph" and found.get(w("default")) in ("1", "true", "on"):
                self._default = identity

    @property
    def language(self) -> str | None:
        """The language of text that names none: of the default style, else of the defaults."""
        for style in self._chain(self._default):
            if tag := value(style, _RPR, w("lang")):
                return tag
        return value(self._root, w("docDefaults"), w("rPrDefault"), _RPR, w("lang"))

    def paragraph(self, identity: str | None) -> Style:
        """A paragraph style; the default one where there is none of this id."""
        known = identity if identity in self._elements else self._default
        found = self._paragraphs.get(known)
        if found is None:
            found = self._paragraphs[known] = _style(known, list(self._chain(known)))
        return found

    def run_properties(self, identity: str | None, *, is_paragraph: bool = True) -> list[Element]:
        """Return what a style says of runs (`w:rPr`), the nearest of its chain first."""
        return self._properties(identity, _RPR, is_paragraph=is_paragraph)

    def paragraph_properties(self, identity: str | None) -> list[Element]:
        """Return what a style says of paragraphs (`w:pPr`), the nearest of its chain first."""
        return self._properties(identity, _PPR, is_paragraph=True)

    def default_run_properties(self) -> list[Element]:
        """Return what the document says of runs that no style speaks of."""
        path = f"{w('docDefaults')}/{w('rPrDefault')}/{_RPR}"
        return [] if self._root is None else self._root.findall(path)

    def shades(self, identity: str) -> bool:
        """Return True if a table style gives cells a background."""
        return any(style.find(f".//{w('shd')}") is not None for style in self._chain(identity))

    def _properties(self, identity: str | None, tag: str, *, is_paragraph: bool) -> list[Element]:
        known = self._default if is_paragraph and identity not in self._elements else identity or ""
        found = (style.find(tag) for style in self._chain(known))
        return [one for one in found if one is not None]

    def marks_first_row(self, identity: str) -> bool:
        """Whether a table style sets the first row apart."""
        return any(
            part.get(w("type")) == "firstRow"
            for style in self._chain(identity)
            for part in style.findall(w("tblStylePr"))
        )

    def list_of(self, identity: str) -> str:
        """The list that a numbering style names; empty for none."""
        return next((found for style in self._chain(identity) if (found := value(style, _PPR, _NUM_PR, _NUM_ID))), "")

    def _chain(self, identity: str) -> Iterator[Element]:
        """A style, then what it is based on; a circle ends."""
        seen: set[str] = set()
        while identity not in seen and identity in self._elements:
            seen.add(identity)
            yield self._elements[identity]
            identity = value(self._elements[identity], _BASED_ON) or ""


def _style(identity: str, chain: list[Element]) -> Style:
    names = [(value(style, _NAME) or "").lower().replace("  ", " ") for style in chain]
    kind, level = _kind(chain, names)
    numbered = next((style for style in chain if value(style, _PPR, _NUM_PR, _NUM_ID) is not None), None)
    levels = (value(style, _PPR, _NUM_PR, _ILVL) for style in chain)
    num_level = next((found for found in levels if found is not None), None)
    listed = next((found for name in names if (found := _LIST.fullmatch(name))), None)
    hidden = (toggle(style.find(_RPR), w("vanish")) for style in chain)
    return Style(
        kind=kind,
        level=level,
        caption=any(_CAPTION.fullmatch(name) for name in names),
        continued=any(_CONTINUED.fullmatch(name) for name in names),
        bullet=listed is not None,
        depth=number(listed[2], 1) - 1 if listed else 0,
        num_id=(value(numbered, _PPR, _NUM_PR, _NUM_ID) or "") if numbered is not None else "",
        num_level=number(num_level) if num_level is not None else None,
        num_style=(numbered.get(w("styleId")) or identity) if numbered is not None else "",
        hidden=next((found for found in hidden if found is not None), False),
    )


def _kind(chain: list[Element], names: list[str]) -> tuple[BlockKind, int]:
    """Kind and heading level; the nearest style of the chain that says something decides."""
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
    """The heading level of a style, 0 for none; None where it does not say."""
    outline = style.find(_PPR + "/" + _OUTLINE)
    if _CONTENTS_HEADING.fullmatch(name):
        return 1
    if outline is not None:
        return (number(outline.get(VAL), BODY_LEVEL) + 1) % (BODY_LEVEL + 1)
    if heading := _HEADING.fullmatch(name):
        return int(heading[1])
    return 1 if _TITLE.fullmatch(name) else None
