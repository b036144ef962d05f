"""Fields (ECMA-376 part 1, 17.16): hidden instructions and their visible results."""

import re
import unicodedata
from dataclasses import dataclass, field

from pincite.formats.docx.names import VAL, number, toggle, w
from pincite.formats.ooxml.package import Element
from pincite.formats.ooxml.text import link_to

_HYPERLINK = re.compile(r'\s*HYPERLINK\s+(?:"([^"]*)"|([^\s"\\]\S*))', re.IGNORECASE)
_EQUATION = re.compile(r"\s*EQ\s+(.{1,500})", re.IGNORECASE | re.DOTALL)
_BUTTON = re.compile(r"\s*MACROBUTTON\s+\S+\s+(.{1,500})", re.IGNORECASE | re.DOTALL)
_SWITCH = re.compile(r"\\(\w)(?:\\\w{1,4})*\s?\(([^()\\]*)\)")
"""An element of an EQ field without others in it: `\\f(1,2)`, `\\o\\ac(○,1)`."""
_ARGUMENTS = re.compile(r"\s*[,;]\s*")
_RINGS = ("\u25cb", "\u25ef", "\u3007")
MAX_ELEMENTS = 50
"""Elements of an EQ field that are replaced."""
_ANCHOR = re.compile(r'\\l\s+(?:"([^"]*)"|(\S+))')


@dataclass(slots=True)
class _Field:
    instruction: list[str] = field(default_factory=list[str])
    result: bool = False
    url: str = ""
    start: int = 0


class Fields:
    """The open fields of a story, which may span paragraphs."""

    def __init__(self) -> None:
        self._open: list[_Field] = []
        self._open_instructions = 0

    @property
    def shown(self) -> bool:
        """True outside of all instructions: text here is visible."""
        return not self._open_instructions

    def instruct(self, text: str) -> None:
        """Append to the innermost field's instruction."""
        if self._open and not self._open[-1].result:
            self._open[-1].instruction.append(text)

    def begin(self) -> None:
        """Begin a field with its instruction."""
        self._open.append(_Field())
        self._open_instructions += 1

    def separate(self, pieces: list[str]) -> None:
        """End the instruction of the innermost field and begin its result."""
        if self._open and not self._open[-1].result:
            innermost = self._open[-1]
            innermost.result = True
            innermost.url = hyperlink("".join(innermost.instruction))
            innermost.start = len(pieces)
            self._open_instructions -= 1

    def end(self, pieces: list[str]) -> None:
        """End the innermost field."""
        if self._open:
            innermost = self._open.pop()
            if innermost.result:
                link(pieces, innermost.start, innermost.url)
            else:
                self._open_instructions -= 1
                if self.shown:
                    pieces.append(_without_result("".join(innermost.instruction)))

    def end_line(self, pieces: list[str]) -> None:
        """End a paragraph: split links, which may span paragraphs, and drop instructions without an end."""
        if not self._open:
            return
        for open_field in reversed(self._open):
            if open_field.result:
                link(pieces, open_field.start, open_field.url)
                open_field.start = 0
        self._open = [open_field for open_field in self._open if open_field.result]
        self._open_instructions = 0


def hyperlink(instruction: str) -> str:
    """Return the URL of a `HYPERLINK` instruction; empty for any other one and for a target inside the document."""
    match = _HYPERLINK.match(instruction)
    url = ((match[1] if match[1] is not None else match[2]) or "").strip() if match else ""
    anchor = _ANCHOR.search(instruction) if url else None
    return f"{url}#{anchor[1] or anchor[2] or ''}" if anchor and "#" not in url else url


def link(pieces: list[str], start: int, url: str) -> None:
    """Replace the pieces from `start` on by one link, unless their text is the URL itself."""
    if not url:
        return
    text = "".join(pieces[start:])
    core = text.strip()
    if core and core != url:
        before, _, after = text.partition(core)
        pieces[start:] = [f"{before}{link_to(core, url)}{after}"]


def form_value(begin: Element) -> str:
    """Return the text of a form field without a result: a check box, or the selected entry of a list."""
    data = begin.find(w("ffData"))
    box = data.find(w("checkBox")) if data is not None else None
    if box is not None:
        checked = toggle(box, w("checked"))
        # Without a state of its own a box shows its default.
        checked = toggle(box, w("default")) if checked is None else checked
        return "☒" if checked else "☐"
    choices = data.find(w("ddList")) if data is not None else None
    if choices is not None:
        entries = [entry.get(VAL) or "" for entry in choices.findall(w("listEntry"))]
        result = choices.find(w("result"))
        chosen = number(result.get(VAL) if result is not None else None)
        return entries[chosen] if chosen < len(entries) else ""
    return ""


def _without_result(instruction: str) -> str:
    """Return what Word shows of a field that has no result: an equation (EQ), or the text of a button; else nothing."""
    button = _BUTTON.fullmatch(instruction)
    if button:
        return button[1].strip()
    equation = _EQUATION.fullmatch(instruction)
    if equation is None:
        return ""
    text = equation[1]
    for _ in range(MAX_ELEMENTS):
        text, count = _SWITCH.subn(_element, text, count=1)
        if not count:
            break
    return text.strip()


def _element(match: re.Match[str]) -> str:
    """Return an element of an equation as text: a fraction, characters over each other, or its arguments."""
    arguments = [argument for argument in _ARGUMENTS.split(match[2].strip()) if argument]
    kind = match[1].lower()
    if kind == "f" and len(arguments) == 2:  # noqa: PLR2004 - numerator and denominator
        return _sign(f"{arguments[0]}\N{FRACTION SLASH}{arguments[1]}") or "/".join(arguments)
    if kind == "o" and len(arguments) == 2 and arguments[0] in _RINGS:  # noqa: PLR2004 - a ring and what is in it
        return _sign(arguments[1]) or arguments[1]
    return "".join(arguments)


def _sign(text: str) -> str:
    """Return the Unicode character of a fraction or of ringed text; empty without one."""
    signs = (
        chr(code)
        for area in ((0x00BC, 0x00BF), (0x2150, 0x215F), (0x2460, 0x2474), (0x24B6, 0x24EA))
        for code in range(*area)
    )
    return next((sign for sign in signs if unicodedata.normalize("NFKC", sign) == text), "")
