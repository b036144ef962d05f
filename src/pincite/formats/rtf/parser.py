"""Translate an RTF file into the parts of a Word document."""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.formats.doc.assemble import Related, assembled, comments_part, notes_part, story_part
from pincite.formats.doc.story import box_markup, reference
from pincite.formats.doc.text import joined
from pincite.formats.rtf.header import Header, Style, field_text
from pincite.formats.rtf.state import State
from pincite.formats.rtf.story import RowFormat, Story
from pincite.formats.rtf.tokens import Kind, Token, tokens
from pincite.model.call import Call
from pincite.text.xml_text import escaped

_MAX_GROUPS = 2000
"""Nesting of groups; deeper ones have the format of the group around them."""
_CHARACTERS = {
    "tab": "<w:tab/>", "line": "<w:br/>", "softline": "<w:br/>", "cell": "", "lquote": "‘", "rquote": "’",
    "ldblquote": "“", "rdblquote": "”", "bullet": "•", "endash": "–", "emdash": "—", "emspace": "\u2003",
    "enspace": "\u2002", "qmspace": "\u2005", "zwj": "\u200d", "zwnj": "\u200c",
}  # fmt: skip
_SYMBOLS = {"~": "\xa0", "_": "<w:noBreakHyphen/>", "{": "{", "}": "}", "\\": "\\", "\t": "<w:tab/>"}
_SKIPPED = frozenset({
    "pn", "pntxta", "pntxtb", "nonshppict", "shprslt", "objdata", "objclass", "objname", "sp", "filetbl",
    "revtbl", "rsidtbl", "generator", "themedata", "colorschememapping", "datastore", "latentstyles", "xmlnstbl",
    "mmathPr", "xe", "tc", "tcn", "rxe", "bkmkstart", "bkmkend", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc",
    "aftncn", "atnid", "atntime", "atndate", "atnicn", "atnref", "template", "userprops", "levelnumbers", "private1",
    "falt", "panose", "fontemb", "keycode", "listname", "liststylename", "picprop", "comment", "operator", "hlinkbase",
    "atrfstart", "atrfend", "docvar", "wgrffmtfilter", "background", "protusertbl", "passwordhash", "oldcprops",
    "oldpprops", "oldtprops", "oldsprops", "nextfile", "company", "doccomm",
})  # fmt: skip
_PROPERTIES = {"title": "title", "subject": "subject", "author": "author", "keywords": "keywords"}
_STORIES = {
    "footnote": "footnote", "annotation": "comment", "shptxt": "box", "dptxbxtext": "box",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "header"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "footer"),
}  # fmt: skip
_TARGETS = {
    "fonttbl": "fonts", "colortbl": "colours", "stylesheet": "styles", "listtable": "lists",
    "listoverridetable": "overrides", "leveltext": "level text", "info": "skip", "fldinst": "instruction",
    "atnauthor": "author", "pict": "picture", "listtext": "label", "pntext": "label",
}  # fmt: skip
_KNOWN_OPTIONAL = frozenset({*_TARGETS, *_STORIES, "shpinst", "shppict", "ud", "field", "do"})
_MAC_CODE_PAGE = 10000
_MAX_COLOURS = 10_000
_COLOURS = ("red", "green", "blue")
_PICTURES = {"pngblip": "png", "jpegblip": "jpg"}


