"""The header of an RTF file: its fonts, colours, styles and lists."""

from dataclasses import dataclass, field

from pincite.formats.doc.fonts import ENCODINGS
from pincite.formats.doc.markup import NAMESPACES, value
from pincite.formats.ole.summary import encoding
from pincite.text.xml_text import escaped

_FORMS = {0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal",
          22: "decimalZero", 23: "bullet", 255: "none"}  # fmt: skip
_LEVELS = 9


@dataclass(slots=True)
class Style:
    """A style of paragraphs.

    Attributes:
        name: Its name.
        base: Number of the style that it is based on; None for none.
        paragraph: The content of its `w:pPr`.
        run: Its `w:rPr`.
    """

    name: str
    base: int | None
    paragraph: str
    run: str


@dataclass(slots=True)
class ListLevel:
    """A level of a list: the form of its number, the first number, and the text around it."""

    form: int = 0
    start: int = 1
    text: str = ""


@dataclass(slots=True)
class ListTable:
    """The lists of a file.

    Attributes:
        lists: The levels of each list by its identity.
        numbers: The identity of the list that a paragraph's list number refers to.
    """

    lists: dict[int, list[ListLevel]] = field(default_factory=dict[int, list[ListLevel]])
    numbers: dict[int, int] = field(default_factory=dict[int, int])
    levels: list[ListLevel] = field(default_factory=list[ListLevel])
    identity: int = 0

    @property
    def level(self) -> ListLevel:
        """The level that began last; one of no list before the first."""
        return self.levels[-1] if self.levels else ListLevel()

    def define(self, word: str, value: int, *, is_override: bool) -> None:
        """Handle a control word of the list table, or of the list override table."""
        if is_override and word == "listid":
            self.identity = value
        elif is_override and word == "ls":
            self.numbers[value] = self.identity
        elif is_override:
            return
        elif word == "list":
            self.levels = []
        elif word == "listlevel" and len(self.levels) < _LEVELS:
            self.levels.append(ListLevel())
        elif word in ("levelnfc", "levelnfcn"):
            self.level.form = value
        elif word == "levelstartat":
            self.level.start = value
        elif word == "listid":
            self.lists[value] = self.levels

    def part(self) -> str:
        """Return the part `word/numbering.xml`; empty without lists."""
        if not self.numbers:
            return ""
        markup = {identity: "".join(map(_level, range(_LEVELS), levels)) for identity, levels in self.lists.items()}
        lists = "".join(
            f'<w:abstractNum w:abstractNumId="{identity}">{levels}</w:abstractNum>'
            for identity, levels in markup.items()
        )
        numbers = "".join(
            f'<w:num w:numId="{number}">{value("abstractNumId", identity)}</w:num>'
            for number, identity in self.numbers.items()
        )
        return f"<w:numbering {NAMESPACES}>{lists}{numbers}</w:numbering>"


def _level(index: int, level: ListLevel) -> str:
    # The first character is the length; characters below 9 are replaced by the number of a level.
    letters = level.text[1 : 1 + ord(level.text[0])] if level.text else ""
    label = "".join(f"%{ord(letter) + 1}" if ord(letter) < _LEVELS else letter for letter in letters)
    parts = value("start", level.start) + value("numFmt", _FORMS.get(level.form, "decimal")) + value("lvlText", label)
    return f'<w:lvl w:ilvl="{index}">{parts}</w:lvl>'


@dataclass(slots=True)
class Header:
    """What the header defines.

    Attributes:
        fonts: Names of the fonts by number.
        encodings: The encodings of fonts with a character set of their own.
        colours: The colours in order, as six hex digits; `auto` for the default.
        styles: The styles of paragraphs by number.
        lists: The lists.
        properties: The properties of the document.
        default_font: Number of the default font.
        code_page: The encoding of text in fonts without one.
    """

    fonts: dict[int, str] = field(default_factory=dict[int, str])
    encodings: dict[int, str] = field(default_factory=dict[int, str])
    colours: list[str] = field(default_factory=list[str])
    styles: dict[int, Style] = field(default_factory=dict[int, Style])
    lists: ListTable = field(default_factory=ListTable)
    properties: dict[str, str] = field(default_factory=dict[str, str])
    default_font: int = 0
    code_page: str = "cp1252"

    def set_character_set(self, font: int, character_set: int) -> None:
        """Set the encoding of a font by its character set."""
        if character_set in ENCODINGS:
            self.encodings[font] = ENCODINGS[character_set]

    def set_code_page(self, number: int) -> None:
        """Set the encoding of text in fonts without one."""
        self.code_page = encoding(number)

    def encoding(self, font: int) -> str:
        """Return the encoding of text in a font."""
        return self.encodings.get(font, self.code_page)

    def styles_part(self) -> str:
        """Return the part `word/styles.xml`."""
        return f"<w:styles {NAMESPACES}>{''.join(self._style(*item) for item in self.styles.items())}</w:styles>"

    def _style(self, number: int, style: Style) -> str:
        default = ' w:default="1"' if number == 0 else ""
        base = value("basedOn", style.base) if style.base is not None and style.base != number else ""
        head = f'<w:style w:type="paragraph" w:styleId="{number}"{default}>{value("name", style.name)}{base}'
        return f"{head}<w:pPr>{style.paragraph}</w:pPr>{style.run}</w:style>"


def field_text(text: str) -> str:
    """Return the instruction of a field as an element."""
    return f'<w:instrText xml:space="preserve">{escaped(text)}</w:instrText>'