@dataclass(slots=True)
class Parser:
    """Reads the tokens of a file.

    Attributes:
        call: Checked for cancellation.
        header: What the header defines.
    """

    call: Call
    header: Header = field(default_factory=Header)
    _state: State = field(default_factory=State)
    _states: list[State] = field(default_factory=list[State])
    _deeper: int = 0
    _stories: list[Story] = field(default_factory=lambda: [Story()])
    _bytes: bytearray = field(default_factory=bytearray)
    _letters: list[str] = field(default_factory=list[str])
    _to_skip: int = 0
    _first_unit: str = ""
    _is_optional: bool = False
    _notes: dict[str, list[str]] = field(default_factory=lambda: {"footnote": [], "endnote": []})
    _margins: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _comments: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    _author: str = ""
    _media: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _picture_kind: str = ""
    _rgb: list[int] = field(default_factory=lambda: [0, 0, 0])

    def translate(self, data: bytes) -> bytes:
        """Return the file as a package of Office Open XML."""
        handlers: dict[Kind, Callable[[Token], None]] = {
            Kind.OPEN: self._open, Kind.CLOSE: self._close, Kind.WORD: self._word, Kind.SYMBOL: self._symbol,
            Kind.TEXT: self._text,
        }  # fmt: skip
        for token in tokens(data):
            if token.kind is not Kind.TEXT:
                self._flush()
            handlers[token.kind](token)
        self._flush()
        while self._states:
            self._close(Token(Kind.CLOSE))
        return self._package()

    def _package(self) -> bytes:
        related = [Related("styles", self.header.styles_part())]
        numbering = self.header.lists.part()
        related += [Related("numbering", numbering)] if numbering else []
        related += [notes_part(kind, texts) for kind, texts in self._notes.items()]
        related.append(comments_part(self._comments))
        related += [story_part(kind, text) for kind, text in self._margins]
        return assembled(self._stories[0].content(), related, self._media)

    # Groups

    def _open(self, _token: Token) -> None:
        self.call.check()
        self._to_skip = 0
        if len(self._states) >= _MAX_GROUPS:
            self._deeper += 1
            return
        self._states.append(self._state)
        self._state = copy.copy(self._state)
        self._state.is_field = self._state.story = False

    def _close(self, _token: Token) -> None:
        self._to_skip = 0
        self._is_optional = False
        if self._deeper:
            self._deeper -= 1
            return
        if not self._states:
            return
        closed, self._state = self._state, self._states.pop()
        if closed.is_field:
            self._put('<w:fldChar w:fldCharType="end"/>')
        if closed.story and len(self._stories) > 1:
            self._end_story(self._stories.pop())
        elif closed.target != self._state.target or closed.target == "styles":
            self._end_target(closed)

    def _end_story(self, story: Story) -> None:
        content = story.content()
        if story.kind in self._notes:
            notes = self._notes[story.kind]
            self._put(reference(story.kind, len(notes)))
            notes.append(content)
        elif story.kind == "comment":
            self._comments.append((escaped(self._author), content))
        elif story.kind == "box":
            self._put(box_markup(content))
        else:
            self._margins.append((story.kind, content))

    def _end_target(self, closed: State) -> None:
        text = "".join(self._letters)
        if closed.target == "styles" and (name := text.strip().rstrip(";").strip()):
            paragraph, run = closed.paragraph(self.header), closed.run(self.header)
            paragraph = paragraph.replace(f'<w:pStyle w:val="{closed.style}"/>', "")
            self.header.styles.setdefault(closed.style, Style(name, closed.base, paragraph, run))
        elif closed.target == "level text":
            self.header.lists.level.text = text.rstrip(";")
        elif closed.target == "author":
            self._author = text.strip()
        elif closed.target.startswith("property "):
            self.header.properties.setdefault(closed.target.removeprefix("property "), text.strip())
        elif closed.target == "picture":
            self._end_picture(text)
        elif closed.target == "label":
            self._stories[-1].label = text.strip()
        self._letters.clear()

    def _end_picture(self, text: str) -> None:
        try:
            data = bytes.fromhex(text)
        except ValueError:
            data = b""
        if data and self._picture_kind:
            name = f"image{len(self._media) + 1}.{self._picture_kind}"
            self._media[name] = data
            self._put(f'<w:pict><w:imagedata r:id="{name}"/></w:pict>')
        self._picture_kind = ""

    # Text

    def _text(self, token: Token) -> None:
        data = token.data
        if self._to_skip:
            count = min(self._to_skip, len(data))
            self._to_skip -= count
            data = data[count:]
        self._bytes += data

    def _flush(self) -> None:
        if not self._bytes:
            return
        data, state = bytes(self._bytes), self._state
        self._bytes.clear()
        font = state.font if state.font >= 0 else self.header.default_font
        encoding = "latin-1" if state.target in ("level text", "picture") else self.header.encoding(font)
        self._put_text(data.decode(encoding, "replace"))

    def _put_text(self, text: str) -> None:
        target = self._state.target
        if target == "text":
            self._put(f'<w:t xml:space="preserve">{escaped(text)}</w:t>')
        elif target == "instruction":
            self._put(field_text(text))
        elif target == "colours":
            self._colours(text)
        elif target == "fonts":
            name, _, _ = text.partition(";")
            self.header.fonts.setdefault(self._state.font, name.strip())
        elif target != "skip":
            self._letters.append(text)

    def _put(self, element: str) -> None:
        """Add an element to a run of the story."""
        if self._state.target in ("text", "instruction") and not self._state.deleted:
            self._stories[-1].runs.append(f"<w:r>{self._state.run(self.header)}{element}</w:r>")

    def _colours(self, text: str) -> None:
        for _ in range(min(text.count(";"), _MAX_COLOURS - len(self.header.colours))):
            auto = self._rgb == [0, 0, 0] and not self.header.colours
            self.header.colours.append("auto" if auto else bytes(self._rgb).hex().upper())
            self._rgb = [0, 0, 0]

    def _symbol(self, token: Token) -> None:
        if token.word == "*":
            self._is_optional = True
        elif token.word in _SYMBOLS:
            self._character(_SYMBOLS[token.word])
        elif token.word in "\r\n":
            self._end_paragraph()

    def _character(self, character: str) -> None:
        if self._to_skip:
            self._to_skip -= 1
        elif character.startswith("<") and self._state.target == "text":
            self._put(character)
        else:
            self._put_text("\t" if character.startswith("<") else character)

    # Control words

    def _word(self, token: Token) -> None:
        word, number = token.word, token.number
        is_optional, self._is_optional = self._is_optional, False
        if word == "u":
            self._unicode(chr((number or 0) & 0xFFFF))
        elif self._state.target == "skip" and word not in ("ud", *_PROPERTIES):
            return
        elif word in _STORIES and (self._state.target == "text"):
            self._state.story = True
            self._stories.append(Story(_STORIES[word]))
        elif word in _TARGETS or word in _PROPERTIES or word in _SKIPPED:
            self._begin_target(word)
        elif is_optional and word not in _KNOWN_OPTIONAL:
            self._state.target = "skip"
        elif word in _CHARACTERS and word != "cell":
            self._character(_CHARACTERS[word])
        elif self._state.target == "overrides":
            self.header.lists.define(word, number or 0, is_override=True)
        elif not (self._structure(word) or self._table(word, number) or self._format(word, number)):
            self._define(word, number)

    def _unicode(self, unit: str) -> None:
        """Add a UTF-16 unit; two of a pair are one character."""
        self._to_skip = self._state.skipped
        if "\ud800" <= unit <= "\udbff":
            self._first_unit = unit
            return
        self._put_text(joined(self._first_unit + unit))
        self._first_unit = ""

    def _begin_target(self, word: str) -> None:
        outer = self._states[-1].target if self._states else "text"
        target = f"property {_PROPERTIES[word]}" if word in _PROPERTIES else _TARGETS.get(word, "skip")
        if word in _PROPERTIES and outer != "skip":
            return
        self._state.target = target
        if word == "fldinst":
            self._put('<w:fldChar w:fldCharType="begin"/>')
            if self._states:
                self._states[-1].is_field = True
        if target not in ("instruction", "skip"):
            self._letters.clear()

    def _structure(self, word: str) -> bool:
        """Handle what ends or begins a part of the text; return False for any other word."""
        if word in ("par", "sect", "page", "column"):
            if word in ("par", "sect") or self._stories[-1].runs:
                self._end_paragraph()
        elif word == "fldrslt":
            if self._states and self._states[-1].is_field:
                self._put('<w:fldChar w:fldCharType="separate"/>')
        elif word == "ftnalt":
            self._stories[-1].kind = "endnote" if self._stories[-1].kind == "footnote" else self._stories[-1].kind
        elif word == "upr":
            self._state.target = "skip"
        elif word == "ud":
            self._state.target = self._states[-2].target if len(self._states) > 1 else "text"
        elif word in _PICTURES:
            self._picture_kind = _PICTURES[word]
        else:
            return False
        return True

    def _end_paragraph(self) -> None:
        if self._state.target == "text":
            self._write_label()
            self._stories[-1].paragraph(self._state.paragraph(self.header), self._state.tables)

    def _write_label(self) -> None:
        """Write the label that the file has for older programs, unless the paragraph is in a list."""
        story = self._stories[-1]
        if story.label and self._state.list_number not in self.header.lists.numbers:
            story.runs.insert(0, f'<w:r><w:t xml:space="preserve">{escaped(story.label)} </w:t></w:r>')
        story.label = ""

    def _table(self, word: str, number: int | None) -> bool:
        """Handle cells and rows; return False for any other word."""
        story, state = self._stories[-1], self._state
        if state.target != "text":
            return False
        if word in ("cell", "nestcell"):
            self._write_label()
            story.cell(state.paragraph(self.header), state.depth if word == "nestcell" else 1)
        elif word in ("row", "nestrow"):
            story.end_row(state.depth if word == "nestrow" else 1)
        elif word == "trowd":
            story.row = RowFormat()
        elif word == "cellx":
            story.row.edge(number or 0)
        elif word == "trhdr":
            story.row.is_header = True
        elif word in ("clmgf", "clmrg", "clvmgf", "clvmrg"):
            story.row.flags |= {"clmgf": 2, "clmrg": 1, "clvmgf": 0x60, "clvmrg": 0x20}[word]
        else:
            return False
        return True

    def _format(self, word: str, number: int | None) -> bool:
        """Handle formats; return False for any other word."""
        state, is_on = self._state, number != 0
        if word in ("b", "i", "caps", "v", "deleted"):
            name = {"b": "bold", "i": "italic", "v": "hidden"}.get(word, word)
            setattr(state, name, is_on)
        elif word in ("super", "sub", "nosupersub"):
            state.script = {"super": "superscript", "sub": "subscript"}.get(word, "") if is_on else ""
        elif word in ("f", "fs", "cf", "s", "ls", "ilvl", "itap", "outlinelevel", "uc"):
            names = {"f": "font", "fs": "size", "cf": "colour", "s": "style", "ls": "list_number", "ilvl": "level",
                     "itap": "depth", "outlinelevel": "outline", "uc": "skipped"}  # fmt: skip
            setattr(state, names[word], max(0, number or 0))
        elif word in ("cb", "highlight", "chcbpat"):
            state.background = bool(number)
        elif word in ("cbpat", "shading"):
            state.shaded = bool(number)
        elif word == "pard":
            state.reset_paragraph()
        elif word == "plain":
            state.reset_characters()
        elif word == "intbl":
            state.in_table = True
        else:
            return False
        return True

    def _define(self, word: str, number: int | None) -> None:
        """Handle the words of the header."""
        header, target, value = self.header, self._state.target, number or 0
        if word == "ansicpg":
            header.set_code_page(value)
        elif word == "mac":
            header.set_code_page(_MAC_CODE_PAGE)
        elif word == "deff":
            header.default_font = value
        elif word == "fcharset" and target == "fonts":
            header.set_character_set(self._state.font, value)
        elif word in _COLOURS:
            self._rgb[_COLOURS.index(word)] = value & 0xFF
        elif target == "styles" and word == "sbasedon":
            self._state.base = value
        elif target == "styles" and word in ("cs", "ds", "ts"):
            self._state.target = "skip"
        elif target == "lists":
            header.lists.define(word, value, is_override=False)
